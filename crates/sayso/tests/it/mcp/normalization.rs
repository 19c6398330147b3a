//! Tests of imperfect arguments: harmless ones are normalized and reported, the rest is refused with all fixes at
//! once.

use crate::mcp::host::{LEGACY, McpHost};
use crate::support::test_world::TestWorld;
use serde_json::{Value, json};

#[test]
fn harmless_errors_are_normalized() {
    let world = TestWorld::new();
    let mut host = McpHost::without_forms(&world);
    let clean = json!({ "questions": [
        { "prompt": "Which?", "options": [{ "label": "A" }, { "label": "B" }], "multi": true, "other": true },
    ] });
    let id = host.leave_ask(&clean);
    let questions =
        json!([{ "question": "Which?", "multiSelect": true, "options": ["A", { "label": "B" }, "Other"] }]);
    for given in [json!({ "questions": questions }), json!({ "questions": questions.to_string() })] {
        let mut given = given;
        given["max_wait_s"] = json!("0");
        let result = host.call("ask", &given)["structuredContent"].clone();
        assert_eq!(result["ask_id"], id.as_str(), "{result}");
        let changed: Vec<_> =
            result["changed"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
        for what in ["question was read as prompt", "multiSelect was read as multi", "became other: true"] {
            assert!(
                changed.iter().any(|line| line.starts_with("questions[0]: ") && line.ends_with(what)),
                "{result}"
            );
        }
    }
    // An option given as a bare label has no other name.
    let named = json!({ "questions": [
        { "id": "lang", "prompt": "In what?", "options": ["ts", "rs"], "children": [
            { "prompt": "On what?", "show_if": { "is": "ts" } },
        ] },
    ], "max_wait_s": 0 });
    let result = host.call("ask", &named)["structuredContent"].clone();
    let read = "questions[0].children[0].show_if: ts was read as the id of its option, o1";
    assert_eq!((&result["status"], &result["changed"]), (&json!("pending"), &json!([read])));
    // Equal labels are no duplicate ids.
    let alike = json!({ "questions": [{ "prompt": "Which?", "options": ["A", "A"] }], "max_wait_s": 0 });
    assert_eq!(host.call("ask", &alike)["structuredContent"]["status"], "pending");
    let ignored = json!({ "questions": clean["questions"], "urgency": "high", "max_wait_s": 0 });
    let result = host.call("ask", &ignored)["structuredContent"].clone();
    assert_eq!(result["changed"], json!(["urgency: Unknown member \"urgency\"; it is ignored."]));
}

#[test]
fn bad_questionnaire_lists_all_fixes() {
    let world = TestWorld::new();
    let mut host = McpHost::without_forms(&world);
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
    // After exactly these fixes it is accepted.
    let mended = json!({ "questions": [
        { "id": "a", "prompt": "A?", "options": [{ "label": "A" }, { "label": "B" }] },
        { "prompt": "B?", "kind": "rating", "required": true },
    ] });
    host.leave_ask(&mended);
    assert_eq!(world.json(&["list", "--state", "all", "--json"])["asks"].as_array().unwrap().len(), 1);
}

#[test]
fn missing_member_hides_no_errors() {
    let world = TestWorld::new();
    let mut host = McpHost::without_forms(&world);
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
fn semantic_errors_name_their_place() {
    let world = TestWorld::new();
    let mut host = McpHost::without_forms(&world);
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
        (json!({ "questions": [{ "prompt": "A?" }], "timeout": "500 days" }), "- timeout: "),
        (json!({ "questions": [{ "prompt": "A?" }], "key": "k".repeat(600) }), "- key: "),
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
fn other_tools_are_strict() {
    let world = TestWorld::new();
    let mut host = McpHost::without_forms(&world);
    let id = host.leave_ask(&json!({ "questions": [{ "prompt": "A?" }] }));
    for given in [json!({ "id": id }), json!({ "ask_id": id, "max_wait_s": "1" }), json!({ "received": id })]
    {
        let text = host.text("wait_for_answer", &given);
        assert!(text.starts_with("The call did nothing: 1 problem"), "{given}: {text}");
    }
    let text = host.text("cancel_ask", &json!({}));
    assert!(text.contains("- ask_id: "), "{text}");
}

#[test]
fn misnamed_member_suggests_missing_one() {
    let world = TestWorld::new();
    let mut host = McpHost::without_forms(&world);
    let id = host.leave_ask(&json!({ "questions": [{ "prompt": "A?" }] }));
    let missing = "- ask_id: ask_id is missing. Fix: write \"ask_id\": \"…\".";
    let misnamed =
        "- id: This tool takes nothing of this name; ask_id is missing. Fix: write it as \"ask_id\".";
    let refused = |text: &str, count: usize| {
        let count = if count == 1 { "1 problem".to_owned() } else { format!("{count} problems") };
        format!("The call did nothing: {count} in its arguments. Mend and make the whole call again.\n{text}")
    };
    let text = host.text("cancel_ask", &json!({ "id": id }));
    assert_eq!(text, refused(&format!("{missing}\n{misnamed}"), 2));
    assert_eq!(host.text("cancel_ask", &json!({})), refused(missing, 1));
    let optional = "- id: This tool takes nothing of this name. Fix: write it as \"ask_id\".";
    assert_eq!(host.text("wait_for_answer", &json!({ "id": id })), refused(optional, 1));
    let other = "- key: This tool takes nothing of this name. Fix: leave it out. The tool takes ask_id, max_wait_s, received.";
    let given = json!({ "ask_id": id, "key": "k", "max_wait_s": 0 });
    assert_eq!(host.text("wait_for_answer", &given), refused(other, 1));
    assert!(host.text("list_asks", &json!({ "ask_id": id })).contains("- ask_id: This tool takes nothing"));
    assert_eq!(world.show(&id)["state"], "open");
}

#[test]
fn dropped_questions_are_reported_truthfully() {
    let world = TestWorld::new();
    let call = world.sayso(["mcp", "--tools", "all", "--hold", "1ms"]);
    let mut host = McpHost::with_session(call, LEGACY[1], &json!({}));
    let ours = " Fix: write \"questions\": [{\"prompt\":\"…\"}].";
    let theirs =
        " Fix: write \"questions\": [{\"question\":\"…\",\"options\":[{\"label\":\"…\",\"value\":\"…\"}]}].";
    let ignored = "- qestions: Unknown member \"qestions\". Fix: Did you mean questions?";
    let unknown = "- qestions: This tool takes nothing of this name; questions is missing. Fix: write it as \"questions\".";
    for (tool, fix, misnamed) in [("ask", ours, ignored), ("ask_user", theirs, unknown)] {
        for given in [json!({}), json!({ "questions": [] }), json!({ "qestions": [{ "prompt": "A?" }] })] {
            let text = host.text(tool, &given);
            let lines: Vec<_> = text.lines().skip(1).collect();
            assert!(lines[0].starts_with("- questions: ") && lines[0].ends_with(fix), "{text}");
            let expected = given.get("qestions").map(|_| misnamed);
            assert_eq!(lines.get(1).copied(), expected, "{text}");
        }
    }
    assert_eq!(world.json(&["list", "--state", "all", "--json"])["asks"], json!([]));
}

#[test]
fn truncated_input_is_reported() {
    let world = TestWorld::new();
    let mut host = McpHost::without_forms(&world);
    let none =
        "received[0]: You have no ask with this id: nothing is confirmed by it. list_asks has your ask_ids.";
    let text = host.text("wait_for_answer", &json!({ "received": ["nope"] }));
    assert!(text.starts_with("Nothing of yours is open") && text.ends_with(&format!("\n- {none}")), "{text}");
    let asked = json!({ "questions": [{ "prompt": "A?" }], "max_wait_s": 0, "received": ["nope"] });
    let result = host.call("ask", &asked)["structuredContent"].clone();
    assert_eq!(result["changed"], json!([none]), "{result}");
    let open = result["ask_id"].clone();
    let both = json!({ "received": ["nope", open] });
    let not_yet = "received[1]: This ask has no answer yet that you could have: nothing is confirmed by it.";
    let waited = json!({ "received": ["nope", open], "max_wait_s": 0 });
    let cancelled = json!({ "received": ["nope", open], "ask_id": open });
    for (tool, given) in [("list_asks", both), ("wait_for_answer", waited), ("cancel_ask", cancelled)] {
        let result = host.call(tool, &given)["structuredContent"].clone();
        assert_eq!(result["changed"], json!([none, not_yet]), "{tool}: {result}");
    }
    let ended = json!({ "received": [open] });
    assert_eq!(host.call("list_asks", &ended)["structuredContent"].get("changed"), None);
    let other = json!({ "questions": [{ "prompt": "A?" }], "max_wait_s": 0, "ask_id": open });
    let changed = host.call("ask", &other)["structuredContent"]["changed"].clone();
    assert_eq!(changed, json!(["ask_id: Unknown member \"ask_id\"; it is ignored."]));
}

#[test]
fn action_and_limit_errors_show_examples() {
    let world = TestWorld::new();
    let mut host = McpHost::without_forms(&world);
    let whole = r#"Fix: Write it like this: {"tool":"bash","act":{"shell":{"command":"…"}}}."#;
    let act = r#". Fix: Write it like this: "act":{"shell":{"command":"…"}}."#;
    let inside = r#"Fix: Move it into act: "act":{"run":{"argv":["…","…"]}}."#;
    let line = |given: Value, place: &str, fix: &str, host: &mut McpHost| {
        let text = host.text("ask", &given);
        let found = text.lines().any(|line| line.starts_with(&format!("- {place}: ")) && line.ends_with(fix));
        assert!(found && !text.contains(".."), "{given}: {text}");
    };
    for (action, place, fix) in [
        (json!("rm -rf x"), "action", whole),
        (json!({ "tool": "bash", "act": { "shell": "rm -rf x" } }), "action.act.shell", act),
        (json!({ "tool": "bash", "run": "rm -rf x" }), "action.act", inside),
    ] {
        line(json!({ "questions": [{ "prompt": "A?" }], "action": action }), place, fix, &mut host);
    }
    let unit = r#"- timeout: This is a text. Fix: write it with its unit, as a text: "30s", "10m", "2h"."#;
    let given = json!({ "questions": [{ "prompt": "A?" }], "timeout": 30 });
    assert_eq!(host.text("ask", &given).lines().nth(1), Some(unit));
}
