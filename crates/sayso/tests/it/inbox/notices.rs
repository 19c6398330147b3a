//! Tests of notifications: a person who looks elsewhere gets one the way the terminal supports, one who looks on gets
//! none.

use crate::inbox::person::{leave_ask, open_inbox, open_inbox_by};
use crate::support::emulated_terminal::EmulatedTerminal;
use crate::support::program::program_output::LIMIT;
use crate::support::sample_requests::text;
use crate::support::test_world::TestWorld;
use std::os::unix::fs::PermissionsExt as _;

/// Sends the terminal's report of a lost focus.
const AWAY: &str = "\x1b[O";
const BACK: &str = "\x1b[I";

/// Returns the number of times that these bytes were written.
fn count(emulated: &EmulatedTerminal, bytes: &[u8]) -> usize {
    emulated.raw().windows(bytes.len()).filter(|window| *window == bytes).count()
}

#[test]
fn each_terminal_gets_its_notification() {
    let words = "An agent has a question";
    let osc9 = format!("\x1b]9;{words}\x07");
    let ways = [
        (&[("TERM_PROGRAM", "iTerm.app")][..], osc9.clone()),
        (&[("TERM_PROGRAM", "WezTerm")], osc9.clone()),
        (&[("TERM", "xterm-ghostty")], osc9.clone()),
        (&[("TERM", "xterm-kitty")], format!("\x1b]99;i=sayso;{words}\x1b\\")),
        (&[("TERM", "foot")], format!("\x1b]777;notify;Sayso;{words}\x07")),
        (
            &[("TERM", "tmux-256color"), ("TMUX", "/tmp/tmux-0/default,1,0")],
            format!("\x1bPtmux;\x1b\x1b]9;{words}\x07\x1b\\\x07"),
        ),
        (&[("TERM", "xterm-256color"), ("TERM_PROGRAM", "Apple_Terminal")], "\x07".to_owned()),
    ];
    for (variables, notice) in ways {
        let world = TestWorld::new();
        let call = variables.iter().fold(world.sayso([""; 0]), |call, (name, value)| call.env(name, value));
        let mut inbox = open_inbox_by(&call);
        inbox.type_bytes(BACK).type_bytes("?").expect_text("Keys");
        inbox.type_bytes("q").expect_text("No questions are waiting.");
        leave_ask(&world, &text("Secret plan"), "x");
        inbox.expect_text("1 waiting");
        assert_eq!(count(&inbox, notice.as_bytes()), 0, "{variables:?}: it has the focus");
        inbox.type_bytes(AWAY);
        // The focus report has been handled once a later key shows.
        inbox.type_bytes("?").expect_text("Keys");
        leave_ask(&world, &text("Another plan"), "x");
        inbox.expect_bytes(notice.as_bytes());
        inbox.type_bytes("q").expect_text("2 waiting");
        inbox.type_bytes(BACK).type_bytes("?").expect_text("Keys");
        let report = count(&inbox, notice.as_bytes());
        leave_ask(&world, &text("Third plan"), "x");
        inbox.type_bytes("q").expect_text("3 waiting");
        assert_eq!(count(&inbox, notice.as_bytes()), report, "{variables:?}");
        inbox.assert_only_own_sequences();
        let raw = String::from_utf8_lossy(&inbox.raw()).into_owned();
        let says_what = |command: &str| {
            command.split(['\x07', '\x1b']).next().is_some_and(|content| content.contains("plan"))
        };
        assert!(!raw.split("\x1b]").skip(1).any(says_what), "what is asked is nobody else's: {raw:?}");
        inbox.kill();
    }
}

#[test]
fn tmux_without_focus_notifies_each_ask() {
    let world = TestWorld::new();
    let tmux = world.sayso([""; 0]).env("TERM", "tmux-256color").env("TMUX", "/tmp/tmux-0/default,1,0");
    let inbox = open_inbox_by(&tmux);
    leave_ask(&world, &text("Story"), "x");
    inbox.expect_bytes(b"\x1bPtmux;\x1b\x1b]9;An agent has a question\x07\x1b\\\x07");
    inbox.kill();
}

