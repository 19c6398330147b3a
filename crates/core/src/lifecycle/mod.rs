//! The lifecycle of an ask as a pure state machine: a command and a time in, events and the new state out. It runs
//! inside the store's write transaction, so the first commit wins.

mod clock;
mod deadline;
mod event;
mod submission;
#[cfg(test)]
mod tests;

pub use clock::{Anchor, Reading, Steady};
pub use deadline::time_limit;
pub use event::Event;
pub use submission::SubmittedDraft;

use self::deadline::deadline_after;
use self::submission::submit;
use crate::answer::Replies;
use crate::ask::{Ask, Attention, Delivery, Feedback, NewAsk, Phase, Presence, Request, State, Submission};
use crate::digest::Digest;
use crate::id::AskId;
use crate::limits;
use crate::message::Message;
use crate::outcome::{Outcome, Receipt, Verdict};
use crate::problem::{Code, Path, Problem};
use crate::who::{Person, Process, Who};
use jiff::{SignedDuration, Timestamp};
use serde_json::Value;
use std::sync::Arc;

/// A command to change an ask.
#[derive(Debug, Clone, PartialEq)]
pub enum Command {
    /// A person opened the ask.
    See,
    /// A person submits these replies.
    Submit {
        /// The replies.
        replies: Replies,
        /// The original JSON of a program that answers, for askers that receive it verbatim.
        as_sent: Option<Value>,
        /// The digest of what the person was shown.
        shown: Digest,
    },
    /// A person declines.
    Decline {
        /// The reason.
        reason: Option<String>,
        /// The digest of what the person was shown.
        shown: Digest,
    },
    /// The asker withdraws the question.
    Cancel,
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
        feedback: Feedback,
    },
    /// The asker starts to wait.
    Attach {
        /// The process that waits.
        process: Option<Process>,
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
    ClockSet {
        /// The adjustment, forwards or back.
        by: SignedDuration,
    },
}

impl Command {
    /// Returns true if the change must be durable before it is confirmed: requests, answers, verdicts, and
    /// acknowledgements. A lost acknowledgement would answer the asker's next question with the old reply. Views,
    /// presence and offers may be lost in a power cut.
    pub const fn must_last(&self) -> bool {
        match self {
            Self::Submit { .. }
            | Self::Decline { .. }
            | Self::Cancel
            | Self::Accept { .. }
            | Self::Reprompt { .. }
            | Self::Ack
            | Self::Tick
            | Self::ClockSet { .. } => true,
            Self::See | Self::Attach { .. } | Self::Detach | Self::Offer => false,
        }
    }
}

/// The result of a command: the ask after it, and the events that led there.
#[derive(Debug, Clone, PartialEq)]
pub struct Change {
    /// The ask after the events.
    pub ask: Ask,
    /// The events in order; empty if nothing changed.
    pub events: Vec<Event>,
    /// Replies that become the draft in the same transaction.
    pub draft: Option<SubmittedDraft>,
}

/// Opens an ask.
///
/// # Errors
/// Fails if the questionnaire has problems, or the time limit is out of bounds.
pub fn open(id: AskId, new: NewAsk, now: Timestamp) -> Result<Change, Problem> {
    let digest = new.questionnaire.digest();
    open_digested(id, new, digest, now)
}

/// Opens an ask whose questionnaire's digest is already known.
///
/// # Errors
/// As [`open`].
pub fn open_digested(id: AskId, new: NewAsk, digest: Digest, now: Timestamp) -> Result<Change, Problem> {
    let problems = new.questionnaire.problems();
    if !problems.is_empty() {
        return Err(Problem::in_request(problems));
    }
    let deadline = new.time_limit_ms.map(|limit| deadline_after(limit, now)).transpose()?;
    let presence = if new.waits || new.process.is_some() {
        Presence::Attached { process: new.process }
    } else {
        Presence::Detached { since: now }
    };
    let request = Request {
        digest,
        questionnaire: new.questionnaire,
        dialect: new.dialect,
        asker: new.asker,
        judged: new.judged,
        created_at: now,
        time_limit_ms: new.time_limit_ms,
        program: new.program.map(|name| name.chars().take(limits::NAME_CHARS).collect()),
    };
    let opened = Event::Opened { deadline, presence };
    let ask = Ask { id, request: Arc::new(request), state: opened.begin(now) };
    Ok(Change { ask, events: vec![opened], draft: None })
}

