//! Tests of several terminals at one ask, on the same and on other machines: each sees the others' answers, and typed
//! text is kept whichever one ends it.

use crate::emulated::Emulated;
use crate::inbox_person::{ESC, asks, focused, inbox, is_open, opened, send};
use crate::network::Network;
use crate::sample::{release, text};
use crate::world::World;
use serde_json::Value;

#[test]
fn two_terminals_share_answers_and_end() {
    let world = World::new();
    let asking = world.sayso(["ask", &release("1.0")]).start();
    let (_, id) = world.first_ask();
    let (mut one, mut two) = (opened(&world), opened(&world));
    one.expect("What is it called?");
    two.expect("What is it called?");
    one.type_("Heron\r").expect("What is new?");
    two.expect("Heron");
    two.expect("changed elsewhere");
    two.expect("1/3");
    // Each types at its own question; neither removes the other's text.
    two.type_("\x1b3").expect("When?");
    two.type_("2");
    one.type_("All of it").expect("2/3");
    one.type_("\x1b0").expect("Later");
    two.expect("All of it");
    two.type_("\x1b1").expect("What is it called?");
    two.type_(" of the north");
    one.expect("Heron of the north");
    // Half a word is in the box when the other one sends.
    two.type_("\x1b2").expect("What is new?");
    send(&mut one);
    let screen = two.wait_for(|screen| screen.contents().contains("This ask has ended"));
    assert!(screen.contains("by ada"), "{screen}");
    let outcome: Value = serde_json::from_str(&asking.wait().stdout).unwrap();
    assert_eq!(outcome["replies"]["name"]["answer"]["text"], "Heron of the north", "{id}: {outcome}");
    assert_eq!(outcome["replies"]["notes"]["answer"]["text"], "All of it");
}

#[test]
fn typed_text_survives_foreign_end() {
    let world = World::new();
    let id = asks(&world, &release("1.0"), "x");
    let (mut one, mut two) = (opened(&world), opened(&world));
    two.expect("What is it called?");
    two.type_("\x1b2").expect("What is new?");
    two.type_("half a sent").expect("half a sent");
    one.type_("\x1b0").expect("[ Submit");
    one.type_("d").expect("Decline this request?");
    one.type_("\t").expect("▸ Decline and tell the agent");
    // Some letters have not even left for the desk when it ends.
    two.type_("ence");
    one.type_("\r").expect("Declined.");
    let screen = two.wait_for(|screen| screen.contents().contains("This ask has ended"));
    assert!(screen.contains("Declined elsewhere by ada"), "{screen}");
    world.wait_for_draft_where(&id.to_string(), |draft| format!("{draft:?}").contains("half a sentence"));
    let said = world.sayso(["show", &id.to_string()]).run();
    assert!(said.stdout.contains("half a sentence"), "{said:?}");
}

#[test]
fn remote_inbox_survives_server_restart() {
    let mut served = Network::new();
    let (agent, ada) = served.visitors();
    let mut ada_sees = inbox(&ada);
    let asking = agent.sayso(["ask", &release("1.0")]).start();
    ada_sees.expect("1.0");
    ada_sees.wait_for(|screen| focused(screen).is_some());
    ada_sees.type_("\r").wait_for(is_open);
    ada_sees.expect("What is it called?");
    ada_sees.type_("Heron\r").expect("What is new?");
    let (id, _) = served.world.first_ask();
    served.world.wait_for_draft(id, 1);
    ada_sees.expect("Draft saved");
    served.kill_9();
    ada_sees.type_("Typed while nobody was there").expect("the desk does not answer");
    served.restart();
    ada_sees.expect("Draft saved");
    served.world.wait_for_draft(id, 2);
    ada_sees.type_("\x1b3").expect("When?");
    ada_sees.type_("1\r").expect("[ Submit");
    send(&mut ada_sees);
    let ended = asking.wait();
    let outcome: Value = serde_json::from_str(&ended.stdout).unwrap();
    assert_eq!(outcome["replies"]["notes"]["answer"]["text"], "Typed while nobody was there", "{ended:?}");
    assert_eq!(outcome["receipt"]["by"], "ada");
    // New ones still arrive.
    agent.leave(&text("Another"), &[]);
    ada_sees.expect("Another");
    ada_sees.type_("q");
    assert_eq!(ada_sees.wait().0, 0);
}

#[test]
fn inbox_reports_outage_and_recovers() {
    let mut served = Network::new();
    let (agent, ada) = served.visitors();
    agent.leave(&text("Something"), &[]);
    let mut screen = inbox(&ada);
    screen.expect("Something");
    screen.wait_for(|screen| focused(screen).is_some());
    served.kill_9();
    screen.expect("Not connected since");
    screen.type_("\r").expect("Opening");
    // The person can return to the list instead of waiting.
    screen.type_(ESC).expect("Not connected since");
    served.restart();
    screen.wait_for(|screen| !screen.contents().contains("Not connected"));
    agent.leave(&text("Another"), &[]);
    screen.expect("Another");
    screen.type_("\r").wait_for(is_open);
    served.kill_9();
    screen.expect("Not connected since");
    served.restart();
    screen.wait_for(|screen| !screen.contents().contains("Not connected"));
    screen.type_("words").expect("Draft saved");
}

/// Types text that cannot be saved for now.
fn typing_while_the_desk_is_away() -> (Network, Emulated) {
    let mut served = Network::new();
    let (agent, ada) = served.visitors();
    agent.leave(&text("Something"), &[]);
    let mut screen = opened(&ada);
    screen.expect("Say it.");
    served.kill_9();
    screen.type_("words").expect("Not saved yet: the desk does not answer.");
    (served, screen)
}

#[test]
fn leaving_during_outage_lists_unsaved() {
    let (mut served, mut screen) = typing_while_the_desk_is_away();
    screen.type_(ESC).type_(ESC).expect("Leave these questions?");
    screen.type_("\t\r").wait_for(|screen| !screen.contents().contains("Leave these questions?"));
    screen.expect("Not saved yet: the desk does not answer.");
    // A second ^C leaves anyway, and prints the unsaved text. The unreachable desk may still receive it.
    screen.type_("\x03\x03").wait_for(|screen| !screen.alternate_screen());
    served.restart();
    let (exit, printed) = screen.wait();
    assert_eq!(exit, 7, "{printed}");
    assert!(printed.contains("The desk has not said whether these answers are stored:"), "{printed}");
    assert!(printed.contains("words"), "{printed}");
}

#[test]
fn sigterm_works_during_outage() {
    let (mut served, screen) = typing_while_the_desk_is_away();
    screen.signal("TERM");
    screen.wait_for(|screen| !screen.alternate_screen());
    served.restart();
    assert_eq!(screen.wait().0, 0);
    served.world.wait_for_draft(served.world.first_ask().0, 1);
}
