//! Conversion of SQLite's errors to problems with hints.

use super::access;
use rusqlite::ErrorCode;
use rusqlite::ffi;
use sayso_core::{AskId, Code, Message, Problem, Text};
use std::path::Path;

/// Longest wait for other processes' locks, in seconds.
pub(super) const BUSY_SECONDS: u64 = 30;

/// Damaged item: stored data differs from what was written.
#[derive(Debug, Clone)]
pub(super) enum Damage {
    Ask(AskId),
    Key(String),
    Thread(String),
}

impl std::fmt::Display for Damage {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.problem().fmt(f)
    }
}

impl std::error::Error for Damage {}

impl Damage {
    /// Returns the problem of a reader.
    pub(super) fn problem(&self) -> Problem {
        let (code, said) = match self {
            Self::Ask(id) => (Code::AskDamaged, Message::AskDamaged.with([id.handle()])),
            Self::Key(key) => (Code::DeskDamaged, Message::KeyDamaged.with([key])),
            Self::Thread(id) => (Code::DeskDamaged, Message::ThreadDamaged.with([id])),
        };
        Problem::new(code, said).hint(Message::RowDamagedHint)
    }
}

/// Wraps damage in an error of the driver, so that row readers can report it.
pub(super) fn damage(what: Damage) -> rusqlite::Error {
    rusqlite::Error::FromSqlConversionFailure(0, rusqlite::types::Type::Null, Box::new(what))
}

/// Treats an error about a column's value, or its page, as this damage: each value was written with the right type.
pub(super) fn unreadable(error: rusqlite::Error, what: Damage) -> rusqlite::Error {
    match error {
        _ if damage_in(&error).is_some() => error,
        _ if error.sqlite_error_code() == Some(ErrorCode::DatabaseCorrupt) => damage(what),
        rusqlite::Error::FromSqlConversionFailure(..)
        | rusqlite::Error::InvalidColumnType(..)
        | rusqlite::Error::IntegralValueOutOfRange(..)
        | rusqlite::Error::Utf8Error(..) => damage(what),
        error => error,
    }
}

/// Returns the damage inside an error of the driver.
pub(super) fn damage_in(error: &rusqlite::Error) -> Option<&Damage> {
    let rusqlite::Error::FromSqlConversionFailure(_, _, source) = error else { return None };
    source.downcast_ref()
}

/// Converts an error to a problem.
pub(super) fn problem_of(error: &rusqlite::Error) -> Problem {
    if let Some(damage) = damage_in(error) {
        return damage.problem();
    }
    // The SQL is constant, so the schema must be wrong.
    if let rusqlite::Error::SqlInputError { msg, .. } = error {
        return corrupt(msg);
    }
    match error.sqlite_error_code() {
        Some(ErrorCode::DatabaseCorrupt) => corrupt(&error.to_string()),
        _ if is_full(error) => full(),
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => {
            Problem::new(Code::DeskBusy, Message::DeskBusy.with([BUSY_SECONDS])).hint(Message::DeskBusyHint)
        }
        Some(ErrorCode::ReadOnly) => {
            Problem::new(Code::DeskUnreachable, Message::DeskReadOnly.with([error.to_string()]))
                .hint(Message::DeskUnreachableHint)
        }
        _ => failed(&error.to_string()),
    }
}

/// Returns the problem of a failure that a retry with the same key survives.
pub(super) fn failed(what: &str) -> Problem {
    Problem::new(Code::DeskFailed, Message::DeskFailed.with([what])).hint(Message::DeskFailedHint)
}

/// Returns the problem of a file that SQLite cannot read.
pub(super) fn corrupt(what: &str) -> Problem {
    Problem::new(Code::DeskDamaged, Message::DeskCorrupt.with([what])).hint(Message::DeskCorruptHint)
}

/// Returns the problem of a file or folder that cannot be opened.
pub(super) fn unreachable(path: &Path, error: impl std::fmt::Display) -> Problem {
    let said: Text = Message::DeskUnreachable.with([path.display().to_string(), error.to_string()]);
    let hint = access::permission_hint(path).unwrap_or_else(|| Message::DeskUnreachableHint.into());
    Problem::new(Code::DeskUnreachable, said).hint(hint)
}

/// Returns the problem of a full disk.
pub(super) fn full() -> Problem {
    Problem::new(Code::DeskFull, Message::DeskFull).hint(Message::DeskFullHint)
}

/// Returns whether a write failed for lack of space. A file size limit shows as an I/O error of the write, or of
/// creating the shared memory.
pub(super) fn is_full(error: &rusqlite::Error) -> bool {
    const WRITES: [i32; 3] = [ffi::SQLITE_IOERR_WRITE, ffi::SQLITE_IOERR_SHMSIZE, ffi::SQLITE_IOERR_SHMOPEN];
    error.sqlite_error_code() == Some(ErrorCode::DiskFull)
        || extended(error).is_some_and(|code| WRITES.contains(&code))
}

/// Returns whether a sync failed. After that nothing this process writes is known to be durable: the kernel may have
/// dropped the pages and marked them clean.
pub(super) fn is_sync_failure(error: &rusqlite::Error) -> bool {
    extended(error).is_some_and(|code| code == ffi::SQLITE_IOERR_FSYNC || code == ffi::SQLITE_IOERR_DIR_FSYNC)
}

fn extended(error: &rusqlite::Error) -> Option<i32> {
    error.sqlite_error().map(|error| error.extended_code)
}
