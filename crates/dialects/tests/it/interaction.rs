//! Forms read, answered and returned, as agents and persons see it.

mod edges;
mod stored_request;
mod vectors;

use crate::sample::{answered, answered_in_order, ask, declined, ended};
use sayso_core::{
    Answer, Asker, Lang, NewAsk, Outcome, Pick, Problem, ProblemCode, QuestionId, Questionnaire, Replies,
    Reply, open_ask,
};
use sayso_dialects::interaction::{FieldType, completed_summary, validate_input};
use sayso_dialects::{CliOutput, Dialect, DialectLimits, ParsedRequest};
use serde_json::{Map, Value, json};
use std::sync::Arc;
use stored_request::restore_tool;

/// Reads a request without an operator's limits.
fn read(text: &str) -> Result<ParsedRequest, Vec<Problem>> {
    Dialect::Interaction.read(text, &DialectLimits::default())
}

fn form(schema: &Value) -> Questionnaire {
    read(&schema.to_string()).unwrap().questionnaire
}

/// Returns a form with one field of each type, none required.
fn all_types() -> Value {
    let options = json!([{ "label": "Dev", "value": "dev" }, { "label": "Ops", "value": "ops" }]);
    let field = |(name, kind): &(&str, FieldType)| {
        let mut field = json!({ "id": name, "type": name, "label": format!("L {name}") });
        if kind.has_options() {
            field["options"] = options.clone();
        }
        field
    };
    json!({ "fields": FieldType::ALL.iter().map(field).collect::<Vec<_>>() })
}

fn one(kind: &str, more: &Value) -> Value {
    let mut field = json!({ "id": "a", "type": kind, "label": "A" });
    field.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    json!({ "fields": [field] })
}

/// Returns the message for a value at a form's field, if any.
fn problem_text(schema: &Value, value: &Value) -> Option<String> {
    let input: Map<String, Value> = [("a".to_owned(), value.clone())].into_iter().collect();
    let errors = validate_input(&Arc::new(form(schema)), &input);
    errors.0.into_iter().next().map(|(_, words)| words)
}

#[test]
fn field_types_become_question_kinds() {
    let kinds: Vec<_> = form(&all_types()).questions.iter().map(|question| question.kind.name()).collect();
    let expected = [
        "text", "text", "number", "confirm", "choice", "choice", "confirm", "choice", "date", "time",
        "datetime",
    ];
    assert_eq!(kinds, expected);
    let form = form(&all_types());
    assert!(form.questions[1].is_long_text());
    assert!(form.questions[5].choice().is_some_and(|choice| choice.multi && !choice.other));
    assert_eq!(form.extensions["interaction"]["types"], json!({ "checkbox": "checkbox", "radio": "radio" }));
}

#[test]
fn request_has_three_forms() {
    let schema = json!({ "title": "T", "description": "Why.", "fields": [{ "id": "a", "type": "text", "label": "A" }] });
    let bare = read(&schema.to_string()).unwrap();
    let arguments = json!({ "prompt": " Hello. ", "schema": schema, "timeoutMs": 20.5, "mode": "async" });
    let arguments = read(&arguments.to_string()).unwrap();
    let request = json!({ "type": "input", "presentation": "questionnaire", "inputSchema": schema,
        "completedView": { "summaryTemplate": "{{a}}" }, "timeoutMs": 1000, "require_client": true });
    let request = read(&request.to_string()).unwrap();
    assert_eq!(bare.questionnaire.context.as_deref(), Some("Why."));
    assert_eq!((bare.options.time_limit_ms, bare.options.is_waiting), (Some(300_000), true));
    assert_eq!(arguments.questionnaire.context.as_deref(), Some("Hello.\n\nWhy."));
    assert_eq!((arguments.options.time_limit_ms, arguments.options.is_waiting), (Some(21), false));
    assert_eq!(request.options.time_limit_ms, Some(1000));
    assert!(request.questionnaire.completed.as_ref().unwrap().answers);
    assert_eq!(request.questionnaire.questions, bare.questionnaire.questions);
    let code = |text: &str| read(text).unwrap_err()[0].code;
    assert_eq!(code("[]"), ProblemCode::MissingRequest);
    assert_eq!(code("{}"), ProblemCode::MissingRequest);
    assert_eq!(code("{"), ProblemCode::InvalidJson);
    let type_ = json!({ "type": "approval", "inputSchema": schema });
    assert_eq!(code(&type_.to_string()), ProblemCode::InvalidSetting);
}

