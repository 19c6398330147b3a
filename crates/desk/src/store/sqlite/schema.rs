//! Schema of a desk file: creation and checks.

mod new_desk;

use crate::own_file;
use crate::store::sqlite::connection;
use crate::store::sqlite::error::{self, database_problem, desk_unreachable};
use crate::store::sqlite::files::file_state;
pub(crate) use new_desk::create_file;
use rusqlite::{Connection, OptionalExtension as _};
use sayso_core::i18n::own;
use sayso_core::{Message, Problem, ProblemCode};
use std::path::Path;
use std::time::Instant;

/// Application id in the file header, so that no other program's database is taken for a desk: "Sayo" in ASCII.
const APPLICATION_ID: i32 = 0x5361_796f;

/// Version of the schema. A desk of another one is refused.
pub(crate) const FORMAT: i32 = 16;

/// Content of a file.
enum FileContent {
    Nothing,
    Desk { format: i32 },
    Foreign,
}

/// State of the schema at opening.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SchemaState {
    /// Empty file, which became a desk.
    Created,
    Current,
    /// Desk without a WAL, as backups are.
    Copy,
}

/// Checks that the file is a desk of this version; creates the schema in an empty file.
pub(crate) fn open_or_create(conn: &mut Connection, path: &Path) -> Result<SchemaState, Problem> {
    // Reads first without writing: even setting the journal mode changes the file.
    match read_content(conn, path)? {
        FileContent::Desk { format: FORMAT } => {
            let had_log = has_log(conn, path)?;
            check_wal_mode(conn, path)?;
            Ok(if had_log { SchemaState::Current } else { SchemaState::Copy })
        }
        FileContent::Desk { format } if format > 0 => Err(other_format(path, format)),
        // The creator of a desk never leaves this state: the tables come before the WAL.
        FileContent::Nothing if has_log(conn, path)? => Err(file_state::tables_missing(path)),
        // SQLite takes a file of one byte for an empty one.
        FileContent::Nothing if std::fs::metadata(path).is_ok_and(|file| file.len() != 1) => {
            create(conn, path)?;
            Ok(SchemaState::Created)
        }
        FileContent::Nothing | FileContent::Desk { .. } | FileContent::Foreign => Err(not_a_desk(path)),
    }
}

/// Checks that the file is a desk of this version, without changing it.
pub(crate) fn check_is_desk(conn: &Connection, path: &Path) -> Result<(), Problem> {
    match read_content(conn, path)? {
        FileContent::Desk { format: FORMAT } => Ok(()),
        FileContent::Desk { format } if format > 0 => Err(other_format(path, format)),
        FileContent::Nothing | FileContent::Desk { .. } | FileContent::Foreign => Err(not_a_desk(path)),
    }
}

/// Returns the problem of a desk of another version.
fn other_format(path: &Path, format: i32) -> Problem {
    let parts = [own(path.display()), own(format), own(FORMAT)];
    if format > FORMAT {
        return Problem::new(ProblemCode::DeskTooNew, Message::DeskTooNew.with(parts))
            .with_hint(Message::DeskTooNewHint);
    }
    Problem::new(ProblemCode::DeskTooOld, Message::DeskTooOld.with(parts))
        .with_hint(Message::DeskTooOldHint.with([own(path.display())]))
}

/// Creates the tables in an empty file that someone else made, and then the WAL: a file with a WAL but without tables
/// has lost data.
fn create(conn: &mut Connection, path: &Path) -> Result<(), Problem> {
    let _lock = own_file::lock_for_creation(path).map_err(|error| desk_unreachable(path, error))?;
    create_tables(conn).map_err(|error| not_a_desk_or(error, path))?;
    check_wal_mode(conn, path)
}

/// Creates the tables, unless another process was faster.
fn create_tables(conn: &mut Connection) -> rusqlite::Result<()> {
    new_desk::let_pages_go(conn)?;
    let tx = conn.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)?;
    if !matches!(classify(&tx)?, FileContent::Nothing) {
        return Ok(());
    }
    new_desk::create_tables(&tx)?;
    tx.commit()
}

