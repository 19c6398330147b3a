//! One shared watch of the desk for all waiting calls: a thousand calls cost one thread and one wakeup listener.
//!
//! A call that waits for some asks holds a [`Ticket`], and wakes if one of them may have changed. [`Hub::listen`]
//! returns a stream of all events.

use sayso_core::lifecycle::Event;
use sayso_core::{AskId, Code, Message, Problem};
use sayso_desk::{Changed, Cursor, Desk, Heard, Interest, Watch};
use std::collections::HashMap;
use std::io;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;
use tokio::sync::{Notify, broadcast};

/// Longest sleep of the watching thread before it checks whether anyone still waits.
const ROUND: Duration = Duration::from_secs(1);

/// Capacity of the broadcast channel. A listener that falls further behind reads the desk's own log.
const KEPT: usize = 1_024;

/// Notifier that wakes the calls that wait for asks.
pub(crate) struct Hub {
    desk: Arc<dyn Desk>,
    waiting: Mutex<Waiting>,
    /// Lock held while a watch starts, with the error of the last start that failed. A desk on the network may take
    /// long to start; other calls queue here and don't block `waiting`.
    starting: Mutex<Option<Problem>>,
    /// Number of failed starts, so that queued callers can detect a failure.
    failures: AtomicU64,
    listeners: broadcast::Sender<Arc<Heard>>,
}

/// Reason for waking a subscription.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Signal {
    /// A possible change; the asks must be read.
    Something,
    /// One of them has ended.
    Settled,
}

#[derive(Default)]
struct Waiting {
    /// Waiters of each ask, by the number of their subscription.
    by_ask: HashMap<AskId, HashMap<u64, Arc<Holder>>>,
    tickets: u64,
    is_watched: bool,
    /// Cursor of the last change that was sent, if known. A change that is read twice is sent once.
    told: Option<Cursor>,
}

/// Subscription to some asks; dropping it unsubscribes.
pub(crate) struct Ticket {
    hub: Arc<Hub>,
    asks: Vec<AskId>,
    number: u64,
    holder: Arc<Holder>,
}

/// State shared between a subscription and the notifier. Kept small, because there may be ten thousand.
#[derive(Default)]
struct Holder {
    woken: Notify,
    /// One of the asks has ended. Never reset.
    is_settled: AtomicBool,
}

impl Holder {
    fn wake(&self, signal: Signal) {
        if signal == Signal::Settled {
            self.is_settled.store(true, Ordering::Release);
        }
        // A permit is stored if the holder isn't waiting now.
        self.woken.notify_one();
    }
}

impl Ticket {
    /// Waits until one of the asks may have changed since the last call.
    pub(crate) async fn changed(&mut self) -> Signal {
        self.holder.woken.notified().await;
        if self.holder.is_settled.load(Ordering::Acquire) { Signal::Settled } else { Signal::Something }
    }
}

impl Drop for Ticket {
    fn drop(&mut self) {
        // A settled ask has already left the registry. Thousands may drop at once, so the lock is skipped.
        if self.asks.len() == 1 && self.holder.is_settled.load(Ordering::Acquire) {
            return;
        }
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
        Arc::new(Self {
            desk,
            waiting: Mutex::default(),
            starting: Mutex::default(),
            failures: AtomicU64::default(),
            listeners: broadcast::Sender::new(KEPT),
        })
    }

