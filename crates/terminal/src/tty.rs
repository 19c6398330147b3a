//! The terminal: its modes, its frames, and one wait for all events. Only this module writes to it. It is restored on
//! drop, on a panic and on ^Z.

mod background;
#[cfg_attr(not(unix), expect(dead_code, reason = "the terminal library decodes there"))]
mod decoder;
mod emulator;
mod input;
mod modes;
#[cfg(not(unix))]
mod non_unix;
mod osc;
mod output;
mod renderer;
#[cfg(unix)]
pub(crate) mod signals;
mod terminal_guard;
#[cfg(unix)]
mod unix;
mod waker;

pub use background::parse_colorfgbg as background;
pub use emulator::TerminalEmulator;
pub use input::{InputEvent, Key, KeyCode, MouseEvent, MouseKind};
pub use modes::TerminalModes;
pub use osc::ControlSequence;
pub use system::{WakeHandle, open_keyboard};
pub use waker::LoopWaker;

use decoder::DecodedEvent;
#[cfg(not(unix))]
use non_unix as system;
use output::TerminalOutput;
use ratatui::{Frame, Terminal};
use renderer::ScreenRenderer;
use sayso_core::i18n::own;
use sayso_core::{Message, Problem, ProblemCode};
use sayso_desk::Watch;
use std::fs::File;
use std::io;
use std::time::Duration;
use terminal_guard::TerminalGuard;
#[cfg(unix)]
use unix as system;

/// Pause in typing after which keys are meant for the next reader. A second press of a key comes sooner.
const STRAY_PAUSE: Duration = Duration::from_millis(200);

/// Longest time for which stray keys are discarded.
const STRAY_LIMIT: Duration = Duration::from_secs(2);

/// Event that ended a wait.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TtyEvent {
    /// Input of the person, or a new size of the screen.
    Input(InputEvent),
    /// The desk may have changed: poll the watch. Without a wakeup descriptor this comes at the watch's poll interval,
    /// if nothing else does.
    DeskWakeup,
    /// A worker has a result.
    WorkerWakeup,
    /// The program has to exit: a signal arrived, or the terminal is gone.
    Terminate,
    /// The terminal reported its background.
    Background {
        /// The background is dark.
        dark: bool,
    },
    /// The terminal has taken what it was sent: a frame that was dropped meanwhile can be drawn.
    OutputReady,
    /// The timeout expired.
    TimedOut,
}

/// Event of the operating system.
#[derive(Debug)]
enum SystemEvent {
    Decoded(DecodedEvent),
    DeskWakeup,
    WorkerWakeup,
    Resized,
    /// The process was stopped and continues.
    Continued,
    Terminate,
    Writable,
}

/// An acquired terminal.
#[derive(Debug)]
pub struct Tty {
    screen: Terminal<ScreenRenderer>,
    guard: TerminalGuard,
    source: system::EventSource,
    size: (u16, u16),
    sends_queries: bool,
    /// A reply of the terminal is outstanding.
    awaits_reply: bool,
}

impl Tty {
    /// Acquires a terminal that reads from one file and draws on another; both may be the same. For `NO_COLOR` the
    /// caller passes a theme without colours; the output is not filtered.
    ///
    /// # Errors
    /// Fails if one of the files is not a terminal.
    pub fn open(input: &File, output: &File, modes: TerminalModes) -> Result<Self, Problem> {
        // Crossterm would check NO_COLOR itself, and drop bold and reversed with the colours.
        crossterm::style::force_color_output(true);
        Self::acquire(input, output, modes).map_err(output_problem)
    }

    fn acquire(input: &File, output: &File, modes: TerminalModes) -> io::Result<Self> {
        let source = system::EventSource::new(input.try_clone()?)?;
        let renderer = ScreenRenderer::new(TerminalOutput::new(output)?, modes.synchronized);
        Ok(Self {
            size: system::size(output),
            source,
            screen: Terminal::new(renderer)?,
            guard: TerminalGuard::acquire(input, output, modes)?,
            sends_queries: modes.queries,
            awaits_reply: modes.queries,
        })
    }

    /// Returns the size in columns and rows.
    pub const fn size(&self) -> (u16, u16) {
        self.size
    }

