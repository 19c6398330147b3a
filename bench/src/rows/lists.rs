//! Lists of many open asks.

use crate::figures::Times;
use crate::request::new_ask;
use crate::rows::commands::{home, sayso};
use crate::table::{Reference, Table};
use crate::workload::at_once;
use crate::{Run, floor};
use sayso_desk::{Desk as _, RetentionPolicy, StoreDesk};
use std::path::Path;
use std::time::Duration;

/// Fills a desk with open asks, from many threads so that commits are shared.
pub(crate) fn fill(path: &Path, count: usize) -> anyhow::Result<()> {
    let desk = StoreDesk::open(path)?;
    at_once(count, |number| Ok(desk.open(None, new_ask(number)?).map(drop)?))?;
    desk.run_maintenance(RetentionPolicy::default(), Duration::MAX);
    Ok(())
}

pub(crate) fn lists(run: &Run, table: &mut Table) -> anyhow::Result<()> {
    let home = home(run, "list")?;
    fill(&home.join("desk.db"), 1_000)?;
    let hello = floor::hello(run.folder.path())?;
    let hello = floor::program(run.times(300), &hello, &[])?;
    let times = Times::of(run.times(300), || {
        anyhow::ensure!(sayso(run, &home).arg("list").status()?.success(), "list failed");
        Ok(())
    })?;
    table.times("`sayso list` with 1,000 open", &times, vec![Reference::from_times("hello", &hello)]);
    Ok(())
}
