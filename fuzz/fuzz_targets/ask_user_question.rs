//! A request of `AskUserQuestion`; after a line of three dashes, answers to it as data, or lines as a person types
//! them.

#![no_main]

use jiff::Timestamp;
use libfuzzer_sys::fuzz_target;
use sayso_core::model::actor::{AssuranceLevel, Person, Surface};
use sayso_core::wire::json;
use sayso_core::{
    AskId, Lang, Outcome, Pick, Question, Questionnaire, Receipt, Replies, Reply, Sheet,
};
use sayso_dialects::Dialect;
use sayso_dialects::DialectLimits;
use sayso_dialects::ask_user_question::{
    AskUserQuestionChoice, default_choice_notice, parse_answer, render_question,
};
use sayso_fuzz::{dialects, sheets};
use serde_json::Value;
use std::sync::Arc;

const DIALECT: Dialect = Dialect::AskUserQuestion;

fuzz_target!(|data: &[u8]| {
    dialects::dialect(DIALECT, data);
    let input = String::from_utf8_lossy(data);
    let (request, said) = input.split_once("\n---\n").unwrap_or((&input, ""));
    let read = match DIALECT.read(request, &DialectLimits::default()) {
        Ok(read) => read,
        Err(problems) => {
            assert!(!problems.is_empty(), "refused without a reason");
            let refusals = [Lang::En, Lang::Zh].map(|lang| DIALECT.refuse(&problems, lang));
            return refusals.iter().for_each(|refusal| assert!(!refusal.stderr.is_empty()));
        }
    };
    let asked = read.questionnaire;
    let stored: Questionnaire =
        json::read_own(asked.canonical().json.get()).expect("a store reads what it wrote");
    assert_eq!(stored, asked);
    assert_eq!(asked.problems(), [], "the desk would refuse it");
    asked.questions.iter().for_each(|question| shown_and_heard(question, &asked, said));
    let asked = Arc::new(asked);
    sheets::fill(&asked);
    if let Ok(replies) = DIALECT.read_answers(&asked, said).map(|given| given.replies) {
        let is_ambiguous = !read.warnings.is_empty();
        answered(&asked, replies, said, is_ambiguous);
    }
});

/// What a person types at a question is an answer to it, whatever it is.
fn shown_and_heard(question: &Question, asked: &Questionnaire, said: &str) {
    let shown = render_question(question);
    assert!(!shown.chars().any(|c| c.is_control() && c != '\n'), "{shown:?}");
    let Some(choice) = question.choice() else { panic!("the spec has choices only") };
    assert!(!default_choice_notice(choice).contains(char::is_control));
    let sheet = Sheet::new(Arc::new(asked.clone()), Replies::new());
    for line in said.lines() {
        let picks = match parse_answer(choice, line) {
            AskUserQuestionChoice::Custom => vec![Pick::Other(line.to_owned())],
            AskUserQuestionChoice::Picked(picks) => picks,
            AskUserQuestionChoice::FirstByDefault(pick) => {
                assert_eq!(pick, Pick::Option(choice.options[0].id.clone()));
                vec![pick]
            }
        };
        assert!(choice.multi || picks.len() == 1, "{picks:?} from {line:?}");
        let reply = Reply::from_picks(picks);
        // Typing a thousand numbers is the one way to say too much.
        let at = sheet.index_of(&question.id).expect("the question is the sheet's");
        let problems = sheet.validate_reply(at, &reply);
        assert!(problems.is_empty() || line.len() > 1_000, "{reply:?} from {line:?}: {problems:?}");
    }
}

/// What the asker gets can be given as answers again, and then the asker gets the same.
fn answered(asked: &Arc<Questionnaire>, replies: Replies, said: &str, is_ambiguous: bool) {
    let sheet = Sheet::new(asked.clone(), replies);
    let Some(sent) = sheets::submit(&sheet) else { return };
    let written = written(asked, sent.replies);
    let again = DIALECT.read_answers(asked, &written).map(|given| given.replies);
    let again = again.unwrap_or_else(|problems| panic!("{written} is refused: {problems:?}"));
    // Of two questions with the same header only the later one is answered so.
    if is_ambiguous {
        return;
    }
    as_said(asked, said, &written);
    let again = Sheet::new(asked.clone(), again).submission();
    let again = again.unwrap_or_else(|problem| panic!("{written} does not suffice: {problem:?}"));
    assert_eq!(self::written(asked, again.replies), written);
}

/// What was said of a header is what the asker gets.
fn as_said(asked: &Questionnaire, said: &str, written: &str) {
    let [said, written] = [said, written].map(|text| json::read::<Value>(text).expect("it was read before"));
    let (said, written) = (&said["answers"], &written["answers"]);
    // A question may also be named by its id, in a header's place or beside it.
    if asked.questions.iter().any(|question| said.get(question.id.as_str()).is_some()) {
        return;
    }
    for question in &asked.questions {
        // An own answer left empty has a shorter name.
        if let Some(text) = said.get(question.display_name()).filter(|text| **text != "Other (custom: )") {
            assert_eq!(written.get(question.display_name()), Some(text));
        }
    }
}

fn written(asked: &Questionnaire, replies: Replies) -> String {
    let person =
        Person { name: "fuzz".to_owned(), surface: Surface::Command, assurance: AssuranceLevel::Scripted, access: None };
    let receipt = Receipt::new(&person, asked.digest(), Timestamp::UNIX_EPOCH);
    let outcome = Outcome::Answered { replies, as_sent: None, receipt, verdict: None };
    DIALECT.write(AskId::NIL, asked, &outcome).stdout
}