    fn lock(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Subscribes to some asks. A caller that reads them afterwards misses nothing.
    ///
    /// # Errors
    /// Fails if the desk cannot be watched.
    pub(crate) fn wait_for(self: &Arc<Self>, asks: Vec<AskId>) -> Result<Ticket, Problem> {
        let holder = Arc::<Holder>::default();
        let mut waiting = self.lock();
        waiting.tickets += 1;
        let number = waiting.tickets;
        for ask in &asks {
            waiting.by_ask.entry(*ask).or_default().insert(number, holder.clone());
        }
        drop(waiting);
        // The watch ends if no one waits, so the subscription is registered first. On failure it is dropped.
        let ticket = Ticket { hub: self.clone(), asks, number, holder };
        self.keep_watching()?;
        Ok(ticket)
    }

    /// Returns whether any call waits for an ask.
    pub(crate) fn is_waited_for(&self, ask: AskId) -> bool {
        self.lock().by_ask.contains_key(&ask)
    }

    /// Starts the watch if it isn't running, also after it broke.
    ///
    /// # Errors
    /// Fails if the desk cannot be watched.
    pub(crate) fn keep_watching(self: &Arc<Self>) -> Result<(), Problem> {
        let failures = self.failures.load(Ordering::Acquire);
        if self.lock().is_watched {
            return Ok(());
        }
        let mut starting = self.starting.lock().unwrap_or_else(PoisonError::into_inner);
        if self.lock().is_watched {
            return Ok(());
        }
        // Callers that queued behind a failed start share its error. Each retrying in turn would add up the timeouts.
        if let Some(problem) = starting.as_ref()
            && self.failures.load(Ordering::Acquire) != failures
        {
            return Err(problem.clone());
        }
        let begun = self.begin_to_watch();
        if begun.is_err() {
            self.failures.fetch_add(1, Ordering::Release);
        }
        *starting = begun.clone().err();
        begun
    }

    fn begin_to_watch(self: &Arc<Self>) -> Result<(), Problem> {
        let watch = self.desk.watch(Interest::All, None)?;
        let mut waiting = self.lock();
        (waiting.is_watched, waiting.told) = (true, Some(watch.cursor()));
        drop(waiting);
        let hub = self.clone();
        thread::Builder::new().spawn(move || hub.run(watch)).map(drop).map_err(|error: io::Error| {
            self.lock().watch_no_more();
            Problem::new(Code::DeskFailed, Message::WatchFailed.with([error.to_string()]))
        })
    }

    /// Sends the changes that this process has just committed, without waiting for the wakeup. Changes of other
    /// processes, and those that cannot be read now, come through the watch.
    pub(crate) fn catch_up(&self, read: impl FnOnce(Cursor, usize) -> Result<Vec<Changed>, Problem>) {
        let Some(told) = self.lock().told else { return };
        if let Ok(changes) = read(told, KEPT) {
            self.tell(changes.into_iter().map(Heard::Changed));
        }
    }

    /// Sends events to all listeners and waiters, without those that were sent already. Every reader starts at or
    /// before the last cursor sent and reads in log order, so no change is lost.
    fn tell(&self, heard: impl IntoIterator<Item = Heard>) {
        let mut concerned = Vec::new();
        let mut waiting = self.lock();
        for heard in heard {
            if waiting.was_told(&heard) {
                continue;
            }
            waiting.concerned(&heard, &mut concerned);
            // There may be no listener.
            let _ = self.listeners.send(Arc::new(heard));
        }
        // Thousands may wait for one ask, and each locks the registry again when it wakes.
        drop(waiting);
        concerned.into_iter().for_each(|(holder, signal)| holder.wake(signal));
    }

    /// Returns a receiver of all events from now on.
    ///
    /// # Errors
    /// Fails if the desk cannot be watched.
    pub(crate) fn listen(self: &Arc<Self>) -> Result<broadcast::Receiver<Arc<Heard>>, Problem> {
        let listener = self.listeners.subscribe();
        self.keep_watching()?;
        Ok(listener)
    }

    fn run(&self, mut watch: Box<dyn Watch>) {
        loop {
            let Ok(heard) = watch.wait(ROUND) else { break };
            self.tell(heard);
            let mut waiting = self.lock();
            if waiting.by_ask.is_empty() && self.listeners.receiver_count() == 0 {
                return waiting.watch_no_more();
            }
        }
        // Waiting calls wake, read the desk, and report its error or restart the watch.
        self.lock().watch_no_more();
        self.tell([Heard::Gap]);
    }
}

impl Waiting {
    fn watch_no_more(&mut self) {
        self.is_watched = false;
        self.told = None;
    }

    /// Returns whether this event was sent before, and records its cursor.
    fn was_told(&mut self, heard: &Heard) -> bool {
        let place = match heard {
            Heard::Changed(change) => Some(change.cursor),
            Heard::Gap => None,
        };
        let was_told = place.zip(self.told).is_some_and(|(place, told)| !place.is_after(told));
        if !was_told {
            self.told = place;
        }
        was_told
    }

