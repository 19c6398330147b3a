//! Sessions on the network whose streams can be resumed: a client that was cut off gets what its request still brings,
//! also if the request has ended meanwhile. The sessions of the protocol's library forget a stream with its response.
//! A call whose server has ended is answered with an error by the server that its client comes back to.

use super::sealed_sessions::session_number;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use futures_util::stream::{self, Stream, StreamExt as _};
use rmcp::ErrorData;
use rmcp::model::{ClientJsonRpcMessage, RequestId, ServerJsonRpcMessage};
use rmcp::transport::streamable_http_server::session::local::{
    LocalSessionManager, LocalSessionManagerError,
};
use rmcp::transport::streamable_http_server::session::{
    EventStream, RestoreOutcome, ServerSseMessage, SessionId, SessionManager,
};
use sayso_core::model::digest::to_hex;
use sayso_desk::random::random_bytes;
use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::watch;

/// Number of events that a stream keeps. Hours in a dialog bring thousands of progress notifications.
const EVENTS_KEPT: usize = 64;
/// Number of ended streams that an account keeps.
const ENDED_KEPT: usize = 256;
/// Time for which an ended stream is kept.
const ENDED_LIFETIME: Duration = Duration::from_secs(60);

/// Most sessions of an account; another one ends the oldest, which is restored when it is used.
const MAX_SESSIONS: usize = 256;
/// Error for a call of which no server knows any more.
const CALL_LOST: &str =
    "The server that ran this call has ended. What it asked is kept: repeat the call to go on.";

/// Session manager that keeps the streams of requests.
pub(super) struct ResumableSessions {
    local: LocalSessionManager,
    streams: Arc<KnownStreams>,
    /// Numbers of the sessions, the oldest first.
    numbers: Mutex<VecDeque<SessionId>>,
    /// Name of this server's run: numbers of streams begin anew with each.
    run: String,
}

impl ResumableSessions {
    /// Creates a manager whose sessions end after this time without a message.
    pub(super) fn with_idle_limit(limit: Duration) -> Self {
        let mut local = LocalSessionManager::default();
        local.session_config.keep_alive = Some(limit);
        // Without randomness from the system, streams of an earlier run could be taken for those of this one, and the
        // client gets the rest of another of its own calls.
        let run = match random_bytes::<8>() {
            Ok(bytes) => to_hex(&bytes),
            Err(_) => String::new(),
        };
        Self { local, streams: Arc::default(), numbers: Mutex::default(), run }
    }

    /// Records a session that was just started, and ends the oldest of too many.
    async fn record_session(&self, number: SessionId) {
        let oldest = {
            let mut numbers = self.numbers.lock().unwrap_or_else(PoisonError::into_inner);
            numbers.push_back(number);
            if numbers.len() > MAX_SESSIONS { numbers.pop_front() } else { None }
        };
        if let Some(oldest) = oldest {
            // One that has ended by itself is unknown.
            let _ = self.local.close_session(&oldest).await;
        }
    }
}

/// Number of a stream within the account: its session, and its number there.
type StreamKey = (SessionId, u64);

/// Streams of the requests of an account.
#[derive(Default)]
struct KnownStreams(Mutex<StreamTable>);

#[derive(Default)]
struct StreamTable {
    by_key: HashMap<StreamKey, watch::Receiver<StreamEvents>>,
    /// Ended streams, the oldest first.
    ended: VecDeque<(StreamKey, Instant)>,
}

/// Last events of a stream. It is over once its sender is gone.
#[derive(Default)]
struct StreamEvents {
    /// Index of the first event that is kept.
    first: usize,
    kept: VecDeque<ServerSseMessage>,
}

impl StreamEvents {
    fn push(&mut self, event: ServerSseMessage) {
        if self.kept.len() >= EVENTS_KEPT {
            self.kept.pop_front();
            self.first += 1;
        }
        self.kept.push_back(event);
    }

    /// Returns the first kept event at or after an index, and its index.
    fn at_or_after(&self, index: usize) -> Option<(usize, ServerSseMessage)> {
        let index = index.max(self.first);
        self.kept.get(index - self.first).map(|event| (index, event.clone()))
    }
}

