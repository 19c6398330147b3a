//! Body of a request, read within a limit and a budget.

use crate::http::net::body::is_body_timeout;
use crate::http::net::body_budget::{BodyBudget, BudgetPermit};
use axum::body::{Bytes, HttpBody as _};
use axum::http::header::{self, HeaderMap};
use sayso_core::i18n::own;
use sayso_core::{Message, Problem, ProblemCode};
use std::future::poll_fn;
use std::pin::Pin;

/// Initial capacity of a body buffer, in bytes.
const FIRST_BUFFER_BYTES: usize = 16 << 10;

/// Size at which a body moves to a memory-mapped buffer, in bytes.
const MAP_THRESHOLD_BYTES: usize = 128 << 10;
/// Size of a memory-mapped buffer, in bytes. glibc maps allocations above 32 MiB and returns them to the system when
/// freed. Smaller ones stay in its heap, once one of their size has been freed
/// (<https://sourceware.org/glibc/manual/latest/html_node/Malloc-Tunable-Parameters.html>). Only pages that are
/// written take memory.
const MAPPED_BYTES: usize = 33 << 20;

/// Limit on a request body, and the budget that it is reserved from.
pub(crate) struct BodyLimit<'a> {
    /// Maximum size in bytes.
    pub(crate) max_bytes: usize,
    /// Account of the sender; empty without a known token.
    pub(crate) account: String,
    pub(crate) budget: &'a BodyBudget,
}

fn too_large(bytes: &str, max_bytes: usize) -> Problem {
    Problem::new(ProblemCode::TooLarge, Message::RequestTooLarge.with([own(bytes), own(max_bytes)]))
}

/// Reads the whole body, after reserving budget for its maximum size. Rejects a body by its `Content-Length` without
/// reading it.
pub(super) async fn read_body(
    headers: &HeaderMap,
    body: axum::body::Body,
    limit: &BodyLimit<'_>,
) -> Result<(Bytes, Option<BudgetPermit>), Problem> {
    let max_bytes = limit.max_bytes;
    let content_length: Option<usize> =
        headers.get(header::CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse().ok());
    if let Some(length) = content_length
        && length > max_bytes
    {
        return Err(too_large(&length.to_string(), max_bytes));
    }
    if body.is_end_stream() {
        return Ok((Bytes::new(), None));
    }
    let admission = limit.budget.acquire(&limit.account, content_length.unwrap_or(max_bytes)).await?;
    let bytes = collect_body(body, content_length, max_bytes).await?;
    Ok((bytes, Some(admission)))
}

/// Reads a body into a buffer that grows with the received bytes, not with the announced length.
async fn collect_body(
    mut body: axum::body::Body,
    content_length: Option<usize>,
    max_bytes: usize,
) -> Result<Bytes, Problem> {
    let mut buffer = Vec::with_capacity(content_length.unwrap_or(0).min(FIRST_BUFFER_BYTES));
    while let Some(frame) = poll_fn(|cx| Pin::new(&mut body).poll_frame(cx)).await {
        let frame = frame.map_err(|error| body_problem(&error))?;
        let Ok(data) = frame.into_data() else { continue };
        let length = buffer.len() + data.len();
        if length > max_bytes {
            return Err(too_large(&format!("> {max_bytes}"), max_bytes));
        }
        if length > MAP_THRESHOLD_BYTES && buffer.capacity() < MAPPED_BYTES {
            let mut mapped_buffer = Vec::new();
            // If the allocation fails, the buffer grows as usual.
            if mapped_buffer.try_reserve_exact(MAPPED_BYTES).is_ok() {
                mapped_buffer.extend_from_slice(&buffer);
                buffer = mapped_buffer;
            }
        }
        buffer.extend_from_slice(&data);
    }
    Ok(buffer.into())
}

/// Returns the problem of a body that did not come to its end.
fn body_problem(error: &axum::Error) -> Problem {
    let code = if is_body_timeout(error) { ProblemCode::BodyLate } else { ProblemCode::MissingRequest };
    Problem::new(code, Message::BodyCutOff)
}
