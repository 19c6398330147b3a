//! Tests of an ask's life in the inbox: it appears at once, is opened, answered or declined, and can be read
//! afterwards.

use crate::inbox::person::{
    ESC, confirm_decline, is_open, leave_ask, open_inbox, open_only_ask, selected_row, send_answers,
};
use crate::support::emulated_terminal::EmulatedTerminal;
use crate::support::sample_requests::{one, text};
use crate::support::test_world::TestWorld;
use serde_json::{Value, json};
use std::time::{Duration, Instant};
use vt100::Screen;

/// Returns true if the ask with this title is selected.
fn is_selected(title: &str) -> impl Fn(&Screen) -> bool {
    move |screen| selected_row(screen).is_some_and(|row| row.contains(title))
}

/// Returns true if the titles appear in this order.
fn are_in_order(titles: &[&str]) -> impl Fn(&Screen) -> bool {
    move |screen| {
        let words = screen.contents();
        let places: Vec<_> = titles.iter().map(|title| words.find(title)).collect();
        places.iter().all(Option::is_some) && places.is_sorted()
    }
}

#[test]
fn new_ask_keeps_focus() {
    let world = TestWorld::new();
    leave_ask(&world, &text("First"), "one");
    leave_ask(&world, &text("Second"), "two");
    let mut inbox = open_inbox(&world);
    inbox.wait_for(is_selected("First"));
    inbox.type_bytes("j").wait_for(is_selected("Second"));
    let asking = world.sayso(["ask", "--from", "builder", &one("Third")]).start();
    let screen = inbox.expect_text("Which Third?");
    assert!(screen.contains("3 waiting"), "{screen}");
    // The third has a waiting asker, so it comes first; the selection stays.
    inbox.wait_for(are_in_order(&["Third?", "First", "Second"]));
    inbox.wait_for(is_selected("Second"));
    assert!(asking.kill_9());
    inbox.type_bytes("\r").wait_for(is_open);
    inbox.expect_text("Say it.");
}

#[test]
fn wakeup_redraws_promptly() {
    let world = TestWorld::new();
    let inbox = open_inbox(&world);
    let mut took: Vec<Duration> = (0..20)
        .map(|number| {
            let title = format!("Number {number:02}");
            let new = text(&title);
            leave_ask(&world, &new, "many");
            let committed = Instant::now();
            inbox.expect_text(&format!("{} waiting", number + 1));
            committed.elapsed()
        })
        .collect();
    took.sort();
    // Well above the usual time, and well below the fallback poll of a second.
    assert!(took[10] < Duration::from_millis(500), "{took:?}");
}

#[test]
fn decline_reason_reaches_asker() {
    let world = TestWorld::new();
    let asking = world.sayso(["ask", &text("Deploy?")]).start();
    world.first_ask();
    let mut screen = open_only_ask(&world);
    screen.expect_text("Say it.");
    screen.type_bytes("half an ans").type_bytes("\x1b0").expect_text("Check your answers");
    screen.type_bytes("d").expect_text("Decline this request?");
    // Esc goes back and declines nothing.
    screen.type_bytes(ESC).wait_for(|screen| !screen.contents().contains("Decline this request?"));
    screen.type_bytes("d").expect_text("Decline this request?");
    screen.type_bytes("not on a Friday 🐟").expect_text("not on a Friday 🐟");
    confirm_decline(&mut screen);
    let ended = asking.wait();
    let outcome: Value = serde_json::from_str(&ended.stdout).unwrap();
    assert_eq!(
        (ended.exit, &outcome["outcome"], &outcome["reason"]),
        (3, &json!("declined"), &json!("not on a Friday 🐟")),
        "{ended:?}"
    );
    screen.type_bytes("q");
    assert_eq!(screen.wait().0, 0);
}

#[test]
fn list_decline_asks_for_confirmation() {
    let world = TestWorld::new();
    let asking = world.sayso(["ask", &text("Deploy?")]).start();
    let mut inbox = open_inbox(&world);
    inbox.wait_for(is_selected("Deploy?"));
    inbox.type_bytes("d").expect_text("Decline this request?");
    inbox.type_bytes(ESC).wait_for(|screen| !screen.contents().contains("Decline this request?"));
    inbox.type_bytes("d").expect_text("Decline this request?");
    confirm_decline(&mut inbox);
    assert_eq!(asking.wait().exit, 3);
    inbox.expect_text("No questions are waiting.");
}

