//! Backup and restore of whole desks with SQLite's backup API.

use super::error::{problem_of, unreachable};
use super::mark::Progress;
use super::{Missing, SqliteStore, check, connect, schema};
use crate::maintenance::{Copied, OnProgress};
use crate::{clock, own_file};
use rusqlite::backup::{Backup, StepResult};
use rusqlite::{Connection, OpenFlags};
use sayso_core::{Code, Message, Problem};
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

/// Pages between two progress reports.
const PAGES: i32 = 1_024;

/// Temporary file, deleted unless it is moved to its final name.
struct Unfinished(PathBuf);

impl Drop for Unfinished {
    fn drop(&mut self) {
        for ending in ["", "-journal", "-wal", "-shm"] {
            // Most of them do not exist.
            let _ = fs::remove_file(own_file::beside(&self.0, ending));
        }
    }
}

pub(crate) fn backup(path: &Path, to: &Path, on_progress: OnProgress<'_>) -> Result<Copied, Problem> {
    if !path.exists() {
        let said = Message::NoDeskThere.with([path.display()]);
        return Err(Problem::new(Code::DeskUnreachable, said).hint(Message::NoDeskThereHint));
    }
    if fs::symlink_metadata(to).is_ok() {
        let said = Message::FileThere.with([to.display()]);
        return Err(Problem::new(Code::InvalidValue, said).hint(Message::FileThereHint));
    }
    let store = SqliteStore::open(path)?;
    let made = Unfinished(own_file::beside(to, &format!(".part-{}", std::process::id())));
    let source = connect(&store.path)?;
    let asks = copy(&source, &made.0, on_progress)?;
    // A hard link fails if the name was taken meanwhile, and overwrites nothing.
    fs::hard_link(&made.0, to)
        .or_else(
            |_| if to.exists() { Err(io::ErrorKind::AlreadyExists.into()) } else { fs::rename(&made.0, to) },
        )
        .map_err(|error| unwritable(to, &error))?;
    sync_folder_of(to);
    let bytes = fs::metadata(to).map(|file| file.len()).unwrap_or_default();
    Ok(Copied { file: to.to_owned(), bytes, asks, kept: None })
}

/// Copies the source's present state into a new private file without a WAL, verifies it, and returns its number of
/// asks.
fn copy(source: &Connection, to: &Path, on_progress: OnProgress<'_>) -> Result<u64, Problem> {
    own_file::create_new(to).and_then(|file| file.sync_all()).map_err(|error| unwritable(to, &error))?;
    let mut target = Connection::open(to).map_err(|error| unwritable(to, &error))?;
    let work = |target: &mut Connection| -> rusqlite::Result<()> {
        // One snapshot for the whole copy: otherwise each commit of another process would restart it.
        source.execute_batch("BEGIN")?;
        source.query_row("SELECT count(*) FROM sqlite_master", [], |_| Ok(()))?;
        let backup = Backup::new(source, target)?;
        loop {
            let step = backup.step(PAGES)?;
            let progress = backup.progress();
            let [left, total] =
                [progress.remaining, progress.pagecount].map(i64::from).map(i64::unsigned_abs);
            on_progress(total.saturating_sub(left), total);
            match step {
                StepResult::Done => break,
                StepResult::More => {}
                // Another process holds a lock for a moment; SQLite has already waited for it.
                _ => std::thread::yield_now(),
            }
        }
        drop(backup);
        source.execute_batch("ROLLBACK")?;
        // A single file, with nothing next to it.
        target.pragma_update_and_check(None, "journal_mode", "DELETE", |row| row.get::<_, String>(0))?;
        Ok(())
    };
    work(&mut target).map_err(|error| problem_of(&error))?;
    schema::migrate(&mut target).map_err(|error| problem_of(&error))?;
    let findings = check::findings(&target, &|_, _| {})?;
    if !findings.is_sound() {
        let count = findings.damaged_asks.len();
        let first = findings.damaged_asks.first().map(|id| id.handle());
        let first = first.or(findings.file.first().cloned()).or(findings.other.first().cloned());
        let said = Message::CopyDamaged.with([count.to_string(), first.unwrap_or_default()]);
        return Err(Problem::new(Code::DeskDamaged, said).hint(Message::CopyDamagedHint));
    }
    drop(target);
    File::open(to).and_then(|file| file.sync_all()).map_err(|error| unwritable(to, &error))?;
    Ok(findings.asks)
}

