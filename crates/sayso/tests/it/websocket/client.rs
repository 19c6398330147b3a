//! Clients of the interaction format for `sayso serve` over plain sockets: askers that hold a request, and WebSocket
//! clients that send exactly the bytes of a test.

use crate::support::http_client::{OpenReply, connect};
use crate::support::program::ProgramExit;
use crate::support::served_desk::{ServedDesk, new_token};
use crate::support::test_world::TestWorld;
use sayso_desk::token::TokenRole;
use serde_json::{Value, json};
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;

/// Running server, with the tokens of its callers.
pub(crate) struct InteractionServer {
    served: ServedDesk,
    pub(crate) asker: String,
    pub(crate) person: String,
}

impl InteractionServer {
    pub(crate) fn start(world: &TestWorld) -> Self {
        let tokens = [(TokenRole::Asker, "ci"), (TokenRole::Person, "ada")]
            .map(|(role, account)| new_token(world, role, account));
        Self::start_at(world, "127.0.0.1:0", tokens)
    }

    fn start_at(world: &TestWorld, address: &str, tokens: [String; 2]) -> Self {
        let [asker, person] = tokens;
        Self { served: ServedDesk::restart_at(world, address), asker, person }
    }

    /// Kills the server like a crash, and starts another one in its place.
    pub(crate) fn restart_after_crash(self, world: &TestWorld) -> Self {
        crate::support::program::kill_9(self.served.program.pid);
        drop(self.served.program.wait());
        Self::start_at(world, &self.served.address, [self.asker, self.person])
    }

    pub(crate) fn stop(self) -> ProgramExit {
        self.served.stop()
    }

    /// Returns host and port.
    pub(crate) fn address(&self) -> &str {
        &self.served.address
    }

    /// Asks in a session, and holds the request.
    pub(crate) fn ask(&self, session: &str, arguments: &Value) -> HeldRequest {
        let path = "/api/plugins/questions/operations/ask";
        self.post(path, &self.asker, &[("x-session-id", session)], arguments)
    }

    pub(crate) fn post(
        &self,
        path: &str,
        token: &str,
        headers: &[(&str, &str)],
        body: &Value,
    ) -> HeldRequest {
        let request = self.served.with_token(token).request("POST", path).json(body);
        let request = headers.iter().fold(request, |request, (name, value)| request.header(name, value));
        HeldRequest(request.send_and_disconnect())
    }

    /// Connects a person's client that shows the forms of a session and sends responses.
    pub(crate) fn client(&self, session: &str) -> WireClient {
        let mut client = self.connect_client(&self.person);
        client.hello(session, true);
        client
    }

    /// Connects a client without its hello.
    pub(crate) fn connect_client(&self, token: &str) -> WireClient {
        self.upgrade(&[("authorization", &format!("Bearer {token}"))]).unwrap()
    }

    /// Opens a WebSocket; returns the status if that is refused.
    pub(crate) fn upgrade(&self, headers: &[(&str, &str)]) -> Result<WireClient, u16> {
        WireClient::open(self.address(), headers)
    }
}

/// Request that waits for its reply.
pub(crate) struct HeldRequest(TcpStream);

impl HeldRequest {
    /// Returns its reply.
    pub(crate) fn reply(self) -> (u16, Value) {
        let reply = OpenReply::of(self.0).and_then(OpenReply::whole).unwrap();
        (reply.status, reply.value())
    }
}

/// WebSocket client.
pub(crate) struct WireClient {
    source: BufReader<TcpStream>,
    /// Head of the reply that opened it, in lower case.
    pub(crate) head: String,
}

/// Message to a client.
#[derive(Debug, PartialEq)]
pub(crate) enum SocketMessage {
    Text(Value),
    Ping,
    Pong(Vec<u8>),
    /// Close with this code; without one, the connection is over.
    Close(Option<u16>),
}

pub(crate) const TEXT: u8 = 0x1;
pub(crate) const FINAL: u8 = 0x80;

impl WireClient {
    /// Opens a WebSocket; returns the status if that is refused.
    pub(crate) fn open(address: &str, headers: &[(&str, &str)]) -> Result<Self, u16> {
        let mut socket = connect(address);
        let mut text = format!(
            "GET /ws HTTP/1.1\r\nhost: {address}\r\nconnection: Upgrade\r\nupgrade: websocket\r\n\
             sec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
        );
        for (name, value) in headers {
            text += &format!("{name}: {value}\r\n");
        }
        socket.write_all(format!("{text}\r\n").as_bytes()).unwrap();
        let mut source = BufReader::new(socket);
        let mut head = String::new();
        while !head.ends_with("\r\n\r\n") {
            assert_ne!(source.read_line(&mut head).unwrap(), 0, "{head}");
        }
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        if status != 101 {
            return Err(status);
        }
        let head = head.to_ascii_lowercase();
        // Key and accept value are those of RFC 6455, section 1.3.
        assert!(head.contains("sec-websocket-accept: s3pplmbitxaq9kygzzhzrbk+xoo="), "{head}");
        Ok(Self { source, head })
    }

