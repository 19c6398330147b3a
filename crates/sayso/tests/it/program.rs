//! Program that runs without a terminal.

use crate::output::{LIMIT, Output};
use crate::world::Call;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

/// Lock held while a program starts, so that it does not inherit a descriptor that another test is opening.
pub(crate) fn starting() -> MutexGuard<'static, ()> {
    static STARTING: Mutex<()> = Mutex::new(());
    STARTING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Kills a process like a crash.
pub(crate) fn kill_9(pid: u32) {
    signal(pid, "KILL");
}

/// Sends a signal to a process.
pub(crate) fn signal(pid: u32, name: &str) {
    let _starting = starting();
    let line = ["-c", "kill -s \"$0\" \"$1\"", name, &pid.to_string()].map(str::to_owned);
    let killed = Command::new("/bin/sh").args(line).env_clear().stderr(Stdio::null()).status();
    assert!(killed.is_ok());
}

/// Returns the peak memory of a process, in KiB.
pub(crate) fn most_memory(pid: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    line.trim().trim_end_matches(" kB").parse().unwrap()
}

/// Exit and output of a program.
#[derive(Debug)]
pub(crate) struct Ended {
    pub(crate) stdout: String,
    pub(crate) stderr: String,
    /// Exit code; -1 after a signal.
    pub(crate) exit: i32,
}

impl Ended {
    /// Removes the two lines that say where the question waits from stderr.
    pub(crate) fn after_waiting(mut self) -> Self {
        let is_said = self.stderr.starts_with("The question waits at the desk ");
        assert!(is_said && self.stderr.contains("To go on: the same command"), "{self:?}");
        self.stderr = self.stderr.split_inclusive('\n').skip(2).collect();
        self
    }

    /// Returns the exit code and all output.
    pub(crate) fn parts(&self) -> (i32, &str, &str) {
        (self.exit, self.stdout.as_str(), self.stderr.as_str())
    }
}

/// Running program.
pub(crate) struct Program {
    pub(crate) pid: u32,
    pub(crate) stdout: Output,
    pub(crate) stderr: Output,
    stdin: Option<ChildStdin>,
    status: Receiver<ExitStatus>,
    has_ended: bool,
}

impl Program {
    pub(crate) fn start(call: &Call, input: Option<()>) -> Self {
        let mut child = spawn(call, input, Stdio::piped());
        let stdout = Output::of(child.stdout.take().unwrap());
        Self::of(child, stdout)
    }

    /// Starts it without input. The reading end of its standard output is closed before it begins.
    pub(crate) fn start_with_nobody_reading(call: &Call) -> Self {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        Self::of(spawn(call, None, writer.into()), Output::of(std::io::empty()))
    }

    fn of(mut child: Child, stdout: Output) -> Self {
        let pid = child.id();
        let stderr = Output::of(child.stderr.take().unwrap());
        let stdin = child.stdin.take();
        Self { pid, stdout, stderr, stdin, status: awaited(child), has_ended: false }
    }

    /// Writes to its standard input. A program may stop reading early.
    pub(crate) fn write(&mut self, bytes: &[u8]) {
        if let Some(stdin) = &mut self.stdin {
            let _ = stdin.write_all(bytes).and_then(|()| stdin.flush());
        }
    }

    /// Closes its standard input.
    pub(crate) fn end_input(&mut self) {
        self.stdin = None;
    }

    /// Waits for its exit.
    pub(crate) fn wait(self) -> Ended {
        self.wait_for(LIMIT)
    }

    /// Waits for its exit for at most this time.
    pub(crate) fn wait_for(mut self, limit: Duration) -> Ended {
        let status = self.status.recv_timeout(limit);
        self.has_ended = status.is_ok();
        let said = || format!("{}\n{}", self.stdout.so_far(), self.stderr.so_far());
        let status = status.unwrap_or_else(|_| panic!("it does not end:\n{}", said()));
        Ended {
            stdout: String::from_utf8(self.stdout.to_end()).unwrap(),
            stderr: String::from_utf8(self.stderr.to_end()).unwrap(),
            exit: status.code().unwrap_or(-1),
        }
    }

    /// Returns true if it is running.
    pub(crate) fn runs(&self) -> bool {
        !self.has_ended && matches!(self.status.try_recv(), Err(std::sync::mpsc::TryRecvError::Empty))
    }

    /// Kills it like a crash, and returns true if it was still running.
    pub(crate) fn kill_9(mut self) -> bool {
        kill_9(self.pid);
        let status = self.status.recv_timeout(LIMIT);
        self.has_ended = !matches!(status, Err(RecvTimeoutError::Timeout));
        assert!(self.has_ended);
        status.is_ok_and(|status| status.code().is_none())
    }
}

/// Returns a command that runs a call without a controlling terminal, even if the tests have one.
///
/// `CommandExt::setsid` replaces the helper program once it is stable:
/// <https://github.com/rust-lang/rust/issues/105376>. The process keeps its id.
pub(crate) fn in_own_session(call: &Call) -> Command {
    const SCRIPT: &str = "import os, sys; os.setsid(); os.execvp(sys.argv[1], sys.argv[1:])";
    static LAUNCHER: LazyLock<(PathBuf, &[&str])> = LazyLock::new(|| match found("setsid") {
        Some(setsid) => (setsid, &[]),
        None => (found("python3").unwrap(), &["-c", SCRIPT]),
    });
    let (launcher, before) = &*LAUNCHER;
    let mut command = Command::new(launcher);
    command.args(*before).args(&call.line).current_dir(&call.folder);
    command.env_clear().envs(&call.environment);
    command
}

/// Finds a program on the tests' path.
fn found(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join(name)).find(|file| file.is_file())
}

fn spawn(call: &Call, input: Option<()>, stdout: Stdio) -> Child {
    let mut command = in_own_session(call);
    command.stdin(if input.is_some() { Stdio::piped() } else { Stdio::null() });
    command.stdout(stdout).stderr(Stdio::piped());
    let _starting = starting();
    command.spawn().unwrap()
}

/// Waits for the exit status of a child.
fn awaited(mut child: Child) -> Receiver<ExitStatus> {
    let (ended, status) = channel();
    thread::spawn(move || {
        let status = child.wait().unwrap();
        let _ = ended.send(status);
    });
    status
}

impl Drop for Program {
    fn drop(&mut self) {
        if !self.has_ended && self.status.try_recv().is_err() {
            kill_9(self.pid);
        }
    }
}

#[test]
fn program_has_no_controlling_terminal() {
    let world = crate::world::World::new();
    let ended = world.sayso(["--version"]).by_shell("(: </dev/tty) && echo terminal").run();
    assert_eq!(ended.stdout, "", "{ended:?}");
}
