//! Watch over a remote desk: a thread reads its events, and resumes after every disconnection.

use super::body;
use super::http::{CallFailure, HttpClient, jittered, unreadable_response};
use super::sse::{SseEvent, SseReader};
use crate::wakeup::SHORTEST_INTERVAL;
use crate::watch::{ChangeCursor, Interest, Watch, WatchEvent};
use sayso_core::i18n::own;
use sayso_core::{Message, Problem, ProblemCode};
use std::io::{PipeReader, PipeWriter, Read as _, Write as _};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use ureq::{Agent, BodyReader};

const FIRST_PAUSE: Duration = Duration::from_millis(100);
/// Longest pause before a reconnection, unless the server asks for another one.
const LONGEST_PAUSE: Duration = Duration::from_secs(3);
/// Largest number of buffered events. Beyond it they are replaced by a gap.
const MAX_BUFFERED: usize = 10_000;

/// Watch over a remote desk.
pub(super) struct RemoteWatch {
    shared: Arc<SharedWatch>,
    cursor: ChangeCursor,
    bell: PipeReader,
    /// Agent of the stream. Shutting it down ends any wait of the thread.
    agent: Agent,
}

/// State that the thread and the watch share.
struct SharedWatch {
    state: Mutex<WatchState>,
    changed: Condvar,
}

struct WatchState {
    /// Cursor of the beginning, once known.
    start: Option<ChangeCursor>,
    /// Buffered events, each with the cursor after it.
    buffered: Vec<(ChangeCursor, WatchEvent)>,
    /// Problem that ended the stream.
    failure: Option<Problem>,
    /// The stream is cut, and no reconnection has succeeded yet.
    is_disconnected: bool,
    is_dropped: bool,
    bell: PipeWriter,
    /// True if the pipe holds a byte.
    is_signalled: bool,
}

impl SharedWatch {
    fn lock(&self) -> MutexGuard<'_, WatchState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Changes the shared state, wakes waiters and writes to the pipe.
    fn update(&self, change: impl FnOnce(&mut WatchState)) {
        let mut state = self.lock();
        change(&mut state);
        if !state.is_signalled {
            state.is_signalled = state.bell.write_all(b"!").is_ok();
        }
        self.changed.notify_all();
    }

