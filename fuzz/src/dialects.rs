//! What must hold of every dialect, whatever text comes in: a request, and after a line of three dashes answers to it.

use crate::sheets;
use jiff::Timestamp;
use sayso_core::model::actor::{AssuranceLevel, Person, Surface};
use sayso_core::wire::json;
use sayso_core::{AskId, Lang, Outcome, Questionnaire, Receipt, Replies, Sheet};
use sayso_dialects::{AskUserQuestionLimits, AuqCompat, AuqLimits, Dialect, DialectLimits, ParsedRequest};
use std::sync::Arc;

/// Reads the text with all limits there are, and takes what was read through everything that a dialect does.
pub fn dialect(dialect: Dialect, data: &[u8]) {
    let input = String::from_utf8_lossy(data);
    let (request, answers) = input.split_once("\n---\n").unwrap_or((&input, ""));
    let _ = Dialect::guess(request);
    let later = DialectLimits { ask_user_question: AskUserQuestionLimits::default(), auq: AuqLimits::v3_4() };
    for limits in [DialectLimits::default(), later, DialectLimits::NONE] {
        match dialect.read(request, &limits) {
            Ok(read) => asked(dialect, read, answers, limits == DialectLimits::default()),
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

fn asked(dialect: Dialect, read: ParsedRequest, answers: &str, is_within_limits: bool) {
    let asked = Arc::new(read.questionnaire);
    assert_eq!(asked.problems(), [], "the desk would refuse it");
    let stored: Questionnaire =
        json::read_own(asked.canonical().json.get()).expect("a store reads what it wrote");
    assert_eq!(stored, *asked);
    for other in Dialect::ALL {
        let lost = translated(other, &asked);
        let is_exact = other == dialect && is_within_limits && read.warnings.is_empty();
        assert!(!is_exact || lost == 0, "the dialect loses what was said in it");
    }
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

/// A request of this dialect can be read again, or says what it lost; where it lost nothing it is the same. Says how
/// much was lost.
fn translated(dialect: Dialect, asked: &Questionnaire) -> usize {
    // One that was asked in a generation of AUQ is written and read in that.
    let limits = DialectLimits {
        auq: AuqLimits::from_compat(AuqCompat::from_questionnaire(asked)),
        ..DialectLimits::default()
    };
    let translated = dialect.write_request(asked, &limits);
    assert!(!translated.text.contains('\n'), "a request is one line");
    let lost = translated.lost.len();
    match dialect.read(&translated.text, &limits) {
        Ok(again) if lost == 0 => {
            // Rules that make no difference to any answer may differ.
            let again = Questionnaire { rules: asked.rules.clone(), ..again.questionnaire };
            assert_eq!(again, *asked, "written as {}", translated.text);
        }
        Ok(_) => {}
        Err(problems) => {
            let is_large = translated.text.len() > sayso_core::limits::REQUEST_BYTES / 2;
            // Our own reader takes words left out for a slip, which other formats allow.
            let is_excused = lost > 0 || is_large || dialect == Dialect::Sayso;
            assert!(is_excused, "{} is refused: {problems:?}", translated.text);
        }
    }
    lost
}

/// Every outcome can be written.
fn written(dialect: Dialect, asked: &Questionnaire, replies: Replies) {
    let person =
        Person { name: "fuzz".to_owned(), surface: Surface::Command, assurance: AssuranceLevel::Scripted , access: None };
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
