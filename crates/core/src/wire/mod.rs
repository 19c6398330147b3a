//! Canonical JSON of questionnaires, asks and outcomes. Stores, the network and the `sayso` dialect use it.
//!
//! **Invariant:** this is the only place that defines our own format. Every document that leaves a process contains
//! [`VERSION`]; golden files keep older documents readable.

pub mod answers;
pub mod ask;
pub mod command;
mod condition;
mod constraint;
pub mod example;
mod few;
pub mod json;
mod meant;
mod members;
mod option;
pub mod outcome;
pub mod problem;
mod question;
pub mod questionnaire;
mod reply;
pub mod schema;
mod words;

use crate::message::Message;
use crate::problem::{Code, Path, Problem};

/// The version of the format. A reader rejects a higher one.
pub const VERSION: u32 = 1;

/// Returns the problem of a document with a newer version.
fn version_problem(version: Option<u64>) -> Option<Problem> {
    let version = version.filter(|version| *version > u64::from(VERSION))?;
    let said = Message::VersionTooNew.with([version, u64::from(VERSION)]);
    Some(Problem::new(Code::InvalidValue, said).at(Path::root().then("sayso")))
}
