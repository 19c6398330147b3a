//! Requests: understood, built, and checked against our own limits.

use super::loose_wire::Request;
use super::{build, understand};
use crate::{Asking, Read, loose};
use sayso_core::Problem;

/// Reads a request: a schema alone, the operation's arguments or an interaction request (the spec's
/// `QuestionnaireSchema`, `{prompt?, schema, …}` and `InteractionRequest`).
///
/// # Errors
/// Everything that is wrong with it, each with its place: issues of its shape in the words of Zod 3, others in the
/// tool's.
pub fn read(text: &str) -> Result<Read, Vec<Problem>> {
    let request = loose::read::<Request>(text).map_err(|problem| vec![problem])?;
    let understood = understand::any_form(request)?;
    let questionnaire = build::questionnaire(&understood.request);
    let problems = questionnaire.problems();
    if !problems.is_empty() {
        return Err(problems);
    }
    let asking =
        Asking { time_limit_ms: Some(understood.request.time_limit_ms()), waits: understood.request.waits };
    let warnings = build::warnings(&understood.request, &understood.schema_at);
    Ok(Read { questionnaire, asking, warnings })
}
