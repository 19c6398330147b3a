//! One WebSocket client, from its hello to its close.

use super::feed::EventFeed;
use super::interaction_state::{ClientPresence, InteractionState};
use super::meter::{LimitExceeded, MeteredStream};
use super::person_response::{problem_frame, respond};
use crate::diagnostics::log_event;
use crate::http::metrics::GaugeGuard;
use crate::http::middleware::caller::{AuthenticatedCaller, PersonParams};
use crate::http::middleware::revocation::RevocationGuard;
use futures_util::{SinkExt as _, StreamExt as _};
use hyper::upgrade::Upgraded;
use hyper_util::rt::TokioIo;
use sayso_core::{Problem, limits};
use sayso_desk::WatchEvent;
use sayso_dialects::interaction::{
    ClientFrame, FrameError, InteractionMode, PROTOCOL, ResponseFrame, ServerFrame, read_frame,
};
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncReadExt as _, sink};
use tokio::sync::broadcast::error::RecvError;
use tokio::time::{Instant, MissedTickBehavior, interval, sleep_until, timeout};
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::protocol::CloseFrame;
use tokio_tungstenite::tungstenite::protocol::frame::coding::CloseCode;
use tokio_tungstenite::tungstenite::{Error, Message};

/// Timeout for the client's hello.
const HELLO_TIMEOUT: Duration = Duration::from_secs(10);
/// Pings without a response after which the client counts as gone.
const MAX_MISSED_PINGS: u32 = 2;
/// Timeout for the closing handshake.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(1);

/// Timeout for the closing handshake if the credential was revoked: everything must end within a second.
const REVOKED_CLOSE_TIMEOUT: Duration = Duration::from_millis(250);

/// WebSocket of a client.
pub(super) type ClientSocket = WebSocketStream<MeteredStream<TokioIo<Upgraded>>>;

/// One connected client.
pub(super) struct SocketClient {
    interactions: Arc<InteractionState>,
    caller: AuthenticatedCaller,
    /// Cancelled when the credential is revoked.
    session_guard: RevocationGuard,
    socket: ClientSocket,
    feed: EventFeed,
    /// Interaction mode; `None` before the hello.
    mode: Option<InteractionMode>,
    session: Option<String>,
    presence: Option<ClientPresence>,
    missed_pings: u32,
    _counted: GaugeGuard,
}

/// Reason for closing a socket.
enum CloseReason {
    /// The client disconnected or sent a close frame.
    Disconnected,
    Close(CloseCode, &'static str),
    /// The credential was revoked.
    Revoked,
}

/// Next thing to handle.
enum SocketEvent {
    Message(Option<Result<Message, Error>>),
    Changed(Result<Arc<WatchEvent>, RecvError>),
    Tick,
    HelloTimeout,
    Revoked,
    Closing,
}

impl SocketClient {
    pub(super) fn new(
        interactions: Arc<InteractionState>,
        caller: AuthenticatedCaller,
        socket: ClientSocket,
    ) -> Self {
        let context = &interactions.context;
        let feed = EventFeed::new(context.clone(), caller.clone());
        let gauge_guard = context.metrics.count_stream();
        let session_guard = context.revocations.register(caller.credential.clone());
        Self {
            interactions,
            caller,
            session_guard,
            socket,
            feed,
            mode: None,
            session: None,
            presence: None,
            missed_pings: 0,
            _counted: gauge_guard,
        }
    }

    /// Serves the client until either side closes.
    pub(super) async fn run(mut self) {
        let close_reason = self.run_loop().await;
        self.presence = None;
        match close_reason {
            CloseReason::Disconnected => {}
            CloseReason::Close(code, reason) => self.close(code, reason, CLOSE_TIMEOUT).await,
            CloseReason::Revoked => {
                let reason = "the token is not known any more";
                self.close(CloseCode::Policy, reason, REVOKED_CLOSE_TIMEOUT).await;
            }
        }
    }

