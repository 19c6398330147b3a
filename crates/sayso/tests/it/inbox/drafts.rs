//! Tests that typed text is saved promptly: a crash, a hang-up, ^Z or an editor loses nothing.

use crate::inbox::person::{is_open, leave_ask, open_only_ask, press_until};
use crate::support::emulated_terminal::EmulatedTerminal;
use crate::support::sample_requests::text;
use crate::support::test_world::TestWorld;
use sayso_core::AskId;
use serde_json::json;
use std::os::unix::fs::PermissionsExt as _;
use std::time::{Duration, Instant};

/// Waits until the draft has these words.
fn wait_for_words(world: &TestWorld, id: AskId, words: &str) {
    world.wait_for_draft_where(&id.to_string(), |draft| format!("{draft:?}").contains(words));
}

/// Returns the draft's text.
fn draft_text(world: &TestWorld, id: AskId) -> String {
    let shown = world.show(&id.to_string());
    shown["draft"]["replies"]["text"]["answer"]["text"].as_str().unwrap_or_default().to_owned()
}

#[test]
fn crash_loses_only_last_moment() {
    let world = TestWorld::new();
    let id = leave_ask(&world, &text("Story"), "x");
    let mut kept = String::new();
    for round in 0..8 {
        let mut screen = open_only_ask(&world);
        screen.type_bytes("\x1b1").expect_text("your answer");
        let words = format!("{round}é한👍🏽 ");
        screen.type_bytes(&words).expect_text("Draft saved");
        let safe = format!("{kept}{words}");
        // A little more is typed each time while it dies.
        let more = "more and more ".repeat(round);
        for word in more.split_inclusive(' ') {
            screen.type_bytes(word);
        }
        screen.kill();
        kept = draft_text(&world, id);
        assert!(kept.starts_with(&safe) && format!("{safe}{more}").starts_with(&kept), "{kept:?} {safe:?}");
    }
}

#[test]
fn slow_terminal_gets_newest_frame_only() {
    // A pseudo-terminal holds four of these frames.
    const ROUNDS: usize = 7;
    let world = TestWorld::new();
    let context: String = (0..200).map(|line| format!("{line} {}\n\n", "words ".repeat(40))).collect();
    let ask = json!({ "context": context, "questions": [{ "id": "text", "prompt": "Say it." }] });
    let id = leave_ask(&world, &ask.to_string(), "x");
    let mut screen = open_only_ask(&world);
    screen.resize(120, 250).type_bytes("\x1b1").expect_text("your answer");
    let before = screen.raw().len();
    let typed = screen.while_stalled(|keyboard| {
        let mut typed = String::new();
        for round in 0..ROUNDS {
            // The whole screen would be drawn again, and what is typed is saved although it is not.
            keyboard.write_all(format!("\x0c{round}").as_bytes()).unwrap();
            typed.push_str(&round.to_string());
            wait_for_words(&world, id, &typed);
        }
        typed
    });
    screen.expect_text(&typed);
    let frame = screen.contents().len();
    let written = screen.raw().len() - before;
    assert!(written + frame < ROUNDS * frame, "{written} bytes, {frame} a frame");
    screen.kill();
}

#[test]
fn key_is_saved_promptly() {
    let world = TestWorld::new();
    let id = leave_ask(&world, &text("Story"), "x");
    let mut screen = open_only_ask(&world);
    screen.expect_text("Say it.");
    let mut took: Vec<Duration> = (0..5)
        .map(|number| {
            let typed = Instant::now();
            screen.type_bytes(number.to_string());
            let so_far: String = (0..=number).map(|number| number.to_string()).collect();
            wait_for_words(&world, id, &so_far);
            typed.elapsed()
        })
        .collect();
    took.sort();
    assert!(took[2] < Duration::from_secs(1), "{took:?}");
}

#[test]
fn sigterm_saves_and_restores_terminal() {
    let world = TestWorld::new();
    let id = leave_ask(&world, &text("Story"), "x");
    for (signal, words) in [("TERM", "once "), ("HUP", "upon "), ("INT", "a time")] {
        let mut screen = open_only_ask(&world);
        screen.type_bytes("\x1b1").expect_text("your answer");
        screen.type_bytes(words).expect_text(words.trim());
        screen.signal(signal);
        screen.wait_for(|screen| !screen.alternate_screen());
        screen.assert_restored();
        screen.assert_only_own_sequences();
        assert_eq!(screen.wait().0, 0, "{signal}");
        assert!(draft_text(&world, id).ends_with(words), "{signal}");
    }
    assert_eq!(draft_text(&world, id), "once upon a time");
}