impl KnownStreams {
    fn lock(&self) -> MutexGuard<'_, StreamTable> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn find(&self, key: &StreamKey) -> Option<watch::Receiver<StreamEvents>> {
        self.lock().by_key.get(key).cloned()
    }

    /// Records that a stream is over, and forgets the oldest ones.
    fn end(&self, key: StreamKey) {
        let mut table = self.lock();
        table.ended.push_back((key, Instant::now()));
        loop {
            let is_full = table.ended.len() > ENDED_KEPT;
            let oldest = table.ended.pop_front_if(|(_, at)| is_full || at.elapsed() > ENDED_LIFETIME);
            let Some((key, _)) = oldest else { return };
            table.by_key.remove(&key);
        }
    }
}

/// Returns the place that an event id of the library names: the index of the event, and the number of its stream in
/// the session.
fn parse_place(id: &str) -> Option<(usize, u64)> {
    let (index, stream) = id.split_once('/')?;
    Some((index.parse().ok()?, stream.parse().ok()?))
}

/// Suffix that the event ids of a call share: the run of the server, and the id of the request.
#[derive(Clone)]
struct CallSuffix(String);

impl CallSuffix {
    fn new(run: &str, request: &RequestId) -> Self {
        let request = serde_json::to_vec(request).unwrap_or_default();
        Self(format!("/{run}/{}", URL_SAFE_NO_PAD.encode(request)))
    }

    fn add_to(&self, mut event: ServerSseMessage) -> ServerSseMessage {
        if let Some(id) = &mut event.event_id {
            id.push_str(&self.0);
        }
        event
    }
}

/// Event id of a call.
struct CallEventId<'a> {
    index: usize,
    /// Number of the stream in the session.
    stream: u64,
    run: &'a str,
    /// Id of the request, as JSON in base64.
    request: &'a str,
}

impl<'a> CallEventId<'a> {
    fn parse(id: &'a str) -> Option<Self> {
        let (rest, request) = id.rsplit_once('/')?;
        let (place, run) = rest.rsplit_once('/')?;
        let (index, stream) = parse_place(place)?;
        Some(Self { index, stream, run, request })
    }

    /// Returns the error that ends this call.
    fn lost_call(&self) -> Option<ServerSseMessage> {
        let request = serde_json::from_slice(&URL_SAFE_NO_PAD.decode(self.request).ok()?).ok()?;
        let error = ErrorData::internal_error(CALL_LOST, None);
        Some(ServerSseMessage::from_message(ServerJsonRpcMessage::error(error, Some(request))))
    }
}

/// Returns the events of a stream from an index on, up to its end.
fn follow(events: watch::Receiver<StreamEvents>, from: usize) -> EventStream {
    Box::pin(stream::unfold((events, from), |(mut events, index)| async move {
        loop {
            let next_event = events.borrow_and_update().at_or_after(index);
            if let Some((index, event)) = next_event {
                return Some((event, (events, index + 1)));
            }
            events.changed().await.ok()?;
        }
    }))
}

impl SessionManager for ResumableSessions {
    type Error = LocalSessionManagerError;
    type Transport = <LocalSessionManager as SessionManager>::Transport;

    async fn create_session(&self) -> Result<(SessionId, Self::Transport), Self::Error> {
        let (id, transport) = self.local.create_session().await?;
        self.record_session(id.clone()).await;
        Ok((id, transport))
    }

    async fn initialize_session(
        &self,
        id: &SessionId,
        message: ClientJsonRpcMessage,
    ) -> Result<ServerJsonRpcMessage, Self::Error> {
        self.local.initialize_session(&session_number(id), message).await
    }

    async fn has_session(&self, id: &SessionId) -> Result<bool, Self::Error> {
        self.local.has_session(&session_number(id)).await
    }

    async fn close_session(&self, id: &SessionId) -> Result<(), Self::Error> {
        self.local.close_session(&session_number(id)).await
    }

