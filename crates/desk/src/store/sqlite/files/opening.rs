//! Opening of a desk file: folder, file, warnings and connections.

use super::commit_mark::{CommitMark, CommitProgress};
use super::copy::TemporaryFile;
use super::file_state::{self, FileSnapshot};
use super::folder_sync::FolderSync;
use crate::store::CallerCount;
use crate::store::sqlite::SqliteStore;
use crate::store::sqlite::connection::connect;
use crate::store::sqlite::error::{database_problem, desk_unreachable};
use crate::store::sqlite::schema::{self, SchemaState};
use crate::store::sqlite::writer::GroupCommitter;
use crate::{clock, own_file, wakeup};
use sayso_core::Problem;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// Treatment of a desk that lacks commits which its mark confirms.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum MissingCommits {
    Refuse,
    /// Opens the desk now, and refuses it the next time.
    Ignore,
    /// Takes the present state as complete from now on.
    Accept,
}

impl SqliteStore {
    /// Opens a desk file. Creates it if it does not exist, readable by its owner only.
    pub(crate) fn open(path: &Path) -> Result<Self, Problem> {
        Self::open_with(path, MissingCommits::Refuse)
    }

    /// Opens a desk file with this treatment of missing commits.
    pub(crate) fn open_with(path: &Path, missing: MissingCommits) -> Result<Self, Problem> {
        // SQLite gives names like `:memory:` a meaning; an absolute path is always a file.
        let path = &std::path::absolute(path).map_err(|error| desk_unreachable(path, error))?;
        let mut incomplete = None;
        let mut kept_log = None;
        let mark = CommitMark::new(path);
        let files = FileSnapshot::take(path, &mark)?;
        let is_new = create_missing(path)?;
        let folder = FolderSync::new(path);
        let log_bytes = folder.wal_bytes();
        let mut conn = connect(path)?;
        let mut state = schema::open_or_create(&mut conn, path)?;
        if is_new {
            state = SchemaState::Created;
        }
        let progress = match CommitProgress::read(&conn) {
            Ok(progress) => Some(progress),
            // If that is broken, everything that is readable is still read.
            Err(error) if error.sqlite_error_code() == Some(rusqlite::ErrorCode::DatabaseCorrupt) => None,
            Err(error) => return Err(database_problem(error)),
        };
        let notice = progress.and_then(|progress| files.notice(path, state, &mark, progress));
        if let Some(progress) = progress {
            let complete = files.check_complete(path, progress);
            if missing == MissingCommits::Refuse {
                complete?;
            } else {
                incomplete = complete.err();
            }
            if incomplete.is_some() && missing == MissingCommits::Accept {
                kept_log = keep_log(path)?;
            }
            if is_new {
                mark.begin(progress);
            } else if files.lacks_mark(progress) || missing == MissingCommits::Accept {
                mark.reset(progress);
            }
        }
        // Reading the progress has created the WAL.
        if log_bytes.is_none() {
            folder.sync_new_wal();
        }
        let wakeup = wakeup::for_file(path);
        let writer = GroupCommitter::new(conn, wakeup.clone(), path, folder, mark);
        writer.checkpoint_after_opening(log_bytes.unwrap_or_default());
        Ok(Self {
            path: path.to_owned(),
            writer,
            reader: OnceLock::new(),
            scanner: OnceLock::new(),
            token_reader: OnceLock::new(),
            wakeup,
            callers: CallerCount::Many,
            notice,
            incomplete,
            kept_log,
        })
    }
}

/// Copies the log of a desk next to it before it is overwritten: it has lost changes in it, which others may be able to read.
/// Returns the path of the copy; `None` without a log.
fn keep_log(path: &Path) -> Result<Option<PathBuf>, Problem> {
    let log = own_file::sibling_path(path, "-wal");
    let copy =
        own_file::sibling_path(path, &format!("-wal.damaged-{}", clock::now().strftime("%Y%m%d-%H%M%S")));
    match std::fs::copy(log, &copy) {
        Ok(_) => Ok(Some(copy)),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(desk_unreachable(&copy, error)),
    }
}

/// Creates the folder and the desk for their owner alone, unless the file exists; SQLite gives its own files the same
/// mode. Returns whether it created the desk.
fn create_missing(path: &Path) -> Result<bool, Problem> {
    if path.exists() {
        return Ok(false);
    }
    let lock = own_file::create_parent_folder(path).and_then(|()| own_file::lock_for_creation(path));
    let _lock = lock.map_err(|error| desk_unreachable(path, error))?;
    if path.exists() {
        return Ok(false);
    }
    file_state::move_remains_aside(path);
    // Others find a whole desk or none. Closing a file that is open as a desk elsewhere in this process would drop
    // SQLite's locks on it; under this name it is open nowhere else.
    let new = TemporaryFile::beside(path);
    // A process with this number was killed here: no other creates a desk during the lock.
    new.remove();
    schema::create_file(&new.0)?;
    std::fs::rename(&new.0, path).map_err(|error| desk_unreachable(path, error))?;
    Ok(true)
}
