//! Round trips of forms: a client is shown what was asked.

use super::read;
use crate::sample::ask;
use proptest::prelude::*;
use sayso_core::{Questionnaire, wire};
use sayso_dialects::Dialect;
use sayso_dialects::interaction::QuestionsAsk;
use serde_json::{Map, Value, json};
use std::sync::Arc;

/// Returns the questionnaire of a request.
pub(crate) fn questionnaire(text: &str) -> Questionnaire {
    read(text).unwrap().questionnaire
}

/// Returns the tool whose client is shown the form of a stored questionnaire.
pub(crate) fn restore_tool(questionnaire: &Questionnaire) -> QuestionsAsk {
    let mut stored = questionnaire.clone();
    stored.extensions.entry("interaction".to_owned()).or_insert_with(|| json!({}))["byTool"] = true.into();
    QuestionsAsk::from_stored(&Arc::new(stored)).unwrap()
}

fn there_and_back(text: &str) -> Result<(), TestCaseError> {
    let Ok(there) = read(text) else { return Ok(()) };
    if !there.warnings.is_empty() {
        return Ok(());
    }
    let tool = restore_tool(&there.questionnaire);
    let back = tool.with_request(tool.request().clone());
    prop_assert!(back.is_ok(), "{:?}", tool.request());
    let back = back.unwrap();
    prop_assert_eq!(&**back.questionnaire(), &there.questionnaire, "{:?}", tool.request());
    // The canonical form keeps it too.
    let kept = wire::questionnaire::write(&there.questionnaire);
    if let Ok(kept) = wire::questionnaire::read(&kept) {
        prop_assert_eq!(kept.questionnaire, there.questionnaire);
    }
    Ok(())
}

const NAMES: [&str; 8] = ["a", "b", "", "q0", "q1", "o1", "名", "a/~b"];

fn name() -> impl Strategy<Value = String> {
    prop_oneof![
        8 => prop::sample::select(NAMES.to_vec()).prop_map(str::to_owned),
        1 => (199..203_usize).prop_map(|length| "x".repeat(length)),
    ]
}

fn value() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        prop_oneof![Just(json!(0)), Just(json!(2.5)), Just(json!(-3)), Just(json!(1e300))],
        prop::sample::select(vec!["", " ", "a", "2026-03-01", "14:30", "2026-03-01T14:30", "x"])
            .prop_map(Value::from),
        Just(json!(["a", "a"])),
        Just(json!(["a", 5])),
        Just(json!({ "a": [] })),
    ]
}

/// Generates a field with anything that the spec allows, and a few things that it does not.
fn field() -> impl Strategy<Value = Value> {
    let types = prop::sample::select(vec![
        "text",
        "textarea",
        "number",
        "boolean",
        "select",
        "multiselect",
        "checkbox",
        "radio",
        "date",
        "time",
        "datetime",
    ]);
    let words = prop::option::of(prop::sample::select(vec!["", "Words", "x\n\ny"]));
    let options = prop::collection::vec(name(), 1..4);
    let flags = (any::<Option<bool>>(), any::<Option<bool>>());
    let numbers = prop::option::of((-3..3_i32, prop::option::of(1..3_u8)));
    let text = prop::option::of((0..5_u64, prop::sample::select(vec!["", "b", "^x+$"])));
    let default = prop::option::of(value());
    (name(), types, words, options, flags, numbers, text, default).prop_map(
        |(id, kind, words, options, (required, checked), numbers, text, default)| {
            let mut field = json!({ "id": id, "type": kind, "label": words.unwrap_or("L") });
            let mut put = |name: &str, value: Option<Value>| {
                value.map(|value| field.as_object_mut().unwrap().insert(name.to_owned(), value));
            };
            put("description", words.map(Value::from));
            put("placeholder", words.map(Value::from));
            put("required", required.map(Value::from));
            put("validateOnClient", checked.map(Value::from));
            put("defaultValue", default);
            if matches!(kind, "select" | "multiselect" | "radio") {
                let option = |value: &String| json!({ "label": "O", "value": value });
                put("options", Some(options.iter().map(option).collect()));
            }
            if kind == "number" {
                put("min", numbers.map(|(least, _)| json!(least)));
                put("max", numbers.map(|(least, _)| json!(f64::from(least) + 0.5)));
                put("step", numbers.and_then(|(_, step)| step).map(Value::from));
            }
            if kind == "text" || kind == "textarea" {
                put("minLength", text.map(|(length, _)| json!(length)));
                put("maxLength", text.map(|(length, _)| json!(length + 1)));
                put("pattern", text.map(|(_, pattern)| json!(pattern)));
            }
            field
        },
    )
}

