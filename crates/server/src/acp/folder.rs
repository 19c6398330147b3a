//! Folder of a thread's agent, and the id of its session that is kept next to it.

use super::program::AgentUser;
use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

/// Most bytes of a session's id.
const SESSION_ID_BYTES: u64 = 4_096;

/// Folder of a thread's agent.
#[derive(Debug, Clone)]
pub(crate) struct AgentFolder(PathBuf);

impl AgentFolder {
    /// Names the folder of a thread's agent.
    pub(crate) fn new(root: &Path, agent: &str, thread: &str) -> Self {
        let safe = |name: &str| {
            let letter =
                |letter: char| if letter.is_ascii_alphanumeric() || letter == '-' { letter } else { '_' };
            name.chars().map(letter).collect::<String>()
        };
        // The digest keeps apart names that look the same as file names.
        let digest = sayso_core::Digest::compute(agent.as_bytes()).to_string();
        let short: String = digest.chars().filter(char::is_ascii_alphanumeric).take(12).collect();
        Self(root.join(format!("{}-{short}", safe(agent))).join(safe(thread)))
    }

    /// Returns the folder that the agent sees and may write.
    pub(crate) fn visible(&self) -> PathBuf {
        self.0.join("visible")
    }

    /// Returns the folder in which the agent works.
    pub(crate) fn work(&self) -> PathBuf {
        self.visible().join("work")
    }

    /// Returns the home folder of an agent in a sandbox.
    pub(crate) fn home(&self) -> PathBuf {
        self.visible().join("home")
    }

    /// Returns the folder for temporary files.
    pub(crate) fn temporary(&self) -> PathBuf {
        self.visible().join("tmp")
    }

    fn session_file(&self) -> PathBuf {
        self.0.join("session")
    }

    /// Creates the folders, for this user if it is another one. That user owns nothing in which we write.
    ///
    /// # Errors
    /// Fails if the system cannot create them.
    pub(crate) fn create(&self, user: Option<AgentUser>) -> io::Result<()> {
        let folders = [self.work(), self.home(), self.temporary()];
        for folder in &folders {
            create_folder(folder, user.is_some())?;
        }
        #[cfg(unix)]
        if let Some(AgentUser { uid, gid }) = user {
            for folder in &folders {
                std::os::unix::fs::lchown(folder, Some(uid), Some(gid))?;
            }
        }
        Ok(())
    }

    /// Returns the id of the thread's session, if there was one.
    pub(crate) fn session(&self) -> Option<String> {
        let is_short = fs::metadata(self.session_file()).is_ok_and(|file| file.len() <= SESSION_ID_BYTES);
        is_short.then(|| fs::read_to_string(self.session_file()).ok()).flatten().filter(|id| !id.is_empty())
    }

    /// Keeps the id of the thread's session, which other users may not read.
    ///
    /// # Errors
    /// Fails if the file cannot be written.
    pub(crate) fn keep_session(&self, id: &str) -> io::Result<()> {
        let mut options = fs::OpenOptions::new();
        options.write(true).create(true).truncate(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        options.open(self.session_file())?.write_all(id.as_bytes())
    }

    /// Deletes the folder with all that is in it.
    ///
    /// # Errors
    /// Fails if the system cannot delete it.
    pub(crate) fn delete(&self) -> io::Result<()> {
        match fs::remove_dir_all(&self.0) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            deleted => deleted,
        }
    }
}

/// Creates a folder that only this user may list. Another user may pass through it if it is for one.
fn create_folder(folder: &Path, is_for_another: bool) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    #[cfg(unix)]
    {
        use std::os::unix::fs::DirBuilderExt as _;
        builder.mode(if is_for_another { 0o711 } else { 0o700 });
    }
    #[cfg(not(unix))]
    let _ = is_for_another;
    builder.recursive(true).create(folder)
}
