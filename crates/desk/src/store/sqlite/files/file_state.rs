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
        let mut files = FileSizes::read(path, mark_file);
        if files.is_emptied_desk() {
            // The creator of a new desk has set such remains aside; this may be the state just before.
            files = FileSizes::read(path, mark_file);
        }
        if files.is_emptied_desk() {
            let message = Message::DeskEmptied.with([own(path.display())]);
            return Err(Problem::new(ProblemCode::DeskDamaged, message).with_hint(restore_hint(path)));
        }
        let FileSizes { mark, log, desk } = files;
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
        let Some(mark) = self.mark else { return Ok(()) };
        if mark.desk != now.desk || mark.commits <= now.commits {
            return Ok(());
        }
        let last_commit_at = to_timestamp(now.at);
        let message = Message::DeskIncomplete.with([
            own(path.display()),
            own(mark.commits - now.commits),
            own((mark.last_ask - now.last_ask).max(0)),
            own(last_commit_at.strftime("%Y-%m-%d %H:%M:%S UTC")),
        ]);
        let hint = Message::DeskIncompleteHint.with([own(path.display())]);
        Err(Problem::new(ProblemCode::DeskIncomplete, message).with_hint(hint))
    }

    /// Returns the warning to show once after opening: files were missing, so the desk may be incomplete. `mark` is
    /// its present state: if it appeared meanwhile, another process was just creating the desk.
    pub(crate) fn notice(
        &self,
        path: &Path,
        state: SchemaState,
        mark: &CommitMark,
        now: CommitProgress,
    ) -> Option<LocalizedText> {
        let lacks_mark = self.lacks_mark(now);
        match state {
            // The file is gone but its mark is not: a user removed it, or lost it.
            SchemaState::Created if !self.has_file && self.mark.is_some() => {
                return Some(Message::DeskMadeAgain.with([own(path.display())]));
            }
            SchemaState::Created => return None,
            SchemaState::Copy => return None,
            SchemaState::Current if now.last_ask == 0 => return None,
            SchemaState::Current if lacks_mark && mark.read().is_some_and(|mark| mark.desk == now.desk) => {
                return None;
            }
            SchemaState::Current => {}
        }
        let mut missing_files = Vec::new();
        if lacks_mark && !self.is_mark_blank {
            missing_files.push(own_file::sibling_path(path, ".mark").display().to_string());
        }
        if !self.has_log {
            missing_files.push(own_file::sibling_path(path, "-wal").display().to_string());
        }
        if missing_files.is_empty() {
            return None;
        }
        Some(Message::FilesMissing.with([own(path.display()), own(missing_files.join(", "))]))
    }
}

/// Mark of a desk, and the sizes in bytes of the other files that are there.
struct FileSizes {
    mark: Option<CommitProgress>,
    log: Option<u64>,
    desk: Option<u64>,
}

impl FileSizes {
    fn read(path: &Path, mark_file: &CommitMark) -> Self {
        // The order matters: see `FileSnapshot::take`.
        let mark = mark_file.read();
        let log = size_of(&own_file::sibling_path(path, "-wal"));
        Self { mark, log, desk: size_of(path) }
    }

    /// Returns whether the file is empty, though it was a desk.
    fn is_emptied_desk(&self) -> bool {
        let was_desk = self.mark.is_some() || self.log.is_some_and(|bytes| bytes > 0);
        self.desk == Some(0) && was_desk
    }
}

/// Returns the size of a file in bytes, if there is one.
pub(crate) fn size_of(file: &Path) -> Option<u64> {
    Some(std::fs::metadata(file).ok()?.len())
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

fn report_unless_missing(result: std::io::Result<()>, message: &str) {
    if let Err(error) = result
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
