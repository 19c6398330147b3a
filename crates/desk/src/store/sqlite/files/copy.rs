//! Backup and restore of whole desks with SQLite's backup API.

use super::commit_mark::CommitProgress;
use super::file_state::size_of;
use super::opening::MissingCommits;
use crate::store::reports::{CheckReport, CopyReport, OnProgress};
use crate::store::sqlite::SqliteStore;
use crate::store::sqlite::connection::connect;
use crate::store::sqlite::error::{database_problem, desk_unreachable};
use crate::store::sqlite::integrity::check;
use crate::store::sqlite::{schema, transfer};
use crate::{clock, own_file};
use rusqlite::backup::{Backup, StepResult};
use rusqlite::{Connection, OpenFlags};
use sayso_core::i18n::own;
use sayso_core::{Message, Problem, ProblemCode};
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

/// Pages between two progress reports.
const PAGES_PER_STEP: i32 = 1_024;

/// Temporary file, deleted unless it is moved to its final name.
pub(crate) struct TemporaryFile(pub(crate) PathBuf);

impl TemporaryFile {
    /// Name next to a desk, for a file that will become the desk.
    pub(crate) fn beside(desk: &Path) -> Self {
        Self(own_file::sibling_path(desk, &format!(".new-{}", std::process::id())))
    }

    pub(crate) fn remove(&self) {
        for ending in ["", "-journal", "-wal", "-shm"] {
            match fs::remove_file(own_file::sibling_path(&self.0, ending)) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => {
                    tracing::warn!(%error, "a temporary copy stays");
                }
                // Most of them do not exist.
                _ => {}
            }
        }
    }
}

impl Drop for TemporaryFile {
    fn drop(&mut self) {
        self.remove();
    }
}

pub(crate) fn backup(path: &Path, to: &Path, on_progress: OnProgress<'_>) -> Result<CopyReport, Problem> {
    if !path.exists() {
        let message = Message::NoDeskThere.with([own(path.display())]);
        return Err(Problem::new(ProblemCode::DeskUnreachable, message).with_hint(Message::NoDeskThereHint));
    }
    if fs::symlink_metadata(to).is_ok() {
        let message = Message::BackupThere.with([own(to.display())]);
        return Err(Problem::new(ProblemCode::InvalidValue, message).with_hint(Message::BackupThereHint));
    }
    let store = SqliteStore::open(path)?;
    let copy = TemporaryFile(own_file::sibling_path(to, &format!(".part-{}", std::process::id())));
    let source = connect(&store.path)?;
    let asks = copy_and_verify(&source, &copy.0, on_progress)?;
    give_name(&copy.0, to).map_err(|error| copy_failed(to, &error))?;
    sync_parent_folder(to);
    Ok(CopyReport { file: to.to_owned(), bytes: size_of(to).unwrap_or_default(), asks, kept: None })
}

/// Gives a file a name that no other file has. A hard link overwrites nothing, but not every file system has them.
fn give_name(file: &Path, name: &Path) -> io::Result<()> {
    if fs::hard_link(file, name).is_ok() {
        return Ok(());
    }
    if name.exists() {
        return Err(io::ErrorKind::AlreadyExists.into());
    }
    fs::rename(file, name)
}

/// Copies the source's present state into a new private file without a WAL, verifies it, and returns its number of
/// asks.
fn copy_and_verify(source: &Connection, to: &Path, on_progress: OnProgress<'_>) -> Result<u64, Problem> {
    own_file::create_new(to).and_then(|file| file.sync_all()).map_err(|error| copy_failed(to, &error))?;
    let mut target = Connection::open(to).map_err(|error| copy_failed(to, &error))?;
    copy_pages(source, &mut target, on_progress).map_err(database_problem)?;
    let findings = check::check_desk(&target, &|_, _| {})?;
    if !findings.is_sound() {
        return Err(copy_damaged(&findings));
    }
    drop(target);
    File::open(to).and_then(|file| file.sync_all()).map_err(|error| copy_failed(to, &error))?;
    Ok(findings.asks)
}

/// Copies all pages, so that the target is a single file with nothing next to it.
fn copy_pages(
    source: &Connection,
    target: &mut Connection,
    on_progress: OnProgress<'_>,
) -> rusqlite::Result<()> {
    // One snapshot for the whole copy: otherwise each commit of another process would restart it.
    source.execute_batch("BEGIN")?;
    source.query_row("SELECT count(*) FROM sqlite_master", [], |_| Ok(()))?;
    let backup = Backup::new(source, target)?;
    loop {
        let step = backup.step(PAGES_PER_STEP)?;
        let progress = backup.progress();
        let total = i64::from(progress.pagecount).unsigned_abs();
        let remaining = i64::from(progress.remaining).unsigned_abs();
        on_progress(total.saturating_sub(remaining), total);
        match step {
            StepResult::Done => break,
            StepResult::More => {}
            // Another process holds a lock for a moment; SQLite has already waited for it.
            _ => std::thread::yield_now(),
        }
    }
    drop(backup);
    source.execute_batch("ROLLBACK")?;
    let _mode: String = target.pragma_update_and_check(None, "journal_mode", "DELETE", |row| row.get(0))?;
    Ok(())
}

