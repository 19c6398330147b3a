//! Resources that the server's process gets from the system.

use crate::config::environment::ProcessEnv;

/// Raises the limit on open files, and returns it. Each connection needs one, and shells allow few. If it fails, the
/// server has fewer connections.
#[cfg(unix)]
pub(super) fn raise_open_file_limit() -> Option<u64> {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let Rlimit { maximum, .. } = getrlimit(Resource::Nofile);
    // A lower limit only admits fewer connections.
    let _ = setrlimit(Resource::Nofile, Rlimit { current: maximum, maximum });
    getrlimit(Resource::Nofile).current
}

/// Returns nothing: this system has no such limit.
#[cfg(not(unix))]
pub(super) fn raise_open_file_limit() -> Option<u64> {
    None
}

/// Starts this program again in the same process, once, with settings of glibc's allocator under which freed memory
/// goes back to the system. By default each thread has a heap of its own, and a heap keeps what was freed below its
/// end. glibc reads the variables when a program starts; an operator's own are kept. If it fails, the server only
/// keeps more memory. See `docs/decisions/064-server-memory.md`.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
pub(super) fn limit_heaps(environment: &ProcessEnv) {
    use std::os::unix::process::CommandExt as _;
    use std::process::Command;
    /// Most heaps.
    const HEAPS: (&str, &str) = ("MALLOC_ARENA_MAX", "2");
    /// Bytes free at the end of a heap that go back at once; set, it also fixes the size from which an allocation is
    /// a mapping of its own.
    const FREE_BYTES: (&str, &str) = ("MALLOC_TRIM_THRESHOLD_", "131072");
    if environment.get(HEAPS.0).is_some() {
        return;
    }
    let mut args = std::env::args_os();
    if let (Ok(program), Some(name)) = (std::env::current_exe(), args.next()) {
        let _ = Command::new(program).arg0(name).args(args).envs([HEAPS, FREE_BYTES]).exec();
    }
}

/// Does nothing: this system's allocator has no such settings.
#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
pub(super) fn limit_heaps(_: &ProcessEnv) {}
