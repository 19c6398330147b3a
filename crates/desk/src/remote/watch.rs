//! Watching a desk on the network: a thread reads its events, and goes on where it was after every cut.

use super::body;
use super::events::{Event, Events};
use super::http::{Failure, Http, garbled, jittered};
use crate::wakeup::SHORTEST_INTERVAL;
use crate::watch::{Cursor, Heard, Interest, Watch};
use sayso_core::{Code, Message, Problem};
use std::io::{PipeReader, PipeWriter, Read as _, Write as _};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use ureq::{Agent, BodyReader};

const FIRST_PAUSE: Duration = Duration::from_millis(100);
/// The longest pause before coming back, where the server wishes none.
const PAUSE: Duration = Duration::from_secs(3);
/// So much is kept for a watcher that does not look; then it is told to read anew.
const MOST_HEARD: usize = 10_000;

/// A watch over a desk on the network.
pub(super) struct RemoteWatch {
    shared: Arc<Shared>,
    cursor: Cursor,
    bell: PipeReader,
    /// The agent of the stream: shut down, it ends whatever the thread waits for.
    agent: Agent,
}

/// What the thread and the watch both use.
struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

struct State {
    /// Where it began, once it has.
    begun: Option<Cursor>,
    /// What was heard and the place after it.
    heard: Vec<(Cursor, Heard)>,
    /// Why it does not go on.
    ended: Option<Problem>,
    /// The stream is cut, and coming back has failed so far.
    is_away: bool,
    is_dropped: bool,
    bell: PipeWriter,
    /// Whether a byte lies in the pipe.
    is_rung: bool,
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Changes what both see, wakes who waits and rings.
    fn tell(&self, change: impl FnOnce(&mut State)) {
        let mut state = self.lock();
        change(&mut state);
        if !state.is_rung {
            state.is_rung = state.bell.write_all(b"!").is_ok();
        }
        self.changed.notify_all();
    }
}

impl RemoteWatch {
    /// Begins now or where an earlier watch was, and returns once the server says that it has begun.
    ///
    /// # Errors
    /// When the server cannot be reached or refuses.
    pub(super) fn begin(
        http: &Arc<Http>,
        interest: &Interest,
        since: Option<Cursor>,
    ) -> Result<Self, Problem> {
        let failed = |error: std::io::Error| {
            Problem::new(Code::DeskFailed, Message::DeskFailed.with([error.to_string()]))
        };
        let (bell, ringer) = std::io::pipe().map_err(failed)?;
        let state = State {
            begun: None,
            heard: Vec::new(),
            ended: None,
            is_away: false,
            is_dropped: false,
            bell: ringer,
            is_rung: false,
        };
        let shared = Arc::new(Shared { state: Mutex::new(state), changed: Condvar::new() });
        let agent = http.streaming_agent();
        let path = match interest {
            Interest::Ask(id) => format!("/v1/events?ask={id}"),
            Interest::All => "/v1/events".to_owned(),
        };
        let listener = Listener { http: http.clone(), shared: shared.clone(), agent: agent.clone(), path };
        std::thread::Builder::new().spawn(move || listener.run(since)).map_err(failed)?;
        let state = shared.lock();
        let begun = shared.changed.wait_while(state, |state| state.begun.is_none() && state.ended.is_none());
        let (begun, ended) = {
            let state = begun.unwrap_or_else(PoisonError::into_inner);
            (state.begun, state.ended.clone())
        };
        match (begun, ended) {
            (Some(cursor), _) => Ok(Self { shared, cursor, bell, agent }),
            (None, Some(problem)) => Err(problem),
            (None, None) => Err(garbled(&"no events")),
        }
    }
}

impl Drop for RemoteWatch {
    fn drop(&mut self) {
        self.shared.lock().is_dropped = true;
        self.shared.changed.notify_all();
        self.agent.clone().shutdown();
    }
}

impl Watch for RemoteWatch {
    fn poll(&mut self) -> Result<Vec<Heard>, Problem> {
        let mut state = self.shared.lock();
        if std::mem::take(&mut state.is_rung) {
            let _ = self.bell.read_exact(&mut [0]);
        }
        let heard = std::mem::take(&mut state.heard);
        if let Some((last, _)) = heard.last() {
            self.cursor = *last;
        } else if let Some(problem) = &state.ended {
            return Err(problem.clone());
        }
        Ok(heard.into_iter().map(|(_, heard)| heard).collect())
    }

    fn wait(&mut self, limit: Duration) -> Result<Vec<Heard>, Problem> {
        let limit = self.pace().min(limit);
        let is_quiet = |state: &mut State| state.heard.is_empty() && state.ended.is_none();
        drop(self.shared.changed.wait_timeout_while(self.shared.lock(), limit, is_quiet));
        self.poll()
    }

    fn cursor(&self) -> Cursor {
        self.cursor
    }

