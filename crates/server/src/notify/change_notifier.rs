//! One shared watch of the desk for all waiting calls: a thousand calls cost one thread and one wakeup listener.
//!
//! A call that waits for some asks holds a [`Subscription`], and wakes if one of them may have changed. [`ChangeNotifier::next_input`]
//! returns a stream of all events.

use crate::diagnostics::{log_event, log_failure};
use sayso_core::i18n::own;
use sayso_core::lifecycle::AskEvent;
use sayso_core::{AskId, Message, Problem, ProblemCode};
use sayso_desk::{AskChange, ChangeCursor, Desk, Interest, Watch, WatchEvent};
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;
use tokio::sync::{Notify, broadcast};

/// Longest sleep of the watching thread before it checks whether anyone still waits.
const POLL_INTERVAL: Duration = Duration::from_secs(1);

/// Capacity of the broadcast channel. A listener that falls further behind reads the desk's own log.
const LISTENER_CAPACITY: usize = 1_024;

/// Notifier that wakes the calls that wait for asks.
pub(crate) struct ChangeNotifier {
    desk: Arc<dyn Desk>,
    waiters: Mutex<WaiterRegistry>,
    /// Lock held while a watch starts, with the error of the last start that failed. A desk on the network may take
    /// long to start; other calls queue here and don't block `waiting`.
    starting: Mutex<Option<Problem>>,
    /// Number of failed starts, so that queued callers can detect a failure.
    failures: AtomicU64,
    events: broadcast::Sender<Arc<WatchEvent>>,
}

/// Reason for waking a subscription.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum AskSignal {
    /// A possible change; the asks must be read.
    MaybeChanged,
    /// One of them has ended.
    Settled,
}

#[derive(Default)]
struct WaiterRegistry {
    /// Waiters of each ask, by the number of their subscription.
    by_ask: HashMap<AskId, HashMap<u64, Arc<Waiter>>>,
    next_number: u64,
    is_watched: bool,
    /// Cursor of the last change that was sent, if known. A change that is read twice is sent once.
    last_sent: Option<ChangeCursor>,
}

/// Subscription to some asks; dropping it unsubscribes.
pub(crate) struct Subscription {
    notifier: Arc<ChangeNotifier>,
    asks: Vec<AskId>,
    number: u64,
    waiter: Arc<Waiter>,
}

/// State shared between a subscription and the notifier. Kept small, because there may be ten thousand.
#[derive(Default)]
struct Waiter {
    wakeup: Notify,
    /// One of the asks has ended. Never reset.
    is_settled: AtomicBool,
}

impl Waiter {
    fn wake(&self, signal: AskSignal) {
        if signal == AskSignal::Settled {
            self.is_settled.store(true, Ordering::Release);
        }
        // A permit is stored if the holder isn't waiting now.
        self.wakeup.notify_one();
    }
}

impl Subscription {
    /// Waits until one of the asks may have changed since the last call.
    pub(crate) async fn changed(&mut self) -> AskSignal {
        self.waiter.wakeup.notified().await;
        if self.waiter.is_settled.load(Ordering::Acquire) {
            AskSignal::Settled
        } else {
            AskSignal::MaybeChanged
        }
    }
}

impl Drop for Subscription {
    fn drop(&mut self) {
        // A settled ask has already left the registry. Thousands may drop at once, so the lock is skipped.
        if self.asks.len() == 1 && self.waiter.is_settled.load(Ordering::Acquire) {
            return;
        }
        let mut registry = self.notifier.lock();
        for ask in &self.asks {
            if let Some(waiters) = registry.by_ask.get_mut(ask) {
                waiters.remove(&self.number);
                if waiters.is_empty() {
                    registry.by_ask.remove(ask);
                }
            }
        }
    }
}

impl ChangeNotifier {
    pub(crate) fn new(desk: Arc<dyn Desk>) -> Arc<Self> {
        Arc::new(Self {
            desk,
            waiters: Mutex::default(),
            starting: Mutex::default(),
            failures: AtomicU64::default(),
            events: broadcast::Sender::new(LISTENER_CAPACITY),
        })
    }

    fn lock(&self) -> MutexGuard<'_, WaiterRegistry> {
        self.waiters.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns whether a call waits for an ask.
    pub(crate) fn is_awaited(&self, ask: AskId) -> bool {
        self.lock().by_ask.contains_key(&ask)
    }

    /// Subscribes to some asks. A caller that reads them afterwards misses nothing.
    ///
    /// # Errors
    /// Fails if the desk cannot be watched.
    pub(crate) fn subscribe(self: &Arc<Self>, asks: Vec<AskId>) -> Result<Subscription, Problem> {
        let waiter = Arc::<Waiter>::default();
        let mut registry = self.lock();
        registry.next_number += 1;
        let number = registry.next_number;
        for ask in &asks {
            registry.by_ask.entry(*ask).or_default().insert(number, waiter.clone());
        }
        drop(registry);
        // The watch ends if no one waits, so the subscription is registered first. On failure it is dropped.
        let subscription = Subscription { notifier: self.clone(), asks, number, waiter };
        self.ensure_watching()?;
        Ok(subscription)
    }

    /// Returns whether any call waits for an ask.
    pub(crate) fn has_waiters(&self, ask: AskId) -> bool {
        self.lock().by_ask.contains_key(&ask)
    }