/// Applies a command to an ask.
///
/// # Errors
/// Fails if the role does not permit the command, or the ask is in another phase. The ask is then unchanged.
pub fn apply(ask: &Ask, who: &Who, command: Command, now: Timestamp) -> Result<Change, Problem> {
    let mut draft = None;
    let decided = match (who, command) {
        (Who::Person(_), Command::See) => see(ask),
        (Who::Person(person), Command::Submit { replies, as_sent, shown }) => {
            let (events, submitted) = submit(ask, person, replies, as_sent, shown, now)?;
            draft = submitted;
            events
        }
        (Who::Person(person), Command::Decline { reason, shown }) => {
            decline(ask, person, reason, shown, now)?
        }
        (Who::Asker(_), Command::Cancel) => cancel(ask, now)?,
        (Who::Asker(_), Command::Accept { round }) => vec![accept(ask, round, now)?],
        (Who::Asker(_), Command::Reprompt { round, feedback }) => vec![reprompt(ask, round, feedback, now)?],
        (Who::Asker(_), Command::Attach { process }) => attach(ask, process),
        (Who::Asker(_), Command::Detach) => detach(ask, now),
        (Who::Asker(_), Command::Offer) => offer(ask, now)?,
        (Who::Asker(_), Command::Ack) => ack(ask, now)?,
        (_, Command::Tick) => tick(ask, now),
        (Who::Desk, Command::ClockSet { by }) => reschedule(ask, by),
        (Who::Asker(_), Command::See | Command::Submit { .. } | Command::Decline { .. }) => {
            return Err(Problem::new(Code::NotAllowed, Message::AskersCannotAnswer));
        }
        (Who::Person(_) | Who::Desk, _) | (Who::Asker(_), Command::ClockSet { .. }) => {
            return Err(Problem::new(Code::NotAllowed, Message::OnlyTheAsker));
        }
    };
    let mut after = ask.clone();
    if !decided.is_empty() {
        for event in &decided {
            event.evolve(&mut after.state);
        }
        after.state.revision = after.state.revision.saturating_add(1);
        after.state.changed_at = now;
    }
    Ok(Change { ask: after, events: decided, draft })
}

/// Rebuilds a state from the whole log of an ask: the events of each change, with its time. `None` if the log does
/// not begin with the opening.
pub fn replay<'e>(log: impl IntoIterator<Item = (Timestamp, &'e [Event])>) -> Option<State> {
    let mut log = log.into_iter();
    let (at, first) = log.next()?;
    let [opened @ Event::Opened { .. }] = first else { return None };
    let mut state = opened.begin(at);
    for (at, events) in log.filter(|(_, events)| !matches!(events, [Event::Drafted { .. }])) {
        for event in events {
            event.evolve(&mut state);
        }
        state.revision = state.revision.saturating_add(1);
        state.changed_at = at;
    }
    Some(state)
}

fn see(ask: &Ask) -> Vec<Event> {
    match ask.state.attention {
        Attention::Unseen if ask.outcome().is_none() => vec![Event::Seen],
        Attention::Unseen | Attention::Seen => Vec::new(),
    }
}

fn shown_is_asked(ask: &Ask, shown: Digest) -> Result<(), Problem> {
    if shown == ask.request.digest {
        return Ok(());
    }
    Err(Problem::new(Code::AskChanged, Message::AskChanged).hint(Message::ShowAgain.with([ask.id])))
}

fn decline(
    ask: &Ask,
    person: &Person,
    reason: Option<String>,
    shown: Digest,
    now: Timestamp,
) -> Result<Vec<Event>, Problem> {
    let reason = reason.filter(|reason| !reason.trim().is_empty());
    // An empty decline leaves no text to keep.
    let is_kept = |problem: Problem| {
        if reason.is_some() { problem.hint(Message::TextKept) } else { problem }
    };
    ask.must_be_open(now).map_err(is_kept)?;
    shown_is_asked(ask, shown)?;
    if let Some(long) = reason.as_ref().map(String::len).filter(|bytes| *bytes > limits::TEXT_ANSWER_BYTES) {
        let message = Message::TextTooLong.with([long, limits::TEXT_ANSWER_BYTES]);
        return Err(Problem::new(Code::TooLarge, message));
    }
    let receipt = Receipt::of(person, shown, now);
    Ok(vec![Event::Settled { outcome: Outcome::Declined { reason, receipt } }])
}

fn cancel(ask: &Ask, now: Timestamp) -> Result<Vec<Event>, Problem> {
    match &ask.state.phase {
        Phase::Settled(Outcome::Cancelled { .. }) => Ok(Vec::new()),
        Phase::Settled(outcome) => Err(crate::ask::settled_problem(outcome)),
        Phase::Open { .. } if ask.is_due(now) => Err(Problem::new(Code::AskExpired, Message::AskExpired)),
        Phase::Submitted { submission, .. } if ask.is_due(now) => Err(too_late(submission)),
        Phase::Open { .. } | Phase::Submitted { .. } => {
            Ok(vec![Event::Settled { outcome: Outcome::Cancelled { at: now } }])
        }
    }
}

