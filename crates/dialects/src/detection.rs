//! Dialect of a request that does not name one. A shape that clearly belongs to one dialect selects it. One that fits
//! several or none is validated as our own format, which a hand-written request most likely means.

mod shapes;

pub use shapes::DialectGuess;

use crate::EXAMPLE;
use crate::dialect::Dialect;
use crate::dialect::limits::DialectLimits;
use sayso_core::i18n::own;
use sayso_core::wire::json;
use sayso_core::{DocumentPath, Problem, ProblemCode};
use sayso_core::{LocalizedText, Message};

impl Dialect {
    /// Returns the dialects that a request may be in, by its shape.
    pub fn guess(text: &str) -> DialectGuess {
        shapes::detect(text)
    }

    /// Returns the dialect that a request clearly is in, else the usual one if it fits, else our own if the request is
    /// valid in it.
    ///
    /// # Errors
    /// Returns a problem if the text is not JSON. Likewise if the dialect is unclear and the request is invalid in our
    /// own: the problem lists its errors there, and the other possible dialects.
    pub fn detect(text: &str, usual: Option<Self>) -> Result<Self, Problem> {
        let others = match (Self::guess(text), usual) {
            (DialectGuess::One(dialect), _) | (DialectGuess::None, Some(dialect)) => return Ok(dialect),
            (DialectGuess::Several(several), Some(dialect)) if several.contains(&dialect) => {
                return Ok(dialect);
            }
            (DialectGuess::Several(several), _) => several,
            (DialectGuess::None, None) => Self::ALL.to_vec(),
        };
        json::check(text)?;
        let problems = own_format_problems(text);
        if problems.is_empty() {
            return Ok(Self::Sayso);
        }
        let others: Vec<_> =
            others.into_iter().filter(|other| *other != Self::Sayso).map(Self::name).collect();
        let problem = Self::Sayso.request_problem(problems);
        let problem = Problem { code: ProblemCode::UnknownDialect, ..problem };
        Err(problem.with_hint(Message::OtherFormats.with([own(others.join(", "))])))
    }
}

/// Returns the problems of a request in our own dialect. Unknown members are problems too: the shape does not show that
/// our format is meant, so none of them is ignored.
fn own_format_problems(text: &str) -> Vec<Problem> {
    let mut problems = match Dialect::Sayso.read(text, &DialectLimits::NONE) {
        Ok(request) => {
            let warnings = request.warnings.into_iter();
            warnings.filter(|warning| warning.code == ProblemCode::UnknownMember).collect()
        }
        Err(problems) => problems,
    };
    let questions = DocumentPath::root().join("questions");
    for problem in &mut problems {
        if let LocalizedText::Message(words @ Message::MemberIgnored, _) = &mut problem.message {
            *words = Message::MemberUnknown;
        }
        if problem.path == questions && problem.hint.is_none() {
            problem.hint = Some(Message::RequestExample.with([EXAMPLE]));
        }
    }
    problems
}
