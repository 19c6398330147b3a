//! What waiting costs.

use crate::Run;
use crate::commands::{home, sayso};
use crate::floor::{self, Work};
use crate::lists::fill;
use crate::peer::Peer;
use crate::request::new_ask;
use crate::table::{Table, Target};
use sayso_desk::{Desk as _, LocalDesk};
use std::process::Child;
use std::time::Duration;

/// How long the processor time is watched.
const WATCHED: Duration = Duration::from_secs(10);

pub(crate) fn pass_time() {
    #[expect(clippy::disallowed_methods, reason = "what is measured is that nothing happens")]
    std::thread::sleep(WATCHED); // tidy: sleep because what is measured is that nothing happens
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

/// A thousand waits in one process, as a server holds them, and a hundred programs that wait.
pub(crate) fn thousand_waits(run: &Run, table: &mut Table) -> anyhow::Result<()> {
    let path = run.folder.path().join("hold.db");
    fill(&path, 1_000)?;
    let mut peer = Peer::start("hold", &path)?;
    peer.heard()?;
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
    // Within the system's limit of watches (128 a user): beyond it waiters look every 20 ms, and a thousand of them keep
    // two processors busy.
    let count = 100;
    let waiting = waiting(run, &home(run, "hundred")?, count)?;
    pass_time(); // the last ones settle
    let before = worked(&waiting)?;
    pass_time();
    let used: Duration = worked(&waiting)?.iter().zip(&before).map(|(now, before)| now.since(before)).sum();
    let share = used.as_secs_f64() / WATCHED.as_secs_f64();
    let mut together = 0;
    for child in &waiting {
        together += floor::memory(child.id())?.1;
    }
    table.row(
        &format!("{count} programs that wait (`sayso wait`)"),
        format!("{share:.4} core; anonymous {} MiB together", together / 1_024),
        Target::none(),
        "",
    );
    end(waiting)
}

fn worked(waiting: &[Child]) -> anyhow::Result<Vec<Work>> {
    waiting.iter().map(|child| Work::of(child.id())).collect()
}

fn waiting(run: &Run, home: &std::path::Path, count: usize) -> anyhow::Result<Vec<Child>> {
    let desk = LocalDesk::open(&home.join("desk.db"))?;
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
