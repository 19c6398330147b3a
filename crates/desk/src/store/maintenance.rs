//! Maintenance of a desk: integrity check, backup and restore of a file, and the copy of any desk to another place.

mod desk_copy;
#[cfg(test)]
mod tests;

pub use super::reports::{CheckReport, CopyReport, OnProgress, TableCopy, TransferReport};

use super::postgres::connection::address::PostgresAddress;
use super::sqlite::{MissingCommits, SqliteStore, copy};
use sayso_core::Problem;
use std::path::Path;

/// Checks a whole desk. If it lacks confirmed changes, `accept` takes its present state as complete.
///
/// # Errors
/// If it cannot be opened.
pub fn check(path: &Path, accept: bool, on_progress: OnProgress<'_>) -> Result<CheckReport, Problem> {
    let missing = if accept { MissingCommits::Accept } else { MissingCommits::Ignore };
    let store = SqliteStore::open_with(path, missing)?;
    let mut findings = store.check_integrity(on_progress)?;
    if accept {
        findings.incomplete = None;
    }
    Ok(findings)
}

/// Copies a desk, which may be in use, into a new file, as of the beginning of the copy. Verifies the copy.
///
/// # Errors
/// If the file exists, cannot be written, or the copy is damaged.
pub fn backup(path: &Path, to: &Path, on_progress: OnProgress<'_>) -> Result<CopyReport, Problem> {
    copy::backup(path, to, on_progress)
}

/// Replaces the desk with a copy, which it verifies first. The old desk is kept next to it; if it has asks, `replace`
/// must be set.
///
/// # Errors
/// If the copy cannot be read or is damaged, or the desk has asks and `replace` is not set.
pub fn restore(
    path: &Path,
    from: &Path,
    replace: bool,
    on_progress: OnProgress<'_>,
) -> Result<CopyReport, Problem> {
    copy::restore(path, from, replace, on_progress)
}

/// Place of a desk, to copy it from or to.
#[derive(Debug, Clone, Copy)]
pub enum DeskPlace<'a> {
    /// File at this path.
    File(&'a Path),
    /// Database at this address.
    Database(&'a PostgresAddress),
}

impl DeskPlace<'_> {
    /// Returns the name for those who use the desk: a path, or the address without its role and parameters.
    pub fn name(&self) -> String {
        match self {
            Self::File(path) => {
                std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf()).display().to_string()
            }
            Self::Database(address) => address.masked(),
        }
    }
}

/// Copies a desk, which may be in use, into an empty one, compares all rows, and marks the old desk as moved. While it
/// runs, the old desk can be read, and its writers wait.
///
/// # Errors
/// If one of them cannot be opened, the target is not empty, or the copy differs. Then the old desk goes on as before.
pub fn copy_desk(
    from: &DeskPlace<'_>,
    to: &DeskPlace<'_>,
    on_progress: OnProgress<'_>,
) -> Result<TransferReport, Problem> {
    desk_copy::copy(from, to, on_progress)
}
