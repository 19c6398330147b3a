//! The open round of an ask: whether it can be answered, and whether asking the same again finds it.

use crate::display;
use crate::i18n::{Message, own};
use crate::model::actor::ProcessId;
use crate::model::ask::{Ask, AskPhase, AskerPresence};
use crate::model::outcome::{Outcome, Receipt, format_record_time};
use crate::problem::{Problem, ProblemCode};
use jiff::Timestamp;

impl Ask {
    /// Returns true if asking the same again finds this ask: while it is open, or its answer has not been delivered.
    /// A cancelled or expired ask has no answer that could be lost, so the question is asked again. An ask for
    /// consent that was answered is found by its key or its id alone.
    pub fn is_live(&self) -> bool {
        match self.outcome() {
            None => true,
            Some(Outcome::Answered { .. } | Outcome::Declined { .. }) => {
                !self.is_delivered() && !self.request.questionnaire.asks_consent()
            }
            Some(Outcome::Cancelled { .. } | Outcome::Expired { .. }) => false,
        }
    }

    /// Returns true if asking the same again from this process finds it; `runs` reports whether a process surely
    /// runs. Consent that another process waits for belongs to it alone: otherwise one yes would let both act.
    pub fn is_reusable_by(&self, process: Option<ProcessId>, runs: impl FnOnce(ProcessId) -> bool) -> bool {
        let AskerPresence::Attached { process: Some(waiter) } = self.state.presence else { return true };
        process == Some(waiter) || !self.request.questionnaire.asks_consent() || !runs(waiter)
    }

    /// Returns the current round if the ask can be answered or declined.
    ///
    /// # Errors
    /// Fails with the problem that reports what ended it, or that it awaits a verdict.
    pub fn open_round(&self, now: Timestamp) -> Result<u32, Problem> {
        match &self.state.phase {
            AskPhase::Open { .. } if self.is_due(now) => {
                Err(Problem::new(ProblemCode::AskExpired, Message::AskExpired))
            }
            AskPhase::Open { round, .. } => Ok(*round),
            AskPhase::Submitted { .. } => Err(Problem::new(ProblemCode::AskSubmitted, Message::AskSubmitted)),
            AskPhase::Settled(outcome) => Err(already_settled_problem(outcome)),
        }
    }
}

/// Returns the problem that reports how an ask was settled first.
pub fn already_settled_problem(outcome: &Outcome) -> Problem {
    let at = |receipt: &Receipt| own(format_record_time(receipt.at));
    match outcome {
        Outcome::Answered { receipt, .. } => Problem::new(
            ProblemCode::AskAnswered,
            Message::AskAnswered.with([own(display::escape_line(&receipt.by)), at(receipt)]),
        ),
        Outcome::Declined { receipt, .. } => Problem::new(
            ProblemCode::AskDeclined,
            Message::AskDeclined.with([own(display::escape_line(&receipt.by)), at(receipt)]),
        ),
        Outcome::Cancelled { .. } => Problem::new(ProblemCode::AskCancelled, Message::AskCancelled),
        Outcome::Expired { .. } => Problem::new(ProblemCode::AskExpired, Message::AskExpired),
    }
}
