//! Files of this machine that an agent's act is about.

use sayso_core::limits;
use sayso_core::model::action::FileState;
use std::fs::File;
use std::io::Read as _;
use std::path::{Component, Path, PathBuf};

/// Returns the state of a file, whose path may be relative to the folder in which the agent works.
pub fn file_state(path: &str, folder: Option<&str>) -> FileState {
    let folder = folder.map(Path::new);
    let path = resolved(&folder.map_or_else(|| PathBuf::from(path), |folder| folder.join(path)));
    let is_outside = folder.is_some_and(|folder| !path.starts_with(resolved(folder)));
    FileState { exists: path.symlink_metadata().is_ok(), text: text_of(&path), is_outside }
}

/// Returns the text of a regular file, unless it is too long or no text.
fn text_of(path: &Path) -> Option<String> {
    // Others may wait for a writer.
    path.metadata().ok().filter(std::fs::Metadata::is_file)?;
    let mut bytes = Vec::new();
    File::open(path).ok()?.take(limits::REQUEST_BYTES as u64 + 1).read_to_end(&mut bytes).ok()?;
    if bytes.len() > limits::REQUEST_BYTES { None } else { String::from_utf8(bytes).ok() }
}

/// Returns a path without links and `..`, as far as it exists.
fn resolved(path: &Path) -> PathBuf {
    let mut resolved = PathBuf::new();
    for component in path.components() {
        match component {
            Component::ParentDir => {
                resolved.pop();
            }
            component => resolved.push(component),
        }
        if let Ok(target) = resolved.canonicalize() {
            resolved = target;
        }
    }
    resolved
}

#[cfg(test)]
mod tests {
    use super::file_state;
    use std::fs;

    #[test]
    fn files_are_looked_up() {
        let folder = tempfile::tempdir().unwrap();
        let work = folder.path().join("work");
        fs::create_dir(&work).unwrap();
        fs::write(work.join("a"), "text").unwrap();
        fs::write(folder.path().join("secret"), b"\xff").unwrap();
        #[cfg(unix)]
        std::os::unix::fs::symlink(folder.path(), work.join("up")).unwrap();
        let state = |path: &str| {
            let state = file_state(path, work.to_str());
            (state.exists, state.text, state.is_outside)
        };
        assert_eq!(state("a"), (true, Some("text".to_owned()), false));
        assert_eq!(state(work.join("new/b").to_str().unwrap()), (false, None, false));
        assert_eq!(state("../secret"), (true, None, true));
        assert_eq!(state("new/../../secret"), (true, None, true));
        #[cfg(unix)]
        assert_eq!(state("up/new"), (false, None, true));
        assert!(!file_state("/etc", None).is_outside);
    }
}
