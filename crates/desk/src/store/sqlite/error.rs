//! SQLite's errors as problems that say what to do.

use super::access;
use rusqlite::ErrorCode;
use rusqlite::ffi;
use sayso_core::{AskId, Code, Message, Problem, Text};
use std::path::Path;

/// How long a writer waits for other processes, in seconds.
pub(super) const BUSY_SECONDS: u64 = 30;

/// What is not stored any more as it was written.
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
    /// The problem of whoever wanted to read it.
    pub(super) fn problem(&self) -> Problem {
        let (code, said) = match self {
            Self::Ask(id) => (Code::AskDamaged, Message::AskDamaged.with([id.handle()])),
            Self::Key(key) => (Code::DeskDamaged, Message::KeyDamaged.with([key])),
            Self::Thread(id) => (Code::DeskDamaged, Message::ThreadDamaged.with([id])),
        };
        Problem::new(code, said).hint(Message::RowDamagedHint)
    }
}

/// Damage as an error of the driver, so that readers of rows can report it.
pub(super) fn damage(what: Damage) -> rusqlite::Error {
    rusqlite::Error::FromSqlConversionFailure(0, rusqlite::types::Type::Null, Box::new(what))
}

/// Takes an error about the value of a column, or about its page, for this damage: each value was written with the right
/// type.
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

/// The damage that an error of the driver carries.
pub(super) fn damage_in(error: &rusqlite::Error) -> Option<&Damage> {
    let rusqlite::Error::FromSqlConversionFailure(_, _, source) = error else { return None };
    source.downcast_ref()
}

/// What a failed call means.
pub(super) fn problem_of(error: &rusqlite::Error) -> Problem {
    if let Some(damage) = damage_in(error) {
        return damage.problem();
    }
    // What is said to SQLite is always the same, so it is the tables that are not.
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

/// The desk failed in a way that a retry with the same key survives.
pub(super) fn failed(what: &str) -> Problem {
    Problem::new(Code::DeskFailed, Message::DeskFailed.with([what])).hint(Message::DeskFailedHint)
}

/// SQLite cannot make sense of the file.
pub(super) fn corrupt(what: &str) -> Problem {
    Problem::new(Code::DeskDamaged, Message::DeskCorrupt.with([what])).hint(Message::DeskCorruptHint)
}

/// The file or its folder cannot be opened.
pub(super) fn unreachable(path: &Path, error: impl std::fmt::Display) -> Problem {
    let said: Text = Message::DeskUnreachable.with([path.display().to_string(), error.to_string()]);
    let hint = access::remedy(path).unwrap_or_else(|| Message::DeskUnreachableHint.into());
    Problem::new(Code::DeskUnreachable, said).hint(hint)
}

/// The disk is full.
pub(super) fn full() -> Problem {
    Problem::new(Code::DeskFull, Message::DeskFull).hint(Message::DeskFullHint)
}

/// Whether writing failed for want of room: a file size limit shows as an I/O error of the write itself, or of making
/// the memory that processes share.
pub(super) fn is_full(error: &rusqlite::Error) -> bool {
    const WRITES: [i32; 3] = [ffi::SQLITE_IOERR_WRITE, ffi::SQLITE_IOERR_SHMSIZE, ffi::SQLITE_IOERR_SHMOPEN];
    error.sqlite_error_code() == Some(ErrorCode::DiskFull)
        || extended(error).is_some_and(|code| WRITES.contains(&code))
}

/// Whether the disk did not confirm what was written. After that nothing this process says can be trusted to be
/// durable: the kernel may have dropped the pages and marked them clean.
pub(super) fn is_sync_failure(error: &rusqlite::Error) -> bool {
    extended(error).is_some_and(|code| code == ffi::SQLITE_IOERR_FSYNC || code == ffi::SQLITE_IOERR_DIR_FSYNC)
}

fn extended(error: &rusqlite::Error) -> Option<i32> {
    error.sqlite_error().map(|error| error.extended_code)
}
