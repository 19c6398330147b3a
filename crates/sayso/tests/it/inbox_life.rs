//! Tests of an ask's life in the inbox: it appears at once, is opened, answered or declined, and can be read
//! afterwards.

use crate::emulated::Emulated;
use crate::inbox_person::{ESC, asks, focused, inbox, is_open, opened, send};
use crate::sample::{one, text};
use crate::world::World;
use serde_json::{Value, json};
use std::time::{Duration, Instant};
use vt100::Screen;

/// Returns true if the ask with this title is selected.
fn is_at(title: &str) -> impl Fn(&Screen) -> bool {
    move |screen| focused(screen).is_some_and(|row| row.contains(title))
}

/// Returns true if the titles appear in this order.
fn stand_so(titles: &[&str]) -> impl Fn(&Screen) -> bool {
    move |screen| {
        let words = screen.contents();
        let places: Vec<_> = titles.iter().map(|title| words.find(title)).collect();
        places.iter().all(Option::is_some) && places.is_sorted()
    }
}

#[test]
fn new_ask_keeps_focus() {
    let world = World::new();
    asks(&world, &text("First"), "one");
    asks(&world, &text("Second"), "two");
    let mut inbox = inbox(&world);
    inbox.wait_for(is_at("First"));
    inbox.type_("j").wait_for(is_at("Second"));
    let asking = world.sayso(["ask", "--from", "builder", &one("Third")]).start();
    let screen = inbox.expect("Which Third?");
    assert!(screen.contains("3 waiting"), "{screen}");
    // The third has a waiting asker, so it comes first; the selection stays.
    inbox.wait_for(stand_so(&["Third?", "First", "Second"]));
    inbox.wait_for(is_at("Second"));
    assert!(asking.kill_9());
    inbox.type_("\r").wait_for(is_open);
    inbox.expect("Say it.");
}

#[test]
fn wakeup_redraws_promptly() {
    let world = World::new();
    let inbox = inbox(&world);
    let mut took: Vec<Duration> = (0..20)
        .map(|number| {
            let title = format!("Number {number:02}");
            let new = text(&title);
            asks(&world, &new, "many");
            let committed = Instant::now();
            inbox.expect(&format!("{} waiting", number + 1));
            committed.elapsed()
        })
        .collect();
    took.sort();
    // Well above the usual time, and well below the fallback poll of a second.
    assert!(took[10] < Duration::from_millis(500), "{took:?}");
}

#[test]
fn decline_reason_reaches_asker() {
    let world = World::new();
    let asking = world.sayso(["ask", &text("Deploy?")]).start();
    world.first_ask();
    let mut screen = opened(&world);
    screen.expect("Say it.");
    screen.type_("half an ans").type_("\x1b0").expect("Check your answers");
    screen.type_("d").expect("Decline this request?");
    // The way back is selected: Enter declines nothing.
    screen.type_("\r").wait_for(|screen| !screen.contents().contains("Decline this request?"));
    screen.type_("d").expect("Decline this request?");
    screen.type_("not on a Friday 🐟").expect("not on a Friday 🐟");
    screen.type_("\r\t").expect("▸ Decline and tell the agent");
    screen.type_("\r").expect("Declined.");
    let ended = asking.wait();
    let outcome: Value = serde_json::from_str(&ended.stdout).unwrap();
    assert_eq!(
        (ended.exit, &outcome["outcome"], &outcome["reason"]),
        (3, &json!("declined"), &json!("not on a Friday 🐟")),
        "{ended:?}"
    );
    screen.type_("q");
    assert_eq!(screen.wait().0, 0);
}

#[test]
fn list_decline_asks_for_confirmation() {
    let world = World::new();
    let asking = world.sayso(["ask", &text("Deploy?")]).start();
    let mut inbox = inbox(&world);
    inbox.wait_for(is_at("Deploy?"));
    inbox.expect("Say it.");
    inbox.type_("x").expect("Decline this request?");
    inbox.type_(ESC).wait_for(|screen| !screen.contents().contains("Decline this request?"));
    inbox.type_("x").expect("Decline this request?");
    inbox.type_("\t").expect("▸ Decline and tell the agent");
    inbox.type_("\r").expect("Declined.");
    assert_eq!(asking.wait().exit, 3);
    inbox.expect("Nothing waits for you.");
}

fn history_of_two(world: &World) -> Emulated {
    for (title, words) in [("Name of the heron", "Ada Egret"), ("Colour of the door", "green\nlike grass")] {
        asks(world, &text(title), "painter");
        let mut screen = opened(world);
        screen.expect("Say it.");
        screen.type_(format!("\x1b[200~{words}\x1b[201~")).expect(words.lines().last().unwrap());
        screen.type_("\x1b0").expect("Check your answers");
        send(&mut screen);
        screen.expect("Nothing waits for you.");
        screen.type_("q");
        assert_eq!(screen.wait().0, 0);
    }
    let mut inbox = inbox(world);
    inbox.type_("\t").wait_for(stand_so(&["history", "Colour of the door", "Name of the heron"]));
    inbox
}

#[test]
fn ended_ask_is_searchable_with_receipt() {
    let world = World::new();
    let mut history = history_of_two(&world);
    history.type_("/egr").wait_for(|screen| !screen.contents().contains("Colour of"));
    // Enter opens what has been drawn: keys that arrive with the words would only end the search.
    history.type_("\x15heron").wait_for(|screen| {
        let words = screen.contents();
        words.contains("/heron") && words.contains("Name of the heron") && !words.contains("Colour of")
    });
    history.type_("\r").expect("by ada at ");
    let screen = history.expect("Ada Egret");
    assert!(screen.contains("full screen") || screen.contains("inbox"), "{screen}");
    // Keys change nothing there.
    history.type_("1ad\x13 ").expect("Ada Egret");
    history.type_(ESC).wait_for(|screen| !screen.contents().contains("by ada at "));
    history.type_(ESC).wait_for(stand_so(&["history", "Colour of the door", "Name of the heron"]));
    history.type_("g").wait_for(is_at("Colour of the door"));
    history.type_("\r").wait_for(stand_so(&["green", "like grass"]));
    history.type_("q").wait_for(|screen| !screen.contents().contains("like grass"));
    history.type_("\t").expect("Nothing waits for you.");
}

#[test]
fn list_is_filtered_and_sorted() {
    let world = World::new();
    asks(&world, &text("Alpha"), "painter");
    asks(&world, &text("Beta"), "builder");
    let asking = world.sayso(["ask", "--timeout", "2h", "--from", "cron", &text("Gamma")]).start();
    let mut inbox = inbox(&world);
    inbox.wait_for(stand_so(&["waiting agents first", "Gamma", "Alpha", "Beta"]));
    inbox.expect("an agent waits for this");
    inbox.type_("s").wait_for(stand_so(&["oldest first", "Alpha", "Beta", "Gamma"]));
    inbox.type_("s").wait_for(stand_so(&["newest first", "Gamma", "Beta", "Alpha"]));
    inbox.type_("s").wait_for(stand_so(&["next deadline first", "Gamma", "Alpha", "Beta"]));
    inbox.type_("/BUILD").wait_for(|screen| !screen.contents().contains("Alpha"));
    inbox.wait_for(is_at("Beta"));
    inbox.type_("zzz").expect("Nothing fits");
    inbox.type_("\x15").wait_for(stand_so(&["Gamma", "Alpha", "Beta"]));
    inbox.type_("gam").wait_for(is_at("Gamma"));
    // The asker was killed: the row says so.
    assert!(asking.kill_9());
    inbox.type_(ESC).expect("nobody waits");
}
