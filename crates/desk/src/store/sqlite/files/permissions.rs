//! Permission problems with a desk's files, and their remedies.

use sayso_core::i18n::own;
use sayso_core::{LocalizedText, Message, Problem, ProblemCode};
use std::path::Path;

/// Returns a hint if permissions keep this user from the desk.
#[cfg(unix)]
pub(crate) fn permission_hint(desk: &Path) -> Option<LocalizedText> {
    use rustix::fs::{Access, access};
    use rustix::io::Errno;
    let mut folders: Vec<_> = desk.ancestors().skip(1).collect();
    folders.retain(|folder| !folder.as_os_str().is_empty());
    let mut needs = Vec::new();
    // From the outermost folder, because the content of an inaccessible one is invisible.
    for folder in folders.iter().rev() {
        if folder.is_dir() {
            needs.push((folder.to_path_buf(), Access::EXEC_OK));
        }
    }
    for ending in ["", "-wal", "-shm"] {
        needs.push((crate::own_file::sibling_path(desk, ending), Access::READ_OK | Access::WRITE_OK));
    }
    // The innermost folder that exists is the one in which files are created.
    if let Some(folder) = folders.iter().find(|folder| folder.exists()) {
        needs.push((folder.to_path_buf(), Access::WRITE_OK));
    }
    for (path, need) in needs {
        if let Err(error @ (Errno::ACCESS | Errno::PERM | Errno::ROFS)) = access(&path, need) {
            return Some(explain_error(&path, error == Errno::ROFS));
        }
    }
    None
}

#[cfg(not(unix))]
pub(crate) fn permission_hint(_desk: &Path) -> Option<LocalizedText> {
    None
}

/// Returns a warning for the desk's folder and its file if every user of this machine has access.
#[cfg(unix)]
pub(crate) fn open_to_everyone(desk: &Path) -> Vec<Problem> {
    // A link leads to the folder that counts.
    let desk = desk.canonicalize().unwrap_or_else(|_| desk.to_owned());
    let mut warnings = Vec::new();
    if let Some(folder) = desk.parent()
        && mode_of(folder) & 0o002 != 0
    {
        warnings.push(warning(folder, Message::DeskFolderOpen, Message::DeskFolderOpenHint));
    }
    if mode_of(&desk) & 0o006 != 0 {
        warnings.push(warning(&desk, Message::DeskFileOpen, Message::DeskFileOpenHint));
    }
    warnings
}

/// Returns nothing: this system has no file modes for it.
#[cfg(not(unix))]
pub(crate) fn open_to_everyone(_desk: &Path) -> Vec<Problem> {
    Vec::new()
}

/// Returns the mode of a file; 0 if it cannot be told.
#[cfg(unix)]
fn mode_of(path: &Path) -> u32 {
    use std::os::unix::fs::MetadataExt as _;
    path.metadata().map_or(0, |file| file.mode())
}

#[cfg(unix)]
fn warning(path: &Path, message: Message, hint: Message) -> Problem {
    let path = path.display().to_string();
    Problem::new(ProblemCode::InvalidSetting, message.with([own(&path)])).with_hint(hint.with([own(&path)]))
}

#[cfg(unix)]
fn explain_error(path: &Path, is_read_only: bool) -> LocalizedText {
    use std::os::unix::fs::MetadataExt as _;
    let place = own(path.display());
    if is_read_only {
        return Message::MountedReadOnly.with([place]);
    }
    match path.metadata() {
        Ok(file) if file.uid() != rustix::process::geteuid().as_raw() => {
            Message::BelongsToAnother.with([place, own(file.uid())])
        }
        Ok(file) if file.is_dir() => Message::OwnFolderClosed.with([place]),
        _ => Message::OwnFileClosed.with([place]),
    }
}
