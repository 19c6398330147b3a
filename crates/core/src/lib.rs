//! What a question is: the questionnaire, the rules its answers are judged by, and the life of an ask.
//!
//! **Invariant:** nothing here does I/O, reads a clock, draws random numbers or awaits; time and ids come in as
//! arguments. Nothing here panics on any input: what can go wrong comes back as a [`Problem`].

pub mod answer;
pub mod ask;
pub mod digest;
pub mod display;
pub mod id;
pub mod lifecycle;
pub mod limits;
pub mod message;
pub mod outcome;
pub mod pattern;
pub mod problem;
pub mod question;
pub mod questionnaire;
pub mod row;
pub mod rules;
pub mod sheet;
pub mod who;
pub mod wire;

pub use answer::{Answer, Pick, Replies, Reply};
pub use ask::{Ask, NewAsk};
pub use digest::Digest;
pub use id::{AskId, OptionId, QuestionId};
pub use lifecycle::{Change, Command, apply, open};
pub use message::{Lang, Message, Text};
pub use outcome::{Outcome, Receipt};
pub use problem::{Code, Path, Problem};
pub use question::{Choice, Kind, Opt, Question, TextEntry};
pub use questionnaire::Questionnaire;
pub use row::Row;
pub use rules::Rules;
pub use sheet::Sheet;
pub use who::{Asker, Person, Who};
