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
        let restore_state = RestoreState {
            input: input.try_clone()?,
            output: output.try_clone()?,
            settings: system::read_settings(input)?,
            leave: modes.leave_sequence(),
            owner: thread::current().id(),
        };
        let guard = Self { restore_state: Arc::new(restore_state), enter: modes.enter_sequence() };
        guard.reacquire()?;
        Ok(guard)
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
    let restore_state = TO_RESTORE.lock().unwrap_or_else(PoisonError::into_inner).take();
    if let Some(state) = restore_state {
        // A terminal that is gone needs no restoration, and no one could read a message.
        let _ = system::write(&state.output, &state.leave);
        system::restore_settings(&state.input, &state.settings);
    }
}

/// Returns whether this thread acquired the terminal.
fn is_owner() -> bool {
    match &*TO_RESTORE.lock().unwrap_or_else(PoisonError::into_inner) {
        Some(state) => state.owner == thread::current().id(),
        None => false,
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
        let default_hook = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            // A panic of another thread does not end the program.
            if is_owner() {
                restore_terminal();
            }
            default_hook(info);
        }));
    });
}
