//! Interrupts: their requests and decisions, and the spec's vectors.

mod decisions;
mod properties;
mod requests;
mod typed_answers;
mod vectors;

use sayso_core::Problem;
use sayso_dialects::{Dialect, DialectLimits, ParsedRequest};

/// Reads a request without an operator's limits.
fn read(text: &str) -> Result<ParsedRequest, Vec<Problem>> {
    Dialect::Interrupt.read(text, &DialectLimits::default())
}
