//! The inbox on a terminal: from its start to the first frame, from a key to the next, and what it costs to be open.

use crate::Run;
use crate::figures::{Times, millis};
use crate::floor::{self, Work};
use crate::request::new_ask;
use crate::rows::commands::home;
use crate::rows::forms::thousand;
use crate::rows::idle::pass_time;
use crate::rows::lists::fill;
use crate::table::{Table, Target};
use crate::terminal::{END_FRAME, Shown, command};
use anyhow::{Context as _, ensure};
use sayso_core::NewAsk;
use sayso_desk::{Desk as _, StoreDesk};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The inbox on a desk.
fn open(run: &Run, home: &Path) -> anyhow::Result<Shown> {
    Shown::start(&command(&run.sayso, home))
}

/// From its start to the frame with the first of 1,000 asks.
pub(crate) fn first_frame(run: &Run, table: &mut Table) -> anyhow::Result<()> {
    let home = home(run, "inbox")?;
    fill(&home.join("desk.db"), 1_000)?;
    let mut times = Times::default();
    for _ in 0..run.times(100) {
        let mut shown = Shown::ready(&command(&run.sayso, &home))?;
        let start = Instant::now();
        shown.go()?;
        shown.painted(b"Deploy plan", END_FRAME)?;
        times.push(start.elapsed());
        shown.end()?;
    }
    let target = Target::median(&times, Duration::from_millis(8));
    table.row("inbox: start to the list of 1,000 open", times.shown(), target, "");
    Ok(())
}

/// Cost while nothing happens.
pub(crate) fn at_rest(run: &Run, table: &mut Table) -> anyhow::Result<()> {
    let home = home(run, "inbox-rest")?;
    fill(&home.join("desk.db"), 1_000)?;
    let mut shown = open(run, &home)?;
    shown.painted(b"Deploy plan", END_FRAME)?;
    pass_time(); // what comes after the first frame
    let pid = shown.child.process_id().context("no process")?;
    let before = Work::of(pid)?;
    pass_time();
    let (used, (resident, anonymous)) = (Work::of(pid)?.since(&before), floor::memory(pid)?);
    table.row(
        "inbox open with 1,000 asks, ten seconds of nothing",
        format!("{} of processor; anonymous {anonymous} KiB, resident {resident} KiB", millis(used)),
        Target::at_most("resident ≤ 30 MiB", resident as f64 / 1_024.0, 30.0),
        "",
    );
    shown.end()
}

/// From a key to the frame that shows what it did, in a questionnaire of 1,000 questions.
pub(crate) fn key_to_frame(run: &Run, table: &mut Table) -> anyhow::Result<()> {
    let home = home(run, "inbox-keys")?;
    let desk = StoreDesk::open(&home.join("desk.db"))?;
    let new = NewAsk { questionnaire: Arc::new(thousand()), ..new_ask(0)? };
    desk.open(None, new)?;
    let mut shown = open(run, &home)?;
    shown.painted(b"Which of these?", END_FRAME)?;
    shown.key(b"\r")?;
    shown.painted(b"Question", END_FRAME)?;
    let mut times = Times::default();
    for number in 0..run.times(1_000) {
        // To the next question and back, and two picks, each of which shows or hides 120 questions.
        let key: &[u8] = match number % 4 {
            0 => b"\t",
            1 => b"\x1b[Z",
            2 => b"2",
            _ => b"1",
        };
        let start = Instant::now();
        shown.key(key)?;
        shown.painted(b"", END_FRAME)?;
        times.push(start.elapsed());
        // A save that was on its way draws a frame of its own.
        while let Ok(bytes) = shown.written.recv_timeout(Duration::from_millis(20)) {
            ensure!(!bytes.is_empty(), "the terminal has gone");
        }
    }
    table.row(
        "key to frame, 1,000 questions",
        times.shown(),
        Target::p99(&times, Duration::from_millis(4)),
        "",
    );
    shown.end()
}
