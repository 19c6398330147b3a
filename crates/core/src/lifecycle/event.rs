//! Events of an ask. They go to the change log for watchers; folded in order they give the state.

use crate::ask::{Attention, Delivery, Feedback, Phase, Presence, State, Submission};
use crate::outcome::Outcome;
use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// One thing that happened.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "event", rename_all = "snake_case")]
#[schemars(rename = "Event")]
pub enum Event {
    /// It was asked.
    Opened {
        /// When it ends by itself.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[schemars(with = "Option<String>")]
        deadline: Option<Timestamp>,
        /// Whether the asker waits.
        presence: Presence,
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
        /// Which round.
        round: u32,
        /// What was submitted.
        submission: Submission,
    },
    /// The asker wants it mended: a new round.
    Reprompted {
        /// The new round.
        round: u32,
        /// What to mend.
        feedback: Feedback,
        /// When the new round ends by itself.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[schemars(with = "Option<String>")]
        deadline: Option<Timestamp>,
    },
    /// The desk's clock was set, so what is due is at another time by it: the end of an open round, or of the wait for a
    /// verdict.
    Rescheduled {
        /// The new time.
        #[schemars(with = "String")]
        due: Timestamp,
    },
    /// It ended.
    Settled {
        /// How.
        outcome: Outcome,
    },
    /// The asker came or went.
    Presence {
        /// Whether it waits now.
        presence: Presence,
    },
    /// The outcome is further on its way.
    Delivery {
        /// How far.
        delivery: Delivery,
    },
}

impl Event {
    /// Returns the initial state, from the opening event.
    pub(super) fn begin(&self, at: Timestamp) -> State {
        let mut state = State {
            phase: Phase::Open { round: 1, feedback: None, refused: None },
            attention: Attention::Unseen,
            delivery: Delivery::Ready,
            presence: Presence::Detached { since: at },
            deadline: None,
            revision: 1,
            changed_at: at,
        };
        self.evolve(&mut state);
        state
    }

    /// Applies the event to a state.
    pub(super) fn evolve(&self, state: &mut State) {
        match self.clone() {
            Self::Opened { deadline, presence } => {
                state.deadline = deadline;
                state.presence = presence;
            }
            Self::Drafted { .. } => {}
            Self::Seen => state.attention = Attention::Seen,
            Self::Submitted { round, submission } => state.phase = Phase::Submitted { round, submission },
            Self::Reprompted { round, feedback, deadline } => {
                let refused = match &state.phase {
                    Phase::Submitted { submission, .. } => Some(submission.clone()),
                    Phase::Open { .. } | Phase::Settled(_) => None,
                };
                state.phase = Phase::Open { round, feedback: Some(feedback), refused };
                state.deadline = deadline;
            }
            Self::Rescheduled { due } => match &mut state.phase {
                Phase::Submitted { submission, .. } => submission.verdict_by = due,
                Phase::Open { .. } | Phase::Settled(_) => state.deadline = Some(due),
            },
            Self::Settled { outcome } => state.phase = Phase::Settled(outcome),
            Self::Presence { presence } => state.presence = presence,
            Self::Delivery { delivery } => state.delivery = delivery,
        }
    }
}
