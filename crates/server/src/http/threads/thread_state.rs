//! State of the routes of threads.

use super::registry::TurnRegistry;
use crate::http::context::ServerContext;
use std::sync::Arc;
use std::time::Duration;

/// State of the routes of threads.
pub(in crate::http) struct ThreadState {
    pub(super) context: Arc<ServerContext>,
    pub(super) registry: TurnRegistry,
    /// Silence of an agent after which its turn ends with an error.
    pub(super) silence: Duration,
}

impl ThreadState {
    pub(in crate::http) const fn new(
        context: Arc<ServerContext>,
        registry: TurnRegistry,
        silence: Duration,
    ) -> Self {
        Self { context, registry, silence }
    }
}
