//! Program on a pseudo-terminal whose screen an emulator draws. It sends no input by itself.

mod escape_sequences;

use crate::support::emulated_terminal::escape_sequences::foreign_sequences;
use crate::support::program::program_output::LIMIT;
use crate::support::program::{kill_9, signal, start_lock};
use crate::support::test_world::ProgramCall;
use portable_pty::{CommandBuilder, ExitStatus, MasterPty, PtySize, native_pty_system};
use std::io::{Read, Write};
use std::num::NonZeroU16;
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};
use vt100::{Cell, Parser, Screen};

const BEGIN_FRAME: &[u8] = b"\x1b[?2026h";
const END_FRAME: &[u8] = b"\x1b[?2026l";

/// Bytes sent to the terminal, and the resulting screen.
struct ScreenState {
    parser: Parser,
    raw: Vec<u8>,
    /// True between the beginning and the end of a frame.
    is_drawing: bool,
    has_ended: bool,
}

impl ScreenState {
    fn process_bytes(&mut self, bytes: &[u8]) {
        let before = self.raw.len().saturating_sub(END_FRAME.len() - 1);
        self.raw.extend_from_slice(bytes);
        self.parser.process(bytes);
        let new = &self.raw[before..];
        let last = |mark: &[u8]| new.windows(mark.len()).rposition(|window| window == mark);
        if let (begin, end) = (last(BEGIN_FRAME), last(END_FRAME))
            && begin != end
        {
            self.is_drawing = begin > end;
        }
    }
}

/// Program on an emulated terminal.
pub(crate) struct EmulatedTerminal {
    pub(crate) pid: u32,
    shown: Arc<(Mutex<ScreenState>, Condvar)>,
    keyboard: Box<dyn Write + Send>,
    master: Box<dyn MasterPty + Send>,
    status: Receiver<ExitStatus>,
    has_ended: bool,
}

impl EmulatedTerminal {
    /// Starts a program on a terminal of this size. `TERM` defaults to that of xterm.
    pub(crate) fn start(call: &ProgramCall, rows: u16, columns: u16) -> Self {
        let mut command = CommandBuilder::new(&call.line[0]);
        command.args(&call.line[1..]);
        command.cwd(&call.folder);
        command.env_clear();
        command.env("TERM", "xterm-256color");
        call.environment.iter().for_each(|(name, value)| command.env(name, value));
        command.set_controlling_tty(call.has_terminal);
        let (master, mut child) = {
            let _starting = start_lock();
            let pair = native_pty_system().openpty(size(rows, columns)).unwrap();
            let child = pair.slave.spawn_command(command).unwrap();
            (pair.master, child)
        };
        let pid = child.process_id().unwrap();
        let (ended, status) = channel();
        thread::spawn(move || {
            let status = child.wait().unwrap();
            let _ = ended.send(status);
        });
        Self {
            pid,
            shown: draw_output(master.try_clone_reader().unwrap(), rows, columns),
            keyboard: master.take_writer().unwrap(),
            master,
            status,
            has_ended: false,
        }
    }

    fn lock(&self) -> MutexGuard<'_, ScreenState> {
        self.shown.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Types raw bytes.
    pub(crate) fn type_bytes(&mut self, bytes: impl AsRef<[u8]>) -> &mut Self {
        self.keyboard.write_all(bytes.as_ref()).and_then(|()| self.keyboard.flush()).unwrap();
        self
    }

    /// Acts while nothing is read from the program, as at the end of a slow line.
    pub(crate) fn while_stalled<R>(&mut self, act: impl FnOnce(&mut dyn Write) -> R) -> R {
        let shown = self.shown.clone();
        // The reader takes this lock before it reads again.
        let _stalled = shown.0.lock().unwrap_or_else(PoisonError::into_inner);
        act(&mut self.keyboard)
    }

    /// Resizes the window.
    pub(crate) fn resize(&mut self, rows: u16, columns: u16) -> &mut Self {
        self.lock().parser.screen_mut().set_size(at_least_one(rows), at_least_one(columns));
        self.master.resize(size(rows, columns)).unwrap();
        self
    }

    /// Waits until the screen matches between two frames, and returns its text.
    #[track_caller]
    pub(crate) fn wait_for(&self, fits: impl Fn(&Screen) -> bool) -> String {
        self.wait_until(|shown| !shown.is_drawing && fits(shown.parser.screen()))
    }

    /// Waits until these words are on the screen, and returns its text.
    #[track_caller]
    pub(crate) fn expect_text(&self, words: &str) -> String {
        self.wait_for(|screen| screen.contents().contains(words))
    }

    /// Waits until these bytes have been written to the terminal, visible or not.
    #[track_caller]
    pub(crate) fn expect_bytes(&self, bytes: &[u8]) {
        self.wait_until(|shown| shown.raw.windows(bytes.len()).any(|window| window == bytes));
    }

    /// Returns true if the screen matches between two frames within this time.
    pub(crate) fn shows_within(&self, limit: Duration, fits: impl Fn(&Screen) -> bool) -> bool {
        self.is_within(limit, |shown| !shown.is_drawing && fits(shown.parser.screen()))
    }