    /// Draws a frame. Writes nothing if nothing changes. The cursor is visible only if the frame sets it. While the
    /// terminal has not taken the frame before, this one is dropped and not rendered; [`TtyEvent::OutputReady`] follows.
    ///
    /// # Errors
    /// Fails if the terminal is gone.
    pub fn draw(&mut self, render: impl FnOnce(&mut Frame<'_>)) -> Result<(), Problem> {
        if self.screen.backend().output.is_busy() {
            return Ok(());
        }
        self.screen.draw(render).map_err(output_problem)?;
        self.screen.backend_mut().write_frame().map_err(output_problem)
    }

    /// Draws the whole screen with the next frame, whatever it shows now.
    ///
    /// # Errors
    /// Fails if the terminal is gone.
    pub fn redraw(&mut self) -> Result<(), Problem> {
        self.screen.backend_mut().invalidate();
        self.screen.clear().map_err(output_problem)
    }

    /// Writes a control sequence: a notification, a title, the bell.
    ///
    /// # Errors
    /// Fails if the terminal is gone.
    pub fn write_sequence(&mut self, sequence: &ControlSequence) -> Result<(), Problem> {
        self.screen.backend_mut().output.write(&sequence.0).map_err(output_problem)
    }

    /// Waits for the next events and returns all that are available, at least one. Waits for `limit` at most, or up to
    /// a second longer for the rest of a key or a paste.
    ///
    /// # Errors
    /// Fails if the terminal cannot be read.
    pub fn wait_for_events(
        &mut self,
        watch: Option<&dyn Watch>,
        wake: Option<WakeHandle<'_>>,
        limit: Duration,
    ) -> Result<Vec<TtyEvent>, Problem> {
        loop {
            let output = &self.screen.backend().output;
            let busy_file = if output.is_busy() { Some(output.file()) } else { None };
            let system_events =
                self.source.wait_for_events(watch, wake, busy_file, limit).map_err(read_problem)?;
            if system_events.is_empty() {
                return Ok(vec![TtyEvent::TimedOut]);
            }
            let mut events = Vec::new();
            for system_event in system_events {
                events.extend(self.handle_system_event(system_event)?);
            }
            // Some events are handled here.
            if !events.is_empty() {
                return Ok(events);
            }
        }
    }

    fn handle_system_event(&mut self, event: SystemEvent) -> Result<Option<TtyEvent>, Problem> {
        Ok(Some(match event {
            SystemEvent::Decoded(DecodedEvent::Input(input)) => TtyEvent::Input(input),
            SystemEvent::Decoded(DecodedEvent::Background { dark }) => TtyEvent::Background { dark },
            SystemEvent::Decoded(DecodedEvent::QueryReply) => {
                self.awaits_reply = false;
                return Ok(None);
            }
            SystemEvent::DeskWakeup => TtyEvent::DeskWakeup,
            SystemEvent::WorkerWakeup => TtyEvent::WorkerWakeup,
            SystemEvent::Terminate => TtyEvent::Terminate,
            SystemEvent::Resized => {
                let earlier_size = self.size;
                self.update_size();
                if self.size == earlier_size {
                    return Ok(None);
                }
                self.resize_event()
            }
            SystemEvent::Writable => {
                let output = &mut self.screen.backend_mut().output;
                output.write_pending().map_err(output_problem)?;
                if output.is_busy() {
                    return Ok(None);
                }
                TtyEvent::OutputReady
            }
            SystemEvent::Continued => {
                self.reacquire()?;
                self.resize_event()
            }
        }))
    }

    /// Runs `act` with the terminal restored, as an editor needs it. Then acquires it again, discards what was typed
    /// meanwhile, and redraws everything with the next frame.
    ///
    /// # Errors
    /// Fails if the terminal is gone.
    pub fn run_outside<T>(&mut self, act: impl FnOnce() -> T) -> Result<T, Problem> {
        self.restore();
        let result = act();
        self.source.discard_input();
        self.source.forget_signals();
        self.reacquire()?;
        Ok(result)
    }

    /// Suspends the program, as ^Z does in other programs, until it is continued. The screen may have another size
    /// then.
    ///
    /// # Errors
    /// Fails if the terminal is gone.
    pub fn suspend(&mut self) -> Result<(), Problem> {
        self.restore();
        let result = self.source.suspend_process();
        self.source.forget_signals();
        self.reacquire()?;
        result.map_err(output_problem)
    }

    /// Discards what is typed until nothing came for a moment, so that it does not reach the next reader.
    pub fn discard_stray_keys(&self) {
        self.source.discard_until_quiet(STRAY_PAUSE, STRAY_LIMIT);
    }

    fn restore(&mut self) {
        // The outstanding replies must not reach the next reader.
        if std::mem::take(&mut self.awaits_reply) {
            self.source.drain_replies();
        }
        // Half a control sequence would take the beginning of the next. A terminal that is gone needs no restoration.
        let _ = self.screen.backend_mut().output.finish();
        terminal_guard::restore_terminal();
    }

    fn reacquire(&mut self) -> Result<(), Problem> {
        self.guard.reacquire().map_err(output_problem)?;
        self.awaits_reply = self.sends_queries;
        self.update_size();
        self.redraw()
    }

    fn update_size(&mut self) {
        if let Ok(size) = self.screen.size() {
            self.size = (size.width, size.height);
        }
    }

    const fn resize_event(&self) -> TtyEvent {
        TtyEvent::Input(InputEvent::Resize(self.size.0, self.size.1))
    }
}

impl Drop for Tty {
    fn drop(&mut self) {
        self.restore();
    }
}

/// Returns the problem of an unusable terminal.
fn output_problem(error: io::Error) -> Problem {
    Problem::new(ProblemCode::NoTerminal, Message::OutputFailed.with([own(error)]))
}

/// Returns the problem for an unreadable input.
pub(crate) fn read_problem(error: io::Error) -> Problem {
    Problem::new(ProblemCode::UnreadableFile, Message::InputFailed.with([own(error)]))
}
