//! RAII guard of the terminal: raw mode and the alternate screen, restored in every case.

use super::modes::Modes;
use super::system::{self, Saved};
use std::fs::File;
use std::io;
use std::panic;
use std::sync::{Arc, Mutex, Once, PoisonError};
use std::thread::{self, ThreadId};

/// Data to restore the terminal.
#[derive(Debug)]
struct Debt {
    input: File,
    output: File,
    /// Settings of the terminal driver before.
    saved: Saved,
    leave: Vec<u8>,
    owner: ThreadId,
}

/// The terminal to restore. A process has one.
static DEBT: Mutex<Option<Arc<Debt>>> = Mutex::new(None);

/// A terminal in raw mode with the alternate screen. Dropping the guard restores it, and so does a panic.
#[derive(Debug)]
pub(super) struct Held {
    debt: Arc<Debt>,
    enter: Vec<u8>,
}

impl Held {
    /// Acquires the terminal.
    ///
    /// # Errors
    /// Fails if one of the files is not a terminal.
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

    /// Acquires the terminal again after it was restored or another program used it.
    pub(super) fn again(&self) -> io::Result<()> {
        *DEBT.lock().unwrap_or_else(PoisonError::into_inner) = Some(self.debt.clone());
        system::make_raw(&self.debt.input, &self.debt.saved)?;
        system::write(&self.debt.output, &self.enter)
    }
}

/// Restores the terminal if it is acquired.
pub(super) fn give_back() {
    let debt = DEBT.lock().unwrap_or_else(PoisonError::into_inner).take();
    if let Some(debt) = debt {
        // A lost terminal needs no restoration.
        let _ = system::write(&debt.output, &debt.leave);
        system::restore(&debt.input, &debt.saved);
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        give_back();
    }
}

/// Installs a panic hook, so that the panic message appears on the normal screen.
fn give_back_on_panic() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let before = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            let owner = DEBT.lock().unwrap_or_else(PoisonError::into_inner).as_ref().map(|debt| debt.owner);
            // A panic of another thread does not end the program.
            if owner == Some(thread::current().id()) {
                give_back();
            }
            before(info);
        }));
    });
}