    pub(crate) fn hello(&mut self, session: &str, enabled: bool) {
        self.send_json(&json!({
            "type": "hello", "protocolVersion": 2, "sessionId": session,
            "interaction": { "supported": true, "enabled": enabled },
        }));
    }

    pub(crate) fn send_json(&mut self, frame: &Value) {
        self.frame(FINAL | TEXT, frame.to_string().as_bytes());
    }

    /// Sends one frame, masked as clients must.
    pub(crate) fn frame(&mut self, first: u8, payload: &[u8]) {
        self.bytes(&masked_frame(first, payload)).unwrap();
    }

    pub(crate) fn bytes(&mut self, bytes: &[u8]) -> std::io::Result<()> {
        self.source.get_mut().write_all(bytes)
    }

    /// Returns the next frame.
    pub(crate) fn next_message(&mut self) -> SocketMessage {
        let mut start = [0; 2];
        if self.source.read_exact(&mut start).is_err() {
            return SocketMessage::Close(None);
        }
        let [first, length] = start;
        assert_eq!(
            (first & FINAL, length & 0x80),
            (FINAL, 0),
            "the server sends whole frames without a mask"
        );
        let length = match length {
            126 => u64::from(u16::from_be_bytes(self.read_bytes())),
            127 => u64::from_be_bytes(self.read_bytes()),
            short => u64::from(short),
        };
        let mut payload = vec![0; usize::try_from(length).unwrap()];
        self.source.read_exact(&mut payload).unwrap();
        match first & 0xf {
            TEXT => SocketMessage::Text(serde_json::from_slice(&payload).unwrap()),
            0x8 => SocketMessage::Close(payload.get(..2).map(|code| u16::from_be_bytes([code[0], code[1]]))),
            0x9 => SocketMessage::Ping,
            0xa => SocketMessage::Pong(payload),
            other => panic!("no frame of a server: {other}"),
        }
    }

    fn read_bytes<const N: usize>(&mut self) -> [u8; N] {
        let mut bytes = [0; N];
        self.source.read_exact(&mut bytes).unwrap();
        bytes
    }

    /// Returns the next frame, which must be a text.
    pub(crate) fn text(&mut self) -> Value {
        match self.next_message() {
            SocketMessage::Text(text) => text,
            other => panic!("{other:?}"),
        }
    }

    /// Returns the next frame, which must be an event of this kind.
    pub(crate) fn event(&mut self, kind: &str) -> Value {
        let frame = self.text();
        assert_eq!(
            (&frame["type"], &frame["event"]["type"]),
            (&json!("chat_event"), &json!(kind)),
            "{frame}"
        );
        frame["event"].clone()
    }

    /// Returns the next frame, which must be an error with this code.
    pub(crate) fn error(&mut self, code: &str) -> Value {
        let frame = self.text();
        assert_eq!((&frame["type"], &frame["code"]), (&json!("error"), &json!(code)), "{frame}");
        frame
    }

    /// Returns the next form, after the event that the tool waits.
    pub(crate) fn form(&mut self) -> Value {
        assert_eq!(self.event("interaction_pending")["payload"]["pending"], true);
        self.event("interaction_request")
    }

    /// Responds to the round of an event.
    pub(crate) fn respond(&mut self, event: &Value, response: &Value) {
        let payload = &event["payload"];
        let mut frame = json!({
            "type": "tool_interaction_response", "sessionId": event["sessionId"],
            "callId": payload["toolCallId"], "interactionId": payload["interactionId"],
        });
        frame.as_object_mut().unwrap().extend(response.as_object().unwrap().clone());
        self.send_json(&frame);
    }
}

/// Returns a frame as a client sends it.
pub(crate) fn masked_frame(first: u8, payload: &[u8]) -> Vec<u8> {
    let mut bytes = vec![first];
    match payload.len() {
        short @ 0..126 => bytes.push(0x80 | u8::try_from(short).unwrap()),
        middle @ 126..65_536 => {
            bytes.push(0x80 | 126);
            bytes.extend(u16::try_from(middle).unwrap().to_be_bytes());
        }
        long => {
            bytes.push(0x80 | 127);
            bytes.extend((long as u64).to_be_bytes());
        }
    }
    let mask = [0x37, 0xfa, 0x21, 0x3d];
    bytes.extend(mask);
    bytes.extend(payload.iter().zip(mask.iter().cycle()).map(|(byte, mask)| byte ^ mask));
    bytes
}
