//! Program that runs without a terminal.

pub(crate) mod node_program;
pub(crate) mod program_output;
pub(crate) mod python_program;

use crate::support::program::program_output::{LIMIT, ProgramOutput};
use crate::support::test_world::ProgramCall;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

/// Lock held while a program starts, so that it does not inherit a descriptor that another test is opening.
pub(crate) fn start_lock() -> MutexGuard<'static, ()> {
    static STARTING: Mutex<()> = Mutex::new(());
    STARTING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Kills a process like a crash.
pub(crate) fn kill_9(pid: u32) {
    signal(pid, "KILL");
}

/// Sends a signal to a process.
pub(crate) fn signal(pid: u32, name: &str) {
    let _starting = start_lock();
    let line = ["-c", "kill -s \"$0\" \"$1\"", name, &pid.to_string()].map(str::to_owned);
    let killed = Command::new("/bin/sh").args(line).env_clear().stderr(Stdio::null()).status();
    assert!(killed.is_ok());
}

/// Returns the peak memory of a process, in KiB.
pub(crate) fn peak_memory_kib(pid: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    line.trim().trim_end_matches(" kB").parse().unwrap()
}

/// Exit and output of a program.
#[derive(Debug)]
pub(crate) struct ProgramExit {
    pub(crate) stdout: String,
    pub(crate) stderr: String,
    /// Exit code; -1 after a signal.
    pub(crate) exit: i32,
}

impl ProgramExit {
    /// Removes the two lines that say where the question waits from stderr.
    pub(crate) fn without_wait_lines(mut self) -> Self {
        let is_said = self.stderr.starts_with("The question is waiting at the desk ");
        assert!(is_said && self.stderr.contains("To resume: run the same command"), "{self:?}");
        self.stderr = self.stderr.split_inclusive('\n').skip(2).collect();
        self
    }

    /// Returns the exit code and all output.
    pub(crate) fn parts(&self) -> (i32, &str, &str) {
        (self.exit, self.stdout.as_str(), self.stderr.as_str())
    }
}

/// Running program.
pub(crate) struct TestProgram {
    pub(crate) pid: u32,
    pub(crate) stdout: ProgramOutput,
    pub(crate) stderr: ProgramOutput,
    stdin: Option<ChildStdin>,
    status: Receiver<ExitStatus>,
    has_ended: bool,
}

impl TestProgram {
    pub(crate) fn start(call: &ProgramCall, input: Option<()>) -> Self {
        let mut child = spawn(call, input, Stdio::piped());
        let stdout = ProgramOutput::from_reader(child.stdout.take().unwrap());
        Self::from_child(child, stdout)
    }

    /// Starts it without input. The reading end of its standard output is closed before it begins.
    pub(crate) fn start_with_closed_stdout(call: &ProgramCall) -> Self {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        Self::from_child(spawn(call, None, writer.into()), ProgramOutput::from_reader(std::io::empty()))
    }

    fn from_child(mut child: Child, stdout: ProgramOutput) -> Self {
        let pid = child.id();
        let stderr = ProgramOutput::from_reader(child.stderr.take().unwrap());
        let stdin = child.stdin.take();
        Self { pid, stdout, stderr, stdin, status: wait_status(child), has_ended: false }
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
    pub(crate) fn wait(self) -> ProgramExit {
        self.wait_for(LIMIT)
    }

    /// Waits for its exit for at most this time.
    pub(crate) fn wait_for(mut self, limit: Duration) -> ProgramExit {
        let status = self.status.recv_timeout(limit);
        self.has_ended = status.is_ok();
        let output_of = || format!("{}\n{}", self.stdout.last_part(), self.stderr.last_part());
        let status = status.unwrap_or_else(|_| panic!("it does not end:\n{}", output_of()));
        ProgramExit {
            stdout: String::from_utf8(self.stdout.to_end()).unwrap(),
            stderr: String::from_utf8(self.stderr.to_end()).unwrap(),
            exit: status.code().unwrap_or(-1),
        }
    }

    /// Waits for its exit for at most this time, and returns true if it ended well.
    pub(crate) fn ends_well_within(&mut self, limit: Duration) -> bool {
        let status = self.status.recv_timeout(limit);
        self.has_ended = status.is_ok();
        status.is_ok_and(|status| status.success())
    }

    /// Returns true if it is running.
    pub(crate) fn is_running(&self) -> bool {
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
pub(crate) fn in_own_session(call: &ProgramCall) -> Command {
    const SCRIPT: &str = "import os, sys; os.setsid(); os.execvp(sys.argv[1], sys.argv[1:])";
    static LAUNCHER: LazyLock<(PathBuf, &[&str])> = LazyLock::new(|| match find_program("setsid") {
        Some(setsid) => (setsid, &[]),
        None => (find_program("python3").unwrap(), &["-c", SCRIPT]),
    });
    let (launcher, before) = &*LAUNCHER;
    let mut command = Command::new(launcher);
    command.args(*before).args(&call.line).current_dir(&call.folder);
    command.env_clear().envs(&call.environment);
    command
}

/// Finds a program on the tests' path.
fn find_program(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join(name)).find(|file| file.is_file())
}

fn spawn(call: &ProgramCall, input: Option<()>, stdout: Stdio) -> Child {
    let mut command = in_own_session(call);
    command.stdin(if input.is_some() { Stdio::piped() } else { Stdio::null() });
    command.stdout(stdout).stderr(Stdio::piped());
    let _starting = start_lock();
    command.spawn().unwrap()
}

/// Waits for the exit status of a child.
fn wait_status(mut child: Child) -> Receiver<ExitStatus> {
    let (ended, status) = channel();
    thread::spawn(move || {
        let status = child.wait().unwrap();
        let _ = ended.send(status);
    });
    status
}

impl Drop for TestProgram {
    fn drop(&mut self) {
        if !self.has_ended && self.status.try_recv().is_err() {
            kill_9(self.pid);
        }
    }
}

#[test]
fn program_has_no_controlling_terminal() {
    let world = crate::support::test_world::TestWorld::new();
    let ended = world.sayso(["--version"]).by_shell("(: </dev/tty) && echo terminal").run();
    assert_eq!(ended.stdout, "", "{ended:?}");
}
