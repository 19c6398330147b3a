//! Ids of the sessions of threads, in a folder of this bridge: a program that is started again loads its session.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Age after which the id of a session is forgotten, as the desk forgets settled asks.
const KEPT: Duration = Duration::from_secs(90 * 24 * 60 * 60);

/// Folder of a bridge, which is locked while it runs.
pub(super) struct SessionStore {
    folder: PathBuf,
    _lock: File,
}

/// File with the id of a thread's session. Its lock is held by the program that works on the thread.
pub(super) struct SessionFile(PathBuf);

impl SessionStore {
    /// Opens the folder of an agent, and deletes what is old. `None` if another bridge uses it.
    ///
    /// # Errors
    /// Fails if the folder cannot be written.
    pub(super) fn open(agents: &Path, agent: &str) -> io::Result<Option<Self>> {
        let folder = agents.join(file_name(agent));
        create_private(&folder.join("threads"))?;
        let lock = File::create(folder.join("lock"))?;
        if lock.try_lock().is_err() {
            return Ok(None);
        }
        for entry in fs::read_dir(folder.join("threads"))?.flatten() {
            if let Ok(metadata) = entry.metadata()
                && let Ok(time) = metadata.modified()
                && let Ok(age) = time.elapsed()
                && age > KEPT
            {
                // It is tried again at the next start.
                let _ = fs::remove_file(entry.path());
            }
        }
        Ok(Some(Self { folder, _lock: lock }))
    }

    /// Returns the file of a thread.
    pub(super) fn thread(&self, thread: &str) -> SessionFile {
        SessionFile(self.folder.join("threads").join(file_name(thread)))
    }
}

impl SessionFile {
    /// Returns its path.
    pub(super) fn path(&self) -> &Path {
        &self.0
    }

    /// Returns the id of the thread's session, if there was one.
    pub(super) fn read(&self) -> Option<String> {
        fs::read_to_string(&self.0).ok().filter(|id| !id.is_empty())
    }

    /// Keeps the id of the thread's session. Without it the agent forgets the conversation when it is started again.
    pub(super) fn write(&self, id: &str) {
        let _ = fs::write(&self.0, id);
    }
}

/// Returns a name for a file, which differs for each text.
fn file_name(text: &str) -> String {
    let mut name = String::with_capacity(text.len());
    for letter in text.chars() {
        if letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '-' {
            name.push(letter);
        } else {
            name.push_str(&format!("_{:x}", u32::from(letter)));
        }
    }
    name
}

/// Creates a folder that only this user may enter.
fn create_private(folder: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.recursive(true).create(folder)
}

/// Returns whether a program with this name can be found.
pub(super) fn is_program(name: &OsStr, path: Option<&str>) -> bool {
    if Path::new(name).components().count() > 1 {
        return Path::new(name).is_file();
    }
    let mut folders = std::env::split_paths(path.unwrap_or_default());
    folders.any(|folder| folder.join(name).is_file())
}
