//! Lists of many open asks.

use crate::Run;
use crate::commands::{home, sayso};
use crate::figures::Times;
use crate::request::new_ask;
use crate::table::{Table, Target};
use crate::throughput::at_once;
use sayso_desk::{Desk as _, LocalDesk, Query};
use std::path::Path;
use std::time::Duration;

/// Fills a desk with open asks, from many threads so that commits are shared.
pub(crate) fn fill(path: &Path, count: usize) -> anyhow::Result<()> {
    let desk = LocalDesk::open(path)?;
    at_once(count, |number| Ok(desk.open(None, new_ask(number)?).map(drop)?))?;
    desk.tidy_up(sayso_desk::local::Retention::default())?;
    Ok(())
}

pub(crate) fn lists(run: &Run, table: &mut Table) -> anyhow::Result<()> {
    let small = home(run, "list-1k")?;
    fill(&small.join("desk.db"), 1_000)?;
    let list = |home: &Path| {
        let home = home.to_owned();
        move || {
            anyhow::ensure!(sayso(run, &home).arg("list").status()?.success(), "list failed");
            Ok(())
        }
    };
    let times = Times::of(run.times(300), list(&small))?;
    table.row(
        "`sayso list` with 1,000 open",
        times.shown(),
        Target::median(&times, Duration::from_millis(4)),
        "",
    );
    let large = home(run, "list-100k")?;
    let count = if run.quick { 5_000 } else { 100_000 };
    fill(&large.join("desk.db"), count)?;
    let desk = LocalDesk::open(&large.join("desk.db"))?;
    let times = Times::of(run.times(500), || Ok(desk.list(&Query::default()).map(drop)?))?;
    table.row(
        &format!("a page of 200 of {count} open, in process"),
        times.shown(),
        Target::median(&times, Duration::from_millis(1)),
        "",
    );
    let times = Times::of(run.times(300), list(&large))?;
    table.row(
        &format!("`sayso list` with {count} open"),
        times.shown(),
        Target::median(&times, Duration::from_millis(5)),
        "",
    );
    Ok(())
}
