//! Durable asks and answers in process, one after another and many at once, beside raw SQL on the same rows.

use crate::Run;
use crate::figures::{Times, millis, per_second};
use crate::floor::RawSql;
use crate::request::{new_ask, person, submit};
use crate::rows::peers::langgraph;
use crate::table::{Table, Target, joined};
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
    let floor = format!("raw SQL {}", millis(floor.median()));
    let peer = run.beside("LangGraph", || langgraph::one_after_another(run, table));
    table.row(
        "durable ask + answer, one after another",
        times.shown(),
        Target::median(&times, Duration::from_micros(250)),
        joined([floor, peer]),
    );
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
    let batches = run.times(640).div_ceil(TURNS);
    let count = batches * AT_ONCE;
    let mut raw = RawSql::open(&run.folder.path().join("raw-many.db"))?;
    let desk = StoreDesk::open(&run.folder.path().join("many.db"))?;
    let (mut floor, mut waited, mut took) = (Duration::ZERO, Duration::ZERO, Duration::ZERO);
    for turn in 0..TURNS {
        let start = Instant::now();
        (0..batches).try_for_each(|_| raw.batch(AT_ONCE))?;
        floor += start.elapsed();
        let start = Instant::now();
        raw.at_once(count)?;
        waited += start.elapsed();
        let start = Instant::now();
        at_once(count, |number| pair(&desk, turn * count + number))?;
        took += start.elapsed();
    }
    let [floor, waited, rate] = [floor, waited, took].map(|time| per_second(TURNS * count, time));
    let peer = run.beside("LangGraph", || langgraph::many_at_once(run, table));
    table.row(
        "ask + answer pairs a second, 64 at once",
        format!("{rate:.0} ({:.0} % of raw SQL)", 100.0 * rate / waited),
        Target::at_least("≥ 8,000", rate, 8e3).and(Target::at_least("≥ 60 % of raw SQL", rate / waited, 0.6)),
        joined([
            format!("raw SQL, 64 at once: {waited:.0}; in batches of 64 that nobody waits for: {floor:.0}"),
            peer,
        ]),
    );
    Ok(())
}
