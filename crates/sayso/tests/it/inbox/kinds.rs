//! Tests of every kind of question, answered on the full screen and line by line with the same script: the asker gets
//! the same.

use crate::inbox::person::{ESC, is_open, open_inbox, send_answers};
use crate::support::emulated_terminal::EmulatedTerminal;
use crate::support::test_world::TestWorld;
use serde_json::{Value, json};

/// A questionnaire with every kind of question, and a follow-up.
pub(crate) fn all_kinds() -> Value {
    let options = |names: &[&str]| -> Vec<Value> {
        let option = |name: &&str| json!({ "id": name.to_lowercase(), "label": name, "description": format!("about {name}") });
        names.iter().map(option).collect()
    };
    let colour = json!({
        "id": "colour", "prompt": "Which colour?", "options": options(&["Red", "Green", "Blue"]), "other": true,
        "children": [{ "id": "shade", "prompt": "Which shade?", "show_if": { "is": "green" } }],
    });
    json!({ "sayso": 1, "title": "All kinds", "questions": [
        colour,
        { "id": "own", "prompt": "Which font?", "options": options(&["Serif", "Sans"]), "other": true },
        { "id": "parts", "prompt": "Which parts?", "multi": true, "options": options(&["Door", "Window", "Roof"]) },
        { "id": "name", "prompt": "What name?", "placeholder": "Heron" },
        { "id": "notes", "prompt": "What is new?", "long": true },
        { "id": "go", "kind": "confirm", "prompt": "Go on?" },
        { "id": "stars", "kind": "rating", "prompt": "How good?", "emoji": true },
        { "id": "share", "kind": "rating", "prompt": "How much?", "min": 0, "max": 20 },
        { "id": "count", "kind": "number", "prompt": "How many?" },
        { "id": "day", "kind": "date", "prompt": "Which day?" },
        { "id": "at", "kind": "time", "prompt": "What time?" },
        { "id": "moment", "kind": "datetime", "prompt": "When exactly?" },
        { "id": "rest", "prompt": "Anything else?", "required": false },
    ]})
}

/// Input for each question: on the full screen, and line by line.
const SCRIPT: &[(&str, &str, &[&str])] = &[
    ("Which colour?", "2\r", &["2"]),
    ("Which shade?", "pale 青\r", &["pale 青"]),
    ("Which font?", "oMono, é\r", &["3", "Mono, é"]),
    ("Which parts?", "13\r", &["1,3"]),
    ("What name?", "鹭 👨‍👩‍👧\r", &["鹭 👨‍👩‍👧"]),
    ("What is new?", "one\r  two\r\rfour\t", &["one", "  two", "", "four", "/done"]),
    ("Go on?", "n\r", &["no"]),
    ("How good?", "4\r", &["4"]),
    ("How much?", "17\r", &["17"]),
    ("How many?", "-2.50\r", &["-2.50"]),
    ("Which day?", "2027-02-28\r", &["2027-02-28"]),
    ("What time?", "07:05\r", &["07:05"]),
    ("When exactly?", "2027-02-28 23:59+01:00\r", &["2027-02-28 23:59+01:00"]),
    ("Anything else?", "", &["/skip"]),
];

fn expected_outcome(answer: impl Into<Value>) -> Value {
    json!({ "state": "answered", "answer": answer.into() })
}

/// Returns the expected outcome.
fn replies() -> Value {
    json!({
        "colour": expected_outcome(json!({ "picks": [{ "option": "green" }] })),
        "shade": expected_outcome(json!({ "text": "pale 青" })),
        "own": expected_outcome(json!({ "picks": [{ "other": "Mono, é" }] })),
        "parts": expected_outcome(json!({ "picks": [{ "option": "door" }, { "option": "roof" }] })),
        "name": expected_outcome(json!({ "text": "鹭 👨‍👩‍👧" })),
        "notes": expected_outcome(json!({ "text": "one\n  two\n\nfour" })),
        "go": expected_outcome(json!({ "confirm": false })),
        "stars": expected_outcome(json!({ "rating": 4 })),
        "share": expected_outcome(json!({ "rating": 17 })),
        "count": expected_outcome(json!({ "number": -2.5 })),
        "day": expected_outcome(json!({ "date": "2027-02-28" })),
        "at": expected_outcome(json!({ "time": "07:05:00" })),
        "moment": expected_outcome(json!({ "datetime": "2027-02-28T23:59:00+01:00" })),
        "rest": { "state": "skipped" },
    })
}

