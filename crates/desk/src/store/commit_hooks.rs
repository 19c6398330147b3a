//! Hooks that run after each commit.

use crate::CommitHook;
use std::sync::{Arc, Mutex, PoisonError};

/// Commit hooks of this process, in the order of their addition.
#[derive(Default)]
pub(crate) struct CommitHooks(Mutex<Arc<Vec<CommitHook>>>);

impl CommitHooks {
    pub(crate) fn add(&self, hook: CommitHook) {
        Arc::make_mut(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner)).push(hook);
    }

    /// Runs every hook, without the lock: a hook may commit, or add another one.
    pub(crate) fn run_all(&self) {
        let hooks = self.0.lock().unwrap_or_else(PoisonError::into_inner).clone();
        hooks.iter().for_each(|hook| hook());
    }
}
