//! An outcome as JSON: the answer of the `sayso` dialect, with the version in front.

use super::{VERSION, json};
use crate::model::id::AskId;
use crate::model::outcome::Outcome;
use crate::model::questionnaire::Questionnaire;
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
    /// True if the answers give the consent that was asked for; omitted if none was.
    #[serde(skip_serializing_if = "Option::is_none")]
    approved: Option<bool>,
}

/// Writes the outcome of an ask as one line of JSON.
pub fn write(ask: AskId, questionnaire: &Questionnaire, outcome: &Outcome) -> String {
    let approved = match outcome {
        Outcome::Answered { replies, .. } => questionnaire.approval(replies),
        Outcome::Declined { .. } | Outcome::Cancelled { .. } | Outcome::Expired { .. } => None,
    };
    json::write(&OutcomeDocument { sayso: VERSION, ask, outcome, approved })
}