#[test]
fn irrelevant_field_member_is_warned() {
    let warned = |schema: &Value| -> Vec<String> {
        let read = read(&json!({ "schema": schema }).to_string()).unwrap();
        read.warnings.iter().map(|warning| warning.path.to_js_path()).collect()
    };
    assert_eq!(warned(&one("text", &json!({ "min": 1 }))), ["schema.fields[0].min"]);
    assert_eq!(warned(&one("number", &json!({ "pattern": "x", "step": 0 }))).len(), 2);
    assert_eq!(warned(&one("checkbox", &json!({ "options": [] }))), ["schema.fields[0].options"]);
    assert_eq!(warned(&one("text", &json!({ "minLength": 1, "pattern": "x" }))), [""; 0]);
}

#[test]
fn any_initial_value_is_kept() {
    let prefill = |kind: &str, value: Value| {
        let form = form(&one(
            kind,
            &json!({ "defaultValue": value,
            "options": [{ "label": "L", "value": "x" }] }),
        ));
        let kept = form.extensions.get("interaction").map(|kept| kept["initialValues"].clone());
        (form.questions[0].prefill.clone(), kept)
    };
    assert_eq!(prefill("text", json!(" x ")).0, Some(Answer::Text(" x ".to_owned())));
    assert_eq!(prefill("time", json!("14:30")).0.map(|answer| matches!(answer, Answer::Time(_))), Some(true));
    assert_eq!(prefill("date", json!("soon")).0, Some(Answer::Text("soon".to_owned())));
    let (none, kept) = prefill("number", json!("5"));
    assert_eq!((none, kept), (None, Some(json!({ "a": "5" }))));
    assert_eq!(prefill("select", json!("y")).0, None);
    assert_eq!(prefill("multiselect", json!(vec!["x"; 1_002])).0, None);
    let mut schema = one("text", &json!({ "defaultValue": "x" }));
    schema["initialValues"] = json!({ "a": null, "b": 1 });
    let form = form(&schema);
    assert_eq!(form.questions[0].prefill, None);
    assert_eq!(form.extensions["interaction"]["initialValues"], json!({ "b": 1 }));
}

#[test]
fn values_empty_and_invalid_differ() {
    let required = json!({ "required": true, "options": [{ "label": "L", "value": "x" }, { "label": "M", "value": "1" }] });
    let cases = [
        ("text", json!([]), Some("Enter a valid text value.")),
        ("multiselect", json!(5), Some("This field is required.")),
        ("multiselect", json!("x"), Some("Select one or more options.")),
        ("multiselect", json!(["x", "y"]), Some("Select valid options.")),
        ("multiselect", json!([[]]), Some("Select valid options.")),
        ("multiselect", json!([1, "x"]), None),
        ("select", json!([]), Some("Select a valid option.")),
        ("radio", json!("x"), None),
        ("checkbox", json!(1), Some("This field is required.")),
        ("checkbox", json!(false), Some("This field is required.")),
        ("checkbox", json!("yes"), Some("Select a valid option.")),
        ("number", json!({}), Some("This field is required.")),
        ("number", json!(" "), Some("This field is required.")),
        ("number", json!(1e300), Some("Enter a valid number.")),
        ("date", json!(5), Some("Enter a valid date/time value.")),
        ("time", json!("noon"), None),
    ];
    for (kind, value, expected) in cases {
        assert_eq!(
            problem_text(&one(kind, &required.clone()), &value).as_deref(),
            expected,
            "{kind} {value}"
        );
    }
    let both = json!({ "minLength": 5, "maxLength": 2, "pattern": "^z" });
    assert_eq!(problem_text(&one("text", &both), &json!("abc")).as_deref(), Some("Invalid format."));
    let bounds = json!({ "min": 5, "max": 2 });
    assert_eq!(problem_text(&one("number", &bounds), &json!(3)).as_deref(), Some("Must be at most 2."));
}

#[test]
fn strict_dates_require_iso_format() {
    for (kind, good, bad) in [
        ("date", "2026-03-01", "tomorrow"),
        ("time", "14:30", "noon"),
        ("datetime", "2026-03-01T14:30", "now"),
    ] {
        let asked = json!({ "schema": one(kind, &json!({})), "strict": true });
        assert_eq!(problem_text(&asked, &json!(good)), None);
        assert_eq!(problem_text(&asked, &json!(bad)).as_deref(), Some("Enter a valid date/time value."));
    }
}

#[test]
fn optional_section_skips_only_if_empty() {
    let fields = json!([{ "id": "a", "type": "text", "label": "A", "required": true },
        { "id": "b", "type": "text", "label": "B" }, { "id": "c", "type": "checkbox", "label": "C", "required": true }]);
    let form = Arc::new(form(&json!({ "sections": [{ "id": "s", "optional": true, "fields": fields }] })));
    let wrong = |input: Value| -> Vec<String> {
        let errors = validate_input(&form, input.as_object().unwrap());
        errors.0.into_iter().map(|(field, words)| format!("{field} {words}")).collect()
    };
    assert_eq!(wrong(json!({ "a": " ", "c": false })), [""; 0]);
    let required = ["a This field is required.", "c This field is required."];
    assert_eq!(wrong(json!({ "b": "x" })), required);
    // An invalid value still counts as present.
    let both = ["a This field is required.", "b Enter a valid text value.", "c This field is required."];
    assert_eq!(wrong(json!({ "b": 5, "c": false })), both);
}

