//! The one event that ends an ask, and the receipt that records who did it.

use crate::model::actor::{AssuranceLevel, Person, Surface};
use crate::model::answer::Replies;
use crate::model::ask::AskRequest;
use crate::model::audience::{AskAccess, Audience};
use crate::model::digest::Digest;
use crate::model::id::QuestionId;
use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Number of lines that were drawn of an action, a plan or the context of a consent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SeenLines {
    /// Number of lines that were drawn.
    pub shown: u32,
    /// Number of all lines.
    pub total: u32,
}

/// View that a surface showed a person who submits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ShownView {
    /// Digest of the questions.
    pub digest: Digest,
    /// Revision of the draft whose replies it showed, if it works on the draft. A newer one refuses the submission.
    pub draft_rev: Option<u64>,
    /// Lines that it drew, if it counts them.
    pub seen: Option<SeenLines>,
}

impl From<Digest> for ShownView {
    /// Returns the view of a surface without a draft, which counts no lines.
    fn from(digest: Digest) -> Self {
        Self { digest, draft_rev: None, seen: None }
    }
}

/// Record of an answer: the person, the place, the assurance, the time, and the digest of the questions.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Receipt {
    /// The person's name.
    pub by: String,
    /// Place of the answer.
    pub surface: Surface,
    /// Assurance of the desk that a person was there.
    pub assurance: AssuranceLevel,
    /// Time of it.
    #[schemars(with = "String")]
    pub at: Timestamp,
    /// The digest of what was shown.
    #[schemars(with = "String")]
    pub shown: Digest,
    /// The lines of the approved action that were drawn, unless all were.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seen: Option<SeenLines>,
    /// The questions whose answers were left out because they are not asked.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub dropped: Vec<QuestionId>,
    /// Audience of the ask, if it was opened for some.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub audience: Option<Audience>,
    /// `desk_file` or `outside_audience`, if the person was not known to be in the audience.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub access: Option<AskAccess>,
}

impl Receipt {
    /// Builds the receipt for an action of a person at this time.
    pub fn new(person: &Person, shown: Digest, at: Timestamp) -> Self {
        Self {
            by: person.name.clone(),
            surface: person.surface,
            assurance: person.assurance,
            at,
            shown,
            seen: None,
            dropped: Vec::new(),
            audience: None,
            access: None,
        }
    }

    /// Adds the audience of the request, and the way in which the person reached it.
    pub fn with_audience(self, request: &AskRequest, person: &Person) -> Self {
        let audience = request.audience.clone();
        let access = if audience.is_some() { person.access } else { None };
        Self { audience, access, ..self }
    }
}

/// Formats a time for a record: to the second, in UTC.
pub fn format_record_time(at: Timestamp) -> String {
    at.strftime("%Y-%m-%d %H:%M:%S UTC").to_string()
}

/// Verdict of the asker on an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum AskerVerdict {
    /// The asker accepted the answer.
    Accepted,
    /// The asker was gone and did not return in time.
    None,
}

/// Reason why an asker's host ended an ask: an answer at the desk would reach no one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum CancelReason {
    /// It was answered in the host's own dialog.
    AnsweredInHost,
    /// The turn or the session that asked has ended.
    SessionEnded,
    /// The host's process has ended.
    HostEnded,
    /// No one answered at the desk in time, or the host cancelled it and asks by itself.
    GivenBack,
}

/// End of an ask. Closing a screen ends nothing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "outcome", rename_all = "snake_case")]
pub enum Outcome {
    /// A person answered.
    Answered {
        /// The replies as submitted. The note on the whole form is that of the empty id.
        replies: Replies,
        /// JSON of a program that answered, for askers that receive exactly that.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        as_sent: Option<Value>,
        /// Receipt of the person.
        receipt: Receipt,
        /// For an asker that judges: its verdict.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        verdict: Option<AskerVerdict>,
    },
    /// A person declined.
    Declined {
        /// Reason, if one was given.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reason: Option<String>,
        /// Receipt of the person.
        receipt: Receipt,
    },
    /// The asker cancelled the question.
    Cancelled {
        /// Time of it.
        #[schemars(with = "String")]
        at: Timestamp,
        /// The reason, if the asker's host ended the ask.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reason: Option<CancelReason>,
    },
    /// The deadline passed without an answer.
    Expired {
        /// Deadline that passed.
        #[schemars(with = "String")]
        at: Timestamp,
    },
}

impl Outcome {
    /// Returns the kind of outcome, as a stable word.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Answered { .. } => "answered",
            Self::Declined { .. } => "declined",
            Self::Cancelled { .. } => "cancelled",
            Self::Expired { .. } => "expired",
        }
    }

    /// Returns the receipt, if a person ended the ask.
    pub fn receipt(&self) -> Option<&Receipt> {
        match self {
            Self::Answered { receipt, .. } | Self::Declined { receipt, .. } => Some(receipt),
            Self::Cancelled { .. } | Self::Expired { .. } => None,
        }
    }

    /// Returns the time at which the ask ended.
    pub fn ended_at(&self) -> Timestamp {
        match self {
            Self::Answered { receipt, .. } | Self::Declined { receipt, .. } => receipt.at,
            Self::Cancelled { at, .. } | Self::Expired { at } => *at,
        }
    }
}
