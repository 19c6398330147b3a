//! Durable asks and answers in process, one after another and many at once, next to raw SQL on the same rows.

use crate::Run;
use crate::figures::{Times, per_second};
use crate::floor::RawSql;
use crate::rows::peers::langgraph;
use crate::table::{Quantity, Reference, Table};
use crate::workload::{AT_ONCE, at_once, pair};
use sayso_desk::StoreDesk;
use std::time::{Duration, Instant};

pub(crate) fn one_after_another(run: &Run, table: &mut Table) -> anyhow::Result<()> {
    let mut raw = RawSql::open(&run.folder.path().join("raw-one.db"))?;
    let desk = StoreDesk::open(&run.folder.path().join("one.db"))?;
    // By turns, because a disk is not as fast all the time.
    let (mut floor, mut times) = (Times::default(), Times::default());
    for number in 0..run.times(3_000) {
        floor.take(|| raw.pair())?;
        times.take(|| pair(&desk, number))?;
    }
    let floor = Reference::from_times("raw SQL", &floor);
    let peer = run.peer(table, "LangGraph", |table| langgraph::one_after_another(run, table));
    let references = std::iter::once(floor).chain(peer).collect();
    table.times("durable ask + answer, one after another", &times, references);
    Ok(())
}

/// Number of turns that we and raw SQL take, because the speed of a machine varies.
const TURNS: usize = 8;

pub(crate) fn many_at_once(run: &Run, table: &mut Table) -> anyhow::Result<()> {
    let count = run.times(640).div_ceil(TURNS) * AT_ONCE;
    let mut raw = RawSql::open(&run.folder.path().join("raw-many.db"))?;
    let desk = StoreDesk::open(&run.folder.path().join("many.db"))?;
    let (mut waited, mut took) = (Duration::ZERO, Duration::ZERO);
    for turn in 0..TURNS {
        let start = Instant::now();
        raw.at_once(count)?;
        waited += start.elapsed();
        let start = Instant::now();
        at_once(count, |number| pair(&desk, turn * count + number))?;
        took += start.elapsed();
    }
    let [floor, rate] = [waited, took].map(|time| Quantity::Rate(per_second(TURNS * count, time)));
    let peer = run.peer(table, "LangGraph", |table| langgraph::many_at_once(run, table));
    let references = std::iter::once(Reference::new("raw SQL", floor)).chain(peer).collect();
    table.row("durable ask + answer, 64 at once", rate, references);
    Ok(())
}
