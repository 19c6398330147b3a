//! Conversion of SQLite's errors to problems with hints.

use crate::store::logic::asks::ask_damaged;
use crate::store::sqlite::files::{permissions, reserve};
use rusqlite::ErrorCode;
use rusqlite::ffi;
use sayso_core::i18n::{foreign, own};
use sayso_core::{AskId, LocalizedText, Message, Problem, ProblemCode};
use std::path::Path;

/// Longest wait for other processes' locks, in seconds.
pub(crate) const BUSY_SECONDS: u64 = 30;

/// Damaged item: stored data differs from what was written.
#[derive(Debug, Clone)]
pub(crate) enum RowDamage {
    Ask(AskId),
    Key(String),
    Thread(String),
}

impl std::fmt::Display for RowDamage {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.to_problem().fmt(f)
    }
}

impl std::error::Error for RowDamage {}

impl RowDamage {
    /// Returns the problem of a reader.
    pub(crate) fn to_problem(&self) -> Problem {
        let (code, message) = match self {
            Self::Ask(id) => return ask_damaged(*id),
            Self::Key(key) => (ProblemCode::DeskDamaged, Message::KeyDamaged.with([foreign(key)])),
            Self::Thread(id) => (ProblemCode::DeskDamaged, Message::ThreadDamaged.with([own(id)])),
        };
        Problem::new(code, message).with_hint(Message::RowDamagedHint)
    }
}

/// Wraps damage in an error of the driver, so that row readers can report it.
pub(crate) fn damage_error(what: RowDamage) -> rusqlite::Error {
    rusqlite::Error::FromSqlConversionFailure(0, rusqlite::types::Type::Null, Box::new(what))
}

/// Returns whether a value has another type than it was written with: its bytes have changed.
const fn has_wrong_type(error: &rusqlite::Error) -> bool {
    matches!(
        error,
        rusqlite::Error::FromSqlConversionFailure(..)
            | rusqlite::Error::InvalidColumnType(..)
            | rusqlite::Error::IntegralValueOutOfRange(..)
            | rusqlite::Error::Utf8Error(..)
    )
}

/// Treats an error about a column's value, or its page, as this damage.
pub(crate) fn map_unreadable(error: rusqlite::Error, what: RowDamage) -> rusqlite::Error {
    match error {
        _ if find_damage(&error).is_some() => error,
        _ if error.sqlite_error_code() == Some(ErrorCode::DatabaseCorrupt) => damage_error(what),
        error if has_wrong_type(&error) => damage_error(what),
        error => error,
    }
}

/// Reports an unreadable value of an ask as damage of the ask.
pub(crate) fn map_ask_damage<T>(id: AskId, read: rusqlite::Result<T>) -> rusqlite::Result<T> {
    read.map_err(|error| map_unreadable(error, RowDamage::Ask(id)))
}

/// Returns the damage inside an error of the driver.
pub(crate) fn find_damage(error: &rusqlite::Error) -> Option<&RowDamage> {
    let rusqlite::Error::FromSqlConversionFailure(_, _, source) = error else { return None };
    source.downcast_ref()
}

/// Converts an error to a problem.
pub(crate) fn database_problem(error: rusqlite::Error) -> Problem {
    if let Some(damage) = find_damage(&error) {
        return damage.to_problem();
    }
    // The SQL is constant, so the schema must be wrong.
    if let rusqlite::Error::SqlInputError { msg, .. } = error {
        return desk_corrupt(&msg);
    }
    match error.sqlite_error_code() {
        _ if has_wrong_type(&error) => desk_corrupt(&error.to_string()),
        Some(ErrorCode::DatabaseCorrupt) => desk_corrupt(&error.to_string()),
        Some(ErrorCode::DiskFull) => disk_full(),
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => {
            Problem::new(ProblemCode::DeskBusy, Message::DeskBusy.with([BUSY_SECONDS]))
                .with_hint(Message::DeskBusyHint)
        }
        Some(ErrorCode::ReadOnly) => {
            Problem::new(ProblemCode::DeskUnreachable, Message::DeskReadOnly.with([own(error)]))
                .with_hint(Message::DeskUnreachableHint)
        }
        _ => desk_failed(&error.to_string()),
    }
}

/// Returns the problem of a failure that a retry with the same key survives.
pub(crate) fn desk_failed(what: &str) -> Problem {
    tracing::warn!(error = what, "the desk file failed a call");
    Problem::new(ProblemCode::DeskFailed, Message::DeskFailed.with([own(what)]))
        .with_hint(Message::DeskFailedHint)
}

/// Returns the problem of a file that SQLite cannot read.
pub(crate) fn desk_corrupt(what: &str) -> Problem {
    Problem::new(ProblemCode::DeskDamaged, Message::DeskCorrupt.with([own(what)]))
        .with_hint(Message::DeskCorruptHint)
}

/// Returns the problem of a file or folder that cannot be opened.
pub(crate) fn desk_unreachable(path: &Path, error: impl std::fmt::Display) -> Problem {
    let message: LocalizedText = Message::DeskUnreachable.with([own(path.display()), own(error)]);
    let hint = permissions::permission_hint(path).unwrap_or_else(|| Message::DeskUnreachableHint.into());
    Problem::new(ProblemCode::DeskUnreachable, message).with_hint(hint)
}

/// Returns the problem of a full disk.
pub(crate) fn disk_full() -> Problem {
    Problem::new(ProblemCode::DeskFull, Message::DeskFull).with_hint(Message::DeskFullHint)
}

/// Returns whether a write to a desk failed for lack of space. SQLite tells neither a quota nor a limit on the size of files
/// from a broken disk, so the system is asked.
pub(crate) fn is_full(error: &rusqlite::Error, desk: &Path) -> bool {
    const WRITES: [i32; 3] = [ffi::SQLITE_IOERR_WRITE, ffi::SQLITE_IOERR_SHMSIZE, ffi::SQLITE_IOERR_SHMOPEN];
    let is_write = extended_code(error).is_some_and(|code| WRITES.contains(&code));
    error.sqlite_error_code() == Some(ErrorCode::DiskFull) || is_write && reserve::is_space_refused(desk)
}

/// Returns whether a sync failed. After that nothing this process writes is known to be durable: the kernel may have
/// dropped the pages and marked them clean.
pub(crate) fn is_sync_failure(error: &rusqlite::Error) -> bool {
    extended_code(error)
        .is_some_and(|code| code == ffi::SQLITE_IOERR_FSYNC || code == ffi::SQLITE_IOERR_DIR_FSYNC)
}

fn extended_code(error: &rusqlite::Error) -> Option<i32> {
    error.sqlite_error().map(|error| error.extended_code)
}
