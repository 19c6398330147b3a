use super::*;
use sayso_dialects::{Dialect, DialectLimits};

fn questionnaire(request: &Value) -> Questionnaire {
    Dialect::Sayso.read(&request.to_string(), &DialectLimits::default()).unwrap().questionnaire
}

#[test]
fn simple_questions_become_a_form() {
    let asked = questionnaire(&json!({"title": "T", "context": "Why.", "questions": [
        {"id": "db", "prompt": "Which?", "options": [{"id": "pg", "label": "Postgres", "description": "big"},
            {"id": "my", "label": "MySQL"}], "other": true},
        {"id": "tags", "prompt": "Tags?", "options": [{"id": "a", "label": "A"}], "multi": true,
            "constraints": [{"max_picks": 1}]},
        {"id": "sure", "prompt": "Sure?", "kind": "confirm", "yes": "Go"},
        {"id": "n", "prompt": "How many?", "kind": "number", "constraints": [{"min": 1, "max": 2.5}]},
        {"id": "day", "prompt": "When?", "kind": "date", "required": false},
    ]}));
    let form = from_questionnaire(&asked, ChoiceEncoding::OneOfTitles).unwrap();
    assert_eq!(form.message, "T\nWhy.");
    assert_eq!(
        Value::Object(form.schema),
        json!({"type": "object", "properties": {
            "q01": {"type": "string", "oneOf": [{"const": "Postgres", "title": "Postgres: big"},
                {"const": "MySQL", "title": "MySQL"}], "title": "Which?"},
            "q01_other": {"type": "string", "title": "Which?: Other"},
            "q02": {"type": "array", "items": {"anyOf": [{"const": "A", "title": "A"}]}, "maxItems": 1,
                "title": "Tags?"},
            "q03": {"type": "string", "oneOf": [{"const": "Yes (\"Go\")", "title": "Yes (\"Go\")"},
                {"const": "No", "title": "No"}], "title": "Sure?"},
            "q04": {"type": "number", "minimum": 1, "maximum": 2.5, "title": "How many?"},
            "q05": {"type": "string", "format": "date", "title": "When?"},
        }, "required": ["q02", "q03", "q04"]})
    );
    let content = json!({"q01": "Postgres", "q01_other": "but soon", "q02": ["A"], "q03": "Yes (\"Go\")", "q04": 2, "q05": ""});
    let answers = parse_answers(&asked, content.as_object().unwrap());
    let answers: Map<_, _> = answers.into_iter().map(|(id, answer)| (id.to_string(), answer)).collect();
    let answers = json!({ "answers": answers }).to_string();
    let given = Dialect::Sayso.read_answers(&asked, &answers).unwrap();
    let sent = given.validate(&std::sync::Arc::new(asked)).unwrap();
    let notes: Vec<_> = sent.replies.values().filter_map(|reply| reply.note.as_deref()).collect();
    assert_eq!(notes, ["but soon"]);
    assert_eq!(sent.replies.values().filter(|reply| reply.answer().is_some()).count(), 4);
}

/// Returns the fields of a questionnaire's form.
fn fields(questions: &Value, wording: ChoiceEncoding) -> Value {
    let form = from_questionnaire(&questionnaire(&json!({ "questions": questions })), wording).unwrap();
    form.schema["properties"].clone()
}

#[test]
fn values_are_labels() {
    let asked = json!([{ "prompt": "Which?", "options": [{ "label": "red" }, { "label": "blue" }, { "label": "red", "value": "dark" }] }]);
    let numbered = json!(["red", "blue", "red (2)"]);
    assert_eq!(fields(&asked, ChoiceEncoding::EnumNames)["q01"]["enum"], numbered);
    let asked = questionnaire(&json!({ "questions": asked }));
    for (value, option) in [("red", "o1"), ("red (2)", "o3"), ("o2", "o2")] {
        let answers = parse_answers(&asked, json!({ "q01": value }).as_object().unwrap());
        assert_eq!(answers[0].1, json!([option]), "{value}");
    }
}

#[test]
fn prefills_are_defaults() {
    let asked = json!([
        { "prompt": "Retries?", "kind": "number", "prefill": { "number": 0 } },
        { "prompt": "Whole?", "kind": "number", "constraints": [{ "multiple_of": 1 }] },
        { "prompt": "When?", "kind": "datetime" },
        { "prompt": "Which?", "options": ["a", "b"], "prefill": { "picks": [{ "option": "b" }] } },
        { "prompt": "Tags?", "options": ["a", "b"], "multi": true, "other": true,
            "prefill": { "picks": [{ "option": "a" }, { "other": "c" }] } },
        { "prompt": "Where?", "prefill": { "text": "here" } },
        { "prompt": "Sure?", "kind": "confirm", "required": false, "prefill": { "confirm": false } },
    ]);
    let shown = fields(&asked, ChoiceEncoding::EnumNames);
    assert_eq!([&shown["q01"]["default"], &shown["q02"]["type"]], [&json!(0), &json!("integer")]);
    assert_eq!(shown["q03"]["format"], "date-time");
    assert_eq!([&shown["q04"]["default"], &shown["q06"]["default"]], ["b", "here"]);
    let tags =
        [&shown["q05_01"], &shown["q05_02"], &shown["q05_other"]].map(|field| field["default"].clone());
    assert_eq!(tags, [json!(true), Value::Null, json!("c")]);
    assert_eq!(shown["q07"]["default"], false);
    assert_eq!(fields(&asked, ChoiceEncoding::OneOfTitles)["q05"]["default"], json!(["a"]));
}

