//! Outcomes in AUQ's format, and answers read back.

use crate::auq::requests::{asked, question};
use crate::sample::{answered, answered_in_order, ask, declined, ended};
use proptest::prelude::*;
use sayso_core::Lang;
use sayso_core::{OptionId, Pick, Problem, ProblemCode, QuestionId, Questionnaire, Replies, Reply, Sheet};
use sayso_dialects::Dialect;
use sayso_dialects::auq::{
    AuqCompat, UserAnswer, elaborate_request, format_answers, outcome_text, rephrase_request,
    validate_answers,
};
use serde_json::{Value, json};
use std::sync::Arc;

fn two(compat: AuqCompat) -> Questionnaire {
    let mut first = question("First", &["A", "B"], false);
    first["options"][0]["description"] = json!("the first");
    asked(&[first, question("Second", &["C", "D"], true)], compat)
}

fn option(number: usize) -> Pick {
    Pick::Option(OptionId::new(format!("o{number}")))
}

fn own(text: &str) -> Pick {
    Pick::Other(text.to_owned())
}

fn text(compat: AuqCompat, replies: Vec<Reply>) -> String {
    let asked = two(compat);
    outcome_text(&asked, &answered_in_order(&asked, replies))
}

fn given(compat: AuqCompat, answers: &Value) -> Replies {
    let asked = Arc::new(two(compat));
    let given = Dialect::Auq.read_answers(&asked, &json!({ "answers": answers }).to_string()).unwrap();
    assert_eq!(given.problems, []);
    assert!(given.validate(&asked).is_ok(), "{given:?}");
    given.replies
}

fn problem_rows(problems: &[Problem]) -> Vec<(String, ProblemCode, String)> {
    let row = |problem: &Problem| (problem.path.to_js_path(), problem.code, problem.message.render(Lang::Zh));
    problems.iter().map(row).collect()
}

#[test]
fn outcomes_have_text_and_exit_code() {
    let answers = || {
        let picked = Reply::from_picks([option(1)]);
        answered_in_order(&two(AuqCompat::Spec), vec![picked, Reply::from_picks([option(2), own("it's")])])
    };
    let partly =
        || answered_in_order(&two(AuqCompat::Spec), vec![Reply::skipped(), Reply::from_picks([option(1)])]);
    let rejected = "User rejected this question set.\n\n";
    let both = "1. Which First?\n→ A — the first\n\n2. Which Second?\n→ D\n→ Other: 'it\\'s'";
    let table = [
        (answers(), format!("Here are the user's answers:\n\n{both}"), "", 0),
        (partly(), "Here are the user's answers:\n\n2. Which Second?\n→ C".to_owned(), "", 0),
        (
            declined(Some("not now")),
            format!("{rejected}Rejection reason: \"not now\"\n\n"),
            "User declined to answer: not now",
            3,
        ),
        (declined(None), format!("{rejected}No reason provided.\n\n"), "User declined to answer", 3),
        (
            ended("cancelled"),
            "Session cancelled by the asking agent.".to_owned(),
            "The question was cancelled",
            6,
        ),
        (
            ended("expired"),
            "Session timed out. No answer was given.".to_owned(),
            "No answer before the deadline",
            5,
        ),
    ];
    for (outcome, text, stderr, exit) in table {
        let written = Dialect::Auq.write(ask(), &two(AuqCompat::Spec), &outcome);
        assert_eq!((written.stdout.as_str(), written.stderr.as_str(), written.exit), (&*text, stderr, exit));
        let later = Dialect::Auq.write(ask(), &two(AuqCompat::V3_4), &outcome);
        assert_eq!(later.stdout, format!("[Session: 01890a5d | Questions: 2]\n\n{text}"));
        assert_eq!((later.stderr, later.exit), (written.stderr, written.exit));
        assert_eq!(outcome_text(&two(AuqCompat::V3_4), &outcome), text);
    }
}

