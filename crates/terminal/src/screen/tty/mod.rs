//! The terminal itself: its modes, frames, and all that is waited for together. Only this module knows what speaks to
//! it, and everything is put back when it is dropped, on a panic and on ^Z.

mod background;
#[cfg_attr(not(unix), expect(dead_code, reason = "the terminal library decodes there"))]
mod decoder;
#[cfg(not(unix))]
mod elsewhere;
mod emulator;
mod glass;
mod held;
mod modes;
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
#[cfg(not(unix))]
use elsewhere as system;
use glass::Glass;
use held::Held;
use ratatui::{Frame, Terminal};
use sayso_core::{Code, Message, Problem};
use sayso_desk::Watch;
use std::fs::File;
use std::io;
use std::time::Duration;
#[cfg(unix)]
use unix as system;

/// What ended a wait.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Happening {
    /// A person did something, or the screen has another size.
    Input(Input),
    /// Something may have happened at the desk: ask the watch. Where the desk has no bell this comes at the watch's
    /// pace, whenever nothing else comes.
    Bell,
    /// A worker has something.
    Woken,
    /// The program is to end: by a signal, or because the terminal has gone.
    Terminate,
    /// The terminal has told its background.
    Background {
        /// Whether it is dark.
        dark: bool,
    },
    /// Nothing happened in the time given.
    Idle,
}

/// What the system has noticed.
#[derive(Debug)]
enum Noticed {
    Told(Told),
    Bell,
    Woken,
    Resized,
    /// The process was stopped by somebody and goes on.
    Continued,
    Ending,
}

/// A terminal that shows a screen of ours.
#[derive(Debug)]
pub struct Tty {
    screen: Terminal<Glass>,
    held: Held,
    source: system::Source,
    size: (u16, u16),
    asks: bool,
    /// The terminal owes an answer.
    owes: bool,
}

impl Tty {
    /// Takes a terminal: reads from one file and draws on another, which may both be the same one. Whoever set `NO_COLOR`
    /// gets a theme without colours from the caller; what is drawn goes out as it is.
    ///
    /// # Errors
    /// When one of them is no terminal.
    pub fn open(input: &File, output: &File, modes: Modes) -> Result<Self, Problem> {
        // It would otherwise look for NO_COLOR itself, and take bold and reversed away with the colours.
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

    /// Columns and rows.
    pub const fn size(&self) -> (u16, u16) {
        self.size
    }

    /// Draws a frame. Nothing is written where nothing changes. The cursor is seen where the frame sets it, else not.
    ///
    /// # Errors
    /// When the terminal has gone.
    pub fn draw(&mut self, render: impl FnOnce(&mut Frame<'_>)) -> Result<(), Problem> {
        let drawn = self.screen.draw(render).map(|_| ());
        drawn.and_then(|()| self.screen.backend_mut().send()).map_err(|error| unwritable(&error))
    }

    /// The next frame draws everything anew, whatever stands on the screen.
    ///
    /// # Errors
    /// When the terminal has gone.
    pub fn redraw(&mut self) -> Result<(), Problem> {
        self.screen.backend_mut().forget();
        self.screen.clear().map_err(|error| unwritable(&error))
    }

    /// Says something to the terminal beside its screen: a notice, a title, the bell.
    ///
    /// # Errors
    /// When the terminal has gone.
    pub fn say(&self, saying: &Saying) -> Result<(), Problem> {
        self.screen.backend().say(&saying.0).map_err(|error| unwritable(&error))
    }

    /// What happens next: all that is there already, at least one. It waits for `limit` at most (a second longer
    /// at most where a key or a paste has come in part).
    ///
    /// # Errors
    /// When the terminal cannot be read.
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
            // Some of it concerns nobody else.
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

    /// Does something while the terminal is as it was before, as an editor wants it. Then the screen is ours again, what
    /// was typed meanwhile is forgotten, and the next frame draws everything.
    ///
    /// # Errors
    /// When the terminal has gone.
    pub fn outside<T>(&mut self, act: impl FnOnce() -> T) -> Result<T, Problem> {
        self.give_back();
        let done = act();
        self.source.discard();
        self.source.forget_signals();
        self.take_again()?;
        Ok(done)
    }

    /// Stops the program as ^Z does elsewhere, until somebody continues it. The screen may have another size then.
    ///
    /// # Errors
    /// When the terminal has gone.
    pub fn suspend(&mut self) -> Result<(), Problem> {
        self.give_back();
        let stopped = self.source.stop();
        self.source.forget_signals();
        self.take_again()?;
        stopped.map_err(|error| unwritable(&error))
    }

    fn give_back(&mut self) {
        // Its answers are not for whoever reads next.
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

/// The problem of a terminal that cannot be used.
fn unwritable(error: &io::Error) -> Problem {
    Problem::new(Code::NoTerminal, Message::OutputFailed.with([error.to_string()]))
}
