//! Blocking desk calls that don't stall the async runtime.

use crate::diagnostics::{DeskCall, LoggedError, log_event};
use sayso_core::i18n::own;
use sayso_core::{Message, Problem, ProblemCode};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use tokio::runtime::{Handle, RuntimeFlavor};
use tokio::sync::Semaphore;
use tokio::task::{block_in_place, spawn_blocking};

/// Runner of blocking calls, of which a limited number is in flight at once.
#[derive(Debug, Clone)]
pub(crate) struct BlockingCalls {
    threads: Arc<Semaphore>,
    limit: usize,
}

impl BlockingCalls {
    /// Creates a runner of at most `limit` calls at once, each on a thread. Further calls wait for one of them.
    pub(crate) fn new(limit: usize) -> Self {
        Self { threads: Arc::new(Semaphore::new(limit)), limit }
    }

    /// Runs blocking work in place if no other call is in flight, else on the blocking pool, and logs it as `call`.
    ///
    /// In place saves two thread switches, about the time of one fsync. Only one call at a time blocks a worker, so
    /// that another worker is free for the other tasks.
    ///
    /// # Errors
    /// Returns the error of the work, or [`ProblemCode::DeskFailed`] if it panics.
    pub(crate) async fn run<T, E>(
        &self,
        call: DeskCall,
        work: impl FnOnce() -> Result<T, E> + Send + 'static,
    ) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<Problem> + LoggedError + Send + 'static,
    {
        // The semaphore is never closed.
        let Ok(thread) = self.threads.clone().acquire_owned().await else {
            return Err(call_failed("it is closed").into());
        };
        let is_alone = self.threads.available_permits() + 1 == self.limit;
        let work = move || {
            // Held by the work itself: a caller that goes away does not end it.
            let _thread = thread;
            call.run(work)
        };
        if is_alone && Handle::current().runtime_flavor() == RuntimeFlavor::MultiThread {
            return match catch_unwind(AssertUnwindSafe(|| block_in_place(work))) {
                Ok(result) => result,
                Err(_) => Err(call_failed("it broke off").into()),
            };
        }
        match spawn_blocking(work).await {
            Ok(result) => result,
            Err(error) => Err(call_failed(&error.to_string()).into()),
        }
    }
}

fn call_failed(cause: &str) -> Problem {
    log_event!(ERROR, Desk, "desk call panicked");
    Problem::new(ProblemCode::DeskFailed, Message::DeskFailed.with([own(cause)]))
}
