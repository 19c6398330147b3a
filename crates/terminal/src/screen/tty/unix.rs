//! Terminal backend for Unix: one `poll(2)` waits for all events, without threads.

use super::Noticed;
use super::decoder::{Decoder, Told};
use crate::signals::Caught;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::process::{Signal, kill_current_process_group};
use rustix::termios::{
    OptionalActions, QueueSelector, Termios, isatty, tcflush, tcgetattr, tcgetwinsize, tcsetattr, ttyname,
};
use sayso_desk::Watch;
use signal_hook::consts::{SIGCONT, SIGHUP, SIGINT, SIGTERM, SIGWINCH};
use std::fs::File;
use std::io::{self, Read as _, Write as _};
use std::iter;
use std::os::fd::{AsFd as _, BorrowedFd};
use std::time::Duration;

/// Descriptor that a worker makes readable to end a wait. Its owner drains it, and stops passing it once the other end
/// is closed.
pub type Wake<'w> = BorrowedFd<'w>;

const DEV_TTY: &str = "/dev/tty";
const CHUNK_BYTES: usize = 64 << 10;
/// Maximum number of chunks per read, so that drawing gets its turn.
const CHUNKS: usize = 64;
/// Time for the process to stop. One that no parent can continue does not stop at all.
const STOPPING: Duration = Duration::from_millis(200);
/// Timeout for outstanding replies when the terminal is restored.
const ANSWERING: Duration = Duration::from_millis(100);
/// Maximum number of chunks to read for them, because the person may go on typing.
const ANSWERS: usize = 8;

/// Opens the keyboard of the person who sees this output: standard input if it is a terminal.
///
/// # Errors
/// Fails if there is no terminal.
pub fn keyboard(output: &File) -> io::Result<File> {
    let stdin = io::stdin();
    if isatty(&stdin) {
        return stdin.as_fd().try_clone_to_owned().map(File::from);
    }
    // By its own name, because macOS cannot poll /dev/tty.
    let (stdout, stderr) = (io::stdout(), io::stderr());
    let named = [output.as_fd(), stderr.as_fd(), stdout.as_fd()].into_iter().find_map(|fd| {
        let name = ttyname(fd, Vec::new()).ok()?.into_string().ok()?;
        (name != DEV_TTY).then_some(name)
    });
    File::open(named.as_deref().unwrap_or(DEV_TTY))
}

/// Settings of the terminal driver.
pub(super) type Saved = Termios;

/// Reads the current settings.
pub(super) fn save(input: &File) -> io::Result<Saved> {
    Ok(tcgetattr(input)?)
}

/// Sets raw mode.
pub(super) fn make_raw(input: &File, saved: &Saved) -> io::Result<()> {
    let mut raw = saved.clone();
    raw.make_raw();
    Ok(tcsetattr(input, OptionalActions::Now, &raw)?)
}

/// Restores the settings.
pub(super) fn restore(input: &File, saved: &Saved) {
    // A lost terminal needs no restoration.
    let _ = tcsetattr(input, OptionalActions::Now, saved);
}

/// Returns the size in columns and rows.
pub(super) fn size(output: &File) -> (u16, u16) {
    match tcgetwinsize(output) {
        Ok(size) if size.ws_col > 0 && size.ws_row > 0 => (size.ws_col, size.ws_row),
        // Default size of terminals that do not know theirs.
        _ => (80, 24),
    }
}