#[test]
fn unanswered_differs_from_empty_pick() {
    let head = "Here are the user's answers:\n\n";
    let nothing_picked = text(AuqCompat::Spec, vec![Reply::unanswered(), Reply::from_picks([])]);
    assert_eq!(nothing_picked, format!("{head}2. Which Second?\n→ (No selection)"));
    // No content at all is no answer, on any surface.
    let silent = Sheet::new(Arc::new(two(AuqCompat::Spec)), Replies::new()).submission().unwrap_err();
    assert_eq!(silent.causes[0].code, ProblemCode::NeedsAnswer);
}

#[test]
fn note_follows_the_answer() {
    let noted = |reply: Reply| reply.with_note(Some("but why".to_owned()));
    let words =
        text(AuqCompat::Spec, vec![noted(Reply::from_picks([option(2)])), noted(Reply::unanswered())]);
    let note = "→ Other: 'but why'";
    let head = "Here are the user's answers:\n\n";
    assert_eq!(words, format!("{head}1. Which First?\n→ B\n{note}\n\n2. Which Second?\n{note}"));
    // The note on the whole form stands at the last answer, or at the last question if there is none.
    let asked = two(AuqCompat::Spec);
    let [at_first, alone] = [Some(("q0", Reply::from_picks([option(2)]))), None].map(|reply| {
        let form = (QuestionId::FORM, Reply::unanswered().with_note(Some("not today".to_owned())));
        let replies = reply.map(|(id, reply)| (QuestionId::new(id), reply)).into_iter().chain([form]);
        outcome_text(&asked, &answered(replies.collect()))
    });
    let note = "→ Other: 'Note on all answers: not today'";
    assert_eq!(at_first, format!("{head}1. Which First?\n→ B\n{note}"));
    assert_eq!(alone, format!("{head}2. Which Second?\n{note}"));
}

#[test]
fn picked_option_of_equal_labels() {
    let mut same = question("Same", &["A", "A"], false);
    same["options"][1]["description"] = json!("the other one");
    let asked = asked(&[same.clone()], AuqCompat::Spec);
    let text = outcome_text(&asked, &answered_in_order(&asked, vec![Reply::from_picks([option(2)])]));
    assert!(text.ends_with("→ A — the other one"), "{text}");
    let answer = json!({ "questionIndex": 0, "selectedOption": "A" });
    let data: UserAnswer = serde_json::from_value(answer.clone()).unwrap();
    let first = format_answers(&[serde_json::from_value(same).unwrap()], &[data], AuqCompat::Spec);
    assert_eq!(first.unwrap(), text.replace(" — the other one", ""));
    let read = Dialect::Auq.read_answers(&asked, &json!({ "answers": [answer] }).to_string()).unwrap();
    assert_eq!(read.replies[&asked.questions[0].id], Reply::from_picks([option(1)]));
}

#[test]
fn asker_requests_have_no_prefix() {
    let usual = elaborate_request(None, None);
    assert!(usual.ends_with(
        " Provide examples and larger context, use paragraph-style large content on question text."
    ));
    let guided = elaborate_request(Some("I know A"), Some("say \"why\""));
    assert!(guided.ends_with("once exceptionally.\nUser note: I know A\nUser guidance: \"say \\\"why\\\"\""));
    assert_eq!(elaborate_request(Some(""), Some(" ")), usual);
    let rephrase = rephrase_request(1, "Second", None);
    assert_eq!(rephrase_request(1, "Second", Some("too long")), format!("{rephrase}\nUser note: too long"));
    let words = "[REPHRASE_REQUEST] Please rephrase question 'Second' in a different way\nQuestion index: 1";
    assert_eq!(rephrase, words);
    let replies = || {
        let noted = Reply::from_picks([option(2)]).with_note(Some(usual.clone()));
        vec![noted, Reply::from_picks([own(&rephrase)])]
    };
    let later = text(AuqCompat::V3_4, replies());
    assert!(later.ends_with(&format!("→ B\n{usual}\n\n2. Which Second?\n{words}")), "{later}");
    let earlier = text(AuqCompat::Spec, replies());
    assert!(earlier.contains(&format!("→ B\n→ Other: '{usual}'")), "{earlier}");
}

