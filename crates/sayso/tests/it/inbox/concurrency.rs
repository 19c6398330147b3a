//! Tests of several terminals at one ask, on the same and on other machines: each sees the others' answers, and typed
//! text is kept whichever one ends it.

use crate::inbox::person::{
    ESC, confirm_decline, is_open, leave_ask, open_inbox, open_only_ask, selected_row, send_answers,
};
use crate::support::emulated_terminal::EmulatedTerminal;
use crate::support::network_desk::NetworkDesk;
use crate::support::sample_requests::{release, text};
use crate::support::test_world::TestWorld;
use serde_json::Value;

#[test]
fn two_terminals_share_answers_and_end() {
    let world = TestWorld::new();
    let asking = world.sayso(["ask", &release("1.0")]).start();
    let (_, id) = world.first_ask();
    let (mut one, mut two) = (open_only_ask(&world), open_only_ask(&world));
    one.expect_text("What is it called?");
    two.expect_text("What is it called?");
    one.type_bytes("Heron\r").expect_text("What is new?");
    two.expect_text("Heron");
    two.expect_text("changed elsewhere");
    two.expect_text("1/3");
    // Each types at its own question; neither removes the other's text.
    two.type_bytes("\x1b3").expect_text("When?");
    two.type_bytes("2");
    one.type_bytes("All of it").expect_text("2/3");
    one.type_bytes("\x1b0").expect_text("Later");
    two.expect_text("All of it");
    two.type_bytes("\x1b1").expect_text("What is it called?");
    two.type_bytes(" of the north");
    one.expect_text("Heron of the north");
    // Half a word is in the box when the other one sends.
    two.type_bytes("\x1b2").expect_text("What is new?");
    send_answers(&mut one);
    let screen = two.wait_for(|screen| screen.contents().contains("This ask has ended"));
    assert!(screen.contains("by ada"), "{screen}");
    let outcome: Value = serde_json::from_str(&asking.wait().stdout).unwrap();
    assert_eq!(outcome["replies"]["name"]["answer"]["text"], "Heron of the north", "{id}: {outcome}");
    assert_eq!(outcome["replies"]["notes"]["answer"]["text"], "All of it");
}

#[test]
fn typed_text_survives_foreign_end() {
    let world = TestWorld::new();
    let id = leave_ask(&world, &release("1.0"), "x");
    let (mut one, mut two) = (open_only_ask(&world), open_only_ask(&world));
    two.expect_text("What is it called?");
    two.type_bytes("\x1b2").expect_text("What is new?");
    two.type_bytes("half a sent").expect_text("half a sent");
    one.type_bytes("\x1b0").expect_text("[ Submit");
    one.type_bytes("d").expect_text("Decline this request?");
    // Some letters have not even left for the desk when it ends.
    two.type_bytes("ence");
    confirm_decline(&mut one);
    let screen = two.wait_for(|screen| screen.contents().contains("This ask has ended"));
    assert!(screen.contains("Declined elsewhere by ada"), "{screen}");
    world.wait_for_draft_where(&id.to_string(), |draft| format!("{draft:?}").contains("half a sentence"));
    let output = world.sayso(["show", &id.to_string()]).run();
    assert!(output.stdout.contains("half a sentence"), "{output:?}");
}

#[test]
fn remote_inbox_survives_server_restart() {
    let mut served = NetworkDesk::new();
    let (agent, ada) = served.asker_and_person();
    let mut ada_sees = open_inbox(&ada);
    let asking = agent.sayso(["ask", &release("1.0")]).start();
    ada_sees.expect_text("1.0");
    ada_sees.wait_for(|screen| selected_row(screen).is_some());
    ada_sees.type_bytes("\r").wait_for(is_open);
    ada_sees.expect_text("What is it called?");
    ada_sees.type_bytes("Heron\r").expect_text("What is new?");
    let (id, _) = served.world.first_ask();
    served.world.wait_for_draft(id, 1);
    ada_sees.expect_text("Draft saved");
    served.kill_9();
    ada_sees.type_bytes("Typed while nobody was there").expect_text("the desk is not responding");
    served.restart();
    ada_sees.expect_text("Draft saved");
    served.world.wait_for_draft(id, 2);
    ada_sees.type_bytes("\x1b3").expect_text("When?");
    ada_sees.type_bytes("1\r").expect_text("[ Submit");
    send_answers(&mut ada_sees);
    let ended = asking.wait();
    let outcome: Value = serde_json::from_str(&ended.stdout).unwrap();
    assert_eq!(outcome["replies"]["notes"]["answer"]["text"], "Typed while nobody was there", "{ended:?}");
    assert_eq!(outcome["receipt"]["by"], "ada");
    // New ones still arrive.
    agent.leave_ask(&text("Another"), &[]);
    ada_sees.expect_text("Another");
    ada_sees.type_bytes("q");
    assert_eq!(ada_sees.wait().0, 0);
}

