//! The dialect of a request that does not name one. A shape that is clearly one dialect's is read as that; one that fits
//! several or none is judged as our own, because whoever writes a request by hand most likely means that.

use crate::{Dialect, EXAMPLE, Guess, Limits};
use sayso_core::message::{Message, Text};
use sayso_core::wire::json;
use sayso_core::{Code, Path, Problem};

impl Dialect {
    /// Returns the dialect that a request clearly is in, or else the usual one where that fits, or our own where the
    /// request is valid in it.
    ///
    /// # Errors
    /// When the text is no JSON, or the dialect is not clear and the request not valid in our own: what is wrong with it
    /// there, and the other dialects that may be meant.
    pub fn of_request(text: &str, usual: Option<Self>) -> Result<Self, Problem> {
        let others = match (Self::guess(text), usual) {
            (Guess::One(dialect), _) | (Guess::None, Some(dialect)) => return Ok(dialect),
            (Guess::Several(several), Some(dialect)) if several.contains(&dialect) => return Ok(dialect),
            (Guess::Several(several), _) => several,
            (Guess::None, None) => Self::ALL.to_vec(),
        };
        json::check(text)?;
        let problems = problems_as_ours(text);
        if problems.is_empty() {
            return Ok(Self::Sayso);
        }
        let others: Vec<_> =
            others.into_iter().filter(|other| *other != Self::Sayso).map(Self::name).collect();
        let problem = Self::Sayso.request_problem(problems);
        let problem = Problem { code: Code::UnknownDialect, ..problem };
        Err(problem.hint(Message::OtherDialects.with([others.join(", ")])))
    }

    /// Returns the problems of a request that was read in this dialect as one; or the one problem of a text that cannot be
    /// read at all.
    pub fn request_problem(self, problems: Vec<Problem>) -> Problem {
        let problem = Problem::in_request(problems);
        let is_one = matches!(problem.causes.as_slice(), [one] if one.code == Code::MissingRequest);
        if is_one && let Some(one) = problem.causes.first() {
            return one.clone();
        }
        if problem.causes.is_empty() {
            return problem;
        }
        let said = [problem.causes.len().to_string(), self.name().to_owned()];
        Problem { message: Message::RequestReadAs.with(said), ..problem }
    }
}

/// What is wrong with a request in our own dialect. Members that nothing reads are wrong too: the shape does not show
/// that ours is meant, so none of them is passed over.
fn problems_as_ours(text: &str) -> Vec<Problem> {
    let mut problems = match Dialect::Sayso.read(text, &Limits::NONE) {
        Ok(read) => read.warnings.into_iter().filter(|one| one.code == Code::UnknownMember).collect(),
        Err(problems) => problems,
    };
    let questions = Path::root().then("questions");
    for problem in &mut problems {
        if let Text::Said(said @ Message::MemberIgnored, _) = &mut problem.message {
            *said = Message::MemberUnknown;
        }
        if problem.path == questions && problem.hint.is_none() {
            problem.hint = Some(Message::RequestExample.with([EXAMPLE]));
        }
    }
    problems
}
