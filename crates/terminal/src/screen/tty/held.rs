//! A terminal that is ours for a while, and is given back whatever happens.

use super::modes::Modes;
use super::system::{self, Saved};
use std::fs::File;
use std::io;
use std::panic;
use std::sync::{Arc, Mutex, Once, PoisonError};
use std::thread::{self, ThreadId};

/// What is needed to give a terminal back.
#[derive(Debug)]
struct Debt {
    input: File,
    output: File,
    /// How its driver was set before.
    saved: Saved,
    leave: Vec<u8>,
    owner: ThreadId,
}

/// The terminal that is to be given back. A process has one.
static DEBT: Mutex<Option<Arc<Debt>>> = Mutex::new(None);

/// A terminal in raw mode, with its whole screen ours. Dropping it gives it back, and so does a panic.
#[derive(Debug)]
pub(super) struct Held {
    debt: Arc<Debt>,
    enter: Vec<u8>,
}

impl Held {
    /// Takes the terminal.
    ///
    /// # Errors
    /// When one of the files is no terminal.
    pub(super) fn take(input: &File, output: &File, modes: Modes) -> io::Result<Self> {
        give_back_on_panic();
        let (input, output) = (input.try_clone()?, output.try_clone()?);
        let saved = system::save(&input)?;
        let owner = thread::current().id();
        let debt = Arc::new(Debt { input, output, saved, leave: modes.leave(), owner });
        let held = Self { debt, enter: modes.enter() };
        held.again()?;
        Ok(held)
    }

    /// Takes it once more, after it was given back or somebody else had it.
    pub(super) fn again(&self) -> io::Result<()> {
        *DEBT.lock().unwrap_or_else(PoisonError::into_inner) = Some(self.debt.clone());
        system::make_raw(&self.debt.input, &self.debt.saved)?;
        system::write(&self.debt.output, &self.enter)
    }
}

/// Gives the terminal back, where one is held.
pub(super) fn give_back() {
    let debt = DEBT.lock().unwrap_or_else(PoisonError::into_inner).take();
    if let Some(debt) = debt {
        // A terminal that has gone needs nothing back.
        let _ = system::write(&debt.output, &debt.leave);
        system::restore(&debt.input, &debt.saved);
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        give_back();
    }
}

/// The words of a panic are then on the usual screen, where they stay.
fn give_back_on_panic() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let before = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            let owner = DEBT.lock().unwrap_or_else(PoisonError::into_inner).as_ref().map(|debt| debt.owner);
            // Another thread's end does not end the program.
            if owner == Some(thread::current().id()) {
                give_back();
            }
            before(info);
        }));
    });
}
