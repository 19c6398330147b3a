//! Tests of interruptions: ^C, ^D, a hang-up, and a reader that exits before the answer.

use crate::support::program::signal;
use crate::support::sample_requests::{one, release, text, two_questions};
use crate::support::test_world::TestWorld;
use serde_json::json;

#[test]
fn interrupt_at_spec_prompt() {
    let world = TestWorld::new();
    let mut terminal = world.ask_user_question([two_questions()]).on_terminal_with_stdout_file();
    terminal.expect("Which One?").expect(": ").line("2").expect("Which Two?").expect(": ").keys("\u{3}");
    let seen = terminal.wait();
    assert_eq!((seen.exit, seen.stdout.as_str()), (130, ""), "{seen:?}");
    assert!(seen.screen.ends_with("\r\nCommand execution interrupted.\r\n"), "{seen:?}");
    let (_, id) = world.first_ask();
    let shown = world.show(&id);
    assert_eq!([&shown["state"], &shown["draft"]["rev"]], [&json!("open"), &json!(1)]);
    let mut again = world.ask_user_question([two_questions()]).on_terminal_with_stdout_file();
    again.expect("Draft found: 1 of 2 answered.").expect("Which Two?").expect(": ").line("1");
    assert_eq!(again.wait().stdout, "{\"answers\":{\"One\":\"B\",\"Two\":\"C\"}}\n");
}

#[test]
fn interrupt_before_typing() {
    let world = TestWorld::new();
    let mut terminal = world.ask_user_question([one("H")]).on_terminal_with_stdout_file();
    terminal.expect("0 for custom: ").keys("\u{3}");
    let seen = terminal.wait();
    assert_eq!((seen.exit, seen.stdout.as_str()), (130, ""), "{seen:?}");
    assert_eq!(world.show(&world.first_ask().1)["state"], "open");
}

#[test]
fn interrupt_prints_resume_hint() {
    let world = TestWorld::new();
    let mut asking = world.sayso(["ask", &release("1.0")]).on_terminal_with_stdout_file();
    asking.expect("/help): ").line("Heron").expect("Recorded: \"Heron\".").expect("/help): ").keys("\u{3}");
    let seen = asking.wait();
    let (_, id) = world.first_ask();
    let words = format!("to continue: sayso answer {}\r\n", &id[id.len() - 8..]);
    assert_eq!((seen.exit, seen.stdout.as_str()), (130, ""), "{seen:?}");
    assert!(seen.screen.ends_with(&words), "{seen:?}");
    assert_eq!(seen.screen.matches("sayso answer").count(), 1, "it is said once: {seen:?}");
    let mut answering = world.sayso(["answer", &id]).on_terminal();
    answering.expect("Draft found: 1 of 3 answered.").expect("/help): ").keys("\u{3}");
    let seen = answering.wait();
    assert!(seen.exit == 130 && seen.screen.ends_with(&words), "{seen:?}");
    assert_eq!(world.show(&id)["draft"]["replies"]["name"]["answer"]["text"], "Heron");
}

#[test]
fn eof_first_leaves_ask_open() {
    let json = one("H");
    for (command, hint) in [("AskUserQuestion", "0 for custom: "), ("ask", "or /help): ")] {
        let world = TestWorld::new();
        let mut terminal = world.sayso([command, &json]).on_terminal_with_stdout_file();
        terminal.expect(hint).keys("\u{4}");
        let (_, id) = world.first_ask();
        let words = format!(
            "The question is waiting at the desk {}. To answer it in another terminal: sayso answer {}\n",
            world.desk_file().display(),
            &id[id.len() - 8..]
        );
        terminal.expect(&words);
        let mut other = world.sayso(["answer", &id]).on_terminal();
        other.expect("/help): ").line("3").expect("Sent.");
        assert_eq!(other.wait().exit, 0);
        let seen = terminal.wait();
        assert_eq!((seen.exit, seen.stdout.as_str()), (0, "{\"answers\":{\"H\":\"C\"}}\n"), "{seen:?}");
    }
}

#[test]
fn interrupt_ends_desk_wait() {
    let json = one("H");
    for command in [&["AskUserQuestion", &json][..], &["ask", "--elsewhere", &json]] {
        let world = TestWorld::new();
        let mut terminal = world.sayso(command).on_terminal_with_stdout_file();
        if command[0] == "AskUserQuestion" {
            terminal.expect("0 for custom: ").keys("\u{4}");
        }
        terminal.expect("The question is waiting at the desk ").expect("sayso answer ").keys("\u{3}");
        let seen = terminal.wait();
        assert!(seen.exit != 0 && seen.stdout.is_empty(), "{seen:?}");
        assert_eq!(world.show(&world.first_ask().1)["state"], "open");
    }
}

#[test]
fn eof_after_line_keeps_draft() {
    let world = TestWorld::new();
    let id = world.leave_ask(&release("1.0"), &[]);
    let mut terminal = world.sayso(["answer", &id]).on_terminal();
    terminal.expect("/help): ").line("Heron").expect("What is new?").expect("/help): ").keys("\u{4}");
    let seen = terminal.wait();
    assert_eq!(seen.exit, 4, "{seen:?}");
    assert_eq!(world.show(&id)["draft"]["replies"]["name"]["answer"]["text"], "Heron");
    let mut asking = world.sayso(["ask", &release("1.0")]).on_terminal_with_stdout_file();
    asking.expect("Draft found: 1 of 3").expect("/help): ").line("all").expect("When?").keys("\u{4}");
    let seen = asking.wait();
    assert_eq!((seen.exit, seen.stdout.as_str()), (4, ""), "{seen:?}");
}

#[test]
fn hangup_loses_nothing() {
    let world = TestWorld::new();
    let id = world.leave_ask(&release("1.0"), &[]);
    let mut terminal = world.sayso(["answer", &id]).on_terminal();
    terminal.expect("/help): ").line("Heron").expect("Recorded: \"Heron\".");
    signal(terminal.pid, "HUP");
    terminal.wait();
    assert_eq!(world.show(&id)["draft"]["replies"]["name"]["answer"]["text"], "Heron");
}

#[test]
fn undelivered_answer_can_be_fetched() {
    for command in ["AskUserQuestion", "ask"] {
        let world = TestWorld::new();
        let asking = world.sayso([command, &one("H")]).start_with_closed_stdout();
        let (_, id) = world.first_ask();
        let mut terminal = world.sayso(["answer", &id]).on_terminal();
        terminal.expect("/help): ").line("2").expect("Sent.");
        assert_eq!(terminal.wait().exit, 0);
        let ended = asking.wait();
        assert_ne!(ended.exit, 0, "{ended:?}");
        assert!(!ended.stderr.contains("panicked"), "{ended:?}");
        let delivered =
            || world.json(&["list", "--state", "answered", "--json"])["asks"][0]["delivered"].clone();
        assert_eq!(delivered(), false);
        assert_eq!(world.sayso(["wait", &id]).run().parts(), (0, "{\"answers\":{\"H\":\"B\"}}\n", ""));
        assert_eq!(delivered(), true);
    }
}

#[test]
fn broken_pipe_ends_quietly() {
    let world = TestWorld::new();
    let id = world.leave_ask(&text("T"), &[]);
    for command in
        [&["list"][..], &["show", &id], &["--help"], &["completions", "bash"], &["schema", "sayso"]]
    {
        let ended = world.sayso(command).start_with_closed_stdout().wait();
        assert_eq!((ended.exit, ended.stderr.as_str()), (0, ""), "{command:?}");
    }
}
