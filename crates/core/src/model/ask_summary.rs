//! The summary of an ask for lists, which never load whole asks.

use crate::limits;
use crate::model::action::ActSummary;
use crate::model::actor::{ProcessId, ShownAsker};
use crate::model::ask::AskPhase;
use crate::model::audience::Audience;
use crate::model::id::AskId;
use crate::model::outcome::Outcome;
use crate::model::questionnaire::Questionnaire;
use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The state of an ask in one word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum AskStatus {
    /// Waits for a person.
    Open,
    /// Waits for its asker's verdict.
    Submitted,
    /// A person answered.
    Answered,
    /// A person declined.
    Declined,
    /// The asker cancelled it.
    Cancelled,
    /// The deadline passed.
    Expired,
}

impl AskStatus {
    /// Every status.
    pub const ALL: [Self; 6] =
        [Self::Open, Self::Submitted, Self::Answered, Self::Declined, Self::Cancelled, Self::Expired];

    /// Returns every status of a settled ask.
    pub fn settled() -> impl Iterator<Item = Self> {
        Self::ALL.into_iter().filter(|standing| !standing.is_pending())
    }

    /// Returns the status of a phase.
    pub fn from_phase(phase: &AskPhase) -> Self {
        match phase {
            AskPhase::Open { .. } => Self::Open,
            AskPhase::Submitted { .. } => Self::Submitted,
            AskPhase::Settled(Outcome::Answered { .. }) => Self::Answered,
            AskPhase::Settled(Outcome::Declined { .. }) => Self::Declined,
            AskPhase::Settled(Outcome::Cancelled { .. }) => Self::Cancelled,
            AskPhase::Settled(Outcome::Expired { .. }) => Self::Expired,
        }
    }

    /// Returns the stable word.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Submitted => "submitted",
            Self::Answered => "answered",
            Self::Declined => "declined",
            Self::Cancelled => "cancelled",
            Self::Expired => "expired",
        }
    }

    /// Parses the stable word.
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|standing| standing.as_str() == word)
    }

    /// Returns true if it can still be answered, now or after a verdict.
    pub const fn is_pending(self) -> bool {
        matches!(self, Self::Open | Self::Submitted)
    }
}

/// One line of a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AskSummary {
    /// The ask.
    pub id: AskId,
    /// Its state in one word.
    pub state: AskStatus,
    /// The questionnaire's title or its first question; a long one is cut.
    pub title: String,
    /// The act that it asks permission for; a list shows it instead of the title.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub act: Option<ActSummary>,
    /// True if the answer gives the consent that was asked for, false if it refuses it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub approved: Option<bool>,
    /// Asker of it.
    pub asker: String,
    /// Account of the token it asked with, at a desk on the network.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub account: Option<String>,
    /// The program that asked, as a guess.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub program: Option<String>,
    /// Accounts and groups that may see and answer it, if it was opened for some.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub audience: Option<Audience>,
    /// The folder it was asked from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub folder: Option<String>,
    /// Name of the format.
    pub dialect: String,
    /// Number of questions, including those that are not asked.
    pub questions: u32,
    /// Number of questions that are asked, given the draft or the answer; follow-ups count once they are asked.
    pub asked: u32,
    /// Number of those that the draft answers; 0 without a draft.
    pub answered: u32,
    /// True if a draft was saved, even an empty one.
    pub drafted: bool,
    /// True if a person has opened it.
    pub seen: bool,
    /// True if the asker has the outcome.
    pub delivered: bool,
    /// Time of the request.
    #[schemars(with = "String")]
    pub created_at: Timestamp,
    /// Time of the last change.
    #[schemars(with = "String")]
    pub changed_at: Timestamp,
    /// Time of expiry.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    pub deadline: Option<Timestamp>,
    /// True if the asker is known to wait for it.
    pub attached: bool,
    /// The process that waits for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub process: Option<ProcessId>,
    /// True if the stored ask is damaged: only its id is known.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub damaged: bool,
}

/// Returns the title that a list shows for a questionnaire.
pub fn list_title(questionnaire: &Questionnaire) -> String {
    let name = questionnaire.display_name();
    match name.char_indices().nth(limits::LIST_TITLE_CHARS).and_then(|(end, _)| name.get(..end)) {
        Some(beginning) => format!("{beginning}…"),
        None => name.to_owned(),
    }
}

impl AskSummary {
    /// Returns true if the asker waits; `runs` reports whether a process still runs.
    pub fn is_waiting(&self, runs: impl FnOnce(ProcessId) -> bool) -> bool {
        self.attached && self.process.is_none_or(runs)
    }

    /// Returns the asker as people see it.
    pub fn shown_asker(&self) -> ShownAsker<'_> {
        let Self { asker, folder, account, program, .. } = self;
        ShownAsker {
            name: asker,
            folder: folder.as_deref(),
            account: account.as_deref(),
            program: program.as_deref(),
        }
    }

    /// Builds the summary of an ask that cannot be read.
    pub const fn damaged(id: AskId) -> Self {
        Self {
            id,
            state: AskStatus::Open,
            title: String::new(),
            act: None,
            approved: None,
            asker: String::new(),
            account: None,
            program: None,
            audience: None,
            folder: None,
            dialect: String::new(),
            questions: 0,
            asked: 0,
            answered: 0,
            drafted: false,
            seen: false,
            delivered: false,
            created_at: Timestamp::UNIX_EPOCH,
            changed_at: Timestamp::UNIX_EPOCH,
            deadline: None,
            attached: false,
            process: None,
            damaged: true,
        }
    }
}
