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

/// Holds the lock under which a desk file is made, until it is dropped. A file system without locks is no error: SQLite
/// has its own.
pub(crate) fn hold_for_creation(desk: &Path) -> io::Result<File> {
    let lock = open(&beside(desk, ".lock"))?;
    let _ = lock.lock();
    Ok(lock)
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

/// Whether a secret in this file is open to others: its mode lets them read it, and whoever reads it here could change
/// that. A file of another owner that this process cannot write is none, nor is one on a file system that is mounted to be
/// read only: so containers get their secrets.
///
/// # Errors
/// When the system does not say.
#[cfg(unix)]
pub(crate) fn is_open_to_others(file: &File, path: &Path) -> io::Result<bool> {
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

/// Whether a secret in this file is open to others. The system has no modes that say it.
///
/// # Errors
/// None.
#[cfg(not(unix))]
pub(crate) fn is_open_to_others(_: &File, _: &Path) -> io::Result<bool> {
    Ok(false)
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

    #[test]
    fn file_that_others_read_is_open_to_them() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("token");
        let file = create_new(&path).unwrap();
        let is_open = |mode: u32| {
            std::fs::set_permissions(&path, std::fs::Permissions::from_mode(mode)).unwrap();
            is_open_to_others(&file, &path).unwrap()
        };
        assert!(![0o600, 0o400, 0o700].map(is_open).contains(&true));
        assert!(![0o640, 0o604, 0o444, 0o660].map(is_open).contains(&false));
        // Not ours, and not ours to write, unless root runs this.
        let passwd = Path::new("/etc/passwd");
        let is_root = rustix::process::geteuid().is_root();
        assert_eq!(is_open_to_others(&File::open(passwd).unwrap(), passwd).unwrap(), is_root);
    }
}
