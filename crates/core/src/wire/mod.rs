//! Canonical JSON of questionnaires, asks and outcomes. Stores, the network and the `sayso` dialect use it.
//!
//! **Invariant:** this is the only place that defines our own format. Every document that leaves a process contains
//! [`VERSION`]; golden files keep older documents readable.

mod aliases;
pub mod answers;
pub mod ask;
pub mod command;
mod condition;
mod constraint;
pub mod example;
pub mod json;
mod members;
mod option;
pub mod outcome;
pub mod problem;
mod question;
pub mod questionnaire;
mod reply;
pub mod schema;
mod short_list;
mod text;

use crate::message::Message;
use crate::problem::{DocumentPath, Problem, ProblemCode};

/// The version of the format. A reader rejects a higher one.
pub const VERSION: u32 = 1;

/// Returns the problem of a document with a newer version.
fn version_problem(version: Option<u64>) -> Option<Problem> {
    let version = version.filter(|version| *version > u64::from(VERSION))?;
    let said = Message::VersionTooNew.with([version, u64::from(VERSION)]);
    Some(Problem::new(ProblemCode::InvalidValue, said).at(DocumentPath::root().join("sayso")))
}
