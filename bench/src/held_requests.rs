//! Requests that are held: their memory, and how soon all are woken.

use crate::floor::{self, Work};
use crate::http_client::Client;
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
