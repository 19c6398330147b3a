//! The terminal: its modes, its frames, and one wait for all events. Only this module writes to it. It is restored on
//! drop, on a panic and on ^Z.

mod background;
#[cfg_attr(not(unix), expect(dead_code, reason = "the terminal library decodes there"))]
mod decoder;
mod emulator;
mod glass;
mod held;
mod modes;
#[cfg(not(unix))]
mod non_unix;
mod saying;
#[cfg(unix)]
mod unix;
mod waker;

pub use background::named as background;
pub use emulator::Emulator;
pub use modes::Modes;
pub use saying::Saying;
pub use system::{Wake, keyboard};
pub use waker::Waker;

use crate::input::unreadable;
use crate::screen::Input;
use decoder::Told;
use glass::Glass;
use held::Held;
#[cfg(not(unix))]
use non_unix as system;
use ratatui::{Frame, Terminal};
use sayso_core::{Code, Message, Problem};
use sayso_desk::Watch;
use std::fs::File;
use std::io;
use std::time::Duration;
#[cfg(unix)]
use unix as system;

/// Event that ended a wait.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Happening {
    /// Input of the person, or a new size of the screen.
    Input(Input),
    /// The desk may have changed: poll the watch. Without a wakeup descriptor this comes at the watch's poll interval,
    /// if nothing else does.
    Bell,
    /// A worker has a result.
    Woken,
    /// The program has to exit: a signal arrived, or the terminal is gone.
    Terminate,
    /// The terminal reported its background.
    Background {
        /// The background is dark.
        dark: bool,
    },
    /// The timeout expired.
    Idle,
}

/// Event of the operating system.
#[derive(Debug)]
enum Noticed {
    Told(Told),
    Bell,
    Woken,
    Resized,
    /// The process was stopped and continues.
    Continued,
    Ending,
}

/// An acquired terminal.
#[derive(Debug)]
pub struct Tty {
    screen: Terminal<Glass>,
    held: Held,
    source: system::Source,
    size: (u16, u16),
    asks: bool,
    /// A reply of the terminal is outstanding.
    owes: bool,
}

impl Tty {
    /// Acquires a terminal that reads from one file and draws on another; both may be the same. For `NO_COLOR` the
    /// caller passes a theme without colours; the output is not filtered.
    ///
    /// # Errors
    /// Fails if one of the files is not a terminal.
    pub fn open(input: &File, output: &File, modes: Modes) -> Result<Self, Problem> {
        // Crossterm would check NO_COLOR itself, and drop bold and reversed with the colours.
        crossterm::style::force_color_output(true);
        let open = || -> io::Result<Self> {
            let size = system::size(output);
            let source = system::Source::new(input.try_clone()?)?;
            let screen = Terminal::new(Glass::new(output.try_clone()?, modes.synchronized))?;
            let held = Held::take(input, output, modes)?;
            Ok(Self { screen, held, source, size, asks: modes.asks, owes: modes.asks })
        };
        open().map_err(|error| unwritable(&error))
    }

    /// Returns the size in columns and rows.
    pub const fn size(&self) -> (u16, u16) {
        self.size
    }

    /// Draws a frame. Writes nothing if nothing changes. The cursor is visible only if the frame sets it.
    ///
    /// # Errors
    /// Fails if the terminal is gone.
    pub fn draw(&mut self, render: impl FnOnce(&mut Frame<'_>)) -> Result<(), Problem> {
        let drawn = self.screen.draw(render).map(|_| ());
        drawn.and_then(|()| self.screen.backend_mut().send()).map_err(|error| unwritable(&error))
    }

    /// Draws the whole screen with the next frame, whatever it shows now.
    ///
    /// # Errors
    /// Fails if the terminal is gone.
    pub fn redraw(&mut self) -> Result<(), Problem> {
        self.screen.backend_mut().forget();
        self.screen.clear().map_err(|error| unwritable(&error))
    }

    /// Writes a control sequence: a notification, a title, the bell.
    ///
    /// # Errors
    /// Fails if the terminal is gone.
    pub fn say(&self, saying: &Saying) -> Result<(), Problem> {
        self.screen.backend().say(&saying.0).map_err(|error| unwritable(&error))
    }

    /// Waits for the next events and returns all that are available, at least one. Waits for `limit` at most, or up to
    /// a second longer for the rest of a key or a paste.
    ///
    /// # Errors
    /// Fails if the terminal cannot be read.
    pub fn wait(
        &mut self,
        watch: Option<&dyn Watch>,
        wake: Option<Wake<'_>>,
        limit: Duration,
    ) -> Result<Vec<Happening>, Problem> {
        loop {
            let noticed = self.source.next(watch, wake, limit).map_err(|error| unreadable(&error))?;
            if noticed.is_empty() {
                return Ok(vec![Happening::Idle]);
            }
            let mut happened = Vec::new();
            for noticed in noticed {
                happened.extend(self.happened(noticed)?);
            }
            // Some events are handled here.
            if !happened.is_empty() {
                return Ok(happened);
            }
        }
    }

    fn happened(&mut self, noticed: Noticed) -> Result<Option<Happening>, Problem> {
        Ok(Some(match noticed {
            Noticed::Told(Told::Input(input)) => Happening::Input(input),
            Noticed::Told(Told::Background { dark }) => Happening::Background { dark },
            Noticed::Told(Told::Answered) => {
                self.owes = false;
                return Ok(None);
            }
            Noticed::Bell => Happening::Bell,
            Noticed::Woken => Happening::Woken,
            Noticed::Ending => Happening::Terminate,
            Noticed::Resized => {
                let before = self.size;
                self.measure();
                return Ok((before != self.size).then(|| self.resized()));
            }
            Noticed::Continued => {
                self.take_again()?;
                self.resized()
            }
        }))
    }

    /// Runs `act` with the terminal restored, as an editor needs it. Then acquires it again, discards what was typed
    /// meanwhile, and redraws everything with the next frame.
    ///
    /// # Errors
    /// Fails if the terminal is gone.
    pub fn outside<T>(&mut self, act: impl FnOnce() -> T) -> Result<T, Problem> {
        self.give_back();
        let done = act();
        self.source.discard();
        self.source.forget_signals();
        self.take_again()?;
        Ok(done)
    }

    /// Suspends the program, as ^Z does in other programs, until it is continued. The screen may have another size
    /// then.
    ///
    /// # Errors
    /// Fails if the terminal is gone.
    pub fn suspend(&mut self) -> Result<(), Problem> {
        self.give_back();
        let stopped = self.source.stop();
        self.source.forget_signals();
        self.take_again()?;
        stopped.map_err(|error| unwritable(&error))
    }

    fn give_back(&mut self) {
        // The outstanding replies must not reach the next reader.
        if std::mem::take(&mut self.owes) {
            self.source.drop_answers();
        }
        held::give_back();
    }

    fn take_again(&mut self) -> Result<(), Problem> {
        self.held.again().map_err(|error| unwritable(&error))?;
        self.owes = self.asks;
        self.measure();
        self.redraw()
    }

    fn measure(&mut self) {
        self.size = self.screen.size().map_or(self.size, |size| (size.width, size.height));
    }

    const fn resized(&self) -> Happening {
        Happening::Input(Input::Resize(self.size.0, self.size.1))
    }
}

impl Drop for Tty {
    fn drop(&mut self) {
        self.give_back();
    }
}

/// Returns the problem of an unusable terminal.
fn unwritable(error: &io::Error) -> Problem {
    Problem::new(Code::NoTerminal, Message::OutputFailed.with([error.to_string()]))
}
