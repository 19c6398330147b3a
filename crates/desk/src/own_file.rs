//! Files that lie beside the desk, readable by its owner only.

use std::fs::{File, OpenOptions};
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
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(false);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt as _;
        options.mode(0o600);
    }
    options.open(path)
}