/// Returns whether the file header announces a WAL. Asks SQLite, because opening and closing the file separately
/// would drop its locks.
fn has_log(conn: &Connection, path: &Path) -> Result<bool, Problem> {
    conn.pragma_query_value(None, "journal_mode", |row| Ok(row.get::<_, String>(0)? == "wal"))
        .map_err(|error| not_a_desk_or(error, path))
}

/// Checks that the desk is in WAL mode: several processes share it, and commits rely on the WAL. A file system
/// without WAL support cannot hold a desk. The creator of the tables may have ended before it set the mode.
fn check_wal_mode(conn: &Connection, path: &Path) -> Result<(), Problem> {
    if has_log(conn, path)? {
        return Ok(());
    }
    // SQLite calls no busy handler for this: while another process reads the file, it refuses immediately.
    let until = Instant::now() + connection::LOCK_LIMIT;
    loop {
        let mode: rusqlite::Result<String> =
            conn.pragma_update_and_check(None, "journal_mode", "WAL", |row| row.get(0));
        match mode {
            Ok(mode) if mode == "wal" => return Ok(()),
            Ok(mode) => {
                let cause = format!("its file system allows no write-ahead log ({mode})");
                return Err(desk_unreachable(path, cause));
            }
            Err(error)
                if error.sqlite_error_code() == Some(rusqlite::ErrorCode::DatabaseBusy)
                    && Instant::now() < until =>
            {
                connection::sleep_before_retry();
            }
            Err(error) => return Err(not_a_desk_or(error, path)),
        }
    }
}

/// Returns the SQL of all tables, indexes and triggers.
pub(crate) fn schema_sql(conn: &Connection) -> rusqlite::Result<Vec<String>> {
    let sql = "SELECT type || ' ' || name || ' ' || tbl_name || ' ' || coalesce(sql, '') \
               FROM sqlite_master ORDER BY 1";
    conn.prepare(sql)?.query_map([], |row| row.get(0))?.collect()
}

/// Returns the SQL of all tables, indexes and triggers of a new desk.
pub(crate) fn expected_schema_sql() -> rusqlite::Result<Vec<String>> {
    let conn = Connection::open_in_memory()?;
    new_desk::create_tables(&conn)?;
    schema_sql(&conn)
}

/// Reads what the file has, in one snapshot: another process may be creating a desk in it.
fn read_content(conn: &Connection, path: &Path) -> Result<FileContent, Problem> {
    let content = conn.unchecked_transaction().and_then(|tx| classify(&tx));
    content.map_err(|error| not_a_desk_or(error, path))
}

fn classify(tx: &Connection) -> rusqlite::Result<FileContent> {
    let table: Option<i64> =
        tx.query_row("SELECT 1 FROM sqlite_master LIMIT 1", [], |row| row.get(0)).optional()?;
    let application_id: i32 = tx.pragma_query_value(None, "application_id", |row| row.get(0))?;
    let format: i32 = tx.pragma_query_value(None, "user_version", |row| row.get(0))?;
    Ok(match (application_id, format) {
        (APPLICATION_ID, format) => FileContent::Desk { format },
        (0, 0) if table.is_none() => FileContent::Nothing,
        _ => FileContent::Foreign,
    })
}

pub(crate) fn not_a_desk(path: &Path) -> Problem {
    Problem::new(ProblemCode::DeskNotOurs, Message::DeskNotOurs.with([own(path.display())]))
        .with_hint(Message::DeskNotOursHint)
}

fn not_a_desk_or(cause: rusqlite::Error, path: &Path) -> Problem {
    match cause.sqlite_error_code() {
        Some(rusqlite::ErrorCode::NotADatabase) => not_a_desk(path),
        Some(
            rusqlite::ErrorCode::CannotOpen
            | rusqlite::ErrorCode::ReadOnly
            | rusqlite::ErrorCode::PermissionDenied,
        ) => desk_unreachable(path, cause),
        _ if error::is_full(&cause, path) => error::disk_full(),
        _ => database_problem(cause),
    }
}