/// Writes all bytes, in one call if the terminal takes them. Another process may have made the descriptor nonblocking.
pub(super) fn write(mut output: &File, mut bytes: &[u8]) -> io::Result<()> {
    while !bytes.is_empty() {
        match output.write(bytes) {
            Ok(written) => bytes = bytes.get(written..).unwrap_or_default(),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                let mut fds = [PollFd::new(output, PollFlags::OUT)];
                match poll(&mut fds, None) {
                    Ok(_) | Err(Errno::INTR) => {}
                    Err(error) => return Err(error.into()),
                }
            }
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// Source of input and signals.
#[derive(Debug)]
pub(super) struct Source {
    input: File,
    decoder: Decoder,
    resized: Caught,
    continued: Caught,
    ending: Caught,
    interrupted: Caught,
}

impl Source {
    pub(super) fn new(input: File) -> io::Result<Self> {
        Ok(Self {
            input,
            decoder: Decoder::default(),
            resized: Caught::new(&[SIGWINCH])?,
            continued: Caught::new(&[SIGCONT])?,
            ending: Caught::new(&[SIGTERM, SIGHUP])?,
            interrupted: Caught::new(&[SIGINT])?,
        })
    }

    /// Waits for the next events and returns all that are available; returns none after the limit.
    pub(super) fn next(
        &mut self,
        watch: Option<&dyn Watch>,
        wake: Option<Wake<'_>>,
        limit: Duration,
    ) -> io::Result<Vec<Noticed>> {
        loop {
            let pace = watch.map(Watch::pace);
            let pause = self.decoder.pause();
            // A shorter limit must not delay a key that may be complete.
            let least = pause.unwrap_or_else(|| limit.min(pace.unwrap_or(limit)));
            let Some(ready) = self.poll(watch, wake, least)? else {
                let given_up = self.decoder.give_up().into_iter().map(Noticed::Told).collect();
                let is_pace = pause.is_none() && pace.is_some_and(|pace| pace <= limit);
                return Ok(if is_pace { vec![Noticed::Bell] } else { given_up });
            };
            let noticed = self.noticed(&ready)?;
            if !noticed.is_empty() {
                return Ok(noticed);
            }
        }
    }

    /// Polls the descriptors: input, signals (four), the bell, the wake. Returns `None` after the limit.
    fn poll(
        &self,
        watch: Option<&dyn Watch>,
        wake: Option<Wake<'_>>,
        limit: Duration,
    ) -> io::Result<Option<[bool; 7]>> {
        let signals = [&self.resized, &self.continued, &self.ending, &self.interrupted];
        let others = [watch.and_then(Watch::bell), wake];
        let own = iter::once(self.input.as_fd()).chain(signals.map(Caught::as_fd));
        let all = own.map(Some).chain(others);
        let mut fds: Vec<_> =
            all.clone().flatten().map(|fd| PollFd::from_borrowed_fd(fd, PollFlags::IN)).collect();
        match poll(&mut fds, Timespec::try_from(limit).ok().as_ref()) {
            Ok(0) => return Ok(None),
            Ok(_) => {}
            // A signal: its descriptor is readable at the next poll.
            Err(Errno::INTR) => return Ok(Some([false; 7])),
            Err(error) => return Err(error.into()),
        }
        let mut polled = fds.iter();
        let mut ready = [false; 7];
        for (ready, fd) in ready.iter_mut().zip(all) {
            *ready = fd.is_some() && polled.next().is_some_and(|fd| !fd.revents().is_empty());
        }
        Ok(Some(ready))
    }

    fn noticed(
        &mut self,
        &[input, resized, continued, ending, interrupted, bell, wake]: &[bool; 7],
    ) -> io::Result<Vec<Noticed>> {
        let mut noticed = Vec::new();
        let signals = [
            (continued && self.continued.drain(), Noticed::Continued),
            (resized && self.resized.drain(), Noticed::Resized),
            (bell, Noticed::Bell),
            (wake, Noticed::Woken),
            (ending && self.ending.drain(), Noticed::Ending),
            (interrupted && self.interrupted.drain(), Noticed::Ending),
        ];
        if input {
            self.read(&mut noticed)?;
        }
        noticed.extend(signals.into_iter().filter(|(has_come, _)| *has_come).map(|(_, what)| what));
        Ok(noticed)
    }

    /// Reads the available input.
    fn read(&mut self, noticed: &mut Vec<Noticed>) -> io::Result<()> {
        let mut chunk = vec![0; CHUNK_BYTES];
        for _ in 0..CHUNKS {
            match self.input.read(&mut chunk) {
                Ok(0) => noticed.push(Noticed::Ending),
                Ok(read) => {
                    let told = self.decoder.read(chunk.get(..read).unwrap_or_default());
                    noticed.extend(told.into_iter().map(Noticed::Told));
                    if self.has_more(Duration::ZERO) {
                        continue;
                    }
                }
                Err(error)
                    if matches!(error.kind(), io::ErrorKind::Interrupted | io::ErrorKind::WouldBlock) => {}
                // The terminal hung up.
                Err(error) if error.raw_os_error() == Some(Errno::IO.raw_os_error()) => {
                    noticed.push(Noticed::Ending);
                }
                Err(error) => return Err(error),
            }
            break;
        }
        Ok(())
    }

    fn has_more(&self, within: Duration) -> bool {
        let mut fds = [PollFd::new(&self.input, PollFlags::IN)];
        let polled = poll(&mut fds, Timespec::try_from(within).ok().as_ref());
        polled.is_ok() && fds.iter().any(|fd| fd.revents().contains(PollFlags::IN))
    }

    /// Discards input that was not yet returned.
    pub(super) fn discard(&mut self) {
        self.decoder.clear();
        // A lost terminal has no input.
        let _ = tcflush(&self.input, QueueSelector::IFlush);
    }

    /// Discards the signals that arrived while another program had the terminal, except those that end this one. ^C was
    /// meant for that program.
    pub(super) fn forget_signals(&self) {
        self.resized.drain();
        self.continued.drain();
        self.interrupted.drain();
    }

    /// Reads outstanding replies for a short time, so that they do not reach the next reader.
    pub(super) fn drop_answers(&mut self) {
        let mut noticed = Vec::new();
        let is_last = |noticed: &Noticed| matches!(noticed, Noticed::Told(Told::Answered) | Noticed::Ending);
        for _ in 0..ANSWERS {
            if !self.has_more(ANSWERING) || self.read(&mut noticed).is_err() || noticed.iter().any(is_last) {
                break;
            }
        }
    }

    /// Stops this process group, as ^Z does, until it is continued.
    pub(super) fn stop(&self) -> io::Result<()> {
        self.continued.drain();
        kill_current_process_group(Signal::TSTP)?;
        // Another thread may be the one that stops, a little later.
        let mut fds = [PollFd::new(&self.continued, PollFlags::IN)];
        let _ = poll(&mut fds, Timespec::try_from(STOPPING).ok().as_ref());
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::Source;
    use crate::screen::tty::Noticed;
    use signal_hook::consts::SIGINT;
    use signal_hook::low_level::raise;
    use std::fs::File;
    use std::os::fd::OwnedFd;
    use std::os::unix::net::UnixStream;
    use std::time::Duration;

    #[test]
    fn interrupt_in_the_editor_is_ignored() {
        let (_keyboard, input) = UnixStream::pair().unwrap();
        let mut source = Source::new(File::from(OwnedFd::from(input))).unwrap();
        raise(SIGINT).unwrap();
        source.forget_signals();
        assert!(source.next(None, None, Duration::ZERO).unwrap().is_empty());
        raise(SIGINT).unwrap();
        let noticed = source.next(None, None, Duration::from_secs(60)).unwrap();
        assert!(matches!(noticed[..], [Noticed::Ending]), "{noticed:?}");
    }
}
