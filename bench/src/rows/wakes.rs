//! From one process to another: an ask becomes visible, an answer reaches the program that waits.

use crate::Run;
use crate::figures::Times;
use crate::floor::RawSql;
use crate::held_requests::settle;
use crate::peer::Peer;
use crate::request::{new_ask, person, submit};
use crate::rows::commands::{home, sayso};
use crate::table::{Reference, Table};
use sayso_desk::{Desk as _, StoreDesk};
use std::io::Write as _;
use std::path::Path;

pub(crate) fn visible(run: &Run, table: &mut Table) -> anyhow::Result<()> {
    let path = run.folder.path().join("visible.db");
    let desk = StoreDesk::open(&path)?;
    let mut peer = Peer::start("see", &path)?;
    peer.wait_until_seen()?;
    let mut times = Times::default();
    for number in 0..run.times(2_000) {
        times.push(peer.sees(|_| Ok(desk.open(None, new_ask(number)?).map(drop)?))?);
    }
    let floor = vec![floor(run)?];
    table.times("ask → visible to another process, durable", &times, floor);
    Ok(())
}

pub(crate) fn answer(run: &Run, table: &mut Table) -> anyhow::Result<()> {
    let times = answers(&run.folder.path().join("answer.db"), 0, run.times(2_000))?;
    let floor = vec![floor(run)?];
    table.times("answer → waiting program, durable", &times, floor);
    Ok(())
}

/// The same next to 999 programs that wait: many more than a user may have inotify instances (128).
pub(crate) fn among_waiters(run: &Run, table: &mut Table) -> anyhow::Result<()> {
    let count = if run.quick { 200 } else { 1_000 };
    let home = home(run, "waiters")?;
    let path = home.join("desk.db");
    let desk = StoreDesk::open(&path)?;
    let mut waiting = Vec::new();
    for number in 1..count {
        let opened = desk.open(None, new_ask(number)?)?;
        waiting.push(sayso(run, &home).args(["wait", &opened.ask().id.to_string()]).spawn()?);
    }
    // The last one begins to wait after all others.
    if let Some(last) = waiting.last() {
        settle(last.id())?;
    }
    let times = answers(&path, count, run.times(1_000))?;
    for mut program in waiting {
        program.kill()?;
        program.wait()?;
    }
    let floor = vec![floor(run)?];
    table.times("the same with 999 others waiting", &times, floor);
    Ok(())
}

/// The least that it takes: one commit of raw SQL, then waking another process.
fn floor(run: &Run) -> anyhow::Result<Reference> {
    let path = run.folder.path().join("raw-wakes.db");
    let mut raw = RawSql::open(&path)?;
    let mut peer = Peer::start("echo", &run.folder.path().join("echo.db"))?;
    let mut times = Times::default();
    for _ in 0..run.times(1_000) {
        times.push(peer.sees(|stdin| raw.one().and_then(|()| Ok(stdin.write_all(b".")?)))?);
    }
    drop(raw);
    std::fs::remove_file(path)?;
    Ok(Reference::from_times("raw commit and a byte", &times))
}

/// Answers so many asks, numbered from the first, each when a program waits for it.
pub(crate) fn answers(path: &Path, first: usize, count: usize) -> anyhow::Result<Times> {
    let desk = StoreDesk::open(path)?;
    let mut peer = Peer::start("wait", path)?;
    let mut times = Times::default();
    for number in first..first + count {
        let opened = desk.open(None, new_ask(number)?)?;
        let ask = opened.ask();
        writeln!(peer.stdin, "{}", ask.id)?;
        peer.wait_until_seen()?;
        times.push(peer.sees(|_| Ok(desk.act(&person(), ask.id, None, submit(ask)).map(drop)?))?);
    }
    Ok(times)
}