fn form() -> impl Strategy<Value = Value> {
    let words = || prop::option::of(prop::sample::select(vec!["", "Words", " x"]));
    let fields = || prop::collection::vec(field(), 0..5);
    let section =
        (name(), words(), fields(), any::<Option<bool>>()).prop_map(|(id, title, fields, optional)| {
            let mut section = json!({ "id": id, "fields": fields });
            for (name, value) in [("title", title.map(Value::from)), ("optional", optional.map(Value::from))]
            {
                value.map(|value| section.as_object_mut().unwrap().insert(name.to_owned(), value));
            }
            section
        });
    let values = prop::option::of(prop::collection::vec((name(), value()), 0..3));
    let sections = prop::collection::vec(section, 1..4);
    (fields(), sections, any::<bool>(), (words(), words(), words()), values).prop_map(
        |(fields, sections, flat, (title, description, submit), values)| {
            let mut form = if flat { json!({ "fields": fields }) } else { json!({ "sections": sections }) };
            let mut put = |name: &str, value: Option<Value>| {
                value.map(|value| form.as_object_mut().unwrap().insert(name.to_owned(), value));
            };
            put("title", title.map(Value::from));
            put("description", description.map(Value::from));
            put("submitLabel", submit.map(Value::from));
            put("initialValues", values.map(|values| Value::Object(values.into_iter().collect())));
            form
        },
    )
}

/// Renames fields that share the name of an earlier one.
fn rename(form: &mut Value) {
    let mut seen = std::collections::HashSet::new();
    let mut fields: Vec<&mut Value> = Vec::new();
    for (name, list) in form.as_object_mut().unwrap() {
        match name.as_str() {
            "fields" => fields.extend(list.as_array_mut().unwrap()),
            "sections" => {
                let sections = list.as_array_mut().unwrap().iter_mut();
                fields.extend(sections.flat_map(|section| section["fields"].as_array_mut().unwrap()));
            }
            _ => {}
        }
    }
    for (index, field) in fields.into_iter().enumerate() {
        if !seen.insert(field["id"].clone()) {
            field["id"] = json!(format!("f{index}"));
        }
    }
}

fn document() -> impl Strategy<Value = Value> {
    let around = prop::collection::vec(
        prop::sample::select(vec![
            ("prompt", json!("Please.")),
            ("prompt", json!("")),
            ("validate", json!(false)),
            ("strict", json!(true)),
            ("onTimeout", json!("cancel")),
            ("timeoutMs", json!(20.5)),
            ("mode", json!("async")),
            ("presentation", json!("questionnaire")),
            ("require_client", json!(true)),
            ("completedView", json!({ "showInputs": false, "summaryTemplate": "{{a}}!" })),
            ("completedView", json!({})),
            ("errorSummary", json!("Wrong.")),
            ("fieldErrors", json!({ "a": "No." })),
        ]),
        0..5,
    );
    (form(), 0..3_u8, around, 0..5_u8).prop_map(|(mut form, shape, around, clash)| {
        // Two fields with one name are rejected: most forms have none.
        if clash > 0 {
            rename(&mut form);
        }
        if shape == 0 {
            return form;
        }
        let mut whole: Map<String, Value> =
            around.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
        whole.insert(if shape == 1 { "schema" } else { "inputSchema" }.to_owned(), form);
        Value::Object(whole)
    })
}

proptest! {
    #[test]
    fn form_survives_round_trip(document in document()) {
        there_and_back(&document.to_string())?;
    }

    #[test]
    fn no_text_panics(text in any::<String>(), document in document(), cut in any::<prop::sample::Index>()) {
        let whole = document.to_string();
        let broken: String = whole.chars().take(cut.index(whole.len())).collect();
        for text in [&text, &whole, &broken] {
            if let Ok(read) = read(text) {
                let _ = Dialect::Interaction.read_answers(&read.questionnaire, &whole);
                let _ = Dialect::Interaction.write(ask(), &read.questionnaire, &crate::sample::declined(None));
            }
            let _ = sayso_dialects::interaction::InteractionCallback::parse(text);
            let _ = sayso_dialects::interaction::response_issues(&document);
        }
    }
}
