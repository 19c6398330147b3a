//! Parts that every request passes: its log line, host and token, rate limit and body, and the form of its response.

pub(super) mod auth;
pub(super) mod authenticator;
pub(super) mod call;
pub(super) mod caller;
pub(super) mod embedded_consent;
pub(super) mod gate;
pub(super) mod problem_response;
pub(super) mod rate_exchange;
pub(super) mod rate_limit;
pub(super) mod request_body;
pub(super) mod request_log;
pub(super) mod response;
pub(super) mod revocation;
pub(super) mod static_file;
mod wait_time;
