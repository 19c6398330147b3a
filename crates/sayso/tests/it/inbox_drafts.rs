//! Tests that typed text is saved promptly: a crash, a hang-up, ^Z or an editor loses nothing.

use crate::emulated::Emulated;
use crate::inbox_person::{asks, is_open, opened, press_until};
use crate::sample::text;
use crate::world::World;
use sayso_core::AskId;
use std::os::unix::fs::PermissionsExt as _;
use std::time::{Duration, Instant};

/// Waits until the draft has these words.
fn wait_for_words(world: &World, id: AskId, words: &str) {
    world.wait_for_draft_where(&id.to_string(), |draft| format!("{draft:?}").contains(words));
}

/// Returns the draft's text.
fn drafted(world: &World, id: AskId) -> String {
    let shown = world.show(&id.to_string());
    shown["draft"]["replies"]["text"]["answer"]["text"].as_str().unwrap_or_default().to_owned()
}

#[test]
fn crash_loses_only_last_moment() {
    let world = World::new();
    let id = asks(&world, &text("Story"), "x");
    let mut kept = String::new();
    for round in 0..8 {
        let mut screen = opened(&world);
        screen.type_("\x1b1").expect("your answer");
        let said = format!("{round}é한👍🏽 ");
        screen.type_(&said).expect("Draft saved");
        let safe = format!("{kept}{said}");
        // A little more is typed each time while it dies.
        let more = "more and more ".repeat(round);
        for word in more.split_inclusive(' ') {
            screen.type_(word);
        }
        screen.kill();
        kept = drafted(&world, id);
        assert!(kept.starts_with(&safe) && format!("{safe}{more}").starts_with(&kept), "{kept:?} {safe:?}");
    }
}

#[test]
fn key_is_saved_promptly() {
    let world = World::new();
    let id = asks(&world, &text("Story"), "x");
    let mut screen = opened(&world);
    screen.expect("Say it.");
    let mut took: Vec<Duration> = (0..5)
        .map(|number| {
            let typed = Instant::now();
            screen.type_(number.to_string());
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
    let world = World::new();
    let id = asks(&world, &text("Story"), "x");
    for (signal, words) in [("TERM", "once "), ("HUP", "upon "), ("INT", "a time")] {
        let mut screen = opened(&world);
        screen.type_("\x1b1").expect("your answer");
        screen.type_(words).expect(words.trim());
        screen.signal(signal);
        screen.wait_for(|screen| !screen.alternate_screen());
        screen.assert_given_back();
        screen.assert_says_only_ours();
        assert_eq!(screen.wait().0, 0, "{signal}");
        assert!(drafted(&world, id).ends_with(words), "{signal}");
    }
    assert_eq!(drafted(&world, id), "once upon a time");
}

#[test]
fn unsent_decline_reason_is_printed() {
    let world = World::new();
    asks(&world, &text("Story"), "x");
    let mut screen = opened(&world);
    screen.expect("Say it.");
    screen.type_("\x13").expect("[ Submit");
    press_until(&mut screen, "d", |screen| screen.contents().contains("Reason (optional)"));
    screen.type_("not on a Friday").expect("not on a Friday");
    screen.signal("TERM");
    screen.wait_for(|screen| !screen.alternate_screen());
    screen.expect("The desk has not taken this reason to decline: not on a Friday");
    screen.assert_given_back();
    assert_eq!(screen.wait().0, 0);
}

#[test]
fn suspend_saves_first() {
    let world = World::new();
    let id = asks(&world, &text("Story"), "x");
    let script = "set -m; \"$0\" \"$@\"; echo stopped; read line; fg; echo ended";
    let mut screen = Emulated::start(&world.sayso([""; 0]).by_shell(script), 24, 80);
    screen.expect("1 q");
    screen.type_("\r").wait_for(is_open);
    screen.expect("Say it.");
    screen.type_("typed and gone\x1a");
    screen.expect("stopped");
    screen.assert_given_back();
    assert_eq!(drafted(&world, id), "typed and gone");
    screen.resize(30, 100).type_("\r");
    screen.wait_for(vt100::Screen::alternate_screen);
    screen.expect("typed and gone");
    screen.type_(" on").expect("typed and gone on");
    wait_for_words(&world, id, "typed and gone on");
    screen.type_("\x03\x03").expect("ended");
    screen.assert_given_back();
}

#[test]
fn tiny_screen_keeps_everything() {
    let world = World::new();
    let id = asks(&world, &text("Story"), "x");
    let mut screen = opened(&world);
    screen.expect("Say it.");
    screen.type_("before ").expect("before");
    screen.resize(5, 20).expect("Nothing is lost.");
    screen.resize(1, 1).resize(24, 80).expect("Say it.");
    screen.expect("before");
    for (rows, columns) in [(8, 32), (200, 300), (12, 40), (24, 80)] {
        screen.resize(rows, columns).expect("before");
    }
    screen.type_("after").expect("before after");
    wait_for_words(&world, id, "before after");
    screen.assert_says_only_ours();
}

fn editor(world: &World, script: &str) -> String {
    let file = world.write("bin/editor", format!("#!/bin/sh\n{script}\n"));
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o755)).unwrap();
    file.to_str().unwrap().to_owned()
}

fn opened_with_editor(world: &mut World, script: &str) -> Emulated {
    let editor = editor(world, script);
    world.set("VISUAL", editor);
    let mut screen = opened(world);
    screen.expect("Say it.");
    screen.type_("first").expect("first");
    screen
}

#[test]
fn external_editor_round_trips_text() {
    let mut world = World::new();
    let id = asks(&world, &text("Story"), "x");
    // It is saved before the editor opens, which may be open for long.
    let script = "echo the editor is open; read line; printf ' %s\\nlast' \"$line\" >> \"$1\"";
    let mut screen = opened_with_editor(&mut world, script);
    screen.type_("\x07").expect("the editor is open");
    screen.assert_given_back();
    wait_for_words(&world, id, "first");
    screen.type_("and second\r").wait_for(vt100::Screen::alternate_screen);
    screen.expect("last");
    wait_for_words(&world, id, "first and second\\nlast");
    screen.type_("!").expect("last!");
    wait_for_words(&world, id, "first and second\\nlast!");
}

#[test]
fn failed_editor_keeps_text() {
    let mut world = World::new();
    let id = asks(&world, &text("Story"), "x");
    let mut screen = opened_with_editor(&mut world, "printf ' lost?' >> \"$1\"; exit 3");
    screen.type_("\x07").expect("exit status: 3");
    let shown = screen.expect("What you typed there");
    let kept = shown.split_whitespace().find(|word| word.contains("/sayso-")).unwrap().trim_end_matches('.');
    assert_eq!(std::fs::read_to_string(kept).unwrap(), "first lost?");
    std::fs::remove_file(kept).unwrap();
    screen.type_("\x1b[27u").expect("Say it.");
    screen.type_(" and on").expect("first and on");
    wait_for_words(&world, id, "first and on");
    world.set("VISUAL", "/nowhere/editor");
    screen.kill();
    let mut screen = opened(&world);
    screen.type_("\x1b1").expect("your answer");
    screen.type_("\x07").expect("/nowhere/editor");
    screen.type_("\x1b[27u!").expect("first and on!");
}
