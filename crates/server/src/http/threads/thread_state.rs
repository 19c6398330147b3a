//! State of the routes of threads.

use super::turn::registry::TurnRegistry;
use crate::http::context::ServerContext;
use sayso_core::{Message, Problem, ProblemCode, limits};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// State of the routes of threads.
pub(in crate::http) struct ThreadState {
    pub(super) context: Arc<ServerContext>,
    pub(super) registry: TurnRegistry,
    pub(super) streams: StreamLimiter,
}

impl ThreadState {
    pub(in crate::http) fn new(context: Arc<ServerContext>, registry: TurnRegistry) -> Self {
        Self { context, registry, streams: StreamLimiter::new(limits::ACCOUNT_STREAMS) }
    }
}

/// Limiter of the open streams of each account.
pub(super) struct StreamLimiter {
    limit: usize,
    open: Arc<Mutex<HashMap<String, usize>>>,
}

/// Place of an open stream among those of its account.
pub(super) struct StreamPermit {
    open: Arc<Mutex<HashMap<String, usize>>>,
    account: String,
}

fn lock(open: &Mutex<HashMap<String, usize>>) -> MutexGuard<'_, HashMap<String, usize>> {
    open.lock().unwrap_or_else(PoisonError::into_inner)
}

impl StreamLimiter {
    fn new(limit: usize) -> Self {
        Self { limit, open: Arc::default() }
    }

    /// Opens a stream of an account.
    ///
    /// # Errors
    /// Fails if the account has too many open streams.
    pub(super) fn acquire(&self, account: &str) -> Result<StreamPermit, Problem> {
        let mut open = lock(&self.open);
        let count = open.entry(account.to_owned()).or_default();
        if *count >= self.limit {
            let message = Message::StreamsFull.with([self.limit]);
            return Err(Problem::new(ProblemCode::TooManyRequests, message));
        }
        *count += 1;
        Ok(StreamPermit { open: self.open.clone(), account: account.to_owned() })
    }
}

impl Drop for StreamPermit {
    fn drop(&mut self) {
        let mut open = lock(&self.open);
        if let Some(count) = open.get_mut(&self.account) {
            *count = count.saturating_sub(1);
            if *count == 0 {
                open.remove(&self.account);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::StreamLimiter;

    #[test]
    fn streams_of_account_are_bounded() {
        let limiter = StreamLimiter::new(2);
        let (first, _second) = (limiter.acquire("ada").unwrap(), limiter.acquire("ada").unwrap());
        assert!(limiter.acquire("ada").is_err());
        assert!(limiter.acquire("ben").is_ok());
        drop(first);
        assert!(limiter.acquire("ada").is_ok());
    }
}
