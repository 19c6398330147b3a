//! Input, the desk's bell and ^C, waited for together with `poll(2)`; no threads.

use super::buffer::LineBuffer;
use super::{Happening, unreadable};
use crate::signals::Caught;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::termios::{QueueSelector, tcflush, tcgetwinsize};
use sayso_core::{Problem, limits};
use sayso_desk::Watch;
use signal_hook::consts::SIGINT;
use std::fs::File;
use std::io::{self, Read as _};
use std::time::Duration;

const CHUNK_BYTES: usize = 64 << 10;

/// Catches ^C for as long as it lives. Make one only where a person types, so that elsewhere ^C ends the program as
/// usual, as it does again once this is dropped.
#[derive(Debug)]
pub struct Interrupts {
    pressed: Caught,
}

impl Interrupts {
    /// Begins to catch ^C.
    ///
    /// # Errors
    /// When the system has no more descriptors.
    pub fn new() -> Result<Self, Problem> {
        Ok(Self { pressed: Caught::new(&[SIGINT]).map_err(|error| unreadable(&error))? })
    }

    /// Forgets what was pressed so far, and says whether anything was.
    fn drain(&self) -> bool {
        self.pressed.drain()
    }
}

/// Reads lines, and waits for them together with what happens at a desk.
#[derive(Debug)]
pub struct Lines {
    input: File,
    interrupts: Option<Interrupts>,
    buffer: LineBuffer,
}

/// What can be read without waiting.
struct Ready {
    input: bool,
    interrupt: bool,
}

impl Lines {
    /// Reads lines from a descriptor: the standard input, or the terminal.
    pub fn new(input: File, interrupts: Option<Interrupts>) -> Self {
        Self { input, interrupts, buffer: LineBuffer::default() }
    }

    /// The next thing that happens. It waits for `limit` at most, or for the watch's pace where that is shorter; lines
    /// that have arrived come first.
    ///
    /// # Errors
    /// When the input or the desk cannot be read.
    pub fn next(&mut self, watch: &mut dyn Watch, limit: Duration) -> Result<Happening, Problem> {
        loop {
            if let Some(line) = self.buffer.take() {
                return Ok(line);
            }
            let ready = self.wait(watch, limit.min(watch.pace()))?;
            if ready.interrupt && self.interrupts.as_ref().is_some_and(Interrupts::drain) {
                return Ok(Happening::Interrupt);
            }
            if ready.input {
                self.fill()?;
                continue;
            }
            let heard = watch.poll()?;
            return Ok(if heard.is_empty() { Happening::Idle } else { Happening::Desk });
        }
    }

    fn wait(&self, watch: &dyn Watch, limit: Duration) -> Result<Ready, Problem> {
        let mut fds = vec![PollFd::new(&self.input, PollFlags::IN)];
        if let Some(interrupts) = &self.interrupts {
            fds.push(PollFd::new(&interrupts.pressed, PollFlags::IN));
        }
        let bell = watch.bell();
        if let Some(bell) = &bell {
            fds.push(PollFd::new(bell, PollFlags::IN));
        }
        let limit = Timespec::try_from(limit).ok();
        match poll(&mut fds, limit.as_ref()) {
            Ok(_) => {}
            Err(Errno::INTR) => return Ok(Ready { input: false, interrupt: true }),
            Err(error) => return Err(unreadable(&error.into())),
        }
        // An input that cannot be polled (NVAL, /dev/tty on macOS) is simply read.
        let ready = |index: usize| fds.get(index).is_some_and(|fd| !fd.revents().is_empty());
        Ok(Ready { input: ready(0), interrupt: self.interrupts.is_some() && ready(1) })
    }

    /// Reads what there is. It waits only when there is nothing.
    fn fill(&mut self) -> Result<(), Problem> {
        let mut chunk = vec![0; CHUNK_BYTES];
        match self.input.read(&mut chunk) {
            Ok(0) => self.buffer.end(),
            Ok(read) => self.buffer.push(chunk.get(..read).unwrap_or_default()),
            Err(error) if matches!(error.kind(), io::ErrorKind::Interrupted | io::ErrorKind::WouldBlock) => {}
            // The terminal has hung up.
            Err(error) if error.raw_os_error() == Some(Errno::IO.raw_os_error()) => self.buffer.end(),
            Err(error) => return Err(unreadable(&error)),
        }
        Ok(())
    }

    /// Forgets what was typed and not read yet, where the input is a terminal.
    pub fn discard(&self) {
        // Other inputs keep theirs.
        let _ = tcflush(&self.input, QueueSelector::IFlush);
        self.interrupts.as_ref().map(Interrupts::drain);
    }

    /// How many whole lines are there already, without waiting.
    ///
    /// # Errors
    /// When the input cannot be read.
    pub fn waiting(&mut self) -> Result<usize, Problem> {
        let mut read_bytes = 0;
        while !self.buffer.has_ended() && read_bytes < limits::TEXT_ANSWER_BYTES {
            let mut fds = [PollFd::new(&self.input, PollFlags::IN)];
            let now = Timespec::default();
            let polled = poll(&mut fds, Some(&now));
            let readable = fds.iter().any(|fd| fd.revents().contains(PollFlags::IN));
            if polled.is_err() || !readable {
                break;
            }
            self.fill()?;
            read_bytes += CHUNK_BYTES;
        }
        Ok(self.buffer.len())
    }

    /// How wide the screen is, where the input is a terminal.
    pub fn columns(&self) -> Option<usize> {
        tcgetwinsize(&self.input).ok().map(|size| usize::from(size.ws_col)).filter(|columns| *columns > 0)
    }

    /// Whether a line has been read already and waits to be used.
    pub fn has_line(&self) -> bool {
        self.buffer.len() > 0
    }

    /// A line that is there already, without waiting: a line, a garbled or a too long one.
    pub fn take_line(&mut self) -> Option<Happening> {
        self.buffer.take_line()
    }
}