    /// Returns true if anything is written to the terminal within this time.
    pub(crate) fn is_written_within(&self, limit: Duration) -> bool {
        let written = self.lock().raw.len();
        self.is_within(limit, |shown| shown.raw.len() > written || shown.has_ended)
    }

    fn is_within(&self, limit: Duration, fits: impl Fn(&ScreenState) -> bool) -> bool {
        let until = Instant::now() + limit;
        let mut shown = self.lock();
        loop {
            if fits(&shown) {
                return true;
            }
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return false;
            }
            shown = self.shown.1.wait_timeout(shown, left).unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    #[track_caller]
    fn wait_until(&self, fits: impl Fn(&ScreenState) -> bool) -> String {
        let until = Instant::now() + LIMIT;
        let mut shown = self.lock();
        while !fits(&shown) {
            let left = until.saturating_duration_since(Instant::now());
            if shown.has_ended || left.is_zero() {
                panic!("that does not come:\n{}", shown.parser.screen().contents());
            }
            shown = self.shown.1.wait_timeout(shown, left).unwrap_or_else(PoisonError::into_inner).0;
        }
        shown.parser.screen().contents()
    }

    /// Returns the text of the screen.
    pub(crate) fn contents(&self) -> String {
        self.lock().parser.screen().contents()
    }

    /// Returns a cell of the screen, with its colours and attributes.
    pub(crate) fn cell(&self, row: u16, column: u16) -> Cell {
        self.lock().parser.screen().cell(row, column).unwrap().clone()
    }

    /// Returns the cursor's row and column, or `None` if it is hidden.
    pub(crate) fn cursor(&self) -> Option<(u16, u16)> {
        let shown = self.lock();
        let screen = shown.parser.screen();
        (!screen.hide_cursor()).then(|| screen.cursor_position())
    }

    /// Returns all bytes written to the terminal so far.
    pub(crate) fn raw(&self) -> Vec<u8> {
        self.lock().raw.clone()
    }

    /// Asserts that only text and our own sequences were written.
    #[track_caller]
    pub(crate) fn assert_only_own_sequences(&self) {
        assert_eq!(foreign_sequences(&self.raw()), Vec::<String>::new());
    }

    /// Asserts that the terminal is in the state before the full screen.
    #[track_caller]
    pub(crate) fn assert_restored(&self) {
        let shown = self.lock();
        let screen = shown.parser.screen();
        let mouse = screen.mouse_protocol_mode();
        let held = (screen.alternate_screen(), screen.bracketed_paste(), screen.hide_cursor(), mouse);
        assert_eq!(held, (false, false, false, vt100::MouseProtocolMode::None), "{}", screen.contents());
        // Sequences unknown to the emulator are searched for among the bytes.
        let last = |bytes: &[u8]| shown.raw.windows(bytes.len()).rposition(|window| window == bytes);
        for (on, off) in [
            ("\x1b[>4;1m", "\x1b[>4m"),
            ("\x1b[>5u", "\x1b[<u"),
            ("\x1b[?1004h", "\x1b[?1004l"),
            ("\x1b[22;0t", "\x1b[23;0t"),
        ] {
            assert!(last(on.as_bytes()) <= last(off.as_bytes()), "{on:?} is not put back");
        }
    }

    /// Sends a signal.
    pub(crate) fn signal(&self, name: &str) {
        signal(self.pid, name);
    }

    /// Kills the program like a crash.
    #[track_caller]
    pub(crate) fn kill(self) {
        kill_9(self.pid);
        let _ = self.wait();
    }

    /// Waits for the exit, and returns the exit code and the final screen.
    #[track_caller]
    pub(crate) fn wait(mut self) -> (u32, String) {
        let status = self.status.recv_timeout(LIMIT);
        self.has_ended = status.is_ok();
        let status = status.unwrap_or_else(|_| panic!("it does not end:\n{}", self.contents()));
        (status.exit_code(), self.wait_until(|shown| shown.has_ended))
    }
}

impl Drop for EmulatedTerminal {
    fn drop(&mut self) {
        if !self.has_ended && self.status.try_recv().is_err() {
            kill_9(self.pid);
        }
    }
}

/// Terminal output, drawn as it arrives.
fn draw_output(
    mut source: impl Read + Send + 'static,
    rows: u16,
    columns: u16,
) -> Arc<(Mutex<ScreenState>, Condvar)> {
    let parser = Parser::new(at_least_one(rows), at_least_one(columns), 0);
    let shown = ScreenState { parser, raw: Vec::new(), is_drawing: false, has_ended: false };
    let ours = Arc::new((Mutex::new(shown), Condvar::new()));
    let theirs = ours.clone();
    thread::spawn(move || {
        let mut chunk = [0; 8192];
        loop {
            let read = source.read(&mut chunk).unwrap_or(0);
            let mut shown = theirs.0.lock().unwrap_or_else(PoisonError::into_inner);
            shown.process_bytes(&chunk[..read]);
            shown.has_ended |= read == 0;
            theirs.1.notify_all();
            if read == 0 {
                return;
            }
        }
    });
    ours
}

const fn size(rows: u16, cols: u16) -> PtySize {
    PtySize { rows, cols, pixel_width: 0, pixel_height: 0 }
}

fn at_least_one(count: u16) -> NonZeroU16 {
    NonZeroU16::new(count).unwrap()
}
