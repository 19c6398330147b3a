//! Sessions on the network whose streams can be resumed: a client that was cut off gets what its request still brings,
//! also if the request has ended meanwhile. The sessions of the protocol's library forget a stream with its response.

use futures_util::stream::{self, Stream, StreamExt as _};
use rmcp::model::{ClientJsonRpcMessage, ServerJsonRpcMessage};
use rmcp::transport::streamable_http_server::session::local::{
    LocalSessionManager, LocalSessionManagerError,
};
use rmcp::transport::streamable_http_server::session::{
    EventStream, ServerSseMessage, SessionId, SessionManager,
};
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

/// Session manager that keeps the streams of requests.
#[derive(Default)]
pub(super) struct ResumableSessions {
    local: LocalSessionManager,
    streams: Arc<KnownStreams>,
}

impl ResumableSessions {
    /// Creates a manager whose sessions end after this time without a message.
    pub(super) fn with_idle_limit(limit: Duration) -> Self {
        let mut sessions = Self::default();
        sessions.local.session_config.keep_alive = Some(limit);
        sessions
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
            let old = table.ended.pop_front_if(|(_, at)| is_full || at.elapsed() > ENDED_LIFETIME);
            let Some((old, _)) = old else { return };
            table.by_key.remove(&old);
        }
    }
}

/// Returns the place that an event id names: the index of the event, and the number of its stream in the session.
fn parse_event_id(id: &str) -> Option<(usize, u64)> {
    let (index, stream) = id.split_once('/')?;
    Some((index.parse().ok()?, stream.parse().ok()?))
}

/// Returns the events of a stream from an index on, up to its end.
fn follow(events: watch::Receiver<StreamEvents>, from: usize) -> EventStream {
    let next = |(mut events, from): (watch::Receiver<StreamEvents>, usize)| async move {
        loop {
            let found = events.borrow_and_update().at_or_after(from);
            if let Some((index, event)) = found {
                return Some((event, (events, index + 1)));
            }
            events.changed().await.ok()?;
        }
    };
    Box::pin(stream::unfold((events, from), next))
}

impl SessionManager for ResumableSessions {
    type Error = LocalSessionManagerError;
    type Transport = <LocalSessionManager as SessionManager>::Transport;

    async fn create_session(&self) -> Result<(SessionId, Self::Transport), Self::Error> {
        self.local.create_session().await
    }

    async fn initialize_session(
        &self,
        id: &SessionId,
        message: ClientJsonRpcMessage,
    ) -> Result<ServerJsonRpcMessage, Self::Error> {
        self.local.initialize_session(id, message).await
    }

    async fn has_session(&self, id: &SessionId) -> Result<bool, Self::Error> {
        self.local.has_session(id).await
    }

    async fn close_session(&self, id: &SessionId) -> Result<(), Self::Error> {
        self.local.close_session(id).await
    }

    /// Reads the stream of a request to its end, regardless of the client's connection.
    async fn create_stream(
        &self,
        id: &SessionId,
        message: ClientJsonRpcMessage,
    ) -> Result<impl Stream<Item = ServerSseMessage> + Send + Sync + 'static, Self::Error> {
        let mut source = Box::pin(self.local.create_stream(id, message).await?);
        // The first event is there at once, and names the stream.
        let first = source.next().await;
        let place = first.as_ref().and_then(|event| parse_event_id(event.event_id.as_deref()?));
        let Some((_, number)) = place else {
            let unnamed: EventStream = Box::pin(stream::iter(first).chain(source));
            return Ok(unnamed);
        };
        let key = (id.clone(), number);
        let kept = StreamEvents { first: 0, kept: first.into_iter().collect() };
        let (sender, events) = watch::channel(kept);
        self.streams.lock().by_key.insert(key.clone(), events.clone());
        let streams = self.streams.clone();
        tokio::spawn(async move {
            while let Some(event) = source.next().await {
                sender.send_modify(|events| events.push(event));
            }
            drop(sender);
            streams.end(key);
        });
        Ok(follow(events, 0))
    }

    async fn accept_message(&self, id: &SessionId, message: ClientJsonRpcMessage) -> Result<(), Self::Error> {
        self.local.accept_message(id, message).await
    }

    async fn create_standalone_stream(
        &self,
        id: &SessionId,
    ) -> Result<impl Stream<Item = ServerSseMessage> + Send + Sync + 'static, Self::Error> {
        self.local.create_standalone_stream(id).await
    }

    async fn resume(
        &self,
        id: &SessionId,
        last_event_id: String,
    ) -> Result<impl Stream<Item = ServerSseMessage> + Send + Sync + 'static, Self::Error> {
        let place = parse_event_id(&last_event_id);
        let known =
            place.and_then(|(index, number)| Some((self.streams.find(&(id.clone(), number))?, index)));
        match known {
            Some((events, index)) => Ok(follow(events, index.saturating_add(1))),
            None => {
                let rest: EventStream = Box::pin(self.local.resume(id, last_event_id).await?);
                Ok(rest)
            }
        }
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
