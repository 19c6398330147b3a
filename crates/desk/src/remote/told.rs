//! Problems as a desk on the network tells of them: to those who speak HTTP, in the words of the bodies that go there.

use sayso_core::problem::Step;
use sayso_core::{Code, Message, Path, Problem, wire};
use serde_json::Value;

/// A problem of a reply, with what to do about it here and the place in what was given here.
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

/// The same place where the answers are not called `replies`.
fn in_answers(problem: &mut Problem) {
    if let Some(Step::Key(first)) = problem.path.0.first_mut()
        && first == "replies"
    {
        *first = "answers".to_owned();
    }
    problem.causes.iter_mut().for_each(in_answers);
}
