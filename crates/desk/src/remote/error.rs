//! Problems of a remote desk, translated from the API's terms to those of the caller.

use sayso_core::model::document_path::PathStep;
use sayso_core::{DocumentPath, Message, Problem, ProblemCode, wire};
use serde_json::Value;

/// Converts a problem body of the API. Its hint and path then refer to the caller's arguments, not to the request
/// that was sent.
pub(super) fn parse_problem(value: &Value) -> Option<Problem> {
    let mut problem = wire::problem::read(value)?;
    problem.hint = match problem.code {
        ProblemCode::AskNotFound => Some(Message::SeeList.into()),
        ProblemCode::AskAnswered
        | ProblemCode::AskDeclined
        | ProblemCode::AskCancelled
        | ProblemCode::AskExpired
        | ProblemCode::AskSubmitted => problem.hint.map(|_| Message::TextKept.into()),
        _ => problem.hint,
    };
    rename_replies_step(&mut problem);
    let is_of_body = matches!(problem.path.0.as_slice(), [PathStep::Key(only)] if only == "timeout_ms");
    Some(if is_of_body { problem.at(DocumentPath::root()) } else { problem })
}

/// Renames the first step of the path from `replies` to `answers`.
fn rename_replies_step(problem: &mut Problem) {
    if let Some(PathStep::Key(first)) = problem.path.0.first_mut()
        && first == "replies"
    {
        *first = "answers".to_owned();
    }
    problem.causes.iter_mut().for_each(rename_replies_step);
}
