//! A questionnaire as an agent may write it. What is read can be written and read again, and filled in.

#![no_main]

use libfuzzer_sys::fuzz_target;
use sayso_core::wire::{json, questionnaire};
use sayso_core::{Lang, Questionnaire};
use sayso_dialects::Dialect;
use sayso_fuzz::{dialects, sheets};
use std::sync::Arc;

fuzz_target!(|data: &[u8]| {
    dialects::dialect(Dialect::Sayso, data);
    let text = String::from_utf8_lossy(data);
    let read = match questionnaire::read(&text) {
        Ok(read) => read,
        Err(problems) => {
            assert!(!problems.is_empty(), "refused without a reason");
            assert!(!Dialect::Sayso.refuse(&problems, Lang::En).stderr.is_empty());
            return;
        }
    };
    let asked = read.questionnaire;
    assert_eq!(asked.problems(), [], "it was read with problems");
    written_and_read(&asked);
    sheets::fill(&Arc::new(asked));
});

fn written_and_read(asked: &Questionnaire) {
    let canonical = asked.canonical();
    let again = questionnaire::read(canonical.json.get());
    let again = again.unwrap_or_else(|problems| panic!("{} is refused: {problems:?}", canonical.json));
    assert_eq!(again.questionnaire, *asked, "written as {}", canonical.json);
    assert_eq!(again.ignored, [], "nothing reads part of {}", canonical.json);
    assert_eq!(again.questionnaire.canonical().digest, canonical.digest);
    // As a store reads it.
    let stored: Questionnaire = json::read_own(canonical.json.get()).expect("a store reads what it wrote");
    assert_eq!(stored, *asked);
}