#[test]
fn self_judging_asker_gets_raw_input() {
    let form = form(&json!({ "validate": false, "schema": one("number", &json!({ "required": true })) }));
    let given = Dialect::Interaction.read_answers(&form, r#"{"a":"five","b":[]}"#).unwrap();
    let questionnaire = Arc::new(form.clone());
    let sent = given.validate(&questionnaire).unwrap();
    let outcome = match answered(sent.replies) {
        Outcome::Answered { replies, receipt, .. } => {
            Outcome::Answered { replies, as_sent: given.as_sent, receipt, verdict: None }
        }
        other => other,
    };
    assert_eq!(
        Dialect::Interaction.write(ask(), &form, &outcome).stdout,
        r#"{"ok":true,"answers":{"a":"five","b":[]}}"#
    );
}

#[test]
fn notes_are_no_part_of_raw_answers() {
    let schema =
        json!([{ "id": "a", "type": "text", "label": "A" }, { "id": "b", "type": "text", "label": "B" }]);
    let form = Arc::new(form(&json!({ "fields": schema })));
    let new = NewAsk::new(form.clone(), "interaction", Asker::default());
    let opened = open_ask(ask(), new, "2026-01-02T03:04:05Z".parse().unwrap()).unwrap().ask;
    let given = Dialect::Interaction.read_answers(&form, r#"{"a":"five"}"#).unwrap();
    let sent = json!({ "a": "five" });
    for id in ["", "a", "b"] {
        let mut replies = given.replies.clone();
        let id = QuestionId::new(id);
        let reply = replies.remove(&id).unwrap_or_default().with_note(Some("soon".to_owned()));
        replies.insert(id, reply);
        assert!(Dialect::matches_replies(&opened, &sent, &replies), "{replies:?}");
        replies.insert(QuestionId::new("b"), Reply::from_text("six"));
        assert!(!Dialect::matches_replies(&opened, &sent, &replies), "{replies:?}");
    }
}

#[test]
fn answers_become_control_values() {
    let form = form(&all_types());
    let pick = |id: &str| Pick::Option(sayso_core::OptionId::new(id));
    let value = |text: &str| serde_json::from_str::<Answer>(text).unwrap();
    let replies = vec![
        Reply::from_text(" x "),
        Reply::from_text("y\nz"),
        Reply::from_answer(Answer::Number(sayso_core::Number::parse("2.50").unwrap())),
        Reply::from_answer(Answer::Confirm(false)),
        Reply::from_picks([pick("dev")]),
        Reply::from_picks([pick("ops"), pick("dev")]),
        Reply::from_answer(Answer::Confirm(true)),
        Reply::unanswered(),
        Reply::from_answer(value(r#"{"date":"2026-03-01"}"#)),
        Reply::from_answer(value(r#"{"time":"14:30:00"}"#)),
        Reply::from_answer(value(r#"{"datetime":"2026-03-01T14:00:00+02:00"}"#)),
    ];
    let written = Dialect::Interaction.write(ask(), &form, &answered_in_order(&form, replies)).stdout;
    let expected = concat!(
        r#"{"ok":true,"answers":{"text":" x ","textarea":"y\nz","number":2.5,"boolean":false,"select":"dev","#,
        r#""multiselect":["ops","dev"],"checkbox":true,"date":"2026-03-01","time":"14:30","#,
        r#""datetime":"2026-03-01T14:00+02:00"}}"#,
    );
    assert_eq!(written, expected);
    let input = serde_json::from_str::<Value>(&written).unwrap()["answers"].to_string();
    let read = Dialect::Interaction.read_answers(&form, &input).unwrap();
    assert_eq!(read.problems, []);
    assert_eq!(Dialect::Interaction.write(ask(), &form, &answered(read.replies)).stdout, expected);
}

#[test]
fn outcomes_have_results() {
    let form = form(&one("text", &json!({})));
    let waits = self::form(&json!({ "onTimeout": "async", "schema": one("text", &json!({})) }));
    let cancels = self::form(&json!({ "onTimeout": "cancel", "schema": one("text", &json!({})) }));
    let reply: Replies = [(form.questions[0].id.clone(), Reply::from_text("x"))].into_iter().collect();
    let cases = [
        (&form, answered(reply), r#"{"ok":true,"answers":{"a":"x"}}"#, "", 0),
        (
            &form,
            declined(Some("busy")),
            r#"{"ok":false,"cancelled":true,"reason":"busy"}"#,
            "User declined to answer: busy",
            3,
        ),
        (&form, declined(None), r#"{"ok":false,"cancelled":true}"#, "User declined to answer", 3),
        (
            &form,
            ended("cancelled"),
            r#"{"ok":false,"error":{"code":"tool_aborted","message":"Tool execution aborted"}}"#,
            "The question was cancelled",
            6,
        ),
        (
            &form,
            ended("expired"),
            r#"{"ok":false,"error":"Interaction timed out"}"#,
            "No answer before the deadline",
            5,
        ),
        (
            &waits,
            ended("expired"),
            r#"{"ok":false,"error":"Interaction timed out"}"#,
            "No answer before the deadline",
            5,
        ),
        (&cancels, ended("expired"), r#"{"ok":false,"cancelled":true}"#, "No answer before the deadline", 5),
    ];
    for (form, outcome, stdout, stderr, exit) in cases {
        let written = Dialect::Interaction.write(ask(), form, &outcome);
        assert_eq!(written, CliOutput { stdout: stdout.to_owned(), stderr: stderr.to_owned(), exit });
    }
}

#[test]
fn completed_view_contains_answers() {
    let schema = all_types();
    let asked = json!({ "type": "input", "inputSchema": schema,
        "completedView": { "summaryTemplate": "{{action}}: {{ text }} as {{select}}, {{none}}{{date}} {{" } });
    let form = form(&asked);
    let replies: Replies = [
        (form.questions[0].id.clone(), Reply::from_text("{{select}}")),
        (form.questions[4].id.clone(), Reply::from_picks([Pick::Option(sayso_core::OptionId::new("dev"))])),
    ]
    .into_iter()
    .collect();
    assert_eq!(completed_summary(&form, &answered(replies), Lang::En), "submit: {{select}} as Dev,  {{");
    assert_eq!(completed_summary(&form, &declined(None), Lang::En), "Cancelled");
    assert_eq!(completed_summary(&form, &declined(Some("busy")), Lang::En), "busy");
    assert_eq!(completed_summary(&self::form(&schema), &answered(Replies::new()), Lang::En), "Submitted");
}

#[test]
fn invalid_ids_survive_round_trip() {
    let long = "x".repeat(201);
    let options = json!([{ "label": "1", "value": "" }, { "label": "2", "value": "v" }, { "label": "3", "value": "v" }]);
    let fields = json!([{ "id": "", "type": "text", "label": "A" },
        { "id": long, "type": "select", "label": "B", "options": options }, { "id": "q0", "type": "text", "label": "C" }]);
    let form = form(&json!({ "sections": [{ "id": "", "fields": fields }, { "id": "", "fields": [] }] }));
    assert_eq!(form.problems(), []);
    let ids: Vec<_> = form.questions.iter().map(|question| question.id.as_str()).collect();
    assert_eq!(ids, ["q1", "q2", "q0"]);
    let input = json!({ "": "x", long.as_str(): "v", "q0": "y" });
    let given = Dialect::Interaction.read_answers(&form, &input.to_string()).unwrap();
    let written = Dialect::Interaction.write(ask(), &form, &answered(given.replies)).stdout;
    assert_eq!(serde_json::from_str::<Value>(&written).unwrap()["answers"], input);
    let sections = restore_tool(&form).request().input_schema.sections.clone().unwrap();
    assert!(sections.len() == 2 && sections.iter().all(|section| section.id.as_str().is_empty()));
}

#[test]
fn loose_date_is_returned_verbatim() {
    for (kind, text) in
        [("time", "14:30:00"), ("time", "9:05"), ("date", " 2026-03-01"), ("datetime", "2026-03-01 14:00")]
    {
        let form = form(&one(kind, &json!({ "defaultValue": text })));
        let fields = restore_tool(&form).request().input_schema.fields.clone().unwrap();
        assert_eq!(fields[0].default_value, Some(json!(text)));
    }
}

#[test]
fn thousand_fields_are_handled_fast() {
    let field =
        |index: usize| json!({ "id": format!("f{index}"), "type": "text", "label": "L", "required": true });
    let fields: Vec<_> = (0..1_000).map(field).collect();
    let form = form(&json!({ "fields": fields }));
    assert_eq!(validate_input(&Arc::new(form), &Map::new()).0.len(), 1_000);
    let more: Vec<_> = (0..1_001).map(field).collect();
    let refused =
        Dialect::Interaction.read(&json!({ "fields": more }).to_string(), &DialectLimits::NONE).unwrap_err();
    assert_eq!(refused[0].message.render(Lang::En), "Array must contain at most 1000 element(s)");
}
