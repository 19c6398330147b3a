//! Maintenance of a desk: integrity check, backup and restore of a file, and the copy of any desk to another place.

use super::postgres::connection::address::PostgresAddress;
use super::sqlite::{MissingCommits, SqliteStore, copy};
use super::transfer;
use sayso_core::{AskId, Digest, Problem};
use serde::Serialize;
use std::path::{Path, PathBuf};

/// Progress callback: done and total.
pub type OnProgress<'a> = &'a dyn Fn(u64, u64);

/// Largest number of other damage entries.
const MAX_OTHER_DAMAGE: usize = 100;

/// Report of an integrity check.
#[derive(Debug, Default, Serialize)]
pub struct CheckReport {
    /// Number of checked asks.
    pub asks: u64,
    /// Ids of damaged asks.
    pub damaged_asks: Vec<AskId>,
    /// Other damage: keys, threads, change log.
    pub other: Vec<String>,
    /// SQLite's own report on the file.
    pub file: Vec<String>,
    /// Problem of missing confirmed commits.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub incomplete: Option<Problem>,
    /// Copy of the log that had them, made as its loss was accepted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kept_log: Option<PathBuf>,
}

impl CheckReport {
    /// Returns whether the desk is free of damage.
    pub const fn is_sound(&self) -> bool {
        self.damaged_asks.is_empty()
            && self.other.is_empty()
            && self.file.is_empty()
            && self.incomplete.is_none()
    }

    pub(crate) fn add_other_damage(&mut self, damage: String) {
        if self.other.len() < MAX_OTHER_DAMAGE && !self.other.contains(&damage) {
            self.other.push(damage);
        }
    }
}

/// Report of a copy.
#[derive(Debug, Serialize)]
pub struct CopyReport {
    /// Path of the copy.
    pub file: PathBuf,
    /// Size in bytes.
    pub bytes: u64,
    /// Number of asks in it.
    pub asks: u64,
    /// New path of the replaced desk.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kept: Option<PathBuf>,
}

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

/// Table of a copied desk.
#[derive(Debug, Serialize)]
pub struct TableCopy {
    /// Name of the table.
    pub name: &'static str,
    /// Number of its rows.
    pub rows: u64,
    /// Digest of its rows, which is the same in both desks.
    pub digest: Digest,
}

/// Report of a copy to another place.
#[derive(Debug, Serialize)]
pub struct TransferReport {
    /// Name of the old desk, which takes no more writes.
    pub from: String,
    /// Name of the desk that goes on.
    pub to: String,
    /// Number of asks in it.
    pub asks: u64,
    /// Number of all rows that were copied now.
    pub rows: u64,
    /// Tables that were compared.
    pub tables: Vec<TableCopy>,
    /// New path of an unused desk file that was replaced.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kept: Option<PathBuf>,
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
    transfer::copy(from, to, on_progress)
}