#[test]
fn inbox_reports_outage_and_recovers() {
    let mut served = NetworkDesk::new();
    let (agent, ada) = served.asker_and_person();
    agent.leave_ask(&text("Something"), &[]);
    let mut screen = open_inbox(&ada);
    screen.expect_text("Something");
    screen.wait_for(|screen| selected_row(screen).is_some());
    served.kill_9();
    screen.expect_text("Not connected since");
    screen.type_bytes("\r").expect_text("Opening");
    // The person can return to the list instead of waiting.
    screen.type_bytes(ESC).expect_text("Not connected since");
    served.restart();
    screen.wait_for(|screen| !screen.contents().contains("Not connected"));
    agent.leave_ask(&text("Another"), &[]);
    screen.expect_text("Another");
    screen.type_bytes("\r").wait_for(is_open);
    served.kill_9();
    screen.expect_text("Not connected since");
    served.restart();
    screen.wait_for(|screen| !screen.contents().contains("Not connected"));
    screen.type_bytes("words").expect_text("Draft saved");
}

#[test]
fn plain_inbox_reports_outage_and_recovers() {
    let mut served = NetworkDesk::new();
    let (agent, ada) = served.asker_and_person();
    let mut inbox = ada.sayso(["--plain"]).on_terminal();
    inbox.expect("No questions are waiting.").expect("> ");
    served.kill_9();
    inbox.expect("The desk is away. This inbox says when it is back.");
    served.restart();
    inbox.expect("The desk is back.");
    agent.leave_ask(&text("Something"), &[]);
    inbox.expect("\"Say it.\" One line of text.").expect("Enter answers: ").keys("\x04");
    assert_eq!(inbox.wait().exit, 0);
}

/// Types text that cannot be saved for now.
fn type_during_outage() -> (NetworkDesk, EmulatedTerminal) {
    let mut served = NetworkDesk::new();
    let (agent, ada) = served.asker_and_person();
    agent.leave_ask(&text("Something"), &[]);
    let mut screen = open_only_ask(&ada);
    screen.expect_text("Say it.");
    served.kill_9();
    screen.type_bytes("words").expect_text("Not saved yet: the desk is not responding.");
    (served, screen)
}

#[test]
fn leaving_during_outage_lists_unsaved() {
    let (mut served, mut screen) = type_during_outage();
    // Esc leaves once the text is stored.
    screen.type_bytes(ESC).expect_text("Enter type");
    screen.type_bytes(ESC);
    screen.expect_text("Not saved yet: the desk is not responding.");
    // A second ^C leaves anyway, and prints the unsaved text. The unreachable desk may still receive it.
    screen.type_bytes("\x03\x03").wait_for(|screen| !screen.alternate_screen());
    served.restart();
    let (exit, printed) = screen.wait();
    assert_eq!(exit, 7, "{printed}");
    assert!(printed.contains("The desk has not confirmed that these answers are stored:"), "{printed}");
    assert!(printed.contains("words"), "{printed}");
}

#[test]
fn sigterm_works_during_outage() {
    let (mut served, screen) = type_during_outage();
    screen.signal("TERM");
    screen.wait_for(|screen| !screen.alternate_screen());
    served.restart();
    assert_eq!(screen.wait().0, 0);
    served.world.wait_for_draft(served.world.first_ask().0, 1);
}
