//! Properties of the Questionnaire API for any text, any request and any questionnaire.

use super::read;
use crate::sample::{answered, ask};
use proptest::prelude::*;
use proptest::sample::select;
use sayso_core::ComparisonValue as Compared;
use sayso_core::model::validation_rules::LengthUnit;
use sayso_core::{
    Answer, AnswerCheck, ChoiceOption, ChoiceQuestion, Condition, ConditionTest, ConfirmQuestion,
    DateQuestion, Lang, Pick, Question, QuestionId, QuestionInput, QuestionKind, Questionnaire,
    RatingQuestion, Replies, Reply, Rules, TextQuestion,
};
use sayso_core::{Constraint, LazyPattern, Requirement};
use sayso_dialects::Dialect;
use sayso_dialects::questionnaire::{persistence_key, refusal_response, respond, result_text};
use serde_json::{Map, Value, json};

/// Texts that are easily mistaken for something else.
const WORDS: [&str; 16] = [
    "a",
    "b",
    "q0",
    "q1",
    "o1",
    "o2",
    "",
    " ",
    " a",
    "true",
    "false",
    "是",
    "1",
    "5",
    "__custom__",
    "\u{1F980}\n|/",
];

fn word() -> impl Strategy<Value = String> {
    prop_oneof![9 => select(WORDS.to_vec()).prop_map(str::to_owned), 1 => Just("x".repeat(201))]
}

/// Generates a constraint that mostly suits a text, or else a choice.
fn constraint(is_text: bool) -> impl Strategy<Value = Value> {
    let (fits, rarely) = (vec!["minSelect", "maxSelect"], vec!["minLength", "maxLength"]);
    let (fits, rarely) = if is_text { (rarely, fits) } else { (fits, rarely) };
    let types = prop_oneof![9 => select(fits), 1 => select(rarely), 4 => Just("required")];
    let counted = (types, 1..3_u32, word())
        .prop_map(|(kind, value, message)| json!({ "type": kind, "value": value, "message": message }));
    let source = prop_oneof![9 => select(vec!["^a", "\\d+", "b|c", "(?=a)"]), 1 => Just("(")];
    let pattern = source.prop_map(|source| json!({ "type": "pattern", "value": source, "message": "m" }));
    prop_oneof![4 => counted, u32::from(is_text) => pattern]
}

fn typed() -> impl Strategy<Value = Value> {
    let option = (word(), word(), prop::option::of(word()))
        .prop_map(|(value, label, description)| {
            let mut option = json!({ "value": value, "label": label });
            if let Some(description) = description {
                option["description"] = description.into();
            }
            option
        })
        .boxed();
    let options = || prop::collection::vec(option.clone(), 2..5);
    prop_oneof![
        options().prop_map(|options| json!({ "type": "select", "maxSelect": 1, "options": options })),
        (options(), prop_oneof![9 => Just(2), 1 => 2..7_u32]).prop_map(
            |(options, most)| json!({ "type": "multiSelect", "maxSelect": most, "options": options })
        ),
        (word(), any::<bool>()).prop_map(
            |(word, long)| json!({ "type": "text", "placeholder": word, "multiline": long })
        ),
        (word(), word()).prop_map(|(yes, no)| json!({ "type": "confirm", "yesLabel": yes, "noLabel": no })),
        Just(json!({ "type": "confirm" })),
        (word(), any::<bool>()).prop_map(|(note, emoji)| json!({
            "type": "rating", "range": { "min": 1, "max": 5 }, "showEmoji": emoji, "annotations": { "5": note, (note.clone()): "x" }
        })),
    ]
}

