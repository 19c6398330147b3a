//! Plan of a setup: the files that would change, with their bytes before and after.

use super::backup::{BackupFolder, unwritable};
use super::change::unreadable;
use super::diff;
use super::host::{HostFolders, SetupHost};
use sayso_core::{Problem, unified_diff};
use sayso_desk::own_file;
use std::fs::{File, Metadata};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

/// Most symbolic links that are followed to a missing file, as in Linux.
const MOST_LINKS: usize = 40;

/// Files that would change.
pub(super) struct SetupPlan {
    files: Vec<FilePlan>,
    is_undo: bool,
}

/// Change of one file.
pub(super) struct FilePlan {
    /// Path, past symbolic links.
    pub(super) path: PathBuf,
    pub(super) before: Option<String>,
    /// Text afterwards; `None` removes the file.
    pub(super) after: Option<String>,
    /// Names of our entries.
    pub(super) entries: Vec<String>,
}

impl SetupPlan {
    /// Plans to write the entries of a host.
    ///
    /// # Errors
    /// Fails if one of the files can't be read, parsed or written.
    pub(super) fn install(host: SetupHost, folders: &HostFolders) -> Result<Self, Problem> {
        let mut files = Vec::new();
        for file in host.files(folders) {
            let (path, before) = read(&file.path)?;
            let after = Some(file.with_entries(before.as_deref())?);
            files.push(FilePlan { path, before, after, entries: file.entry_names() });
        }
        Self::from_files(files, false)
    }

    /// Plans to bring back the bytes before setup. A file that has changed since loses our entries only.
    ///
    /// # Errors
    /// Fails if one of the files can't be read, parsed or written.
    pub(super) fn undo(
        host: SetupHost,
        folders: &HostFolders,
        backups: &BackupFolder,
    ) -> Result<Self, Problem> {
        let mut files = Vec::new();
        for file in host.files(folders) {
            let (path, before) = read(&file.path)?;
            let after = match (&before, backups.read(&path)?) {
                (None, _) => None,
                (Some(present), Some(backup)) if backup.after == present.as_bytes() => match backup.before {
                    Some(bytes) => Some(into_text(bytes, &path)?),
                    None => None,
                },
                (Some(present), _) => file.without_entries(present)?,
            };
            files.push(FilePlan { path, before, after, entries: file.entry_names() });
        }
        Self::from_files(files, true)
    }

    fn from_files(mut files: Vec<FilePlan>, is_undo: bool) -> Result<Self, Problem> {
        files.retain(|file| file.before != file.after);
        for file in &files {
            file.check_writable()?;
        }
        Ok(Self { files, is_undo })
    }

    /// Returns true if nothing would change.
    pub(super) fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    /// Returns true if the plan removes what setup wrote.
    pub(super) const fn is_undo(&self) -> bool {
        self.is_undo
    }

    /// Returns the files that would change.
    pub(super) fn files(&self) -> &[FilePlan] {
        &self.files
    }

    /// Returns all changes as a unified diff.
    pub(super) fn diff(&self) -> String {
        let mut text = String::new();
        for file in &self.files {
            text.push_str(&diff::unified(&file.path, file.before.as_deref(), file.after.as_deref()));
        }
        text
    }

    /// Writes the files. The bytes before are kept first. A file that someone has changed since the plan was made is
    /// left as it is, and so are those after it; then its path is returned.
    ///
    /// # Errors
    /// Fails if a file can't be read or written.
    pub(super) fn write(&self, backups: &BackupFolder) -> Result<Option<&Path>, Problem> {
        for file in &self.files {
            if !file.is_current()? {
                return Ok(Some(&file.path));
            }
        }
        for file in &self.files {
            if !self.is_undo {
                let after = file.after.as_deref().unwrap_or_default();
                backups.keep(&file.path, file.before.as_deref().map(str::as_bytes), after.as_bytes())?;
            }
            if !file.write()? {
                return Ok(Some(&file.path));
            }
            if self.is_undo {
                backups.forget(&file.path)?;
            }
        }
        Ok(None)
    }
}

