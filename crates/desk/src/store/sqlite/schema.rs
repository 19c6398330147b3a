//! The tables, and how a file becomes a desk.

use super::error::{problem_of, unreachable};
use super::{file_state, opening};
use crate::own_file;
use rusqlite::{Connection, OptionalExtension as _};
use sayso_core::{Code, Message, Problem};
use std::path::Path;
use std::time::Instant;

/// Written in the file's header, so that no other program's database is taken for a desk: "Sayo" in ASCII.
const APPLICATION_ID: i32 = 0x5361_796f;

/// The format of the tables.
pub(super) const FORMAT: i32 = 8;

/// What makes a desk of format 1 of nothing, one of format 2 of that, and so on. A new desk goes the same way as an old
/// one, so there is no second place that says what the tables are.
const STEPS: [&str; FORMAT as usize] = [
    include_str!("format_1.sql"),
    include_str!("to_format_2.sql"),
    include_str!("to_format_3.sql"),
    include_str!("to_format_4.sql"),
    include_str!("to_format_5.sql"),
    include_str!("to_format_6.sql"),
    include_str!("to_format_7.sql"),
    include_str!("to_format_8.sql"),
];

/// What a file is.
enum Content {
    Nothing,
    Desk { format: i32 },
    Foreign,
}

/// What was found of a desk when it was opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Found {
    /// Nothing: it was made.
    Nothing,
    /// A desk of an older format, which has been brought up.
    Older,
    Current,
    /// One without a log, as backups are: it is whole as it is.
    Copy,
}

/// Makes sure that the file is a desk of a format that this program knows; an empty file becomes one.
pub(super) fn ensure(conn: &mut Connection, path: &Path) -> Result<Found, Problem> {
    // Looked at without writing: even the choice of a journal changes the file.
    let found = conn.transaction().and_then(|tx| content(&tx)).map_err(|error| not_ours_or(error, path))?;
    match found {
        Content::Desk { format: FORMAT } => {
            let had_log = has_log(conn, path)?;
            must_be_wal(conn, path).map(|()| if had_log { Found::Current } else { Found::Copy })
        }
        Content::Desk { format: 1..FORMAT } => {
            migrate(conn).map_err(|error| not_ours_or(error, path))?;
            must_be_wal(conn, path).map(|()| Found::Older)
        }
        Content::Desk { format } if format > FORMAT => Err(too_new(path, format)),
        // A desk is never left so by whoever makes it: its tables come before its log.
        Content::Nothing if has_log(conn, path)? => Err(file_state::without_tables(path)),
        // SQLite takes a file of one byte for an empty one.
        Content::Nothing if std::fs::metadata(path).is_ok_and(|file| file.len() != 1) => {
            create(conn, path).map(|()| Found::Nothing)
        }
        Content::Nothing | Content::Desk { .. } | Content::Foreign => Err(not_ours(path)),
    }
}

/// Makes sure that a file is a desk of a format that this program reads, without changing it.
pub(super) fn must_be_desk(conn: &Connection, path: &Path) -> Result<(), Problem> {
    let found = conn.unchecked_transaction().and_then(|tx| content(&tx));
    match found.map_err(|error| not_ours_or(error, path))? {
        Content::Desk { format: 1..=FORMAT } => Ok(()),
        Content::Desk { format } if format > FORMAT => Err(too_new(path, format)),
        Content::Nothing | Content::Desk { .. } | Content::Foreign => Err(not_ours(path)),
    }
}

fn too_new(path: &Path, format: i32) -> Problem {
    let parts = [path.display().to_string(), format.to_string(), FORMAT.to_string()];
    Problem::new(Code::DeskTooNew, Message::DeskTooNew.with(parts)).hint(Message::DeskTooNewHint)
}

