//! An outcome as JSON: the answer of the `sayso` dialect, with the version in front.

use super::{VERSION, json};
use crate::model::id::AskId;
use crate::model::outcome::Outcome;
use schemars::JsonSchema;
use serde::Serialize;

/// Outcome of an ask.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Outcome")]
pub(super) struct OutcomeDocument<'o> {
    /// The version of this format: 1.
    sayso: u32,
    /// The ask.
    ask: AskId,
    #[serde(flatten)]
    outcome: &'o Outcome,
}

/// Writes the outcome of an ask as one line of JSON.
pub fn write(ask: AskId, outcome: &Outcome) -> String {
    json::write(&OutcomeDocument { sayso: VERSION, ask, outcome })
}
