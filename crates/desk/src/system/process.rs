//! Asking processes: identity, liveness and program name.

use sayso_core::Digest;
use sayso_core::model::actor::ProcessId;
use std::sync::OnceLock;

/// Bits of a start time in ticks. The bits above them identify another machine: at a desk on the network, a number
/// means nothing without its machine.
const TICK_BITS: u32 = 37;
/// Bits of a machine id, so that the whole number fits any JSON reader.
const MACHINE_BITS: u32 = 15;

/// Returns this process.
pub fn current_process() -> ProcessId {
    let pid = std::process::id();
    ProcessId { pid, started: start_ticks(pid).unwrap_or(0) }
}

/// Returns the process that started this one, past shells and launchers; `None` if the system cannot tell.
pub fn parent_process() -> Option<ProcessId> {
    let mut pid = std::process::id();
    for _ in 0..MAX_ANCESTORS {
        pid = parent_pid(pid)?;
        if pid <= 1 {
            return None;
        }
        let arguments = read_arguments(pid)?;
        if !LAUNCHERS.contains(&program_name(arguments.first()?)) {
            return Some(ProcessId { pid, started: start_ticks(pid)? });
        }
    }
    None
}

/// Returns whether a process runs. True if the system cannot tell, or if it is another machine's.
pub fn is_alive(process: ProcessId) -> bool {
    match strip_local_machine(process) {
        Some(ProcessId { pid, started: at }) if cfg!(target_os = "linux") => start_ticks(pid) == Some(at),
        _ => true,
    }
}

/// Returns whether a process certainly runs: it is of this machine, and the system can tell.
pub(crate) fn is_known_alive(process: ProcessId) -> bool {
    cfg!(target_os = "linux") && strip_local_machine(process).is_some_and(is_alive)
}

/// Returns whether a process is of this machine, so that its end can be seen.
pub(crate) fn is_of_this_machine(process: ProcessId) -> bool {
    strip_local_machine(process).is_some()
}

/// Returns a process of this machine with its machine id, for other machines.
pub(crate) fn with_machine_id(process: ProcessId) -> ProcessId {
    if machine_of(process) != 0 {
        return process;
    }
    ProcessId { started: process.started | machine_id() << TICK_BITS, ..process }
}

/// Returns a process without the id of this machine. One without a machine id is of the desk's machine, and is
/// dropped unless that is this one too.
pub(crate) fn to_local_process(process: ProcessId, is_desk_here: bool) -> Option<ProcessId> {
    if machine_of(process) == 0 && !is_desk_here {
        return None;
    }
    Some(strip_local_machine(process).unwrap_or(process))
}

/// Returns the process without its machine id, if that is this machine's.
fn strip_local_machine(process: ProcessId) -> Option<ProcessId> {
    if machine_of(process) != 0 && machine_of(process) != machine_id() {
        return None;
    }
    Some(ProcessId { started: process.started & ((1 << TICK_BITS) - 1), ..process })
}

/// Returns the machine id of a process, or 0.
const fn machine_of(process: ProcessId) -> u64 {
    process.started >> TICK_BITS
}

/// Returns the id of this machine, never 0. Each container counts as a machine, because it numbers its processes
/// itself.
fn machine_id() -> u64 {
    static MACHINE: OnceLock<u64> = OnceLock::new();
    *MACHINE.get_or_init(compute_machine_id)
}

fn compute_machine_id() -> u64 {
    let machine = std::fs::read_to_string("/etc/machine-id").unwrap_or_default();
    let host = std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    let space = std::fs::read_link("/proc/self/ns/pid").unwrap_or_default();
    let digest = Digest::compute(format!("{:?}", (machine, host, space)).as_bytes());
    let mut number = 0;
    for byte in digest.as_bytes().iter().take(2) {
        number = (number << 8) | u64::from(*byte);
    }
    (number & ((1 << MACHINE_BITS) - 1)).max(1)
}

