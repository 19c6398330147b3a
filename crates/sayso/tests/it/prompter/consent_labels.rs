//! Tests of the text at a decision: our own yes and no precede any label, and values that differ from labels are
//! shown. Also tests of consent that an asker prefills or suggests.

use crate::inbox::person::{press_until, send_answers};
use crate::mcp::host::{LEGACY, McpHost, server};
use crate::support::emulated_terminal::EmulatedTerminal;
use crate::support::served_desk::ServedDesk;
use crate::support::test_world::TestWorld;
use sayso_desk::token::TokenRole;
use serde_json::{Value, json};

/// Labels that contradict their values, in a format that is never refused for it.
const TURNED: &str = r#"{"questions":[{"id":"go","type":"confirm","label":"Deploy","prompt":"Deploy?",
    "yesLabel":"No, cancel","noLabel":"Yes, keep"}]}"#;
/// The same as consent to an action in our own format.
const OURS: &str = r#"{"as_is":true,"questions":[{"id":"go","kind":"confirm","prompt":"Deploy?","yes":"No, cancel",
    "no":"Yes, keep","prefill":{"confirm":true}}],"action":{"tool":"sh","act":{"shell":{"command":"rm -rf /x"}}}}"#;
/// Options with values that differ from their labels.
const OTHER_WORD: &str = r#"{"title":"Go?","questions":[{"id":"go","prompt":"Deploy?","options":[
    {"label":"Cancel","value":"APPROVE_ALL"},{"label":"Keep it","value":"keep-it"},"Later"]}]}"#;

fn problem_codes(problems: &Value) -> Vec<(String, String)> {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    problems.as_array().unwrap().iter().map(|it| (text(&it["code"]), it["path"].to_string())).collect()
}

/// Creates an ask in a dialect, whatever the warnings.
fn leave_in_dialect(world: &TestWorld, dialect: &str, request: &str) -> String {
    let ended = world.sayso(["ask", "--no-wait", "--format", dialect, request]).run();
    assert_eq!(ended.exit, 0, "{ended:?}");
    ended.stdout.trim_end().to_owned()
}

