//! Events of an ask. They go to the change log for watchers; folded in order they give the state.

use crate::model::ask::{
    AskPhase, AskState, AskerPresence, AttentionState, DeliveryState, RoundFeedback, Submission,
};
use crate::model::outcome::Outcome;
use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// One thing that happened.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "event", rename_all = "snake_case")]
#[schemars(rename = "Event")]
pub enum AskEvent {
    /// It was asked.
    Opened {
        /// Time of expiry.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[schemars(with = "Option<String>")]
        deadline: Option<Timestamp>,
        /// Presence of the asker.
        presence: AskerPresence,
    },
    /// A person opened it for the first time.
    Seen,
    /// A draft was saved. It is in the log to wake those who watch, without its text; the state does not change.
    Drafted {
        /// The draft's revision.
        rev: u64,
    },
    /// A person submitted an answer that the asker judges.
    Submitted {
        /// Number of the round.
        round: u32,
        /// Submission of a person.
        submission: Submission,
    },
    /// The asker wants changes: a new round begins.
    Reprompted {
        /// The new round.
        round: u32,
        /// Changes that the asker wants.
        feedback: RoundFeedback,
        /// Time at which the new round ends by itself.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[schemars(with = "Option<String>")]
        deadline: Option<Timestamp>,
    },
    /// The desk's clock was set, so the end of an open round, or of the wait for a verdict, moved with it.
    Rescheduled {
        /// The new time.
        #[schemars(with = "String")]
        due: Timestamp,
    },
    /// It ended.
    Settled {
        /// End of the ask.
        outcome: Outcome,
    },
    /// The asker came or went.
    Presence {
        /// New presence.
        presence: AskerPresence,
    },
    /// The outcome is further on its way.
    Delivery {
        /// Progress of the delivery.
        delivery: DeliveryState,
    },
}

impl AskEvent {
    /// Returns the initial state, from the opening event.
    pub(super) fn initial_state(&self, at: Timestamp) -> AskState {
        let mut state = AskState {
            phase: AskPhase::Open { round: 1, feedback: None, refused: None },
            attention: AttentionState::Unseen,
            delivery: DeliveryState::Ready,
            presence: AskerPresence::Detached { since: at },
            deadline: None,
            revision: 1,
            changed_at: at,
        };
        self.apply_to(&mut state);
        state
    }

    /// Applies the event to a state.
    pub(super) fn apply_to(&self, state: &mut AskState) {
        match self.clone() {
            Self::Opened { deadline, presence } => {
                state.deadline = deadline;
                state.presence = presence;
            }
            Self::Drafted { .. } => {}
            Self::Seen => state.attention = AttentionState::Seen,
            Self::Submitted { round, submission } => state.phase = AskPhase::Submitted { round, submission },
            Self::Reprompted { round, feedback, deadline } => {
                let refused = match &state.phase {
                    AskPhase::Submitted { submission, .. } => Some(submission.clone()),
                    AskPhase::Open { .. } | AskPhase::Settled(_) => None,
                };
                state.phase = AskPhase::Open { round, feedback: Some(feedback), refused };
                state.deadline = deadline;
            }
            Self::Rescheduled { due } => match &mut state.phase {
                AskPhase::Submitted { submission, .. } => submission.verdict_by = due,
                AskPhase::Open { .. } | AskPhase::Settled(_) => state.deadline = Some(due),
            },
            Self::Settled { outcome } => state.phase = AskPhase::Settled(outcome),
            Self::Presence { presence } => state.presence = presence,
            Self::Delivery { delivery } => state.delivery = delivery,
        }
    }
}
