//! Whether the process that asked still runs.

use sayso_core::who::Process;

/// This process.
pub fn this() -> Process {
    let pid = std::process::id();
    Process { pid, started: started(pid).unwrap_or(0) }
}

/// Whether a process still runs. Where the system does not tell, it is taken to.
pub fn is_alive(process: &Process) -> bool {
    if cfg!(target_os = "linux") { started(process.pid) == Some(process.started) } else { true }
}

/// When a process that still runs started, in clock ticks since the machine did: the 22nd field of its `stat`, counted after
/// the name, which may contain anything. One that has ended keeps its place until its parent looks at it, and in a container
/// nobody may.
fn started(pid: u32) -> Option<u64> {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    let (_, fields) = stat.rsplit_once(')')?;
    let mut fields = fields.split_whitespace();
    let has_ended = matches!(fields.next()?, "Z" | "X");
    if has_ended { None } else { fields.nth(18)?.parse().ok() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::{Command, Stdio};
    use std::time::{Duration, Instant};

    #[test]
    #[cfg(target_os = "linux")]
    fn this_process_runs_and_an_ended_one_does_not() {
        assert!(is_alive(&this()));
        assert!(!is_alive(&Process { started: 1, ..this() }));
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn a_process_that_has_ended_does_not_run_before_or_after_its_parent_looks_at_it() {
        let mut child = Command::new("cat").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let process = Process { pid: child.id(), started: started(child.id()).unwrap() };
        assert!(is_alive(&process));
        drop(child.stdin.take());
        let until = Instant::now() + Duration::from_secs(60);
        while is_alive(&process) {
            assert!(Instant::now() < until, "it has ended, and still seems to run");
            std::thread::yield_now();
        }
        child.wait().unwrap();
        assert!(!is_alive(&process));
    }
}