#[test]
fn unsent_decline_reason_is_printed() {
    let world = TestWorld::new();
    leave_ask(&world, &text("Story"), "x");
    let mut screen = open_only_ask(&world);
    screen.expect_text("Say it.");
    screen.type_bytes("\x13").expect_text("[ Submit");
    press_until(&mut screen, "d", |screen| screen.contents().contains("Reason (optional)"));
    screen.type_bytes("not on a Friday").expect_text("not on a Friday");
    screen.signal("TERM");
    screen.wait_for(|screen| !screen.alternate_screen());
    screen.expect_text("The desk has not accepted this reason to decline: \"not on a Friday\"");
    screen.assert_restored();
    assert_eq!(screen.wait().0, 0);
}

#[test]
fn suspend_saves_first() {
    let world = TestWorld::new();
    let id = leave_ask(&world, &text("Story"), "x");
    let script = "set -m; \"$0\" \"$@\"; echo stopped; read line; fg; echo ended";
    let mut screen = EmulatedTerminal::start(&world.sayso([""; 0]).by_shell(script), 24, 80);
    screen.expect_text("1 q");
    screen.type_bytes("\r").wait_for(is_open);
    screen.expect_text("Say it.");
    screen.type_bytes("typed and gone\x1a");
    screen.expect_text("stopped");
    screen.assert_restored();
    assert_eq!(draft_text(&world, id), "typed and gone");
    screen.resize(30, 100).type_bytes("\r");
    screen.wait_for(vt100::Screen::alternate_screen);
    screen.expect_text("typed and gone");
    screen.type_bytes(" on").expect_text("typed and gone on");
    wait_for_words(&world, id, "typed and gone on");
    screen.type_bytes("\x03\x03").expect_text("ended");
    screen.assert_restored();
}

#[test]
fn tiny_screen_keeps_everything() {
    let world = TestWorld::new();
    let id = leave_ask(&world, &text("Story"), "x");
    let mut screen = open_only_ask(&world);
    screen.expect_text("Say it.");
    screen.type_bytes("before ").expect_text("before");
    screen.resize(5, 20).expect_text("Nothing is");
    screen.resize(1, 1).resize(24, 80).expect_text("Say it.");
    screen.expect_text("before");
    for (rows, columns) in [(8, 32), (200, 300), (12, 40), (24, 80)] {
        screen.resize(rows, columns).expect_text("before");
    }
    screen.type_bytes("after").expect_text("before after");
    wait_for_words(&world, id, "before after");
    screen.assert_only_own_sequences();
}

fn editor_script(world: &TestWorld, script: &str) -> String {
    let file = world.write("bin/editor", format!("#!/bin/sh\n{script}\n"));
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o755)).unwrap();
    file.to_str().unwrap().to_owned()
}

fn open_with_editor(world: &mut TestWorld, script: &str) -> EmulatedTerminal {
    let editor = editor_script(world, script);
    world.set_var("VISUAL", editor);
    let mut screen = open_only_ask(world);
    screen.expect_text("Say it.");
    screen.type_bytes("first").expect_text("first");
    screen
}

#[test]
fn external_editor_round_trips_text() {
    let mut world = TestWorld::new();
    let id = leave_ask(&world, &text("Story"), "x");
    // It is saved before the editor opens, which may be open for long.
    let script = "echo the editor is open; read line; printf ' %s\\nlast' \"$line\" >> \"$1\"";
    let mut screen = open_with_editor(&mut world, script);
    screen.type_bytes("\x07").expect_text("the editor is open");
    screen.assert_restored();
    wait_for_words(&world, id, "first");
    screen.type_bytes("and second\r").wait_for(vt100::Screen::alternate_screen);
    screen.expect_text("last");
    wait_for_words(&world, id, "first and second\\nlast");
    screen.type_bytes("!").expect_text("last!");
    wait_for_words(&world, id, "first and second\\nlast!");
}

#[test]
fn failed_editor_keeps_text() {
    let mut world = TestWorld::new();
    let id = leave_ask(&world, &text("Story"), "x");
    let mut screen = open_with_editor(&mut world, "printf ' lost?' >> \"$1\"; exit 3");
    screen.type_bytes("\x07").expect_text("exit status: 3");
    let shown = screen.expect_text("Your text from the editor");
    let kept = shown.split_whitespace().find(|word| word.contains("/sayso-")).unwrap().trim_end_matches('.');
    assert_eq!(std::fs::read_to_string(kept).unwrap(), "first lost?");
    std::fs::remove_file(kept).unwrap();
    screen.type_bytes("\x1b[27u").expect_text("Say it.");
    screen.type_bytes(" and on").expect_text("first and on");
    wait_for_words(&world, id, "first and on");
    world.set_var("VISUAL", "/nowhere/editor");
    screen.kill();
    let mut screen = open_only_ask(&world);
    screen.type_bytes("\x1b1").expect_text("your answer");
    screen.type_bytes("\x07").expect_text("/nowhere/editor");
    screen.type_bytes("\x1b[27u!").expect_text("first and on!");
}
