//! The lifecycle of an ask as a pure state machine: a command and a time in, events and the new state out. It runs
//! inside the store's write transaction, so the first commit wins.

mod clock;
mod deadline;
mod event;
pub mod late_submission;
mod round;
mod submit_answers;
#[cfg(test)]
mod tests;

pub use clock::{ClockOffset, ClockSample, MonotonicTime};
pub use deadline::time_limit;
pub use event::AskEvent;
pub use round::already_settled_problem;
pub use submit_answers::SubmittedDraft;

use self::deadline::deadline_after;
use self::submit_answers::submit;
use crate::i18n::Message;
use crate::limits;
use crate::model::actor::{Actor, Person, ProcessId};
use crate::model::answer::Replies;
use crate::model::ask::{
    Ask, AskPhase, AskRequest, AskState, AskerPresence, AttentionState, DeliveryState, NewAsk, RoundFeedback,
    Submission,
};
use crate::model::digest::Digest;
use crate::model::document_path::DocumentPath;
use crate::model::id::AskId;
use crate::model::outcome::{AskerVerdict, CancelReason, Outcome, Receipt, ShownView};
use crate::problem::{Problem, ProblemCode};
use jiff::{SignedDuration, Timestamp};
use serde_json::Value;
use std::sync::Arc;

/// A command to change an ask.
#[derive(Debug, Clone, PartialEq)]
pub enum AskCommand {
    /// A person opened the ask.
    MarkSeen,
    /// A person submits these replies.
    Submit {
        /// The replies.
        replies: Replies,
        /// The original JSON of a program that answers, for askers that receive it verbatim.
        as_sent: Option<Value>,
        /// The view that the person was shown.
        shown: ShownView,
    },
    /// A person declines.
    Decline {
        /// The reason.
        reason: Option<String>,
        /// The digest of what the person was shown.
        shown: Digest,
    },
    /// The asker withdraws the question.
    Cancel {
        /// The reason, if the asker's host ended it.
        reason: Option<CancelReason>,
    },
    /// The asker accepts the submitted answer of this round.
    Accept {
        /// The round.
        round: u32,
    },
    /// The asker rejects the submitted answer of this round and wants a new one.
    Reprompt {
        /// The round.
        round: u32,
        /// Feedback on the rejected answer.
        feedback: RoundFeedback,
    },
    /// The asker starts to wait.
    Attach {
        /// The process that waits.
        process: Option<ProcessId>,
    },
    /// The asker no longer waits.
    Detach,
    /// The outcome is about to be handed to the asker.
    Offer,
    /// The asker confirms the outcome.
    Ack,
    /// Time passed: expires what is due.
    Tick,
    /// The clock was set: deadlines move with it.
    AdjustClock {
        /// The adjustment, forwards or back.
        by: SignedDuration,
    },
}

impl AskCommand {
    /// Withdrawal by the asker itself.
    pub const CANCEL: Self = Self::Cancel { reason: None };

    /// Returns true if the change must be durable before it is confirmed: requests, answers, verdicts, and
    /// acknowledgements. A lost acknowledgement would answer the asker's next question with the old reply. Views,
    /// presence and offers may be lost in a power cut.
    pub const fn must_be_durable(&self) -> bool {
        match self {
            Self::Submit { .. }
            | Self::Decline { .. }
            | Self::Cancel { .. }
            | Self::Accept { .. }
            | Self::Reprompt { .. }
            | Self::Ack
            | Self::Tick
            | Self::AdjustClock { .. } => true,
            Self::MarkSeen | Self::Attach { .. } | Self::Detach | Self::Offer => false,
        }
    }
}

/// The result of a command: the ask after it, and the events that led there.
#[derive(Debug, Clone, PartialEq)]
pub struct AskTransition {
    /// The ask after the events.
    pub ask: Ask,
    /// The events in order; empty if nothing changed.
    pub events: Vec<AskEvent>,
    /// Replies that become the draft in the same transaction.
    pub draft: Option<SubmittedDraft>,
}

/// Opens an ask.
///
/// # Errors
/// Fails if the questionnaire has problems, or the time limit is out of bounds.
pub fn open_ask(id: AskId, new: NewAsk, now: Timestamp) -> Result<AskTransition, Problem> {
    let digest = new.questionnaire.digest();
    open_ask_with_digest(id, new, digest, now)
}

