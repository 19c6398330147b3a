//! Terminal backend for Unix: one `poll(2)` waits for all events, without threads.

use super::SystemEvent;
use super::decoder::{DecodedEvent, Decoder};
use crate::tty::signals::SignalListener;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::OFlags;
use rustix::io::Errno;
use rustix::process::{Signal, kill_current_process_group};
use rustix::termios::{
    OptionalActions, QueueSelector, Termios, isatty, tcflush, tcgetattr, tcgetwinsize, tcsetattr, ttyname,
};
use sayso_desk::Watch;
use signal_hook::consts::{SIGCONT, SIGHUP, SIGINT, SIGTERM, SIGWINCH};
use std::fs::File;
use std::io::{self, Read as _, Write as _};
use std::os::fd::{AsFd as _, BorrowedFd};
use std::os::unix::fs::OpenOptionsExt as _;
use std::time::{Duration, Instant};

/// Descriptor that a worker makes readable to end a wait. Its owner drains it, and stops passing it once the other end
/// is closed.
pub type WakeHandle<'w> = BorrowedFd<'w>;

const DEV_TTY: &str = "/dev/tty";
const CHUNK_BYTES: usize = 64 << 10;
/// Maximum number of chunks per read, so that drawing gets its turn.
const MAX_CHUNKS: usize = 64;
/// Time for the process to stop. One that no parent can continue does not stop at all.
const STOP_TIMEOUT: Duration = Duration::from_millis(200);
/// Timeout for outstanding replies when the terminal is restored.
const REPLY_TIMEOUT: Duration = Duration::from_millis(100);
/// Maximum number of chunks to read for them, because the person may go on typing.
const MAX_REPLY_CHUNKS: usize = 8;

/// Opens the keyboard of the person who sees this output: standard input if it is a terminal.
///
/// # Errors
/// Fails if there is no terminal.
pub fn open_keyboard(output: &File) -> io::Result<File> {
    let stdin = io::stdin();
    if isatty(&stdin) {
        return stdin.as_fd().try_clone_to_owned().map(File::from);
    }
    // By its own name, because macOS cannot poll /dev/tty.
    for fd in [output.as_fd(), io::stderr().as_fd(), io::stdout().as_fd()] {
        if let Ok(name) = ttyname(fd, Vec::new())
            && let Ok(name) = name.into_string()
            && name != DEV_TTY
        {
            return File::open(name);
        }
    }
    File::open(DEV_TTY)
}

/// Settings of the terminal driver.
pub(super) type DriverSettings = Termios;

/// Reads the current settings, to restore them later.
pub(super) fn read_settings(input: &File) -> io::Result<DriverSettings> {
    Ok(tcgetattr(input)?)
}

/// Sets raw mode.
pub(super) fn make_raw(input: &File, saved: &DriverSettings) -> io::Result<()> {
    let mut raw = saved.clone();
    raw.make_raw();
    Ok(tcsetattr(input, OptionalActions::Now, &raw)?)
}

