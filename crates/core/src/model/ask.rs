//! One durable request and its state: outcome, attention, delivery and presence, kept separate.

use crate::model::actor::{Asker, ProcessId, ShownAsker};
use crate::model::answer::Replies;
use crate::model::audience::Audience;
use crate::model::digest::Digest;
use crate::model::id::{AskId, QuestionId};
use crate::model::outcome::{Outcome, Receipt};
use crate::model::questionnaire::Questionnaire;
use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::sync::Arc;

/// Arguments for a new ask.
#[derive(Debug, Clone, PartialEq)]
pub struct NewAsk {
    /// The questions.
    pub questionnaire: Arc<Questionnaire>,
    /// The dialect of the request, in which its outcome is returned.
    pub dialect: String,
    /// The asker.
    pub asker: Asker,
    /// The asker reviews each submitted answer before it counts.
    pub needs_verdict: bool,
    /// Time until it expires, in milliseconds; without it the ask never expires.
    pub time_limit_ms: Option<i64>,
    /// The process that waits for the outcome.
    pub process: Option<ProcessId>,
    /// The asker waits for the outcome, in any process.
    pub is_waiting: bool,
    /// Limits of the asker's account; the ask is rejected if one of them is reached.
    pub quota: Option<AccountQuota>,
    /// The whole id is random, for dialects that identify an ask by its first characters.
    pub random_id: bool,
    /// Key shared with earlier asks of the same asker. The new ask continues the draft of the last of these that
    /// ended without an answer, if none was answered since.
    pub draft_key: Option<String>,
    /// The program that asks, as far as its machine shows. A guess for people; it identifies no asker.
    pub program: Option<String>,
    /// Those who may see and answer the ask; the desk's usual audience if `None`.
    pub audience: Option<Audience>,
}

impl NewAsk {
    /// Returns an ask without a limit, whose asker neither waits nor reviews answers.
    pub fn new(questionnaire: Arc<Questionnaire>, dialect: impl Into<String>, asker: Asker) -> Self {
        Self {
            questionnaire,
            dialect: dialect.into(),
            asker,
            needs_verdict: false,
            time_limit_ms: None,
            process: None,
            is_waiting: false,
            quota: None,
            random_id: false,
            draft_key: None,
            program: None,
            audience: None,
        }
    }
}

/// Limits on the asks of one account at a desk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AccountQuota {
    /// Maximum number of open asks.
    pub open_asks: u64,
    /// Maximum bytes of all its asks and their outcomes; unlimited if `None`.
    pub stored_bytes: Option<u64>,
    /// Maximum number of new asks per hour; unlimited if `None`.
    pub asks_per_hour: Option<u32>,
    /// Days after which an ask that ended is deleted, so that its bytes are free.
    pub retention_days: u32,
}

/// Limits on the users of one service at a desk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ServiceQuota {
    /// Maximum number of logins per hour; unlimited if `None`.
    pub logins_per_hour: Option<u32>,
    /// Maximum number of sessions at one time; unlimited if `None`.
    pub sessions: Option<u32>,
}

/// The request as it was made. It never changes.
#[derive(Debug, Clone, PartialEq)]
pub struct AskRequest {
    /// The questions.
    pub questionnaire: Arc<Questionnaire>,
    /// The digest of [`questionnaire`](Self::questionnaire), which people are shown.
    pub digest: Digest,
    /// The dialect of the request.
    pub dialect: String,
    /// The asker.
    pub asker: Asker,
    /// The asker reviews each submitted answer.
    pub needs_verdict: bool,
    /// Time of asking.
    pub created_at: Timestamp,
    /// Time until each round expires, in milliseconds.
    pub time_limit_ms: Option<i64>,
    /// The program that asked, as a guess.
    pub program: Option<String>,
    /// Those who may see and answer the ask; the desk's usual audience if `None`.
    pub audience: Option<Audience>,
}

impl AskRequest {
    /// The dialect of an ask that a host's hook opened. Its outcome goes to the host in the host's own form, and it is
    /// kept for a shorter time.
    pub const HOOK_DIALECT: &str = "hook";

    /// The dialect whose spec cancels by Esc (499), which only leaves on our surfaces.
    pub const QUESTIONNAIRE_DIALECT: &str = "questionnaire";

    /// Returns the asker as people see it.
    pub fn shown_asker(&self) -> ShownAsker<'_> {
        self.asker.displayed(self.program.as_deref())
    }
}

/// Changes that the asker wants, after it refused a round.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "Feedback")]
pub struct RoundFeedback {
    /// About the whole.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub summary: Option<String>,
    /// About single questions.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub errors: Vec<(QuestionId, String)>,
}

/// Submission of a person, until the asker judges it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Submission {
    /// The replies.
    pub replies: Replies,
    /// JSON of a program that answered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub as_sent: Option<Value>,
    /// Receipt of the person.
    pub receipt: Receipt,
    /// Deadline for the verdict; after it the ask counts as answered.
    #[schemars(with = "String")]
    pub verdict_by: Timestamp,
}

