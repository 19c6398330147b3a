//! HTTP/2, frame by frame.

use super::client::{TestClient, fill};
use super::{LONG, ListenerLimits, SHORT, TestServer, wide_limits};
use std::future::pending;
use std::time::Instant;
use tokio::io::AsyncWriteExt as _;
use tokio::time::timeout;

const DATA: u8 = 0;
const HEADERS: u8 = 1;
const RESET: u8 = 3;
const SETTINGS: u8 = 4;
const PING: u8 = 6;
const GOAWAY: u8 = 7;
const WINDOW_UPDATE: u8 = 8;
const CONTINUATION: u8 = 9;

const END_STREAM: u8 = 1;
const END_HEADERS: u8 = 4;

/// Error code that ends a connection with excessive load.
const ENHANCE_YOUR_CALM: u32 = 11;

#[derive(Debug)]
struct Http2Frame {
    kind: u8,
    flags: u8,
    stream: u32,
    payload: Vec<u8>,
}

impl Http2Frame {
    fn new(kind: u8, flags: u8, stream: u32, payload: &[u8]) -> Self {
        Self { kind, flags, stream, payload: payload.to_vec() }
    }

    fn get(stream: u32, path: &str) -> Self {
        Self::new(HEADERS, END_STREAM | END_HEADERS, stream, &header(path))
    }

    fn to_bytes(&self) -> Vec<u8> {
        let length = u32::try_from(self.payload.len()).unwrap().to_be_bytes();
        let head = [&length[1..], &[self.kind, self.flags], &self.stream.to_be_bytes()].concat();
        [head, self.payload.clone()].concat()
    }

    /// Returns the error code of a RST_STREAM or GOAWAY frame.
    fn error_code(&self) -> u32 {
        let at = if self.kind == GOAWAY { 4 } else { 0 };
        u32::from_be_bytes(self.payload[at..at + 4].try_into().unwrap())
    }
}

/// Returns a header block: GET from the static table, with literal path and authority.
fn header(path: &str) -> Vec<u8> {
    let length = u8::try_from(path.len()).unwrap();
    [&[0x82, 0x86, 0x04, length], path.as_bytes(), &[0x01, 1, b'x']].concat()
}

impl TestClient {
    async fn preface(&mut self) {
        let begin = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
        let more = Http2Frame::new(WINDOW_UPDATE, 0, 0, &(1_u32 << 24).to_be_bytes());
        let settings = Http2Frame::new(SETTINGS, 0, 0, &[]);
        self.send([&begin[..], &settings.to_bytes(), &more.to_bytes()].concat()).await;
    }

    async fn read_frame(&mut self) -> Option<Http2Frame> {
        let head = self.read_exactly(9).await?;
        let length = usize::from(head[0]) << 16 | usize::from(head[1]) << 8 | usize::from(head[2]);
        let stream = u32::from_be_bytes(head[5..9].try_into().unwrap());
        let payload = self.read_exactly(length).await?;
        Some(Http2Frame { kind: head[3], flags: head[4], stream, payload })
    }

    /// Returns the next frame of a kind; `None` if the server closed first.
    async fn read_frame_of(&mut self, kind: u8) -> Option<Http2Frame> {
        loop {
            let frame = self.read_frame().await?;
            if frame.kind == kind {
                return Some(frame);
            }
        }
    }

    /// Sends frames repeatedly until the server ends the connection, and returns the error code.
    async fn send_until_closed(mut self, mut next: impl FnMut() -> Vec<u8>) -> Option<u32> {
        let (mut read, mut write) = self.stream.split();
        let storm = async {
            while write.write_all(&next()).await.is_ok() {}
            pending::<()>().await;
        };
        let storm = async {
            tokio::select! {
                () = fill(&mut read, &mut self.unread) => {}
                () = storm => {}
            }
        };
        timeout(LONG, storm).await.expect("the server bears it");
        self.read_frame_of(GOAWAY).await.map(|frame| frame.error_code())
    }
}

#[tokio::test]
async fn requests_are_answered() {
    let server = TestServer::new(wide_limits());
    let mut client = server.client().await;
    client.preface().await;
    client.send(Http2Frame::get(1, "/healthz").to_bytes()).await;
    assert_eq!(client.read_frame_of(HEADERS).await.unwrap().payload[0], 0x88);
    assert_eq!(client.read_frame_of(DATA).await.unwrap().payload, b"ok");
}

#[tokio::test]
async fn silent_connection_times_out() {
    let server = TestServer::new(ListenerLimits { header_timeout: SHORT, ..wide_limits() });
    let mut client = server.client().await;
    client.preface().await;
    let (_, after) = client.read_to_end().await;
    assert!(after >= SHORT, "{after:?}");
    assert_eq!(server.metric("connections_timed_out_total"), 1);
}

#[tokio::test]
async fn idle_timeout_ignores_pings() {
    let server = TestServer::new(ListenerLimits {
        idle_timeout: SHORT * 2,
        header_timeout: SHORT / 2,
        ..wide_limits()
    });
    let mut client = server.client().await;
    client.preface().await;
    client.send(Http2Frame::get(1, "/healthz").to_bytes()).await;
    client.read_frame_of(DATA).await.unwrap();
    let served = Instant::now();
    client.send(Http2Frame::new(PING, 0, 0, &[0; 8]).to_bytes()).await;
    client.read_to_end().await;
    assert!(served.elapsed() >= SHORT * 3 / 2, "{:?}", served.elapsed());
    assert_eq!(server.metric("connections_timed_out_total"), 1);
}

