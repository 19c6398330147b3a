//! Errors in a pattern, each with the part that causes it.

/// Reason for rejecting a pattern. Places count characters from 1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PatternFault {
    /// More characters than allowed.
    TooLong,
    /// Too large once compiled.
    TooBig,
    /// Syntax that has a meaning in other languages and none in JavaScript; at best JavaScript reads it literally.
    Foreign {
        /// The syntax.
        construct: String,
        /// JavaScript's syntax for it, if it has any.
        instead: Option<&'static str>,
    },
    /// JavaScript syntax that this engine lacks.
    Unsupported {
        /// The syntax.
        construct: String,
    },
    /// Syntax that JavaScript rejects too.
    Broken {
        /// The syntax.
        construct: String,
        /// Its place.
        place: usize,
    },
    /// A bracket without its counterpart.
    Unclosed {
        /// The bracket.
        construct: &'static str,
        /// Its place.
        place: usize,
    },
    /// A quantifier with nothing to repeat.
    NothingToRepeat {
        /// The quantifier.
        construct: String,
        /// Its place.
        place: usize,
    },
    /// A reference to a group that does not exist.
    NoGroup {
        /// The reference.
        construct: String,
    },
}
