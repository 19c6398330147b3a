//! Gate before every handler: origin, caller, rate limits, and the budget for bodies.

use super::auth::OriginPolicy;
use super::authenticator::Authenticator;
use super::call::peer_key;
use super::caller::AuthenticatedCaller;
use super::rate_limit::{RateLimiter, rate_limit_problem};
use crate::diagnostics::log_event;
use crate::http::net::body_budget::BodyBudget;
use crate::http::net::exposure::{ClientAddress, PeerPolicy};
use crate::http::net::public_url::PublicUrl;
use axum::http::HeaderValue;
use axum::http::request::Parts;
use sayso_core::model::actor::Surface;
use sayso_core::{Problem, ProblemCode};
use sayso_desk::token::TokenRole;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Refusal of a request, and the time after which to retry.
pub(crate) struct RequestRefusal {
    pub(crate) problem: Box<Problem>,
    pub(crate) retry_after: Option<Duration>,
}

impl From<Problem> for RequestRefusal {
    fn from(problem: Problem) -> Self {
        Self { problem: Box::new(problem), retry_after: None }
    }
}

fn rate_refusal(after: Duration) -> RequestRefusal {
    RequestRefusal { problem: Box::new(rate_limit_problem(after)), retry_after: Some(after) }
}

/// Gate that every request passes before its handler.
pub(crate) struct RequestGate {
    pub(crate) origin_policy: OriginPolicy,
    /// Addresses that may connect.
    pub(crate) peers: PeerPolicy,
    /// True once the log has said that a proxy is not named.
    pub(crate) has_warned_of_proxy: AtomicBool,
    /// Address of the pages.
    pub(crate) public_url: PublicUrl,
    /// Header that makes browsers use TLS alone, if an operator wants it.
    pub(crate) strict_transport: Option<HeaderValue>,
    pub(crate) authenticator: Arc<Authenticator>,
    /// Rate limit on unknown tokens, by client address.
    pub(crate) token_limiter: RateLimiter,
    /// Rate limit on requests by account, if one is set.
    pub(crate) account_limiter: Option<RateLimiter>,
    /// Bytes available to request bodies in flight.
    pub(crate) body_budget: Arc<BodyBudget>,
}

impl RequestGate {
    /// Checks where a request comes from: its address, host and origin.
    ///
    /// # Errors
    /// Fails if the address may not connect or not name users, the host is unknown, or a page of a foreign origin made
    /// the request.
    pub(crate) fn check_origin(&self, parts: &Parts) -> Result<(), Problem> {
        let ClientAddress { peer, is_unnamed_proxy, .. } = self.peers.address(parts);
        self.peers.check(peer)?;
        if is_unnamed_proxy && !self.has_warned_of_proxy.swap(true, Ordering::Relaxed) {
            log_event!(WARN, Http, "requests come through a proxy that --trusted-proxy does not name");
        }
        self.authenticator.check_sign_in_headers(parts, peer)?;
        self.origin_policy.check(parts)
    }

    /// Authenticates a caller and applies rate limits. Repeated unknown tokens soon hit the address's limit. Known
    /// callers at the address are exempt, since others may share it.
    ///
    /// # Errors
    /// Fails if the caller is unknown or calls too often.
    pub(crate) fn authenticate(
        &self,
        parts: &Parts,
        from: ClientAddress,
    ) -> Result<AuthenticatedCaller, RequestRefusal> {
        let now = Instant::now();
        let mut caller = match self.authenticator.authenticate(parts) {
            Ok(caller) => caller,
            Err(problem) if problem.code == ProblemCode::Unauthorized => {
                self.token_limiter.take(&peer_key(from), now).map_err(rate_refusal)?;
                return Err(problem.into());
            }
            Err(problem) => return Err(problem.into()),
        };
        // That of a session's cookie is a page of this server.
        if caller.surface == Surface::Http {
            caller.surface = self.origin_policy.surface(&parts.headers);
        }
        self.take_call(&caller, now)?;
        Ok(caller)
    }

    /// Applies the rate limit of an account.
    fn take_call(&self, caller: &AuthenticatedCaller, now: Instant) -> Result<(), RequestRefusal> {
        match &self.account_limiter {
            Some(calls) if caller.role != TokenRole::Admin => {
                calls.take(&caller.account, now).map_err(rate_refusal)
            }
            Some(_) | None => Ok(()),
        }
    }
}