    /// Starts the watch if it isn't running, also after it broke.
    ///
    /// # Errors
    /// Fails if the desk cannot be watched.
    pub(crate) fn ensure_watching(self: &Arc<Self>) -> Result<(), Problem> {
        let failures = self.failures.load(Ordering::Acquire);
        if self.lock().is_watched {
            return Ok(());
        }
        let mut last_failure = self.starting.lock().unwrap_or_else(PoisonError::into_inner);
        if self.lock().is_watched {
            return Ok(());
        }
        // Callers that queued behind a failed start share its error. Each retrying in turn would add up the timeouts.
        if let Some(problem) = last_failure.as_ref()
            && self.failures.load(Ordering::Acquire) != failures
        {
            return Err(problem.clone());
        }
        let result = self.start_watching();
        if let Err(problem) = &result {
            log_event!(WARN, Desk, "no watch", code = problem.code);
            self.failures.fetch_add(1, Ordering::Release);
        }
        *last_failure = result.clone().err();
        result
    }

    fn start_watching(self: &Arc<Self>) -> Result<(), Problem> {
        let watch = self.desk.watch(Interest::All, None)?;
        let mut registry = self.lock();
        registry.is_watched = true;
        registry.last_sent = Some(watch.cursor());
        drop(registry);
        let notifier = self.clone();
        match thread::Builder::new().spawn(move || notifier.run(watch)) {
            Ok(_) => Ok(()),
            Err(error) => {
                self.lock().mark_unwatched();
                Err(Problem::new(ProblemCode::DeskFailed, Message::WatchFailed.with([own(error)])))
            }
        }
    }

    /// Sends the changes that this process has just committed, without waiting for the wakeup. Changes of other
    /// processes, and those that cannot be read now, come through the watch.
    pub(crate) fn catch_up(&self, read: impl FnOnce(ChangeCursor, usize) -> Result<Vec<AskChange>, Problem>) {
        let Some(cursor) = self.lock().last_sent else { return };
        match read(cursor, LISTENER_CAPACITY) {
            Ok(changes) => self.notify(changes.into_iter().map(WatchEvent::Change)),
            Err(problem) => log_failure("read own changes", Err::<(), _>(problem)),
        }
    }

    /// Sends events to all listeners and waiters, without those that were sent already. Every reader starts at or
    /// before the last cursor sent and reads in log order, so no change is lost.
    fn notify(&self, events: impl IntoIterator<Item = WatchEvent>) {
        let mut signals = Vec::new();
        let mut registry = self.lock();
        for event in events {
            if registry.check_and_record(&event) {
                continue;
            }
            registry.collect_waiters(&event, &mut signals);
            // There may be no listener.
            let _ = self.events.send(Arc::new(event));
        }
        // Thousands may wait for one ask, and each locks the registry again when it wakes.
        drop(registry);
        for (waiter, signal) in signals {
            waiter.wake(signal);
        }
    }

    /// Returns a receiver of all events from now on.
    ///
    /// # Errors
    /// Fails if the desk cannot be watched.
    pub(crate) fn listen(self: &Arc<Self>) -> Result<broadcast::Receiver<Arc<WatchEvent>>, Problem> {
        let listener = self.events.subscribe();
        self.ensure_watching()?;
        Ok(listener)
    }

    fn run(&self, mut watch: Box<dyn Watch>) {
        loop {
            let changes = match watch.wait(POLL_INTERVAL) {
                Ok(changes) => changes,
                Err(problem) => {
                    log_event!(WARN, Desk, "watch broke; waiting calls start it again", code = problem.code);
                    break;
                }
            };
            self.notify(changes);
            let mut registry = self.lock();
            if registry.by_ask.is_empty() && self.events.receiver_count() == 0 {
                return registry.mark_unwatched();
            }
        }
        // Waiting calls wake, read the desk, and report its error or restart the watch.
        self.lock().mark_unwatched();
        self.notify([WatchEvent::Gap]);
    }
}

impl WaiterRegistry {
    fn mark_unwatched(&mut self) {
        self.is_watched = false;
        self.last_sent = None;
    }

    /// Returns whether this event was sent before, and records its cursor.
    fn check_and_record(&mut self, event: &WatchEvent) -> bool {
        let WatchEvent::Change(change) = event else {
            // After a gap any change may come.
            self.last_sent = None;
            return false;
        };
        if let Some(last_sent) = self.last_sent
            && !change.cursor.is_after(last_sent)
        {
            return true;
        }
        self.last_sent = Some(change.cursor);
        false
    }

    /// Collects the waiters of an event. Removes those of an ask that has ended.
    fn collect_waiters(&mut self, event: &WatchEvent, signals: &mut Vec<(Arc<Waiter>, AskSignal)>) {
        let WatchEvent::Change(change) = event else {
            for waiter in self.by_ask.values().flat_map(HashMap::values) {
                signals.push((waiter.clone(), AskSignal::MaybeChanged));
            }
            return;
        };
        if change.events.iter().any(|event| matches!(event, AskEvent::Settled { .. })) {
            for waiter in self.by_ask.remove(&change.id).unwrap_or_default().into_values() {
                signals.push((waiter, AskSignal::Settled));
            }
        } else if let Some(waiters) = self.by_ask.get(&change.id) {
            for waiter in waiters.values() {
                signals.push((waiter.clone(), AskSignal::MaybeChanged));
            }
        }
    }
}

#[cfg(test)]
mod tests;