/// Shells, and programs that only start others.
const LAUNCHERS: [&str; 18] = [
    "sh", "bash", "dash", "zsh", "fish", "ksh", "ash", "busybox", "sudo", "env", "timeout", "nice", "nohup",
    "xargs", "setsid", "stdbuf", "time", "script",
];
/// Prefixes of the names of programs that run a script.
const INTERPRETERS: [&str; 7] = ["python", "node", "ruby", "perl", "deno", "bun", "php"];
/// Programs that start a person's shell.
const SESSION_STARTERS: [&str; 12] = [
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
/// Largest number of ancestors that are examined.
const MAX_ANCESTORS: usize = 16;

/// Returns the name of the program that started this one, past shells and launchers; a script's name precedes its
/// interpreter's. This is a guess: any process can call itself anything.
pub fn parent_program() -> Option<String> {
    let mut pid = std::process::id();
    let mut shell = None;
    for _ in 0..MAX_ANCESTORS {
        pid = parent_pid(pid)?;
        if pid <= 1 {
            break;
        }
        let arguments = read_arguments(pid)?;
        let (program, arguments) = arguments.split_first()?;
        let name = program_name(program);
        if starts_with_any(name, &SESSION_STARTERS) {
            break;
        }
        let is_launcher = LAUNCHERS.contains(&name);
        if !is_launcher && !starts_with_any(name, &INTERPRETERS) {
            return Some(name.to_owned());
        }
        let is_shell = is_launcher && name.ends_with("sh");
        if (is_shell || !is_launcher)
            && let Some(script) = script_of(arguments, is_shell)
        {
            return Some(file_name(script).to_owned());
        }
        if !is_launcher {
            return Some(name.to_owned());
        }
        // Without another program above it, it is the innermost shell that asks.
        shell.get_or_insert_with(|| name.to_owned());
    }
    shell
}

/// Reads the command line of a process: its program and the arguments.
fn read_arguments(pid: u32) -> Option<Vec<String>> {
    let line = std::fs::read(format!("/proc/{pid}/cmdline")).ok()?;
    Some(line.split(|byte| *byte == 0).map(|part| String::from_utf8_lossy(part).into_owned()).collect())
}

/// Returns the name of a program. A login shell has a minus before it.
fn program_name(program: &str) -> &str {
    file_name(program.trim_start_matches('-'))
}

fn starts_with_any(name: &str, prefixes: &[&str]) -> bool {
    prefixes.iter().any(|prefix| name.starts_with(prefix))
}

/// Returns the script among the arguments of a shell or another interpreter: the first that is no option. `-c` and its
/// like take a command instead.
fn script_of(arguments: &[String], is_shell: bool) -> Option<&str> {
    for argument in arguments {
        if argument.is_empty() {
            continue;
        }
        let Some(option) = argument.strip_prefix('-') else {
            // A descriptor, as for `bash <(curl …)`, has no name.
            let is_descriptor = argument.starts_with("/dev/") || argument.starts_with("/proc/");
            return if is_descriptor { None } else { Some(argument) };
        };
        let takes_command = if is_shell {
            !option.starts_with('-') && option.contains(['c', 's'])
        } else {
            matches!(option, "c" | "m" | "e" | "-eval" | "p" | "-print")
        };
        if takes_command {
            return None;
        }
    }
    None
}

/// Returns the last component of a path.
fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// Reads the parent process: the 4th field of its `stat`, counted after the name.
fn parent_pid(pid: u32) -> Option<u32> {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    stat.rsplit_once(')')?.1.split_whitespace().nth(1)?.parse().ok()
}

/// Reads the start time of a running process in clock ticks since boot: the 22nd field of its `stat`, counted after
/// the name, which may contain anything. A zombie keeps its entry until its parent reaps it, and in a container that
/// may never happen.
fn start_ticks(pid: u32) -> Option<u64> {
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
    fn script_follows_the_options() {
        for (is_shell, line, script) in [
            (true, "deploy.sh now", Some("deploy.sh")),
            (true, "-e ./deploy.sh", Some("./deploy.sh")),
            (true, "--norc -x deploy.sh", Some("deploy.sh")),
            (true, "-c deploy.sh", None),
            (true, "-lc deploy.sh", None),
            (true, "-i", None),
            (true, "-e /dev/fd/63", None),
            (true, "", None),
            (false, "-u ask.py", Some("ask.py")),
            (false, "-m ask", None),
            (false, "-e code", None),
        ] {
            let arguments: Vec<_> = line.split(' ').map(str::to_owned).collect();
            assert_eq!(script_of(&arguments, is_shell), script, "{line}");
        }
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn only_running_process_is_alive() {
        assert!(is_alive(current_process()));
        assert!(!is_alive(ProcessId { started: 1, ..current_process() }));
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn zombie_process_is_not_alive() {
        let mut child = Command::new("cat").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let process = ProcessId { pid: child.id(), started: start_ticks(child.id()).unwrap() };
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
    fn process_ids_of_machines_differ() {
        let gone = ProcessId { pid: 1, started: 7 };
        let known = with_machine_id(gone);
        assert_ne!(known, gone);
        assert_eq!(with_machine_id(known), known);
        assert_eq!(to_local_process(known, false), Some(gone));
        assert_eq!(known.started >> (TICK_BITS + MACHINE_BITS), 0);
        let other = if machine_id() == 1 { 2 } else { 1 };
        let foreign = ProcessId { started: other << TICK_BITS | 7, ..gone };
        assert_eq!((to_local_process(foreign, true), is_alive(foreign)), (Some(foreign), true));
        assert_eq!([to_local_process(gone, true), to_local_process(gone, false)], [Some(gone), None]);
        if cfg!(target_os = "linux") {
            assert_eq!([is_alive(known), is_alive(with_machine_id(current_process()))], [false, true]);
        }
    }
}