    fn is_away(&self) -> bool {
        self.shared.lock().is_away
    }

    fn pace(&self) -> Duration {
        SHORTEST_INTERVAL
    }

    #[cfg(unix)]
    fn bell(&self) -> Option<std::os::fd::BorrowedFd<'_>> {
        use std::os::fd::AsFd as _;
        Some(self.bell.as_fd())
    }
}

/// The thread's side.
struct Listener {
    http: Arc<Http>,
    shared: Arc<Shared>,
    agent: Agent,
    path: String,
}

/// A stream that has begun.
struct Stream {
    events: Events<BodyReader<'static>>,
    /// The place that its greeting named.
    greeted: Cursor,
}

impl Listener {
    fn run(&self, since: Option<Cursor>) {
        let mut stream = match self.http.while_away(|| self.connect(since)) {
            Ok(stream) => stream,
            Err(problem) => return self.shared.tell(|state| state.ended = Some(problem)),
        };
        let mut cursor = since.unwrap_or(stream.greeted);
        self.shared.tell(|state| state.begun = Some(cursor));
        loop {
            let mut wished = self.read(&mut stream, &mut cursor);
            let longest = stream.events.retry.unwrap_or(PAUSE);
            let mut pause = FIRST_PAUSE;
            stream = loop {
                if self.is_dropped_within(jittered(wished.take().unwrap_or(pause))) {
                    return;
                }
                match self.connect(Some(cursor)) {
                    Ok(stream) => break stream,
                    Err(Failure::Away(_, retry)) => wished = retry,
                    Err(Failure::Final(problem)) => {
                        return self.shared.tell(|state| state.ended = Some(*problem));
                    }
                }
                self.is_away(true);
                pause = (pause * 2).min(longest);
            };
            self.is_away(false);
        }
    }

    /// Tells whether the desk is out of reach, where that is new.
    fn is_away(&self, is_away: bool) {
        if self.shared.lock().is_away != is_away {
            self.shared.tell(|state| state.is_away = is_away);
        }
    }

    /// Waits before coming back; whether nobody listens any more.
    fn is_dropped_within(&self, pause: Duration) -> bool {
        let waited = self.shared.changed.wait_timeout_while(self.shared.lock(), pause, |s| !s.is_dropped);
        let (state, _) = waited.unwrap_or_else(PoisonError::into_inner);
        state.is_dropped
    }

    /// Begins a stream, and waits for its greeting.
    fn connect(&self, since: Option<Cursor>) -> Result<Stream, Failure> {
        let since = since.map(|cursor| cursor.to_string());
        let stream = self.http.stream(&self.agent, &self.path, since.as_deref())?;
        let mut events = Events::new(stream);
        match events.next() {
            Ok(Some(Event { name, id: Some(id), .. })) if name == "hello" => {
                let greeted = Cursor::parse(&id).ok_or_else(|| Failure::last(garbled(&id)))?;
                Ok(Stream { events, greeted })
            }
            Ok(Some(event)) => Err(Failure::last(garbled(&event.name))),
            Ok(None) => Err(Failure::away(garbled(&"no events"), None)),
            Err(error) => Err(Failure::away(garbled(&error), None)),
        }
    }

    /// Passes on what is heard, until the stream is cut; how long to wait before coming back, where the server says it.
    fn read(&self, stream: &mut Stream, cursor: &mut Cursor) -> Option<Duration> {
        let is_desk_here = self.http.address().is_loopback();
        let mut is_first = true;
        while let Ok(Some(event)) = stream.events.next() {
            let is_at_the_beginning = std::mem::take(&mut is_first);
            let place = event.id.as_deref().and_then(Cursor::parse);
            let heard = match event.name.as_str() {
                "change" => match place.map(|place| body::change(place, &event.data, is_desk_here)) {
                    Some(Ok(changed)) => Heard::Changed(changed),
                    // It cannot be told what changed, but that something did.
                    Some(Err(_)) => Heard::Gap,
                    None => continue,
                },
                "gap" => Heard::Gap,
                "here" => {
                    *cursor = place.unwrap_or(*cursor);
                    continue;
                }
                "bye" => return pause_of(&event.data),
                _ => continue,
            };
            // A gap at the beginning: it does not go on from where it was to, but from where it was greeted.
            let begins_anew = is_at_the_beginning && heard == Heard::Gap;
            *cursor = place.unwrap_or(if begins_anew { stream.greeted } else { *cursor });
            self.shared.tell(|state| {
                if state.heard.len() >= MOST_HEARD {
                    state.heard = vec![(*cursor, Heard::Gap)];
                } else {
                    state.heard.push((*cursor, heard));
                }
            });
        }
        None
    }
}

fn pause_of(data: &str) -> Option<Duration> {
    let value: serde_json::Value = serde_json::from_str(data).ok()?;
    value.get("retry_ms")?.as_u64().map(Duration::from_millis)
}
