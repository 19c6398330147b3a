//! Input, the desk's wakeup and ^C, multiplexed with `poll(2)`; no threads.

use super::LineEvent;
use super::buffer::LineBuffer;
use crate::tty::read_problem;
use crate::tty::signals::SignalListener;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::termios::{
    LocalModes, OptionalActions, QueueSelector, SpecialCodeIndex, Termios, tcflush, tcgetattr, tcgetwinsize,
    tcsetattr,
};
use sayso_core::{Problem, limits};
use sayso_desk::Watch;
use signal_hook::consts::SIGINT;
use std::fs::File;
use std::io::{self, Read as _, Write as _};
use std::time::Duration;

const CHUNK_BYTES: usize = 64 << 10;

/// Listener for ^C, active until it is dropped. Create it only if a person types: elsewhere ^C must end the program as
/// usual.
#[derive(Debug)]
pub struct InterruptListener {
    pressed: SignalListener,
}

impl InterruptListener {
    /// Registers for ^C.
    ///
    /// # Errors
    /// Fails if the system has no more file descriptors.
    pub fn new() -> Result<Self, Problem> {
        match SignalListener::new(&[SIGINT]) {
            Ok(pressed) => Ok(Self { pressed }),
            Err(error) => Err(read_problem(error)),
        }
    }

    /// Discards pending interrupts, and returns true if there were any.
    fn drain(&self) -> bool {
        self.pressed.drain()
    }
}

/// Line reader, multiplexed with the watch of a desk.
#[derive(Debug)]
pub struct InputLines {
    input: File,
    interrupts: Option<InterruptListener>,
    buffer: LineBuffer,
    /// Mode of the terminal before it hands over the keys of a begun line one by one.
    line_mode: Option<Termios>,
}

/// Readiness of the sources after a poll.
struct PollResult {
    input: bool,
    interrupt: bool,
}

impl InputLines {
    /// Creates a reader for a descriptor: the standard input, or the terminal.
    pub fn new(input: File, interrupts: Option<InterruptListener>) -> Self {
        Self { input, interrupts, buffer: LineBuffer::default(), line_mode: None }
    }

    /// Returns the next event. Buffered lines come first; otherwise it waits for at most `limit` or the watch's pace,
    /// whichever is shorter.
    ///
    /// # Errors
    /// Fails if the input or the desk cannot be read.
    pub fn next_event(&mut self, watch: &mut dyn Watch, limit: Duration) -> Result<LineEvent, Problem> {
        loop {
            if let Some(line) = self.buffer.take() {
                return Ok(line);
            }
            let ready = self.poll_sources(watch, limit.min(watch.poll_interval()))?;
            if ready.interrupt && self.interrupts.as_ref().is_some_and(InterruptListener::drain) {
                return Ok(LineEvent::Interrupt);
            }
            if ready.input {
                let was_typing = self.line_mode.is_some();
                self.read_available()?;
                if was_typing && self.line_mode.is_none() && !self.has_line() {
                    return Ok(LineEvent::Timeout);
                }
                continue;
            }
            let changes = watch.poll()?;
            return Ok(if changes.is_empty() { LineEvent::Timeout } else { LineEvent::DeskChanged });
        }
    }

    fn poll_sources(&self, watch: &dyn Watch, limit: Duration) -> Result<PollResult, Problem> {
        let mut fds = vec![PollFd::new(&self.input, PollFlags::IN)];
        if let Some(interrupts) = &self.interrupts {
            fds.push(PollFd::new(&interrupts.pressed, PollFlags::IN));
        }
        let wakeup_fd = watch.wakeup_fd();
        if let Some(wakeup_fd) = &wakeup_fd {
            fds.push(PollFd::new(wakeup_fd, PollFlags::IN));
        }
        let limit = Timespec::try_from(limit).ok();
        match poll(&mut fds, limit.as_ref()) {
            Ok(_) => {}
            Err(Errno::INTR) => return Ok(PollResult { input: false, interrupt: true }),
            Err(error) => return Err(read_problem(error.into())),
        }
        // Read an input that cannot be polled (NVAL, /dev/tty on macOS) without polling.
        let input = fds.first().is_some_and(|fd| !fd.revents().is_empty());
        let interrupt = self.interrupts.is_some() && fds.get(1).is_some_and(|fd| !fd.revents().is_empty());
        Ok(PollResult { input, interrupt })
    }

    /// Reads available bytes. Blocks only if none are available.
    fn read_available(&mut self) -> Result<(), Problem> {
        let mut chunk = vec![0; CHUNK_BYTES];
        match self.input.read(&mut chunk) {
            Ok(0) => self.buffer.end(),
            Ok(bytes) => self.accept(chunk.get(..bytes).unwrap_or_default())?,
            Err(error) if matches!(error.kind(), io::ErrorKind::Interrupted | io::ErrorKind::WouldBlock) => {}
            // The terminal has hung up.
            Err(error) if error.raw_os_error() == Some(Errno::IO.raw_os_error()) => self.buffer.end(),
            Err(error) => return Err(read_problem(error)),
        }
        Ok(())
    }

