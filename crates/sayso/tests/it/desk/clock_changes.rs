//! Tests of a clock change while asks are open: nothing ends early or late, and nothing old is lost. libfaketime
//! changes the wall clock and leaves the monotonic clock alone.

use crate::support::fake_clock::FakeClock;
use crate::support::program::program_output::LIMIT;
use crate::support::program::signal;
use crate::support::sample_requests::text;
use crate::support::test_world::TestWorld;
use jiff::{SignedDuration, Timestamp};
use sayso_core::AskSummary;
use serde_json::Value;
use std::time::{Duration, Instant};

const HOUR: i64 = 3_600;
/// Upper bound of the delay between a look-up and the clock change.
const ABOUT: SignedDuration = SignedDuration::from_secs(60);

/// World with a faked clock. It reads the desk through the program only, which has the same clock.
struct FakeClockWorld {
    world: TestWorld,
    clock: FakeClock,
}

impl FakeClockWorld {
    fn new() -> Self {
        let mut world = TestWorld::new();
        world.allow_scripted_answers();
        let clock = FakeClock::new(&world);
        for (name, value) in clock.variables() {
            world.set_var(name, value);
        }
        Self { world, clock }
    }

    fn leave(&self, time_limit: &str) -> String {
        self.world.leave_ask(&text(time_limit), &["--timeout", time_limit])
    }

    fn deadline(&self, id: &str) -> Timestamp {
        self.world.show(id)["deadline"].as_str().unwrap().parse().unwrap()
    }

    fn ask_state(&self, id: &str) -> Value {
        self.world.show(id)["state"].clone()
    }

    /// Waits until the program shows this.
    fn wait_until(&self, id: &str, fits: impl Fn(&Value) -> bool) {
        let until = Instant::now() + LIMIT;
        while !fits(&self.world.show(id)) {
            assert!(Instant::now() < until, "{}", self.world.show(id));
        }
    }

    fn answer(&self, id: &str) {
        let ended = self.world.sayso(["answer", id, "--answers", r#"{"answers":{"text":"said"}}"#]).run();
        assert_eq!(ended.exit, 0, "{ended:?}");
    }
}

#[test]
fn forward_clock_ends_nothing_early() {
    let clocked = FakeClockWorld::new();
    let id = clocked.leave("30m");
    let before = clocked.deadline(&id);
    let waiting = clocked.world.sayso(["wait", &id]).start();
    clocked.wait_until(&id, |shown| !shown["presence"]["attached"].is_null());

    clocked.clock.set_offset(HOUR);
    // Both a waiting and a listing program check deadlines.
    clocked.world.json(&["list", "--json"]);
    assert_eq!(clocked.ask_state(&id), "open");
    assert_eq!(clocked.deadline(&id).duration_since(before).as_secs_f64().round(), 3_600.0);
    assert!(waiting.is_running());
    clocked.answer(&id);
    let ended = waiting.wait();
    assert_eq!(ended.exit, 0, "{ended:?}");
    assert!(ended.stdout.contains("said"), "{ended:?}");
}

#[test]
fn backward_clock_ends_nothing_late() {
    let clocked = FakeClockWorld::new();
    let id = clocked.leave("2s");
    let waiting = clocked.world.sayso(["wait", &id]).start();
    clocked.wait_until(&id, |shown| !shown["presence"]["attached"].is_null());
    clocked.clock.set_offset(-HOUR);
    let ended = waiting.wait();
    assert_eq!(ended.exit, 5, "{ended:?}");
    assert_eq!(clocked.ask_state(&id), "expired");
    let late = clocked.world.sayso(["answer", &id, "--answers", r#"{"answers":{"text":"late"}}"#]).run();
    assert_ne!(late.exit, 0, "{late:?}");
}

#[test]
fn temporary_clock_error_changes_nothing() {
    let clocked = FakeClockWorld::new();
    let ids = ["30m", "10h"].map(|limit| clocked.leave(limit));
    let before = ids.each_ref().map(|id| clocked.deadline(id));
    for seconds in [-HOUR, 10 * 365 * 24 * HOUR, 7, 0] {
        clocked.clock.set_offset(seconds);
        clocked.world.json(&["list", "--json"]);
    }
    let after = ids.each_ref().map(|id| clocked.deadline(id));
    for (before, after) in before.into_iter().zip(after) {
        // Small corrections, like those of a time server, are ignored.
        assert!(after.duration_since(before).abs() <= SignedDuration::from_secs(5), "{before} {after}");
    }
    let shown = clocked.world.show(&ids[0]);
    assert_eq!(shown["state"], "open", "{shown}");
}

#[test]
fn future_clock_deletes_nothing_old() {
    let clocked = FakeClockWorld::new();
    let id = clocked.leave("30m");
    clocked.answer(&id);
    clocked.clock.set_offset(10 * 365 * 24 * HOUR);
    for _ in 0..2 {
        clocked.leave("1h");
        clocked.world.sayso(["list"]).run();
    }
    assert_eq!(clocked.ask_state(&id), "answered");
}

#[test]
fn prompt_survives_clock_change() {
    for look in [["answer", "--plain"].as_slice(), &["answer"]] {
        let clocked = FakeClockWorld::new();
        let id = clocked.leave("30m");
        let mut terminal = clocked.world.sayso(look).env("TERM", "xterm-256color").on_terminal();
        terminal.expect("Say it.");
        clocked.clock.set_offset(HOUR);
        clocked.wait_until(&id, |shown| {
            let deadline: Timestamp = shown["deadline"].as_str().unwrap().parse().unwrap();
            let ahead = deadline.duration_since(now()) - SignedDuration::from_secs(HOUR);
            (ahead - SignedDuration::from_mins(30)).abs() < ABOUT
        });
        clocked.answer(&id);
        terminal.expect("nswered");
    }
}

#[expect(clippy::disallowed_methods, reason = "the clock of the machine, which nobody has set")]
fn now() -> Timestamp {
    Timestamp::now()
}

#[test]
fn suspend_past_deadline_expires_only_due() {
    let world = TestWorld::new();
    let suspend_waiter = |id: &String| {
        let waiter = world.sayso(["wait", id]).start();
        world.wait_for_ask(|ask| ask.id.to_string() == *id && AskSummary::from_ask(ask, 1).attached);
        signal(waiter.pid, "STOP");
        waiter
    };
    let long = world.leave_ask(&text("long"), &["--timeout", "1h"]);
    let long_waits = suspend_waiter(&long);
    // Its waiter must sleep before the deadline: a program that is stopped while it writes holds up all others.
    let short = world.leave_ask(&text("short"), &["--timeout", "2s"]);
    let short_ended = suspend_waiter(&short);
    let awake = world.sayso(["wait", &short]).start().wait_for(Duration::from_secs(30));
    assert_eq!(awake.exit, 5, "{awake:?}");
    for program in [&short_ended, &long_waits] {
        signal(program.pid, "CONT");
    }
    assert_eq!(short_ended.wait().exit, 5);
    assert!(long_waits.is_running());
    assert_eq!(world.show(&long)["state"], "open");
    assert!(long_waits.kill_9());
}
