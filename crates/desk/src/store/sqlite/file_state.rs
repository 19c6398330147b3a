//! What can be said of a desk's files before and after they are opened: whether they are whole, and whether some are missing.

use super::mark::{Mark, Progress};
use super::schema::Found;
use crate::own_file;
use jiff::Timestamp;
use sayso_core::{Code, Message, Problem, Text};
use std::io::Read as _;
use std::path::Path;

/// The files of a desk as they were before it was opened.
#[derive(Debug)]
pub(super) struct FilesBefore {
    mark: Option<Progress>,
    has_log: bool,
    has_file: bool,
    /// A file without a log is a whole copy: a desk that was used once has one.
    is_copy: bool,
}

impl FilesBefore {
    /// Looks at the files. The mark comes first: what others commit meanwhile makes the desk newer than it, never older.
    ///
    /// # Errors
    /// When the file is empty though it was a desk: SQLite would take it for a new one, and delete its log.
    pub(super) fn look(path: &Path, mark_file: &Mark) -> Result<Self, Problem> {
        let mark = mark_file.read();
        let bytes = |file: &Path| std::fs::metadata(file).ok().map(|file| file.len());
        let (desk, log) = (bytes(path), bytes(&own_file::beside(path, "-wal")));
        if desk == Some(0) && (mark.is_some() || log.is_some_and(|bytes| bytes > 0)) {
            let said = Message::DeskEmptied.with([path.display()]);
            return Err(Problem::new(Code::DeskDamaged, said).hint(restore_hint(path)));
        }
        let has_file = desk.is_some();
        if !has_file {
            mark_file.remove();
            // SQLite would delete it. What it holds is of use to those who find the file again.
            let _ = std::fs::rename(own_file::beside(path, "-wal"), own_file::beside(path, "-wal.orphan"));
        }
        Ok(Self { mark, has_log: log.is_some(), has_file, is_copy: !has_log_in_header(path) })
    }

    /// Whether nothing is known of a mark of this desk.
    pub(super) fn lacks_mark(&self, now: Progress) -> bool {
        self.mark.is_none_or(|mark| mark.desk != now.desk)
    }

    /// Whether the desk has all that its mark confirms.
    ///
    /// # Errors
    /// When it lacks some of it.
    pub(super) fn must_be_complete(&self, path: &Path, now: Progress) -> Result<(), Problem> {
        let Some(mark) = self.mark.filter(|mark| mark.desk == now.desk && mark.commits > now.commits) else {
            return Ok(());
        };
        let since = Timestamp::from_microsecond(now.at).unwrap_or(Timestamp::UNIX_EPOCH);
        let said = Message::DeskIncomplete.with([
            path.display().to_string(),
            (mark.commits - now.commits).to_string(),
            (mark.last_ask - now.last_ask).max(0).to_string(),
            since.strftime("%Y-%m-%d %H:%M:%S UTC").to_string(),
        ]);
        let hint = Message::DeskIncompleteHint.with([path.display()]);
        Err(Problem::new(Code::DeskIncomplete, said).hint(hint))
    }

    /// What whoever opened the desk should hear once: that files were missing without which it may not be whole.
    pub(super) fn notice(&self, path: &Path, found: Found, now: Progress) -> Option<Text> {
        let name = |ending: &str| own_file::beside(path, ending).display().to_string();
        if found == Found::Nothing {
            // The file went, and its mark did not: somebody removed it, or lost it.
            let is_lost = !self.has_file && self.mark.is_some();
            return is_lost.then(|| Message::DeskMadeAgain.with([path.display().to_string()]));
        }
        if self.is_copy {
            return None;
        }
        let lacks_mark = self.lacks_mark(now) && found == Found::Current;
        let missing: Vec<_> = [(lacks_mark, ".mark"), (!self.has_log, "-wal")]
            .into_iter()
            .filter_map(|(is_missing, ending)| is_missing.then(|| name(ending)))
            .collect();
        (!missing.is_empty() && now.last_ask > 0)
            .then(|| Message::FilesMissing.with([path.display().to_string(), missing.join(", ")]))
    }
}

/// Whether the header says that the file has a log next to it.
pub(super) fn has_log_in_header(path: &Path) -> bool {
    let mut header = [0; 20];
    let read = std::fs::File::open(path).and_then(|mut file| file.read_exact(&mut header));
    read.is_ok() && header.ends_with(&[2, 2])
}

/// The tables of a desk are gone, or were only in its log.
pub(super) fn without_tables(path: &Path) -> Problem {
    let said = Message::DeskWithoutTables
        .with([path.display().to_string(), own_file::beside(path, "-wal").display().to_string()]);
    Problem::new(Code::DeskDamaged, said).hint(restore_hint(path))
}

fn restore_hint(path: &Path) -> Text {
    Message::DeskRestoreHint.with([path.display()])
}
