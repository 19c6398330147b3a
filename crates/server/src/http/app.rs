//! State of the server: the state of each feature, of which a handler takes what it needs.

use super::context::ServerContext;
use super::interaction::interaction_state::InteractionState;
use super::login::LoginState;
use super::metrics::ask_counters::AskCounters;
use super::middleware::gate::RequestGate;
use super::openapi::ApiDocuments;
use super::routes::ask_state::AskState;
use super::routes::mcp_state::McpState;
use super::threads::ThreadState;
use std::sync::Arc;

/// State of the server. No feature knows it: each has a state of its own.
pub(super) struct AppState {
    pub(super) context: Arc<ServerContext>,
    pub(super) gate: Arc<RequestGate>,
    pub(super) asks: Arc<AskState>,
    pub(super) mcp: Arc<McpState>,
    pub(super) interactions: Arc<InteractionState>,
    pub(super) threads: Arc<ThreadState>,
    pub(super) logins: Arc<LoginState>,
    pub(super) counters: Arc<AskCounters>,
    pub(super) documents: Arc<ApiDocuments>,
}

/// Part of the server's state that a handler takes.
pub(super) trait HandlerState {
    /// Returns the part.
    fn from_app(app: &AppState) -> Self;
}

/// Handlers of constant pages take none.
impl HandlerState for () {
    fn from_app(_: &AppState) -> Self {}
}

impl<A: HandlerState, B: HandlerState> HandlerState for (A, B) {
    fn from_app(app: &AppState) -> Self {
        (A::from_app(app), B::from_app(app))
    }
}

/// Lets handlers take the parts of the state in these fields.
macro_rules! parts {
    ($($field:ident: $part:ty),* $(,)?) => {
        $(impl HandlerState for Arc<$part> {
            fn from_app(app: &AppState) -> Self {
                app.$field.clone()
            }
        })*
    };
}

parts! {
    context: ServerContext,
    asks: AskState,
    mcp: McpState,
    interactions: InteractionState,
    threads: ThreadState,
    logins: LoginState,
    counters: AskCounters,
    documents: ApiDocuments,
}
