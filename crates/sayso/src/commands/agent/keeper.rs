//! Hidden command `sayso agent-keeper PARENT LOCK COMMAND…`: runs an agent's program, and ends it with everything that it
//! started when the program or the bridge ends.
//!
//! **Invariant:** the keeper ends last. It adopts each process that loses its parent (subreaper), gets a signal when the
//! bridge dies, and holds the lock of the thread until nothing is left. So no two programs work on one thread.

use crate::output::exit::CommandExit;
use std::ffi::OsString;

/// Name of the command.
pub(crate) const NAME: &str = "agent-keeper";

/// Exit code for a program that cannot be started, as shells have it.
const CANNOT_START: u8 = 126;
/// Exit code for a program that is not there, as shells have it.
const NOT_FOUND: u8 = 127;

/// Runs a program, and returns its exit code.
pub(crate) fn run(args: &[OsString]) -> CommandExit {
    let [parent, lock, program, rest @ ..] = args else { return CommandExit::Usage };
    CommandExit::Prescribed(keep(parent, lock.as_ref(), program, rest))
}

#[cfg(not(unix))]
fn keep(_: &OsString, _: &std::path::Path, _: &OsString, _: &[OsString]) -> u8 {
    CANNOT_START
}

#[cfg(unix)]
fn keep(parent: &OsString, lock: &std::path::Path, program: &OsString, args: &[OsString]) -> u8 {
    use signal_hook::consts::{SIGCHLD, SIGHUP, SIGINT, SIGTERM};
    use std::io::ErrorKind;
    use std::os::unix::process::CommandExt as _;
    let Ok(mut signals) = signal_hook::iterator::Signals::new([SIGTERM, SIGINT, SIGHUP, SIGCHLD]) else {
        return CANNOT_START;
    };
    adopt_orphans();
    // The bridge may have ended before the signal was set.
    let parent_id = rustix::process::getppid().map(|id| id.as_raw_nonzero().to_string());
    if parent_id.is_none() || parent_id.as_deref() != parent.to_str() {
        return CANNOT_START;
    }
    // The keeper before this one still ends its processes.
    let Ok(lock_file) = std::fs::OpenOptions::new().create(true).append(true).open(lock) else {
        return CANNOT_START;
    };
    if lock_file.lock().is_err() {
        return CANNOT_START;
    }
    let child = match std::process::Command::new(program).args(args).process_group(0).spawn() {
        Ok(child) => child,
        Err(error) if error.kind() == ErrorKind::NotFound => return NOT_FOUND,
        Err(_) => return CANNOT_START,
    };
    let group = i32::try_from(child.id()).ok().and_then(rustix::process::Pid::from_raw);
    let mut code = CANNOT_START;
    for signal in &mut signals {
        if signal != SIGCHLD {
            break;
        }
        if let Some(exit_code) = group.and_then(reap_until) {
            code = exit_code;
            break;
        }
    }
    if let Some(group) = group {
        end_all(group);
    }
    drop(lock_file);
    code
}

/// Becomes the parent of orphans, and gets a signal when the bridge dies.
#[cfg(unix)]
fn adopt_orphans() {
    #[cfg(target_os = "linux")]
    {
        use rustix::process::{Pid, Signal, set_child_subreaper, set_parent_process_death_signal};
        // Without them, the end of the program's input ends it.
        let _ = set_child_subreaper(Pid::from_raw(1));
        let _ = set_parent_process_death_signal(Some(Signal::TERM));
    }
}

/// Collects processes that have ended; returns the exit code of the program once it is among them.
#[cfg(unix)]
fn reap_until(program: rustix::process::Pid) -> Option<u8> {
    use rustix::process::{WaitOptions, wait};
    while let Ok(Some((id, status))) = wait(WaitOptions::NOHANG) {
        if id == program {
            let code =
                status.exit_status().or_else(|| status.terminating_signal().map(|signal| 128 + signal));
            return Some(code.and_then(|code| u8::try_from(code).ok()).unwrap_or(CANNOT_START));
        }
    }
    None
}

/// Ends the program's group, and each process that comes to this one as its parent ends.
#[cfg(unix)]
fn end_all(group: rustix::process::Pid) {
    use rustix::process::{Signal, WaitOptions, kill_process, kill_process_group, wait};
    // The group may have ended.
    let _ = kill_process_group(group, Signal::KILL);
    loop {
        for child in children() {
            let _ = kill_process(child, Signal::KILL);
        }
        // Without children it fails.
        if wait(WaitOptions::empty()).is_err() {
            return;
        }
    }
}

/// Lists the processes whose parent this is.
#[cfg(unix)]
fn children() -> Vec<rustix::process::Pid> {
    let own = rustix::process::getpid().as_raw_nonzero().to_string();
    let processes = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let is_child = |id: &i32| {
        let stat = std::fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
        // The name before may contain spaces and brackets.
        let rest = stat.rsplit_once(')').map(|(_, rest)| rest).unwrap_or_default();
        rest.split_whitespace().nth(1) == Some(&own)
    };
    let ids = processes.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    ids.filter(is_child).filter_map(rustix::process::Pid::from_raw).collect()
}
