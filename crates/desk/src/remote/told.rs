//! Problems of a remote desk, translated from the API's terms to those of the caller.

use sayso_core::problem::Step;
use sayso_core::{Code, Message, Path, Problem, wire};
use serde_json::Value;

/// Converts a problem body. The hint and the path then fit what the caller passed in.
pub(super) fn problem(value: &Value) -> Option<Problem> {
    let mut problem = wire::problem::read(value)?;
    problem.hint = match problem.code {
        Code::AskNotFound => Some(Message::SeeList.into()),
        Code::AskAnswered
        | Code::AskDeclined
        | Code::AskCancelled
        | Code::AskExpired
        | Code::AskSubmitted => problem.hint.map(|_| Message::TextKept.into()),
        _ => problem.hint,
    };
    in_answers(&mut problem);
    let is_of_body = matches!(problem.path.0.as_slice(), [Step::Key(only)] if only == "timeout_ms");
    Some(if is_of_body { problem.at(Path::root()) } else { problem })
}

/// Renames the first step of the path from `replies` to `answers`.
fn in_answers(problem: &mut Problem) {
    if let Some(Step::Key(first)) = problem.path.0.first_mut()
        && first == "replies"
    {
        *first = "answers".to_owned();
    }
    problem.causes.iter_mut().for_each(in_answers);
}