    /// Closes the socket, and discards what the client still sends.
    async fn close(mut self, code: CloseCode, reason: &'static str, close_timeout: Duration) {
        log_event!(INFO, Interaction, "socket closed", reason = reason);
        let frame = CloseFrame { code, reason: reason.into() };
        // A client that does not take the close frame is cut.
        let _ = timeout(close_timeout, self.socket.close(Some(frame))).await;
        // Closing with unread bytes would reset the connection and lose the close frame.
        let stream = self.socket.get_mut();
        stream.set_allowance(limits::SOCKET_DISCARD_BYTES);
        let mut input = stream.take(limits::SOCKET_DISCARD_BYTES);
        let _ = timeout(close_timeout, tokio::io::copy(&mut input, &mut sink())).await;
    }

    async fn run_loop(&mut self) -> CloseReason {
        let hello_by = Instant::now() + HELLO_TIMEOUT;
        let mut ticks = interval(self.interactions.context.delays.socket_ping);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        ticks.reset();
        loop {
            let awaits_hello = self.mode.is_none();
            let event = tokio::select! {
                message = self.socket.next() => SocketEvent::Message(message),
                change = self.feed.next() => SocketEvent::Changed(change),
                _ = ticks.tick() => SocketEvent::Tick,
                () = sleep_until(hello_by), if awaits_hello => SocketEvent::HelloTimeout,
                () = self.session_guard.revoked() => SocketEvent::Revoked,
                () = self.interactions.context.closing.cancelled() => SocketEvent::Closing,
            };
            let result = match event {
                SocketEvent::Message(message) => self.handle_message(message).await,
                SocketEvent::Changed(change) => match self.feed.frames_after(change).await {
                    Ok(frames) => self.send_all(frames).await,
                    Err(problem) => Err(desk_error_reason(&problem)),
                },
                SocketEvent::Tick => self.handle_tick().await,
                SocketEvent::HelloTimeout => Err(CloseReason::Close(CloseCode::Policy, "no hello")),
                SocketEvent::Revoked => self.check_not_revoked(),
                SocketEvent::Closing => Err(CloseReason::Close(CloseCode::Away, "the server closes")),
            };
            if let Err(close_reason) = result {
                return close_reason;
            }
        }
    }

    async fn send(&mut self, message: Message) -> Result<(), CloseReason> {
        // A client that reads too slowly loses its connection in a lower layer.
        self.socket.send(message).await.map_err(|_| CloseReason::Disconnected)
    }

    async fn send_all(&mut self, frames: Vec<String>) -> Result<(), CloseReason> {
        for frame in frames {
            self.send(Message::text(frame)).await?;
        }
        Ok(())
    }

    async fn refuse(&mut self, error: FrameError) -> Result<(), CloseReason> {
        self.send(Message::text(ServerFrame::Error(&error).to_json())).await
    }

    async fn handle_message(&mut self, message: Option<Result<Message, Error>>) -> Result<(), CloseReason> {
        let message = match message {
            None => return Err(CloseReason::Disconnected),
            Some(Err(error)) => return Err(read_error_reason(&error)),
            Some(Ok(message)) => message,
        };
        self.missed_pings = 0;
        self.socket.get_mut().reset();
        match message {
            Message::Text(text) => match read_frame(&text) {
                Ok(frame) => self.handle_frame(frame).await,
                Err(error) => self.refuse(error).await,
            },
            Message::Binary(_) => Err(CloseReason::Close(CloseCode::Unsupported, "frames are text")),
            // tungstenite answers pings and closes while it reads the next message.
            Message::Ping(_) | Message::Pong(_) | Message::Close(_) | Message::Frame(_) => Ok(()),
        }
    }

