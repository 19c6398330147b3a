//! The screen of a host that a person sits in front of: a terminal of its own, read as text and typed into.

use std::io::Write;
use std::num::NonZeroU16;
use std::process::Command;
use std::sync::mpsc::Receiver;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};
use rustix::process::{Pid, Signal, kill_process};

use crate::process;

use super::stage::until;

/// Size of the screen.
const SIZE: PtySize = PtySize { rows: 50, cols: 110, pixel_width: 0, pixel_height: 0 };
/// Time after which a key is pressed again that a page did not take.
const REPEAT: Duration = Duration::from_secs(3);
/// Question of a program about the place of its cursor, and about the kind of the terminal.
const WHERE: &[u8] = b"\x1b[6n";
const WHAT: &[u8] = b"\x1b[c";

/// A program on a screen. It ends with this value.
pub(super) struct Screen {
    child: Box<dyn Child + Send + Sync>,
    keyboard: Box<dyn Write + Send>,
    _terminal: Box<dyn MasterPty + Send>,
    written: Receiver<Vec<u8>>,
    parser: vt100::Parser,
}

impl Screen {
    /// Starts a program.
    pub(super) fn open(command: &Command) -> anyhow::Result<Self> {
        let pair = native_pty_system().openpty(SIZE)?;
        let mut line = CommandBuilder::new(command.get_program());
        line.args(command.get_args());
        line.env_clear();
        for (name, value) in command.get_envs() {
            line.env(name, value.unwrap_or_default());
        }
        line.env("TERM", "xterm-256color");
        line.cwd(command.get_current_dir().context("a host has a folder")?);
        let child = pair.slave.spawn_command(line)?;
        drop(pair.slave);
        let written = process::output(pair.master.try_clone_reader()?);
        let keyboard = pair.master.take_writer()?;
        let (rows, columns) = (NonZeroU16::try_from(SIZE.rows)?, NonZeroU16::try_from(SIZE.cols)?);
        let parser = vt100::Parser::new(rows, columns, 0);
        Ok(Self { child, keyboard, _terminal: pair.master, written, parser })
    }

    /// The text on the screen.
    fn text(&mut self) -> anyhow::Result<String> {
        while let Ok(bytes) = self.written.try_recv() {
            self.parser.process(&bytes);
            for _ in 0..count(&bytes, WHERE) {
                let (row, column) = self.parser.screen().cursor_position();
                write!(self.keyboard, "\x1b[{};{}R", row + 1, column + 1)?;
            }
            for _ in 0..count(&bytes, WHAT) {
                self.keyboard.write_all(b"\x1b[?62;22c")?;
            }
            self.keyboard.flush()?;
        }
        Ok(self.parser.screen().contents())
    }

    /// Waits until the screen shows a text.
    pub(super) fn wait_for(&mut self, text: &str) -> anyhow::Result<()> {
        self.wait(|shown| shown.contains(text)).with_context(|| format!("the screen does not show `{text}`"))
    }

    /// Waits until the screen shows a text no more.
    pub(super) fn wait_until_gone(&mut self, text: &str) -> anyhow::Result<()> {
        self.wait(|shown| !shown.contains(text)).with_context(|| format!("the screen still shows `{text}`"))
    }

    fn wait(&mut self, is_met: impl Fn(&str) -> bool) -> anyhow::Result<()> {
        let waited = until("change of the screen", || {
            let shown = self.text()?;
            if let Some(status) = self.child.try_wait()? {
                bail!("the host ended with {status:?}: {shown}");
            }
            Ok(is_met(&shown).then_some(()))
        });
        waited.with_context(|| self.parser.screen().contents())
    }

    /// Types.
    pub(super) fn press(&mut self, keys: &str) -> anyhow::Result<()> {
        self.keyboard.write_all(keys.as_bytes())?;
        Ok(self.keyboard.flush()?)
    }

    /// Types until the screen shows a text: a page that was just drawn may not read yet.
    pub(super) fn press_until(&mut self, keys: &str, text: &str) -> anyhow::Result<()> {
        let mut next = Instant::now();
        until("change of the screen", || {
            if self.text()?.contains(text) {
                return Ok(Some(()));
            }
            if Instant::now() >= next {
                self.press(keys)?;
                next = Instant::now() + REPEAT;
            }
            Ok(None)
        })
        .with_context(|| format!("the screen does not show `{text}`"))
    }

    /// Kills the host alone, as the system does when memory is short.
    pub(super) fn kill(&mut self) -> anyhow::Result<()> {
        let id = self.child.process_id().context("the host has ended")?;
        let id = Pid::from_raw(id.cast_signed()).context("a process has a number")?;
        kill_process(id, Signal::KILL)?;
        self.child.wait()?;
        Ok(())
    }
}

/// Number of times that a sequence is in a text.
fn count(bytes: &[u8], sequence: &[u8]) -> usize {
    bytes.windows(sequence.len()).filter(|part| *part == sequence).count()
}

impl Drop for Screen {
    fn drop(&mut self) {
        // One that has ended already needs no end.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
