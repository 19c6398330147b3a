//! Output of a terminal that may be slow: what it does not take yet waits, and nothing waits for it.

use super::system;
use std::fs::File;
use std::io::{self, Write as _};

/// Output of a terminal.
#[derive(Debug)]
pub(super) struct TerminalOutput {
    file: File,
    /// Bytes that the terminal has not taken yet.
    pending: Vec<u8>,
}

impl TerminalOutput {
    /// Opens the terminal of a file a second time, so that only this output is nonblocking: the shell shares the file.
    /// If that fails, writing blocks.
    ///
    /// # Errors
    /// Fails if the file cannot be duplicated.
    pub(super) fn new(output: &File) -> io::Result<Self> {
        let file = match system::open_nonblocking(output) {
            Some(file) => file,
            None => output.try_clone()?,
        };
        Ok(Self { file, pending: Vec::new() })
    }

    pub(super) const fn file(&self) -> &File {
        &self.file
    }

    /// Returns whether the terminal has not taken everything yet.
    pub(super) const fn is_busy(&self) -> bool {
        !self.pending.is_empty()
    }

    /// Writes bytes after those that wait.
    ///
    /// # Errors
    /// Fails if the terminal is gone.
    pub(super) fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.pending.extend_from_slice(bytes);
        self.write_pending()
    }

    /// Writes as many of the waiting bytes as the terminal takes now.
    ///
    /// # Errors
    /// Fails if the terminal is gone.
    pub(super) fn write_pending(&mut self) -> io::Result<()> {
        let mut count = 0;
        while let Some(rest) = self.pending.get(count..)
            && !rest.is_empty()
        {
            match (&self.file).write(rest) {
                Ok(bytes) => count += bytes,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => break,
                Err(error) => return Err(error),
            }
        }
        self.pending.drain(..count);
        Ok(())
    }

    /// Waits until the terminal has taken everything.
    ///
    /// # Errors
    /// Fails if the terminal is gone.
    pub(super) fn finish(&mut self) -> io::Result<()> {
        system::write(&self.file, &std::mem::take(&mut self.pending))
    }
}
