//! Outcomes in the format of `AskUserQuestion`, and answers read back from them.

use crate::sample::{answered, answered_in_order, ask, declined, ended, question, questionnaire};
use proptest::prelude::*;
use sayso_core::{OptionId, Outcome, Pick, ProblemCode, Questionnaire, Replies, Reply};
use sayso_dialects::Dialect;

fn option(number: usize) -> Pick {
    Pick::Option(OptionId::new(format!("o{number}")))
}

fn stdout(questionnaire: &Questionnaire, replies: Vec<Reply>) -> String {
    Dialect::AskUserQuestion.write(ask(), questionnaire, &answered_in_order(questionnaire, replies)).stdout
}

/// Returns the reply at the first question after reading these answers.
fn first(questionnaire: &Questionnaire, text: &str) -> Reply {
    Dialect::AskUserQuestion
        .read_answers(questionnaire, text)
        .unwrap()
        .replies
        .remove(&questionnaire.questions[0].id)
        .unwrap()
}

fn codes(questionnaire: &Questionnaire, text: &str) -> Vec<(String, ProblemCode)> {
    let problems = Dialect::AskUserQuestion.read_answers(questionnaire, text).unwrap_err();
    problems.iter().map(|problem| (problem.path.to_js_path(), problem.code)).collect()
}

#[test]
fn unanswered_outcome_sets_the_exit_code() {
    let nothing = Questionnaire::default();
    let words = |outcome: &Outcome| {
        let written = Dialect::AskUserQuestion.write(ask(), &nothing, outcome);
        assert_eq!(written.stdout, "");
        (written.stderr, written.exit)
    };
    assert_eq!(words(&declined(Some("not now"))), ("User declined to answer: not now".to_owned(), 3));
    assert_eq!(words(&declined(None)), ("User declined to answer".to_owned(), 3));
    assert_eq!(words(&ended("expired")), ("No answer before the deadline".to_owned(), 5));
    assert_eq!(words(&ended("cancelled")), ("The question was cancelled".to_owned(), 6));
}

#[test]
fn output_matches_javascript_json() {
    let asked = questionnaire(&[question("H", &["A", "B"], false)]);
    let text = "\u{2028}\u{7f}\u{1b}\u{8}\t\"\\/é🦀";
    let json = stdout(&asked, vec![Reply::from_picks([Pick::Other(text.to_owned())])]);
    assert_eq!(json, "{\"answers\":{\"H\":\"Other (custom: \u{2028}\u{7f}\\u001b\\b\\t\\\"\\\\/é🦀)\"}}");
}

