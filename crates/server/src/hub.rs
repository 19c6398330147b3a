//! One watch for all who wait: a thousand calls that wait cost one thread and one bell, not a thousand.
//!
//! Whoever waits for some asks holds a [`Ticket`], and is woken when something may have happened to them. Whoever wants
//! to know what happens listens to [all of it](Hub::listen).

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

/// How long the watching thread sleeps at most before it looks whether anybody still waits.
const ROUND: Duration = Duration::from_secs(1);

/// What is kept for listeners that are slow; whoever is slower reads the desk's own log.
const KEPT: usize = 1_024;

/// Wakes those who wait for an ask.
pub(crate) struct Hub {
    desk: Arc<dyn Desk>,
    waiting: Mutex<Waiting>,
    /// Held while a watch begins, which a desk on the network may take long for; with the last one that failed. Who waits
    /// for that is in line here, and keeps nobody from `waiting`.
    starting: Mutex<Option<Problem>>,
    /// How many failed, for those who come in line.
    failures: AtomicU64,
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
    /// The place after the last change that was told, where that is known: a change that was read twice is told once.
    told: Option<Cursor>,
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
        // Whom an end has woken stands in no list any more, and ten thousand may leave at once.
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

    /// Begins to wait for some asks. Read them after this, and nothing is missed.
    ///
    /// # Errors
    /// When the desk cannot be watched.
    pub(crate) fn wait_for(self: &Arc<Self>, asks: Vec<AskId>) -> Result<Ticket, Problem> {
        let holder = Arc::<Holder>::default();
        let mut waiting = self.lock();
        waiting.tickets += 1;
        let number = waiting.tickets;
        for ask in &asks {
            waiting.by_ask.entry(*ask).or_default().insert(number, holder.clone());
        }
        drop(waiting);
        // A watch that sees nobody wait ends, so the ticket is there first. It goes where there is none.
        let ticket = Ticket { hub: self.clone(), asks, number, holder };
        self.keep_watching()?;
        Ok(ticket)
    }

    /// Whether somebody waits for an ask.
    pub(crate) fn is_waited_for(&self, ask: AskId) -> bool {
        self.lock().by_ask.contains_key(&ask)
    }

    /// Sees to it that the desk is watched, also after the watch broke.
    ///
    /// # Errors
    /// When the desk cannot be watched.
    pub(crate) fn keep_watching(self: &Arc<Self>) -> Result<(), Problem> {
        let failures = self.failures.load(Ordering::Acquire);
        if self.lock().is_watched {
            return Ok(());
        }
        let mut starting = self.starting.lock().unwrap_or_else(PoisonError::into_inner);
        if self.lock().is_watched {
            return Ok(());
        }
        // What failed for one fails for all who were in line; one after another they would wait for ever longer.
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

    /// Tells at once what this process has just committed, where somebody waits: reads on from what was told last. What
    /// cannot be read now, and what other processes commit, is heard by the bell.
    pub(crate) fn catch_up(&self, read: impl FnOnce(Cursor, usize) -> Result<Vec<Changed>, Problem>) {
        let Some(told) = self.lock().told else { return };
        if let Ok(changes) = read(told, KEPT) {
            self.tell(changes.into_iter().map(Heard::Changed));
        }
    }

    /// Tells everybody, unless they were told before. Who reads the log from where it was told before, or from an earlier
    /// place, has all that follows in its order, so nothing is left out.
    fn tell(&self, heard: impl IntoIterator<Item = Heard>) {
        let mut concerned = Vec::new();
        let mut waiting = self.lock();
        for heard in heard {
            if waiting.was_told(&heard) {
                continue;
            }
            waiting.concerned(&heard, &mut concerned);
            // Nobody may be listening.
            let _ = self.listeners.send(Arc::new(heard));
        }
        // Thousands may wait for one ask, and each who wakes wants to say that it waits no more.
        drop(waiting);
        concerned.into_iter().for_each(|(holder, signal)| holder.wake(signal));
    }

    /// Begins to listen to everything that happens from now on.
    ///
    /// # Errors
    /// When the desk cannot be watched.
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
        // Whoever waits looks for itself, says what is wrong with the desk, or has it watched anew.
        self.lock().watch_no_more();
        self.tell([Heard::Gap]);
    }
}

impl Waiting {
    fn watch_no_more(&mut self) {
        self.is_watched = false;
        self.told = None;
    }

    /// Whether this was told before. It is from now on.
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

    /// Adds all whom it may concern. For what has ended nobody waits any more.
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
    async fn each_change_is_heard_once_and_in_order_whoever_tells_of_it() {
        let folder = TempDir::new().unwrap();
        let open = || Arc::new(LocalDesk::open(&folder.path().join("desk")).unwrap());
        // The one that tells by itself, and one as in another process, which is heard by the bell alone.
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

    /// The next request of somebody.
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
    fn nobody_stands_still_while_a_desk_on_the_network_says_nothing() {
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
        // Cut off and refused, the watch is over.
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
