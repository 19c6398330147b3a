//! Reports of the maintenance of a desk.

use sayso_core::{AskId, Digest, Problem};
use serde::Serialize;
use std::path::PathBuf;

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
