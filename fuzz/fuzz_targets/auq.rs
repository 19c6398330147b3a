//! A request of AUQ. After a line of three dashes, answers to it as data. Both are also read as AUQ's commands do.

#![no_main]

use libfuzzer_sys::fuzz_target;
use sayso_core::Lang;
use sayso_dialects::Dialect;
use sayso_dialects::auq::{AuqLimits, read_command, read_command_answers};
use sayso_fuzz::dialects;

fuzz_target!(|data: &[u8]| {
    dialects::dialect(Dialect::Auq, data);
    let input = String::from_utf8_lossy(data);
    let (request, answers) = input.split_once("\n---\n").unwrap_or((&input, ""));
    match read_command(request, &AuqLimits::NONE) {
        Ok(read) => {
            assert_eq!(read.questionnaire.problems(), [], "the desk would refuse it");
            if let Err(refused) = read_command_answers(&read.questionnaire, answers) {
                assert!(!refused.error.is_empty(), "answers refused without a word");
            }
        }
        Err(problems) => assert!(!Dialect::Auq.refuse(&problems, Lang::En).stderr.is_empty(), "refused without a word"),
    }
});
