//! Watching a desk in a file.

use crate::bell::Ear;
use crate::store::{PACE_WITH_BELL, PACE_WITHOUT_BELL, Store};
use crate::watch::{Cursor, Heard, Interest, Watch};
use sayso_core::Problem;
use std::sync::Arc;
use std::time::Duration;

/// How many changes are read at once.
const CHANGES_READ: usize = 512;

/// A watch over a store, with a bell where there is one to hear.
pub(super) struct LocalWatch {
    store: Arc<dyn Store>,
    interest: Interest,
    cursor: Cursor,
    /// It could not go on from where it was to: that is to be told first.
    has_gap: bool,
    /// Something may have happened that no bell tells of any more.
    is_behind: bool,
    bell: Option<Ear>,
}

impl LocalWatch {
    /// Begins now, or where an earlier watch was.
    pub(super) fn begin(
        store: Arc<dyn Store>,
        interest: Interest,
        since: Option<Cursor>,
    ) -> Result<Self, Problem> {
        store.must_be_there()?;
        let bell = store.listen();
        let (cursor, has_gap) = place(&*store, since)?;
        Ok(Self { store, interest, cursor, has_gap, is_behind: true, bell })
    }
}

/// Where to go on from a place, and whether something may have happened since that is not known any more.
pub(super) fn place(store: &dyn Store, since: Option<Cursor>) -> Result<(Cursor, bool), Problem> {
    let Some(since) = since else { return Ok((store.last_change()?, false)) };
    if store.goes_on_from(since)? { Ok((since, false)) } else { Ok((store.last_change()?, true)) }
}

impl Watch for LocalWatch {
    fn poll(&mut self) -> Result<Vec<Heard>, Problem> {
        if let Some(bell) = &self.bell {
            bell.drain();
        }
        self.is_behind = true;
        self.store.must_be_there()?;
        // A desk that cannot be written can still be read; what is due stands as it did then.
        let _ = self.store.keep_time();
        let mut heard = Vec::new();
        if std::mem::take(&mut self.has_gap) {
            heard.push(Heard::Gap);
        }
        loop {
            let read = self.store.changes_after(self.cursor, CHANGES_READ)?;
            self.cursor = read.last().map_or(self.cursor, |last| last.cursor);
            let full = read.len() == CHANGES_READ;
            heard.extend(read.into_iter().filter(|c| self.interest.is_in(c.id)).map(Heard::Changed));
            if !full {
                // What has happened since the bell was drained has it ring.
                self.is_behind = self.bell.is_none();
                return Ok(heard);
            }
        }
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
        match &self.bell {
            Some(bell) => bell.wait(pace),
            None => {
                #[expect(clippy::disallowed_methods, reason = "there is no bell to hear")]
                std::thread::sleep(pace); // tidy: sleep because there is no bell to hear
            }
        }
        self.poll()
    }

    fn pace(&self) -> Duration {
        if self.bell.is_some() { PACE_WITH_BELL } else { PACE_WITHOUT_BELL }
    }

    #[cfg(unix)]
    fn bell(&self) -> Option<std::os::fd::BorrowedFd<'_>> {
        self.bell.as_ref().map(Ear::fd)
    }
}
