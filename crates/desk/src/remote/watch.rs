//! Watch over a remote desk: a thread reads its events, and resumes after every disconnection.

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
/// Longest pause before a reconnection, unless the server asks for another one.
const PAUSE: Duration = Duration::from_secs(3);
/// Largest number of buffered events. Beyond it they are replaced by a gap.
const MOST_HEARD: usize = 10_000;

/// Watch over a remote desk.
pub(super) struct RemoteWatch {
    shared: Arc<Shared>,
    cursor: Cursor,
    bell: PipeReader,
    /// Agent of the stream. Shutting it down ends any wait of the thread.
    agent: Agent,
}

/// State that the thread and the watch share.
struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

struct State {
    /// Cursor of the beginning, once known.
    begun: Option<Cursor>,
    /// Buffered events, each with the cursor after it.
    heard: Vec<(Cursor, Heard)>,
    /// Problem that ended the stream.
    ended: Option<Problem>,
    /// The stream is cut, and no reconnection has succeeded yet.
    is_away: bool,
    is_dropped: bool,
    bell: PipeWriter,
    /// True if the pipe holds a byte.
    is_rung: bool,
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Changes the shared state, wakes waiters and writes to the pipe.
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
    /// Begins now or at the cursor of an earlier watch, and returns once the server has greeted.
    ///
    /// # Errors
    /// If the server cannot be reached or refuses.
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

/// Thread that reads the stream.
struct Listener {
    http: Arc<Http>,
    shared: Arc<Shared>,
    agent: Agent,
    path: String,
}

/// Open stream.
struct Stream {
    events: Events<BodyReader<'static>>,
    /// Cursor of its greeting.
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

    /// Records whether the desk is disconnected, if that has changed.
    fn is_away(&self, is_away: bool) {
        if self.shared.lock().is_away != is_away {
            self.shared.tell(|state| state.is_away = is_away);
        }
    }

    /// Waits before a reconnection, and returns whether the watch was dropped meanwhile.
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

    /// Passes on events until the stream is cut, and returns the reconnection delay that the server asked for.
    fn read(&self, stream: &mut Stream, cursor: &mut Cursor) -> Option<Duration> {
        let is_desk_here = self.http.address().is_loopback();
        let mut is_first = true;
        while let Ok(Some(event)) = stream.events.next() {
            let is_at_the_beginning = std::mem::take(&mut is_first);
            let place = event.id.as_deref().and_then(Cursor::parse);
            let heard = match event.name.as_str() {
                "change" => match place.map(|place| body::change(place, &event.data, is_desk_here)) {
                    Some(Ok(changed)) => Heard::Changed(changed),
                    // The change is unreadable, so it becomes a gap.
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
            // A gap at the beginning: the stream does not resume at the given cursor but at the greeting's.
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
