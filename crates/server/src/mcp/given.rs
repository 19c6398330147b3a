//! Implicit acknowledgement of answers, for tools without a parameter to confirm them. An answer is acknowledged if
//! the same thread calls any tool again, or if the host is still connected after [`KEPT_AFTER`]. A host that ends
//! sooner may have lost the answer, and the same questions find it again.
//!
//! Without this, an agent that repeats a question on purpose would get the earlier answer.

use super::asks::{Asks, blocking};
use super::caller::Caller;
use super::handler::Door;
use sayso_core::{AskId, Problem};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Time after which a host that is still connected is taken to have received an answer.
const KEPT_AFTER: Duration = Duration::from_secs(5);

/// Answers that were returned and not yet acknowledged, each with the thread that received it.
#[derive(Default)]
pub(super) struct Given(Mutex<Vec<(Option<String>, AskId)>>);

impl Given {
    fn lock(&self) -> MutexGuard<'_, Vec<(Option<String>, AskId)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Removes and returns the matching answers.
    fn take(&self, fits: impl Fn(&(Option<String>, AskId)) -> bool) -> Vec<AskId> {
        self.lock().extract_if(.., |given| fits(given)).map(|(_, id)| id).collect()
    }
}

/// Acknowledges these answers. An answer whose acknowledgement fails is returned once more.
async fn delivered(asks: Arc<Asks>, ids: Vec<AskId>) {
    let work = move || {
        for id in ids {
            asks.delivered(&asks.setup.desk.get(id)?)?;
        }
        Ok::<_, Problem>(())
    };
    let _ = blocking(work).await;
}

impl Door {
    /// Acknowledges the earlier answers of the caller's thread.
    pub(super) async fn went_on(&self, caller: &Caller) {
        let ids = self.asks.given.take(|(thread, _)| *thread == caller.thread);
        if !ids.is_empty() {
            delivered(self.asks.clone(), ids).await;
        }
    }

    /// Records that the answer of this ask is returned to the caller.
    pub(super) fn give(&self, id: AskId, caller: &Caller) {
        self.asks.given.lock().push((caller.thread.clone(), id));
        let (asks, gone) = (self.asks.clone(), self.gone.clone());
        tokio::spawn(async move {
            tokio::select! {
                biased;
                () = gone.cancelled() => {}
                () = tokio::time::sleep(KEPT_AFTER) => {
                    let ids = asks.given.take(|(_, given)| *given == id);
                    delivered(asks, ids).await;
                }
            }
        });
    }
}
