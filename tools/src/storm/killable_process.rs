//! A process that is killed with -9 at a random moment, and its output until then.

use std::os::unix::process::ExitStatusExt as _;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use anyhow::Context;
use portable_pty::{CommandBuilder, PtySize, native_pty_system};
use rustix::process::{Pid, Signal, kill_process};

use crate::launch;

/// The process, without or with a terminal.
enum Body {
    Plain(Child),
    Terminal {
        child: Box<dyn portable_pty::Child + Send + Sync>,
        _screen: Box<dyn portable_pty::MasterPty + Send>,
    },
}

/// A process and the moment at which it is killed.
pub(super) struct KillableProcess {
    body: Body,
    output: Receiver<Vec<u8>>,
    read: Vec<u8>,
    begun: Instant,
    dies_at: Instant,
    was_killed: bool,
    is_over: bool,
}

/// Exit code and whole output of a process.
#[derive(Debug)]
pub(super) struct ExitReport {
    pub(super) output: String,
    /// The exit code, if it ended by itself.
    pub(super) exit: Option<i32>,
    /// Its lifetime.
    pub(super) lived: Duration,
}

/// Streams that are read.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Reads {
    Stdout,
    Both,
}

/// Locks the start of a process, so that it does not inherit the terminal that another one opens.
fn starting() -> MutexGuard<'static, ()> {
    static STARTING: Mutex<()> = Mutex::new(());
    STARTING.lock().unwrap_or_else(PoisonError::into_inner)
}

impl KillableProcess {
    /// Starts a process without a terminal.
    pub(super) fn start(command: &mut Command, reads: Reads, life: Duration) -> anyhow::Result<Self> {
        let (reader, writer) = std::io::pipe()?;
        match reads {
            Reads::Stdout => command.stderr(Stdio::null()),
            Reads::Both => command.stderr(writer.try_clone()?),
        };
        command.stdout(writer);
        let child = {
            let _starting = starting();
            command.spawn().context("cannot start `sayso`")?
        };
        // The command holds writing ends of the pipe, which would keep it open.
        command.stdout(Stdio::null()).stderr(Stdio::null());
        Ok(Self::of(Body::Plain(child), launch::output(reader), life))
    }

    /// Starts a process on a terminal, and returns the keyboard.
    pub(super) fn start_on_terminal(
        command: CommandBuilder,
        life: Duration,
    ) -> anyhow::Result<(Self, Box<dyn std::io::Write + Send>)> {
        let size = PtySize { rows: 24, cols: 80, ..PtySize::default() };
        let (screen, child) = {
            let _starting = starting();
            let pair = native_pty_system().openpty(size)?;
            let child = pair.slave.spawn_command(command)?;
            (pair.master, child)
        };
        let output = launch::output(screen.try_clone_reader()?);
        let keyboard = screen.take_writer()?;
        Ok((Self::of(Body::Terminal { child, _screen: screen }, output, life), keyboard))
    }

    fn of(body: Body, output: Receiver<Vec<u8>>, life: Duration) -> Self {
        let begun = Instant::now();
        let dies_at = begun + life;
        Self { body, output, read: Vec::new(), begun, dies_at, was_killed: false, is_over: false }
    }

    /// Returns its standard input, once.
    pub(super) fn input(&mut self) -> Option<std::process::ChildStdin> {
        match &mut self.body {
            Body::Plain(child) => child.stdin.take(),
            Body::Terminal { .. } => None,
        }
    }

    /// Returns its output so far.
    pub(super) fn output(&self) -> &[u8] {
        &self.read
    }

    /// Reads until the output is enough; returns false if the process ends or is killed before.
    pub(super) fn read_until(&mut self, mut is_enough: impl FnMut(&[u8]) -> bool) -> bool {
        loop {
            if is_enough(&self.read) {
                return true;
            }
            if self.is_over {
                return false;
            }
            let left = self.dies_at.saturating_duration_since(Instant::now());
            match self.output.recv_timeout(left) {
                Ok(bytes) => self.read.extend(bytes),
                Err(RecvTimeoutError::Timeout) => self.kill(),
                Err(RecvTimeoutError::Disconnected) => self.is_over = true,
            }
        }
    }

    /// Reads for this time; returns true if the process has ended or was killed.
    pub(super) fn read_for(&mut self, time: Duration) -> bool {
        let left = self.dies_at.saturating_duration_since(Instant::now());
        match self.output.recv_timeout(left.min(time)) {
            Ok(bytes) => self.read.extend(bytes),
            Err(RecvTimeoutError::Disconnected) => self.is_over = true,
            Err(RecvTimeoutError::Timeout) if left <= time => self.kill(),
            Err(RecvTimeoutError::Timeout) => {}
        }
        self.is_over
    }

    /// Kills it now, and reads the rest of its output.
    fn kill(&mut self) {
        let pid = match &self.body {
            Body::Plain(child) => Some(child.id()),
            Body::Terminal { child, .. } => child.process_id(),
        };
        // No one has waited for it yet, so the number is still its own.
        let pid = pid.and_then(|pid| Pid::from_raw(i32::try_from(pid).ok()?));
        let _ = pid.map(|pid| kill_process(pid, Signal::KILL));
        self.was_killed = true;
        while let Ok(bytes) = self.output.recv() {
            self.read.extend(bytes);
        }
        self.is_over = true;
    }

    /// Waits for its end; at its moment it is killed.
    pub(super) fn wait_for_exit(mut self) -> anyhow::Result<ExitReport> {
        self.read_until(|_| false);
        let exit = match &mut self.body {
            Body::Plain(child) => {
                let status = child.wait()?;
                status.code().filter(|_| status.signal().is_none())
            }
            Body::Terminal { child, .. } => {
                let status = child.wait()?;
                let code = i32::try_from(status.exit_code()).unwrap_or(i32::MAX);
                // It may have ended just before it was killed.
                (!self.was_killed || status.signal().is_none()).then_some(code)
            }
        };
        Ok(ExitReport {
            output: String::from_utf8_lossy(&self.read).into_owned(),
            exit,
            lived: self.begun.elapsed(),
        })
    }

    /// Kills it before its moment, and waits for its end.
    pub(super) fn kill_and_wait(mut self) -> anyhow::Result<ExitReport> {
        self.dies_at = Instant::now();
        self.wait_for_exit()
    }
}
