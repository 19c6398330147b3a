//! Threads for blocking calls to the desk.

use super::DESK_THREADS;
use super::error::CallError;
use crate::diagnostics::{DeskCall, LoggedError, log_event};
use tokio::sync::Semaphore;

/// Runs blocking work on the blocking pool, at most [`DESK_THREADS`] at a time.
///
/// # Errors
/// Returns the error of the work itself.
pub(super) async fn run_on_desk_thread<T, E>(
    work: impl FnOnce() -> Result<T, E> + Send + 'static,
) -> Result<T, CallError>
where
    T: Send + 'static,
    E: Into<CallError> + LoggedError + Send + 'static,
{
    static THREADS: Semaphore = Semaphore::const_new(DESK_THREADS);
    let call = DeskCall::new(&work);
    let Ok(thread) = THREADS.acquire().await else { return Err(CallError::CallerGone) };
    let work = move || {
        let _thread = thread;
        call.run(work)
    };
    match tokio::task::spawn_blocking(work).await {
        Ok(done) => done.map_err(Into::into),
        Err(_) => {
            log_event!(ERROR, Mcp, "desk call panicked");
            Err(CallError::CallerGone)
        }
    }
}
