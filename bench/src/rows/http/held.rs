//! Requests that are held: what each costs, and how soon all are woken.

use super::{Bare, Server, answer, ask};
use crate::Run;
use crate::held_requests::held;
use crate::rows::commands::home;
use crate::rows::peers::langgraph;
use crate::table::{Quantity, Reference, Table};
use anyhow::Context as _;
use std::time::Duration;

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