/// Returns the problem of a copy in which something is damaged, with the first of it.
pub(crate) fn copy_damaged(findings: &CheckReport) -> Problem {
    let first = match findings.damaged_asks.first() {
        Some(id) => id.short_id(),
        None => findings.file.first().or(findings.other.first()).cloned().unwrap_or_default(),
    };
    let message = Message::CopyDamaged.with([own(findings.damaged_asks.len()), own(first)]);
    Problem::new(ProblemCode::DeskDamaged, message).with_hint(Message::CopyDamagedHint)
}

pub(crate) fn restore(
    path: &Path,
    from: &Path,
    replace: bool,
    on_progress: OnProgress<'_>,
) -> Result<CopyReport, Problem> {
    let path = &std::path::absolute(path).map_err(|error| desk_unreachable(path, error))?;
    own_file::create_parent_folder(path).map_err(|error| desk_unreachable(path, error))?;
    let source = open_copy(from)?;
    let copy = TemporaryFile::beside(path);
    let asks = copy_and_verify(&source, &copy.0, on_progress)?;
    renew_desk_id(&copy.0).map_err(database_problem)?;
    if !replace && !is_dispensable(path) {
        let message = Message::DeskHasAsks.with([own(path.display())]);
        return Err(Problem::new(ProblemCode::InvalidValue, message).with_hint(Message::DeskHasAsksHint));
    }
    let kept = put_in_place(&copy, path)?;
    Ok(CopyReport { file: path.clone(), bytes: size_of(path).unwrap_or_default(), asks, kept })
}

/// Gives a whole copy the name of the desk, and returns the new name of the desk that was there.
pub(crate) fn put_in_place(copy: &TemporaryFile, path: &Path) -> Result<Option<PathBuf>, Problem> {
    // The lock keeps others from creating a desk meanwhile.
    let lock = own_file::lock_for_creation(path).map_err(|error| desk_unreachable(path, error))?;
    let earlier_desk = move_aside(path).map_err(|error| copy_failed(path, &error))?;
    fs::rename(&copy.0, path).map_err(|error| copy_failed(path, &error))?;
    sync_parent_folder(path);
    drop(lock);
    // Opening the desk creates its commit mark.
    SqliteStore::open_with(path, MissingCommits::Accept)?;
    Ok(earlier_desk)
}

/// Opens a copy for reading. A desk in use has a WAL, which is read too.
fn open_copy(from: &Path) -> Result<Connection, Problem> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let conn = Connection::open_with_flags(from, flags).map_err(|error| desk_unreachable(from, error))?;
    schema::check_is_desk(&conn, from)?;
    Ok(conn)
}

/// Gives a copy a new desk id, so that watchers of the old desk start again from the new state. A backup of a desk that
/// moved later is one that takes writes.
fn renew_desk_id(copy: &Path) -> rusqlite::Result<()> {
    let conn = Connection::open(copy)?;
    conn.execute("UPDATE chore SET value = random() WHERE name = 'desk'", [])?;
    transfer::remove_mark(&conn)
}

/// Returns whether replacing the present desk loses nothing: no file, or a desk without asks.
fn is_dispensable(path: &Path) -> bool {
    if fs::symlink_metadata(path).is_err() {
        return true;
    }
    let asks = SqliteStore::open(path).and_then(|store| store.read_few(CommitProgress::read));
    asks.is_ok_and(|progress| progress.commits == 0)
}

/// Renames the files of the present desk, and returns the new name of its main file, if it had one.
fn move_aside(path: &Path) -> io::Result<Option<PathBuf>> {
    let new_path =
        own_file::sibling_path(path, &format!(".before-{}", clock::now().strftime("%Y%m%d-%H%M%S")));
    let mut is_there = false;
    for ending in ["", "-wal", "-shm", ".mark"] {
        match fs::rename(own_file::sibling_path(path, ending), own_file::sibling_path(&new_path, ending)) {
            Ok(()) => is_there = true,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(error),
        }
    }
    Ok(is_there.then_some(new_path))
}

pub(crate) fn copy_failed(path: &Path, error: &impl ToString) -> Problem {
    let message = Message::CopyUnwritable.with([own(path.display()), own(error.to_string())]);
    Problem::new(ProblemCode::InvalidValue, message)
}

fn sync_parent_folder(path: &Path) {
    #[cfg(unix)]
    if let Some(folder) = path.parent()
        && !folder.as_os_str().is_empty()
        // A file system that cannot sync a folder persists names in another way.
        && let Err(error) = File::open(folder).and_then(|folder| folder.sync_all())
    {
        tracing::debug!(%error, "the folder of a copy cannot be synced");
    }
}