#[test]
fn own_format_refuses_contrary_labels() {
    let world = TestWorld::new();
    let output = world.sayso(["check", "--json", OURS]).run();
    let output: Value = serde_json::from_str(&output.stdout).unwrap();
    let expected = [
        ("contrary_label", r#"["questions",0,"yes"]"#),
        ("contrary_label", r#"["questions",0,"no"]"#),
        ("preset_consent", r#"["questions",0,"prefill"]"#),
    ];
    let expected = expected.map(|(code, path)| (code.to_owned(), path.to_owned()));
    assert_eq!(problem_codes(&output["problems"]), expected);
    let asked = world.sayso(["ask", "--no-wait", OURS]).run();
    assert_eq!(asked.exit, 1, "{asked:?}");
    assert!(asked.stderr.contains(r#""yes": "Yes, deploy it""#), "{asked:?}");
    let mut host = McpHost::without_forms(&world);
    let text = host.text("ask", &serde_json::from_str(OURS).unwrap());
    assert!(text.contains("questions[0].yes") && text.contains(r#""yes": "Yes, deploy it""#), "{text}");
    let recommended = json!({ "action": { "tool": "sh", "act": { "shell": { "command": "rm -rf /x" } } },
        "questions": [{ "prompt": "May I?", "options": [{ "label": "Do it", "recommended": true }, "Leave it"] }] });
    let output = world.sayso(["check", "--json", &recommended.to_string()]).run();
    let output: Value = serde_json::from_str(&output.stdout).unwrap();
    let place = r#"["questions",0,"options",0,"recommended"]"#.to_owned();
    assert_eq!(problem_codes(&output["problems"]), [("preset_consent".to_owned(), place)]);
    // An action always asks for consent.
    let denied = OURS.replace(r#","prefill":{"confirm":true}"#, r#","consent":false"#);
    let output = world.sayso(["check", "--json", &denied]).run();
    let output: Value = serde_json::from_str(&output.stdout).unwrap();
    let place = r#"["questions",0,"consent"]"#.to_owned();
    assert_eq!(problem_codes(&output["problems"])[2..], [("preset_consent".to_owned(), place)]);
    assert_eq!(world.json(&["list", "--json"])["asks"], json!([]), "nothing was asked");
}

#[test]
fn check_remarks_unmarked_confirm() {
    let world = TestWorld::new();
    let form = |more: &str| {
        let go = format!(r#"{{"id":"go","kind":"confirm","prompt":"Deploy?"{more}}}"#);
        format!(r#"{{"questions":[{go},{{"id":"why","prompt":"Why?"}}]}}"#)
    };
    let place = ("unmarked_confirm".to_owned(), r#"["questions",0,"consent"]"#.to_owned());
    let rows = [("", vec![place]), (r#","consent":true"#, Vec::new()), (r#","consent":false"#, Vec::new())];
    for (mark, expected) in rows {
        let output = world.json(&["check", "--json", &form(mark)]);
        assert_eq!(problem_codes(&output["warnings"]), expected, "{output}");
    }
}

#[test]
fn canonical_form_refuses_contrary_labels() {
    let world = TestWorld::new();
    let served = ServedDesk::start(&world);
    let asker = served.caller(&world, TokenRole::Asker, "ci");
    let mut questionnaire: Value = serde_json::from_str(OURS).unwrap();
    questionnaire.as_object_mut().unwrap().remove("as_is");
    for dialect in ["sayso", "hook", "no-such-format"] {
        let body = json!({ "dialect": dialect, "questionnaire": questionnaire });
        let problem = asker.post("/v1/asks", &body).problem(422, "invalid_request");
        assert!(problem.to_string().contains("contrary_label"), "{dialect}: {problem}");
    }
}

#[test]
fn spec_formats_warn_of_contrary_labels() {
    let world = TestWorld::new();
    let value = world.json(&["check", "--json", "--format", "questionnaire", TURNED]);
    let expected = [r#"["questions",0,"yesLabel"]"#, r#"["questions",0,"noLabel"]"#];
    let expected = expected.map(|path| ("contrary_label".to_owned(), path.to_owned()));
    assert_eq!(
        (problem_codes(&value["warnings"]).as_slice(), &value["ok"]),
        (expected.as_slice(), &json!(true))
    );
    let asked = world.sayso(["ask", "--no-wait", "--format", "questionnaire", TURNED]).run();
    assert!(
        asked.exit == 0 && asked.stderr.contains("The label of yes sounds like a refusal: \"No, cancel\""),
        "{asked:?}"
    );
}

#[test]
fn own_yes_no_precede_labels() {
    const YES: &str = r#"Yes ("No, cancel")"#;
    const NO: &str = r#"No ("Yes, keep")"#;
    let world = TestWorld::new();
    let id = leave_in_dialect(&world, "questionnaire", TURNED);
    let shown = world.sayso(["show", &id]).run().stdout;
    assert!(shown.contains(&format!("options: {YES} · {NO}")), "{shown}");
    let checked = world.sayso(["check", "--format", "questionnaire", TURNED]).run().stderr;
    assert!(checked.contains(&format!("{YES} · {NO}")), "{checked}");
    let mut lines = world.sayso(["answer", &id]).on_terminal();
    lines.expect(&format!("1. {YES}")).expect(&format!("2. {NO}")).expect("/help): ");
    for words in ["no, cancel", "no", "yes"] {
        lines.line(words).expect("Type 1 for yes or 2 for no.").expect("/help): ");
    }
    lines.kill_9();
    let mut screen = EmulatedTerminal::start(&world.sayso(["answer", &id]), 24, 80);
    screen.expect_text(&format!("y  {YES}"));
    screen.expect_text(&format!("n  {NO}"));
    press_until(&mut screen, "y", |screen| screen.contents().contains("(•) y"));
    screen.type_bytes("\x1b0");
    screen.expect_text(&format!("Deploy:  {YES}"));
    send_answers(&mut screen);
    screen.wait();
    let shown = world.sayso(["show", &id]).run().stdout;
    assert!(shown.contains(&format!("Deploy?\n  options: {YES} · {NO}\n  {YES}\n")), "{shown}");
    let usual = r#"{"questions":[{"id":"a","type":"confirm","label":"A","prompt":"A?"}]}"#;
    let usual = leave_in_dialect(&world, "questionnaire", usual);
    let shown = world.sayso(["show", &usual]).run().stdout;
    assert!(shown.contains(r#"options: Yes ("是") · No ("否")"#), "the label that is sent is seen: {shown}");
    let shown = world.sayso(["show", "--lang", "zh", &usual]).run().stdout;
    assert!(shown.contains("选项：是 · 否"), "{shown}");
}

#[test]
fn mcp_forms_begin_with_own_words() {
    let world = TestWorld::new();
    world.allow_scripted_answers();
    let mut host = McpHost::with_session(server(&world), LEGACY[0], &json!({ "elicitation": {} }));
    let asked = json!({ "questions": [
        { "id": "go", "kind": "confirm", "prompt": "Deploy?", "yes": "Ship it", "no": "NO" },
        { "id": "how", "prompt": "How?", "options": [{ "label": "Cancel", "value": "APPROVE_ALL" }, "Later"] },
    ] });
    let call = host.begin("ask", &asked);
    let form = host.next_matching(|line| line["method"] == "elicitation/create");
    let fields = &form["params"]["requestedSchema"]["properties"];
    assert_eq!(fields["q01"]["enumNames"], json!([r#"Yes ("Ship it")"#, "No"]));
    assert_eq!(fields["q02"]["enumNames"], json!(["Cancel [value: \"APPROVE_ALL\"]", "Later"]));
    let id = world.first_ask().1;
    let answers = json!({ "answers": { "go": true, "how": "o1" } }).to_string();
    assert_eq!(world.sayso(["answer", &id, "--answers", &answers]).run().exit, 0);
    let result = host.response(call)["result"]["structuredContent"].clone();
    assert_eq!(result["answers"][0]["labels"], json!([r#"Yes ("Ship it")"#]), "{result}");
    assert_eq!(
        [&result["answers"][0]["value"], &result["answers"][1]["value"]],
        [&json!(true), &json!("APPROVE_ALL")]
    );
}

#[test]
fn preset_consent_is_only_suggested() {
    let world = TestWorld::new();
    let form = r#"{"fields":[{"id":"ok","type":"checkbox","label":"Delete it?","defaultValue":true}]}"#;
    let id = leave_in_dialect(&world, "interaction", form);
    let kept = &world.show(&id)["questionnaire"]["questions"][0]["prefill"];
    assert_eq!(*kept, json!({ "confirm": true }), "{}", world.show(&id));
    let mut lines = world.sayso(["answer", &id]).on_terminal();
    lines.expect("  1. Yes  [suggested by the asker]\n  2. No\n").expect("Answer (1 or 2");
    lines.line("/next").line("/quit");
    let seen = lines.wait();
    assert!(!seen.screen.contains("illed in"), "{}", seen.screen);
    assert_eq!(world.show(&id)["state"], "open");
    let mut screen = EmulatedTerminal::start(&world.sayso(["answer", &id]), 24, 80);
    let shown = screen.expect_text("y  Yes");
    assert!(!shown.contains("(•)") && !shown.contains("illed in"), "{shown}");
    assert!(shown.contains("y  Yes  ★ suggested by the asker") && shown.contains("n  No"), "{shown}");
    screen.type_bytes("\x1b0");
    let review = screen.expect_text("Check your answers");
    assert!(!review.contains("Delete it? Yes"), "{review}");
    screen.kill();
    // Defaults that are no consent stay as the asker set them.
    let both = r#"{"fields":[{"id":"ok","type":"checkbox","label":"Delete it?","defaultValue":true},
        {"id":"why","type":"text","label":"Why?","defaultValue":"because"}]}"#;
    let id = leave_in_dialect(&world, "interaction", both);
    let screen = EmulatedTerminal::start(&world.sayso(["answer", &id]), 24, 80);
    screen.expect_text("illed in");
    screen.kill();
}

#[test]
fn differing_values_are_shown_with_labels() {
    const SENT: &str = "value: \"APPROVE_ALL\"";
    let world = TestWorld::new();
    let id = world.leave_ask(OTHER_WORD, &[]);
    let listed = format!(r#"1 "Cancel" [{SENT}] · 2 "Keep it" · 3 "Later""#);
    let shown = world.sayso(["show", &id]).run().stdout;
    assert!(shown.contains(&listed), "{shown}");
    let checked = world.sayso(["check", OTHER_WORD]).run().stderr;
    assert!(checked.contains(&listed), "{checked}");
    let mut lines = world.sayso(["answer", &id]).on_terminal();
    lines
        .expect(&format!("1. Cancel  [{SENT}]\n"))
        .expect("2. Keep it\n")
        .expect("3. Later\n")
        .expect("/help): ");
    lines.line("can").expect(&format!("Recorded: \"Cancel\" [{SENT}]"));
    assert_eq!(lines.wait().exit, 0, "the only question is sent by its answer");
    // The same question would be found again.
    let id = world.leave_ask(&OTHER_WORD.replace("Go?", "Go on?"), &[]);
    let mut screen = EmulatedTerminal::start(&world.sayso(["answer", &id]), 24, 80);
    let page = screen.expect_text(SENT);
    assert!(!page.contains("value: keep-it") && !page.contains("value: o3"), "{page}");
    press_until(&mut screen, "1", |screen| screen.contents().contains("(•) 1"));
    screen.type_bytes("\t");
    screen.expect_text(&format!("\"Cancel\" [{SENT}]"));
    send_answers(&mut screen);
    screen.wait();
    let shown = world.sayso(["show", &id]).run().stdout;
    assert!(shown.contains(&format!("  Cancel [{SENT}]\n")), "{shown}");
}

#[test]
fn show_prints_the_action() {
    let world = TestWorld::new();
    let act = json!({ "run": { "argv": ["rm", "-rf", "a b"], "folder": "/srv" } });
    let request = json!({ "action": { "tool": "execute", "act": act }, "questions": [{ "kind": "confirm",
        "prompt": "May I?" }] });
    let id = world.leave_ask(&request.to_string(), &[]);
    let shown = world.sayso(["show", &id]).run().stdout;
    let action = "If you agree, the tool \"execute\" does exactly this:\nIt starts a program, with these arguments:\n\
        | \"rm\"\n| \"-rf\"\n| \"a b\"\nIn this folder:\n| /srv\n";
    assert!(shown.contains(action), "{shown}");
    let act = json!({ "call": { "arguments": "{\"id\": 4}" } });
    let request = json!({ "action": { "tool": "drop", "act": act }, "questions": [{ "kind": "confirm",
        "prompt": "May I?" }] });
    let shown = world.sayso(["show", &world.leave_ask(&request.to_string(), &[])]).run().stdout;
    assert!(
        shown.contains("Sayso cannot tell what this does. Its arguments:\n| {\n|   \"id\": 4\n| }\n"),
        "{shown}"
    );
}

#[test]
fn decline_exit_tells_won_from_lost() {
    let world = TestWorld::new();
    world.allow_scripted_answers();
    let ask = |prompt: &str| {
        world.leave_ask(&json!({ "questions": [{ "id": "a", "prompt": prompt }] }).to_string(), &[])
    };
    let decline = |id: &str| world.sayso(["answer", id, "--decline"]).run().exit;
    let (won, answered, cancelled) = (ask("Won?"), ask("Answered?"), ask("Cancelled?"));
    assert_eq!(world.sayso(["answer", &answered, "--answers", r#"{"answers":{"a":"x"}}"#]).run().exit, 0);
    assert_eq!(world.sayso(["cancel", &cancelled]).run().exit, 0);
    assert_eq!([decline(&won), decline(&won), decline(&answered), decline(&cancelled)], [3, 1, 1, 6]);
}
