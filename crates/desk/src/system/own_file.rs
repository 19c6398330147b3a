//! Files and folders that only their owner can read: the desk, the files next to it, and token files.

use std::fs::{DirBuilder, File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

/// Returns the path next to the desk with this ending.
pub fn sibling_path(desk: &Path, ending: &str) -> PathBuf {
    let mut name = desk.as_os_str().to_owned();
    name.push(ending);
    PathBuf::from(name)
}

/// Opens a file for writing, and creates it if it does not exist. It follows no link in the place of the file, so
/// that whoever can write in the folder cannot lead the write elsewhere.
pub(crate) fn open(path: &Path) -> io::Result<File> {
    private_options().create(true).truncate(false).open(path)
}

/// Opens a file for writing without its content, and creates it if it does not exist. It follows no link, either.
pub(crate) fn open_emptied(path: &Path) -> io::Result<File> {
    private_options().create(true).truncate(true).open(path)
}

/// Takes the lock under which a desk file is created, until the file is dropped. A file system without locks is no
/// error: SQLite has its own.
pub(crate) fn lock_for_creation(desk: &Path) -> io::Result<File> {
    let lock = open(&sibling_path(desk, ".lock"))?;
    if let Err(error) = lock.lock() {
        tracing::debug!(%error, "no lock for the creation of a desk");
    }
    Ok(lock)
}

/// Creates a file for writing.
///
/// # Errors
/// `AlreadyExists` if the name is taken, also by a dangling link; any other I/O error.
pub fn create_new(path: &Path) -> io::Result<File> {
    private_options().create_new(true).open(path)
}

/// Creates the parent folder of a file, with those above it.
///
/// # Errors
/// Any I/O error.
pub fn create_parent_folder(file: &Path) -> io::Result<()> {
    let Some(folder) = file.parent() else { return Ok(()) };
    if folder.as_os_str().is_empty() || folder.exists() {
        return Ok(());
    }
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::DirBuilderExt as _;
        builder.mode(0o700);
    }
    builder.create(folder)
}

/// Opens a file of this program for reading. It follows no link in the place of the file.
///
/// # Errors
/// Any I/O error, also for a link.
pub fn open_to_read(path: &Path) -> io::Result<File> {
    linkless_options().read(true).open(path)
}

fn private_options() -> OpenOptions {
    let mut options = linkless_options();
    options.write(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt as _;
        options.mode(0o600);
    }
    options
}

fn linkless_options() -> OpenOptions {
    let mut options = OpenOptions::new();
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt as _;
        options.custom_flags(rustix::fs::OFlags::NOFOLLOW.bits().cast_signed());
    }
    options
}

/// Returns whether others can read a secret in this file: its mode allows it, and this process could change the mode.
/// Another owner's file that this process cannot write does not count, nor does one on a read-only mount: containers
/// get their secrets that way.
///
/// # Errors
/// If the system cannot tell.
#[cfg(unix)]
pub fn is_open_to_others(file: &File, path: &Path) -> io::Result<bool> {
    use rustix::fs::{Access, StatVfsMountFlags, access, fstatvfs};
    use std::os::unix::fs::MetadataExt as _;
    let metadata = file.metadata()?;
    if !metadata.is_file() || metadata.mode() & 0o077 == 0 {
        return Ok(false);
    }
    if fstatvfs(file)?.f_flag.contains(StatVfsMountFlags::RDONLY) {
        return Ok(false);
    }
    let is_own = metadata.uid() == rustix::process::geteuid().as_raw();
    Ok(is_own || access(path, Access::WRITE_OK).is_ok())
}

/// Returns false: this system has no file modes for it.
///
/// # Errors
/// None.
#[cfg(not(unix))]
pub fn is_open_to_others(_: &File, _: &Path) -> io::Result<bool> {
    Ok(false)
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt as _;

    #[test]
    fn created_files_are_private() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a/b/file");
        create_parent_folder(&file).unwrap();
        create_new(&file).unwrap();
        let mode = |path: &Path| path.metadata().unwrap().permissions().mode() & 0o777;
        let modes = [file.as_path(), &folder.path().join("a/b"), &folder.path().join("a")].map(mode);
        assert_eq!(modes, [0o600, 0o700, 0o700]);
        assert_eq!(create_new(&file).unwrap_err().kind(), io::ErrorKind::AlreadyExists);
        create_parent_folder(&file).unwrap();
        open(&file).unwrap();
    }

    #[test]
    fn links_are_not_followed() {
        let folder = tempfile::tempdir().unwrap();
        let [target, link] = ["target", "link"].map(|name| folder.path().join(name));
        std::os::unix::fs::symlink(&target, &link).unwrap();
        for open in [open, open_emptied, open_to_read] {
            assert!(open(&link).is_err());
            assert!(!target.exists(), "nothing is made elsewhere");
        }
        std::fs::write(&target, "words").unwrap();
        for open in [open, open_emptied, open_to_read] {
            assert!(open(&link).is_err());
        }
        assert_eq!(std::fs::read(&target).unwrap(), b"words");
    }

    #[test]
    fn readable_file_is_open_to_others() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("token");
        let file = create_new(&path).unwrap();
        let is_open = |mode: u32| {
            std::fs::set_permissions(&path, std::fs::Permissions::from_mode(mode)).unwrap();
            is_open_to_others(&file, &path).unwrap()
        };
        assert!(![0o600, 0o400, 0o700].map(is_open).contains(&true));
        assert!(![0o640, 0o604, 0o444, 0o660].map(is_open).contains(&false));
        // Another owner's file, which this process cannot write unless it runs as root.
        let passwd = Path::new("/etc/passwd");
        let is_root = rustix::process::geteuid().is_root();
        assert_eq!(is_open_to_others(&File::open(passwd).unwrap(), passwd).unwrap(), is_root);
    }
}