    /// Waits until the server has greeted, and returns where the watch begins.
    ///
    /// # Errors
    /// If the stream failed before.
    fn wait_for_start(&self) -> Result<ChangeCursor, Problem> {
        let mut state = self.lock();
        loop {
            if let Some(cursor) = state.start {
                return Ok(cursor);
            }
            if let Some(problem) = &state.failure {
                return Err(problem.clone());
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

impl RemoteWatch {
    /// Begins now or at the cursor of an earlier watch, and returns once the server has greeted.
    ///
    /// # Errors
    /// If the server cannot be reached or refuses.
    pub(super) fn begin(
        http: &Arc<HttpClient>,
        interest: &Interest,
        since: Option<ChangeCursor>,
    ) -> Result<Self, Problem> {
        let (bell, ringer) = std::io::pipe().map_err(desk_failed)?;
        let state = WatchState {
            start: None,
            buffered: Vec::new(),
            failure: None,
            is_disconnected: false,
            is_dropped: false,
            bell: ringer,
            is_signalled: false,
        };
        let shared = Arc::new(SharedWatch { state: Mutex::new(state), changed: Condvar::new() });
        let agent = http.streaming_agent();
        let path = match interest {
            Interest::Ask(id) => format!("/v1/events?ask={id}"),
            Interest::All => "/v1/events".to_owned(),
        };
        let listener =
            StreamReader { http: http.clone(), shared: shared.clone(), agent: agent.clone(), path };
        std::thread::Builder::new().spawn(move || listener.run(since)).map_err(desk_failed)?;
        let cursor = shared.wait_for_start()?;
        Ok(Self { shared, cursor, bell, agent })
    }
}

fn desk_failed(error: std::io::Error) -> Problem {
    Problem::new(ProblemCode::DeskFailed, Message::DeskFailed.with([own(error)]))
}

impl Drop for RemoteWatch {
    fn drop(&mut self) {
        self.shared.lock().is_dropped = true;
        self.shared.changed.notify_all();
        self.agent.clone().shutdown();
    }
}

impl Watch for RemoteWatch {
    fn poll(&mut self) -> Result<Vec<WatchEvent>, Problem> {
        let mut state = self.shared.lock();
        if std::mem::take(&mut state.is_signalled) {
            // The byte was written with the signal; if it cannot be read, the next poll comes early.
            let _ = self.bell.read_exact(&mut [0]);
        }
        let buffered = std::mem::take(&mut state.buffered);
        if let Some((last, _)) = buffered.last() {
            self.cursor = *last;
        } else if let Some(problem) = &state.failure {
            return Err(problem.clone());
        }
        Ok(buffered.into_iter().map(|(_, event)| event).collect())
    }

    fn wait(&mut self, limit: Duration) -> Result<Vec<WatchEvent>, Problem> {
        let limit = self.poll_interval().min(limit);
        let is_quiet = |state: &mut WatchState| state.buffered.is_empty() && state.failure.is_none();
        drop(self.shared.changed.wait_timeout_while(self.shared.lock(), limit, is_quiet));
        self.poll()
    }

    fn cursor(&self) -> ChangeCursor {
        self.cursor
    }

    fn is_disconnected(&self) -> bool {
        self.shared.lock().is_disconnected
    }

    fn poll_interval(&self) -> Duration {
        SHORTEST_INTERVAL
    }

    #[cfg(unix)]
    fn wakeup_fd(&self) -> Option<std::os::fd::BorrowedFd<'_>> {
        use std::os::fd::AsFd as _;
        Some(self.bell.as_fd())
    }
}

/// Thread that reads the stream.
struct StreamReader {
    http: Arc<HttpClient>,
    shared: Arc<SharedWatch>,
    agent: Agent,
    path: String,
}

/// Open stream.
struct EventStream {
    events: SseReader<BodyReader<'static>>,
    /// Cursor of its greeting.
    greeting: ChangeCursor,
}

impl StreamReader {
    fn run(&self, since: Option<ChangeCursor>) {
        let mut stream = match self.http.retry_while_unavailable(|| self.connect(since)) {
            Ok(stream) => stream,
            Err(problem) => return self.shared.update(|state| state.failure = Some(problem)),
        };
        let mut cursor = since.unwrap_or(stream.greeting);
        self.shared.update(|state| state.start = Some(cursor));
        loop {
            let mut retry_after = self.read(&mut stream, &mut cursor);
            let longest = stream.events.retry.unwrap_or(LONGEST_PAUSE);
            let mut pause = FIRST_PAUSE;
            stream = loop {
                if self.wait_until_dropped(jittered(retry_after.take().unwrap_or(pause))) {
                    return;
                }
                match self.connect(Some(cursor)) {
                    Ok(stream) => break stream,
                    Err(CallFailure::Unavailable(_, delay)) => retry_after = delay,
                    Err(CallFailure::Permanent(problem)) => {
                        return self.shared.update(|state| state.failure = Some(*problem));
                    }
                }
                self.set_disconnected(true);
                pause = (pause * 2).min(longest);
            };
            self.set_disconnected(false);
        }
    }

    /// Records whether the desk is disconnected, if that has changed.
    fn set_disconnected(&self, is_away: bool) {
        if self.shared.lock().is_disconnected != is_away {
            self.shared.update(|state| state.is_disconnected = is_away);
        }
    }

    /// Waits before a reconnection, and returns whether the watch was dropped meanwhile.
    fn wait_until_dropped(&self, pause: Duration) -> bool {
        let state = self.shared.lock();
        let result = self.shared.changed.wait_timeout_while(state, pause, |state| !state.is_dropped);
        let (state, _) = result.unwrap_or_else(PoisonError::into_inner);
        state.is_dropped
    }

    /// Begins a stream, and waits for its greeting.
    fn connect(&self, since: Option<ChangeCursor>) -> Result<EventStream, CallFailure> {
        let since = since.map(|cursor| cursor.to_string());
        let stream = self.http.stream(&self.agent, &self.path, since.as_deref())?;
        let mut events = SseReader::new(stream);
        match events.next_event() {
            Ok(Some(SseEvent { name, id: Some(id), .. })) if name == "hello" => {
                let Some(greeting) = ChangeCursor::parse(&id) else {
                    return Err(CallFailure::permanent(unreadable_response(id)));
                };
                Ok(EventStream { events, greeting })
            }
            Ok(Some(event)) => Err(CallFailure::permanent(unreadable_response(event.name))),
            Ok(None) => Err(CallFailure::unavailable(unreadable_response("no events"), None)),
            Err(error) => Err(CallFailure::unavailable(unreadable_response(error), None)),
        }
    }

    /// Passes on events until the stream is cut, and returns the reconnection delay that the server asked for.
    fn read(&self, stream: &mut EventStream, cursor: &mut ChangeCursor) -> Option<Duration> {
        let is_desk_here = self.http.address().is_loopback();
        let mut is_first = true;
        while let Ok(Some(event)) = stream.events.next_event() {
            let is_at_the_beginning = std::mem::take(&mut is_first);
            let place = event.id.as_deref().and_then(ChangeCursor::parse);
            let news = match event.name.as_str() {
                "change" => {
                    let Some(place) = place else { continue };
                    match body::parse_change(place, &event.data, is_desk_here) {
                        Ok(change) => WatchEvent::Change(change),
                        // The change is unreadable, so it becomes a gap.
                        Err(_) => WatchEvent::Gap,
                    }
                }
                "gap" => WatchEvent::Gap,
                "ready" => {
                    *cursor = place.unwrap_or(*cursor);
                    continue;
                }
                "closing" => return retry_delay(&event.data),
                _ => continue,
            };
            // A gap at the beginning: the stream does not resume at the given cursor but at the greeting's.
            if let Some(place) = place {
                *cursor = place;
            } else if is_at_the_beginning && news == WatchEvent::Gap {
                *cursor = stream.greeting;
            }
            self.shared.update(|state| {
                if state.buffered.len() >= MAX_BUFFERED {
                    state.buffered = vec![(*cursor, WatchEvent::Gap)];
                } else {
                    state.buffered.push((*cursor, news));
                }
            });
        }
        None
    }
}

fn retry_delay(data: &str) -> Option<Duration> {
    let value: serde_json::Value = serde_json::from_str(data).ok()?;
    value.get("retry_ms")?.as_u64().map(Duration::from_millis)
}
