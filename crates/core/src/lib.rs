//! Domain model: questionnaires, the rules that validate their answers, and the lifecycle of an ask.
//!
//! **Invariant:** nothing here does I/O, reads a clock, draws random numbers or awaits; time and ids come in as
//! arguments. Nothing here panics on any input: what can go wrong comes back as a [`Problem`].

pub mod action;
pub mod actor;
pub mod answer;
pub mod ask;
pub mod ask_summary;
pub mod condition;
pub mod consent;
pub mod constraint;
pub mod datetime;
pub mod describe_answer;
pub mod digest;
pub mod display;
mod form;
pub mod id;
pub mod late_submission;
pub mod lifecycle;
pub mod limits;
pub mod message;
pub mod number;
pub mod outcome;
pub mod pattern;
pub mod picks;
pub mod problem;
pub mod question;
pub mod questionnaire;
pub mod rules;
pub mod section;
pub mod sheet;
pub mod spelling;
pub mod value;
pub mod wire;

pub use action::{ActionKind, ProposedAction};
pub use actor::{Actor, Asker, Person};
pub use answer::{Answer, Pick, Replies, Reply, ReplyContent};
pub use ask::{AccountQuota, Ask, NewAsk};
pub use ask_summary::AskSummary;
pub use condition::{AnswerCheck, Condition, ConditionTest};
pub use consent::ConsentQuestions;
pub use constraint::{Constraint, LazyPattern, Requirement};
pub use datetime::DatetimeValue;
pub use digest::Digest;
pub use form::Form;
pub use id::{AskId, OptionId, QuestionId, SectionId};
pub use late_submission::LateSubmission;
pub use lifecycle::{AskCommand, AskTransition, apply_command, open_ask};
pub use message::{Lang, LocalizedText, Message};
pub use number::Number;
pub use outcome::{Outcome, Receipt};
pub use picks::Picks;
pub use problem::{DocumentPath, Problem, ProblemCode};
pub use question::{
    ChoiceItem, ChoiceOption, ChoiceQuestion, ConfirmQuestion, NumberQuestion, Question, QuestionKind,
    RatingQuestion, TextQuestion,
};
pub use questionnaire::{CompletionView, FormatExtensions, Questionnaire};
pub use rules::{Rules, UncheckedAnswers};
pub use section::Section;
pub use sheet::Sheet;
pub use value::{ComparisonValue, OrderedValue};
