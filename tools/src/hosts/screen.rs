//! Terminal of a host: a pseudo-terminal whose screen is read as text, and keys that a person would press.

use std::io::{Read, Write};
use std::num::NonZeroU16;
use std::process::Command;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};
use rustix::process::{Pid, Signal, kill_process};

use super::sandbox::poll_until;

/// Size of the terminal.
const SIZE: PtySize = PtySize { rows: 50, cols: 110, pixel_width: 0, pixel_height: 0 };
/// Time after which a key is pressed again if the page has not changed: a page that was just drawn may not read yet.
const RETRY_INTERVAL: Duration = Duration::from_secs(5);

/// Program in a terminal. It is killed when this value is dropped.
pub(super) struct Screen {
    child: Box<dyn Child + Send + Sync>,
    keyboard: Keyboard,
    _terminal: Box<dyn MasterPty + Send>,
    parser: Arc<Mutex<Parser>>,
}

/// Page of a program, with the keys that lead to the next one.
#[derive(Debug, Clone, Copy)]
pub(super) struct Page {
    /// Text that only this page shows.
    pub(super) text: &'static str,
    pub(super) keys: &'static str,
}

type Parser = vt100::Parser<QueryReplies>;
type Keyboard = Arc<Mutex<Box<dyn Write + Send>>>;

