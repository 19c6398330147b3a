//! The streams of an HTTP/2 connection. One of them may stand still while the socket flows, so each has its own limit.

use hyper::rt::Executor;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::time::{Instant, sleep_until};

tokio::task_local! {
    static READER: Arc<Reader>;
}

/// Whether the client takes what a stream has for it.
#[derive(Default)]
pub(super) struct Reader(Mutex<Option<Instant>>);

impl Reader {
    /// The reader of the stream that runs this; none in HTTP/1.1, where the socket tells.
    pub(super) fn here() -> Option<Arc<Self>> {
        READER.try_with(Arc::clone).ok()
    }

    /// Something is there for it.
    pub(super) fn offered(&self) {
        self.set(Some(Instant::now()));
    }

    /// It has asked for more.
    pub(super) fn took(&self) {
        self.set(None);
    }

    fn set(&self, since: Option<Instant>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = since;
    }

    /// Returns when it has taken nothing for this long, or at most once more as long.
    async fn gone(&self, limit: Duration) {
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

/// Runs streams, each until its reader is gone.
#[derive(Clone)]
pub(super) struct Streams {
    pub(super) limit: Duration,
}

impl<F> Executor<F> for Streams
where
    F: Future + Send + 'static,
    F::Output: Send,
{
    fn execute(&self, stream: F) {
        let limit = self.limit;
        let reader = Arc::new(Reader::default());
        tokio::spawn(READER.scope(reader.clone(), async move {
            // Dropping a stream resets it.
            tokio::select! {
                _ = stream => {}
                () = reader.gone(limit) => {}
            }
        }));
    }
}
