//! Input without `poll(2)`: a thread reads, and the desk is polled at its own pace.

use super::LineEvent;
use super::buffer::LineBuffer;
use crate::tty::read_problem;
use sayso_core::Problem;
use sayso_desk::Watch;
use std::fs::File;
use std::io::{self, Read as _};
use std::sync::mpsc::{Receiver, RecvTimeoutError, TryRecvError, channel};
use std::thread;
use std::time::Duration;

const CHUNK_BYTES: usize = 64 << 10;

/// Placeholder on systems without signal handling: ^C ends the program, and the draft has all typed lines.
#[derive(Debug)]
pub struct InterruptListener(());

impl InterruptListener {
    /// Does nothing on this system.
    ///
    /// # Errors
    /// Never fails.
    pub fn new() -> Result<Self, Problem> {
        Ok(Self(()))
    }
}

/// Line reader, multiplexed with the watch of a desk.
#[derive(Debug)]
pub struct InputLines {
    chunks: Receiver<io::Result<Vec<u8>>>,
    buffer: LineBuffer,
    /// True after a complete line, before anyone asked for a begun one.
    is_line_end: bool,
}

impl InputLines {
    /// Creates a reader for a file: the standard input, or the terminal.
    pub fn new(mut input: File, _interrupts: Option<InterruptListener>) -> Self {
        let (sender, chunks) = channel();
        thread::spawn(move || {
            loop {
                let mut chunk = vec![0; CHUNK_BYTES];
                let result = match input.read(&mut chunk) {
                    Ok(bytes) => {
                        chunk.truncate(bytes);
                        Ok(chunk)
                    }
                    Err(error) => Err(error),
                };
                let goes_on = result.as_ref().is_ok_and(|chunk| !chunk.is_empty());
                if sender.send(result).is_err() || !goes_on {
                    return;
                }
            }
        });
        Self { chunks, buffer: LineBuffer::default(), is_line_end: true }
    }

    /// Returns the next event. Buffered lines come first; otherwise it waits for at most `limit` or the watch's pace,
    /// whichever is shorter.
    ///
    /// # Errors
    /// Fails if the input or the desk cannot be read.
    pub fn next_event(&mut self, watch: &mut dyn Watch, limit: Duration) -> Result<LineEvent, Problem> {
        loop {
            if let Some(line) = self.buffer.take() {
                self.is_line_end = true;
                return Ok(line);
            }
            match self.chunks.recv_timeout(limit.min(watch.poll_interval())) {
                Ok(chunk) => self.push(chunk)?,
                Err(RecvTimeoutError::Disconnected) => self.buffer.end(),
                Err(RecvTimeoutError::Timeout) => {
                    let changes = watch.poll()?;
                    return Ok(if changes.is_empty() { LineEvent::Timeout } else { LineEvent::DeskChanged });
                }
            }
        }
    }

    fn push(&mut self, chunk: io::Result<Vec<u8>>) -> Result<(), Problem> {
        match chunk {
            Ok(chunk) if chunk.is_empty() => self.buffer.end(),
            Ok(chunk) => self.buffer.push(&chunk),
            Err(error) => return Err(read_problem(error)),
        }
        Ok(())
    }

    /// Does nothing on this system: the reader thread already has the typed bytes.
    pub fn discard_pending(&self) {}

    /// Does nothing on this system: the unfinished line of a console cannot be read.
    ///
    /// # Errors
    /// Never fails.
    pub fn gather(&mut self, _gap: Duration) -> Result<bool, Problem> {
        Ok(false)
    }

    /// Returns false right after a complete line. Later no one knows on this system whether a line has been begun, so
    /// that nothing may be shown before the next one.
    ///
    /// # Errors
    /// Never fails.
    pub fn is_typing(&mut self) -> Result<bool, Problem> {
        Ok(!std::mem::take(&mut self.is_line_end))
    }

    /// Returns the number of buffered whole lines, without waiting.
    ///
    /// # Errors
    /// Fails if the input cannot be read.
    pub fn buffered_lines(&mut self) -> Result<usize, Problem> {
        while !self.buffer.has_ended() {
            match self.chunks.try_recv() {
                Ok(chunk) => self.push(chunk)?,
                Err(TryRecvError::Disconnected) => self.buffer.end(),
                Err(TryRecvError::Empty) => break,
            }
        }
        Ok(self.buffer.len())
    }

    /// Returns the screen width, which is unknown on this system.
    pub fn columns(&self) -> Option<usize> {
        None
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
