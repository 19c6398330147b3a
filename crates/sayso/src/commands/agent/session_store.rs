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
            let age =
                entry.metadata().and_then(|file| file.modified()).ok().and_then(|time| time.elapsed().ok());
            if age.is_some_and(|age| age > KEPT) {
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
    let is_plain = |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '-';
    let escape = |letter: char| {
        if is_plain(letter) { letter.to_string() } else { format!("_{:x}", u32::from(letter)) }
    };
    text.chars().map(escape).collect()
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
    let folders = || std::env::split_paths(path.unwrap_or_default()).map(|folder| folder.join(name));
    if Path::new(name).components().count() > 1 {
        Path::new(name).is_file()
    } else {
        folders().any(|file| file.is_file())
    }
}