/// Asks it, lets a person answer, and returns the asker's outcome.
fn outcome_of(answer: impl Fn(&TestWorld)) -> Value {
    let world = TestWorld::new();
    let file = world.write("all.json", all_kinds().to_string());
    let asking = world.sayso(["ask", file.to_str().unwrap()]).start();
    world.first_ask();
    answer(&world);
    let ended = asking.wait();
    assert_eq!(ended.exit, 0, "{ended:?}");
    serde_json::from_str(&ended.stdout).unwrap()
}

/// Answers it on the full screen.
fn answer_on_screen(screen: &mut EmulatedTerminal) {
    for (question, keys, _) in SCRIPT {
        screen.expect_text(question);
        screen.type_bytes(keys);
    }
    // Esc leaves the text box, where letters are commands again.
    screen.type_bytes(ESC).expect_text("Enter type");
    screen.type_bytes("-").expect_text("[ Submit: 13 of 14 answered ]");
    send_answers(screen);
}

#[test]
fn screen_and_lines_yield_same_outcome() {
    let by_screen = outcome_of(|world| {
        let mut screen = open_inbox(world);
        screen.expect_text("All kinds");
        screen.type_bytes("\r").wait_for(is_open);
        answer_on_screen(&mut screen);
        screen.type_bytes("q");
        assert_eq!(screen.wait().0, 0);
    });
    assert_eq!(by_screen["replies"], replies());
    for (flags, term) in [(&["--plain"][..], "xterm-256color"), (&[], "dumb")] {
        let by_lines = outcome_of(|world| {
            let (_, id) = world.first_ask();
            let call = world.sayso(["answer", &id].iter().chain(flags)).env("TERM", term);
            let mut terminal = call.on_terminal();
            for (question, _, lines) in SCRIPT {
                terminal.expect(&format!("| {question}\n"));
                lines.iter().for_each(|line| {
                    terminal.line(line);
                });
            }
            terminal.expect("Review> ").line("/submit").expect("Sent.");
            assert_eq!(terminal.wait().exit, 0);
        });
        assert_eq!(by_lines["replies"], by_screen["replies"], "{flags:?} {term}");
    }
}

/// Starts an AUQ asker that waits.
fn colour_question(world: &TestWorld) -> String {
    let options = json!([{ "label": "Red" }, { "label": "Green" }]);
    let question =
        json!({ "prompt": "Which colour?", "title": "Colour", "options": options, "multiSelect": false });
    world.leave_ask(&json!({ "questions": [question] }).to_string(), &["--format", "auq"])
}

#[test]
fn clarification_uses_auq_words() {
    let world = TestWorld::new();
    let id = colour_question(&world);
    let mut inbox = open_inbox(&world);
    inbox.expect_text("1 waiting");
    inbox.type_bytes("\r").expect_text("Choose one. Required.");
    inbox.type_bytes("nless jargon\r").expect_text("less jargon");
    inbox.type_bytes("w").expect_text("will be asked to rephrase");
    inbox.type_bytes("1\x13").expect_text("Check your answers");
    send_answers(&mut inbox);
    let output = world.sayso(["wait", &id]).run().stdout;
    assert!(output.contains("[REPHRASE_REQUEST] Please rephrase question"), "{output}");
    assert!(output.contains("Question index: 0") && output.contains("less jargon"), "{output}");
}

#[test]
fn line_clarification_last_one_wins() {
    let world = TestWorld::new();
    let id = colour_question(&world);
    let mut terminal = world.sayso(["answer", &id, "--plain"]).on_terminal();
    terminal.expect("/help): ").line("/note less jargon").expect("Note kept");
    terminal.expect("/help): ").line("/rephrase").expect("will be asked to rephrase this");
    terminal.expect("/help): ").line("/explain").expect("will be asked to explain this");
    terminal.expect("/help): ").line("1").expect("Sent.");
    assert_eq!(terminal.wait().exit, 0);
    let output = world.sayso(["wait", &id]).run().stdout;
    assert!(output.contains("[ELABORATE_REQUEST]") && output.contains("less jargon"), "{output}");
    assert!(!output.contains("[REPHRASE_REQUEST]"), "{output}");
}

#[test]
fn unsupported_clarification_is_reported() {
    let world = TestWorld::new();
    let id = world.leave_ask(r#"{"questions":[{"kind":"confirm","prompt":"Ship?"}]}"#, &[]);
    let mut terminal = world.sayso(["answer", &id, "--plain"]).on_terminal();
    terminal.expect("/help): ").line("/explain").expect("cannot carry that request. Write it as a note");
}