fn question() -> impl Strategy<Value = Value> {
    let constraints = [true, false].map(|is_text| prop::collection::vec(constraint(is_text), 0..3));
    let one = (typed(), word(), word(), constraints, prop::option::of(word()));
    let one = one.prop_map(|(mut question, label, prompt, [of_text, of_choice], show_if)| {
        let constraints = match question["type"].as_str() {
            Some("text") => of_text,
            Some("select" | "multiSelect") => of_choice,
            _ => Vec::new(),
        };
        question["label"] = label.into();
        question["prompt"] = prompt.into();
        question["constraints"] = constraints.into();
        if let Some(value) = show_if {
            question["showIf"] = json!({ "value": value });
        }
        question
    });
    let one = one.boxed();
    one.clone().prop_recursive(3, 8, 3, move |inner| {
        (one.clone(), prop::collection::vec(inner, 0..3)).prop_map(|(mut question, children)| {
            question["children"] = children.into();
            question
        })
    })
}

/// Gives the questions distinct names and removes a top-level `showIf`. Most other ones get a value that some answer to
/// the parent meets.
fn named(questions: &mut [Value], names: &mut std::vec::IntoIter<String>, parent: Option<&Value>) {
    for question in questions {
        question["id"] = names.next().unwrap_or_default().into();
        if let Some(members) = question.as_object_mut() {
            match (parent, members.get_mut("showIf")) {
                (Some(parent), Some(show_if)) => fulfillable(show_if, parent),
                (_, _) => drop(members.remove("showIf")),
            }
        }
        let parent = question.clone();
        if let Some(children) = question.get_mut("children").and_then(Value::as_array_mut) {
            named(children, names, Some(&parent));
        }
    }
}

fn fulfillable(show_if: &mut Value, parent: &Value) {
    let length = show_if["value"].as_str().map_or(0, str::len);
    let value = match parent["type"].as_str() {
        _ if length == 2 => return,
        Some("confirm") if length == 1 => "true".into(),
        Some("confirm") => parent.get("noLabel").cloned().unwrap_or("否".into()),
        Some("rating") => "3".into(),
        Some("text") => "a".into(),
        _ => parent["options"][length % 2]["value"].clone(),
    };
    show_if["value"] = value;
}

fn any_request() -> impl Strategy<Value = Value> {
    let names = prop::sample::subsequence(WORDS.to_vec(), 0..=WORDS.len()).prop_shuffle().prop_map(|names| {
        let more = (0..60).map(|number| format!("more{number}"));
        names.into_iter().map(str::to_owned).chain(more).collect::<Vec<_>>()
    });
    (prop::collection::vec(question(), 1..4), names).prop_map(|(mut questions, names)| {
        named(&mut questions, &mut names.into_iter(), None);
        json!({ "questions": questions })
    })
}

fn kind() -> impl Strategy<Value = QuestionKind> {
    let option = |at: usize, (label, value, is_other_value): (String, String, bool)| {
        let id = if value.trim().is_empty() || value.len() > 1 {
            format!("o{}", at + 5)
        } else {
            format!("{value}{at}")
        };
        let value = (is_other_value || value.is_empty()).then_some(value);
        ChoiceOption { value, ..ChoiceOption::new(id, label) }
    };
    let words = (word(), word(), rarely());
    let options = prop_oneof![9 => prop::collection::vec(words, 1..4), 1 => Just(Vec::new())];
    let choice = (options, any::<bool>(), rarely()).prop_map(move |(options, multi, is_closed)| {
        let options = options.into_iter().enumerate().map(|(at, words)| option(at, words)).collect();
        ChoiceQuestion { options, multi, other: !is_closed, ..ChoiceQuestion::default() }.into()
    });
    prop_oneof![
        8 => choice,
        2 => any::<bool>().prop_map(|long| TextQuestion { long }.into()),
        2 => prop::option::of(word()).prop_map(|yes| ConfirmQuestion { yes, ..ConfirmQuestion::default() }.into()),
        2 => any::<bool>().prop_map(|emoji| RatingQuestion { emoji, ..RatingQuestion::default() }.into()),
        1 => (0..2, 5..7).prop_map(|(min, max)| RatingQuestion { min, max, ..RatingQuestion::default() }.into()),
        1 => Just(DateQuestion.into()),
    ]
}

