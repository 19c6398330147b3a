//! Permission problems with a desk's files, and their remedies.

use sayso_core::i18n::own;
use sayso_core::{LocalizedText, Message, Problem, ProblemCode};
use std::path::Path;

/// Returns a hint if permissions keep this user from the desk.
#[cfg(unix)]
pub(crate) fn permission_hint(desk: &Path) -> Option<LocalizedText> {
    use rustix::fs::{Access, access};
    use rustix::io::Errno;
    let both = Access::READ_OK | Access::WRITE_OK;
    let refusal = |path: &Path, wanted| match access(path, wanted) {
        Err(error @ (Errno::ACCESS | Errno::PERM | Errno::ROFS)) => Some(error),
        _ => None,
    };
    // From the outermost folder, because the content of an inaccessible one is invisible.
    let folders: Vec<_> = desk.ancestors().skip(1).filter(|folder| !folder.as_os_str().is_empty()).collect();
    let entered = folders.iter().rev().filter(|folder| folder.is_dir());
    let entered = entered.map(|folder| (*folder, Access::EXEC_OK));
    let files = ["", "-wal", "-shm"].map(|ending| crate::own_file::sibling_path(desk, ending));
    let used = files.iter().map(|file| (file.as_path(), both));
    let made_in = folders.iter().find(|folder| folder.exists()).map(|folder| (*folder, Access::WRITE_OK));
    let mut all = entered.chain(used).chain(made_in);
    let (path, error) = all.find_map(|(path, wanted)| refusal(path, wanted).map(|error| (path, error)))?;
    Some(explain_error(path, error == Errno::ROFS))
}

#[cfg(not(unix))]
pub(crate) fn permission_hint(_desk: &Path) -> Option<LocalizedText> {
    None
}

/// Returns a warning for the desk's folder and its file if every user of this machine has access.
#[cfg(unix)]
pub(crate) fn open_to_everyone(desk: &Path) -> Vec<Problem> {
    use std::os::unix::fs::MetadataExt as _;
    // A link leads to the folder that counts.
    let desk = desk.canonicalize().unwrap_or_else(|_| desk.to_owned());
    let mode_of = |path: &Path| path.metadata().map_or(0, |found| found.mode());
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

#[cfg(unix)]
fn warning(path: &Path, message: Message, hint: Message) -> Problem {
    let path = path.display().to_string();
    Problem::new(ProblemCode::InvalidSetting, message.with([own(&path)])).with_hint(hint.with([own(&path)]))
}

#[cfg(unix)]
fn explain_error(path: &Path, is_read_only: bool) -> LocalizedText {
    use std::os::unix::fs::MetadataExt as _;
    let shown = path.display().to_string();
    if is_read_only {
        return Message::MountedReadOnly.with([own(shown)]);
    }
    match path.metadata() {
        Ok(found) if found.uid() != rustix::process::geteuid().as_raw() => {
            Message::BelongsToAnother.with([own(shown), own(found.uid())])
        }
        Ok(found) if found.is_dir() => Message::OwnFolderClosed.with([own(shown)]),
        _ => Message::OwnFileClosed.with([own(shown)]),
    }
}
