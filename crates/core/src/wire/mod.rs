//! The canonical JSON of questionnaires, asks and outcomes. Stores, the network and the `sayso` dialect use it.
//!
//! **Invariant:** this is the only place where our own format is written down. [`VERSION`] stands in every document
//! that leaves a process; golden files keep what was written readable.

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

/// The version of the format. A reader refuses a higher one.
pub const VERSION: u32 = 1;

/// What is wrong with a document that says it is of this version.
fn version_problem(version: Option<u64>) -> Option<Problem> {
    let version = version.filter(|version| *version > u64::from(VERSION))?;
    let said = Message::VersionTooNew.with([version, u64::from(VERSION)]);
    Some(Problem::new(Code::InvalidValue, said).at(Path::root().then("sayso")))
}
