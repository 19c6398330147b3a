//! RAII guard of the terminal: raw mode and the alternate screen, restored in every case.

use super::modes::TerminalModes;
use super::system::{self, DriverSettings};
use std::fs::File;
use std::io;
use std::panic;
use std::sync::{Arc, Mutex, Once, PoisonError};
use std::thread::{self, ThreadId};

/// Data to restore the terminal.
#[derive(Debug)]
struct RestoreState {
    input: File,
    output: File,
    /// Settings of the terminal driver before.
    settings: DriverSettings,
    leave: Vec<u8>,
    owner: ThreadId,
}

/// The terminal to restore. A process has one.
static TO_RESTORE: Mutex<Option<Arc<RestoreState>>> = Mutex::new(None);

/// A terminal in raw mode with the alternate screen. Dropping the guard restores it, and so does a panic.
#[derive(Debug)]
pub(super) struct TerminalGuard {
    restore_state: Arc<RestoreState>,
    enter: Vec<u8>,
}

impl TerminalGuard {
    /// Acquires the terminal.
    ///
    /// # Errors
    /// Fails if one of the files is not a terminal.
    pub(super) fn acquire(input: &File, output: &File, modes: TerminalModes) -> io::Result<Self> {
        install_panic_hook();
        let (input, output) = (input.try_clone()?, output.try_clone()?);
        let saved = system::read_settings(&input)?;
        let owner = thread::current().id();
        let debt =
            Arc::new(RestoreState { input, output, settings: saved, leave: modes.leave_sequence(), owner });
        let held = Self { restore_state: debt, enter: modes.enter_sequence() };
        held.reacquire()?;
        Ok(held)
    }

    /// Acquires the terminal again after it was restored or another program used it.
    pub(super) fn reacquire(&self) -> io::Result<()> {
        *TO_RESTORE.lock().unwrap_or_else(PoisonError::into_inner) = Some(self.restore_state.clone());
        system::make_raw(&self.restore_state.input, &self.restore_state.settings)?;
        system::write(&self.restore_state.output, &self.enter)
    }
}

/// Restores the terminal if it is acquired.
pub(super) fn restore_terminal() {
    let debt = TO_RESTORE.lock().unwrap_or_else(PoisonError::into_inner).take();
    if let Some(debt) = debt {
        // A terminal that is gone needs no restoration, and no one could read a message.
        let _ = system::write(&debt.output, &debt.leave);
        system::restore_settings(&debt.input, &debt.settings);
    }
}

impl Drop for TerminalGuard {
    fn drop(&mut self) {
        restore_terminal();
    }
}

/// Installs a panic hook, so that the panic message appears on the normal screen.
fn install_panic_hook() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let before = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            let owner =
                TO_RESTORE.lock().unwrap_or_else(PoisonError::into_inner).as_ref().map(|debt| debt.owner);
            // A panic of another thread does not end the program.
            if owner == Some(thread::current().id()) {
                restore_terminal();
            }
            before(info);
        }));
    });
}
