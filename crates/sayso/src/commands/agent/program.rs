//! Running programs of agents, each with a keeper.

use super::keeper;
use sayso_core::Problem;
use std::ffi::OsString;
use std::io;
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};

/// Variables that name the desk and its tokens; an agent gets none of them.
const OWN_VARIABLES: [&str; 3] = ["SAYSO_DESK", "SAYSO_TOKEN_FILE", "SAYSO_TOKEN"];

/// Time in which a program ends that has closed its output.
const LAST_TIME: Duration = Duration::from_millis(500);

/// Running keeper of an agent's program.
pub(super) struct AgentProgram(Child);

/// Request to the thread that starts programs.
enum StarterRequest {
    /// Start the program with this lock.
    Start(OsString, mpsc::Sender<io::Result<Child>>),
    /// End, for this reason.
    Stop(Box<Problem>),
}

/// Starter of programs. They get a signal when the thread that started them ends, so one thread starts them all, and ends
/// with this process.
#[derive(Clone)]
pub(super) struct ProgramStarter(mpsc::Sender<StarterRequest>);

impl ProgramStarter {
    /// Creates the starter of a command, and the loop of its thread, which returns why it was stopped.
    pub(super) fn new(command: Vec<OsString>) -> (Self, impl FnOnce() -> Option<Problem>) {
        let (sender, requests) = mpsc::channel();
        let run = move || {
            for request in requests {
                match request {
                    // Whoever waited may have given up.
                    StarterRequest::Start(lock, sender) => drop(sender.send(spawn(&command, &lock))),
                    StarterRequest::Stop(problem) => return Some(*problem),
                }
            }
            None
        };
        (Self(sender), run)
    }

    /// Stops the loop of the thread.
    pub(super) fn stop(&self, problem: Problem) {
        // It may have stopped.
        let _ = self.0.send(StarterRequest::Stop(Box::new(problem)));
    }

    /// Starts the program. It waits until the one before it, with the same lock, has ended.
    ///
    /// # Errors
    /// Fails if the system cannot start it.
    pub(super) fn start(&self, lock: &Path) -> io::Result<(AgentProgram, ChildStdin, ChildStdout)> {
        let (sender, receiver) = mpsc::channel();
        let request = StarterRequest::Start(lock.as_os_str().to_owned(), sender);
        // The thread has ended if it takes or answers no request.
        if self.0.send(request).is_err() {
            return Err(io::ErrorKind::BrokenPipe.into());
        }
        let Ok(child) = receiver.recv() else { return Err(io::ErrorKind::BrokenPipe.into()) };
        let mut child = child?;
        match (child.stdin.take(), child.stdout.take()) {
            (Some(input), Some(output)) => Ok((AgentProgram(child), input, output)),
            _ => Err(io::ErrorKind::BrokenPipe.into()),
        }
    }
}

fn spawn(command: &[OsString], lock: &OsString) -> io::Result<Child> {
    let mut keeper = if cfg!(unix) {
        let mut keeper = Command::new(std::env::current_exe()?);
        keeper.arg(keeper::NAME).arg(std::process::id().to_string()).arg(lock).args(command);
        keeper
    } else {
        let (program, args) = command.split_first().ok_or(io::ErrorKind::NotFound)?;
        let mut program = Command::new(program);
        program.args(args);
        program
    };
    for name in OWN_VARIABLES {
        keeper.env_remove(name);
    }
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut keeper, 0);
    keeper.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()
}

impl AgentProgram {
    /// Waits for a program that has closed its output, and ends it if it stays; returns its status.
    pub(super) fn end_soon(&mut self) -> Option<ExitStatus> {
        let until = Instant::now() + LAST_TIME;
        while Instant::now() < until {
            if let Ok(Some(status)) = self.0.try_wait() {
                return Some(status);
            }
            #[expect(
                clippy::disallowed_methods,
                reason = "the standard library waits for a process without a limit"
            )]
            std::thread::sleep(LAST_TIME / 50);
        }
        self.end()
    }

    /// Ends the program with all that it started.
    pub(super) fn end(&mut self) -> Option<ExitStatus> {
        #[cfg(unix)]
        if let Some(id) = i32::try_from(self.0.id()).ok().and_then(rustix::process::Pid::from_raw)
            && !matches!(self.0.try_wait(), Ok(Some(_)))
        {
            // It may have ended meanwhile.
            let _ = rustix::process::kill_process(id, rustix::process::Signal::TERM);
        }
        #[cfg(not(unix))]
        let _ = self.0.kill();
        self.0.wait().ok()
    }

    /// Returns whether the program runs.
    pub(super) fn is_running(&mut self) -> bool {
        matches!(self.0.try_wait(), Ok(None))
    }
}
