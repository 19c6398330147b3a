//! Dialects: the wire formats that askers speak, to and from the core.
//!
//! **Invariant:** a foreign wire format is defined here and nowhere else. Everything here is a pure function of its
//! arguments: no I/O, no environment, no clock. No text panics a reader; errors are returned as problems.
//!
//! A dialect reads a request ([`Dialect::read`]), refuses a bad one ([`Dialect::refuse`]), writes an outcome
//! ([`Dialect::write`]) and reads answers given as data ([`Dialect::read_answers`]).

pub mod ask_user_question;
pub mod auq;
mod detection;
mod dialect;
mod format;
pub mod hook;
pub mod interaction;
pub mod interrupt;
mod javascript;
mod lenient;
mod names;
pub mod questionnaire;
pub mod sayso;
mod schema;

pub use ask_user_question::AskUserQuestionLimits;
pub use auq::{AuqCompat, AuqLimits};
pub use detection::DialectGuess;
pub use dialect::{Dialect, DialectLimits};
pub use format::cli_output::CliOutput;
pub use format::parsed_request::{AskOptions, ParsedRequest};
pub use format::submitted_answers::SubmittedAnswers;
pub use sayso::plain_answer::PlainAnswer;
pub use sayso::{command_consent, plain_answer, plain_words};
pub use schema::formats::{SchemaFormat, SchemaPart};

/// Example of a request in our own format, shown for a request in an unknown or unintended format.
pub const EXAMPLE: &str = r#"{"questions":[{"prompt":"Which?","options":["red","blue"]}]}"#;
