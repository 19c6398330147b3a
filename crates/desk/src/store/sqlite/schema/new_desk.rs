//! A new desk, made in one step.

use super::{APPLICATION_ID, FORMAT, not_a_desk_or};
use crate::own_file;
use crate::store::sqlite::error::desk_unreachable;
use rusqlite::{Connection, OpenFlags};
use sayso_core::Problem;
use std::path::Path;

/// Tables, indexes and triggers, and the numbers of the desk.
const SCRIPT: &str = include_str!("new_desk.sql");

/// Creates a file with the tables and the WAL mode of a new desk, readable by its owner only. When it returns, the
/// content is durable; the name is durable once the folder is synced.
///
/// The file must have a name that no other process looks for: a journal and locks would only cost time.
pub(crate) fn create_file(path: &Path) -> Result<(), Problem> {
    let file = own_file::create_new(path).map_err(|error| desk_unreachable(path, error))?;
    write_tables(path).map_err(|error| not_a_desk_or(error, path))?;
    file.sync_data().map_err(|error| desk_unreachable(path, error))
}

fn write_tables(path: &Path) -> rusqlite::Result<()> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let mut conn = Connection::open_with_flags(path, flags)?;
    conn.execute_batch("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF")?;
    let_pages_go(&conn)?;
    let tx = conn.transaction()?;
    create_tables(&tx)?;
    tx.commit()?;
    conn.pragma_update_and_check(None, "journal_mode", "WAL", |_| Ok(()))
}

/// Lets the file become shorter again. Only a file without tables can be set so.
pub(super) fn let_pages_go(conn: &Connection) -> rusqlite::Result<()> {
    conn.pragma_update(None, "auto_vacuum", "INCREMENTAL")
}

/// Creates the tables in an empty database.
pub(super) fn create_tables(tx: &Connection) -> rusqlite::Result<()> {
    tx.execute_batch(SCRIPT)?;
    tx.pragma_update(None, "user_version", FORMAT)?;
    tx.pragma_update(None, "application_id", APPLICATION_ID)
}
