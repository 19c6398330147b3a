//! A wall clock that a test sets, for programs of its world. The monotonic clock stays.

use super::test_world::TestWorld;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// Clock that libfaketime shows to programs with its [`variables`](Self::variables).
pub(crate) struct FakeClock {
    /// File with the offset from the real time.
    offset: PathBuf,
    /// File that is written and then takes the other's place: nobody reads half of it.
    next_offset: PathBuf,
}

impl FakeClock {
    /// Creates a clock that shows the real time.
    pub(crate) fn new(world: &TestWorld) -> Self {
        let folder = world.path("clock");
        std::fs::create_dir(&folder).unwrap();
        let clock = Self { offset: folder.join("offset"), next_offset: folder.join("next") };
        clock.set_offset(0);
        clock
    }

    /// Sets the clock to an offset in seconds from the real time.
    pub(crate) fn set_offset(&self, seconds: i64) {
        std::fs::write(&self.next_offset, format!("{seconds:+}")).unwrap();
        std::fs::rename(&self.next_offset, &self.offset).unwrap();
    }

    /// Returns the environment variables of a program that shall have this clock.
    pub(crate) fn variables(&self) -> [(&'static str, OsString); 4] {
        [
            ("LD_PRELOAD", library().into()),
            ("FAKETIME_TIMESTAMP_FILE", self.offset.clone().into()),
            ("FAKETIME_NO_CACHE", "1".into()),
            ("FAKETIME_DONT_FAKE_MONOTONIC", "1".into()),
        ]
    }
}

impl Drop for FakeClock {
    /// Removes what killed programs left. libfaketime names a semaphore and a piece of memory by its process id, so
    /// the next program with that id would fail: <https://github.com/wolfcw/libfaketime/issues/256>.
    fn drop(&mut self) {
        for entry in std::fs::read_dir("/dev/shm").unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_string_lossy();
            let process = name.strip_prefix("sem.faketime_sem_").or(name.strip_prefix("faketime_shm_"));
            if process.is_some_and(|process| !Path::new("/proc").join(process).exists()) {
                // Another test may remove the same file.
                let _ = std::fs::remove_file(&path);
            }
        }
    }
}

fn library() -> PathBuf {
    let folders = std::fs::read_dir("/usr/lib").unwrap();
    let mut libraries = folders.map(|folder| folder.unwrap().path().join("faketime/libfaketimeMT.so.1"));
    libraries.find(|library| library.exists()).expect("no libfaketime: run `cargo xtask setup`")
}
