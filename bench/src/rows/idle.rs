//! Cost of waiting.

use crate::Run;
use crate::floor::{self, Work};
use crate::peer::Peer;
use crate::request::new_ask;
use crate::rows::commands::{home, sayso};
use crate::rows::lists::fill;
use crate::rows::wakes::answers;
use crate::table::{Table, Target};
use sayso_desk::{Desk as _, StoreDesk};
use std::process::Child;
use std::time::Duration;

/// Duration for which the processor time is watched.
const WATCHED: Duration = Duration::from_secs(10);

pub(crate) fn pass_time() {
    #[expect(clippy::disallowed_methods, reason = "what is measured is that nothing happens")]
    std::thread::sleep(WATCHED);
}

pub(crate) fn idle(run: &Run, table: &mut Table) -> anyhow::Result<()> {
    let home = home(run, "idle")?;
    let mut waiting = waiting(run, &home, 1)?;
    pass_time();
    let Some(one) = waiting.first_mut() else { return Ok(()) };
    let (resident, anonymous) = floor::memory(one.id())?;
    let target = Target::memory(anonymous, resident);
    table.row(
        "memory of one waiting `sayso`",
        format!("anonymous {anonymous} KiB, resident {resident} KiB"),
        target,
        "",
    );
    end(waiting)
}

/// A thousand waits in one process, as a server holds them.
pub(crate) fn thousand_waits(run: &Run, table: &mut Table) -> anyhow::Result<()> {
    let path = run.folder.path().join("hold.db");
    fill(&path, 1_000)?;
    let mut peer = Peer::start("hold", &path)?;
    peer.wait_until_seen()?;
    let before = Work::of(peer.pid())?;
    pass_time();
    let (resident, anonymous) = floor::memory(peer.pid())?;
    let share = Work::of(peer.pid())?.since(&before).as_secs_f64() / WATCHED.as_secs_f64();
    table.row(
        "1,000 waits in one process",
        format!("{share:.5} core; anonymous {anonymous} KiB, resident {resident} KiB"),
        Target::at_most("< 0.001 core", share, 0.001),
        "0",
    );
    drop(peer);
    Ok(())
}

/// Programs that wait at one desk: many more than a user may have inotify instances (128).
pub(crate) fn waiters(run: &Run, table: &mut Table) -> anyhow::Result<()> {
    let count = if run.quick { 200 } else { 1_000 };
    let home = home(run, "waiters")?;
    let waiting = waiting(run, &home, count - 1)?;
    pass_time(); // the last ones begin to wait
    let before = worked(&waiting)?;
    pass_time();
    let used: Duration = worked(&waiting)?.iter().zip(&before).map(|(now, before)| now.since(before)).sum();
    let share = used.as_secs_f64() / WATCHED.as_secs_f64();
    let mut most = 0;
    for child in &waiting {
        most = most.max(floor::memory(child.id())?.1);
    }
    // Memory is far below 2^53.
    let mebibytes = most as f64 / 1_024.0;
    table.row(
        &format!("{} programs that wait (`sayso wait`)", count - 1),
        format!("{share:.4} core; anonymous {most} KiB each at most"),
        Target::at_most("≤ 0.05 core", share, 0.05).and(Target::at_most("≤ 2 MiB each", mebibytes, 2.0)),
        "",
    );
    let times = answers(&home.join("desk.db"), count, run.times(1_000))?;
    table.row(
        &format!("answer → waiting program, {} others waiting", count - 1),
        times.shown(),
        Target::median(&times, Duration::from_millis(1)),
        "",
    );
    end(waiting)
}

fn worked(waiting: &[Child]) -> anyhow::Result<Vec<Work>> {
    waiting.iter().map(|child| Work::of(child.id())).collect()
}

fn waiting(run: &Run, home: &std::path::Path, count: usize) -> anyhow::Result<Vec<Child>> {
    let desk = StoreDesk::open(&home.join("desk.db"))?;
    let mut waiting = Vec::new();
    for number in 0..count {
        let opened = desk.open(None, new_ask(number)?)?;
        waiting.push(sayso(run, home).args(["wait", &opened.ask().id.to_string()]).spawn()?);
    }
    Ok(waiting)
}

fn end(waiting: Vec<Child>) -> anyhow::Result<()> {
    for mut child in waiting {
        child.kill()?;
        child.wait()?;
    }
    Ok(())
}
