//! Desk in a file on this machine, shared by every process that opens it.

mod asks;
mod key;
mod lookup;
mod opening;
mod thread;
mod token;
mod watch;

use crate::store::{self, OpenedStore, PurgeLimits, Store};
use crate::watch::{AskChange, ChangeCursor, Interest};
use jiff::{SignedDuration, Timestamp};
use key::{check_form_name, key_owner};
use sayso_core::lifecycle::AskEvent;
use sayso_core::{Actor, Ask, AskId, LocalizedText, Person, Problem};
use std::fmt;
use std::path::Path;
use std::sync::Arc;

pub use crate::store::CallerCount;
pub use key::check_key;

/// Handle on a desk file.
pub struct LocalDesk {
    store: Arc<dyn Store>,
    notice: Option<LocalizedText>,
}

impl fmt::Debug for LocalDesk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LocalDesk").finish_non_exhaustive()
    }
}

/// Retention of settled asks and old drafts.
#[derive(Debug, Clone, Copy)]
pub struct RetentionPolicy {
    /// Days that settled asks are kept.
    pub settled_days: u32,
    /// Days that drafts of asks that ended otherwise are kept.
    pub draft_days: u32,
    /// Days that settled asks of hosts' hooks are kept, if that is shorter: the arguments of a tool may hold secrets.
    pub hook_days: u32,
}

impl Default for RetentionPolicy {
    fn default() -> Self {
        Self { settled_days: 90, draft_days: 30, hook_days: 7 }
    }
}

impl LocalDesk {
    /// Opens a desk file for many callers, and creates it if it does not exist.
    ///
    /// # Errors
    /// If the file is not a desk, is of a newer version, or cannot be opened.
    pub fn open(path: &Path) -> Result<Self, Problem> {
        Self::open_for(path, CallerCount::Many)
    }

    /// Opens a desk file for these callers, and creates it if it does not exist.
    ///
    /// # Errors
    /// If the file is not a desk, is of a newer version, or cannot be opened.
    pub fn open_for(path: &Path, callers: CallerCount) -> Result<Self, Problem> {
        let OpenedStore { store, notice } = store::open_file(path, callers)?;
        Ok(Self { store, notice })
    }

    /// Returns the warning to show once after opening: files are missing, so the desk may be incomplete.
    pub const fn notice(&self) -> Option<&LocalizedText> {
        self.notice.as_ref()
    }

    /// Returns a desk over a test's store.
    #[cfg(test)]
    pub(crate) fn with_store(store: impl Store + 'static) -> Self {
        Self { store: Arc::new(store), notice: None }
    }

    /// Runs periodic maintenance while no one waits for a reply. It checkpoints a large WAL, and purges old asks once
    /// a day.
    ///
    /// # Errors
    /// If the desk cannot be written.
    pub fn run_maintenance(&self, retention: RetentionPolicy) -> Result<(), Problem> {
        let now = self.store.now();
        let before = |days: u32| {
            let days = SignedDuration::from_hours(i64::from(days) * 24);
            now.checked_sub(days).unwrap_or(Timestamp::MIN)
        };
        self.store.run_maintenance(PurgeLimits {
            settled_before: before(retention.settled_days),
            drafts_before: before(retention.draft_days),
            hooks_before: before(retention.hook_days),
        })
    }

    /// Gives back the space that a burst of writes took. Costs one `stat` call if there is nothing to do.
    pub fn release_space(&self) {
        self.store.release_space();
    }

    /// Returns the bytes that the asks of all accounts take.
    ///
    /// # Errors
    /// If the desk cannot be read.
    pub fn kept_bytes(&self) -> Result<u64, Problem> {
        self.store.kept_bytes()
    }

    /// Returns every event of an ask with the time of its change. Its state can be rebuilt from them.
    ///
    /// # Errors
    /// If the desk cannot be read.
    pub fn history(&self, id: AskId) -> Result<Vec<(Timestamp, Vec<AskEvent>)>, Problem> {
        self.store.history(id)
    }

    /// Finds the ask on which a person used a key.
    ///
    /// # Errors
    /// If the desk cannot be read.
    pub fn find_by_person_key(&self, person: &Person, key: &str) -> Result<Option<AskId>, Problem> {
        self.store.find_by_key(&key_owner(&Actor::Person(person.clone())), key)
    }

    /// Returns the outcome of an ask as rendered in this form, if it was rendered.
    ///
    /// # Errors
    /// If the desk cannot be read.
    pub fn rendering(&self, ask: &Ask, form: &str) -> Result<Option<Vec<u8>>, Problem> {
        check_form_name(form)?;
        self.store.rendering(ask.id, form)
    }

    /// Returns the cursor to resume from: this one, or the latest without one. The flag says that some changes since
    /// may be unknown.
    ///
    /// # Errors
    /// If the desk cannot be read.
    pub fn resume_cursor(&self, since: Option<ChangeCursor>) -> Result<(ChangeCursor, bool), Problem> {
        watch::resume_cursor(&*self.store, since)
    }

    /// Returns the changes after a cursor, in order, at most `limit` of them.
    ///
    /// # Errors
    /// If the desk cannot be read.
    pub fn changes_after(&self, cursor: ChangeCursor, limit: usize) -> Result<Vec<AskChange>, Problem> {
        self.store.changes_after(cursor, limit)
    }

    /// Runs this on its own thread once the disk has failed to confirm a write. From then on this process writes
    /// nothing; a program that serves others should end. After a restart it reads the actual state.
    pub fn on_disk_failure(&self, act: impl FnOnce() + Send + 'static) {
        let sync_health = self.store.sync_health();
        let wait = move || {
            sync_health.wait_for_failure();
            act();
        };
        // Writes fail all the same.
        if let Err(error) = std::thread::Builder::new().spawn(wait) {
            tracing::warn!(%error, "no thread to report a disk failure");
        }
    }

    /// Runs this after each commit of this process that changed something, on the committing thread, after its
    /// callers have returned. It updates others in this process without the wake-up, which is for all processes and
    /// first wakes a thread. Several hooks run in the order of their addition.
    pub fn add_commit_hook(&self, act: impl Fn() + Send + Sync + 'static) {
        self.store.add_commit_hook(Arc::new(act));
    }

    /// Returns whether a commit wakes waiters here; otherwise they poll every 20 ms.
    pub fn has_wakeup(&self) -> bool {
        self.store.wakeup().listen(&Interest::All).is_some()
    }
}

#[cfg(test)]
mod tests;
