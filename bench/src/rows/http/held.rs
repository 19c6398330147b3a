//! Requests that are held: what each costs, and how soon all are woken.

use super::{Bare, Client, Server, answer, ask};
use crate::Run;
use crate::floor::{self, Work};
use crate::rows::commands::home;
use crate::rows::peers::langgraph;
use crate::table::{Quantity, Reference, Table};
use anyhow::Context as _;
use std::time::{Duration, Instant};

/// Opens so many held requests.
fn hold(
    client: impl Fn() -> anyhow::Result<Client>,
    path: &str,
    count: usize,
) -> anyhow::Result<Vec<Client>> {
    (0..count)
        .map(|_| {
            let mut client = client()?;
            client.send("GET", path, "")?;
            Ok(client)
        })
        .collect()
}

/// Waits until the processor rests: then everything that was sent is held.
pub(crate) fn settle(pid: u32) -> anyhow::Result<()> {
    let mut before = Work::of(pid)?;
    loop {
        #[expect(clippy::disallowed_methods, reason = "what is awaited is that nothing happens any more")]
        std::thread::sleep(Duration::from_millis(500));
        let now = Work::of(pid)?;
        if now.since(&before) < Duration::from_millis(10) {
            return Ok(());
        }
        before = now;
    }
}

/// Longest duration of a wait, less some time to wake it.
const HELD: Duration = Duration::from_secs(55);

/// Cost of each of many held requests, and the time until the last one is woken.
pub(crate) fn held(
    pid: u32,
    client: impl Fn() -> anyhow::Result<Client>,
    path: &str,
    count: usize,
    wake: impl FnOnce() -> anyhow::Result<()>,
) -> anyhow::Result<(u64, Duration)> {
    let (before, _) = floor::memory(pid)?;
    let start = Instant::now();
    let mut clients = hold(client, path, count)?;
    settle(pid)?;
    let took = start.elapsed();
    anyhow::ensure!(
        took < HELD,
        "{count} waits came to rest only after {took:.0?}, which is longer than one lasts"
    );
    let (after, _) = floor::memory(pid)?;
    let start = Instant::now();
    wake()?;
    for client in &mut clients {
        client.reply()?;
    }
    let woken = start.elapsed();
    let each = (after - before) * 1_024 / u64::try_from(count)?;
    Ok((each, woken))
}

/// Many who wait for one outcome, next to as many whom bare axum holds.
pub(crate) fn waits(run: &Run, table: &mut Table) -> anyhow::Result<()> {
    // Each side of a connection is an open file, and a process may have only so many. Where there is much else to do,
    // fewer come to rest before the first ones end.
    let counts: &[usize] = match run {
        Run { quick: true, .. } => &[500],
        Run { loaded: true, .. } => &[2_000],
        Run { .. } => &[10_000, 2_000],
    };
    let (first, others) = counts.split_first().context("no count")?;
    let tried = |count: usize| Ok::<_, anyhow::Error>((count, bare(count)?, ours(run, count)?));
    let held = others.iter().fold(tried(*first), |held, fewer| {
        held.or_else(|error| {
            eprintln!("  fewer waits: {error:#}");
            tried(*fewer)
        })
    });
    let (count, (floor_bytes, floor_woken), (bytes, woken)) = held?;
    eprintln!("  {count} waits");
    let axum = |quantity| Reference::new("bare axum", quantity);
    let peer = run.peer(table, "uvicorn", |table| langgraph::held(run, table));
    let references = std::iter::once(axum(Quantity::Memory(floor_bytes))).chain(peer).collect();
    table.row("memory of each of many held waits", Quantity::Memory(bytes), references);
    let references = vec![axum(Quantity::Time(floor_woken))];
    table.row("the last of many waits is woken", Quantity::Time(woken), references);
    Ok(())
}

fn bare(count: usize) -> anyhow::Result<(u64, Duration)> {
    let bare = Bare::start()?;
    let mut waker = bare.client()?;
    let wake = || waker.call("POST", "/wake", "{}").map(drop);
    held(bare.pid(), || bare.client(), "/hold", count, wake)
}

fn ours(run: &Run, count: usize) -> anyhow::Result<(u64, Duration)> {
    let server = Server::start(run, &home(run, &format!("http-waits-{count}"))?)?;
    let mut client = server.client()?;
    let (id, shown) = ask(&mut client, 0)?;
    let path = format!("/v1/asks/{id}/outcome?wait=60");
    held(server.pid(), || server.client(), &path, count, || answer(&mut client, &id, &shown))
}