/// Makes the tables, and then the log: a file that has a log but no tables has lost something.
fn create(conn: &mut Connection, path: &Path) -> Result<(), Problem> {
    let _lock = own_file::hold_for_creation(path).map_err(|error| unreachable(path, error))?;
    let make = |conn: &mut Connection| -> rusqlite::Result<()> {
        let tx = conn.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)?;
        if !matches!(content(&tx)?, Content::Nothing) {
            return Ok(()); // another process was faster
        }
        bring_up(&tx, FORMAT)?;
        tx.pragma_update(None, "application_id", APPLICATION_ID)?;
        tx.commit()
    };
    make(conn).map_err(|error| not_ours_or(error, path))?;
    must_be_wal(conn, path)
}

/// Brings an older desk up to this format, in one transaction: another process may be at it too.
pub(super) fn migrate(conn: &mut Connection) -> rusqlite::Result<()> {
    let tx = conn.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)?;
    bring_up(&tx, FORMAT)?;
    tx.commit()
}

/// Takes the steps from the format that the file has to this one.
fn bring_up(tx: &Connection, format: i32) -> rusqlite::Result<()> {
    let found = tx.pragma_query_value(None, "user_version", |row| row.get::<_, i32>(0))?;
    let [taken, wanted] = [found, format].map(|format| usize::try_from(format).unwrap_or_default());
    for step in STEPS.iter().take(wanted).skip(taken) {
        tx.execute_batch(step)?;
    }
    if found < format {
        tx.pragma_update(None, "user_version", format)?;
    }
    Ok(())
}

/// Whether the header of the file says that it has a log. SQLite says so: to open the file apart from it and close it again
/// would drop its locks.
fn has_log(conn: &Connection, path: &Path) -> Result<bool, Problem> {
    conn.pragma_query_value(None, "journal_mode", |row| Ok(row.get::<_, String>(0)? == "wal"))
        .map_err(|error| not_ours_or(error, path))
}

/// Several processes share a desk, and its commits rely on the log: on a file system where SQLite can keep none, there
/// can be no desk. Whoever made the tables may have ended before the log.
fn must_be_wal(conn: &Connection, path: &Path) -> Result<(), Problem> {
    if has_log(conn, path)? {
        return Ok(());
    }
    // For this SQLite asks no busy handler: while another process looks at the file, it refuses at once.
    let until = Instant::now() + opening::LOCK_LIMIT;
    let mode = loop {
        let mode = conn.pragma_update_and_check(None, "journal_mode", "WAL", |row| row.get::<_, String>(0));
        let is_busy =
            |error: &rusqlite::Error| error.sqlite_error_code() == Some(rusqlite::ErrorCode::DatabaseBusy);
        if !mode.as_ref().is_err_and(is_busy) || Instant::now() >= until {
            break mode;
        }
        opening::pause();
    };
    match mode.map_err(|error| not_ours_or(error, path))?.as_str() {
        "wal" => Ok(()),
        other => Err(unreachable(path, format!("its file system allows no write-ahead log ({other})"))),
    }
}

/// The tables, indexes and triggers as they are.
pub(super) fn tables(conn: &Connection) -> rusqlite::Result<Vec<String>> {
    conn.prepare("SELECT type || ' ' || name || ' ' || tbl_name || ' ' || coalesce(sql, '') FROM sqlite_master ORDER BY 1")?
        .query_map([], |row| row.get(0))?
        .collect()
}

/// The same of a desk that was just made.
pub(super) fn expected_tables() -> rusqlite::Result<Vec<String>> {
    let conn = Connection::open_in_memory()?;
    bring_up(&conn, FORMAT)?;
    tables(&conn)
}

/// What the file is, in one reading: another process may be making a desk of it.
fn content(tx: &Connection) -> rusqlite::Result<Content> {
    let mark = |name| tx.pragma_query_value(None, name, |row| row.get::<_, i32>(0));
    let table: Option<i64> =
        tx.query_row("SELECT 1 FROM sqlite_master LIMIT 1", [], |row| row.get(0)).optional()?;
    Ok(match (mark("application_id")?, mark("user_version")?) {
        (APPLICATION_ID, format) => Content::Desk { format },
        (0, 0) if table.is_none() => Content::Nothing,
        _ => Content::Foreign,
    })
}

pub(super) fn not_ours(path: &Path) -> Problem {
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

#[cfg(test)]
mod tests;
