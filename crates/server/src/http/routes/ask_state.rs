//! State of the routes of asks.

use super::outcome_cache::OutcomeCache;
use crate::http::context::ServerContext;
use sayso_core::AccountQuota;
use sayso_dialects::{Dialect, DialectLimits};
use std::sync::Arc;

/// State of the routes that open asks and wait for their outcomes.
pub(crate) struct AskState {
    pub(in crate::http) context: Arc<ServerContext>,
    /// Limits on requests, from the server's settings.
    pub(crate) limits: DialectLimits,
    /// Dialect assumed for a request that matches several.
    pub(crate) dialect: Option<Dialect>,
    /// Quota on the asks of one account.
    pub(crate) quota: AccountQuota,
    pub(crate) outcomes: OutcomeCache,
}
