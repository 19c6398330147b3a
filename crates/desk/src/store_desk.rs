//! Desk that this process opens by itself: in a file that the programs of a machine share, or in a PostgreSQL
//! database that nodes share.

mod asks;
mod browser_session;
mod group;
mod key;
mod lookup;
mod opening;
mod server;
mod service_names;
mod service_session;
mod thread;
mod token;
mod watch;

use crate::store::api::Store;
use crate::store::postgres::PostgresStore;
use crate::store::postgres::connection::address::PostgresAddress;
use crate::store::{self, OpenedStore};
use crate::watch::Interest;
use jiff::Timestamp;
use sayso_core::lifecycle::AskEvent;
use sayso_core::{AskId, LocalizedText, Problem, limits};
use std::fmt;
use std::path::Path;
use std::sync::{Arc, Mutex};

pub use crate::store::{CallerCount, DeskLoss};
pub use key::{check_key, unshared_key};

/// Handle on a desk in a file or a database.
pub struct StoreDesk {
    pub(crate) store: Arc<dyn Store>,
    notice: Option<LocalizedText>,
    /// Held by the thread that runs deadlines.
    pub(crate) due: Mutex<()>,
    /// Days without a request after which a browser is signed out.
    session_days: u32,
}

impl fmt::Debug for StoreDesk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StoreDesk").finish_non_exhaustive()
    }
}

impl StoreDesk {
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
        Ok(Self { store, notice, due: Mutex::default(), session_days: limits::SESSION_DAYS })
    }

    /// Opens the desk in a database, which several nodes may share.
    ///
    /// # Errors
    /// If the server cannot be reached, or the database has no desk of this version.
    pub fn open_database(address: &PostgresAddress) -> Result<Self, Problem> {
        let OpenedStore { store, notice } = store::open_database(address)?;
        Ok(Self { store, notice, due: Mutex::default(), session_days: limits::SESSION_DAYS })
    }

    /// Creates the tables of a desk in a database, unless it has them.
    ///
    /// # Errors
    /// If the server cannot be reached, the role may not create tables, or the desk is of a newer version.
    pub fn migrate_database(address: &PostgresAddress) -> Result<(), Problem> {
        PostgresStore::migrate(address)
    }

    /// Signs browsers out after so many days without a request.
    #[must_use]
    pub fn with_session_days(self, days: u32) -> Self {
        Self { session_days: days.clamp(1, limits::SESSION_MOST_DAYS), ..self }
    }

    /// Returns the warning to show once after opening: files are missing, so the desk may be incomplete.
    pub const fn notice(&self) -> Option<&LocalizedText> {
        self.notice.as_ref()
    }

    /// Writes something and takes it back, durably.
    ///
    /// # Errors
    /// If the desk takes no write.
    pub fn try_write(&self) -> Result<(), Problem> {
        self.store.try_write()
    }

    /// Finds what an operator of the desk should change.
    ///
    /// # Errors
    /// If the desk cannot be read.
    pub fn warnings(&self) -> Result<Vec<Problem>, Problem> {
        self.store.warnings()
    }

    /// Returns a desk over a test's store.
    #[cfg(test)]
    pub(crate) fn with_store(store: impl Store + 'static) -> Self {
        Self {
            store: Arc::new(store),
            notice: None,
            due: Mutex::default(),
            session_days: limits::SESSION_DAYS,
        }
    }

    /// Returns every event of an ask with the time of its change. Its state can be rebuilt from them.
    ///
    /// # Errors
    /// If the desk cannot be read.
    pub fn history(&self, id: AskId) -> Result<Vec<(Timestamp, Vec<AskEvent>)>, Problem> {
        self.store.history(id)
    }

    /// Runs this on its own thread once the disk has failed to confirm a write, or another file has the place of the desk.
    /// From then on this process writes nothing; a program that serves others should end. After a restart it reads the
    /// actual state.
    pub fn on_loss(&self, act: impl FnOnce(DeskLoss) + Send + 'static) {
        let sync_health = self.store.sync_health();
        let wait = move || {
            act(sync_health.wait_for_loss());
        };
        // Writes fail all the same.
        if let Err(error) = std::thread::Builder::new().spawn(wait) {
            tracing::warn!(%error, "no thread to report the loss of the desk");
        }
    }

    /// Returns whether a commit wakes waiters here; otherwise they poll every 20 ms.
    pub fn has_wakeup(&self) -> bool {
        self.store.wakeup().listen(&Interest::All).is_some()
    }
}

#[cfg(test)]
mod tests;
