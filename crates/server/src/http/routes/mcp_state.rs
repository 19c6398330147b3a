//! State of MCP over HTTP: who asks, and how long a stream lasts.

use crate::http::context::ServerContext;
use crate::http::middleware::caller::AuthenticatedCaller;
use crate::http::middleware::response;
use crate::http::middleware::revocation::RevocationGuard;
use crate::mcp::McpAccount;
use crate::mcp::network::AccountServices;
use axum::body::Body;
use axum::http::header;
use axum::response::Response;
use futures_util::StreamExt as _;
use sayso_core::{AccountQuota, Message, Problem, ProblemCode};
use sayso_desk::token::TokenRole;
use std::sync::Arc;

/// State of the endpoint.
pub(in crate::http) struct McpState {
    pub(in crate::http) context: Arc<ServerContext>,
    pub(in crate::http) services: AccountServices,
    pub(in crate::http) quota: AccountQuota,
    /// Address of the pages.
    pub(in crate::http) public_url: String,
}

impl McpState {
    /// Returns the account that asks.
    ///
    /// # Errors
    /// Fails if the token is a person's.
    pub(super) fn account(&self, caller: &AuthenticatedCaller) -> Result<McpAccount, Problem> {
        if caller.effective_role(TokenRole::Asker) != TokenRole::Asker {
            return Err(Problem::new(ProblemCode::NotAllowed, Message::OnlyAskersAsk));
        }
        Ok(McpAccount {
            name: caller.account.clone(),
            quota: caller.ask_quota(self.quota),
            public_url: self.public_url.clone(),
            has_embedded_consent: self.context.embedded_consent.allows(&caller.account),
            audiences: caller.audience_choice(&self.context.default_audience),
            desk: self.context.desk.clone(),
        })
    }

    /// Ends an event stream with the credential or the server.
    pub(super) fn guard_stream(&self, reply: Response, guard: RevocationGuard) -> Response {
        match reply.headers().get(header::CONTENT_TYPE) {
            Some(media) if media.as_bytes().starts_with(b"text/event-stream") => {}
            _ => return reply,
        }
        let gauge_guard = self.context.metrics.count_stream();
        let closing = self.context.closing.clone();
        let end = Box::pin(async move {
            tokio::select! {
                () = guard.revoked() => {}
                () = closing.cancelled() => {}
            }
            drop(gauge_guard);
        });
        let (head, body) = reply.into_parts();
        let body = Body::from_stream(body.into_data_stream().take_until(end));
        response::as_stream(Response::from_parts(head, body))
    }
}
