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

/// When a process started, in clock ticks since the machine did: the 22nd field of its `stat`, counted after the name,
/// which may contain anything.
fn started(pid: u32) -> Option<u64> {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    let (_, fields) = stat.rsplit_once(')')?;
    fields.split_whitespace().nth(19)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(target_os = "linux")]
    fn this_process_runs_and_an_ended_one_does_not() {
        assert!(is_alive(&this()));
        assert!(!is_alive(&Process { started: 1, ..this() }));
        let mut child = std::process::Command::new("true").spawn().unwrap();
        let gone = Process { pid: child.id(), started: started(child.id()).unwrap_or(1) };
        child.wait().unwrap();
        assert!(!is_alive(&gone));
    }
}
