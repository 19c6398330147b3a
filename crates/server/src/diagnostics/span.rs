//! Spans: what the lines within them are about.
//!
//! Each has the highest level, so that a filter does not take the fields from the lines that it lets through.

use super::RequestId;
use super::target::LogTarget;
use super::value::log_value;
use sayso_core::AskId;
use tracing::field::Empty;
use tracing::{Level, Span};

/// Returns the span of a request.
pub(crate) fn request_span(id: &RequestId) -> Span {
    tracing::span!(target: LogTarget::Request.path(), Level::ERROR, "request", request_id = log_value(id), ask = Empty)
}

/// Returns the span of a call of a tool.
pub(crate) fn tool_span(tool: &'static str) -> Span {
    tracing::span!(target: LogTarget::Mcp.path(), Level::ERROR, "tool_call", tool, ask = Empty)
}

/// Returns the span of a call to the desk.
pub(super) fn desk_span(call: &'static str) -> Span {
    tracing::span!(target: LogTarget::Desk.path(), Level::ERROR, "desk_call", call)
}

/// Adds the ask that a request or a call of a tool is about to its span.
pub(crate) fn record_ask(id: AskId) {
    Span::current().record("ask", log_value(&id));
}
