//! Domain model: questionnaires, the rules that validate their answers, and the lifecycle of an ask.
//!
//! **Invariant:** nothing here does I/O, reads a clock, draws random numbers or awaits; time and ids come in as
//! arguments. Nothing here panics on any input: what can go wrong comes back as a [`Problem`].

pub mod display;
pub mod i18n;
pub mod kinds;
pub mod lifecycle;
pub mod limits;
pub mod model;
pub mod pattern;
pub mod problem;
pub mod qr_code;
pub mod rules;
pub mod sheet;
pub mod unified_diff;
pub mod wire;

pub use i18n::{Lang, LocalizedText, Message};
pub use kinds::date::DateQuestion;
pub use kinds::datetime::DatetimeQuestion;
pub use kinds::input::{LineFormat, QuestionInput};
pub use kinds::time::TimeQuestion;
pub use lifecycle::late_submission::LateSubmission;
pub use lifecycle::{AskCommand, AskTransition, apply_command, open_ask};
pub use model::action::{ActionKind, ProposedAction};
pub use model::actor::{Actor, Asker, Person};
pub use model::answer::{Answer, Pick, Picks, Replies, Reply, ReplyContent, form_note};
pub use model::ask::{AccountQuota, Ask, NewAsk, ServiceQuota};
pub use model::ask_summary::AskSummary;
pub use model::audience::departures::Departures;
pub use model::audience::service_user::ServiceUser;
pub use model::audience::{AskAccess, AskReader, Audience};
pub use model::digest::Digest;
pub use model::document_path::DocumentPath;
pub use model::id::{AskId, OptionId, QuestionId, SectionId};
pub use model::outcome::{CancelReason, Outcome, Receipt};
pub use model::question::Question;
pub use model::question::choice::{ChoiceItem, ChoiceOption, ChoiceQuestion};
pub use model::question::condition::{AnswerCheck, Condition, ConditionTest};
pub use model::question::constraint::{Constraint, Requirement};
pub use model::question::kind::{
    ConfirmQuestion, NumberQuestion, QuestionKind, RatingQuestion, TextQuestion,
};
pub use model::questionnaire::{CompletionView, FormatExtensions, Questionnaire};
pub use model::section::Section;
pub use model::validation_rules::{Rules, UncheckedAnswers};
pub use model::value::datetime::DatetimeValue;
pub use model::value::number::Number;
pub use model::value::{ComparisonValue, OrderedValue};
pub use pattern::LazyPattern;
pub use problem::{Problem, ProblemCode};
pub use rules::consent::{ConsentQuestions, ShownValues};
pub use rules::prepared_questionnaire::PreparedQuestionnaire;
pub use sheet::Sheet;