#[test]
fn answers_become_replies_of_questions() {
    let first = |compat, answer: Value| {
        let replies = given(compat, &json!([answer]));
        replies.into_values().next().unwrap()
    };
    let cases = [
        (json!({ "selectedOption": "B" }), Reply::from_picks([option(2)])),
        (json!({ "selectedOptions": ["B", "A", "B"] }), Reply::from_picks([option(2), option(1), option(2)])),
        (json!({ "selectedOptions": [] }), Reply::from_picks([])),
        (json!({ "selectedOption": "A", "customText": " x " }), Reply::from_picks([option(1), own(" x ")])),
        (json!({ "selectedOption": "", "customText": " " }), Reply::from_picks([own(" ")])),
        (json!({ "selectedOption": null, "selectedOptions": ["A"] }), Reply::from_picks([option(1)])),
        (json!({ "selectedOption": "A", "selectedOptions": ["B"] }), Reply::from_picks([option(2)])),
    ];
    for (mut answer, reply) in cases {
        for index in [json!(0), json!(0.0)] {
            answer["questionIndex"] = index;
            assert_eq!(first(AuqCompat::Spec, answer.clone()), reply, "{answer}");
            assert_eq!(first(AuqCompat::V3_4, answer.clone()), reply, "{answer}");
        }
    }
}

#[test]
fn repeated_answers_depend_on_generation() {
    let usual = elaborate_request(None, None);
    let answers = json!([
        { "questionIndex": 0, "selectedOption": "B" },
        { "questionIndex": 0, "customText": usual },
        { "questionIndex": 0, "customText": "mine" },
        { "questionIndex": 1, "customText": usual },
    ]);
    let later: Vec<_> = given(AuqCompat::V3_4, &answers).into_values().collect();
    let noted = |reply: Reply| reply.with_note(Some(usual.clone()));
    assert_eq!(later, [noted(Reply::from_picks([option(2), own("mine")])), noted(Reply::unanswered())]);
    let earlier: Vec<_> = given(AuqCompat::Spec, &answers).into_values().collect();
    assert_eq!(earlier, [Reply::from_picks([option(2)]), Reply::from_picks([own(&usual)])]);
}

#[test]
fn invalid_answers_are_reported_with_place() {
    let asked = two(AuqCompat::Spec);
    let refused = |answers: Value| {
        problem_rows(
            &Dialect::Auq.read_answers(&asked, &json!({ "answers": answers }).to_string()).unwrap_err(),
        )
    };
    let one = |place: &str, code, words: &str| vec![(place.to_owned(), code, words.to_owned())];
    assert_eq!(refused(json!([])), one("answers", ProblemCode::NeedsAnswer, "No answers provided"));
    let words = "Invalid input: expected array, received object";
    assert_eq!(refused(json!({})), one("answers", ProblemCode::InvalidType, words));
    for (index, shown) in [(json!(2), "2"), (json!(-1), "-1"), (json!(0.5), "0.5"), (json!(1e30), "1e+30")] {
        let words = format!("Answer references invalid question index: {shown}");
        let place = one("answers[0]", ProblemCode::NoSuchQuestion, &words);
        assert_eq!(refused(json!([{ "questionIndex": index, "customText": "x" }])), place);
    }
    let types = refused(json!([
        { "questionIndex": "0", "selectedOption": 1, "selectedOptions": ["A", 2], "customText": [] },
        { "selectedOptions": "A" },
    ]));
    let places: Vec<_> = types.iter().map(|(place, _, _)| place.as_str()).collect();
    let at = ["questionIndex", "selectedOption", "selectedOptions[1]", "customText"];
    let mut expected: Vec<_> = at.iter().map(|member| format!("answers[0].{member}")).collect();
    expected.extend(["questionIndex", "selectedOptions"].map(|member| format!("answers[1].{member}")));
    assert_eq!(places, expected);
    assert_eq!(
        problem_rows(&Dialect::Auq.read_answers(&asked, "[]").unwrap_err())[0].1,
        ProblemCode::InvalidType
    );
    assert_eq!(
        problem_rows(&Dialect::Auq.read_answers(&asked, "").unwrap_err())[0].1,
        ProblemCode::InvalidJson
    );
}