impl FilePlan {
    /// Returns how many lines are added and removed.
    pub(super) fn line_counts(&self) -> (usize, usize) {
        unified_diff::line_counts(
            self.before.as_deref().unwrap_or_default(),
            self.after.as_deref().unwrap_or_default(),
        )
    }

    /// Fails before anything is written, if the file may not be.
    fn check_writable(&self) -> Result<(), Problem> {
        let is_read_only = std::fs::metadata(&self.path).is_ok_and(|data| data.permissions().readonly());
        if is_read_only {
            return Err(unwritable(&self.path, &io::ErrorKind::PermissionDenied.into()));
        }
        Ok(())
    }

    /// Returns true if the file is as it was when the change was planned.
    fn is_current(&self) -> Result<bool, Problem> {
        let (_, present) = read(&self.path)?;
        Ok(present == self.before)
    }

    /// Replaces the file in one step, with its rights and its owner, unless it has changed.
    fn write(&self) -> Result<bool, Problem> {
        let new_file = match &self.after {
            Some(after) => Some(self.write_beside(after).map_err(|error| unwritable(&self.path, &error))?),
            None => None,
        };
        if !self.is_current()? {
            return Ok(false);
        }
        match new_file {
            Some(new_file) => {
                if let Err(error) = new_file.persist(&self.path) {
                    return Err(unwritable(&self.path, &error.error));
                }
            }
            None => {
                std::fs::remove_file(&self.path).map_err(|error| unwritable(&self.path, &error))?;
                remove_empty_host_folder(&self.path);
            }
        }
        Ok(true)
    }

    /// Writes the text into a new file in the same folder.
    fn write_beside(&self, text: &str) -> io::Result<NamedTempFile> {
        own_file::create_parent_folder(&self.path)?;
        let folder = self.path.parent().unwrap_or(Path::new("."));
        let mut file = NamedTempFile::new_in(folder)?;
        file.write_all(text.as_bytes())?;
        if let Ok(data) = std::fs::metadata(&self.path) {
            keep_owner(file.as_file(), &data);
            file.as_file().set_permissions(data.permissions())?;
        }
        file.as_file().sync_all()?;
        Ok(file)
    }
}

/// Removes the folder of a removed file if it is empty and a host's own, such as `~/.claude`: setup made it.
fn remove_empty_host_folder(file: &Path) {
    let Some(folder) = file.parent() else { return };
    if folder.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b".")) {
        // One with other files stays.
        let _ = std::fs::remove_dir(folder);
    }
}

/// Gives a file the owner and the group of the one that it replaces, as far as this user may.
#[cfg(unix)]
fn keep_owner(file: &File, replaced: &Metadata) {
    use std::os::unix::fs::{MetadataExt as _, fchown};
    // Only an administrator may give files away; for anybody else the file is their own.
    if fchown(file, Some(replaced.uid()), Some(replaced.gid())).is_err() {
        let _ = fchown(file, None, Some(replaced.gid()));
    }
}

#[cfg(not(unix))]
const fn keep_owner(_file: &File, _replaced: &Metadata) {}

/// Returns the path of a file past all symbolic links, also if the file or its folder does not exist yet: the backup
/// of a file is found by this path.
fn resolve(path: &Path, links: usize) -> PathBuf {
    if let Ok(resolved) = std::fs::canonicalize(path) {
        return resolved;
    }
    let (Some(folder), Some(name)) = (path.parent(), path.file_name()) else { return path.to_owned() };
    match std::fs::read_link(path) {
        Ok(target) if links > 0 => resolve(&folder.join(target), links - 1),
        _ => resolve(folder, links).join(name),
    }
}

/// Reads a file, past symbolic links; a missing one has no text.
fn read(path: &Path) -> Result<(PathBuf, Option<String>), Problem> {
    let resolved_path = resolve(path, MOST_LINKS);
    match std::fs::read(&resolved_path) {
        Ok(bytes) => Ok((resolved_path, Some(into_text(bytes, path)?))),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok((resolved_path, None)),
        Err(error) => Err(unreadable(path, &error.to_string())),
    }
}

fn into_text(bytes: Vec<u8>, path: &Path) -> Result<String, Problem> {
    String::from_utf8(bytes).map_err(|error| unreadable(path, &error.to_string()))
}
