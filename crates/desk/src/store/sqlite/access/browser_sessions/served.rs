//! Rows of the addresses at which processes serve the desk.

use rusqlite::{Connection, params};
use sayso_core::model::actor::ProcessId;

/// Stores or removes the address of a process.
pub(super) fn write(conn: &Connection, process: ProcessId, url: Option<&str>) -> rusqlite::Result<bool> {
    let started = process.started.cast_signed();
    let changed = match url {
        Some(url) => conn
            .prepare_cached("INSERT OR REPLACE INTO served (pid, started, url) VALUES (?1, ?2, ?3)")?
            .execute(params![process.pid, started, url])?,
        None => conn
            .prepare_cached("DELETE FROM served WHERE pid = ?1 AND started = ?2")?
            .execute(params![process.pid, started])?,
    };
    Ok(changed > 0)
}

/// Reads all addresses.
pub(super) fn all(conn: &Connection) -> rusqlite::Result<Vec<(ProcessId, String)>> {
    conn.prepare_cached("SELECT pid, started, url FROM served")?
        .query_map([], |row| {
            let started = row.get::<_, i64>(1)?.cast_unsigned();
            Ok((ProcessId { pid: row.get(0)?, started }, row.get(2)?))
        })?
        .collect()
}