/// Opens an ask whose questionnaire's digest is already known.
///
/// # Errors
/// As [`open_ask`].
pub fn open_ask_with_digest(
    id: AskId,
    new: NewAsk,
    digest: Digest,
    now: Timestamp,
) -> Result<AskTransition, Problem> {
    let problems = new.questionnaire.problems();
    if !problems.is_empty() {
        return Err(Problem::from_request(problems));
    }
    let deadline = match new.time_limit_ms {
        Some(limit_ms) => Some(deadline_after(limit_ms, now)?),
        None => None,
    };
    let presence = if new.is_waiting || new.process.is_some() {
        AskerPresence::Attached { process: new.process }
    } else {
        AskerPresence::Detached { since: now }
    };
    let request = AskRequest {
        digest,
        questionnaire: new.questionnaire,
        dialect: new.dialect,
        asker: new.asker,
        needs_verdict: new.needs_verdict,
        created_at: now,
        time_limit_ms: new.time_limit_ms,
        audience: new.audience,
        program: new.program.map(|name| name.chars().take(limits::NAME_CHARS).collect()),
    };
    let opened = AskEvent::Opened { deadline, presence };
    let ask = Ask { id, request: Arc::new(request), state: opened.initial_state(now) };
    Ok(AskTransition { ask, events: vec![opened], draft: None })
}

/// Applies a command to an ask.
///
/// # Errors
/// Fails if the role does not permit the command, or the ask is in another phase. The ask is then unchanged.
pub fn apply_command(
    ask: &Ask,
    who: &Actor,
    command: AskCommand,
    now: Timestamp,
) -> Result<AskTransition, Problem> {
    let mut draft = None;
    let events = match (who, command) {
        (Actor::Person(_), AskCommand::MarkSeen) => mark_seen(ask),
        (Actor::Person(person), AskCommand::Submit { replies, as_sent, shown }) => {
            let (events, next_draft) = submit(ask, person, replies, as_sent, shown, now)?;
            draft = next_draft;
            events
        }
        (Actor::Person(person), AskCommand::Decline { reason, shown }) => {
            decline(ask, person, reason, shown, now)?
        }
        (Actor::Asker(_), AskCommand::Cancel { reason }) => cancel(ask, reason, now)?,
        (Actor::Asker(_), AskCommand::Accept { round }) => vec![accept(ask, round, now)?],
        (Actor::Asker(_), AskCommand::Reprompt { round, feedback }) => {
            vec![reprompt(ask, round, feedback, now)?]
        }
        (Actor::Asker(_), AskCommand::Attach { process }) => attach(ask, process),
        (Actor::Asker(_), AskCommand::Detach) => detach(ask, now),
        (Actor::Asker(_), AskCommand::Offer) => offer(ask, now)?,
        (Actor::Asker(_), AskCommand::Ack) => ack(ask, now)?,
        (_, AskCommand::Tick) => expire_due(ask, now),
        (Actor::Desk, AskCommand::AdjustClock { by }) => reschedule(ask, by),
        (Actor::Asker(_), AskCommand::MarkSeen | AskCommand::Submit { .. } | AskCommand::Decline { .. }) => {
            return Err(Problem::new(ProblemCode::NotAllowed, Message::AskersCannotAnswer));
        }
        (Actor::Person(_) | Actor::Desk, _) | (Actor::Asker(_), AskCommand::AdjustClock { .. }) => {
            return Err(Problem::new(ProblemCode::NotAllowed, Message::OnlyTheAsker));
        }
    };
    let mut ask = ask.clone();
    if !events.is_empty() {
        for event in &events {
            event.apply_to(&mut ask.state);
        }
        ask.state.revision = ask.state.revision.saturating_add(1);
        ask.state.changed_at = now;
    }
    Ok(AskTransition { ask, events, draft })
}

