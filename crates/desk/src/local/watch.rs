//! Watch over a local desk.

use crate::store::{POLL_INTERVAL, Store};
use crate::wakeup::{Listener, SHORTEST_INTERVAL};
use crate::watch::{Cursor, Heard, Interest, Watch};
use sayso_core::Problem;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Changes read at once.
const CHANGES_READ: usize = 512;

/// Watch over a store. A listener wakes it; without one it polls.
pub(super) struct LocalWatch {
    store: Arc<dyn Store>,
    interest: Interest,
    cursor: Cursor,
    /// The given cursor cannot be resumed: a gap is reported first.
    has_gap: bool,
    /// Changes may exist for which no further wake-up will arrive.
    is_behind: bool,
    listener: Option<Box<dyn Listener>>,
    /// Interval of the safety check, with the time of its last computation.
    interval: Duration,
    counted_at: Instant,
}

impl LocalWatch {
    /// Begins now, or at the cursor of an earlier watch.
    pub(super) fn begin(
        store: Arc<dyn Store>,
        interest: Interest,
        since: Option<Cursor>,
    ) -> Result<Self, Problem> {
        store.must_be_there()?;
        let listener = store.listen(&interest);
        let (cursor, has_gap) = place(&*store, since)?;
        let interval = if listener.is_some() { SHORTEST_INTERVAL } else { POLL_INTERVAL };
        let counted_at = Instant::now();
        Ok(Self { store, interest, cursor, has_gap, is_behind: true, listener, interval, counted_at })
    }

    /// Appends the changes since the last read.
    fn read(&mut self, heard: &mut Vec<Heard>) -> Result<(), Problem> {
        if let Interest::Ask(id) = self.interest {
            let (read, cursor) = self.store.changes_of_after(id, self.cursor)?;
            self.cursor = cursor;
            heard.extend(read.into_iter().map(Heard::Changed));
            return Ok(());
        }
        loop {
            let read = self.store.changes_after(self.cursor, CHANGES_READ)?;
            self.cursor = read.last().map_or(self.cursor, |last| last.cursor);
            let full = read.len() == CHANGES_READ;
            heard.extend(read.into_iter().map(Heard::Changed));
            if !full {
                return Ok(());
            }
        }
    }
}

/// Returns the cursor to resume from, and whether changes since may be unknown.
pub(super) fn place(store: &dyn Store, since: Option<Cursor>) -> Result<(Cursor, bool), Problem> {
    let Some(since) = since else { return Ok((store.last_change()?, false)) };
    if store.goes_on_from(since)? { Ok((since, false)) } else { Ok((store.last_change()?, true)) }
}

impl Watch for LocalWatch {
    fn poll(&mut self) -> Result<Vec<Heard>, Problem> {
        if let Some(listener) = &self.listener {
            listener.drain();
            if self.counted_at.elapsed() >= self.interval {
                (self.interval, self.counted_at) = (listener.check_interval(), Instant::now());
            }
        }
        self.is_behind = true;
        self.store.must_be_there()?;
        // A desk that cannot be written can still be read; what is due then shows its old state.
        let _ = self.store.keep_time();
        let mut heard = Vec::new();
        if std::mem::take(&mut self.has_gap) {
            heard.push(Heard::Gap);
        }
        self.read(&mut heard)?;
        // Changes after the drain wake the listener.
        self.is_behind = self.listener.is_none();
        Ok(heard)
    }

    fn cursor(&self) -> Cursor {
        self.cursor
    }

    fn wait(&mut self, limit: Duration) -> Result<Vec<Heard>, Problem> {
        if self.is_behind {
            let heard = self.poll()?;
            if !heard.is_empty() {
                return Ok(heard);
            }
        }
        let pace = self.pace().min(limit);
        match &self.listener {
            Some(listener) => listener.wait(pace),
            None => {
                #[expect(clippy::disallowed_methods, reason = "nothing wakes it here")]
                std::thread::sleep(pace);
            }
        }
        self.poll()
    }

    fn pace(&self) -> Duration {
        self.interval
    }

    #[cfg(unix)]
    fn bell(&self) -> Option<std::os::fd::BorrowedFd<'_>> {
        self.listener.as_ref().map(|listener| listener.fd())
    }
}