#[test]
fn window_title_counts_waiting_asks() {
    let world = TestWorld::new();
    let mut inbox = open_inbox(&world);
    inbox.expect_bytes(b"\x1b]2;Sayso (0)\x1b\\");
    leave_ask(&world, &text("First"), "x");
    inbox.expect_bytes(b"\x1b]2;Sayso (1)\x1b\\");
    inbox.type_bytes("q");
    inbox.wait_for(|screen| !screen.alternate_screen());
    inbox.assert_restored();
}

#[test]
fn history_view_is_notified_too() {
    let world = TestWorld::new();
    let call = world.sayso([""; 0]).env("TERM", "xterm-256color").env("TERM_PROGRAM", "Apple_Terminal");
    let mut inbox = open_inbox_by(&call);
    inbox.type_bytes("h").expect_text("No ask has ended yet.");
    inbox.type_bytes(AWAY).type_bytes("?").expect_text("Keys");
    inbox.type_bytes("q").expect_text("No ask has ended yet.");
    let bells = count(&inbox, b"\x07");
    leave_ask(&world, &text("First"), "x");
    inbox.expect_bytes(b"\x1b]2;Sayso (1)\x1b\\");
    leave_ask(&world, &text("Second"), "x");
    inbox.expect_bytes(b"\x1b]2;Sayso (2)\x1b\\");
    // A return to the list does not notify again.
    inbox.type_bytes("h").expect_text("2 waiting");
    assert_eq!(count(&inbox, b"\x07") - bells, 2);
    inbox.kill();
}

#[test]
fn single_ask_window_ignores_others() {
    let world = TestWorld::new();
    let id = leave_ask(&world, &text("First"), "x").to_string();
    leave_ask(&world, &text("Second"), "x");
    let screen = EmulatedTerminal::start(&world.sayso(["answer", &id]), 24, 80);
    screen.expect_text("Say it.");
    screen.expect_bytes(b"\x1b]2;Sayso\x1b\\");
    assert_eq!(count(&screen, b"\x1b]2;Sayso ("), 0);
    screen.kill();
}

#[test]
fn window_title_shows_progress() {
    let world = TestWorld::new();
    leave_ask(&world, &crate::support::sample_requests::release("1.0"), "x");
    let mut screen = open_inbox_by(&world.sayso([""; 0]).env("TERM_PROGRAM", "ghostty"));
    screen.expect_text("1.0");
    screen.type_bytes("\r").expect_text("What is it called?");
    screen.expect_bytes(b"\x1b]9;4;1;0\x07");
    screen.type_bytes("Heron\r").expect_text("1/3");
    screen.expect_bytes(b"\x1b]9;4;1;33\x07");
    screen.type_bytes("\x03\x03").wait_for(|screen| !screen.alternate_screen());
    screen.assert_only_own_sequences();
    let raw = screen.raw();
    let last = |bytes: &[u8]| raw.windows(bytes.len()).rposition(|window| window == bytes);
    assert!(last(b"\x1b]9;4;0\x07") > last(b"\x1b]9;4;1;33\x07"), "the window still shows progress");
}

#[test]
fn custom_command_gets_count() {
    let world = TestWorld::new();
    let report = world.path("told");
    assert!(std::process::Command::new("mkfifo").arg(&report).status().unwrap().success());
    let script = world.write("bin/tell", format!("#!/bin/sh\necho \"$@\" > {}\n", report.display()));
    std::fs::set_permissions(&script, std::fs::Permissions::from_mode(0o755)).unwrap();
    world.write(
        "config/sayso/config.toml",
        format!("[screen]\nnotify = \"{} new asks:\"\n", script.display()),
    );
    let mut inbox = open_inbox(&world);
    inbox.type_bytes(AWAY).type_bytes("?").expect_text("Keys");
    leave_ask(&world, &text("First"), "x");
    let (reply, receiver) = std::sync::mpsc::channel();
    std::thread::spawn(move || reply.send(std::fs::read_to_string(report)));
    assert_eq!(receiver.recv_timeout(LIMIT).unwrap().unwrap(), "new asks: 1\n");
}
