//! Answers given to askers whose tools have no word for having them. Such an answer is delivered when the same thread calls
//! again, whatever it calls, or when the host is still there a while later. A host that ends sooner may have lost it: the
//! same questions find it again.
//!
//! Without this an agent that asks the same once more, which means to ask once more, would be given what was said to it
//! before.

use super::asks::{Asks, blocking};
use super::caller::Caller;
use super::handler::Door;
use sayso_core::{AskId, Problem};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// A host that is still there so long after it was given an answer has it.
const KEPT_AFTER: Duration = Duration::from_secs(5);

/// The answers given, each with the thread that it was given to.
#[derive(Default)]
pub(super) struct Given(Mutex<Vec<(Option<String>, AskId)>>);

impl Given {
    fn lock(&self) -> MutexGuard<'_, Vec<(Option<String>, AskId)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes out what fits.
    fn take(&self, fits: impl Fn(&(Option<String>, AskId)) -> bool) -> Vec<AskId> {
        self.lock().extract_if(.., |given| fits(given)).map(|(_, id)| id).collect()
    }
}

/// Notes that their askers have these answers. What cannot be noted is given once more.
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
    /// The caller calls: it has what was given to it before.
    pub(super) async fn went_on(&self, caller: &Caller) {
        let ids = self.asks.given.take(|(thread, _)| *thread == caller.thread);
        if !ids.is_empty() {
            delivered(self.asks.clone(), ids).await;
        }
    }

    /// The answer of this ask goes out to the caller.
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
