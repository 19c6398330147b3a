//! Whether the process that asked still runs.

use sayso_core::Digest;
use sayso_core::who::Process;
use std::sync::OnceLock;

/// So many bits tell when a process started. Those above them tell on which machine, where that is another one: at a
/// desk on the network, a number says nothing without its machine.
const TICK_BITS: u32 = 37;
/// As many as still make a number that any JSON reader takes.
const MACHINE_BITS: u32 = 15;

/// This process.
pub fn this() -> Process {
    let pid = std::process::id();
    Process { pid, started: started(pid).unwrap_or(0) }
}

/// Whether a process still runs. Where the system does not tell, or it is another machine's, it is taken to.
pub fn is_alive(process: Process) -> bool {
    match of_this_machine(process) {
        Some(Process { pid, started: at }) if cfg!(target_os = "linux") => started(pid) == Some(at),
        _ => true,
    }
}

/// Whether a process still runs as far as that is certain: it is one of this machine, and the system tells.
pub(crate) fn surely_runs(process: Process) -> bool {
    cfg!(target_os = "linux") && of_this_machine(process).is_some_and(is_alive)
}

/// A process of this machine, as other machines call it.
pub(crate) fn abroad(process: Process) -> Process {
    let is_named = machine_of(process) != 0;
    let machine = if is_named { 0 } else { machine() << TICK_BITS };
    Process { started: process.started | machine, ..process }
}

/// A process as it is called here, where this machine has it or another one that it names. What names no machine is of
/// the desk's own, where no number says anything unless that is this one too.
pub(crate) fn at_home(process: Process, is_desk_here: bool) -> Option<Process> {
    if machine_of(process) == 0 && !is_desk_here { None } else { of_this_machine(process).or(Some(process)) }
}

/// The process without its machine, where that is this one.
fn of_this_machine(process: Process) -> Option<Process> {
    let is_here = machine_of(process) == 0 || machine_of(process) == machine();
    is_here.then_some(Process { started: process.started & ((1 << TICK_BITS) - 1), ..process })
}

/// The machine that a process names, 0 where it names none.
const fn machine_of(process: Process) -> u64 {
    process.started >> TICK_BITS
}

/// A number for this machine, never 0. Containers count as machines: they number their processes themselves.
fn machine() -> u64 {
    static MACHINE: OnceLock<u64> = OnceLock::new();
    *MACHINE.get_or_init(|| {
        let said = |path: &str| std::fs::read_to_string(path).unwrap_or_default();
        let space = std::fs::read_link("/proc/self/ns/pid").unwrap_or_default();
        let parts = (said("/etc/machine-id"), said("/proc/sys/kernel/hostname"), space);
        let digest = Digest::of(format!("{parts:?}").as_bytes());
        let number =
            digest.as_bytes().iter().take(2).fold(0, |number, byte| (number << 8) | u64::from(*byte));
        (number & ((1 << MACHINE_BITS) - 1)).max(1)
    })
}

/// Shells, and programs that only start others.
const LAUNCHERS: [&str; 18] = [
    "sh", "bash", "dash", "zsh", "fish", "ksh", "ash", "busybox", "sudo", "env", "timeout", "nice", "nohup",
    "xargs", "setsid", "stdbuf", "time", "script",
];
/// Programs that run a script, by the beginning of their names.
const INTERPRETERS: [&str; 7] = ["python", "node", "ruby", "perl", "deno", "bun", "php"];
/// What a shell is started by where a person types.
const SESSIONS: [&str; 12] = [
    "init",
    "systemd",
    "login",
    "sshd",
    "tmux",
    "screen",
    "gnome-terminal",
    "konsole",
    "xterm",
    "alacritty",
    "kitty",
    "wezterm",
];
/// So many processes are looked at.
const GENERATIONS: usize = 16;

/// Returns the name of the program that started this one, past the shells and launchers between them; a script is named
/// before what runs it. A guess: any process can call itself anything.
pub fn program_above() -> Option<String> {
    let mut pid = std::process::id();
    let mut shell = None;
    for _ in 0..GENERATIONS {
        pid = parent(pid)?;
        if pid <= 1 {
            break;
        }
        let line = std::fs::read(format!("/proc/{pid}/cmdline")).ok()?;
        let arguments: Vec<_> = line.split(|byte| *byte == 0).map(String::from_utf8_lossy).collect();
        let (program, rest) = arguments.split_first()?;
        let name = base(program.trim_start_matches('-'));
        let starts_with_any = |known: &[&str]| known.iter().any(|known| name.starts_with(known));
        if starts_with_any(&SESSIONS) {
            break;
        }
        let is_launcher = LAUNCHERS.contains(&name);
        if !is_launcher && !starts_with_any(&INTERPRETERS) {
            return Some(name.to_owned());
        }
        let script = rest.first().filter(|argument| !argument.is_empty() && !argument.starts_with('-'));
        match script.filter(|_| !is_launcher || name.ends_with("sh")) {
            Some(script) => return Some(base(script).to_owned()),
            None if !is_launcher => return Some(name.to_owned()),
            None => shell = shell.or(Some(name.to_owned())),
        }
    }
    shell
}

/// The last part of a path.
fn base(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// The process that started this one: the 4th field of its `stat`, counted after the name.
fn parent(pid: u32) -> Option<u32> {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    stat.rsplit_once(')')?.1.split_whitespace().nth(1)?.parse().ok()
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
        assert!(is_alive(this()));
        assert!(!is_alive(Process { started: 1, ..this() }));
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn a_process_that_has_ended_does_not_run_before_or_after_its_parent_looks_at_it() {
        let mut child = Command::new("cat").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let process = Process { pid: child.id(), started: started(child.id()).unwrap() };
        assert!(is_alive(process));
        drop(child.stdin.take());
        let until = Instant::now() + Duration::from_secs(60);
        while is_alive(process) {
            assert!(Instant::now() < until, "it has ended, and still seems to run");
            std::thread::yield_now();
        }
        child.wait().unwrap();
        assert!(!is_alive(process));
    }

    #[test]
    fn a_process_of_another_machine_is_never_taken_for_one_of_this() {
        let gone = Process { pid: 1, started: 7 };
        let known = abroad(gone);
        assert_ne!(known, gone);
        assert_eq!(abroad(known), known);
        assert_eq!(at_home(known, false), Some(gone));
        assert_eq!(known.started >> (TICK_BITS + MACHINE_BITS), 0);
        let other = if machine() == 1 { 2 } else { 1 };
        let foreign = Process { started: other << TICK_BITS | 7, ..gone };
        assert_eq!((at_home(foreign, true), is_alive(foreign)), (Some(foreign), true));
        assert_eq!([at_home(gone, true), at_home(gone, false)], [Some(gone), None]);
        if cfg!(target_os = "linux") {
            assert_eq!([is_alive(known), is_alive(abroad(this()))], [false, true]);
        }
    }
}
