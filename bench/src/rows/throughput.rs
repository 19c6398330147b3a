//! Durable asks and answers in process, one after another and many at once, next to raw SQL on the same rows.

use crate::Run;
use crate::figures::{Times, per_second};
use crate::floor::RawSql;
use crate::request::{new_ask, person, submit};
use crate::rows::peers::langgraph;
use crate::table::{Quantity, Reference, Table};
use sayso_desk::{Desk, StoreDesk};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// Asks with a key, and answers.
pub(crate) fn pair(desk: &dyn Desk, number: usize) -> anyhow::Result<()> {
    let opened = desk.open(Some(&number.to_string()), new_ask(number)?)?;
    desk.act(&person(), opened.ask().id, None, submit(opened.ask()))?;
    Ok(())
}

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

/// Number of threads that ask and answer at once.
pub(crate) const AT_ONCE: usize = 64;

/// Does something with each number below `count`, from [`AT_ONCE`] threads.
pub(crate) fn at_once(count: usize, work: impl Fn(usize) -> anyhow::Result<()> + Sync) -> anyhow::Result<()> {
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        let run = || -> anyhow::Result<()> {
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                if number >= count {
                    return Ok(());
                }
                work(number)?;
            }
        };
        let threads: Vec<_> = (0..AT_ONCE).map(|_| scope.spawn(run)).collect();
        threads
            .into_iter()
            .try_for_each(|thread| thread.join().unwrap_or_else(|_| Err(anyhow::anyhow!("panicked"))))
    })
}

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