#[test]
fn answer_problems_name_their_question() {
    let asked = Arc::new(two(AuqCompat::Spec));
    let text = json!({ "answers": [
        { "questionIndex": 1, "selectedOptions": ["C", "c"] },
        { "questionIndex": 0, "selectedOption": "" },
    ] });
    let given = Dialect::Auq.read_answers(&asked, &text.to_string()).unwrap();
    let missing = "Answer for question 0 has neither selectedOption, selectedOptions, nor customText";
    let unknown = "Answer for question 1 references non-existent option: c";
    let expected = [
        ("answers.q0".to_owned(), ProblemCode::NeedsAnswer, missing.to_owned()),
        ("answers.q1".to_owned(), ProblemCode::NoSuchOption, unknown.to_owned()),
    ];
    assert_eq!(problem_rows(&given.validate(&asked).unwrap_err()), expected);
}

#[test]
fn checks_run_in_order() {
    let first = |answer: Value| {
        let questions = [serde_json::from_value(question("T", &["A", "B"], false)).unwrap()];
        let answer: UserAnswer = serde_json::from_value(answer).unwrap();
        validate_answers(&[answer], &questions).unwrap_err().message.render(Lang::Zh)
    };
    let index = first(json!({ "questionIndex": 1, "selectedOption": "x" }));
    assert_eq!(index, "Answer references invalid question index: 1");
    let single = first(json!({ "questionIndex": 0, "selectedOption": "x", "selectedOptions": ["y"] }));
    assert_eq!(single, "Answer for question 0 references non-existent option: x");
}

fn answer() -> impl Strategy<Value = Value> {
    let label = prop::sample::select(vec!["A", "B", "C", "D", ""]);
    let labels = prop::collection::vec(label.clone(), 0..3);
    let text = prop::sample::select(vec!["", " ", "it's", "[ELABORATE_REQUEST] x", "a\nb"]);
    let parts = (0..3_u8, prop::option::of(label), prop::option::of(labels), prop::option::of(text));
    parts.prop_map(|(index, one, several, own)| {
        json!({ "questionIndex": index, "selectedOption": one, "selectedOptions": several, "customText": own })
    })
}

proptest! {
    #[test]
    fn text_equals_formatted_input(
        mut answers in prop::collection::vec(answer(), 0..4), later in any::<bool>()
    ) {
        let compat = if later { AuqCompat::V3_4 } else { AuqCompat::Spec };
        if later {
            answers.sort_by_key(|answer| answer["questionIndex"].as_u64());
            answers.dedup_by_key(|answer| answer["questionIndex"].as_u64());
        }
        let asked = two(compat);
        let mut first = question("First", &["A", "B"], false);
        first["options"][0]["description"] = json!("the first");
        let questions = [first, question("Second", &["C", "D"], true)]
            .map(|question| serde_json::from_value(question).unwrap());
        let data: Vec<UserAnswer> = serde_json::from_value(json!(answers)).unwrap();
        let read = Dialect::Auq.read_answers(&asked, &json!({ "answers": answers }).to_string());
        let is_right = validate_answers(&data, &questions).is_ok();
        prop_assert_eq!(read.as_ref().is_ok_and(|given| given.problems.is_empty()), is_right);
        if is_right {
            let sheet = Sheet::new(Arc::new(asked.clone()), read.unwrap().replies);
            let sent = sheet.submission().unwrap();
            let text = outcome_text(&asked, &answered(sent.replies));
            prop_assert_eq!(text, format_answers(&questions, &data, compat).unwrap());
        }
    }

    #[test]
    fn no_answer_text_panics(text in any::<String>(), index in any::<f64>()) {
        let asked = two(AuqCompat::V3_4);
        let _ = Dialect::Auq.read_answers(&asked, &text);
        let answer = json!({ "questionIndex": index, "customText": text, "selectedOption": text });
        let _ = Dialect::Auq.read_answers(&asked, &json!({ "answers": [answer] }).to_string());
    }
}
