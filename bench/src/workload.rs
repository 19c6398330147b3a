//! Workload of the rows: asks and answers, one after another and many at once.

use crate::request::{new_ask, person, submit};
use sayso_desk::Desk;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Asks with a key, and answers.
pub(crate) fn pair(desk: &dyn Desk, number: usize) -> anyhow::Result<()> {
    let opened = desk.open(Some(&number.to_string()), new_ask(number)?)?;
    desk.act(&person(), opened.ask().id, None, submit(opened.ask()))?;
    Ok(())
}

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
