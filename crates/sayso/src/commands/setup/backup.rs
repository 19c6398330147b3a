//! Bytes of a host's files before setup changed them, and after, in the user's data folder.

use sayso_core::i18n::own;
use sayso_core::{Digest, Message, Problem, ProblemCode};
use sayso_desk::own_file;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

/// Folder of the backups.
pub(super) struct BackupFolder {
    folder: PathBuf,
}

/// Backup of one file, to undo a setup.
pub(super) struct FileBackup {
    /// Bytes before setup; `None` if the file did not exist.
    pub(super) before: Option<Vec<u8>>,
    /// Bytes that setup wrote.
    pub(super) after: Vec<u8>,
}

impl BackupFolder {
    pub(super) const fn new(folder: PathBuf) -> Self {
        Self { folder }
    }

    /// Keeps the bytes of a file before it is changed. What setup wrote itself is no new original: then the earlier
    /// one stays.
    ///
    /// # Errors
    /// Fails if the backup can't be written.
    pub(super) fn keep(&self, file: &Path, before: Option<&[u8]>, after: &[u8]) -> Result<(), Problem> {
        let original = match self.read(file)? {
            Some(earlier) if before == Some(earlier.after.as_slice()) => earlier.before,
            _ => before.map(<[u8]>::to_vec),
        };
        self.write(file, original.as_deref(), after).map_err(|error| unwritable(&self.folder, &error))
    }

    fn write(&self, file: &Path, original: Option<&[u8]>, after: &[u8]) -> io::Result<()> {
        let (original_path, after_path) = self.paths(file);
        own_file::create_parent_folder(&after_path)?;
        match original {
            Some(bytes) => write_private(&original_path, bytes)?,
            None => remove(&original_path)?,
        }
        write_private(&after_path, after)
    }

    /// Returns the backup of a file.
    ///
    /// # Errors
    /// Fails if it can't be read.
    pub(super) fn read(&self, file: &Path) -> Result<Option<FileBackup>, Problem> {
        let (original_path, after_path) = self.paths(file);
        let Some(after) = read_if_exists(&after_path)? else { return Ok(None) };
        Ok(Some(FileBackup { before: read_if_exists(&original_path)?, after }))
    }

    /// Removes the backup of a file that was restored.
    ///
    /// # Errors
    /// Fails if it can't be removed.
    pub(super) fn forget(&self, file: &Path) -> Result<(), Problem> {
        let (original_path, after_path) = self.paths(file);
        // Without the second file there is no backup, whatever becomes of the first.
        for path in [after_path, original_path] {
            remove(&path).map_err(|error| unwritable(&self.folder, &error))?;
        }
        Ok(())
    }

    fn paths(&self, file: &Path) -> (PathBuf, PathBuf) {
        let name = Digest::compute(file.as_os_str().as_encoded_bytes()).to_string();
        (self.folder.join(format!("{name}.before")), self.folder.join(format!("{name}.after")))
    }
}

fn read_if_exists(path: &Path) -> Result<Option<Vec<u8>>, Problem> {
    match std::fs::read(path) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(unwritable(path, &error)),
    }
}

/// Writes a file that only its owner can read, in one step.
fn write_private(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new(""));
    let mut file = tempfile::NamedTempFile::new_in(folder)?;
    file.write_all(bytes)?;
    file.as_file().sync_all()?;
    file.persist(path).map(|_| ()).map_err(|error| error.error)
}

fn remove(path: &Path) -> io::Result<()> {
    match std::fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// Returns the problem of a file that can't be written.
pub(super) fn unwritable(path: &Path, error: &io::Error) -> Problem {
    let message = Message::SetupUnwritable.with([own(path.display()), own(error)]);
    Problem::new(ProblemCode::UnreadableFile, message)
}