impl Screen {
    /// Starts a program.
    ///
    /// # Errors
    /// Fails if there is no terminal for it, or it cannot be started.
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
        let (rows, columns) = (NonZeroU16::try_from(SIZE.rows)?, NonZeroU16::try_from(SIZE.cols)?);
        let parser = Parser::new_with_callbacks(rows, columns, 0, QueryReplies::default());
        let parser = Arc::new(Mutex::new(parser));
        let keyboard = Arc::new(Mutex::new(pair.master.take_writer()?));
        let output = pair.master.try_clone_reader()?;
        let (read, reply) = (Arc::clone(&parser), Arc::clone(&keyboard));
        thread::spawn(move || emulate(output, &read, &reply));
        Ok(Self { child, keyboard, _terminal: pair.master, parser })
    }

    /// Returns the text on the screen.
    pub(super) fn text(&self) -> String {
        lock(&self.parser).screen().contents()
    }

    /// Waits until the screen shows a text.
    pub(super) fn wait_for(&mut self, text: &str) -> anyhow::Result<()> {
        self.poll(|shown| Ok(shown.contains(text)))
            .with_context(|| format!("the screen does not show `{text}`"))
    }

    /// Presses keys.
    pub(super) fn press(&mut self, keys: &str) -> anyhow::Result<()> {
        write_keys(&self.keyboard, keys)
    }

    /// Pastes a text, waits until the screen shows it, and presses Enter. A paste is marked as one, so that no program
    /// takes the Enter after fast typing for a part of the text.
    pub(super) fn submit(&mut self, text: &str) -> anyhow::Result<()> {
        self.press(&format!("\x1b[200~{text}\x1b[201~"))?;
        self.wait_for(text)?;
        self.press("\r")
    }

    /// Presses keys until the screen no longer shows a text.
    pub(super) fn press_until_gone(&mut self, keys: &str, text: &str) -> anyhow::Result<()> {
        let keyboard = Arc::clone(&self.keyboard);
        let mut next = Instant::now();
        self.poll(|shown| {
            if !shown.contains(text) {
                return Ok(true);
            }
            if Instant::now() >= next {
                write_keys(&keyboard, keys)?;
                next = Instant::now() + RETRY_INTERVAL;
            }
            Ok(false)
        })
        .with_context(|| format!("the screen still shows `{text}`"))
    }

    /// Goes through pages, in whatever order they come, until `is_done`. Of several pages on the screen the first in
    /// the list counts.
    pub(super) fn go_through(
        &mut self,
        pages: &[Page],
        is_done: impl Fn(&str) -> bool,
    ) -> anyhow::Result<()> {
        let keyboard = Arc::clone(&self.keyboard);
        let mut last: Option<(&str, Instant)> = None;
        self.poll(|shown| {
            if is_done(shown) {
                return Ok(true);
            }
            let Some(page) = pages.iter().find(|page| shown.contains(page.text)) else { return Ok(false) };
            let is_pressed =
                |(text, pressed): (&str, Instant)| text == page.text && pressed.elapsed() < RETRY_INTERVAL;
            if !last.is_some_and(is_pressed) {
                write_keys(&keyboard, page.keys)?;
                last = Some((page.text, Instant::now()));
            }
            Ok(false)
        })
    }

    /// Looks at the screen until a condition holds.
    ///
    /// # Errors
    /// Fails if the program ends, or after the limit of a scene; the error contains the screen.
    fn poll(&mut self, mut is_met: impl FnMut(&str) -> anyhow::Result<bool>) -> anyhow::Result<()> {
        let polled = poll_until("change of the screen", || {
            let shown = self.text();
            if let Some(status) = self.child.try_wait()? {
                bail!("the host ended with {status:?}");
            }
            Ok(is_met(&shown)?.then_some(()))
        });
        polled.with_context(|| self.text())
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

impl Drop for Screen {
    fn drop(&mut self) {
        // Fails only if the program has ended.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Replies to a program's queries of the terminal, until they are sent.
#[derive(Debug, Default)]
struct QueryReplies(String);

impl vt100::Callbacks for QueryReplies {
    fn unhandled_csi(
        &mut self,
        screen: &mut vt100::Screen,
        prefix: Option<u8>,
        _: Option<u8>,
        parameters: &[&[u16]],
        kind: char,
    ) {
        match (prefix, parameters, kind) {
            // Device status: ready.
            (None, [[5]], 'n') => self.0.push_str("\x1b[0n"),
            // Position of the cursor.
            (None, [[6]], 'n') => {
                let (row, column) = screen.cursor_position();
                self.0.push_str(&format!("\x1b[{};{}R", row + 1, column + 1));
            }
            // Primary device attributes.
            (None, _, 'c') => self.0.push_str("\x1b[?62;22c"),
            _ => {}
        }
    }
}

/// Reads what the program writes until its end, and replies to its queries at once: a program that gets no reply may
/// wait for it before it does anything else.
fn emulate(mut output: Box<dyn Read + Send>, parser: &Mutex<Parser>, keyboard: &Keyboard) {
    let mut chunk = vec![0; 1 << 16];
    while let Ok(count @ 1..) = output.read(&mut chunk) {
        let mut parser = lock(parser);
        parser.process(chunk.get(..count).unwrap_or_default());
        let replies = std::mem::take(&mut parser.callbacks_mut().0);
        drop(parser);
        // A program that has ended reads no replies.
        if !replies.is_empty() && write_keys(keyboard, &replies).is_err() {
            return;
        }
    }
}

fn write_keys(keyboard: &Keyboard, keys: &str) -> anyhow::Result<()> {
    let mut keyboard = lock(keyboard);
    keyboard.write_all(keys.as_bytes())?;
    Ok(keyboard.flush()?)
}

fn lock<T>(value: &Mutex<T>) -> MutexGuard<'_, T> {
    value.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::{Page, Screen};
    use std::process::Command;

    /// A shell in a terminal.
    fn shell(script: &str) -> Screen {
        let mut command = Command::new("/bin/sh");
        command.args(["-c", script]).current_dir("/").env("PATH", "/usr/bin:/bin");
        Screen::open(&command).unwrap()
    }

    #[test]
    fn queries_are_replied_at_once() {
        // The program draws only after the reply; no one looks at the screen meanwhile.
        let mut screen = shell(
            "stty raw -echo; printf '\\033[6'; printf 'n'; head -c 6 >/dev/null; printf 'ready'; sleep 60",
        );
        screen.wait_for("ready").unwrap();
    }

    #[test]
    fn pages_are_passed_in_any_order() {
        let mut screen = shell(
            "page() { read -r key; printf '\\033[2J\\033[H%s' \"$1\"; }
             page 'second page'; page 'first page'; page 'end'; sleep 60",
        );
        screen.press("\r").unwrap();
        let pages = [Page { text: "first page", keys: "\r" }, Page { text: "second page", keys: "\r" }];
        screen.go_through(&pages, |shown| shown.contains("end")).unwrap();
    }
}
