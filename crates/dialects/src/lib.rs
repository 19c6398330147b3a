//! Who says it how: the wire formats that askers speak, to and from the core.
//!
//! **Invariant:** a foreign wire format is written down here and nowhere else. Everything here is a pure function of
//! its arguments: no I/O, no environment, no clock. No text panics a reader; what is wrong comes back as problems.
//!
//! A dialect reads a request ([`Dialect::read`]), refuses a bad one ([`Dialect::refuse`]), writes an outcome
//! ([`Dialect::write`]) and reads answers given as data ([`Dialect::read_answers`]).

pub mod ask_user_question;
mod guess;
mod javascript;
mod loose;
pub mod sayso;
mod written;

pub use ask_user_question::AskLimits;
pub use written::Written;

use sayso_core::{AskId, Lang, Outcome, Problem, Questionnaire, Replies};

/// A wire format that askers speak.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Dialect {
    /// Our own: the canonical questionnaire and outcome as JSON, lossless for all.
    Sayso,
    /// The `AskUserQuestion` shell command.
    AskUserQuestion,
}

/// A request that was understood.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Read {
    /// What is asked.
    pub questionnaire: Questionnaire,
    /// What the asker should know, though the request is valid.
    pub warnings: Vec<Problem>,
}

impl Dialect {
    /// Every dialect.
    pub const ALL: [Self; 2] = [Self::Sayso, Self::AskUserQuestion];

    /// Its name on the command line and in a stored ask.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Sayso => "sayso",
            Self::AskUserQuestion => "ask_user_question",
        }
    }

    /// The dialect of this name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|dialect| dialect.name() == name)
    }

    /// The dialect of a request, where it is clear: a `sayso` member or questions with a `prompt` are ours, questions
    /// with a `header`, `question` or `multiSelect` are `AskUserQuestion`'s. `None` for anything else, for a mix of
    /// both, and for what is no JSON.
    pub fn guess(text: &str) -> Option<Self> {
        guess::guess(text)
    }

    /// Reads a request. The limits hold for the dialects that have such limits.
    ///
    /// # Errors
    /// Everything that is wrong with it, each with its place.
    pub fn read(self, text: &str, limits: &AskLimits) -> Result<Read, Vec<Problem>> {
        match self {
            Self::Sayso => sayso::read(text),
            Self::AskUserQuestion => ask_user_question::read(text, limits),
        }
    }

    /// What the asker gets for an outcome.
    pub fn write(self, ask: AskId, questionnaire: &Questionnaire, outcome: &Outcome) -> Written {
        match self {
            Self::Sayso => sayso::write(ask, outcome),
            Self::AskUserQuestion => ask_user_question::write(questionnaire, outcome),
        }
    }

    /// What the asker gets for a request that was not understood.
    pub fn refuse(self, problems: &[Problem], lang: Lang) -> Written {
        match self {
            Self::Sayso => sayso::refuse(problems, lang),
            Self::AskUserQuestion => ask_user_question::refuse(problems, lang),
        }
    }

    /// What a request is, as JSON Schema 2020-12; nothing where none is published.
    pub fn request_schema(self) -> Option<String> {
        match self {
            Self::Sayso => Some(sayso::schema_text(&sayso_core::wire::schema::request())),
            Self::AskUserQuestion => None,
        }
    }

    /// What an asker gets, as JSON Schema 2020-12; nothing where none is published.
    pub fn outcome_schema(self) -> Option<String> {
        match self {
            Self::Sayso => Some(sayso::schema_text(&sayso_core::wire::schema::outcome())),
            Self::AskUserQuestion => None,
        }
    }

    /// Reads answers given as data, in the dialect's own form. Whether they suffice is for the sheet to judge.
    ///
    /// # Errors
    /// Everything that names no question or no option, each with its place.
    pub fn read_answers(self, questionnaire: &Questionnaire, text: &str) -> Result<Replies, Vec<Problem>> {
        match self {
            Self::Sayso => sayso::read_answers(questionnaire, text),
            Self::AskUserQuestion => ask_user_question::read_answers(questionnaire, text),
        }
    }
}