    /// Collects the waiters of an event. Removes those of an ask that has ended.
    fn concerned(&mut self, heard: &Heard, to: &mut Vec<(Arc<Holder>, Signal)>) {
        match heard {
            Heard::Changed(change) => {
                let has_ended = change.events.iter().any(|event| matches!(event, Event::Settled { .. }));
                if has_ended {
                    let holders = self.by_ask.remove(&change.id).into_iter().flat_map(HashMap::into_values);
                    to.extend(holders.map(|holder| (holder, Signal::Settled)));
                } else {
                    let holders = self.by_ask.get(&change.id).into_iter().flat_map(HashMap::values);
                    to.extend(holders.map(|holder| (holder.clone(), Signal::Something)));
                }
            }
            Heard::Gap => {
                let holders = self.by_ask.values().flat_map(HashMap::values);
                to.extend(holders.map(|holder| (holder.clone(), Signal::Something)));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Hub;
    use sayso_core::{AskId, Asker, Code, Lang, NewAsk, Questionnaire, wire};
    use sayso_desk::remote::{RemoteAddress, RemoteDesk, Tokens};
    use sayso_desk::{Cursor, Desk as _, Heard, LocalDesk};
    use std::io::{Read as _, Write as _};
    use std::net::{TcpListener, TcpStream};
    use std::sync::Arc;
    use std::time::Duration;
    use tempfile::TempDir;

    const ASKS: usize = 40;

    fn new_ask(name: String) -> NewAsk {
        let text = r#"{"questions": [{"id": "q", "prompt": "Paint it?", "confirm": true}]}"#;
        let questionnaire: Questionnaire = wire::json::read(text).unwrap();
        NewAsk::new(Arc::new(questionnaire), "sayso", Asker { name, ..Asker::default() })
    }

    #[tokio::test]
    async fn changes_are_sent_once_in_order() {
        let folder = TempDir::new().unwrap();
        let open = || Arc::new(LocalDesk::open(&folder.path().join("desk")).unwrap());
        // `here` notifies on commit; `there` acts as another process, whose changes come through the wakeup alone.
        let (here, there) = (open(), open());
        let hub = Hub::new(here.clone());
        let (telling, desk) = (Arc::downgrade(&hub), Arc::downgrade(&here));
        here.after_commit(move || {
            telling
                .upgrade()
                .unwrap()
                .catch_up(|place, most| desk.upgrade().unwrap().changes_after(place, most));
        });
        let mut listener = hub.listen().unwrap();
        let asking: Vec<_> = [here.clone(), there, here.clone()]
            .into_iter()
            .enumerate()
            .map(|(who, desk)| {
                std::thread::spawn(move || {
                    for number in 0..ASKS {
                        desk.open(None, new_ask(format!("{who}-{number}"))).unwrap();
                    }
                })
            })
            .collect();
        let mut heard: Vec<Cursor> = Vec::new();
        while heard.len() < 3 * ASKS {
            let Heard::Changed(change) = &*listener.recv().await.unwrap() else { panic!("a gap") };
            assert!(heard.last().is_none_or(|last| change.cursor.is_after(*last)), "{:?}", change.cursor);
            heard.push(change.cursor);
        }
        asking.into_iter().for_each(|thread| thread.join().unwrap());
        here.open(None, new_ask("the last".to_owned())).unwrap();
        let Heard::Changed(last) = &*listener.recv().await.unwrap() else { panic!("a gap") };
        assert!(last.cursor.is_after(heard[heard.len() - 1]), "nothing is told twice");
    }

    /// Accepts a connection and reads the head of its request.
    fn request(server: &TcpListener) -> TcpStream {
        let (mut socket, _) = server.accept().unwrap();
        let mut head = Vec::new();
        while !head.ends_with(b"\r\n\r\n") {
            let mut byte = [0];
            socket.read_exact(&mut byte).unwrap();
            head.extend(byte);
        }
        socket
    }

    fn refuse(mut asked: TcpStream) {
        asked.write_all(b"HTTP/1.1 401 Unauthorized\r\ncontent-length: 0\r\n\r\n").unwrap();
    }

    #[test]
    fn slow_remote_desk_blocks_no_caller() {
        let folder = TempDir::new().unwrap();
        let token = folder.path().join("token");
        let mut file = sayso_desk::own_file::create_new(&token).unwrap();
        file.write_all(b"sayso_p_nobody").unwrap();
        let server = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = RemoteAddress::parse(&format!("http://{}", server.local_addr().unwrap())).unwrap();
        let hub = Hub::new(Arc::new(RemoteDesk::new(address, Tokens::read(&[token]).unwrap(), Lang::En)));
        let waiting = hub.clone();
        let begun = std::thread::spawn(move || {
            let listener = waiting.listen().unwrap();
            (listener, waiting.wait_for(vec![AskId::NIL]).unwrap())
        });
        let mut stream = request(&server);
        let hello = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n\
                     event: hello\nid: 0000000000000001-1\nretry: 10\ndata: {}\n\n";
        stream.write_all(hello.as_bytes()).unwrap();
        let (mut listener, ticket) = begun.join().unwrap();
        // After the disconnect and the refusal the watch is over.
        drop(stream);
        refuse(request(&server));
        while *listener.blocking_recv().unwrap() != Heard::Gap {}
        let watching = hub.clone();
        let again = std::thread::spawn(move || watching.keep_watching());
        let held = request(&server);
        let (done, is_done) = std::sync::mpsc::channel();
        std::thread::spawn(move || {
            drop(ticket);
            done.send(()).unwrap();
        });
        is_done.recv_timeout(Duration::from_secs(5)).expect("whoever waits no more is held up");
        refuse(held);
        assert_eq!(again.join().unwrap().unwrap_err().code, Code::Unauthorized);
    }
}
