//! State of a desk's files before and after opening: complete, or missing.

use super::commit_mark::{CommitMark, CommitProgress};
use crate::own_file;
use crate::store::sqlite::schema::SchemaState;
use crate::store::stored_time::to_timestamp;
use sayso_core::i18n::own;
use sayso_core::{LocalizedText, Message, Problem, ProblemCode};
use std::io::ErrorKind;
use std::path::Path;

/// Snapshot of a desk's files before opening.
#[derive(Debug)]
pub(crate) struct FileSnapshot {
    mark: Option<CommitProgress>,
    /// The mark file is there, but a power cut left nothing in it: see [`CommitMark`].
    is_mark_blank: bool,
    has_log: bool,
    has_file: bool,
}

impl FileSnapshot {
    /// Reads the files without opening the desk: closing it again would drop this process's SQLite locks. The mark
    /// and the WAL come first: concurrent writers only make the desk newer than they say, never older.
    ///
    /// # Errors
    /// If the file is empty though it was a desk: SQLite would take it for a new one, and delete its WAL.
    pub(crate) fn take(path: &Path, mark_file: &CommitMark) -> Result<Self, Problem> {
        let bytes = |file: &Path| std::fs::metadata(file).ok().map(|file| file.len());
        let state = || {
            let (mark, log) = (mark_file.read(), bytes(&own_file::sibling_path(path, "-wal")));
            (mark, log, bytes(path))
        };
        let is_emptied = |(mark, log, desk): &(Option<CommitProgress>, Option<u64>, Option<u64>)| {
            *desk == Some(0) && (mark.is_some() || log.is_some_and(|bytes| bytes > 0))
        };
        let mut seen = state();
        if is_emptied(&seen) {
            // The creator of a new desk has set such remains aside; this may be the state just before.
            seen = state();
        }
        if is_emptied(&seen) {
            let message = Message::DeskEmptied.with([own(path.display())]);
            return Err(Problem::new(ProblemCode::DeskDamaged, message).with_hint(restore_hint(path)));
        }
        let (mark, log, desk) = seen;
        let is_mark_blank = mark.is_none() && mark_file.exists();
        Ok(Self { mark, is_mark_blank, has_log: log.is_some(), has_file: desk.is_some() })
    }

    /// Returns whether this desk has no known mark.
    pub(crate) fn lacks_mark(&self, now: CommitProgress) -> bool {
        self.mark.is_none_or(|mark| mark.desk != now.desk)
    }

    /// Checks that the desk has all commits that its mark confirms.
    ///
    /// # Errors
    /// If it lacks some.
    pub(crate) fn check_complete(&self, path: &Path, now: CommitProgress) -> Result<(), Problem> {
        let Some(mark) = self.mark.filter(|mark| mark.desk == now.desk && mark.commits > now.commits) else {
            return Ok(());
        };
        let since = to_timestamp(now.at);
        let message = Message::DeskIncomplete.with([
            own(path.display()),
            own(mark.commits - now.commits),
            own((mark.last_ask - now.last_ask).max(0)),
            own(since.strftime("%Y-%m-%d %H:%M:%S UTC")),
        ]);
        let hint = Message::DeskIncompleteHint.with([own(path.display())]);
        Err(Problem::new(ProblemCode::DeskIncomplete, message).with_hint(hint))
    }

    /// Returns the warning to show once after opening: files were missing, so the desk may be incomplete. `mark` is
    /// its present state: if it appeared meanwhile, another process was just creating the desk.
    pub(crate) fn notice(
        &self,
        path: &Path,
        found: SchemaState,
        mark: &CommitMark,
        now: CommitProgress,
    ) -> Option<LocalizedText> {
        let name = |ending: &str| own_file::sibling_path(path, ending).display().to_string();
        let lacks_mark = self.lacks_mark(now);
        match found {
            // The file is gone but its mark is not: a user removed it, or lost it.
            SchemaState::Created => {
                let is_lost = !self.has_file && self.mark.is_some();
                return is_lost.then(|| Message::DeskMadeAgain.with([own(path.display())]));
            }
            SchemaState::Copy => return None,
            SchemaState::Current if now.last_ask == 0 => return None,
            SchemaState::Current if lacks_mark && mark.read().is_some_and(|mark| mark.desk == now.desk) => {
                return None;
            }
            SchemaState::Current => {}
        }
        let missing: Vec<_> = [
            (lacks_mark && !self.is_mark_blank && found == SchemaState::Current, ".mark"),
            (!self.has_log, "-wal"),
        ]
        .into_iter()
        .filter(|(is_missing, _)| *is_missing)
        .map(|(_, ending)| name(ending))
        .collect();
        (!missing.is_empty())
            .then(|| Message::FilesMissing.with([own(path.display()), own(missing.join(", "))]))
    }
}

/// Sets aside the remains of a desk whose file is gone. Only the creator of a desk calls it, under the creation lock.
pub(crate) fn move_remains_aside(path: &Path) {
    // SQLite would delete the WAL. Its content helps users who find the file again.
    let orphan = own_file::sibling_path(path, "-wal.orphan");
    report_unless_missing(std::fs::rename(own_file::sibling_path(path, "-wal"), orphan), "the old WAL stays");
    // If the mark stays, the new desk overwrites it.
    report_unless_missing(
        std::fs::remove_file(own_file::sibling_path(path, ".mark")),
        "the old commit mark stays",
    );
}

fn report_unless_missing(done: std::io::Result<()>, message: &str) {
    if let Err(error) = done
        && error.kind() != ErrorKind::NotFound
    {
        tracing::warn!(%error, "{message}");
    }
}

/// Returns the problem of a desk whose tables are gone, or were only in its WAL.
pub(crate) fn tables_missing(path: &Path) -> Problem {
    let message = Message::DeskWithoutTables
        .with([own(path.display()), own(own_file::sibling_path(path, "-wal").display())]);
    Problem::new(ProblemCode::DeskDamaged, message).with_hint(restore_hint(path))
}

/// Returns the problem of a write to a desk whose file lost pages at its end.
pub(crate) fn cut_short(path: &Path) -> Problem {
    Problem::new(ProblemCode::DeskDamaged, Message::DeskCutShort.with([own(path.display())]))
        .with_hint(restore_hint(path))
}

fn restore_hint(path: &Path) -> LocalizedText {
    Message::DeskRestoreHint.with([own(path.display())])
}
