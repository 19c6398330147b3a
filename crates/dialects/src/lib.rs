//! Dialects: the wire formats that askers speak, to and from the core.
//!
//! **Invariant:** a foreign wire format is defined here and nowhere else. Everything here is a pure function of its
//! arguments: no I/O, no environment, no clock. No text panics a reader; errors are returned as problems.
//!
//! A dialect reads a request ([`Dialect::read`]), refuses a bad one ([`Dialect::refuse`]), writes an outcome
//! ([`Dialect::write`]) and reads answers given as data ([`Dialect::read_answers`]). It also writes a questionnaire
//! from another dialect as a request ([`Dialect::request`]).

pub mod ask_user_question;
mod asking;
pub mod auq;
mod detection;
mod given;
mod guess;
pub mod interaction;
pub mod interrupt;
mod javascript;
mod judge;
mod limits;
mod loose;
mod names;
mod places;
pub mod questionnaire;
pub mod sayso;
mod schema;
mod told;
mod translate;
mod written;

pub use ask_user_question::AskLimits;
pub use asking::{Asking, Lost, Read, Translated};
pub use auq::{AuqLimits, Compat};
pub use given::Given;
pub use guess::Guess;
pub use limits::Limits;
pub use schema::{Form, Part};
pub use written::Written;

use sayso_core::{Ask, AskId, Code, Lang, Message, Outcome, Problem, Questionnaire, Replies, Sheet};
use serde::de::IgnoredAny;
use serde_json::Value;
use std::borrow::Cow;
use std::collections::HashMap;

/// A wire format that askers speak.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Dialect {
    /// Our own: the canonical questionnaire and outcome as JSON, lossless for all.
    Sayso,
    /// The Questionnaire API: five types of question, answers by id.
    Questionnaire,
    /// The `AskUserQuestion` shell command.
    AskUserQuestion,
    /// AUQ: choices of a few options, answers as text for a model.
    Auq,
    /// Interaction requests with an input schema: forms of fields, answers as an object.
    Interaction,
    /// Interrupts of a thread, resumed with a decision or a list of strings.
    Interrupt,
}

/// Example of a request in our own format, shown for a request in an unknown or unintended format.
pub const EXAMPLE: &str = r#"{"questions":[{"prompt":"Which?","options":["red","blue"]}]}"#;

impl Dialect {
    /// Every dialect.
    pub const ALL: [Self; 6] = [
        Self::Sayso,
        Self::Questionnaire,
        Self::AskUserQuestion,
        Self::Auq,
        Self::Interaction,
        Self::Interrupt,
    ];

