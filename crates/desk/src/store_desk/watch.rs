//! Watch of a desk over a store.

use crate::store::api::{ChangeStore, Store};
use crate::wakeup::{Listener, POLL_INTERVAL, SHORTEST_INTERVAL};
use crate::watch::{ChangeCursor, Interest, Watch, WatchEvent};
use sayso_core::Problem;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Changes read at once.
const CHANGES_READ: usize = 512;

/// Watch over a store. A listener wakes it; without one it polls.
pub(super) struct StoreWatch {
    store: Arc<dyn Store>,
    interest: Interest,
    cursor: ChangeCursor,
    /// History to which the cursor belongs.
    history: u64,
    /// The given cursor cannot be resumed: a gap is reported first.
    has_gap: bool,
    /// Changes may exist for which no further wake-up will arrive.
    may_have_missed: bool,
    listener: Option<Box<dyn Listener>>,
    /// Interval of the safety check, with the time of its last computation.
    interval: Duration,
    counted_at: Instant,
}

impl StoreWatch {
    /// Begins now, or at the cursor of an earlier watch.
    pub(super) fn begin(
        store: Arc<dyn Store>,
        interest: Interest,
        since: Option<ChangeCursor>,
    ) -> Result<Self, Problem> {
        store.check_identity()?;
        let listener = store.wakeup().listen(&interest);
        let history = store.history_number();
        let (cursor, has_gap) = resume_cursor(&*store, since)?;
        let interval = if listener.is_some() { SHORTEST_INTERVAL } else { POLL_INTERVAL };
        let counted_at = Instant::now();
        let may_have_missed = true;
        Ok(Self {
            store,
            interest,
            cursor,
            history,
            has_gap,
            may_have_missed,
            listener,
            interval,
            counted_at,
        })
    }

    /// Appends the changes since the last read.
    fn read(&mut self, events: &mut Vec<WatchEvent>) -> Result<(), Problem> {
        if let Interest::Ask(id) = self.interest {
            let (changes, cursor) = self.store.ask_changes_after(id, self.cursor)?;
            self.cursor = cursor;
            events.extend(changes.into_iter().map(WatchEvent::Change));
            return Ok(());
        }
        loop {
            let changes = self.store.changes_after(self.cursor, CHANGES_READ)?;
            if let Some(last) = changes.last() {
                self.cursor = last.cursor;
            }
            let is_last = changes.len() < CHANGES_READ;
            events.extend(changes.into_iter().map(WatchEvent::Change));
            if is_last {
                return Ok(());
            }
        }
    }
}

/// Returns the cursor to resume from, and whether changes since may be unknown.
pub(super) fn resume_cursor(
    store: &dyn ChangeStore,
    since: Option<ChangeCursor>,
) -> Result<(ChangeCursor, bool), Problem> {
    let Some(since) = since else { return Ok((store.latest_cursor()?, false)) };
    if store.can_resume_from(since)? { Ok((since, false)) } else { Ok((store.latest_cursor()?, true)) }
}

impl Watch for StoreWatch {
    fn poll(&mut self) -> Result<Vec<WatchEvent>, Problem> {
        if let Some(listener) = &self.listener {
            listener.drain();
            if self.counted_at.elapsed() >= self.interval {
                self.interval = listener.check_interval();
                self.counted_at = Instant::now();
            }
        }
        self.may_have_missed = true;
        self.store.check_identity()?;
        // A desk that cannot be written can still be read; what is due then shows its old state.
        if let Err(problem) = self.store.adjust_for_clock_change() {
            tracing::debug!(code = ?problem.code, "deadlines were not moved with the clock");
        }
        let history = self.store.history_number();
        if std::mem::replace(&mut self.history, history) != history {
            self.cursor = self.store.latest_cursor()?;
            self.has_gap = true;
        }
        let mut events = Vec::new();
        if std::mem::take(&mut self.has_gap) {
            events.push(WatchEvent::Gap);
        }
        self.read(&mut events)?;
        // The answer to an ask comes where the desk goes on.
        if events.is_empty()
            && matches!(self.interest, Interest::Ask(_))
            && let Some(mark) = self.store.mark()?
        {
            return Err(mark.to_problem());
        }
        // Changes after the drain wake the listener.
        self.may_have_missed = self.listener.is_none();
        Ok(events)
    }

    fn cursor(&self) -> ChangeCursor {
        self.cursor
    }

    fn wait(&mut self, limit: Duration) -> Result<Vec<WatchEvent>, Problem> {
        if self.may_have_missed {
            let events = self.poll()?;
            if !events.is_empty() {
                return Ok(events);
            }
        }
        let pace = self.poll_interval().min(limit);
        match &self.listener {
            Some(listener) => listener.wait(pace),
            None => {
                #[expect(clippy::disallowed_methods, reason = "nothing wakes it here")]
                std::thread::sleep(pace);
            }
        }
        self.poll()
    }

    fn poll_interval(&self) -> Duration {
        self.interval
    }

    #[cfg(unix)]
    fn wakeup_fd(&self) -> Option<std::os::fd::BorrowedFd<'_>> {
        self.listener.as_ref().map(|listener| listener.fd())
    }
}
