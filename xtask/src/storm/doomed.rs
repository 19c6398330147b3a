//! A process that is killed with -9 when its moment comes, and what it said until then.

use std::os::unix::process::ExitStatusExt as _;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use anyhow::Context;
use portable_pty::{CommandBuilder, PtySize, native_pty_system};
use rustix::process::{Pid, Signal, kill_process};

use crate::process;

/// Command that runs it.
enum Body {
    Plain(Child),
    Terminal {
        child: Box<dyn portable_pty::Child + Send + Sync>,
        _screen: Box<dyn portable_pty::MasterPty + Send>,
    },
}

/// A process with a moment at which it dies.
pub(super) struct Doomed {
    body: Body,
    output: Receiver<Vec<u8>>,
    said: Vec<u8>,
    begun: Instant,
    dies_at: Instant,
    was_killed: bool,
    is_over: bool,
}

/// Its end and its whole output.
#[derive(Debug)]
pub(super) struct Ended {
    pub(super) said: String,
    /// The exit code, where it ended by itself.
    pub(super) exit: Option<i32>,
    /// Its lifetime.
    pub(super) lived: Duration,
}

/// Outputs that are read.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Reads {
    Stdout,
    Both,
}

/// Held while a process starts, so that it does not inherit the terminal that another one is just given.
fn starting() -> MutexGuard<'static, ()> {
    static STARTING: Mutex<()> = Mutex::new(());
    STARTING.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Doomed {
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
        Ok(Self::of(Body::Plain(child), process::output(reader), life))
    }

    /// Starts a process on a terminal, and gives the keyboard.
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
        let output = process::output(screen.try_clone_reader()?);
        let keyboard = screen.take_writer()?;
        Ok((Self::of(Body::Terminal { child, _screen: screen }, output, life), keyboard))
    }

    fn of(body: Body, output: Receiver<Vec<u8>>, life: Duration) -> Self {
        let begun = Instant::now();
        let dies_at = begun + life;
        Self { body, output, said: Vec::new(), begun, dies_at, was_killed: false, is_over: false }
    }

    /// Returns its standard input, once.
    pub(super) fn input(&mut self) -> Option<std::process::ChildStdin> {
        match &mut self.body {
            Body::Plain(child) => child.stdin.take(),
            Body::Terminal { .. } => None,
        }
    }

    /// Everything that it has said.
    pub(super) fn said(&self) -> &[u8] {
        &self.said
    }

    /// Reads on until what was said is enough; `false` when it ends before, of itself or because its moment has come.
    pub(super) fn says(&mut self, mut is_enough: impl FnMut(&[u8]) -> bool) -> bool {
        loop {
            if is_enough(&self.said) {
                return true;
            }
            if self.is_over {
                return false;
            }
            let left = self.dies_at.saturating_duration_since(Instant::now());
            match self.output.recv_timeout(left) {
                Ok(bytes) => self.said.extend(bytes),
                Err(RecvTimeoutError::Timeout) => self.kill(),
                Err(RecvTimeoutError::Disconnected) => self.is_over = true,
            }
        }
    }

    /// Reads on for so long; `true` when it has ended by then, of itself or because its moment has come.
    pub(super) fn ends_within(&mut self, time: Duration) -> bool {
        let left = self.dies_at.saturating_duration_since(Instant::now());
        match self.output.recv_timeout(left.min(time)) {
            Ok(bytes) => self.said.extend(bytes),
            Err(RecvTimeoutError::Disconnected) => self.is_over = true,
            Err(RecvTimeoutError::Timeout) if left <= time => self.kill(),
            Err(RecvTimeoutError::Timeout) => {}
        }
        self.is_over
    }

    /// Kills it now. What it said before still comes.
    fn kill(&mut self) {
        let pid = match &self.body {
            Body::Plain(child) => Some(child.id()),
            Body::Terminal { child, .. } => child.process_id(),
        };
        // Nobody has waited for it yet, so the number is still its own.
        let pid = pid.and_then(|pid| Pid::from_raw(i32::try_from(pid).ok()?));
        let _ = pid.map(|pid| kill_process(pid, Signal::KILL));
        self.was_killed = true;
        while let Ok(bytes) = self.output.recv() {
            self.said.extend(bytes);
        }
        self.is_over = true;
    }

    /// Waits for its end, which comes at its moment at the latest.
    pub(super) fn end(mut self) -> anyhow::Result<Ended> {
        self.says(|_| false);
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
        Ok(Ended {
            said: String::from_utf8_lossy(&self.said).into_owned(),
            exit,
            lived: self.begun.elapsed(),
        })
    }

    /// Kills it before its moment.
    pub(super) fn end_now(mut self) -> anyhow::Result<Ended> {
        self.dies_at = Instant::now();
        self.end()
    }
}
