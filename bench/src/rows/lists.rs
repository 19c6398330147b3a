//! Lists of many open asks.

use crate::figures::{Times, millis};
use crate::request::new_ask;
use crate::rows::commands::{home, sayso};
use crate::rows::throughput::at_once;
use crate::table::{Table, Target};
use crate::{Run, floor};
use sayso_desk::{AskQuery, Desk as _, RetentionPolicy, ServerDesk as _, StoreDesk};
use std::path::Path;
use std::time::{Duration, Instant};

/// Fills a desk with open asks, from many threads so that commits are shared.
pub(crate) fn fill(path: &Path, count: usize) -> anyhow::Result<()> {
    let desk = StoreDesk::open(path)?;
    at_once(count, |number| Ok(desk.open(None, new_ask(number)?).map(drop)?))?;
    desk.run_maintenance(RetentionPolicy::default())?;
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
    let desk = StoreDesk::open(&large.join("desk.db"))?;
    let times = Times::of(run.times(500), || Ok(desk.list(&AskQuery::default()).map(drop)?))?;
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

/// Costs of a desk with nearly as many open asks as it takes: an ask, the first search, a list that the disk gives.
pub(crate) fn growth(run: &Run, table: &mut Table) -> anyhow::Result<()> {
    let home = home(run, "growth")?;
    let path = home.join("desk.db");
    fill(&path, 1_000)?;
    let by = if run.quick { 20 } else { 999 };
    floor::multiply(&path, by)?;
    let count = by * 1_000;
    if drop_cache() {
        let start = Instant::now();
        anyhow::ensure!(sayso(run, &home).arg("list").status()?.success(), "list failed");
        let took = start.elapsed();
        let target = Target::at_most("≤ 100 ms", took.as_secs_f64(), 0.1);
        table.row(&format!("`sayso list` with {count} open, nothing cached"), millis(took), target, "");
    }
    let desk = StoreDesk::open(&path)?;
    let mut number = 2_000_000;
    let times = Times::of(run.times(300), || {
        number += 1;
        Ok(desk.open(None, new_ask(number)?).map(drop)?)
    })?;
    let target = Target::median(&times, Duration::from_millis(1));
    table.row(&format!("one durable ask with {count} open"), times.shown(), target, "");
    let start = Instant::now();
    desk.list(&AskQuery { search: Some("canary".to_owned()), ..AskQuery::default() })?;
    let took = start.elapsed();
    let target = Target::at_most("≤ 0.5 s", took.as_secs_f64(), 0.5);
    table.row(&format!("the first search of {count} open"), millis(took), target, "");
    Ok(())
}

/// Has the system forget what it has read of files, where this program may ask for that.
fn drop_cache() -> bool {
    let _ = std::process::Command::new("sync").status();
    std::fs::write("/proc/sys/vm/drop_caches", "1").is_ok()
}
