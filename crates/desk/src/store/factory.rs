//! Factory of stores: the only place that chooses one.

use super::CallerCount;
use super::api::Store;
use super::postgres::PostgresStore;
use super::postgres::connection::address::PostgresAddress;
use super::sqlite::SqliteStore;
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
    let notice = store.notice().cloned();
    Ok(with_notice(store, notice))
}

/// Opens the store in a database.
///
/// # Errors
/// If the server cannot be reached, or the database has no desk of this version.
pub(crate) fn open_database(address: &PostgresAddress) -> Result<OpenedStore, Problem> {
    Ok(with_notice(PostgresStore::open(address)?, None))
}

/// Adds the warning that the desk takes no writes. It is readable all the same.
fn with_notice(store: impl Store + 'static, notice: Option<LocalizedText>) -> OpenedStore {
    let mark = store.mark().ok().flatten();
    OpenedStore { notice: mark.map(|mark| mark.to_problem().message).or(notice), store: Arc::new(store) }
}