fn history_of_two(world: &TestWorld) -> EmulatedTerminal {
    for (title, words) in [("Name of the heron", "Ada Egret"), ("Colour of the door", "green\nlike grass")] {
        leave_ask(world, &text(title), "painter");
        let mut screen = open_only_ask(world);
        screen.expect_text("Say it.");
        screen.type_bytes(format!("\x1b[200~{words}\x1b[201~")).expect_text(words.lines().last().unwrap());
        screen.type_bytes("\x1b0").expect_text("Check your answers");
        send_answers(&mut screen);
        screen.expect_text("No questions are waiting.");
        screen.type_bytes("q");
        assert_eq!(screen.wait().0, 0);
    }
    let mut inbox = open_inbox(world);
    inbox.type_bytes("\t").wait_for(are_in_order(&["history", "Colour of the door", "Name of the heron"]));
    inbox
}

#[test]
fn ended_ask_is_searchable_with_receipt() {
    let world = TestWorld::new();
    let mut history = history_of_two(&world);
    history.type_bytes("/egr").wait_for(|screen| !screen.contents().contains("Colour of"));
    // Enter opens what has been drawn: keys that arrive with the words would only end the search.
    history.type_bytes("\x15heron").wait_for(|screen| {
        let words = screen.contents();
        words.contains("/heron") && words.contains("Name of the heron") && !words.contains("Colour of")
    });
    history.type_bytes("\r").expect_text("by ada at ");
    let screen = history.expect_text("Ada Egret");
    assert!(screen.contains("full screen") || screen.contains("inbox"), "{screen}");
    // Keys change nothing there.
    history.type_bytes("1ad\x13 ").expect_text("Ada Egret");
    history.type_bytes(ESC).wait_for(|screen| !screen.contents().contains("by ada at "));
    history.type_bytes(ESC).wait_for(are_in_order(&["history", "Colour of the door", "Name of the heron"]));
    history.type_bytes("g").wait_for(is_selected("Colour of the door"));
    history.type_bytes("\r").wait_for(are_in_order(&["green", "like grass"]));
    history.type_bytes("q").wait_for(|screen| !screen.contents().contains("like grass"));
    history.type_bytes("\t").expect_text("No questions are waiting.");
}

#[test]
fn list_is_filtered_and_sorted() {
    let world = TestWorld::new();
    leave_ask(&world, &text("Alpha"), "painter");
    leave_ask(&world, &text("Beta"), "builder");
    let asking = world.sayso(["ask", "--timeout", "2h", "--from", "cron", &text("Gamma")]).start();
    world.wait_for_ask(|ask| ask.request.asker.name == "cron");
    let mut inbox = open_inbox(&world);
    inbox.wait_for(are_in_order(&["waiting agents first", "Gamma", "Alpha", "Beta"]));
    inbox.expect_text("agent waits");
    inbox.type_bytes("s").wait_for(are_in_order(&["oldest first", "Alpha", "Beta", "Gamma"]));
    inbox.type_bytes("s").wait_for(are_in_order(&["newest first", "Gamma", "Beta", "Alpha"]));
    inbox.type_bytes("s").wait_for(are_in_order(&["earliest deadline first", "Gamma", "Alpha", "Beta"]));
    inbox.type_bytes("/BUILD").wait_for(|screen| !screen.contents().contains("Alpha"));
    inbox.wait_for(is_selected("Beta"));
    inbox.type_bytes("zzz").expect_text("Nothing matches");
    inbox.type_bytes("\x15").wait_for(are_in_order(&["Gamma", "Alpha", "Beta"]));
    inbox.type_bytes("gam").wait_for(is_selected("Gamma"));
    // The asker was killed: the row says so.
    assert!(asking.kill_9());
    inbox.type_bytes(ESC).expect_text("not waiting");
}