    /// Returns its name on the command line and in a stored ask.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Sayso => "sayso",
            Self::Questionnaire => "questionnaire",
            Self::AskUserQuestion => "ask_user_question",
            Self::Auq => "auq",
            Self::Interaction => "interaction",
            Self::Interrupt => "interrupt",
        }
    }

    /// Returns the dialect with this name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|dialect| dialect.name() == name)
    }

    /// Returns the dialect with this name.
    ///
    /// # Errors
    /// Returns a problem with the known names if there is none.
    pub fn named(name: &str) -> Result<Self, Problem> {
        let known = || Self::ALL.map(Self::name).join(", ");
        let problem =
            || Problem::new(Code::UnknownDialect, Message::DialectUnknown.with([name.to_owned(), known()]));
        Self::parse(name).ok_or_else(problem)
    }

    /// Parses the answers to an ask, in the form of its dialect. Returns the replies, and the original text for an
    /// asker that gets it verbatim.
    ///
    /// # Errors
    /// Returns one problem that sums up the others.
    pub fn answers(ask: &Ask, text: &str) -> Result<(Replies, Option<Value>), Problem> {
        let questionnaire = &ask.request.questionnaire;
        let dialect = Self::named(&ask.request.dialect)?;
        let given = dialect.read_answers(questionnaire, &dialect.whole_answers(text));
        let given = given.map_err(|mut problems| {
            if let Some(unread) = problems.pop_if(|problem| problem.code == Code::InvalidJson) {
                return unread;
            }
            let said = Message::AnswersNeedAttention.with([problems.len()]);
            Problem::new(Code::InvalidAnswers, said).because(problems)
        })?;
        let (replies, as_sent) = given.said(questionnaire)?;
        // An asker that judges itself gets the original text. Insufficient answers go without it, so that the desk
        // reports their problems, and keeps it.
        let suffices =
            !ask.request.judged || Sheet::new(questionnaire.clone(), replies.clone()).submission().is_ok();
        Ok((replies, as_sent.filter(|_| suffices)))
    }

    /// Returns whether the original answers match these replies, so that an asker who gets them verbatim gets the
    /// judged ones.
    pub fn says(ask: &Ask, sent: &Value, replies: &Replies) -> bool {
        Self::named(&ask.request.dialect) == Ok(Self::Interaction)
            && interaction::says(&ask.request.questionnaire, sent, replies)
    }

    /// Wraps answers in the member `answers` of the dialect, if only its content was given.
    fn whole_answers(self, text: &str) -> Cow<'_, str> {
        match self {
            Self::Sayso | Self::Questionnaire | Self::AskUserQuestion | Self::Auq => {
                let members: Option<HashMap<Cow<'_, str>, IgnoredAny>> = serde_json::from_str(text).ok();
                let is_list = || serde_json::from_str::<Vec<IgnoredAny>>(text).is_ok();
                let is_bare = members
                    .map_or_else(is_list, |members| !members.is_empty() && !members.contains_key("answers"));
                if is_bare { format!("{{\"answers\":{text}}}").into() } else { text.into() }
            }
            Self::Interaction | Self::Interrupt => text.into(),
        }
    }

    /// Returns the output for the asker of a settled ask, in the dialect of its request.
    pub fn reply(ask: &Ask) -> Written {
        let dialect = Self::parse(&ask.request.dialect).unwrap_or(Self::Sayso);
        match ask.outcome() {
            Some(outcome) => dialect.write(ask.id, &ask.request.questionnaire, outcome),
            None => Written { exit: 1, ..Written::default() },
        }
    }

    /// Returns whether its askers refer to an ask by the first characters of its id, so that these must be unique.
    pub const fn names_asks_by_their_beginning(self) -> bool {
        matches!(self, Self::Auq)
    }

    /// Returns the dialects that a request may be in, by its shape.
    pub fn guess(text: &str) -> Guess {
        guess::guess(text)
    }

    /// Reads a request. The limits apply to the dialects that have some.
    ///
    /// # Errors
    /// Returns all problems of the request, each with its place.
    pub fn read(self, text: &str, limits: &Limits) -> Result<Read, Vec<Problem>> {
        match self {
            Self::Sayso => sayso::read(text),
            Self::Questionnaire => questionnaire::read(text),
            Self::AskUserQuestion => ask_user_question::read(text, &limits.ask_user_question),
            Self::Auq => auq::read(text, &limits.auq),
            Self::Interaction => interaction::read(text),
            Self::Interrupt => interrupt::read(text),
        }
    }

    /// Writes a questionnaire as a request within these limits, and returns the losses.
    pub fn request(self, questionnaire: &Questionnaire, limits: &Limits) -> Translated {
        match self {
            Self::Sayso => sayso::request(questionnaire),
            Self::Questionnaire => questionnaire::request(questionnaire),
            Self::AskUserQuestion => ask_user_question::request(questionnaire, &limits.ask_user_question),
            Self::Auq => auq::request(questionnaire, &limits.auq),
            Self::Interaction => interaction::request(questionnaire),
            Self::Interrupt => interrupt::request(questionnaire),
        }
    }

    /// Returns the output for an outcome.
    pub fn write(self, ask: AskId, questionnaire: &Questionnaire, outcome: &Outcome) -> Written {
        match self {
            Self::Sayso => sayso::write(ask, questionnaire, outcome),
            Self::Questionnaire => questionnaire::write(questionnaire, outcome),
            Self::AskUserQuestion => ask_user_question::write(questionnaire, outcome),
            Self::Auq => auq::write(ask, questionnaire, outcome),
            Self::Interaction => interaction::write(questionnaire, outcome),
            Self::Interrupt => interrupt::write(questionnaire, outcome),
        }
    }

    /// Returns the output for an asker that does not wait.
    pub fn pending(self, ask: AskId, questionnaire: &Questionnaire) -> Written {
        match self {
            Self::Auq => auq::pending(ask, questionnaire),
            _ => Written { stdout: ask.to_string(), ..Written::default() },
        }
    }

    /// Returns the output for an invalid request.
    pub fn refuse(self, problems: &[Problem], lang: Lang) -> Written {
        match self {
            Self::Sayso => sayso::refuse(problems, lang),
            Self::Questionnaire => questionnaire::refuse(problems, lang),
            Self::AskUserQuestion => ask_user_question::refuse(problems, lang),
            Self::Auq => auq::refuse(problems),
            Self::Interaction => interaction::refuse(problems),
            Self::Interrupt => interrupt::refuse(problems, lang),
        }
    }

    /// Returns the schema of a request or an outcome in a format. The limits apply to the dialects that have some.
    /// `None` if the dialect lacks it: a tool is a request, and an `OpenAPI` document describes both and exists once.
    pub fn schema(self, part: Part, form: Form, limits: &Limits) -> Option<String> {
        schema::text(self, part, form, limits)
    }

    /// Returns the arguments of `sayso schema` that print a part in a format.
    pub fn schema_arguments(self, part: Part, form: Form) -> String {
        schema::arguments(self, part, form)
    }

    /// Reads answers given as data, in the dialect's own form. The sheet judges whether they suffice.
    ///
    /// # Errors
    /// Returns all problems if the text is not such a document.
    pub fn read_answers(self, questionnaire: &Questionnaire, text: &str) -> Result<Given, Vec<Problem>> {
        match self {
            Self::Sayso => sayso::read_answers(questionnaire, text).map(Given::of),
            Self::Questionnaire => questionnaire::read_answers(questionnaire, text),
            Self::AskUserQuestion => ask_user_question::read_answers(questionnaire, text).map(Given::of),
            Self::Auq => auq::read_answers(questionnaire, text),
            Self::Interaction => interaction::read_answers(questionnaire, text),
            Self::Interrupt => interrupt::read_answers(questionnaire, text),
        }
    }
}
