//! Domain model: questionnaires, the rules that validate their answers, and the lifecycle of an ask.
//!
//! **Invariant:** nothing here does I/O, reads a clock, draws random numbers or awaits; time and ids come in as
//! arguments. Nothing here panics on any input: what can go wrong comes back as a [`Problem`].

pub mod action;
pub mod answer;
pub mod ask;
pub mod condition;
pub mod consent;
pub mod constraint;
pub mod digest;
pub mod display;
mod form;
pub mod id;
pub mod late;
pub mod lifecycle;
pub mod limits;
pub mod message;
pub mod moment;
pub mod number;
pub mod outcome;
pub mod pattern;
pub mod picks;
pub mod problem;
pub mod question;
pub mod questionnaire;
pub mod row;
pub mod rules;
pub mod section;
pub mod sheet;
pub mod spelling;
pub mod value;
pub mod who;
pub mod wire;
pub mod words;

pub use action::{Act, Action};
pub use answer::{Answer, Pick, Replies, Reply, Said};
pub use ask::{AccountQuota, Ask, NewAsk};
pub use condition::{Check, Condition, Test};
pub use consent::ConsentQuestions;
pub use constraint::{Constraint, Demand, LazyPattern};
pub use digest::Digest;
pub use form::Form;
pub use id::{AskId, OptionId, QuestionId, SectionId};
pub use late::Late;
pub use lifecycle::{Change, Command, apply, open};
pub use message::{Lang, Message, Text};
pub use moment::Moment;
pub use number::Number;
pub use outcome::{Outcome, Receipt};
pub use picks::Picks;
pub use problem::{Code, Path, Problem};
pub use question::{Choice, Confirm, Kind, NumberEntry, Offer, Opt, Question, Rating, TextEntry};
pub use questionnaire::{Beside, Completed, Questionnaire};
pub use row::Row;
pub use rules::{Rules, UncheckedAnswers};
pub use section::Section;
pub use sheet::Sheet;
pub use value::{Point, Value};
pub use who::{Asker, Person, Who};
