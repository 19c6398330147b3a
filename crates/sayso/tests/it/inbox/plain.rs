//! Tests of places without a full screen, and of what `sayso ask` shows on one.

use crate::inbox::person::{leave_ask, press_until, send_answers, send_until};
use crate::support::emulated_terminal::EmulatedTerminal;
use crate::support::sample_requests::text;
use crate::support::test_world::TestWorld;
use portable_pty::{PtySize, native_pty_system};
use sayso_core::model::ask::AttentionState;
use sayso_desk::{Desk, Interest};
use sayso_terminal::{InputLines, LineEvent};
use serde_json::{Value, json};
use std::fs::OpenOptions;
use std::io::{Read, Write};
use std::time::Duration;

const MAY_I: &str = r#"{"questions": [{"id": "go", "kind": "confirm", "prompt": "Ship it?"}]}"#;
const SCREEN: &[u8] = b"\x1b[?1049h";

fn has_screen(emulated: &EmulatedTerminal) -> bool {
    emulated.raw().windows(SCREEN.len()).any(|window| window == SCREEN)
}

#[test]
fn plain_setting_gives_lines() {
    let world = TestWorld::new();
    let id = leave_ask(&world, &text("Story"), "x").to_string();
    let ways = [
        ("TERM", "dumb", None),
        ("SAYSO_PLAIN", "1", None),
        ("ACCESSIBLE", "1", None),
        ("LANG", "C", Some(["inbox", "--plain"])),
    ];
    for (name, value, flag) in ways {
        let mut inbox = vec![];
        let mut answer = vec!["answer", &id];
        inbox.extend(flag.into_iter().flatten());
        answer.extend(flag.map(|words| words[1]));
        let mut read = EmulatedTerminal::start(&world.sayso(inbox).env(name, value), 24, 80);
        let screen = read.expect_text("Enter answers:");
        assert!(screen.contains("\"Say it.\" One line of text."), "{screen}");
        read.type_bytes("quit\r");
        assert!(!read.raw().contains(&0x1b), "{name}");
        assert_eq!(read.wait().0, 0);
        let lines = EmulatedTerminal::start(&world.sayso(answer).env(name, value), 24, 80);
        lines.expect_text("Question 1 of 1");
        assert!(!has_screen(&lines) && !lines.raw().contains(&0x1b), "{name}");
        lines.kill();
    }
    let read = EmulatedTerminal::start(&world.sayso(["--plain"]), 24, 80);
    read.expect_text("Enter answers:");
    assert!(!has_screen(&read) && !read.raw().contains(&0x1b));
    read.kill();
    let lines = EmulatedTerminal::start(&world.sayso(["--plain", "answer", &id]), 24, 80);
    lines.expect_text("Question 1 of 1");
    assert!(!has_screen(&lines));
    lines.kill();
    world.write("config/sayso/config.toml", "[screen]\nplain = true\n");
    let lines = EmulatedTerminal::start(&world.sayso(["answer", &id]), 24, 80);
    lines.expect_text("Question 1 of 1");
    assert!(!has_screen(&lines));
    lines.kill();
}

#[test]
fn piped_output_is_a_list() {
    let world = TestWorld::new();
    leave_ask(&world, &text("Story"), "x");
    for (name, value) in [("LANG", "C"), ("SAYSO_PLAIN", "1")] {
        let terminal = world.sayso([""; 0]).env(name, value).on_terminal_with_stdout_file();
        let seen = terminal.wait();
        assert!(seen.exit == 0 && seen.stdout.contains("Story") && !seen.stdout.contains('\x1b'), "{seen:?}");
        assert!(!seen.screen.contains('\x1b'), "{seen:?}");
    }
    // Its own option asks for lines, which a speech program reads there.
    let world = TestWorld::new();
    leave_ask(&world, MAY_I, "x");
    let mut terminal = world.sayso(["--plain"]).on_terminal_with_stdout_file();
    world.wait_for_ask(|ask| ask.state.attention == AttentionState::Seen);
    terminal.line("quit");
    let seen = terminal.wait();
    assert!(seen.exit == 0 && seen.stdout.contains("\"x\" asks:\n| Ship it?\ny or n: "), "{seen:?}");
}

#[test]
fn begun_line_is_not_interrupted() {
    let world = TestWorld::new();
    let id = leave_ask(&world, MAY_I, "x").to_string();
    let mut inbox = world.sayso(["--plain"]).on_terminal();
    inbox.expect("y or n: ").keys("n nit").expect("n nit");
    leave_ask(&world, &text("Story"), "x");
    inbox.keys("\x7f\x7f").keys("ot now\r").expect("You answered no.").expect("\"Say it.\"").line("quit");
    let seen = inbox.wait();
    assert!(seen.screen.contains("y or n: n nit\x08 \x08\x08 \x08ot now\r\n"), "{seen:?}");
    assert_eq!(world.show(&id)["phase"]["settled"]["replies"]["go"]["note"], "not now");
}