fn rarely() -> impl Strategy<Value = bool> {
    (0..20_u8).prop_map(|number| number == 0)
}

fn demands() -> impl Strategy<Value = Vec<Constraint>> {
    let demand = prop_oneof![
        Just(Requirement::Answered),
        (0..4_u32).prop_map(Requirement::MinPicks),
        (0..6_u32).prop_map(Requirement::MaxPicks),
        (0..3_u32).prop_map(Requirement::MinLength),
        Just(Requirement::Pattern(LazyPattern::new("^a"))),
        Just(Requirement::MatchesKind),
    ];
    let demands =
        prop_oneof![5 => prop::collection::vec(demand.clone(), 1), 1 => prop::collection::vec(demand, 2)];
    let message = prop::option::weighted(0.8, word());
    let constraint = (demands, message).prop_map(|(demands, message)| {
        let message = message.map(Into::into);
        Constraint::from_requirements(demands, message)
            .unwrap_or_else(|| Constraint::new(Requirement::Answered, None))
    });
    prop::collection::vec(constraint, 0..3)
}

fn any_question() -> impl Strategy<Value = Question> {
    let check = prop_oneof![
        4 => (0..3_u8).prop_map(|at| AnswerCheck::Is(Compared::Text(format!("a{at}").into()))),
        1 => Just(AnswerCheck::AnyOf(vec![Compared::Text("o1".into()), Compared::Text("o2".into())])),
        2 => any::<bool>().prop_map(|value| AnswerCheck::Is(Compared::Bool(value))),
        2 => (0..7_i64).prop_map(|value| AnswerCheck::Is(Compared::Number(value.into()))),
        1 => Just(AnswerCheck::Answered(true)),
    ];
    let names = (prop::option::weighted(0.1, word()), prop::option::weighted(0.95, word()));
    let standing = (prop::option::weighted(0.3, check), any::<bool>(), rarely());
    (kind(), demands(), names, standing).prop_map(
        |(kind, constraints, (key, label), (check, follows, is_optional))| {
            let condition =
                |check| Condition::Test(ConditionTest { question: QuestionId::new("before"), check });
            let mut question = Question {
                key,
                label,
                required: !is_optional,
                parent: (follows || check.is_some()).then(|| QuestionId::new("before")),
                show_if: check.map(condition),
                ..Question::new("id", "P", kind)
            };
            question.constraints = constraints;
            let kind = question.kind.clone();
            question
                .constraints
                .retain(|constraint| constraint.requirements().all(|demand| demand.applies_to(&kind)));
            question
        },
    )
}

/// Generates questionnaires of other dialects: each question may follow up the one before.
fn any_questionnaire() -> impl Strategy<Value = Questionnaire> {
    let rules = Rules { length_unit: LengthUnit::Utf16, own_answers_match: true, ..Rules::default() };
    let rules = prop_oneof![3 => Just(rules), 1 => Just(Rules::default())];
    (prop::collection::vec(any_question(), 1..4), rules).prop_map(|(mut questions, rules)| {
        for (at, question) in questions.iter_mut().enumerate() {
            let before = QuestionId::new(format!("q{}", at.saturating_sub(1)));
            question.id = QuestionId::new(format!("q{at}"));
            question.parent = question.parent.take().filter(|_| at > 0).map(|_| before.clone());
            question.show_if = question.show_if.take().filter(|_| at > 0);
            if let Some(Condition::Test(test)) = &mut question.show_if {
                test.question = before;
            }
        }
        Questionnaire { questions, rules, ..Questionnaire::default() }
    })
}

/// Replaces missing labels of a yes or no by the spec's own.
fn any_reply() -> impl Strategy<Value = Reply> {
    let picks = prop::collection::vec(
        prop_oneof![
            word().prop_map(|id| Pick::Option(sayso_core::OptionId::new(id))),
            word().prop_map(Pick::Other)
        ],
        0..3,
    );
    prop_oneof![
        picks.prop_map(Reply::from_picks),
        word().prop_map(Reply::from_text),
        any::<bool>().prop_map(|confirmed| Reply::from_answer(Answer::Confirm(confirmed))),
        any::<i32>().prop_map(|step| Reply::from_answer(Answer::Rating(step))),
        Just(Reply::skipped()),
    ]
}

