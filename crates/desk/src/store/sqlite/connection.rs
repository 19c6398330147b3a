//! Connections to a desk file, with the settings of every connection.

use super::error::{self, database_problem, desk_unreachable};
use super::{schema, writer::checkpoint};
use rusqlite::config::DbConfig;
use rusqlite::{Connection, ErrorCode, OpenFlags};
use sayso_core::Problem;
use std::path::Path;
use std::time::{Duration, Instant};

/// Longest wait for a lock of another process.
pub(crate) const LOCK_LIMIT: Duration = Duration::from_secs(error::BUSY_SECONDS);

/// Sleeps between two attempts to get a lock.
#[expect(clippy::disallowed_methods, reason = "SQLite gives no event for a lock that becomes free")]
pub(crate) fn sleep_before_retry() {
    std::thread::sleep(Duration::from_micros(200));
}

/// Returns a busy handler: it waits for another process's lock up to a time limit. It sleeps 200 µs between attempts,
/// because SQLite's own back-off can starve a writer for a quarter of a second.
fn busy_handler() -> impl FnMut(i32) -> bool + Send + 'static {
    let mut since = Instant::now();
    move |tries| {
        if tries == 0 {
            since = Instant::now();
        }
        sleep_before_retry();
        since.elapsed() < LOCK_LIMIT
    }
}

/// Lets a connection read what is left of a file that lost pages at its end: SQLite refuses it as a whole. Nothing may be
/// written to it, since new pages would take the places of lost ones.
fn let_read_cut_file(conn: &Connection) -> rusqlite::Result<()> {
    if let Err(error) = read_schema_version(conn)
        && error.sqlite_error_code() == Some(ErrorCode::DatabaseCorrupt)
    {
        conn.execute_batch("PRAGMA writable_schema = ON; PRAGMA query_only = ON")?;
        if read_schema_version(conn).is_err() {
            conn.execute_batch("PRAGMA writable_schema = OFF; PRAGMA query_only = OFF")?;
        }
    }
    Ok(())
}

fn read_schema_version(conn: &Connection) -> rusqlite::Result<i64> {
    conn.pragma_query_value(None, "schema_version", |row| row.get(0))
}

/// Returns whether the file of a connection lost pages at its end.
pub(crate) fn is_cut_short(conn: &Connection) -> bool {
    conn.pragma_query_value(None, "query_only", |row| row.get(0)).unwrap_or(false)
}

/// Opens a connection to a desk file with the settings of every connection.
pub(crate) fn connect(path: &Path) -> Result<Connection, Problem> {
    open(path).map_err(|error| match error.sqlite_error_code() {
        Some(ErrorCode::NotADatabase) => schema::not_a_desk(path),
        Some(ErrorCode::DatabaseCorrupt) => database_problem(error),
        _ if error::is_full(&error, path) => error::disk_full(),
        _ => desk_unreachable(path, error),
    })
}

fn open(path: &Path) -> rusqlite::Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let mut conn = Connection::open_with_flags(path, flags)?;
    conn.busy_handler(Some(busy_handler()))?;
    // Other settings read the file, too.
    let_read_cut_file(&conn)?;
    conn.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)?;
    // Without this, statements on a table with partial indexes are recompiled for each bound value.
    conn.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
    conn.execute_batch(
        "PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA wal_autocheckpoint = 0; \
         PRAGMA fullfsync = ON; PRAGMA temp_store = MEMORY;",
    )?;
    let log_limit = checkpoint::WAL_BYTES.cast_signed();
    conn.pragma_update_and_check(None, "journal_size_limit", log_limit, |_| Ok(()))?;
    conn.set_prepared_statement_cache_capacity(64);
    Ok(conn)
}
