//! Canonical JSON of questionnaires, asks and outcomes. Stores, the network and the `sayso` dialect use it.
//!
//! **Invariant:** this is the only place that defines our own format. Every document that leaves a process contains
//! [`VERSION`]; golden files keep older documents readable.

pub mod answers;
pub mod ask;
pub mod command;
pub mod hints;
pub mod json;
pub mod outcome;
pub mod problem;
pub mod questionnaire;
mod reply;
pub mod schema;

use crate::i18n::Message;
use crate::model::document_path::DocumentPath;
use crate::problem::{Problem, ProblemCode};

/// The version of the format. A reader rejects a higher one.
pub const VERSION: u32 = 1;

/// Returns the problem of a document with a newer version.
fn version_problem(version: Option<u64>) -> Option<Problem> {
    let version = version?;
    if version <= u64::from(VERSION) {
        return None;
    }
    let message = Message::VersionTooNew.with([version, u64::from(VERSION)]);
    Some(Problem::new(ProblemCode::InvalidValue, message).at(DocumentPath::root().join("sayso")))
}