proptest! {
    #[test]
    fn read_request_can_be_asked(asked in any_request()) {
        let Ok(first) = read(&asked.to_string()) else { return Ok(()) };
        prop_assert_eq!(first.questionnaire.problems(), []);
    }

    #[test]
    fn outcome_survives_round_trip(asked in any_request(), seeds in prop::collection::vec((any::<u8>(), word()), 60)) {
        let Ok(asked) = read(&asked.to_string()) else { return Ok(()) };
        let mut asked = asked.questionnaire;
        asked.questions.iter_mut().for_each(|question| question.constraints.clear());
        let asked = std::sync::Arc::new(asked);
        let reply = |(question, seed): (&Question, _)| (question.id.clone(), fitting(question, seed));
        let sheet = sayso_core::Sheet::new(asked.clone(), asked.questions.iter().zip(seeds).map(reply).collect());
        let Ok(sent) = sheet.submission() else { return Ok(()) };
        let body = respond(&asked, &answered(sent.replies)).body;
        let again = Dialect::Questionnaire.read_answers(&asked, &body).unwrap().validate(&asked).unwrap();
        prop_assert_eq!(respond(&asked, &answered(again.replies)).body, body);
    }

    #[test]
    fn no_input_panics(words in any::<String>(), asked in any_questionnaire(), replies in prop::collection::vec(any_reply(), 4), answer in answer()) {
        if let Err(problems) = read(&words) {
            let _ = (Dialect::Questionnaire.refuse(&problems, Lang::En), refusal_response(&problems, Lang::Zh));
        }
        let replies: Replies = asked.questions.iter().map(|question| question.id.clone()).zip(replies).collect();
        let outcome = answered(replies);
        let _ = (respond(&asked, &outcome), Dialect::Questionnaire.write(ask(), &asked, &outcome), result_text(&asked, &outcome), persistence_key(&asked));
        let _ = Dialect::Questionnaire.read_answers(&asked, &words);
        let _ = Dialect::Questionnaire.read_answers(&asked, &json!({ "answers": { "q0": answer } }).to_string());
    }
}

/// Returns a reply of the question's kind.
fn fitting(question: &Question, (number, word): (u8, String)) -> Reply {
    let number = usize::from(number);
    match question.input() {
        QuestionInput::Options(choice) => {
            let options = choice.options.iter().map(|option| Pick::Option(option.id.clone()));
            let own = Pick::Other(if word.trim().is_empty() { "mine".to_owned() } else { word });
            let mut picks: Vec<_> = options.chain([own]).collect();
            let first = number % picks.len();
            picks.rotate_left(first);
            picks.truncate(if choice.multi { 1 + number % 3 } else { 1 });
            Reply::from_picks(picks)
        }
        QuestionInput::Toggle(_) => Reply::from_answer(Answer::Confirm(number % 2 == 0)),
        QuestionInput::Scale(_) => Reply::from_answer(Answer::Rating(i32::from(number % 2 == 0) + 2)),
        QuestionInput::Line(_) => {
            Reply::from_text(if word.trim().is_empty() { "a".to_owned() } else { word })
        }
    }
}

fn answer() -> impl Strategy<Value = Value> {
    let part = prop_oneof![
        word().prop_map(Value::from),
        any::<bool>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        prop::collection::vec(word(), 0..3).prop_map(Value::from),
    ];
    let names = select(vec!["value", "values", "label", "labels", "wasCustom", "text", "confirmed"]);
    prop::collection::vec((names.prop_map(str::to_owned), part), 0..5)
        .prop_map(|members| Value::Object(members.into_iter().collect::<Map<_, _>>()))
}