    /// Reads the stream of a request to its end, regardless of the client's connection.
    async fn create_stream(
        &self,
        id: &SessionId,
        message: ClientJsonRpcMessage,
    ) -> Result<impl Stream<Item = ServerSseMessage> + Send + Sync + 'static, Self::Error> {
        let id = session_number(id);
        let suffix = match &message {
            ClientJsonRpcMessage::Request(request) => CallSuffix::new(&self.run, &request.id),
            _ => CallSuffix(String::new()),
        };
        let mut source = Box::pin(self.local.create_stream(&id, message).await?);
        // The first event is there at once, and names the stream.
        let Some(first_event) = source.next().await else { return Ok(source as EventStream) };
        let place = first_event.event_id.as_deref().and_then(parse_place);
        let Some((_, number)) = place else {
            let unnamed_stream: EventStream = Box::pin(stream::iter([first_event]).chain(source));
            return Ok(unnamed_stream);
        };
        let key = (id, number);
        let mut events = StreamEvents::default();
        events.push(suffix.add_to(first_event));
        let (sender, events) = watch::channel(events);
        self.streams.lock().by_key.insert(key.clone(), events.clone());
        let streams = self.streams.clone();
        tokio::spawn(async move {
            while let Some(event) = source.next().await {
                sender.send_modify(|events| events.push(suffix.add_to(event)));
            }
            drop(sender);
            streams.end(key);
        });
        Ok(follow(events, 0))
    }

    async fn accept_message(&self, id: &SessionId, message: ClientJsonRpcMessage) -> Result<(), Self::Error> {
        self.local.accept_message(&session_number(id), message).await
    }

    async fn create_standalone_stream(
        &self,
        id: &SessionId,
    ) -> Result<impl Stream<Item = ServerSseMessage> + Send + Sync + 'static, Self::Error> {
        let stream: EventStream = Box::pin(self.local.create_standalone_stream(&session_number(id)).await?);
        Ok(stream)
    }

    async fn resume(
        &self,
        id: &SessionId,
        last_event_id: String,
    ) -> Result<impl Stream<Item = ServerSseMessage> + Send + Sync + 'static, Self::Error> {
        let id = session_number(id);
        let Some(last) = CallEventId::parse(&last_event_id) else {
            let rest: EventStream = Box::pin(self.local.resume(&id, last_event_id).await?);
            return Ok(rest);
        };
        if last.run != self.run {
            let error: EventStream = Box::pin(stream::iter(last.lost_call()));
            return Ok(error);
        }
        Ok(match self.streams.find(&(id, last.stream)) {
            Some(events) => follow(events, last.index.saturating_add(1)),
            None => Box::pin(stream::empty()),
        })
    }

    async fn restore_session(&self, id: SessionId) -> Result<RestoreOutcome<Self::Transport>, Self::Error> {
        let number = session_number(&id);
        let outcome = self.local.restore_session(number.clone()).await?;
        if matches!(outcome, RestoreOutcome::Restored(_)) {
            self.record_session(number).await;
        }
        Ok(outcome)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn event(index: usize) -> ServerSseMessage {
        ServerSseMessage::priming(format!("{index}/0"), Duration::ZERO)
    }

    #[test]
    fn stream_keeps_its_last_events() {
        let mut events = StreamEvents::default();
        (0..EVENTS_KEPT + 2).for_each(|index| events.push(event(index)));
        let id = |from| events.at_or_after(from).map(|(index, event)| (index, event.event_id.unwrap()));
        assert_eq!(id(0), Some((2, "2/0".to_owned())), "the first that is left");
        assert_eq!(id(EVENTS_KEPT + 1), Some((EVENTS_KEPT + 1, format!("{}/0", EVENTS_KEPT + 1))));
        assert_eq!([id(EVENTS_KEPT + 2), id(usize::MAX)], [None, None]);
    }

    #[test]
    fn oldest_ended_streams_are_forgotten() {
        let known = KnownStreams::default();
        let key = |number| (SessionId::from("session"), number);
        for number in 0..ENDED_KEPT as u64 + 2 {
            known.lock().by_key.insert(key(number), watch::channel(StreamEvents::default()).1);
            if number > 0 {
                known.end(key(number));
            }
        }
        let is_known = [0, 1, 2].map(|number| known.find(&key(number)).is_some());
        assert_eq!(is_known, [true, false, true], "one that has not ended stays");
        assert_eq!(known.lock().by_key.len(), ENDED_KEPT + 1);
    }
}
