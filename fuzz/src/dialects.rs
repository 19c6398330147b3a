//! What must hold of every dialect, whatever text comes in: a request, and after a line of three dashes answers to it.

use crate::sheets;
use jiff::Timestamp;
use sayso_core::model::actor::{AssuranceLevel, Person, Surface};
use sayso_core::wire::json;
use sayso_core::{AskId, Lang, Outcome, Questionnaire, Receipt, Replies, Sheet};
use sayso_dialects::{AskUserQuestionLimits, AuqLimits, Dialect, DialectLimits, ParsedRequest, interrupt};
use std::sync::Arc;

/// Reads the text with all limits there are, and takes what was read through everything that a dialect does.
pub fn dialect(dialect: Dialect, data: &[u8]) {
    let input = String::from_utf8_lossy(data);
    let (request, answers) = input.split_once("\n---\n").unwrap_or((&input, ""));
    let _ = Dialect::guess(request);
    let later = DialectLimits { ask_user_question: AskUserQuestionLimits::default(), auq: AuqLimits::v3_4() };
    for limits in [DialectLimits::default(), later, DialectLimits::NONE] {
        match dialect.read(request, &limits) {
            Ok(read) => asked(dialect, read, answers),
            Err(problems) => {
                assert!(!problems.is_empty(), "refused without a reason");
                for lang in [Lang::En, Lang::Zh] {
                    let refusal = dialect.refuse(&problems, lang);
                    assert!(refusal.stdout.len() + refusal.stderr.len() > 0, "refused without a word");
                }
            }
        }
    }
}

fn asked(dialect: Dialect, read: ParsedRequest, answers: &str) {
    let asked = Arc::new(read.questionnaire);
    assert_eq!(asked.problems(), [], "the desk would refuse it");
    let stored: Questionnaire =
        json::read_own(asked.canonical().json.get()).expect("a store reads what it wrote");
    assert_eq!(stored, *asked);
    translated(&asked, dialect == Dialect::Interrupt && read.warnings.is_empty());
    sheets::fill(&asked);
    let _ = dialect.pending_output(AskId::NIL, &asked);
    written(dialect, &asked, Replies::new());
    let given = match dialect.read_answers(&asked, answers) {
        Ok(given) => given,
        Err(problems) => return assert!(!problems.is_empty(), "answers refused without a reason"),
    };
    let judged = given.validate(&asked);
    written(dialect, &asked, given.replies.clone());
    match judged {
        Ok(sent) => {
            // What cannot be said at questions that are not asked keeps nothing from being sent.
            sheets::submit(&Sheet::new(asked.clone(), given.replies));
            written(dialect, &asked, sent.replies);
        }
        Err(problems) => assert!(!problems.is_empty(), "judged wrong without a reason"),
    }
}

/// An interrupt of any questionnaire can be read again, or tells what it lost; if it lost nothing, it is the same.
fn translated(asked: &Questionnaire, is_exact: bool) {
    let translated = interrupt::write_request(asked, Lang::En);
    assert!(!translated.text.contains('\n'), "a request is one line");
    let is_lossless = translated.lost.is_empty();
    assert!(is_lossless || !is_exact, "the dialect loses what was said in it");
    match Dialect::Interrupt.read(&translated.text, &DialectLimits::default()) {
        Ok(again) if is_lossless => {
            // Rules that make no difference to any answer may differ.
            let again = Questionnaire { rules: asked.rules.clone(), ..again.questionnaire };
            assert_eq!(again, *asked, "written as {}", translated.text);
        }
        Ok(_) => {}
        Err(problems) => {
            let is_large = translated.text.len() > sayso_core::limits::REQUEST_BYTES / 2;
            assert!(!is_lossless || is_large, "{} is refused: {problems:?}", translated.text);
        }
    }
}

/// Every outcome can be written.
fn written(dialect: Dialect, asked: &Questionnaire, replies: Replies) {
    let person = Person {
        name: "fuzz".to_owned(),
        surface: Surface::Command,
        assurance: AssuranceLevel::Scripted,
        access: None,
    };
    let receipt = || Receipt::new(&person, asked.digest(), Timestamp::UNIX_EPOCH);
    let declined =
        |reason: Option<&str>| Outcome::Declined { reason: reason.map(str::to_owned), receipt: receipt() };
    let at = Timestamp::UNIX_EPOCH;
    let outcomes = [
        Outcome::Answered { replies, as_sent: None, receipt: receipt(), verdict: None },
        declined(None),
        declined(Some("\"no\"\n")),
        Outcome::Cancelled { at, reason: None },
        Outcome::Expired { at },
    ];
    for outcome in &outcomes {
        let written = dialect.write(AskId::NIL, asked, outcome);
        assert!(written.stdout.len() + written.stderr.len() > 0, "nothing is said of {outcome:?}");
    }
}
