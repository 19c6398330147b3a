//! Input where there is no `poll(2)`: a thread reads, and the desk is asked at its own pace.

use super::buffer::LineBuffer;
use super::{Happening, unreadable};
use sayso_core::Problem;
use sayso_desk::Watch;
use std::fs::File;
use std::io::{self, Read as _};
use std::sync::mpsc::{Receiver, RecvTimeoutError, TryRecvError, channel};
use std::thread;
use std::time::Duration;

const CHUNK_BYTES: usize = 64 << 10;

/// Where signals cannot be caught, ^C ends the program; what was typed is in the draft by then.
#[derive(Debug)]
pub struct Interrupts(());

impl Interrupts {
    /// Does nothing here.
    ///
    /// # Errors
    /// None here.
    pub fn new() -> Result<Self, Problem> {
        Ok(Self(()))
    }
}

/// Reads lines, and waits for them together with what happens at a desk.
#[derive(Debug)]
pub struct Lines {
    chunks: Receiver<io::Result<Vec<u8>>>,
    buffer: LineBuffer,
}

impl Lines {
    /// Reads lines from a file: the standard input, or the terminal.
    pub fn new(mut input: File, _interrupts: Option<Interrupts>) -> Self {
        let (sender, chunks) = channel();
        thread::spawn(move || {
            loop {
                let mut chunk = vec![0; CHUNK_BYTES];
                let read = input.read(&mut chunk).map(|read| {
                    chunk.truncate(read);
                    chunk
                });
                let goes_on = read.as_ref().is_ok_and(|chunk| !chunk.is_empty());
                if sender.send(read).is_err() || !goes_on {
                    return;
                }
            }
        });
        Self { chunks, buffer: LineBuffer::default() }
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
            match self.chunks.recv_timeout(limit.min(watch.pace())) {
                Ok(chunk) => self.push(chunk)?,
                Err(RecvTimeoutError::Disconnected) => self.buffer.end(),
                Err(RecvTimeoutError::Timeout) => {
                    let heard = watch.poll()?;
                    return Ok(if heard.is_empty() { Happening::Idle } else { Happening::Desk });
                }
            }
        }
    }

    fn push(&mut self, chunk: io::Result<Vec<u8>>) -> Result<(), Problem> {
        match chunk {
            Ok(chunk) if chunk.is_empty() => self.buffer.end(),
            Ok(chunk) => self.buffer.push(&chunk),
            Err(error) => return Err(unreadable(&error)),
        }
        Ok(())
    }

    /// Nothing is to be forgotten here: the reader thread has what was typed.
    pub fn discard(&self) {}

    /// How many whole lines are there already, without waiting.
    ///
    /// # Errors
    /// When the input cannot be read.
    pub fn waiting(&mut self) -> Result<usize, Problem> {
        while !self.buffer.has_ended() {
            match self.chunks.try_recv() {
                Ok(chunk) => self.push(chunk)?,
                Err(TryRecvError::Disconnected) => self.buffer.end(),
                Err(TryRecvError::Empty) => break,
            }
        }
        Ok(self.buffer.len())
    }

    /// How wide the screen is; not known here.
    pub fn columns(&self) -> Option<usize> {
        None
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
