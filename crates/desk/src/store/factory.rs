//! Factory of stores: the only place that chooses one.

use super::postgres::PostgresStore;
use super::postgres::address::PostgresAddress;
use super::sqlite::SqliteStore;
use super::{CallerCount, Store};
use sayso_core::{LocalizedText, Problem};
use std::path::Path;
use std::sync::Arc;

/// Store that was just opened.
pub(crate) struct OpenedStore {
    pub(crate) store: Arc<dyn Store>,
    /// Warning to show once.
    pub(crate) notice: Option<LocalizedText>,
}

/// Opens the store in a desk file for these callers, and creates it if it does not exist.
///
/// # Errors
/// If the file is not a desk, is of a newer version, or cannot be opened.
pub(crate) fn open_file(path: &Path, callers: CallerCount) -> Result<OpenedStore, Problem> {
    let store = SqliteStore::open(path)?.with_callers(callers);
    Ok(OpenedStore { notice: store.notice().cloned(), store: Arc::new(store) })
}

/// Opens the store in a database.
///
/// # Errors
/// If the server cannot be reached, or the database has no desk of this version.
pub(crate) fn open_database(address: &PostgresAddress) -> Result<OpenedStore, Problem> {
    Ok(OpenedStore { notice: None, store: Arc::new(PostgresStore::open(address)?) })
}
