//! The canonical JSON of questionnaires, asks and outcomes. Stores, the network and the `sayso` dialect use it.
//!
//! **Invariant:** this is the only place where our own format is written down. [`VERSION`] stands in every document
//! that leaves a process; golden files keep what was written readable.

pub mod answers;
pub mod ask;
mod condition;
mod constraint;
pub mod json;
pub mod outcome;
mod question;
pub mod questionnaire;
mod reply;
pub mod schema;

/// The version of the format. A reader refuses a higher one.
pub const VERSION: u32 = 1;
