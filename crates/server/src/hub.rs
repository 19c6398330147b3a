//! One watch for all who wait: a thousand calls that wait cost one thread and one bell, not a thousand.
//!
//! Whoever waits for some asks holds a [`Ticket`], and is woken when something may have happened to them. Whoever wants
//! to know what happens listens to [all of it](Hub::listen).

use sayso_core::lifecycle::Event;
use sayso_core::{AskId, Code, Message, Problem};
use sayso_desk::{Desk, Heard, Interest, Watch};
use std::collections::HashMap;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;
use tokio::sync::{Notify, broadcast};

/// How long the watching thread sleeps at most before it looks whether anybody still waits.
const ROUND: Duration = Duration::from_secs(1);

/// What is kept for listeners that are slow; whoever is slower reads the desk's own log.
const KEPT: usize = 1_024;

/// Wakes those who wait for an ask.
pub(crate) struct Hub {
    desk: Arc<dyn Desk>,
    waiting: Mutex<Waiting>,
    listeners: broadcast::Sender<Arc<Heard>>,
}

/// What may have happened to one of the asks that somebody waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Signal {
    /// Something, or something that is not known: it is to be read.
    Something,
    /// One of them has ended.
    Settled,
}

#[derive(Default)]
struct Waiting {
    /// What wakes the holders of tickets, by the number of the ticket.
    by_ask: HashMap<AskId, HashMap<u64, Arc<Holder>>>,
    tickets: u64,
    is_watched: bool,
}

/// Somebody waits for some asks, as long as this lives.
pub(crate) struct Ticket {
    hub: Arc<Hub>,
    asks: Vec<AskId>,
    number: u64,
    holder: Arc<Holder>,
}

/// What wakes the holder of a ticket. Ten thousand may wait, so it is small.
#[derive(Default)]
struct Holder {
    woken: Notify,
    /// One of the asks has ended. Nothing takes that back.
    is_settled: AtomicBool,
}

impl Holder {
    fn wake(&self, signal: Signal) {
        if signal == Signal::Settled {
            self.is_settled.store(true, Ordering::Release);
        }
        // It keeps for a holder that does not wait just now.
        self.woken.notify_one();
    }
}

impl Ticket {
    /// Waits until something may have happened to one of the asks since this was last called.
    pub(crate) async fn changed(&mut self) -> Signal {
        self.holder.woken.notified().await;
        if self.holder.is_settled.load(Ordering::Acquire) { Signal::Settled } else { Signal::Something }
    }
}

impl Drop for Ticket {
    fn drop(&mut self) {
        let mut waiting = self.hub.lock();
        for ask in &self.asks {
            if let Some(tickets) = waiting.by_ask.get_mut(ask) {
                tickets.remove(&self.number);
                if tickets.is_empty() {
                    waiting.by_ask.remove(ask);
                }
            }
        }
    }
}

impl Hub {
    pub(crate) fn new(desk: Arc<dyn Desk>) -> Arc<Self> {
        Arc::new(Self { desk, waiting: Mutex::default(), listeners: broadcast::Sender::new(KEPT) })
    }

    fn lock(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Begins to wait for some asks. Read them after this, and nothing is missed.
    ///
    /// # Errors
    /// When the desk cannot be watched.
    pub(crate) fn wait_for(self: &Arc<Self>, asks: Vec<AskId>) -> Result<Ticket, Problem> {
        let mut waiting = self.lock();
        self.watch(&mut waiting)?;
        waiting.tickets += 1;
        let number = waiting.tickets;
        let holder = Arc::<Holder>::default();
        for ask in &asks {
            waiting.by_ask.entry(*ask).or_default().insert(number, holder.clone());
        }
        Ok(Ticket { hub: self.clone(), asks, number, holder })
    }

    /// Sees to it that the desk is watched, also after the watch broke.
    ///
    /// # Errors
    /// When the desk cannot be watched.
    pub(crate) fn keep_watching(self: &Arc<Self>) -> Result<(), Problem> {
        self.watch(&mut self.lock())
    }

    fn watch(self: &Arc<Self>, waiting: &mut Waiting) -> Result<(), Problem> {
        if waiting.is_watched {
            return Ok(());
        }
        let watch = self.desk.watch(Interest::All, None)?;
        let hub = self.clone();
        let failed =
            |error: io::Error| Problem::new(Code::DeskFailed, Message::McpFailed.with([error.to_string()]));
        thread::Builder::new().spawn(move || hub.run(watch)).map_err(failed)?;
        waiting.is_watched = true;
        Ok(())
    }

    /// Begins to listen to everything that happens from now on.
    ///
    /// # Errors
    /// When the desk cannot be watched.
    pub(crate) fn listen(self: &Arc<Self>) -> Result<broadcast::Receiver<Arc<Heard>>, Problem> {
        let listener = self.listeners.subscribe();
        self.watch(&mut self.lock())?;
        Ok(listener)
    }

    fn run(&self, mut watch: Box<dyn Watch>) {
        loop {
            let heard = watch.wait(ROUND);
            let mut waiting = self.lock();
            match heard {
                Ok(heard) => {
                    for heard in heard {
                        waiting.wake(&heard);
                        // Nobody may be listening.
                        let _ = self.listeners.send(Arc::new(heard));
                    }
                    waiting.is_watched = !waiting.by_ask.is_empty() || self.listeners.receiver_count() > 0;
                }
                Err(_) => {
                    // Whoever waits looks for itself, and says what is wrong with the desk.
                    waiting.wake(&Heard::Gap);
                    let _ = self.listeners.send(Arc::new(Heard::Gap));
                    waiting.is_watched = false;
                }
            }
            if !waiting.is_watched {
                return;
            }
        }
    }
}

impl Waiting {
    /// Wakes all whom it may concern.
    fn wake(&self, heard: &Heard) {
        match heard {
            Heard::Changed(change) => {
                let has_ended = change.events.iter().any(|event| matches!(event, Event::Settled { .. }));
                let signal = if has_ended { Signal::Settled } else { Signal::Something };
                let holders = self.by_ask.get(&change.id).into_iter().flat_map(HashMap::values);
                holders.for_each(|holder| holder.wake(signal));
            }
            Heard::Gap => {
                let holders = self.by_ask.values().flat_map(HashMap::values);
                holders.for_each(|holder| holder.wake(Signal::Something));
            }
        }
    }
}
