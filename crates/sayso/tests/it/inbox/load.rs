//! Tests of a thousand asks, and of two hundred questions: both appear at once and cost little.

use crate::inbox::person::{
    ESC, leave_ask, open_inbox, open_only_ask, press_until, selected_row, send_answers,
};
use crate::support::emulated_terminal::EmulatedTerminal;
use crate::support::sample_requests::text;
use crate::support::test_world::TestWorld;
use serde_json::{Value, json};
use std::time::Duration;

/// Returns the anonymous memory of a process, in KiB. Pages of its own file are excluded: an unoptimized one has many.
fn memory_kib(screen: &EmulatedTerminal) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{}/status", screen.pid)).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("RssAnon:")).unwrap();
    line.trim().strip_suffix(" kB").unwrap().parse().unwrap()
}

/// Returns the CPU time of a process, in ticks of a hundredth of a second.
fn cpu_ticks(screen: &EmulatedTerminal) -> u64 {
    let stat = std::fs::read_to_string(format!("/proc/{}/stat", screen.pid)).unwrap();
    let (_, after) = stat.rsplit_once(") ").unwrap();
    after.split(' ').skip(11).take(2).map(|ticks| ticks.parse::<u64>().unwrap()).sum()
}

/// Asserts that an idle process uses no CPU time.
fn assert_idle(screen: &EmulatedTerminal) {
    // A save or a poll of the desk may follow the last drawing.
    while screen.is_written_within(Duration::from_millis(300)) {}
    // Once in a while the age of an ask changes.
    let is_idle = (0..5).any(|_| {
        let before = cpu_ticks(screen);
        !screen.is_written_within(Duration::from_millis(1_200)) && cpu_ticks(screen) - before <= 1
    });
    assert!(is_idle, "{}", screen.contents());
}

const MIB: u64 = 1 << 10;

#[test]
fn thousand_asks_stay_cheap() {
    let world = TestWorld::new();
    let (world_, threads) = (&world, 8);
    std::thread::scope(|scope| {
        for thread in 0..threads {
            scope.spawn(move || {
                for number in (thread..1_000).step_by(threads) {
                    leave_ask(world_, &text(&format!("Number {number:03}")), &format!("agent{}", number % 7));
                }
            });
        }
    });
    let mut inbox = open_inbox(&world);
    inbox.expect_text("1000 waiting");
    let title = |inbox: &EmulatedTerminal| {
        let row = inbox.contents().lines().find(|line| line.contains('▸')).unwrap().to_owned();
        row.split("Number ").nth(1).unwrap()[..3].to_owned()
    };
    // The last one in oldest-first order is the first in newest-first order.
    inbox.type_bytes("Gs").expect_text("oldest first");
    let newest = title(&inbox);
    inbox.type_bytes("gss\x1b[6~\x1b[6~\x1b[5~g").expect_text("earliest deadline first");
    inbox.type_bytes("sss").expect_text("newest first");
    inbox
        .type_bytes("g")
        .wait_for(|screen| selected_row(screen).is_some_and(|row| row.contains(&format!("Number {newest}"))));
    inbox
        .type_bytes("/number 777")
        .wait_for(|screen| selected_row(screen).is_some_and(|row| row.contains("Number 777")));
    inbox.type_bytes(format!("{ESC}{ESC}")).expect_text("1000 waiting");
    inbox.type_bytes("g");
    for _ in 0..40 {
        inbox.type_bytes("\x1b[6~");
    }
    // All of that was handled once the help shows.
    inbox.type_bytes("?").expect_text("Keys");
    inbox.type_bytes("q").expect_text("1000 waiting");
    assert_idle(&inbox);
    let held = memory_kib(&inbox);
    assert!(held <= 12 * MIB, "{held} KiB");
    inbox.type_bytes("\r").expect_text("Say it.");
}

#[test]
fn two_hundred_questions_have_tabs() {
    let world = TestWorld::new();
    let question = |number: usize| {
        let id = format!("q{number}");
        match number % 4 {
            0 => {
                json!({ "id": id, "label": format!("Label {number}"), "prompt": format!("Prompt {number}?"), "required": false })
            }
            1 => {
                json!({ "id": id, "kind": "confirm", "prompt": format!("Prompt {number}?"), "required": false })
            }
            2 => {
                json!({ "id": id, "kind": "rating", "prompt": format!("Prompt {number}?"), "required": false })
            }
            _ => json!({ "id": id, "prompt": format!("Prompt {number}?"), "required": false,
                "options": [{ "label": "One" }, { "label": "Two" }] }),
        }
    };
    let questions: Vec<Value> = (0..200).map(question).collect();
    let request = json!({ "sayso": 1, "title": "Many", "questions": questions });
    let id = leave_ask(&world, &request.to_string(), "x");
    let mut screen = open_only_ask(&world);
    screen.expect_text("Prompt 0?");
    for number in 0..200 {
        screen.type_bytes("\t");
        let words =
            if number == 199 { "Check your answers".to_owned() } else { format!("Prompt {}?", number + 1) };
        let shown = screen
            .wait_for(|screen| screen.contents().contains(&words) || screen.contents().contains("[ Submit"));
        let tabs = shown.lines().nth(1).unwrap();
        assert!(tabs.starts_with(['‹', ' ']) && tabs.trim_end().ends_with("/200"), "{tabs:?}");
        if number < 199 {
            assert!(tabs.contains(&format!("Q{}", number + 2)) || tabs.contains("Label"), "{tabs:?}");
        }
    }
    screen.type_bytes("\x1b[Z").expect_text("Prompt 199?");
    screen.type_bytes("2\r").expect_text("1/200");
    world.wait_for_draft(id, 1);
    screen.expect_text("[ Submit");
    assert_idle(&screen);
    let held = memory_kib(&screen);
    assert!(held <= 12 * MIB, "{held} KiB");
    press_until(&mut screen, "\x1b0", |screen| screen.contents().contains("[ Submit"));
    send_answers(&mut screen);
}
