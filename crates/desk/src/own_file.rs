//! Files and folders that are their owner's alone: the desk, what lies beside it, and where tokens are handed over.

use std::fs::{DirBuilder, File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

/// The file beside the desk whose name has this ending.
pub fn beside(desk: &Path, ending: &str) -> PathBuf {
    let mut name = desk.as_os_str().to_owned();
    name.push(ending);
    PathBuf::from(name)
}

/// Opens it to write, as it is, and makes it where there is none.
pub(crate) fn open(path: &Path) -> io::Result<File> {
    private().create(true).truncate(false).open(path)
}

/// Makes it, to write.
///
/// # Errors
/// `AlreadyExists` where something of that name is there, also a link that leads nowhere; and whatever keeps it from
/// being made.
pub fn create_new(path: &Path) -> io::Result<File> {
    private().create_new(true).open(path)
}

/// Makes the folder that a file is to lie in, with those above it, where there is none.
///
/// # Errors
/// Whatever keeps it from being made.
pub fn make_folder_of(file: &Path) -> io::Result<()> {
    let Some(folder) = file.parent().filter(|folder| !folder.as_os_str().is_empty() && !folder.exists())
    else {
        return Ok(());
    };
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::DirBuilderExt as _;
        builder.mode(0o700);
    }
    builder.create(folder)
}

fn private() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.write(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt as _;
        options.mode(0o600);
    }
    options
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt as _;

    #[test]
    fn what_is_made_is_its_owners_alone() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a/b/file");
        make_folder_of(&file).unwrap();
        create_new(&file).unwrap();
        let mode = |path: &Path| path.metadata().unwrap().permissions().mode() & 0o777;
        let modes = [file.as_path(), &folder.path().join("a/b"), &folder.path().join("a")].map(mode);
        assert_eq!(modes, [0o600, 0o700, 0o700]);
        assert_eq!(create_new(&file).unwrap_err().kind(), io::ErrorKind::AlreadyExists);
        make_folder_of(&file).unwrap();
        open(&file).unwrap();
    }
}