#[test]
fn begun_line_can_be_corrected() {
    let rows = [
        ("n nit", "\x7f\x7fot now\r", "n not now"),
        ("yes", "\x7f\x7f\x7fn\r", "n"),
        ("是", "\x15否\r", "否"),
        ("", "y\r", "y"),
    ];
    let world = TestWorld::new();
    let mut watch = world.desk().watch(Interest::All, None).unwrap();
    for (begun, rest, line) in rows {
        let pair = native_pty_system().openpty(PtySize::default()).unwrap();
        let terminal = pair.master.tty_name().unwrap();
        let terminal = OpenOptions::new().read(true).write(true).open(terminal).unwrap();
        let mut input = InputLines::new(terminal, None);
        let mut keys = pair.master.take_writer().unwrap();
        keys.write_all(begun.as_bytes()).unwrap();
        let mut echo = vec![0; begun.len()];
        pair.master.try_clone_reader().unwrap().read_exact(&mut echo).unwrap();
        assert_eq!(input.is_typing().unwrap(), !begun.is_empty(), "{begun}");
        keys.write_all(rest.as_bytes()).unwrap();
        let event = loop {
            match input.next_event(&mut *watch, Duration::MAX).unwrap() {
                LineEvent::Timeout => {}
                event => break event,
            }
        };
        assert_eq!(event, LineEvent::Line(line.to_owned()));
        assert!(!input.is_typing().unwrap(), "{begun}");
    }
}

#[test]
fn agent_shell_never_gets_screen() {
    let world = TestWorld::new();
    let id = leave_ask(&world, &text("Story"), "x").to_string();
    for args in [&[][..], &["inbox"], &["answer", &id]] {
        let agent = EmulatedTerminal::start(&world.sayso(args).env("CLAUDECODE", "1"), 24, 80);
        agent.wait_for(|screen| !screen.contents().trim().is_empty());
        let raw = has_screen(&agent);
        let ended = agent.wait();
        assert!(!raw && !ended.1.contains("Say it."), "{args:?} {ended:?}");
    }
    let asking =
        EmulatedTerminal::start(&world.sayso(["ask", &text("Another")]).env("CLAUDECODE", "1"), 24, 80);
    world.wait_for_ask(|ask| ask.request.questionnaire.title.as_deref() == Some("Another"));
    asking.wait_for(|screen| !screen.contents().trim().is_empty());
    assert!(!has_screen(&asking));
    assert_eq!(world.show(&id)["state"], "open");
    asking.kill();
}

#[test]
fn ask_on_terminal_opens_screen() {
    let world = TestWorld::new();
    let request = serde_json::json!({ "sayso": 1, "title": "Way", "questions": [
        { "id": "way", "prompt": "Which way?", "options": [{ "label": "North" }, { "label": "South" }] },
    ]});
    let mut screen = EmulatedTerminal::start(&world.sayso(["ask", &request.to_string()]), 24, 80);
    // Early input was meant for something else: it answers nothing and leaves nothing.
    screen.type_bytes("2\rqx\r");
    screen.expect_text("Which way?");
    assert!(!screen.contents().contains("(•)"), "{}", screen.contents());
    press_until(&mut screen, "1", |screen| screen.contents().contains("(•) 1"));
    screen.type_bytes("\x1b0").expect_text("[ Submit");
    send_until(&mut screen, |screen| !screen.alternate_screen());
    let screen_after = screen.expect_text("\"picks\"");
    assert!(screen_after.contains("Way: Sent."), "{screen_after}");
    screen.assert_restored();
    screen.assert_only_own_sequences();
    assert_eq!(screen.wait().0, 0);
    let outcome: Value = world.json(&["list", "--state", "answered", "--json"]);
    assert_eq!(outcome["asks"][0]["title"], "Way");
}

#[test]
fn leaving_own_ask_keeps_draft() {
    let world = TestWorld::new();
    let mut screen = EmulatedTerminal::start(&world.sayso(["ask", &text("Story")]), 24, 80);
    screen.expect_text("Say it.");
    // Letters that occur in no name of a parent folder.
    press_until(&mut screen, "ä", |screen| screen.contents().contains("ää"));
    let (id, _) = world.first_ask();
    screen.type_bytes("\x1b[27u\x1b[27u").expect_text("Press Esc again to leave.");
    screen.type_bytes("\x1b[27u").wait_for(|screen| !screen.alternate_screen());
    let ended = screen.wait();
    assert_eq!(ended.0, 4, "{ended:?}");
    world.wait_for_draft(id, 1);
    let mut again = crate::inbox::person::open_only_ask(&world);
    again.expect_text("ää");
    again.type_bytes("\x1b0").expect_text("[ Submit");
    send_answers(&mut again);
}

#[test]
fn auq_uses_screen_and_prints_text() {
    let world = TestWorld::new();
    let request = json!({"questions": [{"title": "Database", "prompt": "Which database?",
        "options": [{"label": "PostgreSQL"}, {"label": "SQLite"}]}]});
    let mut screen = EmulatedTerminal::start(&world.auq(["ask", &request.to_string()]), 24, 80);
    screen.expect_text("Choose one. Required.");
    assert!(has_screen(&screen));
    press_until(&mut screen, "2", |screen| screen.contents().contains("(•) 2"));
    screen.type_bytes("\x1b0").expect_text("[ Submit");
    send_until(&mut screen, |screen| !screen.alternate_screen());
    screen.expect_text("→ SQLite");
    assert_eq!(screen.wait().0, 0);
}
