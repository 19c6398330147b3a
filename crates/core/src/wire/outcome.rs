//! An outcome as JSON: the answer of the `sayso` dialect, with the version in front.

use super::{VERSION, json};
use crate::id::AskId;
use crate::outcome::Outcome;
use serde::Serialize;

#[derive(Serialize)]
struct Document<'o> {
    sayso: u32,
    ask: AskId,
    #[serde(flatten)]
    outcome: &'o Outcome,
}

/// The outcome of an ask as one line of JSON.
pub fn write(ask: AskId, outcome: &Outcome) -> String {
    json::write(&Document { sayso: VERSION, ask, outcome })
}
