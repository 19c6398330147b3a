//! A program on a terminal of its own.

use anyhow::{Context as _, bail};
use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};
use std::io::{Read as _, Write};
use std::path::Path;
use std::process::Command;
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

/// Sequence that ends a frame of the full screen.
pub(crate) const END_FRAME: &[u8] = b"\x1b[?2026l";
/// The role that becomes a program, and what it says when it can.
pub(crate) const BECOME: &str = "become";
const READY: &str = "ready to become it";
/// Query for the position of the cursor, and the reply of a terminal whose cursor is at the top.
const WHERE: (&[u8], &[u8]) = (b"\x1b[6n", b"\x1b[1;1R");
const LIMIT: Duration = Duration::from_secs(20);

/// The program on a terminal that notes what it gets.
pub(crate) struct Shown {
    keyboard: Box<dyn Write + Send>,
    written: Receiver<Vec<u8>>,
    /// Output since the last look.
    raw: Vec<u8>,
    child: Box<dyn Child + Send + Sync>,
    _master: Box<dyn MasterPty + Send>,
}

/// A command as it is told to a terminal: with no other environment than a person's terminal has.
pub(crate) fn command(program: &Path, home: &Path) -> CommandBuilder {
    let mut command = CommandBuilder::new(program);
    command.env_clear();
    command.env("HOME", home);
    command.env("USER", "ana");
    command.env("TERM", "xterm-256color");
    command.env("LANG", "C.UTF-8");
    command.env("SAYSO_THEME", "dark");
    command.env("SAYSO_DESK", format!("sqlite:{}", home.join("desk.db").display()));
    command.cwd(home);
    command
}

/// The program of a peer, as it is told to a terminal.
pub(crate) fn command_of(peer: &Command, home: &Path) -> CommandBuilder {
    let mut command = command(Path::new(peer.get_program()), home);
    command.args(peer.get_args());
    if let Some(path) = std::env::var_os("PATH") {
        command.env("PATH", path);
    }
    if let Some(folder) = peer.get_current_dir() {
        command.cwd(folder);
    }
    command
}

impl Shown {
    /// A terminal, and on it a process that becomes the program at [`go`](Self::go): opening a terminal is no part of
    /// what it takes a program to start, nor is parting from a process as large as this one.
    pub(crate) fn ready(program: &CommandBuilder) -> anyhow::Result<Self> {
        let mut command = program.clone();
        let argv = command.get_argv_mut();
        let words = [std::env::current_exe()?.into_os_string(), "peer".into(), BECOME.into()];
        argv.splice(0..0, words);
        let pair = native_pty_system().openpty(PtySize { rows: 40, cols: 120, ..PtySize::default() })?;
        let mut reader = pair.master.try_clone_reader()?;
        let keyboard = pair.master.take_writer()?;
        let (sender, written) = channel();
        thread::spawn(move || {
            let mut chunk = vec![0; 1 << 16];
            while let Ok(count @ 1..) = reader.read(&mut chunk) {
                if sender.send(chunk.get(..count).unwrap_or_default().to_vec()).is_err() {
                    return;
                }
            }
        });
        let child = pair.slave.spawn_command(command)?;
        let mut shown = Self { keyboard, written, raw: Vec::new(), child, _master: pair.master };
        shown.painted(READY.as_bytes(), b"\n")?;
        Ok(shown)
    }

    /// The program starts.
    pub(crate) fn go(&mut self) -> anyhow::Result<()> {
        self.key(b"\r")
    }

    /// Waits for these bytes and, behind them, for those that end the picture.
    pub(crate) fn painted(&mut self, words: &[u8], end: &[u8]) -> anyhow::Result<()> {
        let is_painted = |raw: &[u8]| {
            let behind = place(raw, words).and_then(|at| raw.get(at..));
            behind.is_some_and(|behind| place(behind, end).is_some())
        };
        while !is_painted(&self.raw) {
            let Ok(bytes) = self.written.recv_timeout(LIMIT) else {
                let raw = String::from_utf8_lossy(&self.raw);
                bail!("nothing shows {:?}, only {raw:?}", String::from_utf8_lossy(words))
            };
            if place(&bytes, WHERE.0).is_some() {
                self.key(WHERE.1)?;
            }
            self.raw.extend(bytes);
        }
        self.raw.clear();
        Ok(())
    }

    fn key(&mut self, bytes: &[u8]) -> anyhow::Result<()> {
        self.keyboard.write_all(bytes)?;
        Ok(self.keyboard.flush()?)
    }

    pub(crate) fn end(mut self) -> anyhow::Result<()> {
        self.child.kill()?;
        self.child.wait()?;
        Ok(())
    }
}

/// Becomes a program once a line was typed.
pub(crate) fn become_program(words: &[&str]) -> anyhow::Result<()> {
    let (program, args) = words.split_first().context("no program")?;
    println!("{READY}");
    std::io::stdin().read_line(&mut String::new())?;
    let mut command = Command::new(program);
    command.args(args);
    #[cfg(unix)]
    return Err(std::os::unix::process::CommandExt::exec(&mut command).into());
    #[cfg(not(unix))]
    Ok(command.status().map(drop)?)
}

/// Returns the position at which these bytes begin.
fn place(raw: &[u8], wanted: &[u8]) -> Option<usize> {
    if wanted.is_empty() {
        return Some(0);
    }
    raw.windows(wanted.len()).position(|window| window == wanted)
}
