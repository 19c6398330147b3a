//! One WebSocket client, from its hello to its close.

use super::Present;
use super::feed::Feed;
use super::meter::{Meter, TooMuch};
use super::respond::{respond, told};
use crate::http::app::App;
use crate::http::caller::{By, Caller};
use crate::http::metrics::Counted;
use crate::http::serve::see_out;
use crate::http::stay::Stay;
use futures_util::{SinkExt as _, StreamExt as _};
use hyper::upgrade::Upgraded;
use hyper_util::rt::TokioIo;
use sayso_core::{Problem, limits};
use sayso_desk::Heard;
use sayso_dialects::interaction::{
    ClientFrame, FrameError, InteractionMode, PROTOCOL, Responded, ServerFrame, read_frame,
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
const HELLO: Duration = Duration::from_secs(10);
/// Interval of pings and of the credential check.
const PING: Duration = Duration::from_secs(15);
/// Pings without a response after which the client counts as gone.
const SILENT: u32 = 2;
/// Timeout for the closing handshake.
const GOODBYE: Duration = Duration::from_secs(1);

/// Timeout for the closing handshake if the credential was revoked: everything must end within a second.
const SHORT_GOODBYE: Duration = Duration::from_millis(250);

/// WebSocket of a client.
pub(super) type Socket = WebSocketStream<Meter<TokioIo<Upgraded>>>;

/// One connected client.
pub(super) struct Client {
    app: Arc<App>,
    caller: Caller,
    /// Cancelled when the credential is revoked.
    stay: Stay,
    socket: Socket,
    feed: Feed,
    /// Interaction mode; `None` before the hello.
    mode: Option<InteractionMode>,
    session: Option<String>,
    present: Option<Present>,
    silent: u32,
    _counted: Counted,
}

/// Reason for closing a socket.
enum End {
    /// The client disconnected or sent a close frame.
    Left,
    Close(CloseCode, &'static str),
    /// The credential was revoked.
    Revoked,
}

/// Next thing to handle.
enum Next {
    Message(Option<Result<Message, Error>>),
    Heard(Result<Arc<Heard>, RecvError>),
    Tick,
    Late,
    Unknown,
    Closing,
}

impl Client {
    pub(super) fn new(app: Arc<App>, caller: Caller, socket: Socket) -> Self {
        let feed = Feed::new(app.clone(), caller.clone());
        let counted = app.metrics.stream();
        let stay = app.stays.begin(caller.shown.clone());
        Self {
            app,
            caller,
            stay,
            socket,
            feed,
            mode: None,
            session: None,
            present: None,
            silent: 0,
            _counted: counted,
        }
    }

    /// Serves the client until either side closes.
    pub(super) async fn run(mut self) {
        let end = self.converse().await;
        self.present = None;
        let close = match end {
            End::Left => None,
            End::Close(code, reason) => Some((code, reason, GOODBYE)),
            End::Revoked => Some((CloseCode::Policy, "the token is not known any more", SHORT_GOODBYE)),
        };
        if let Some((code, reason, goodbye)) = close {
            let frame = CloseFrame { code, reason: reason.into() };
            let _ = timeout(goodbye, self.socket.close(Some(frame))).await;
            // Closing with unread bytes would reset the connection and lose the close frame.
            let rest = self.socket.get_mut();
            rest.let_pass(limits::SOCKET_PAST_BYTES);
            let _ = timeout(goodbye, tokio::io::copy(&mut rest.take(limits::SOCKET_PAST_BYTES), &mut sink()))
                .await;
        }
    }

    async fn converse(&mut self) -> End {
        let hello_by = Instant::now() + HELLO;
        let mut ticks = interval(PING);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        ticks.reset();
        loop {
            let is_late = self.mode.is_none();
            let next = tokio::select! {
                message = self.socket.next() => Next::Message(message),
                heard = self.feed.next() => Next::Heard(heard),
                _ = ticks.tick() => Next::Tick,
                () = sleep_until(hello_by), if is_late => Next::Late,
                () = self.stay.over() => Next::Unknown,
                () = self.app.closing.cancelled() => Next::Closing,
            };
            let done = match next {
                Next::Message(message) => self.message(message).await,
                Next::Heard(heard) => match self.feed.tell(heard).await {
                    Ok(frames) => self.send_all(frames).await,
                    Err(problem) => Err(failed(&problem)),
                },
                Next::Tick => self.tick().await,
                Next::Late => Err(End::Close(CloseCode::Policy, "no hello")),
                Next::Unknown => self.still_known(),
                Next::Closing => Err(End::Close(CloseCode::Away, "the server closes")),
            };
            if let Err(end) = done {
                return end;
            }
        }
    }

    async fn send(&mut self, message: Message) -> Result<(), End> {
        // A client that reads too slowly loses its connection in a lower layer.
        self.socket.send(message).await.map_err(|_| End::Left)
    }

    async fn send_all(&mut self, frames: Vec<String>) -> Result<(), End> {
        for frame in frames {
            self.send(Message::text(frame)).await?;
        }
        Ok(())
    }

    async fn refuse(&mut self, error: FrameError) -> Result<(), End> {
        self.send(Message::text(ServerFrame::Error(&error).text())).await
    }

    async fn message(&mut self, message: Option<Result<Message, Error>>) -> Result<(), End> {
        let message = match message {
            None => return Err(End::Left),
            Some(Err(error)) => return Err(broken(&error)),
            Some(Ok(message)) => message,
        };
        self.silent = 0;
        self.socket.get_mut().reset();
        match message {
            Message::Text(text) => match read_frame(&text) {
                Ok(frame) => self.frame(frame).await,
                Err(error) => self.refuse(error).await,
            },
            Message::Binary(_) => Err(End::Close(CloseCode::Unsupported, "frames are text")),
            // tungstenite answers pings and closes while it reads the next message.
            Message::Ping(_) | Message::Pong(_) | Message::Close(_) | Message::Frame(_) => Ok(()),
        }
    }

    async fn frame(&mut self, frame: ClientFrame) -> Result<(), End> {
        match (frame, self.mode) {
            (ClientFrame::Hello(_), Some(_)) => self.refuse(FrameError::duplicate_hello()).await,
            (ClientFrame::Hello(hello), None) if hello.protocol_version != PROTOCOL => {
                self.refuse(FrameError::unsupported(hello.protocol_version)).await?;
                Err(End::Close(CloseCode::Policy, "unsupported protocol version"))
            }
            (ClientFrame::Hello(hello), None) => {
                self.session = hello.session_id;
                self.set_mode(hello.interaction);
                let told = self.feed.begin(self.session.clone()).await;
                self.send_all(told.map_err(|problem| failed(&problem))?).await
            }
            (_, None) => self.refuse(FrameError::no_hello()).await,
            (ClientFrame::SetInteractionMode(set), Some(mode)) => {
                self.set_mode(InteractionMode { enabled: set.enabled, ..mode });
                Ok(())
            }
            (ClientFrame::ToolInteractionResponse(_), Some(mode)) if !(mode.supported && mode.enabled) => {
                self.refuse(FrameError::disabled()).await
            }
            (ClientFrame::ToolInteractionResponse(responded), Some(_)) => self.responded(*responded).await,
        }
    }

    fn set_mode(&mut self, mode: InteractionMode) {
        self.mode = Some(mode);
        let can_respond = mode.supported && mode.enabled && self.caller.person(By::default()).is_ok();
        if !can_respond {
            self.present = None;
        } else if self.present.is_none() {
            self.present = Some(self.app.interactions.enter(self.session.clone()));
        }
    }

    async fn responded(&mut self, responded: Responded) -> Result<(), End> {
        // Revocation must not wait for the next periodic check here: this submits an answer.
        see_out(&self.app, vec![self.caller.shown.clone()]).await;
        self.still_known()?;
        let caller = self.caller.clone();
        let heard = self.app.at_desk(move |desk| Ok(respond(desk, &caller, &responded))).await;
        match heard {
            Ok(Ok(())) => Ok(()),
            Ok(Err(error)) => self.refuse(error).await,
            Err(problem) => self.refuse(told(&problem)).await,
        }
    }

    /// Fails if the client's credential has been revoked.
    fn still_known(&self) -> Result<(), End> {
        if self.stay.is_over() {
            return Err(End::Revoked);
        }
        Ok(())
    }

    async fn tick(&mut self) -> Result<(), End> {
        if self.silent >= SILENT {
            return Err(End::Left);
        }
        self.silent += 1;
        self.still_known()?;
        self.send(Message::Ping(Vec::new().into())).await
    }
}

/// Returns the close reason for a read error.
fn broken(error: &Error) -> End {
    match error {
        Error::Capacity(_) => End::Close(CloseCode::Size, "the message is too large"),
        Error::Io(error) => match error.get_ref().and_then(|source| source.downcast_ref::<TooMuch>()) {
            Some(TooMuch::Message) => End::Close(CloseCode::Size, "the message is too large"),
            Some(TooMuch::Budget) => End::Close(CloseCode::Again, "too many bytes are on their way"),
            None => End::Left,
        },
        Error::Utf8(_) => End::Close(CloseCode::Invalid, "the message is no text"),
        Error::Protocol(_) => End::Close(CloseCode::Protocol, "no WebSocket frame"),
        _ => End::Left,
    }
}

/// Returns the close reason for a desk that cannot be read; the client may reconnect.
fn failed(_: &Problem) -> End {
    End::Close(CloseCode::Again, "the desk cannot be read")
}
