//! Streams of an HTTP/2 connection, each with its own write timeout: one may stall while the socket flows.

use hyper::rt::Executor;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::time::{Instant, sleep_until};

tokio::task_local! {
    static READER: Arc<ReadProgress>;
}

/// Progress of the client in reading a stream.
#[derive(Default)]
pub(super) struct ReadProgress(Mutex<Option<Instant>>);

impl ReadProgress {
    /// Returns the progress of the current stream; `None` in HTTP/1.1, where the socket has the timeout.
    pub(super) fn current() -> Option<Arc<Self>> {
        READER.try_with(Arc::clone).ok()
    }

    /// Records that data is ready for the client.
    pub(super) fn mark_offered(&self) {
        self.set(Some(Instant::now()));
    }

    /// Records that the client has room for more.
    pub(super) fn mark_taken(&self) {
        self.set(None);
    }

    fn set(&self, since: Option<Instant>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = since;
    }

    /// Returns once the client has read nothing for `limit` to twice `limit`.
    async fn wait_until_stalled(&self, limit: Duration) {
        loop {
            let since = *self.0.lock().unwrap_or_else(PoisonError::into_inner);
            let now = Instant::now();
            let until = since.unwrap_or(now) + limit;
            if until <= now {
                return;
            }
            sleep_until(until).await;
        }
    }
}

/// Executor that drops a stream when its client stops reading.
#[derive(Clone)]
pub(super) struct StreamExecutor {
    pub(super) limit: Duration,
}

impl<F> Executor<F> for StreamExecutor
where
    F: Future + Send + 'static,
    F::Output: Send,
{
    fn execute(&self, stream: F) {
        let limit = self.limit;
        let reader = Arc::new(ReadProgress::default());
        tokio::spawn(READER.scope(reader.clone(), async move {
            // Dropping a stream resets it.
            tokio::select! {
                _ = stream => {}
                () = reader.wait_until_stalled(limit) => {}
            }
        }));
    }
}