/// Rebuilds a state from the whole log of an ask: the events of each change, with its time. `None` if the log does
/// not begin with the opening.
pub fn replay<'e>(log: impl IntoIterator<Item = (Timestamp, &'e [AskEvent])>) -> Option<AskState> {
    let mut log = log.into_iter();
    let (at, first) = log.next()?;
    let [opened @ AskEvent::Opened { .. }] = first else { return None };
    let mut state = opened.initial_state(at);
    for (at, events) in log {
        // A saved draft is no change of the state.
        if let [AskEvent::Drafted { .. }] = events {
            continue;
        }
        for event in events {
            event.apply_to(&mut state);
        }
        state.revision = state.revision.saturating_add(1);
        state.changed_at = at;
    }
    Some(state)
}

fn mark_seen(ask: &Ask) -> Vec<AskEvent> {
    match ask.state.attention {
        AttentionState::Unseen if ask.outcome().is_none() => vec![AskEvent::Seen],
        AttentionState::Unseen | AttentionState::Seen => Vec::new(),
    }
}

fn check_shown_digest(ask: &Ask, shown: Digest) -> Result<(), Problem> {
    if shown == ask.request.digest {
        return Ok(());
    }
    Err(Problem::new(ProblemCode::AskChanged, Message::AskChanged)
        .with_hint(Message::ShowAgain.with([ask.id])))
}

fn decline(
    ask: &Ask,
    person: &Person,
    reason: Option<String>,
    shown: Digest,
    now: Timestamp,
) -> Result<Vec<AskEvent>, Problem> {
    let reason = reason.filter(|reason| !reason.trim().is_empty());
    if let Err(problem) = ask.open_round(now) {
        // An empty decline leaves no text to keep.
        return Err(if reason.is_some() { problem.with_hint(Message::TextKept) } else { problem });
    }
    check_shown_digest(ask, shown)?;
    if let Some(reason) = &reason
        && reason.len() > limits::TEXT_ANSWER_BYTES
    {
        let message = Message::TextTooLong.with([reason.len(), limits::TEXT_ANSWER_BYTES]);
        return Err(Problem::new(ProblemCode::TooLarge, message));
    }
    let receipt = Receipt::new(person, shown, now).with_audience(&ask.request, person);
    Ok(vec![AskEvent::Settled { outcome: Outcome::Declined { reason, receipt } }])
}

fn cancel(ask: &Ask, reason: Option<CancelReason>, now: Timestamp) -> Result<Vec<AskEvent>, Problem> {
    match &ask.state.phase {
        AskPhase::Settled(Outcome::Cancelled { .. }) => Ok(Vec::new()),
        AskPhase::Settled(outcome) => Err(already_settled_problem(outcome)),
        AskPhase::Open { .. } if ask.is_due(now) => {
            Err(Problem::new(ProblemCode::AskExpired, Message::AskExpired))
        }
        AskPhase::Submitted { submission, .. } if ask.is_due(now) => Err(late_verdict_problem(submission)),
        AskPhase::Open { .. } | AskPhase::Submitted { .. } => {
            Ok(vec![AskEvent::Settled { outcome: Outcome::Cancelled { at: now, reason } }])
        }
    }
}

/// Returns the problem of a verdict that came too late: the answer counts, even if the desk has not recorded it yet.
fn late_verdict_problem(submission: &Submission) -> Problem {
    already_settled_problem(&answered_outcome(submission, AskerVerdict::None))
}

/// Returns the submission that awaits a verdict on this round.
fn pending_submission(ask: &Ask, round: u32, now: Timestamp) -> Result<&Submission, Problem> {
    match &ask.state.phase {
        AskPhase::Submitted { submission, .. } if ask.is_due(now) => Err(late_verdict_problem(submission)),
        AskPhase::Submitted { round: at, submission } if *at == round => Ok(submission),
        AskPhase::Submitted { round: at, .. } => {
            Err(Problem::new(ProblemCode::WrongRound, Message::WrongRound.with([*at, round])))
        }
        AskPhase::Open { .. } => Err(Problem::new(ProblemCode::AskOpen, Message::AskOpen)),
        AskPhase::Settled(outcome) => Err(already_settled_problem(outcome)),
    }
}

fn answered_outcome(submission: &Submission, verdict: AskerVerdict) -> Outcome {
    let Submission { replies, as_sent, receipt, .. } = submission.clone();
    Outcome::Answered { replies, as_sent, receipt, verdict: Some(verdict) }
}

