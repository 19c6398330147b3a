//! Arguments that are not quite right: what is harmless is mended and said, the rest is refused so that it can be mended
//! in one try.

use crate::mcp_host::Host;
use crate::world::World;
use serde_json::{Value, json};

#[test]
fn what_is_harmless_is_mended_and_said_and_finds_the_same_ask() {
    let world = World::new();
    let mut host = Host::plain(&world);
    let clean = json!({ "questions": [
        { "prompt": "Which?", "options": [{ "label": "A" }, { "label": "B" }], "multi": true, "other": true },
    ] });
    let id = host.leave(&clean);
    let questions =
        json!([{ "question": "Which?", "multiSelect": true, "options": ["A", { "label": "B" }, "Other"] }]);
    for given in [json!({ "questions": questions }), json!({ "questions": questions.to_string() })] {
        let mut given = given;
        given["max_wait_s"] = json!("0");
        let said = host.call("ask", &given)["structuredContent"].clone();
        assert_eq!(said["ask_id"], id.as_str(), "{said}");
        let changed: Vec<_> = said["changed"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
        for what in ["question was read as prompt", "multiSelect was read as multi", "became other: true"] {
            assert!(
                changed.iter().any(|line| line.starts_with("questions[0]: ") && line.ends_with(what)),
                "{said}"
            );
        }
    }
    let ignored = json!({ "questions": clean["questions"], "urgency": "high", "max_wait_s": 0 });
    let said = host.call("ask", &ignored)["structuredContent"].clone();
    assert_eq!(said["changed"], json!(["urgency: Nothing here is called urgency; it is ignored."]));
}

#[test]
fn a_bad_questionnaire_is_refused_with_all_that_is_wrong_and_how_to_mend_it() {
    let world = World::new();
    let mut host = Host::plain(&world);
    let bad = json!({ "questions": [
        { "id": "a", "options": [{ "label": "A" }, {}] },
        { "prompt": "B?", "kind": "slider", "required": 3 },
    ], "max_wait_s": 0 });
    let result = host.call("ask", &bad);
    assert_eq!(result["isError"], true);
    let text = result["content"][0]["text"].as_str().unwrap();
    let expected = [
        "- questions[0].prompt: prompt is missing. Fix: add \"prompt\": what is asked, as text.",
        "- questions[0].options[1].label: label is missing. Fix: add \"label\": what the person reads, as text.",
        "- questions[1].kind: \"slider\" is none of the words there are. Fix: write one of choice, text, confirm, rating, \
         number, date, time, datetime.",
        "- questions[1].required: This is a number, not true or false. Fix: write true or false.",
    ];
    for line in expected {
        assert!(text.contains(line), "{line}\nis not in\n{text}");
    }
    // Mended exactly as it says, it is asked.
    let mended = json!({ "questions": [
        { "id": "a", "prompt": "A?", "options": [{ "label": "A" }, { "label": "B" }] },
        { "prompt": "B?", "kind": "rating", "required": true },
    ] });
    host.leave(&mended);
    assert_eq!(world.json(&["list", "--state", "all", "--json"])["asks"].as_array().unwrap().len(), 1);
}

#[test]
fn what_is_missing_hides_nothing_else_that_is_wrong() {
    let world = World::new();
    let mut host = Host::plain(&world);
    let bad = json!({ "questions": [
        { "kind": "choice" },
        { "prompt": "Z?", "kind": "rating", "min": 5, "max": 1 },
    ], "key": 7, "timeout": "never" });
    let result = host.call("ask", &bad);
    let text = result["content"][0]["text"].as_str().unwrap();
    for place in ["key", "timeout", "questions[0].prompt", "questions[0].options", "questions[1]"] {
        assert!(text.contains(&format!("- {place}")), "{place}\nis not in\n{text}");
    }
    assert_eq!(text.matches("questions[0].prompt").count(), 1, "{text}");
}

#[test]
fn each_slip_of_meaning_names_its_place() {
    let world = World::new();
    let mut host = Host::plain(&world);
    let question = |more: Value| {
        let mut question = json!({ "prompt": "A?" });
        question.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        json!({ "questions": [question] })
    };
    let cases = [
        (json!({}), "- questions: "),
        (question(json!({ "kind": "choice" })), "- questions[0].options: "),
        (question(json!({ "constraints": [{ "pattern": "(" }] })), "- questions[0].constraints[0].pattern: "),
        (
            question(json!({ "children": [{ "prompt": "B?", "show_if": { "question": "zz", "is": "1" } }] })),
            "- questions[0].children[0].show_if.question: ",
        ),
        (json!({ "questions": [{ "prompt": "A?" }], "timeout": "soon" }), "- timeout: "),
        (json!({ "questions": [{ "prompt": "A?" }], "max_wait_s": -1 }), "- max_wait_s: "),
        (json!({ "questions": [{ "prompt": "A?" }], "received": [7] }), "- received: "),
    ];
    for (given, place) in cases {
        let text = host.text("ask", &given);
        assert!(text.contains(place) && text.contains(" Fix: "), "{given}: {text}");
    }
    assert_eq!(world.json(&["list", "--state", "all", "--json"])["asks"], json!([]));
}

#[test]
fn no_other_tool_is_forgiving() {
    let world = World::new();
    let mut host = Host::plain(&world);
    let id = host.leave(&json!({ "questions": [{ "prompt": "A?" }] }));
    for given in [json!({ "id": id }), json!({ "ask_id": id, "max_wait_s": "1" }), json!({ "received": id })]
    {
        let text = host.text("wait_for_answer", &given);
        assert!(text.starts_with("The call did nothing: 1 problem(s)"), "{given}: {text}");
    }
    let text = host.text("cancel_ask", &json!({}));
    assert!(text.contains("- ask_id: "), "{text}");
}