pub(crate) fn restore(
    path: &Path,
    from: &Path,
    replace: bool,
    on_progress: OnProgress<'_>,
) -> Result<Copied, Problem> {
    let path = &std::path::absolute(path).map_err(|error| unreachable(path, error))?;
    own_file::make_folder_of(path).map_err(|error| unreachable(path, error))?;
    let source = open_copy(from)?;
    let made = Unfinished(own_file::beside(path, &format!(".new-{}", std::process::id())));
    let asks = copy(&source, &made.0, on_progress)?;
    begin_epoch(&made.0)?;
    if !replace && !is_dispensable(path) {
        let said = Message::DeskHasAsks.with([path.display()]);
        return Err(Problem::new(Code::InvalidValue, said).hint(Message::DeskHasAsksHint));
    }
    // The lock keeps others from creating a desk meanwhile.
    let lock = own_file::hold_for_creation(path).map_err(|error| unreachable(path, error))?;
    let kept = set_aside(path).map_err(|error| unwritable(path, &error))?;
    fs::rename(&made.0, path).map_err(|error| unwritable(path, &error))?;
    sync_folder_of(path);
    drop(lock);
    // Opening the desk creates its commit mark.
    SqliteStore::open_with(path, Missing::Accepted)?;
    let bytes = fs::metadata(path).map(|file| file.len()).unwrap_or_default();
    Ok(Copied { file: path.clone(), bytes, asks, kept })
}

/// Opens a copy for reading. A desk in use has a WAL, which is read too.
fn open_copy(from: &Path) -> Result<Connection, Problem> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let conn = Connection::open_with_flags(from, flags).map_err(|error| unreachable(from, error))?;
    schema::must_be_desk(&conn, from)?;
    Ok(conn)
}

/// Gives a copy a new desk id, so that watchers of the old desk start again from the new state.
fn begin_epoch(copy: &Path) -> Result<(), Problem> {
    let sql = "UPDATE chore SET value = random() WHERE name = 'desk'";
    let renewed = Connection::open(copy).and_then(|conn| conn.execute(sql, []));
    renewed.map(drop).map_err(|error| problem_of(&error))
}

/// Returns whether replacing the present desk loses nothing: no file, or a desk without asks.
fn is_dispensable(path: &Path) -> bool {
    if fs::symlink_metadata(path).is_err() {
        return true;
    }
    let asks = SqliteStore::open(path).and_then(|store| store.read(Progress::read));
    asks.is_ok_and(|progress| progress.commits == 0)
}

/// Renames the files of the present desk, and returns the new name of its main file, if it had one.
fn set_aside(path: &Path) -> io::Result<Option<PathBuf>> {
    let kept = own_file::beside(path, &format!(".before-{}", clock::now().strftime("%Y%m%d-%H%M%S")));
    let mut is_there = false;
    for ending in ["", "-wal", "-shm", ".mark"] {
        match fs::rename(own_file::beside(path, ending), own_file::beside(&kept, ending)) {
            Ok(()) => is_there = true,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(error),
        }
    }
    Ok(is_there.then_some(kept))
}

fn unwritable(path: &Path, error: &impl ToString) -> Problem {
    let said = Message::CopyUnwritable.with([path.display().to_string(), error.to_string()]);
    Problem::new(Code::InvalidValue, said)
}

fn sync_folder_of(path: &Path) {
    #[cfg(unix)]
    if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        // A file system that cannot sync a folder persists names in another way.
        let _ = File::open(folder).and_then(|folder| folder.sync_all());
    }
}
