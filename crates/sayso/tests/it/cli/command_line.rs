//! Tests of command lines as people type them.

use crate::support::sample_requests::text;
use crate::support::test_world::TestWorld;
use serde_json::{Value, json};

/// Two spellings of the same options: bare labels, and objects without ids.
const OPTIONS: [&str; 2] = [r#"["ts","rs"]"#, r#"[{"label":"ts"},{"label":"rs"}]"#];

#[test]
fn help_about_help_is_help() {
    let world = TestWorld::new();
    for (line, usage) in [
        (&["help", "--help"][..], "Usage: sayso [OPTIONS] [COMMAND]"),
        (&["help", "-h"], "Usage: sayso [OPTIONS] [COMMAND]"),
        (&["help", "wait", "--help"], "Usage: sayso wait"),
    ] {
        let help = world.sayso(line).run();
        assert!(help.exit == 0 && help.stderr.is_empty(), "{line:?}: {help:?}");
        assert!(help.stdout.contains(usage), "{line:?}: {help:?}");
    }
    for command in ["ask", "wait"] {
        let help = world.sayso([command, "--help"]).run().stdout;
        assert!(
            help.contains("Exit codes: 0 answered, 1 invalid request, 2 usage error, 3 declined"),
            "{help}"
        );
    }
}

#[test]
fn negative_time_is_not_an_option() {
    let world = TestWorld::new();
    let ask = world.sayso(["ask", "--timeout", "-1h", &text("T")]).run();
    assert_eq!(ask.parts(), (2, "", "sayso: A time limit must be at least 1 ms and at most 400 days.\n"));
    let id = world.leave_ask(&text("T"), &[]);
    let wait = world.sayso(["wait", &id, "--timeout", "-1h"]).run();
    assert_eq!(wait.parts(), (2, "", "sayso: -1h is not a duration; write 90s, 2h or 3 days.\n"));
}

#[test]
fn done_lists_ended_asks() {
    let world = TestWorld::new();
    world.allow_scripted_answers();
    let none = world.sayso(["list", "--state", "done"]).run();
    assert_eq!(none.parts(), (0, "", "No matching questions.\n"));
    let [open, cancelled, declined] = ["A", "B", "C"].map(|title| world.leave_ask(&text(title), &[]));
    assert_eq!(world.sayso(["cancel", &cancelled]).run().exit, 0);
    assert_eq!(world.sayso(["answer", &declined, "--decline"]).run().exit, 3);
    let page = world.json(&["list", "--state", "done", "--json"]);
    let ids: Vec<_> =
        page["asks"].as_array().unwrap().iter().map(|row| row["id"].as_str().unwrap()).collect();
    assert_eq!(ids, [declined.as_str(), &cancelled]);
    assert!(!ids.contains(&open.as_str()));
}

#[test]
fn limit_crosses_pages() {
    let world = TestWorld::new();
    for number in 0..203 {
        world.leave_ask(&text(&format!("Question {number}")), &[]);
    }
    let page = |more: &[&str]| world.json(&[&["list", "--json"], more].concat());
    let count = |page: &Value| page["asks"].as_array().unwrap().len();
    let two = page(&["--limit", "2"]);
    assert_eq!(count(&two), 2);
    let next = page(&["--limit", "2", "--after", two["next"].as_str().unwrap()]);
    assert_eq!(next["asks"][0]["title"], json!("Question 2"));
    let [usual, more, all] = [page(&[]), page(&["--limit", "202"]), page(&["--limit", "1000"])];
    assert_eq!([&usual, &more, &all].map(count), [200, 202, 203]);
    assert!(more["next"].is_string() && all.get("next").is_none(), "{}", more["next"]);
    let none = world.sayso(["list", "--limit", "0"]).run();
    assert!(
        none.exit == 2 && none.stderr.starts_with("sayso: Invalid value '0' for '--limit <COUNT>'"),
        "{none:?}"
    );
}

#[test]
fn label_selects_its_option() {
    let world = TestWorld::new();
    world.allow_scripted_answers();
    for options in OPTIONS {
        let request = format!(
            r#"{{"questions":[
                {{"id":"lang","prompt":"In what?","options":{options},"prefill":{{"picks":[{{"option":"rs"}}]}},
                  "children":[{{"id":"edition","prompt":"Which edition?","show_if":{{"is":"rs"}}}}]}},
                {{"id":"why","prompt":"Why not?","show_if":{{"any":[{{"not":{{"question":"lang","any_of":["ts","rs"]}}}},
                  {{"question":"lang","is":"ts"}}]}}}}]}}"#
        );
        let valid = world.sayso(["check", &request]).run();
        assert_eq!(valid.parts(), (0, "", "This is a valid sayso request.\n"), "{options}");
        let judged = |answers: &str| world.sayso(["check", &request, "--answers", answers]).run();
        let rs = judged(r#"{"answers":{"lang":"rs","edition":"2024"}}"#);
        assert_eq!(rs.exit, 0, "{options}: {rs:?}");
        let missing = judged(r#"{"answers":{"lang":"rs"}}"#);
        assert!(missing.stderr.contains("edition"), "{options}: {missing:?}");
        let ts = judged(r#"{"answers":{"lang":"ts","why":"x"}}"#);
        assert_eq!(ts.exit, 0, "{options}: {ts:?}");
    }
    // A label that two options share selects neither.
    let twice = r#"{"questions":[{"prompt":"A?","options":[{"label":"x"},{"label":"x"}]},
        {"prompt":"B?","show_if":{"question":"q0","is":"x"}}]}"#;
    assert_eq!(world.sayso(["check", twice]).run().exit, 1);
}

#[test]
fn inactive_question_is_not_unanswered() {
    let world = TestWorld::new();
    world.allow_scripted_answers();
    let request = r#"{"questions":[{"id":"a","prompt":"A?","options":["x","y"],
        "children":[{"id":"b","prompt":"Why y?","show_if":{"is":"y"}}]},{"id":"d","prompt":"D?","required":false}]}"#;
    let id = world.leave_ask(request, &[]);
    let shown = || world.sayso(["show", &id]).run().stdout;
    let open = shown();
    assert!(open.contains("\n| Why y?\n  not asked\n"), "{open}");
    assert!(open.contains("\n| D?\n  not answered\n"), "{open}");
    assert_eq!(world.sayso(["answer", &id, "--decline"]).run().exit, 3);
    let declined = shown();
    assert!(declined.contains("\n| Why y?\n  not asked\n"), "{declined}");
    let id = world.leave_ask(request, &["--key", "k"]);
    assert_eq!(world.sayso(["answer", &id, "--answers", r#"{"answers":{"a":"x"}}"#]).run().exit, 0);
    let answered = world.sayso(["show", &id]).run().stdout;
    assert!(answered.contains("\n| Why y?\n  not asked\n"), "{answered}");
    assert!(answered.contains("\n| D?\n  not answered\n"), "{answered}");
    let lacking = world.sayso(["check", request, "--answers", r#"{"answers":{}}"#]).run();
    assert!(lacking.stderr.contains("answers.a") && !lacking.stderr.contains("answers.b"), "{lacking:?}");
}