/// Returns the problem of a verdict that came too late: the answer counts, even if the desk has not recorded it yet.
fn too_late(submission: &Submission) -> Problem {
    crate::ask::settled_problem(&outcome(submission, Verdict::None))
}

/// Returns the submission that awaits a verdict on this round.
fn submitted(ask: &Ask, round: u32, now: Timestamp) -> Result<&Submission, Problem> {
    match &ask.state.phase {
        Phase::Submitted { submission, .. } if ask.is_due(now) => Err(too_late(submission)),
        Phase::Submitted { round: at, submission } if *at == round => Ok(submission),
        Phase::Submitted { round: at, .. } => {
            Err(Problem::new(Code::WrongRound, Message::WrongRound.with([*at, round])))
        }
        Phase::Open { .. } => Err(Problem::new(Code::AskOpen, Message::AskOpen)),
        Phase::Settled(outcome) => Err(crate::ask::settled_problem(outcome)),
    }
}

fn outcome(submission: &Submission, verdict: Verdict) -> Outcome {
    let Submission { replies, as_sent, receipt, .. } = submission.clone();
    Outcome::Answered { replies, as_sent, receipt, verdict: Some(verdict) }
}

fn answered(submission: &Submission, verdict: Verdict) -> Event {
    Event::Settled { outcome: outcome(submission, verdict) }
}

fn accept(ask: &Ask, round: u32, now: Timestamp) -> Result<Event, Problem> {
    submitted(ask, round, now).map(|submission| answered(submission, Verdict::Accepted))
}

fn reprompt(ask: &Ask, round: u32, feedback: Feedback, now: Timestamp) -> Result<Event, Problem> {
    submitted(ask, round, now)?;
    for (at, (question, _)) in feedback.errors.iter().enumerate() {
        if ask.request.questionnaire.question(question).is_none() {
            let message = Message::NoSuchQuestion.with([question]);
            let place = Path::root().then("errors").then(at).then("question");
            return Err(Problem::new(Code::NoSuchQuestion, message).at(place));
        }
    }
    let deadline = ask.request.time_limit_ms.map(|limit| deadline_after(limit, now)).transpose()?;
    Ok(Event::Reprompted { round: round.saturating_add(1), feedback, deadline })
}

fn attach(ask: &Ask, process: Option<Process>) -> Vec<Event> {
    let presence = Presence::Attached { process };
    if ask.state.presence == presence { Vec::new() } else { vec![Event::Presence { presence }] }
}

fn detach(ask: &Ask, now: Timestamp) -> Vec<Event> {
    match ask.state.presence {
        Presence::Attached { .. } => vec![Event::Presence { presence: Presence::Detached { since: now } }],
        Presence::Detached { .. } => Vec::new(),
    }
}

fn must_be_settled(ask: &Ask) -> Result<(), Problem> {
    ask.outcome().map(|_| ()).ok_or_else(|| Problem::new(Code::AskOpen, Message::AskOpen))
}

fn offer(ask: &Ask, now: Timestamp) -> Result<Vec<Event>, Problem> {
    must_be_settled(ask)?;
    let tries = match ask.state.delivery {
        Delivery::Ready => 0,
        Delivery::Offered { tries, .. } => tries,
        Delivery::Acked { .. } | Delivery::Parked { .. } => return Ok(Vec::new()),
    };
    let delivery = if tries >= limits::OFFER_TRIES {
        Delivery::Parked { tries }
    } else {
        let lease = SignedDuration::from_secs(limits::OFFER_LEASE_SECONDS);
        Delivery::Offered { tries: tries + 1, until: now.checked_add(lease).unwrap_or(Timestamp::MAX) }
    };
    Ok(vec![Event::Delivery { delivery }])
}

fn ack(ask: &Ask, now: Timestamp) -> Result<Vec<Event>, Problem> {
    must_be_settled(ask)?;
    Ok(match ask.state.delivery {
        Delivery::Acked { .. } => Vec::new(),
        Delivery::Ready | Delivery::Offered { .. } | Delivery::Parked { .. } => {
            vec![Event::Delivery { delivery: Delivery::Acked { at: now } }]
        }
    })
}

fn reschedule(ask: &Ask, by: SignedDuration) -> Vec<Event> {
    let due = ask.due_at().and_then(|due| due.checked_add(by).ok());
    due.map(|due| Event::Rescheduled { due }).into_iter().collect()
}

fn tick(ask: &Ask, now: Timestamp) -> Vec<Event> {
    let Some(due) = ask.due_at().filter(|due| *due <= now) else { return Vec::new() };
    match &ask.state.phase {
        Phase::Open { .. } => vec![Event::Settled { outcome: Outcome::Expired { at: due } }],
        Phase::Submitted { submission, .. } => vec![answered(submission, Verdict::None)],
        Phase::Settled(_) => Vec::new(),
    }
}
