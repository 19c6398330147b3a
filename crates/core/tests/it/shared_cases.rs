//! Cases that the desk's rules and those of the element in `web/` are both held against.

use crate::conditions::read;
use sayso_core::i18n::{MessageArg, exact_lines};
use sayso_core::{
    ConsentQuestions, Lang, LocalizedText, Message, Problem, Replies, Reply, Sheet, ShownValues, display,
};
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::BTreeMap;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SheetCase {
    name: String,
    request: Value,
    replies: BTreeMap<String, Reply>,
    /// Ids of the questions asked.
    asked: Option<Vec<String>>,
    /// The problem of each question that blocks the submission; `*` is any.
    problems: BTreeMap<String, Value>,
    /// The problem of the whole.
    whole: Option<Value>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct DisplayCase {
    text: String,
    shown: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ConsentCase {
    name: String,
    action: Option<Value>,
    questions: Value,
    /// Ids of the questions that take consent.
    consent: Vec<String>,
    /// The values shown next to labels, by question and option.
    #[serde(default)]
    shown: BTreeMap<String, BTreeMap<String, String>>,
}

/// Returns a message of the catalogue by its name, with its arguments; the asker's words stay as they are.
fn named(message: &LocalizedText) -> Value {
    match message {
        LocalizedText::Verbatim(words) => words.as_str().into(),
        LocalizedText::Message(name, args) => {
            let words = args.iter().map(|arg| match arg {
                MessageArg::Own(text) | MessageArg::Foreign(text) | MessageArg::Json(text) => text.clone(),
                MessageArg::ForeignList(texts) => texts.join(", "),
            });
            std::iter::once(format!("{name:?}")).chain(words).collect()
        }
    }
}

#[test]
fn sheets_follow_shared_cases() {
    let cases: Vec<SheetCase> = serde_json::from_str(include_str!("../vectors/sheets.json")).unwrap();
    for case in cases {
        let replies: Replies =
            case.replies.into_iter().map(|(id, reply)| (id.as_str().into(), reply)).collect();
        let mut request = case.request;
        // Some requests are odd on purpose.
        request["as_is"] = true.into();
        let sheet = Sheet::new(read(&request.to_string()), replies).with_prefill();
        let asked: Vec<String> =
            sheet.asked_questions().map(|(_, question)| question.id.to_string()).collect();
        if let Some(wanted) = case.asked {
            assert_eq!(asked, wanted, "{}", case.name);
        }
        let first = |at| Some(named(&sheet.blocking_problems_at(at).first()?.message));
        let problem =
            |(at, question): (usize, &sayso_core::Question)| Some((question.id.to_string(), first(at)?));
        let mut problems: BTreeMap<String, Value> = sheet.asked_questions().filter_map(problem).collect();
        for (id, _) in case.problems.iter().filter(|(_, wanted)| *wanted == "*") {
            problems.entry(id.clone()).and_modify(|problem| *problem = "*".into());
        }
        assert_eq!(problems, case.problems, "{}", case.name);
        // The rest of what the desk refuses is left to it, such as answers that are checked on submission alone.
        let needs_some = |problem: &Problem| problem.message == Message::NeedsSomeAnswer.into();
        let rest = sheet.problems();
        let whole = rest.first().filter(|problem| needs_some(problem)).map(|problem| named(&problem.message));
        assert_eq!(whole, case.whole, "{}", case.name);
    }
}

#[test]
fn consent_follows_shared_cases() {
    let cases: Vec<ConsentCase> = serde_json::from_str(include_str!("../vectors/consent.json")).unwrap();
    for case in cases {
        let mut request = json!({ "questions": case.questions });
        if let Some(action) = case.action {
            request["action"] = action;
        }
        let questionnaire = read(&request.to_string());
        let consent = ConsentQuestions::for_questionnaire(&questionnaire);
        let mut taking = Vec::new();
        let mut shown = BTreeMap::new();
        for question in &questionnaire.questions {
            if consent.includes(question) {
                taking.push(question.id.to_string());
            }
            let values = ShownValues::for_question(&questionnaire, question);
            let values: BTreeMap<_, _> =
                values.iter().map(|(id, value)| (id.to_string(), value.to_owned())).collect();
            if !values.is_empty() {
                shown.insert(question.id.to_string(), values);
            }
        }
        assert_eq!((taking, shown), (case.consent, case.shown), "{}", case.name);
    }
}

#[test]
fn texts_show_as_in_shared_cases() {
    let cases: Vec<DisplayCase> = serde_json::from_str(include_str!("../vectors/display.json")).unwrap();
    for DisplayCase { text, shown } in cases {
        assert_eq!(display::escape_line(&text), shown, "{text:?}");
    }
}

/// Exact data of an action, or one argument of a program.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, untagged)]
enum ExactCase {
    Text { text: String, lines: Vec<String> },
    Argument { argument: String, line: String },
}

#[test]
fn exact_data_follows_shared_cases() {
    let cases: Vec<ExactCase> = serde_json::from_str(include_str!("../vectors/exact.json")).unwrap();
    for case in cases {
        let (text, lines) = match case {
            ExactCase::Text { text, lines } => (text, lines),
            ExactCase::Argument { argument, line } => (display::quote_argument(&argument), vec![line]),
        };
        assert_eq!(exact_lines(&text, Lang::En), lines, "{text:?}");
    }
}
