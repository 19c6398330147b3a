//! State of the routes of threads.

use super::turn::registry::TurnRegistry;
use crate::http::context::ServerContext;
use sayso_core::{Message, Problem, ProblemCode, limits};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// State of the routes of threads.
pub(in crate::http) struct ThreadState {
    pub(super) context: Arc<ServerContext>,
    pub(super) registry: TurnRegistry,
    /// Open streams of each account.
    streams: Arc<Mutex<HashMap<String, usize>>>,
}

/// Place of an open stream among those of its account.
pub(super) struct StreamPermit {
    streams: Arc<Mutex<HashMap<String, usize>>>,
    account: String,
}

impl Drop for StreamPermit {
    fn drop(&mut self) {
        let mut streams = self.streams.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = streams.get_mut(&self.account) {
            *count = count.saturating_sub(1);
            if *count == 0 {
                streams.remove(&self.account);
            }
        }
    }
}

impl ThreadState {
    pub(in crate::http) fn new(context: Arc<ServerContext>, registry: TurnRegistry) -> Self {
        Self { context, registry, streams: Arc::default() }
    }

    /// Opens a stream of an account.
    ///
    /// # Errors
    /// Fails if the account has too many open streams.
    pub(super) fn open_stream(&self, account: &str) -> Result<StreamPermit, Problem> {
        let mut streams = self.streams.lock().unwrap_or_else(PoisonError::into_inner);
        let count = streams.entry(account.to_owned()).or_default();
        if *count >= limits::ACCOUNT_STREAMS {
            let message = Message::StreamsFull.with([limits::ACCOUNT_STREAMS]);
            return Err(Problem::new(ProblemCode::TooManyRequests, message));
        }
        *count += 1;
        Ok(StreamPermit { streams: self.streams.clone(), account: account.to_owned() })
    }
}