fn settle_as_answered(submission: &Submission, verdict: AskerVerdict) -> AskEvent {
    AskEvent::Settled { outcome: answered_outcome(submission, verdict) }
}

fn accept(ask: &Ask, round: u32, now: Timestamp) -> Result<AskEvent, Problem> {
    let submission = pending_submission(ask, round, now)?;
    Ok(settle_as_answered(submission, AskerVerdict::Accepted))
}

fn reprompt(ask: &Ask, round: u32, feedback: RoundFeedback, now: Timestamp) -> Result<AskEvent, Problem> {
    pending_submission(ask, round, now)?;
    for (at, (question, _)) in feedback.errors.iter().enumerate() {
        if ask.request.questionnaire.question(question).is_none() {
            let message = Message::NoSuchQuestion.with([question]);
            let place = DocumentPath::root().join("errors").join(at).join("question");
            return Err(Problem::new(ProblemCode::NoSuchQuestion, message).at(place));
        }
    }
    let deadline = match ask.request.time_limit_ms {
        Some(limit_ms) => Some(deadline_after(limit_ms, now)?),
        None => None,
    };
    Ok(AskEvent::Reprompted { round: round.saturating_add(1), feedback, deadline })
}

fn attach(ask: &Ask, process: Option<ProcessId>) -> Vec<AskEvent> {
    let presence = AskerPresence::Attached { process };
    if ask.state.presence == presence { Vec::new() } else { vec![AskEvent::Presence { presence }] }
}

fn detach(ask: &Ask, now: Timestamp) -> Vec<AskEvent> {
    match ask.state.presence {
        AskerPresence::Attached { .. } => {
            vec![AskEvent::Presence { presence: AskerPresence::Detached { since: now } }]
        }
        AskerPresence::Detached { .. } => Vec::new(),
    }
}

fn require_settled(ask: &Ask) -> Result<(), Problem> {
    if ask.outcome().is_none() {
        return Err(Problem::new(ProblemCode::AskOpen, Message::AskOpen));
    }
    Ok(())
}

fn offer(ask: &Ask, now: Timestamp) -> Result<Vec<AskEvent>, Problem> {
    require_settled(ask)?;
    let tries = match ask.state.delivery {
        DeliveryState::Ready => 0,
        DeliveryState::Offered { tries, .. } => tries,
        DeliveryState::Acked { .. } | DeliveryState::Parked { .. } => return Ok(Vec::new()),
    };
    let delivery = if tries >= limits::OFFER_ATTEMPTS {
        DeliveryState::Parked { tries }
    } else {
        let lease = SignedDuration::from_secs(limits::OFFER_LEASE_SECONDS);
        DeliveryState::Offered { tries: tries + 1, until: now.checked_add(lease).unwrap_or(Timestamp::MAX) }
    };
    Ok(vec![AskEvent::Delivery { delivery }])
}

fn ack(ask: &Ask, now: Timestamp) -> Result<Vec<AskEvent>, Problem> {
    require_settled(ask)?;
    Ok(match ask.state.delivery {
        DeliveryState::Acked { .. } => Vec::new(),
        DeliveryState::Ready | DeliveryState::Offered { .. } | DeliveryState::Parked { .. } => {
            vec![AskEvent::Delivery { delivery: DeliveryState::Acked { at: now } }]
        }
    })
}

fn reschedule(ask: &Ask, by: SignedDuration) -> Vec<AskEvent> {
    let Some(due) = ask.due_at() else { return Vec::new() };
    match due.checked_add(by) {
        Ok(due) => vec![AskEvent::Rescheduled { due }],
        // A deadline that no clock reaches stays where it is.
        Err(_) => Vec::new(),
    }
}

fn expire_due(ask: &Ask, now: Timestamp) -> Vec<AskEvent> {
    let Some(due) = ask.due_at() else { return Vec::new() };
    if due > now {
        return Vec::new();
    }
    match &ask.state.phase {
        AskPhase::Open { .. } => vec![AskEvent::Settled { outcome: Outcome::Expired { at: due } }],
        AskPhase::Submitted { submission, .. } => vec![settle_as_answered(submission, AskerVerdict::None)],
        AskPhase::Settled(_) => Vec::new(),
    }
}
