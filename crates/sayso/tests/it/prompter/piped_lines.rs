//! Tests of lines on standard input: no answers to our own commands without permission.

use crate::support::sample_requests::one;
use crate::support::test_world::TestWorld;
use serde_json::json;

const CONSENT: &str = r#"{"questions": [{"kind": "confirm", "prompt": "Delete all?"}]}"#;

#[test]
fn loop_keeps_the_lines_it_reads() {
    let world = TestWorld::new();
    let script = "printf 'a\\nb\\n' | while read -r line; do \"$0\" \"$@\" && echo \"read $line\"; done";
    let mut terminal = world.sayso(["ask", "--plain", &one("H")]).by_shell(script).on_terminal();
    for (line, answer) in [("a", "2"), ("b", "3")] {
        terminal.expect("| Which H?").expect("/help): ").line(answer).expect(&format!("read {line}\n"));
    }
    assert_eq!(terminal.wait().exit, 0);
}

#[test]
fn piped_yes_approves_nothing() {
    let world = TestWorld::new();
    let call = world.sayso(["ask", "--plain", CONSENT]).by_shell("yes | \"$0\" \"$@\"");
    let mut terminal = call.on_terminal();
    terminal.expect("Delete all?").expect("/help): ").line("n").expect("Sent.");
    assert_eq!(terminal.wait().exit, 3);
}

#[test]
fn piped_lines_leave_ask_open() {
    let world = TestWorld::new();
    for (request, answer, exit) in [(one("H"), "2", 0), (CONSENT.to_owned(), "n", 3)] {
        let mut asking = world.sayso(["ask", &request]).start_piped();
        asking.write("y\n1\n".repeat(100).as_bytes());
        asking.end_input();
        asking.stderr.wait_for("sayso answer ", 0);
        let id = world.wait_for_ask(|ask| ask.outcome().is_none()).id.to_string();
        let mut terminal = world.sayso(["answer", "--plain", &id]).on_terminal();
        terminal.expect("/help): ").line(answer).expect("Sent.");
        assert_eq!((terminal.wait().exit, asking.wait().exit), (0, exit));
        assert_eq!(world.show(&id)["phase"]["settled"]["receipt"]["surface"], "prompter");
    }
}

#[test]
fn background_job_asks_at_the_desk() {
    let world = TestWorld::new();
    let script = "set -m; \"$0\" \"$@\" </dev/null & wait $!; echo \"ended with $?\"";
    let mut terminal = world.sayso(["ask", &one("H")]).by_shell(script).on_terminal();
    terminal.expect("sayso answer ");
    let (_, id) = world.first_ask();
    assert_eq!(world.sayso(["cancel", &id]).run().exit, 0);
    terminal.expect("ended with 6");
}

#[test]
fn permitted_lines_answer() {
    let world = TestWorld::new();
    world.allow_scripted_answers();
    let asked = world.sayso(["ask", &one("H")]).run_with("2\n");
    assert_eq!((asked.exit, asked.stdout.as_str()), (0, "{\"answers\":{\"H\":\"B\"}}\n"), "{asked:?}");
    let id = world.leave_ask(&one("I"), &[]);
    let answered = world.sayso(["answer", &id]).run_with("3\n");
    assert_eq!(answered.exit, 0, "{answered:?}");
    let receipt = &world.show(&id)["phase"]["settled"]["receipt"];
    assert_eq!([&receipt["surface"], &receipt["assurance"]], [&json!("pipe"), &json!("scripted")]);
}

#[test]
fn permitted_lines_never_consent() {
    let world = TestWorld::new();
    world.allow_scripted_answers();
    let action = r#"{"action": {"tool": "shell", "act": {"shell": {"command": "rm -r /srv"}}}, "questions": [{"prompt": "Which?", "options": ["All", "None"]}]}"#;
    // An optional question does not make it a form.
    let with_comment = CONSENT.replace("}]}", r#"}, {"prompt": "Why?", "required": false}]}"#);
    for request in [CONSENT, action, &with_comment] {
        let mut asking = world.sayso(["ask", request]).start_piped();
        asking.write("1\n/submit\ny\n".repeat(100).as_bytes());
        asking.end_input();
        asking.stderr.wait_for("sayso answer ", 0);
        let id = world.wait_for_ask(|ask| ask.outcome().is_none()).id.to_string();
        let answering = world.sayso(["answer", &id]).run_with("1\n/submit\ny\n");
        assert_eq!((answering.exit, answering.stdout.as_str()), (2, ""), "{answering:?}");
        assert_eq!(world.show(&id)["state"], "open");
        assert_eq!(world.sayso(["cancel", &id]).run().exit, 0);
        assert_eq!(asking.wait().exit, 6);
    }
}

#[test]
fn answering_by_lines_needs_permission() {
    let world = TestWorld::new();
    let id = world.leave_ask(&one("H"), &[]);
    let answering = world.sayso(["answer", &id]).run_with("2\n");
    assert_eq!(answering.exit, 2, "{answering:?}");
    assert_eq!(world.show(&id)["state"], "open");
}
