//! From one process to another: an ask becomes visible, an answer reaches the program that waits.

use crate::Run;
use crate::figures::{Times, millis};
use crate::floor::RawSql;
use crate::peer::Peer;
use crate::request::{new_ask, person, submit};
use crate::table::{Table, Target};
use sayso_desk::{Desk as _, StoreDesk};
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

pub(crate) fn visible(run: &Run, table: &mut Table) -> anyhow::Result<()> {
    let path = run.folder.path().join("visible.db");
    let desk = StoreDesk::open(&path)?;
    let mut peer = Peer::start("see", &path)?;
    peer.wait_until_seen()?;
    let mut times = Times::default();
    for number in 0..run.times(2_000) {
        times.push(peer.sees(|_| Ok(desk.open(None, new_ask(number)?).map(drop)?))?);
    }
    table.row(
        "ask → visible to another process, durable",
        times.shown(),
        Target::median(&times, Duration::from_micros(300)),
        floor(run)?,
    );
    Ok(())
}

pub(crate) fn answer(run: &Run, table: &mut Table) -> anyhow::Result<()> {
    let times = answers(&run.folder.path().join("answer.db"), 0, run.times(2_000))?;
    table.row(
        "answer → waiting program, warm",
        times.shown(),
        Target::median(&times, Duration::from_micros(500)),
        floor(run)?,
    );
    Ok(())
}

/// The least that it takes: one commit of raw SQL, then waking another process.
fn floor(run: &Run) -> anyhow::Result<String> {
    let path = run.folder.path().join("raw-wakes.db");
    let mut raw = RawSql::open(&path)?;
    let mut peer = Peer::start("echo", &run.folder.path().join("echo.db"))?;
    let mut times = Times::default();
    for _ in 0..run.times(1_000) {
        times.push(peer.sees(|stdin| raw.one().and_then(|()| Ok(stdin.write_all(b".")?)))?);
    }
    drop(raw);
    std::fs::remove_file(path)?;
    Ok(format!("a raw commit, then a byte to another process {}", millis(times.median())))
}

/// The same beside two loops that keep both processors busy.
pub(crate) fn beside_busy_loops(run: &Run, table: &mut Table) -> anyhow::Result<()> {
    if run.loaded {
        return Ok(()); // the compiler is load enough, and stands in the row above
    }
    let busy = || Command::new("sh").args(["-c", "while :; do :; done"]).stdin(Stdio::null()).spawn();
    let mut loops = [busy()?, busy()?];
    let times = answers(&run.folder.path().join("loaded.db"), 0, run.times(1_000));
    for one in &mut loops {
        one.kill()?;
        one.wait()?;
    }
    let times = times?;
    let target = Target::p99(&times, Duration::from_millis(20));
    table.row("answer → waiting program, warm, beside two busy loops", times.shown(), target, "");
    Ok(())
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
