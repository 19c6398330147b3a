//! Answers that were returned and not yet acknowledged, for tools without a parameter to confirm them.

use sayso_core::AskId;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Time after which a host that is still connected is taken to have received an answer.
const ACK_DELAY: Duration = Duration::from_secs(5);

/// Answer that a thread of the host was given.
struct ReturnedAnswer {
    thread_id: Option<String>,
    ask: AskId,
}

/// Answers that were returned and not yet acknowledged.
pub(crate) struct UnconfirmedAnswers {
    /// Time after which the host is taken to have received an answer.
    pub(crate) ack_delay: Duration,
    answers: Mutex<Vec<ReturnedAnswer>>,
}

impl Default for UnconfirmedAnswers {
    fn default() -> Self {
        Self::new(ACK_DELAY)
    }
}

impl UnconfirmedAnswers {
    pub(crate) fn new(ack_delay: Duration) -> Self {
        Self { ack_delay, answers: Mutex::default() }
    }

    fn lock(&self) -> MutexGuard<'_, Vec<ReturnedAnswer>> {
        self.answers.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Records that the answer of an ask is returned to a thread.
    pub(crate) fn record(&self, ask: AskId, thread_id: Option<String>) {
        self.lock().push(ReturnedAnswer { thread_id, ask });
    }

    /// Removes the answers of a thread, and returns their asks.
    pub(crate) fn take_of_thread(&self, thread_id: Option<&str>) -> Vec<AskId> {
        let mut answers = self.lock();
        let of_thread = answers.extract_if(.., |answer| answer.thread_id.as_deref() == thread_id);
        of_thread.map(|answer| answer.ask).collect()
    }

    /// Removes the answers of an ask; returns whether there were any.
    pub(crate) fn remove(&self, ask: AskId) -> bool {
        let mut answers = self.lock();
        let earlier_count = answers.len();
        answers.retain(|answer| answer.ask != ask);
        answers.len() < earlier_count
    }
}
