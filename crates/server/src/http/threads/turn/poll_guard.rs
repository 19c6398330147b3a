//! Guard of a waiting poll, by which the registry counts the polls of a worker.

use crate::http::threads::thread_state::ThreadState;
use std::sync::Arc;

/// Guard of a waiting poll for a turn.
pub(crate) struct PollGuard {
    threads: Arc<ThreadState>,
    worker: [String; 2],
}

impl PollGuard {
    pub(crate) fn new(threads: &Arc<ThreadState>, account: &str, process: &str) -> Self {
        let worker = [account, process].map(str::to_owned);
        threads.registry.begin_poll(&worker);
        Self { threads: threads.clone(), worker }
    }
}

impl Drop for PollGuard {
    fn drop(&mut self) {
        self.threads.registry.end_poll(&self.worker);
    }
}
