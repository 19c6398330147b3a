//! Tests of an ask that ends while the person types: no key reaches the list or the shell.

use crate::inbox::person::{press_after_pause, press_until};
use crate::support::emulated_terminal::EmulatedTerminal;
use crate::support::sample_requests::text;
use crate::support::test_world::TestWorld;
use std::time::{Duration, Instant};

/// Delay between the person's keys.
const KEY: Duration = Duration::from_millis(150);

fn is_over(screen: &vt100::Screen) -> bool {
    screen.contents().contains("This ask has ended")
}

/// Types as soon as the new dialog accepts keys.
fn start_typing(screen: &mut EmulatedTerminal) {
    screen.expect_text("Say it.");
    press_until(screen, "a", |screen| screen.contents().contains("│ a"));
}

#[test]
fn keys_after_end_miss_the_shell() {
    let world = TestWorld::new();
    let asking = world.sayso(["ask", "--here", &text("Hurry")]);
    let mut screen = EmulatedTerminal::start(&asking, 24, 80);
    start_typing(&mut screen);
    screen.type_bytes("half a sentence");
    let id = world.first_ask().1;
    let cancelling = world.sayso(["cancel", &id]).start();
    let begun = Instant::now();
    while !screen.shows_within(KEY, is_over) {
        screen.type_bytes("x");
        assert!(begun.elapsed() < Duration::from_secs(30), "{}", screen.contents());
    }
    // While keys arrive the terminal is not given back.
    for _ in 0..8 {
        screen.type_bytes("q\r");
        let is_given_back = screen.shows_within(KEY, |screen| !screen.alternate_screen());
        assert!(!is_given_back, "{}", screen.contents());
    }
    assert_eq!(cancelling.wait().exit, 0);
    // After a pause a key closes the end. The screen also closes by itself, after longer than a person pauses to think.
    press_after_pause(&mut screen, "q", |screen| !screen.alternate_screen());
    let (exit, printed) = screen.wait();
    assert_eq!(exit, 6, "{printed}");
    assert!(printed.contains("prints it.") && printed.contains("sayso show"), "{printed}");
    let kept = world.sayso(["show", &id]).run();
    assert!(kept.stdout.contains("half a sentence"), "{kept:?}");
}

#[test]
fn idle_screen_exits_after_end() {
    let world = TestWorld::new();
    let asking = world.sayso(["ask", "--here", "--timeout", "2s", &text("Hurry")]);
    let screen = EmulatedTerminal::start(&asking, 24, 80);
    screen.expect_text("Say it.");
    screen.wait_for(|screen| !screen.alternate_screen());
    screen.assert_restored();
    // Nothing else was drawn in between.
    assert!(!String::from_utf8_lossy(&screen.raw()).contains("This ask has ended"));
    assert_eq!(screen.wait().0, 5);
}
