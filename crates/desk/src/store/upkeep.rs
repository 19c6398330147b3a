//! Upkeep of a desk, the same over every store. It runs in short steps, each a transaction of its own, with a pause as long
//! as the step after it: others write meanwhile.

use super::api::{PurgeLimits, PurgeStep, Store};
use crate::RetentionPolicy;
use jiff::{SignedDuration, Timestamp};
use sayso_core::{Problem, limits};
use std::time::{Duration, Instant};

/// Time between two purges.
const PURGE_INTERVAL: SignedDuration = SignedDuration::from_hours(24);

/// Time in which a list may run what is due. It leaves out asks for which this was too short.
const LIST_TIME: Duration = Duration::from_millis(10);

/// Longest pause after a step.
const LONGEST_PAUSE: Duration = Duration::from_millis(100);

impl PurgeLimits {
    /// Returns the limits of a policy at a time.
    fn at(now: Timestamp, policy: RetentionPolicy) -> Self {
        Self {
            settled_before: days_before(now, policy.settled_days),
            drafts_before: days_before(now, policy.draft_days),
            hooks_before: days_before(now, policy.hook_days),
        }
    }
}

fn days_before(now: Timestamp, days: u32) -> Timestamp {
    let time = SignedDuration::from_hours(i64::from(days) * 24);
    now.checked_sub(time).unwrap_or(Timestamp::MIN)
}

/// Runs the upkeep. No step begins once it has taken so long. Returns whether something is left, which the next upkeep does.
/// Each problem is logged, and the other parts run all the same.
pub(crate) fn run(store: &dyn Store, policy: RetentionPolicy, limit: Duration) -> bool {
    let steps = UpkeepSteps { store, began_at: Instant::now(), limit };
    let unseen_time = SignedDuration::from_secs(limits::UNSEEN_CANCELLED_SECONDS);
    let cancelled_before = store.now().checked_sub(unseen_time).unwrap_or(Timestamp::MIN);
    let parts = [
        ("own work", store.tidy().map(|()| false)),
        ("deadlines", steps.repeat(|| Ok(store.run_due()? > 0))),
        ("purge", steps.purge_when_due(policy)),
        ("cancelled asks", steps.repeat(|| Ok(store.prune_cancelled(cancelled_before)? > 0))),
        ("space", steps.repeat(|| store.give_back())),
    ];
    let mut has_rest = false;
    for (part, result) in parts {
        match result {
            Ok(has_more) => has_rest |= has_more,
            Err(problem) => {
                tracing::error!(part, error = %problem, "the upkeep of the desk failed");
            }
        }
    }
    has_rest
}

/// Runs deadlines that have passed, and begins none once it has taken so long. Returns whether some may be left.
///
/// # Errors
/// If the store cannot be read or written.
pub(crate) fn run_due(store: &dyn Store, limit: Duration) -> Result<bool, Problem> {
    UpkeepSteps { store, began_at: Instant::now(), limit }.repeat(|| Ok(store.run_due()? > 0))
}

/// Runs deadlines that have passed, as many as a caller of a list has time for. Returns whether some may be left.
///
/// # Errors
/// If the store cannot be read or written.
pub(crate) fn run_due_for_list(store: &dyn Store) -> Result<bool, Problem> {
    let began_at = Instant::now();
    while store.run_due()? > 0 {
        if began_at.elapsed() >= LIST_TIME {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Purges now, and returns the number of asks.
///
/// # Errors
/// If the store cannot be read or written.
#[cfg(test)]
pub(crate) fn purge(store: &dyn Store, limits: PurgeLimits) -> Result<usize, Problem> {
    let (mut next, mut asks) = (Some(PurgeStep::FIRST), 0);
    while let Some(step) = next {
        let Some(done) = store.purge_step(step, limits)? else { break };
        (next, asks) = (done.next, asks + done.asks);
    }
    Ok(asks)
}

/// Steps of one upkeep.
struct UpkeepSteps<'s> {
    store: &'s dyn Store,
    began_at: Instant,
    limit: Duration,
}

impl UpkeepSteps<'_> {
    /// Repeats a step until it has nothing to do, or the time is over. Returns whether something is left.
    fn repeat(&self, mut step: impl FnMut() -> Result<bool, Problem>) -> Result<bool, Problem> {
        while self.began_at.elapsed() < self.limit {
            let began_at = Instant::now();
            if !step()? {
                return Ok(false);
            }
            pause(began_at.elapsed());
        }
        Ok(true)
    }

    /// Continues a purge, or begins the one of the day. Returns whether something is left.
    fn purge_when_due(&self, policy: RetentionPolicy) -> Result<bool, Problem> {
        let now = self.store.now();
        let state = self.store.purge_state()?;
        if state.step == PurgeStep::FIRST && now.duration_since(state.ended_at) <= PURGE_INTERVAL {
            return Ok(false);
        }
        let limits = PurgeLimits::at(now, policy);
        let (mut step, mut asks) = (state.step, 0);
        let is_left = self.repeat(|| {
            let Some(done) = self.store.purge_step(step, limits)? else { return Ok(false) };
            self.store.release_space();
            asks += done.asks;
            step = done.next.unwrap_or(step);
            Ok(done.next.is_some())
        });
        if asks > 0 {
            tracing::debug!(asks, "old asks were deleted");
        }
        is_left
    }
}

/// Leaves the store to others for as long as a step took.
#[expect(clippy::disallowed_methods, reason = "others write meanwhile")]
fn pause(took: Duration) {
    std::thread::sleep(took.min(LONGEST_PAUSE));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::{answer, open};
    use crate::store::sqlite::tests::{desk, open_raw};
    use std::sync::{Arc, Mutex};
    use tempfile::TempDir;
    use tracing::field::{Field, Visit};
    use tracing::span::{Attributes, Id, Record};
    use tracing::{Event, Level, Metadata, Subscriber};

    /// Log that keeps the parts that failed.
    #[derive(Clone, Default)]
    struct FailedParts(Arc<Mutex<Vec<String>>>);

    impl Subscriber for FailedParts {
        fn enabled(&self, metadata: &Metadata<'_>) -> bool {
            *metadata.level() == Level::ERROR
        }

        fn new_span(&self, _: &Attributes<'_>) -> Id {
            Id::from_u64(1)
        }

        fn record(&self, _: &Id, _: &Record<'_>) {}

        fn record_follows_from(&self, _: &Id, _: &Id) {}

        fn event(&self, event: &Event<'_>) {
            event.record(&mut self.clone());
        }

        fn enter(&self, _: &Id) {}

        fn exit(&self, _: &Id) {}
    }

    impl Visit for FailedParts {
        fn record_str(&mut self, field: &Field, value: &str) {
            if field.name() == "part" {
                self.0.lock().unwrap().push(value.to_owned());
            }
        }

        fn record_debug(&mut self, _: &Field, _: &dyn std::fmt::Debug) {}
    }

    #[test]
    fn failed_part_is_logged_and_stops_no_other() {
        let folder = TempDir::new().unwrap();
        let path = folder.path().join("desk");
        let desk = desk(&path);
        answer(&desk, &open(&desk, "door"));
        open_raw(&path).execute_batch("DROP TABLE tombstone").unwrap();
        let (log, all) =
            (FailedParts::default(), RetentionPolicy { settled_days: 0, draft_days: 0, hook_days: 0 });
        let is_left =
            tracing::subscriber::with_default(log.clone(), || run(&*desk.store, all, Duration::MAX));
        assert!(!is_left);
        assert_eq!(*log.0.lock().unwrap(), ["purge"]);
    }
}
