//! What may wait for the disk, aside from the threads that serve.

use sayso_core::{Code, Message, Problem};

/// Does something on a thread that may wait.
///
/// # Errors
/// What the work says.
pub(crate) async fn aside<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Problem> + Send + 'static,
) -> Result<T, Problem> {
    let broke = |error: tokio::task::JoinError| {
        Problem::new(Code::DeskFailed, Message::DeskFailed.with([error.to_string()]))
    };
    tokio::task::spawn_blocking(work).await.map_err(broke)?
}
