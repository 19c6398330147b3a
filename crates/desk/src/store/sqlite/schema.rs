//! The tables, and how a file becomes a desk.

use super::error::{problem_of, unreachable};
use rusqlite::{Connection, OptionalExtension as _};
use sayso_core::{Code, Message, Problem};
use std::path::Path;

/// Written in the file's header, so that no other program's database is taken for a desk: "Sayo" in ASCII.
const APPLICATION_ID: i32 = 0x5361_796f;

/// The format of the tables. Migrations, once there are any, stand in a list from 1.
const FORMAT: i32 = 1;

const TABLES: &str = include_str!("schema.sql");

/// Makes sure that the file is a desk of a format that this program knows; an empty file becomes one.
pub(super) fn ensure(conn: &mut Connection, path: &Path) -> Result<(), Problem> {
    let (application, format) = marks(conn).map_err(|error| not_ours_or(error, path))?;
    match (application, format) {
        (APPLICATION_ID, FORMAT) => Ok(()),
        (APPLICATION_ID, newer) if newer > FORMAT => {
            let said =
                Message::DeskTooNew.with([path.display().to_string(), newer.to_string(), FORMAT.to_string()]);
            Err(Problem::new(Code::DeskTooNew, said).hint(Message::DeskTooNewHint))
        }
        (0, 0) => create(conn, path),
        _ => Err(not_ours(path)),
    }
}

fn create(conn: &mut Connection, path: &Path) -> Result<(), Problem> {
    let make = |conn: &mut Connection| -> rusqlite::Result<bool> {
        let mode: String = conn.pragma_update_and_check(None, "journal_mode", "WAL", |row| row.get(0))?;
        debug_assert_eq!(mode, "wal");
        let tx = conn.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)?;
        if marks(&tx)? == (APPLICATION_ID, FORMAT) {
            return Ok(true); // another process was faster
        }
        let foreign: Option<i64> =
            tx.query_row("SELECT 1 FROM sqlite_master LIMIT 1", [], |row| row.get(0)).optional()?;
        if foreign.is_some() {
            return Ok(false);
        }
        tx.execute_batch(TABLES)?;
        tx.pragma_update(None, "application_id", APPLICATION_ID)?;
        tx.pragma_update(None, "user_version", FORMAT)?;
        tx.commit()?;
        Ok(true)
    };
    match make(conn) {
        Ok(true) => Ok(()),
        Ok(false) => Err(not_ours(path)),
        Err(error) => Err(not_ours_or(error, path)),
    }
}

fn marks(conn: &Connection) -> rusqlite::Result<(i32, i32)> {
    let mark = |name| conn.pragma_query_value(None, name, |row| row.get::<_, i32>(0));
    Ok((mark("application_id")?, mark("user_version")?))
}

fn not_ours(path: &Path) -> Problem {
    Problem::new(Code::DeskNotOurs, Message::DeskNotOurs.with([path.display()]))
        .hint(Message::DeskNotOursHint)
}

fn not_ours_or(error: rusqlite::Error, path: &Path) -> Problem {
    match error.sqlite_error_code() {
        Some(rusqlite::ErrorCode::NotADatabase) => not_ours(path),
        Some(
            rusqlite::ErrorCode::CannotOpen
            | rusqlite::ErrorCode::ReadOnly
            | rusqlite::ErrorCode::PermissionDenied,
        ) => unreachable(path, error),
        _ => problem_of(&error),
    }
}