/// Restores the settings.
pub(super) fn restore_settings(input: &File, saved: &DriverSettings) {
    // A terminal that is gone needs no restoration.
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

/// Opens the terminal of a file again for nonblocking output; `None` if it has no name to open.
pub(super) fn open_nonblocking(output: &File) -> Option<File> {
    let name = ttyname(output, Vec::new()).ok()?.into_string().ok()?;
    let flags = (OFlags::NONBLOCK | OFlags::NOCTTY).bits();
    File::options().write(true).custom_flags(i32::try_from(flags).ok()?).open(name).ok()
}

/// Writes all bytes, in one call if the terminal takes them. Another process may have made the descriptor nonblocking.
pub(super) fn write(mut output: &File, mut bytes: &[u8]) -> io::Result<()> {
    while !bytes.is_empty() {
        match output.write(bytes) {
            Ok(count) => bytes = bytes.get(count..).unwrap_or_default(),
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

/// Descriptors that a poll found ready.
#[derive(Debug, Default)]
struct ReadyDescriptors {
    input: bool,
    resized: bool,
    continued: bool,
    ending: bool,
    interrupted: bool,
    desk: bool,
    worker: bool,
    output: bool,
}

/// Source of input and signals.
#[derive(Debug)]
pub(super) struct EventSource {
    input: File,
    decoder: Decoder,
    resized: SignalListener,
    continued: SignalListener,
    ending: SignalListener,
    interrupted: SignalListener,
}

impl EventSource {
    pub(super) fn new(input: File) -> io::Result<Self> {
        Ok(Self {
            input,
            decoder: Decoder::default(),
            resized: SignalListener::new(&[SIGWINCH])?,
            continued: SignalListener::new(&[SIGCONT])?,
            ending: SignalListener::new(&[SIGTERM, SIGHUP])?,
            interrupted: SignalListener::new(&[SIGINT])?,
        })
    }

    /// Waits for the next events and returns all that are available; returns none after the limit. `busy` is an output
    /// to wait for.
    pub(super) fn wait_for_events(
        &mut self,
        watch: Option<&dyn Watch>,
        wake: Option<WakeHandle<'_>>,
        busy: Option<&File>,
        limit: Duration,
    ) -> io::Result<Vec<SystemEvent>> {
        loop {
            let poll_interval = watch.map(Watch::poll_interval);
            let shorter_limit = limit.min(poll_interval.unwrap_or(limit));
            let key_timeout = self.decoder.timeout();
            // A shorter limit must not delay a key that may be complete.
            let timeout = key_timeout.unwrap_or(shorter_limit);
            let Some(ready) = self.poll_descriptors(watch, wake, busy, timeout)? else {
                if key_timeout.is_some() {
                    return Ok(self.decoder.flush().into_iter().map(SystemEvent::Decoded).collect());
                }
                let polls_desk = poll_interval == Some(shorter_limit);
                return Ok(if polls_desk { vec![SystemEvent::DeskWakeup] } else { Vec::new() });
            };
            let events = self.collect_events(&ready)?;
            if !events.is_empty() {
                return Ok(events);
            }
        }
    }

    /// Polls the descriptors. Returns `None` after the limit.
    fn poll_descriptors(
        &self,
        watch: Option<&dyn Watch>,
        wake: Option<WakeHandle<'_>>,
        busy: Option<&File>,
        limit: Duration,
    ) -> io::Result<Option<ReadyDescriptors>> {
        let mut fds = vec![
            PollFd::new(&self.input, PollFlags::IN),
            PollFd::new(&self.resized, PollFlags::IN),
            PollFd::new(&self.continued, PollFlags::IN),
            PollFd::new(&self.ending, PollFlags::IN),
            PollFd::new(&self.interrupted, PollFlags::IN),
        ];
        let desk_fd = watch.and_then(Watch::wakeup_fd);
        for fd in [desk_fd, wake].into_iter().flatten() {
            fds.push(PollFd::from_borrowed_fd(fd, PollFlags::IN));
        }
        if let Some(output) = busy {
            fds.push(PollFd::new(output, PollFlags::OUT));
        }
        match poll(&mut fds, Timespec::try_from(limit).ok().as_ref()) {
            Ok(0) => return Ok(None),
            Ok(_) => {}
            // A signal: its descriptor is readable at the next poll.
            Err(Errno::INTR) => return Ok(Some(ReadyDescriptors::default())),
            Err(error) => return Err(error.into()),
        }
        let mut results = fds.iter().map(|fd| !fd.revents().is_empty());
        let mut next = || results.next().unwrap_or_default();
        Ok(Some(ReadyDescriptors {
            input: next(),
            resized: next(),
            continued: next(),
            ending: next(),
            interrupted: next(),
            desk: desk_fd.is_some() && next(),
            worker: wake.is_some() && next(),
            output: busy.is_some() && next(),
        }))
    }

    fn collect_events(&mut self, ready: &ReadyDescriptors) -> io::Result<Vec<SystemEvent>> {
        let mut events = Vec::new();
        if ready.input {
            self.read_input(&mut events)?;
        }
        if ready.continued && self.continued.drain() {
            events.push(SystemEvent::Continued);
        }
        if ready.resized && self.resized.drain() {
            events.push(SystemEvent::Resized);
        }
        if ready.desk {
            events.push(SystemEvent::DeskWakeup);
        }
        if ready.worker {
            events.push(SystemEvent::WorkerWakeup);
        }
        if ready.output {
            events.push(SystemEvent::Writable);
        }
        if ready.ending && self.ending.drain() {
            events.push(SystemEvent::Terminate);
        }
        if ready.interrupted && self.interrupted.drain() {
            events.push(SystemEvent::Terminate);
        }
        Ok(events)
    }

    /// Reads the available input, [`MAX_CHUNKS`] chunks at most, and adds its events.
    fn read_input(&mut self, events: &mut Vec<SystemEvent>) -> io::Result<()> {
        let mut chunk = vec![0; CHUNK_BYTES];
        for _ in 0..MAX_CHUNKS {
            match self.input.read(&mut chunk) {
                Ok(0) => events.push(SystemEvent::Terminate),
                Ok(bytes) => {
                    let decoded_events = self.decoder.feed(chunk.get(..bytes).unwrap_or_default());
                    events.extend(decoded_events.into_iter().map(SystemEvent::Decoded));
                    if self.has_more(Duration::ZERO) {
                        continue;
                    }
                }
                Err(error)
                    if matches!(error.kind(), io::ErrorKind::Interrupted | io::ErrorKind::WouldBlock) => {}
                // The terminal hung up.
                Err(error) if error.raw_os_error() == Some(Errno::IO.raw_os_error()) => {
                    events.push(SystemEvent::Terminate);
                }
                Err(error) => return Err(error),
            }
            break;
        }
        Ok(())
    }

    fn has_more(&self, within: Duration) -> bool {
        let mut fds = [PollFd::new(&self.input, PollFlags::IN)];
        let result = poll(&mut fds, Timespec::try_from(within).ok().as_ref());
        let [input_fd] = &fds;
        result.is_ok() && input_fd.revents().contains(PollFlags::IN)
    }

    /// Discards input that was not yet returned.
    pub(super) fn discard_input(&mut self) {
        self.decoder.clear();
        // A terminal that is gone has no input.
        let _ = tcflush(&self.input, QueueSelector::IFlush);
    }

    /// Discards input until none has come for a pause, or the limit has passed.
    pub(super) fn discard_until_quiet(&self, pause: Duration, limit: Duration) {
        let start = Instant::now();
        let mut chunk = [0; 256];
        while start.elapsed() < limit && self.has_more(pause) {
            // A terminal that is gone has no input.
            if !matches!((&self.input).read(&mut chunk), Ok(1..)) {
                break;
            }
        }
    }

    /// Discards the signals that arrived while another program had the terminal, except those that end this one. ^C was
    /// meant for that program.
    pub(super) fn forget_signals(&self) {
        self.resized.drain();
        self.continued.drain();
        self.interrupted.drain();
    }

    /// Reads outstanding replies for a short time, so that they do not reach the next reader.
    pub(super) fn drain_replies(&mut self) {
        for _ in 0..MAX_REPLY_CHUNKS {
            let mut events = Vec::new();
            if !self.has_more(REPLY_TIMEOUT) || self.read_input(&mut events).is_err() {
                return;
            }
            for event in events {
                if matches!(event, SystemEvent::Decoded(DecodedEvent::QueryReply) | SystemEvent::Terminate) {
                    return;
                }
            }
        }
    }

    /// Stops this process group, as ^Z does, until it is continued.
    pub(super) fn suspend_process(&self) -> io::Result<()> {
        self.continued.drain();
        kill_current_process_group(Signal::TSTP)?;
        // Another thread may be the one that stops, a little later. After the timeout, or if the wait fails, the program
        // just goes on.
        let mut fds = [PollFd::new(&self.continued, PollFlags::IN)];
        let _ = poll(&mut fds, Timespec::try_from(STOP_TIMEOUT).ok().as_ref());
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::EventSource;
    use crate::tty::SystemEvent;
    use signal_hook::consts::SIGINT;
    use signal_hook::low_level::raise;
    use std::fs::File;
    use std::os::fd::OwnedFd;
    use std::os::unix::net::UnixStream;
    use std::time::Duration;

    #[test]
    fn interrupt_in_the_editor_is_ignored() {
        let (_keyboard, input) = UnixStream::pair().unwrap();
        let mut source = EventSource::new(File::from(OwnedFd::from(input))).unwrap();
        raise(SIGINT).unwrap();
        source.forget_signals();
        assert!(source.wait_for_events(None, None, None, Duration::ZERO).unwrap().is_empty());
        raise(SIGINT).unwrap();
        let noticed = source.wait_for_events(None, None, None, Duration::from_secs(60)).unwrap();
        assert!(matches!(noticed[..], [SystemEvent::Terminate]), "{noticed:?}");
    }
}