    async fn handle_frame(&mut self, frame: ClientFrame) -> Result<(), CloseReason> {
        match (frame, self.mode) {
            (ClientFrame::Hello(_), Some(_)) => self.refuse(FrameError::duplicate_hello()).await,
            (ClientFrame::Hello(hello), None) if hello.protocol_version != PROTOCOL => {
                self.refuse(FrameError::unsupported_version(hello.protocol_version)).await?;
                Err(CloseReason::Close(CloseCode::Policy, "unsupported protocol version"))
            }
            (ClientFrame::Hello(hello), None) => {
                self.session = hello.session_id;
                self.set_mode(hello.interaction);
                let frames = self.feed.start(self.session.clone()).await;
                self.send_all(frames.map_err(|problem| desk_error_reason(&problem))?).await
            }
            (_, None) => self.refuse(FrameError::hello_required()).await,
            (ClientFrame::SetInteractionMode(set), Some(mode)) => {
                self.set_mode(InteractionMode { enabled: set.enabled, ..mode });
                Ok(())
            }
            (ClientFrame::ToolInteractionResponse(_), Some(mode)) if !(mode.supported && mode.enabled) => {
                self.refuse(FrameError::interaction_disabled()).await
            }
            (ClientFrame::ToolInteractionResponse(response), Some(_)) => {
                self.handle_response(*response).await
            }
        }
    }

    fn set_mode(&mut self, mode: InteractionMode) {
        self.mode = Some(mode);
        let can_respond =
            mode.supported && mode.enabled && self.caller.to_person(PersonParams::default()).is_ok();
        if !can_respond {
            self.presence = None;
        } else if self.presence.is_none() {
            self.presence = Some(self.interactions.register_client(self.session.clone()));
        }
    }

    async fn handle_response(&mut self, response: ResponseFrame) -> Result<(), CloseReason> {
        // Revocation must not wait for the next periodic check here: this submits an answer.
        self.interactions.authenticator.revoke_invalid(vec![self.caller.credential.clone()]).await;
        self.check_not_revoked()?;
        let caller = self.caller.clone();
        let context = &self.interactions.context;
        let consent = context.embedded_consent.clone();
        let desk_call = context.with_desk(move |desk| Ok(respond(desk, &caller, &consent, &response)));
        match desk_call.await {
            Ok(Ok(())) => Ok(()),
            Ok(Err(error)) => self.refuse(error).await,
            Err(problem) => self.refuse(problem_frame(&problem)).await,
        }
    }

    /// Fails if the client's credential has been revoked.
    fn check_not_revoked(&self) -> Result<(), CloseReason> {
        if self.session_guard.is_revoked() {
            return Err(CloseReason::Revoked);
        }
        Ok(())
    }

    async fn handle_tick(&mut self) -> Result<(), CloseReason> {
        if self.missed_pings >= MAX_MISSED_PINGS {
            return Err(CloseReason::Disconnected);
        }
        self.missed_pings += 1;
        self.check_not_revoked()?;
        self.send(Message::Ping(Vec::new().into())).await
    }
}

/// Returns the close reason for a read error.
fn read_error_reason(error: &Error) -> CloseReason {
    match error {
        Error::Capacity(_) => CloseReason::Close(CloseCode::Size, "the message is too large"),
        Error::Io(error) => {
            let source = error.get_ref();
            match source.and_then(|source| source.downcast_ref::<LimitExceeded>()) {
                Some(LimitExceeded::Message) => {
                    CloseReason::Close(CloseCode::Size, "the message is too large")
                }
                Some(LimitExceeded::Budget) => {
                    CloseReason::Close(CloseCode::Again, "too many bytes are on their way")
                }
                None => CloseReason::Disconnected,
            }
        }
        Error::Utf8(_) => CloseReason::Close(CloseCode::Invalid, "the message is no text"),
        Error::Protocol(_) => CloseReason::Close(CloseCode::Protocol, "no WebSocket frame"),
        _ => CloseReason::Disconnected,
    }
}

/// Returns the close reason for a desk that cannot be read; the client may reconnect.
fn desk_error_reason(_: &Problem) -> CloseReason {
    CloseReason::Close(CloseCode::Again, "the desk cannot be read")
}