#[test]
fn repeated_form_contains_entries() {
    let asked = json!({ "questions": [{ "prompt": "A?" }, { "prompt": "B?", "kind": "number" }] });
    let form = from_questionnaire(&questionnaire(&asked), ChoiceEncoding::EnumNames).unwrap();
    let entries = json!({ "q01": "typed", "q02": "many", "q03": 1 });
    let again = form.with_entries(entries.as_object().unwrap(), &[]).schema["properties"].clone();
    assert_eq!([&again["q01"]["default"], &again["q02"]["default"]], [&json!("typed"), &Value::Null]);
    assert_eq!(again.as_object().unwrap().len(), 2);
}

#[test]
fn complex_questions_become_no_form() {
    let question = |more: Value| {
        let mut question = json!({"prompt": "A?"});
        question.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let forms = [ChoiceEncoding::EnumNames, ChoiceEncoding::OneOfTitles]
            .map(|wording| from_questionnaire(&questionnaire(&json!({ "questions": [question] })), wording));
        forms.iter().all(Option::is_none)
    };
    assert!(!question(json!({})));
    for more in [
        json!({"kind": "time"}),
        json!({"children": [{"prompt": "B?"}]}),
        json!({"constraints": [{"pattern": "x"}]}),
        json!({"kind": "number", "constraints": [{"multiple_of": 0.5}]}),
        json!({"options": [{"label": "a", "preview": "long"}]}),
    ] {
        assert!(question(more.clone()), "{more}");
    }
    let sections = json!({"sections": [{"questions": [{"prompt": "A?"}]}]});
    assert!(from_questionnaire(&questionnaire(&sections), ChoiceEncoding::OneOfTitles).is_none());
    let action = json!({"action": {"tool": "sh", "act": {"shell": {"command": "ls"}}}, "questions": [{"prompt": "A?"}]});
    assert!(from_questionnaire(&questionnaire(&action), ChoiceEncoding::OneOfTitles).is_none());
    let many = |count: u8| {
        let options: Vec<_> = (0..count).map(|at| at.to_string()).collect();
        let tags = json!({"prompt": "Which?", "options": options, "multi": true});
        questionnaire(&json!({"questions": [{"prompt": "A?"}, tags]}))
    };
    assert!(from_questionnaire(&many(11), ChoiceEncoding::EnumNames).is_some());
    assert!(from_questionnaire(&many(12), ChoiceEncoding::EnumNames).is_none(), "each box is a field");
    assert!(from_questionnaire(&many(12), ChoiceEncoding::OneOfTitles).is_some());
    let counted =
        json!({"prompt": "Which?", "options": ["a", "b"], "multi": true, "constraints": [{"max_picks": 1}]});
    let counted = questionnaire(&json!({ "questions": [counted] }));
    assert!(from_questionnaire(&counted, ChoiceEncoding::EnumNames).is_none(), "boxes cannot be counted");
    assert!(from_questionnaire(&counted, ChoiceEncoding::OneOfTitles).is_some());
}

#[test]
fn multiple_picks_become_checkboxes() {
    let asked = questionnaire(&json!({"title": "T", "questions": [
        {"id": "db", "prompt": "Which?", "options": [{"id": "pg", "label": "Postgres", "description": "big"},
            {"id": "my", "label": "MySQL"}]},
        {"id": "tags", "prompt": "Tags?", "detail": "All that fit.", "options": [{"id": "a", "label": "A"},
            {"id": "b", "label": "B"}, {"id": "c", "label": "C"}], "multi": true, "other": true},
        {"id": "sure", "prompt": "Sure?", "kind": "confirm", "yes": "Go"},
    ]}));
    let form = from_questionnaire(&asked, ChoiceEncoding::EnumNames).unwrap();
    assert_eq!(
        Value::Object(form.schema),
        json!({"type": "object", "properties": {
            "q01": {"type": "string", "enum": ["Postgres", "MySQL"], "enumNames": ["Postgres: big", "MySQL"],
                "title": "Which?"},
            "q02_01": {"type": "boolean", "title": "Tags?: A", "description": "All that fit."},
            "q02_02": {"type": "boolean", "title": "Tags?: B"},
            "q02_03": {"type": "boolean", "title": "Tags?: C"},
            "q02_other": {"type": "string", "title": "Tags?: Other"},
            "q03": {"type": "string", "enum": ["Yes (\"Go\")", "No"],
                "enumNames": ["Yes (\"Go\")", "No"], "title": "Sure?"},
        }, "required": ["q01", "q03"]})
    );
    let filled = |content: Value| {
        let answers = parse_answers(&asked, content.as_object().unwrap());
        answers.into_iter().find(|(id, _)| id.as_str() == "tags").map(|(_, answer)| answer)
    };
    let ticked = json!({"q02_01": true, "q02_02": false, "q02_03": true, "q02_other": ""});
    assert_eq!(filled(ticked), Some(json!(["a", "c"])));
    assert_eq!(filled(json!({"q02_02": "true", "q02_other": "D"})), Some(json!(["b", {"other": "D"}])));
    assert_eq!(filled(json!({"q02_01": "yes"})), Some(json!(["yes"])), "which will be told to be wrong");
    assert_eq!(filled(json!({"q02_01": false, "q02_02": null, "q02_03": ""})), None);
}
