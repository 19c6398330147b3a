//! Properties of arbitrary interrupts: a round trip changes nothing.

use super::read;
use proptest::prelude::*;
use sayso_core::{
    ActionKind, ChoiceOption, ChoiceQuestion, ConfirmQuestion, Lang, ProposedAction, Question, QuestionKind,
    Questionnaire, TextQuestion,
};
use sayso_dialects::interrupt::{event_data, write_request};
use serde_json::{Value, json};

fn words() -> impl Strategy<Value = String> {
    prop_oneof![Just("a".to_owned()), Just(String::new()), "[a-c]{0,2}", ".{0,4}", Just("x".repeat(201))]
}

fn option() -> impl Strategy<Value = Value> {
    let custom = prop_oneof![4 => Just(None), 1 => any::<bool>().prop_map(Some)];
    (words(), prop_oneof![words(), Just("__custom__".to_owned()), "o[1-3]"], custom).prop_map(
        |(label, value, custom)| {
            let mut option = json!({ "label": label, "value": value });
            if let Some(custom) = custom {
                option["allow_custom"] = custom.into();
            }
            option
        },
    )
}

fn data() -> impl Strategy<Value = Value> {
    let args = prop_oneof![
        Just(json!({ "command": "ls" })),
        Just(json!({ "file_path": "f", "content": "c" })),
        Just(json!({ "b": 1.5, "a": [null] })),
        Just(Value::Null),
    ];
    let tool = prop_oneof![Just("execute"), Just("write_file"), Just("x")];
    let call = (tool, args).prop_map(|(tool, args)| json!([{ "name": tool, "args": args, "id": 1 }]));
    let calls = prop_oneof![Just(Value::Null), Just(json!([])), call];
    prop_oneof![Just(Value::Null), calls.prop_map(|calls| json!({ "action_requests": calls, "k": "v" }))]
}

fn interrupts() -> impl Strategy<Value = Value> {
    let question = (words(), prop::collection::vec(option(), 1..5))
        .prop_map(|(question, options)| json!({ "question": question, "options": options }));
    let maybe = || prop::option::of(words());
    let options = prop::collection::vec(prop_oneof![words().prop_map(Value::from), option()], 0..5);
    let known = prop::sample::select(vec!["Yes", "no", "继续", "取消", "x"]);
    let options = prop_oneof![options, prop::collection::vec(known.prop_map(Value::from), 0..4)];
    let parts = (maybe(), maybe(), data(), prop::option::of(options), prop::collection::vec(question, 0..4));
    parts.prop_map(|(info, task, data, options, questions)| {
        json!({ "info": info, "taskName": task, "data": data, "options": options, "questions": questions })
    })
}

/// Generates questionnaires of other formats, partly beyond what interrupts can express.
fn questionnaires() -> impl Strategy<Value = Questionnaire> {
    let own = (any::<bool>(), prop::option::of(words()), prop::option::of(0..3_usize));
    let choice = (prop::sample::subsequence(vec!["a", "b", "o1", "o2"], 1..4), any::<bool>(), own).prop_map(
        |(ids, multi, (other, label, at))| {
            let options: Vec<_> = ids.into_iter().map(|id| ChoiceOption::new(id, id)).collect();
            let other_at = at.filter(|at| other && *at <= options.len());
            let other_label = label.filter(|_| other);
            ChoiceQuestion { options, multi: multi && other, other, other_label, other_at }.into()
        },
    );
    let confirm = (prop::option::of(words()), prop::option::of(words()))
        .prop_map(|(yes, no)| ConfirmQuestion { yes, no, consent: None }.into());
    let kind = prop_oneof![4 => choice, 2 => confirm, 1 => Just(TextQuestion::default().into())];
    let question = (words(), kind);
    let action = prop_oneof![
        Just(ActionKind::Shell { command: "ls".to_owned(), folder: None }),
        Just(ActionKind::Call { arguments: "{\"a\":1}".to_owned() }),
        Just(ActionKind::Call { arguments: "[".to_owned() }),
    ];
    let action = prop::option::of((prop_oneof![Just("execute"), Just("ask_user")], action));
    let beside = prop_oneof![
        3 => Just(None),
        1 => Just(Some(json!({ "data": { "k": [] } }))),
        1 => Just(Some(json!({ "options": ["a", "b", "o1"] }))),
        1 => Just(Some(json!({ "options": ["a", "b"] }))),
        1 => Just(Some(json!({ "data": { "action_requests": [{ "name": "execute" }] } }))),
        1 => Just(Some(json!({ "custom": { "q0": { "value": "v", "more": [{ "at": 9, "label": "", "value": "" }] } } }))),
        1 => Just(Some(json!(1))),
    ];
    let question = (question, prop::bool::weighted(0.2));
    let whole = (prop::collection::vec(question, 0..3), prop::option::of(words()), prop::option::of(words()));
    (whole, action, beside).prop_map(|((questions, title, context), action, beside)| {
        let question = |(at, ((prompt, kind), is_named)): (usize, ((String, QuestionKind), bool))| {
            let id = if is_named { format!("x{at}") } else { format!("q{at}") };
            Question::new(id, prompt, kind)
        };
        Questionnaire {
            title,
            context,
            action: action.map(|(tool, act)| ProposedAction { tool: tool.to_owned(), act }),
            questions: questions.into_iter().enumerate().map(question).collect(),
            extensions: beside.map(|beside| ("interrupt".to_owned(), beside)).into_iter().collect(),
            ..Questionnaire::default()
        }
    })
}

proptest! {
    #[test]
    fn interrupt_survives_round_trip(interrupt in interrupts(), wrapped in any::<bool>()) {
        let text = if wrapped { json!({ "event": "interrupt", "data": interrupt }) } else { interrupt }.to_string();
        let Ok(first) = read(&text) else { return Ok(()) };
        prop_assert_eq!(first.questionnaire.problems(), []);
        let written = write_request(&first.questionnaire, Lang::En);
        prop_assert_eq!(&written.lost, &[]);
        let again = read(&written.text).unwrap();
        prop_assert_eq!(&again.questionnaire, &first.questionnaire, "{} from {}", written.text, text);
        let event = read(&event_data(&first.questionnaire, Lang::En).to_string()).unwrap().questionnaire;
        prop_assert_eq!(event.questions.len(), first.questionnaire.questions.len());
        prop_assert_eq!(event.action, first.questionnaire.action);
    }

    #[test]
    fn lossless_translation_survives_round_trip(asked in questionnaires()) {
        let written = write_request(&asked, Lang::En);
        let again = read(&written.text);
        let has_questions = !written.text.ends_with(r#""questions":[]}"#);
        prop_assert_eq!(again.is_ok(), has_questions, "{}", written.text);
        if written.lost.is_empty() {
            prop_assert_eq!(again.unwrap().questionnaire, asked, "{}", written.text);
        }
    }

    #[test]
    fn no_text_panics(text in any::<String>()) {
        let _ = read(&text);
        let _ = read(&format!("{{\"data\":{text}}}"));
    }
}
