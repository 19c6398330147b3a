//! Blocking desk calls that don't stall the async runtime.

use crate::diagnostics::log_event;
use sayso_core::{Message, Problem, ProblemCode};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use tokio::runtime::{Handle, RuntimeFlavor};
use tokio::task::{block_in_place, spawn_blocking};

/// Number of blocking calls in flight.
static IN_FLIGHT: AtomicUsize = AtomicUsize::new(0);

/// Guard that counts one blocking call until it is dropped.
struct InFlightGuard;

impl InFlightGuard {
    /// Counts a call, and returns whether it is the only one in flight.
    fn enter() -> (Self, bool) {
        (Self, IN_FLIGHT.fetch_add(1, Ordering::AcqRel) == 0)
    }
}

impl Drop for InFlightGuard {
    fn drop(&mut self) {
        IN_FLIGHT.fetch_sub(1, Ordering::AcqRel);
    }
}

/// Runs blocking work in place if no other blocking call is in flight, else on the blocking pool.
///
/// In place saves two thread switches, about the time of one fsync. Only one call at a time blocks a worker, so that
/// another worker is free for the other tasks.
///
/// # Errors
/// Returns the error of the work, or [`ProblemCode::DeskFailed`] if it panics.
pub(crate) async fn run_blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Problem> + Send + 'static,
) -> Result<T, Problem> {
    let (at_work, is_alone) = InFlightGuard::enter();
    let work = move || {
        let _at_work = at_work;
        work()
    };
    if is_alone && Handle::current().runtime_flavor() == RuntimeFlavor::MultiThread {
        return catch_unwind(AssertUnwindSafe(|| block_in_place(work)))
            .unwrap_or_else(|_| Err(call_failed("it broke off")));
    }
    spawn_blocking(work).await.map_err(|error| call_failed(&error.to_string()))?
}

fn call_failed(cause: &str) -> Problem {
    log_event!(ERROR, Desk, "desk call panicked");
    Problem::new(ProblemCode::DeskFailed, Message::DeskFailed.with([cause]))
}