#[tokio::test]
async fn unread_stream_is_reset_alone() {
    let mut server = TestServer::new(ListenerLimits { write_timeout: SHORT, ..wide_limits() });
    let mut client = server.client().await;
    client.preface().await;
    client
        .send([Http2Frame::get(1, "/hold").to_bytes(), Http2Frame::get(3, "/flood").to_bytes()].concat())
        .await;
    server.expect_notice("held").await;
    assert_eq!(client.read_frame_of(RESET).await.unwrap().stream, 3);
    server.expect_notice("flood let go").await;
    client.send(Http2Frame::get(5, "/healthz").to_bytes()).await;
    let data = client.read_frame_of(DATA).await.unwrap();
    assert_eq!((data.stream, &data.payload[..]), (5, &b"ok"[..]));
    server.closing.cancel();
    while client.read_frame_of(DATA).await.unwrap().stream != 1 {}
}

#[tokio::test]
async fn unread_immediate_reply_is_reset() {
    let server = TestServer::new(ListenerLimits { write_timeout: SHORT, ..wide_limits() });
    let mut client = server.client().await;
    client.preface().await;
    client.send(Http2Frame::get(1, "/large").to_bytes()).await;
    assert_eq!(client.read_frame_of(RESET).await.unwrap().stream, 1);
}

#[tokio::test]
async fn large_reply_is_complete() {
    let server = TestServer::new(wide_limits());
    let mut client = server.client().await;
    client.preface().await;
    client.send(Http2Frame::get(1, "/large").to_bytes()).await;
    client.send(Http2Frame::new(WINDOW_UPDATE, 0, 1, &(1_u32 << 24).to_be_bytes()).to_bytes()).await;
    let mut length = 0;
    loop {
        let data = client.read_frame_of(DATA).await.unwrap();
        length += data.payload.len();
        if data.flags & END_STREAM == END_STREAM {
            break;
        }
    }
    assert_eq!(length, 1 << 20);
}

#[tokio::test]
async fn stalled_body_times_out() {
    let server = TestServer::new(ListenerLimits { body_timeout: SHORT, ..wide_limits() });
    let mut client = server.client().await;
    client.preface().await;
    let post = [&[0x83, 0x86, 0x04, 5], &b"/body"[..], &[0x01, 1, b'x']].concat();
    client.send(Http2Frame::new(HEADERS, END_HEADERS, 1, &post).to_bytes()).await;
    client.send(Http2Frame::new(DATA, 0, 1, b"abc").to_bytes()).await;
    let data = client.read_frame_of(DATA).await.unwrap();
    assert_eq!((data.stream, &data.payload[..]), (1, &b"late"[..]));
    assert_eq!(data.flags & END_STREAM, END_STREAM);
}

#[tokio::test]
async fn endless_header_ends_the_connection() {
    let server = TestServer::new(wide_limits());
    let mut client = server.client().await;
    client.preface().await;
    client.send(Http2Frame::new(HEADERS, END_STREAM, 1, &header("/healthz")).to_bytes()).await;
    let line = [&[0, 1, b'a', 100][..], &[b'a'; 100]].concat();
    let error = client.send_until_closed(|| Http2Frame::new(CONTINUATION, 0, 1, &line).to_bytes()).await;
    assert_eq!(error, Some(ENHANCE_YOUR_CALM));
}

#[tokio::test]
async fn header_size_is_bounded() {
    let line = [&[0, 1, b'a', 100][..], &[b'a'; 100]].concat();
    for (lines, is_answered) in [(100, true), (200, false)] {
        let server = TestServer::new(wide_limits());
        let mut client = server.client().await;
        client.preface().await;
        client.send(Http2Frame::new(HEADERS, END_STREAM, 1, &header("/healthz")).to_bytes()).await;
        for _ in 0..2 {
            client.send(Http2Frame::new(CONTINUATION, 0, 1, &line.repeat(lines / 2)).to_bytes()).await;
        }
        client.send(Http2Frame::new(CONTINUATION, END_HEADERS, 1, &[]).to_bytes()).await;
        assert_eq!(client.read_frame_of(HEADERS).await.unwrap().payload[0] == 0x88, is_answered, "{lines}");
    }
}

#[tokio::test]
async fn rapid_resets_end_the_connection() {
    let server = TestServer::new(wide_limits());
    let mut client = server.client().await;
    client.preface().await;
    let mut stream = 1;
    let storm = move || {
        let mut bytes = Vec::new();
        for _ in 0..100 {
            bytes.extend(Http2Frame::get(stream, "/hold").to_bytes());
            bytes.extend(Http2Frame::new(RESET, 0, stream, &8_u32.to_be_bytes()).to_bytes());
            stream += 2;
        }
        bytes
    };
    assert_eq!(client.send_until_closed(storm).await, Some(ENHANCE_YOUR_CALM));
}

#[tokio::test]
async fn idle_connection_gets_goaway() {
    let server = TestServer::new(wide_limits());
    let mut client = server.client().await;
    client.preface().await;
    client.send(Http2Frame::get(1, "/healthz").to_bytes()).await;
    client.read_frame_of(DATA).await.unwrap();
    server.closing.cancel();
    assert_eq!(client.read_frame_of(GOAWAY).await.unwrap().error_code(), 0);
    client.read_to_end().await;
    timeout(LONG, server.task).await.unwrap().unwrap().unwrap();
}