#[test]
fn later_answer_replaces_same_header() {
    let questions = [("Same", ["A", "B"]), ("2", ["A", "B"]), ("Same", ["A", "B"])];
    let asked = questionnaire(&questions.map(|(header, labels)| question(header, &labels, false)));
    let replies = [1, 1, 2].map(|number| Reply::from_picks([option(number)]));
    let json = stdout(&asked, replies.to_vec());
    assert_eq!(json, r#"{"answers":{"Same":"B","2":"A"}}"#);
    let read = Dialect::AskUserQuestion.read_answers(&asked, &json).unwrap().replies;
    assert_eq!(read.keys().map(|id| id.as_str()).collect::<Vec<_>>(), ["q1", "q2"]);
    let with_id = Dialect::AskUserQuestion
        .read_answers(&asked, r#"{"answers":{"q0":"A","2":"A","Same":"B"}}"#)
        .unwrap()
        .replies;
    assert_eq!(with_id.len(), 3);
}

#[test]
fn answers_are_read_by_name() {
    let asked = questionnaire(&[question("H", &["x, y", "z"], true)]);
    assert_eq!(first(&asked, r#"{"answers":{"H":"x, y, z"}}"#), Reply::from_picks([option(1), option(2)]));
    assert_eq!(
        first(&asked, r#"{"answers":{"H":"Other"}}"#),
        Reply::from_picks([Pick::Other(String::new())])
    );
    let own = Reply::from_picks([Pick::Other("  mine ".to_owned())]);
    assert_eq!(first(&asked, r#"{"answers":{"H":"Other (custom:   mine )"}}"#), own);
    assert_eq!(first(&asked, r#"{"answers":{"H":"nothing","H":"z"}}"#), Reply::from_picks([option(2)]));
}

#[test]
fn unknown_names_are_reported_with_place() {
    let asked = questionnaire(&[question("H", &["A", "B"], false)]);
    assert_eq!(
        codes(&asked, r#"{"answers":{"X":"A"}}"#),
        [("answers.X".to_owned(), ProblemCode::NoSuchQuestion)]
    );
    assert_eq!(
        codes(&asked, r#"{"answers":{"H":"a"}}"#),
        [("answers.H".to_owned(), ProblemCode::NoSuchOption)]
    );
    assert_eq!(
        codes(&asked, r#"{"answers":{"H":"A, B"}}"#),
        [("answers.H".to_owned(), ProblemCode::NoSuchOption)]
    );
    assert_eq!(codes(&asked, r#"{"answers":{"H":1}}"#), [("answers.H".to_owned(), ProblemCode::InvalidType)]);
    assert_eq!(codes(&asked, r#"{"answers":[]}"#), [("answers".to_owned(), ProblemCode::InvalidType)]);
    assert_eq!(codes(&asked, "{}"), [("answers".to_owned(), ProblemCode::Required)]);
    assert_eq!(codes(&asked, "[]"), [(String::new(), ProblemCode::InvalidType)]);
    assert_eq!(codes(&asked, ""), [(String::new(), ProblemCode::InvalidJson)]);
}

/// Generates labels that are easily mistaken for something else.
fn label() -> impl Strategy<Value = String> {
    let part = prop::sample::select(vec!["a", "b", ", ", ",", " ", "Other", "Other (custom: ", ")", "é"]);
    prop::collection::vec(part, 1..4).prop_map(|parts| parts.concat())
}

type Asked = (Vec<String>, bool, Vec<prop::sample::Index>, Option<String>, u8);

fn asked() -> impl Strategy<Value = Asked> {
    let picks = prop::collection::vec(any::<prop::sample::Index>(), 1..6);
    (prop::collection::vec(label(), 2..5), any::<bool>(), picks, prop::option::of(".{0,20}"), 0..3_u8)
}

fn replied((labels, multi, picks, own, _): &Asked) -> Reply {
    match own {
        Some(text) => Reply::from_picks([Pick::Other(text.clone())]),
        None => {
            let most = if *multi { picks.len() } else { 1 };
            Reply::from_picks(picks.iter().take(most).map(|pick| option(pick.index(labels.len()) + 1)))
        }
    }
}

proptest! {
    #[test]
    fn written_answers_survive_round_trip(asked in prop::collection::vec(asked(), 1..5)) {
        let as_question = |(labels, multi, _, _, header): &Asked| {
            let labels: Vec<_> = labels.iter().map(String::as_str).collect();
            question(&format!("h{header}"), &labels, *multi)
        };
        let questionnaire = questionnaire(&asked.iter().map(as_question).collect::<Vec<_>>());
        let written = stdout(&questionnaire, asked.iter().map(replied).collect());
        let read: Replies = Dialect::AskUserQuestion.read_answers(&questionnaire, &written).unwrap().replies;
        for question in &questionnaire.questions {
            let Some(choice) = question.choice() else { continue };
            let picks = read.get(&question.id).and_then(Reply::answer);
            let count = match picks {
                Some(sayso_core::Answer::Picks(picks)) => picks.len(),
                _ => 0,
            };
            prop_assert!(choice.multi || count <= 1);
        }
        // A later answer under the same header hides earlier ones, so the outputs are equal as maps.
        let as_map = |text: &str| serde_json::from_str::<serde_json::Value>(text).unwrap();
        prop_assert_eq!(as_map(&Dialect::AskUserQuestion.write(ask(), &questionnaire, &answered(read)).stdout), as_map(&written));
    }

    #[test]
    fn no_answer_text_panics(text in any::<String>(), value in any::<String>()) {
        let asked = questionnaire(&[question("H", &["A", ", "], true)]);
        let _ = Dialect::AskUserQuestion.read_answers(&asked, &text);
        let _ = Dialect::AskUserQuestion.read_answers(&asked, &serde_json::json!({ "answers": { "H": value } }).to_string());
    }
}
