//! What a list shows of an ask, so that a list never reads whole asks.

use crate::answer::{Replies, Said};
use crate::ask::{Ask, Attention, Phase, Presence};
use crate::id::AskId;
use crate::limits;
use crate::outcome::Outcome;
use crate::questionnaire::Questionnaire;
use crate::sheet::{Progress, Sheet};
use crate::who::{Process, ShownAsker};
use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The state of an ask in one word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Standing {
    /// Waits for a person.
    Open,
    /// Waits for its asker's verdict.
    Submitted,
    /// A person answered.
    Answered,
    /// A person said no.
    Declined,
    /// The asker took it back.
    Cancelled,
    /// The deadline passed.
    Expired,
}

impl Standing {
    /// Every standing.
    pub const ALL: [Self; 6] =
        [Self::Open, Self::Submitted, Self::Answered, Self::Declined, Self::Cancelled, Self::Expired];

    /// Every standing of what has ended.
    pub fn ended() -> impl Iterator<Item = Self> {
        Self::ALL.into_iter().filter(|standing| !standing.is_pending())
    }

    /// Where an ask stands.
    pub fn of(phase: &Phase) -> Self {
        match phase {
            Phase::Open { .. } => Self::Open,
            Phase::Submitted { .. } => Self::Submitted,
            Phase::Settled(Outcome::Answered { .. }) => Self::Answered,
            Phase::Settled(Outcome::Declined { .. }) => Self::Declined,
            Phase::Settled(Outcome::Cancelled { .. }) => Self::Cancelled,
            Phase::Settled(Outcome::Expired { .. }) => Self::Expired,
        }
    }

    /// The stable word.
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

    /// Reads the stable word.
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|standing| standing.as_str() == word)
    }

    /// Whether it can still be answered, now or after a verdict.
    pub const fn is_pending(self) -> bool {
        matches!(self, Self::Open | Self::Submitted)
    }
}

/// One line of a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Row {
    /// The ask.
    pub id: AskId,
    /// Its state in one word.
    pub state: Standing,
    /// What it is about: the questionnaire's title, or its first question. The beginning of a long one.
    pub title: String,
    /// Who asks.
    pub asker: String,
    /// Whose token it asked with, at a desk on the network.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub account: Option<String>,
    /// The program that asked, as a guess.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub program: Option<String>,
    /// From which folder.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub folder: Option<String>,
    /// In which dialect.
    pub dialect: String,
    /// How many questions it has, whether they are asked or not.
    pub questions: u32,
    /// How many of them are asked, as far as a person's draft or the answer says: those that follow up count once they are.
    pub asked: u32,
    /// How many of those a draft answers: 0 where nobody has begun one.
    pub answered: u32,
    /// Whether a draft of it was saved, whatever is left of that.
    pub drafted: bool,
    /// Whether a person has opened it.
    pub seen: bool,
    /// Whether the asker has the outcome.
    pub delivered: bool,
    /// When it was asked.
    #[schemars(with = "String")]
    pub created_at: Timestamp,
    /// When it last changed.
    #[schemars(with = "String")]
    pub changed_at: Timestamp,
    /// When it ends by itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    pub deadline: Option<Timestamp>,
    /// Whether the asker waits for it, as far as is known.
    pub attached: bool,
    /// The process that waits for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub process: Option<Process>,
    /// What is stored of the ask is not what was written: nothing but the id is known of it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub damaged: bool,
}

/// The title that a list shows of a questionnaire.
pub fn title(questionnaire: &Questionnaire) -> String {
    let name = questionnaire.name();
    match name.char_indices().nth(limits::ROW_TITLE_CHARS).and_then(|(end, _)| name.get(..end)) {
        Some(beginning) => format!("{beginning}…"),
        None => name.to_owned(),
    }
}

/// How many questions are asked by what a person typed so far, and by what the asker filled in, and how many of those the
/// person answered.
pub fn progress(questionnaire: &Arc<Questionnaire>, typed: Replies) -> Progress {
    if typed.is_empty() && !questionnaire.is_conditional() {
        return Progress { answered: 0, total: questionnaire.questions.len() };
    }
    Sheet::progress_of(questionnaire.clone(), typed)
}

/// How many questions of an ask are asked, or were, as far as it says without its draft. While it has no answer, what the
/// asker filled in decides that, and all conditions are looked at.
pub fn asked(ask: &Ask) -> usize {
    match &ask.state.phase {
        Phase::Settled(Outcome::Answered { replies, .. }) => {
            replies.values().filter(|reply| !matches!(reply.said, Said::NotAsked { .. })).count()
        }
        _ => progress(&ask.request.questionnaire, Replies::new()).total,
    }
}

impl Row {
    /// Whether somebody waits, where `runs` tells of a process whether it still does.
    pub fn waits(&self, runs: impl FnOnce(Process) -> bool) -> bool {
        self.attached && self.process.is_none_or(runs)
    }

    /// Returns what people are shown of the asker.
    pub fn shown_asker(&self) -> ShownAsker<'_> {
        let Self { asker, folder, account, program, .. } = self;
        ShownAsker {
            name: asker,
            folder: folder.as_deref(),
            account: account.as_deref(),
            program: program.as_deref(),
        }
    }

    /// The row of an ask without its draft, which the store counts. So many of its questions are [`asked`].
    pub fn of(ask: &Ask, asked: usize) -> Self {
        let questionnaire = &ask.request.questionnaire;
        let count = |count| u32::try_from(count).unwrap_or(u32::MAX);
        let process = match ask.state.presence {
            Presence::Attached { process } => process,
            Presence::Detached { .. } => None,
        };
        Self {
            id: ask.id,
            state: Standing::of(&ask.state.phase),
            title: title(questionnaire),
            asker: ask.request.asker.name.clone(),
            account: ask.request.asker.account.clone(),
            program: ask.request.program.clone(),
            folder: ask.request.asker.folder.clone(),
            dialect: ask.request.dialect.clone(),
            questions: count(questionnaire.questions.len()),
            asked: count(asked),
            answered: 0,
            drafted: false,
            seen: ask.state.attention == Attention::Seen,
            delivered: ask.is_delivered(),
            created_at: ask.request.created_at,
            changed_at: ask.state.changed_at,
            deadline: ask.due_at(),
            attached: matches!(ask.state.presence, Presence::Attached { .. }),
            process,
            damaged: false,
        }
    }

    /// The row of an ask that cannot be read.
    pub const fn damaged(id: AskId) -> Self {
        Self {
            id,
            state: Standing::Open,
            title: String::new(),
            asker: String::new(),
            account: None,
            program: None,
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