/// Progress towards the only outcome.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(rename = "Phase")]
pub enum AskPhase {
    /// Waits for a person.
    Open {
        /// Number of the round, from 1.
        round: u32,
        /// Changes that the asker wants since the last round.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        feedback: Option<RoundFeedback>,
        /// Submission of the last round, which the feedback is about.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        refused: Option<Submission>,
    },
    /// Waits for the asker's verdict; read-only for everyone.
    Submitted {
        /// Number of the round.
        round: u32,
        /// Submission of a person.
        submission: Submission,
    },
    /// Ended. It never changes again.
    Settled(Outcome),
}

/// State of being seen by a person. It locks nothing.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(rename = "Attention")]
pub enum AttentionState {
    /// No one has opened it.
    #[default]
    Unseen,
    /// Someone has opened it.
    Seen,
}

/// Progress of the outcome on its way to the asker.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(rename = "Delivery")]
pub enum DeliveryState {
    /// Nothing to deliver yet, or no one has fetched it.
    #[default]
    Ready,
    /// Handed to the asker, not yet acknowledged.
    Offered {
        /// Number of the attempt, from 1.
        tries: u32,
        /// Deadline for acknowledging this attempt before another is made.
        #[schemars(with = "String")]
        until: Timestamp,
    },
    /// The asker has it.
    Acked {
        /// Time of the change to this state.
        #[schemars(with = "String")]
        at: Timestamp,
    },
    /// Offered too often without an acknowledgement; still given on request.
    Parked {
        /// Number of offers.
        tries: u32,
    },
}

/// Presence of the asker: waiting or gone. An asker that leaves changes nothing else.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(rename = "Presence")]
pub enum AskerPresence {
    /// The asker waits.
    Attached {
        /// The process, if known.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        process: Option<ProcessId>,
    },
    /// The asker went away and may come back.
    Detached {
        /// Time of the change to this state.
        #[schemars(with = "String")]
        since: Timestamp,
    },
}

impl AskerPresence {
    /// Returns true if the asker waits; `runs` reports whether a process still runs.
    pub fn is_waiting(self, runs: impl FnOnce(ProcessId) -> bool) -> bool {
        match self {
            Self::Attached { process } => process.is_none_or(runs),
            Self::Detached { .. } => false,
        }
    }
}

/// State of an ask. Small: it is rewritten with each change.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "AskState")]
pub struct AskState {
    /// Progress towards its outcome.
    pub phase: AskPhase,
    /// State of being seen by a person.
    pub attention: AttentionState,
    /// Progress of the outcome on its way to the asker.
    pub delivery: DeliveryState,
    /// True if the asker waits.
    pub presence: AskerPresence,
    /// Time at which an open round ends by itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    pub deadline: Option<Timestamp>,
    /// Number of the change, from 1.
    pub revision: u64,
    /// Time of the last change.
    #[schemars(with = "String")]
    pub changed_at: Timestamp,
}

/// One durable request and its state.
#[derive(Debug, Clone, PartialEq)]
pub struct Ask {
    /// Identifies it.
    pub id: AskId,
    /// The request.
    pub request: Arc<AskRequest>,
    /// The current state.
    pub state: AskState,
}

impl Ask {
    /// Returns the outcome, if the ask is settled.
    pub fn outcome(&self) -> Option<&Outcome> {
        match &self.state.phase {
            AskPhase::Settled(outcome) => Some(outcome),
            AskPhase::Open { .. } | AskPhase::Submitted { .. } => None,
        }
    }

    /// Returns the feedback of the asker that the next answer must address.
    pub fn feedback(&self) -> Option<&RoundFeedback> {
        match &self.state.phase {
            AskPhase::Open { feedback, .. } => feedback.as_ref(),
            AskPhase::Submitted { .. } | AskPhase::Settled(_) => None,
        }
    }

    /// Returns the submission that the asker rejected in the last round.
    pub fn refused_submission(&self) -> Option<&Submission> {
        match &self.state.phase {
            AskPhase::Open { refused, .. } => refused.as_ref(),
            AskPhase::Submitted { .. } | AskPhase::Settled(_) => None,
        }
    }

    /// Returns the time of the next automatic change: the deadline of an open round, or the end of the wait for a
    /// verdict.
    pub fn due_at(&self) -> Option<Timestamp> {
        match &self.state.phase {
            AskPhase::Open { .. } => self.state.deadline,
            AskPhase::Submitted { submission, .. } => Some(submission.verdict_by),
            AskPhase::Settled(_) => None,
        }
    }

    /// Returns true if the time of [`due_at`](Self::due_at) is over.
    pub fn is_due(&self, now: Timestamp) -> bool {
        self.due_at().is_some_and(|due| due <= now)
    }

    /// Returns true if the asker has acknowledged the outcome.
    pub fn is_delivered(&self) -> bool {
        matches!(self.state.delivery, DeliveryState::Acked { .. })
    }
}