    /// Buffers what was read. Of a begun line it is keys, which are echoed.
    fn accept(&mut self, chunk: &[u8]) -> Result<(), Problem> {
        if self.line_mode.is_none() {
            self.buffer.push(chunk);
            return Ok(());
        }
        let echo = self.buffer.push_keys(chunk);
        // Without it the person does not see the rest of the line, which is read all the same.
        let _ = (&self.input).write_all(&echo);
        if !self.buffer.is_begun() {
            self.restore_line_mode()?;
        }
        Ok(())
    }

    /// Returns true if the person has begun a line. Only the terminal knows; asked for it, it ends the part of the line
    /// that it has, so it hands over the other keys one by one until the line is complete or erased.
    ///
    /// # Errors
    /// Fails if the input cannot be read.
    pub fn is_typing(&mut self) -> Result<bool, Problem> {
        if self.line_mode.is_none() && !self.has_line() {
            let Ok(line_mode) = tcgetattr(&self.input) else { return Ok(false) };
            let mut key_mode = byte_mode(&line_mode);
            key_mode.local_modes.remove(LocalModes::ECHO);
            self.set_mode(&key_mode)?;
            let result = self.read_until_quiet(Duration::ZERO);
            self.line_mode = Some(line_mode);
            if !self.buffer.is_begun() {
                self.restore_line_mode()?;
            }
            result?;
        }
        Ok(self.has_line() || self.line_mode.is_some())
    }

    fn restore_line_mode(&mut self) -> Result<(), Problem> {
        match self.line_mode.take() {
            Some(line_mode) => self.set_mode(&line_mode),
            None => Ok(()),
        }
    }

    /// Discards unread terminal input.
    pub fn discard_pending(&self) {
        // Only a terminal has such input: files and pipes refuse, and keep their lines.
        let _ = tcflush(&self.input, QueueSelector::IFlush);
        if let Some(interrupts) = &self.interrupts {
            interrupts.drain();
        }
    }

    /// Returns the number of buffered whole lines, without waiting.
    ///
    /// # Errors
    /// Fails if the input cannot be read.
    pub fn buffered_lines(&mut self) -> Result<usize, Problem> {
        self.read_until_quiet(Duration::ZERO)?;
        Ok(self.buffer.len())
    }

    /// Reads what has arrived at a terminal, until nothing arrives for `gap`. The unfinished line at the end, which the
    /// terminal holds back until Enter is pressed, becomes a line; then true is returned. Other inputs are left
    /// alone.
    ///
    /// # Errors
    /// Fails if the input cannot be read.
    pub fn gather(&mut self, gap: Duration) -> Result<bool, Problem> {
        let Ok(line_mode) = tcgetattr(&self.input) else { return Ok(false) };
        self.set_mode(&byte_mode(&line_mode))?;
        let result = self.read_until_quiet(gap);
        self.set_mode(&line_mode)?;
        result?;
        Ok(self.buffer.finish_begun())
    }

    fn set_mode(&self, mode: &Termios) -> Result<(), Problem> {
        match tcsetattr(&self.input, OptionalActions::Now, mode) {
            Ok(()) => Ok(()),
            Err(error) => Err(read_problem(error.into())),
        }
    }

    /// Reads until no input comes for this long, or what was read may be as long as an answer can be.
    fn read_until_quiet(&mut self, gap: Duration) -> Result<(), Problem> {
        let gap = Timespec::try_from(gap).unwrap_or_default();
        let mut most_bytes = 0;
        while !self.buffer.has_ended() && most_bytes < limits::TEXT_ANSWER_BYTES {
            let mut fds = [PollFd::new(&self.input, PollFlags::IN)];
            let result = poll(&mut fds, Some(&gap));
            let [input_fd] = &fds;
            if result.is_err() || !input_fd.revents().contains(PollFlags::IN) {
                break;
            }
            self.read_available()?;
            // Each read takes a chunk at most.
            most_bytes += CHUNK_BYTES;
        }
        Ok(())
    }

    /// Returns the screen width, if the input is a terminal.
    pub fn columns(&self) -> Option<usize> {
        let columns = usize::from(tcgetwinsize(&self.input).ok()?.ws_col);
        if columns > 0 { Some(columns) } else { None }
    }

    /// Returns true if a line is buffered.
    pub fn has_line(&self) -> bool {
        self.buffer.len() > 0
    }

    /// Takes a buffered line, without waiting: a valid, a garbled or a too long one.
    pub fn take_line(&mut self) -> Option<LineEvent> {
        self.buffer.take_line()
    }
}

impl Drop for InputLines {
    fn drop(&mut self) {
        // A terminal that has hung up has no mode.
        let _ = self.restore_line_mode();
    }
}

/// Returns the mode in which a terminal hands over keys without waiting for Enter.
fn byte_mode(line_mode: &Termios) -> Termios {
    let mut mode = line_mode.clone();
    mode.local_modes.remove(LocalModes::ICANON);
    mode.special_codes[SpecialCodeIndex::VMIN] = 0;
    mode.special_codes[SpecialCodeIndex::VTIME] = 0;
    mode
}
