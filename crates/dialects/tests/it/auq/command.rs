//! Input and output of AUQ's own commands, as far as it differs from the tool's.

use super::read;
use crate::auq::requests::{asked, question};
use crate::sample::{ask, declined, ended};
use proptest::prelude::*;
use sayso_core::{Actor, Ask, AskCommand, Asker, NewAsk, Replies, apply_command, open_ask};
use sayso_core::{
    Person,
    model::actor::{AssuranceLevel, Surface},
};
use sayso_dialects::Dialect;
use sayso_dialects::auq::{
    AuqCompat, AuqLimits, AuqSession, read_command, read_command_answers, write_command,
};
use serde_json::{Value, json};

fn two() -> Vec<Value> {
    vec![question("First", &["A", "B"], false), question("Second", &["C", "D", "C"], true)]
}

/// Returns the ask answered with these replies.
fn answered(replies: Replies, compat: AuqCompat) -> Ask {
    let at = "2026-01-02T03:04:05Z".parse().unwrap();
    let new =
        NewAsk { random_id: true, ..NewAsk::new(asked(&two(), compat).into(), "auq", Asker::default()) };
    let opened = open_ask(ask(), new, at).unwrap().ask;
    let ada = Person {
        name: "ada".to_owned(),
        surface: Surface::Command,
        assurance: AssuranceLevel::Scripted,
        access: None,
    };
    let submit = AskCommand::Submit { replies, as_sent: None, shown: opened.request.digest.into() };
    apply_command(&opened, &Actor::Person(ada), submit, at).unwrap().ask
}

#[test]
fn decline_succeeds_and_expiry_fails() {
    let asked = asked(&two(), AuqCompat::V3_4);
    let output_of = |outcome| {
        let written = write_command(&asked, &outcome);
        (written.exit, written.stdout, written.stderr)
    };
    let no = "User rejected this question set.\n\nRejection reason: \"no\"\n\n\n";
    assert_eq!(output_of(declined(Some("no"))), (0, no.to_owned(), String::new()));
    let (exit, stdout, stderr) = output_of(ended("expired"));
    assert_eq!((exit, stdout.as_str()), (5, "Session timed out. No answer was given.\n"));
    assert_eq!(stderr, "No answer before the deadline");
    assert_eq!(output_of(ended("cancelled")).0, 6);
}

#[test]
fn multi_select_defaults_to_false() {
    let mut questions = two();
    questions[0].as_object_mut().unwrap().remove("multiSelect");
    let text = json!({ "questions": questions }).to_string();
    assert!(read(&text, &AuqLimits::spec()).is_err());
    let read = read_command(&text, &AuqLimits::spec()).unwrap();
    assert_eq!(read.questionnaire, asked(&two(), AuqCompat::Spec));
}

fn an_answer() -> impl Strategy<Value = Value> {
    let labels = || prop::collection::vec(prop::sample::select(vec!["A", "B", "C", "D", "E", ""]), 0..3);
    let own = prop::option::of(prop::sample::select(vec!["", "mine", "it's\ntwo lines", "A"]));
    (prop::bool::ANY, prop::option::of(labels()), own).prop_map(|(single, labels, own)| {
        let mut answer = json!({});
        if let Some(labels) = labels {
            match labels.first().filter(|_| single) {
                Some(label) => answer["selectedOption"] = json!(label),
                None => answer["selectedOptions"] = json!(labels),
            }
        }
        if let Some(own) = own {
            answer["customText"] = json!(own);
        }
        answer
    })
}

proptest! {
    #[test]
    fn numbered_answers_match_the_tool(
        first in prop::option::of(an_answer()), second in prop::option::of(an_answer()),
        later in prop::bool::ANY,
    ) {
        let compat = if later { AuqCompat::V3_4 } else { AuqCompat::Spec };
        let asked = asked(&two(), compat);
        let (mut by_number, mut in_order) = (json!({}), Vec::new());
        for (index, answer) in [(1, second), (0, first)] {
            if let Some(mut answer) = answer {
                by_number[index.to_string()] = answer.clone();
                answer["questionIndex"] = json!(index);
                in_order.insert(0, answer);
            }
        }
        let tools = Dialect::Auq.read_answers(&asked, &json!({ "answers": in_order }).to_string());
        let tools = tools.ok().filter(|given| given.problems.is_empty());
        let given = read_command_answers(&asked, &by_number.to_string());
        prop_assert_eq!(given.as_ref().ok(), tools.as_ref());
        let Ok(given) = given else { return Ok(()) };
        let answered = answered(given.replies.clone(), compat);
        let report = AuqSession { ask: &answered, age: "1m ago" }.fetched_json("now");
        let again = Dialect::Auq.read_answers(&asked, &json!({ "answers": report["answers"] }).to_string()).unwrap();
        prop_assert_eq!(again, given, "{}", report);
    }

    #[test]
    fn no_text_panics(text in any::<String>()) {
        let refused = read_command(&text, &AuqLimits::v3_4()).unwrap_err();
        prop_assert_eq!(refused.len(), 1);
        let refused = read_command_answers(&asked(&two(), AuqCompat::Spec), &text).unwrap_err();
        prop_assert!(refused.error.starts_with("Invalid answers JSON: "), "{}", refused.error);
    }
}
