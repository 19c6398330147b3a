//! Interrupts: their requests and decisions, and the spec's vectors.

mod decisions;
mod properties;
mod requests;
mod typed_answers;
mod vectors;
