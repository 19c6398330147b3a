//! Care of a desk file: looking for damage, whole copies of it, and bringing one back.

use crate::store::sqlite::{Missing, SqliteStore, copy};
use sayso_core::{AskId, Problem};
use serde::Serialize;
use std::path::{Path, PathBuf};

/// Hears how much of how much is done.
pub type OnProgress<'a> = &'a dyn Fn(u64, u64);

/// Other damage that is listed at most.
const NOTES: usize = 100;

/// What a look through a whole desk found.
#[derive(Debug, Default, Serialize)]
pub struct Findings {
    /// Asks that were looked at.
    pub asks: u64,
    /// Those that are damaged.
    pub damaged_asks: Vec<AskId>,
    /// Other damage: keys, threads, the change log.
    pub other: Vec<String>,
    /// What SQLite says of the file.
    pub file: Vec<String>,
    /// What the desk lacks of what was confirmed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub incomplete: Option<Problem>,
}

impl Findings {
    /// Whether nothing was found.
    pub const fn is_sound(&self) -> bool {
        self.damaged_asks.is_empty()
            && self.other.is_empty()
            && self.file.is_empty()
            && self.incomplete.is_none()
    }

    pub(crate) fn note(&mut self, damage: String) {
        if self.other.len() < NOTES && !self.other.contains(&damage) {
            self.other.push(damage);
        }
    }
}

/// A copy that was made.
#[derive(Debug, Serialize)]
pub struct Copied {
    /// The file.
    pub file: PathBuf,
    /// Its size.
    pub bytes: u64,
    /// Asks in it.
    pub asks: u64,
    /// Where what was there before is kept now.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kept: Option<PathBuf>,
}

/// Looks through a whole desk. `accept` takes the desk as it is from now on, where it lacks confirmed changes.
///
/// # Errors
/// When it cannot be opened.
pub fn check(path: &Path, accept: bool, on_progress: OnProgress<'_>) -> Result<Findings, Problem> {
    let missing = if accept { Missing::Accepted } else { Missing::Overlooked };
    let store = SqliteStore::open_with(path, missing)?;
    let mut findings = store.findings(on_progress)?;
    if accept {
        findings.incomplete = None;
    }
    Ok(findings)
}

/// Copies a desk, which may be in use, into a new file: all that was stored when it began. The copy is verified.
///
/// # Errors
/// When the file is there already, cannot be written, or the copy is damaged.
pub fn backup(path: &Path, to: &Path, on_progress: OnProgress<'_>) -> Result<Copied, Problem> {
    copy::backup(path, to, on_progress)
}

/// Makes a copy the desk. It is verified before. What was there is kept next to it, and where there are asks in it, `replace`
/// has to say that another one may take its place.
///
/// # Errors
/// When the copy cannot be read or is damaged, or there are asks in the desk and nothing says to replace it.
pub fn restore(
    path: &Path,
    from: &Path,
    replace: bool,
    on_progress: OnProgress<'_>,
) -> Result<Copied, Problem> {
    copy::restore(path, from, replace, on_progress)
}
