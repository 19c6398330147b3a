//! HTTP/2, frame by frame.

use super::client::{Client, fill};
use super::{Bounds, LONG, Running, SHORT, wide};
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
struct Frame {
    kind: u8,
    flags: u8,
    stream: u32,
    payload: Vec<u8>,
}

impl Frame {
    fn new(kind: u8, flags: u8, stream: u32, payload: &[u8]) -> Self {
        Self { kind, flags, stream, payload: payload.to_vec() }
    }

    fn get(stream: u32, path: &str) -> Self {
        Self::new(HEADERS, END_STREAM | END_HEADERS, stream, &header(path))
    }

    fn bytes(&self) -> Vec<u8> {
        let length = u32::try_from(self.payload.len()).unwrap().to_be_bytes();
        let head = [&length[1..], &[self.kind, self.flags], &self.stream.to_be_bytes()].concat();
        [head, self.payload.clone()].concat()
    }

    /// Returns the error code of a RST_STREAM or GOAWAY frame.
    fn error(&self) -> u32 {
        let at = if self.kind == GOAWAY { 4 } else { 0 };
        u32::from_be_bytes(self.payload[at..at + 4].try_into().unwrap())
    }
}

/// Returns a header block: GET from the static table, with literal path and authority.
fn header(path: &str) -> Vec<u8> {
    let length = u8::try_from(path.len()).unwrap();
    [&[0x82, 0x86, 0x04, length], path.as_bytes(), &[0x01, 1, b'x']].concat()
}

impl Client {
    async fn preface(&mut self) {
        let begin = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
        let more = Frame::new(WINDOW_UPDATE, 0, 0, &(1_u32 << 24).to_be_bytes());
        let settings = Frame::new(SETTINGS, 0, 0, &[]);
        self.send([&begin[..], &settings.bytes(), &more.bytes()].concat()).await;
    }

    async fn frame(&mut self) -> Option<Frame> {
        let head = self.exactly(9).await?;
        let length = usize::from(head[0]) << 16 | usize::from(head[1]) << 8 | usize::from(head[2]);
        let stream = u32::from_be_bytes(head[5..9].try_into().unwrap());
        let payload = self.exactly(length).await?;
        Some(Frame { kind: head[3], flags: head[4], stream, payload })
    }

    /// Returns the next frame of a kind; `None` if the server closed first.
    async fn next(&mut self, kind: u8) -> Option<Frame> {
        loop {
            let frame = self.frame().await?;
            if frame.kind == kind {
                return Some(frame);
            }
        }
    }

    /// Sends frames repeatedly until the server ends the connection, and returns the error code.
    async fn storm(mut self, mut next: impl FnMut() -> Vec<u8>) -> Option<u32> {
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
        self.next(GOAWAY).await.map(|frame| frame.error())
    }
}

#[tokio::test]
async fn requests_are_answered() {
    let server = Running::new(wide());
    let mut client = server.client().await;
    client.preface().await;
    client.send(Frame::get(1, "/healthz").bytes()).await;
    assert_eq!(client.next(HEADERS).await.unwrap().payload[0], 0x88);
    assert_eq!(client.next(DATA).await.unwrap().payload, b"ok");
}

#[tokio::test]
async fn silent_connection_times_out() {
    let server = Running::new(Bounds { header: SHORT, ..wide() });
    let mut client = server.client().await;
    client.preface().await;
    let (_, after) = client.rest().await;
    assert!(after >= SHORT, "{after:?}");
    assert_eq!(server.count("connections_timed_out_total"), 1);
}

#[tokio::test]
async fn idle_timeout_ignores_pings() {
    let server = Running::new(Bounds { idle: SHORT * 2, header: SHORT / 2, ..wide() });
    let mut client = server.client().await;
    client.preface().await;
    client.send(Frame::get(1, "/healthz").bytes()).await;
    client.next(DATA).await.unwrap();
    let served = Instant::now();
    client.send(Frame::new(PING, 0, 0, &[0; 8]).bytes()).await;
    client.rest().await;
    assert!(served.elapsed() >= SHORT * 3 / 2, "{:?}", served.elapsed());
    assert_eq!(server.count("connections_timed_out_total"), 1);
}

#[tokio::test]
async fn unread_stream_is_reset_alone() {
    let mut server = Running::new(Bounds { write: SHORT, ..wide() });
    let mut client = server.client().await;
    client.preface().await;
    client.send([Frame::get(1, "/hold").bytes(), Frame::get(3, "/flood").bytes()].concat()).await;
    server.hear("held").await;
    assert_eq!(client.next(RESET).await.unwrap().stream, 3);
    server.hear("flood let go").await;
    client.send(Frame::get(5, "/healthz").bytes()).await;
    let data = client.next(DATA).await.unwrap();
    assert_eq!((data.stream, &data.payload[..]), (5, &b"ok"[..]));
    server.closing.cancel();
    while client.next(DATA).await.unwrap().stream != 1 {}
}

#[tokio::test]
async fn unread_immediate_reply_is_reset() {
    let server = Running::new(Bounds { write: SHORT, ..wide() });
    let mut client = server.client().await;
    client.preface().await;
    client.send(Frame::get(1, "/large").bytes()).await;
    assert_eq!(client.next(RESET).await.unwrap().stream, 1);
}

#[tokio::test]
async fn large_reply_is_complete() {
    let server = Running::new(wide());
    let mut client = server.client().await;
    client.preface().await;
    client.send(Frame::get(1, "/large").bytes()).await;
    client.send(Frame::new(WINDOW_UPDATE, 0, 1, &(1_u32 << 24).to_be_bytes()).bytes()).await;
    let mut length = 0;
    loop {
        let data = client.next(DATA).await.unwrap();
        length += data.payload.len();
        if data.flags & END_STREAM == END_STREAM {
            break;
        }
    }
    assert_eq!(length, 1 << 20);
}

#[tokio::test]
async fn stalled_body_times_out() {
    let server = Running::new(Bounds { body: SHORT, ..wide() });
    let mut client = server.client().await;
    client.preface().await;
    let post = [&[0x83, 0x86, 0x04, 5], &b"/body"[..], &[0x01, 1, b'x']].concat();
    client.send(Frame::new(HEADERS, END_HEADERS, 1, &post).bytes()).await;
    client.send(Frame::new(DATA, 0, 1, b"abc").bytes()).await;
    let data = client.next(DATA).await.unwrap();
    assert_eq!((data.stream, &data.payload[..]), (1, &b"late"[..]));
    assert_eq!(data.flags & END_STREAM, END_STREAM);
}

#[tokio::test]
async fn endless_header_ends_the_connection() {
    let server = Running::new(wide());
    let mut client = server.client().await;
    client.preface().await;
    client.send(Frame::new(HEADERS, END_STREAM, 1, &header("/healthz")).bytes()).await;
    let line = [&[0, 1, b'a', 100][..], &[b'a'; 100]].concat();
    let error = client.storm(|| Frame::new(CONTINUATION, 0, 1, &line).bytes()).await;
    assert_eq!(error, Some(ENHANCE_YOUR_CALM));
}

#[tokio::test]
async fn header_size_is_bounded() {
    let line = [&[0, 1, b'a', 100][..], &[b'a'; 100]].concat();
    for (lines, is_answered) in [(100, true), (200, false)] {
        let server = Running::new(wide());
        let mut client = server.client().await;
        client.preface().await;
        client.send(Frame::new(HEADERS, END_STREAM, 1, &header("/healthz")).bytes()).await;
        for _ in 0..2 {
            client.send(Frame::new(CONTINUATION, 0, 1, &line.repeat(lines / 2)).bytes()).await;
        }
        client.send(Frame::new(CONTINUATION, END_HEADERS, 1, &[]).bytes()).await;
        assert_eq!(client.next(HEADERS).await.unwrap().payload[0] == 0x88, is_answered, "{lines}");
    }
}

#[tokio::test]
async fn rapid_resets_end_the_connection() {
    let server = Running::new(wide());
    let mut client = server.client().await;
    client.preface().await;
    let mut stream = 1;
    let storm = move || {
        let mut bytes = Vec::new();
        for _ in 0..100 {
            bytes.extend(Frame::get(stream, "/hold").bytes());
            bytes.extend(Frame::new(RESET, 0, stream, &8_u32.to_be_bytes()).bytes());
            stream += 2;
        }
        bytes
    };
    assert_eq!(client.storm(storm).await, Some(ENHANCE_YOUR_CALM));
}

#[tokio::test]
async fn idle_connection_gets_goaway() {
    let server = Running::new(wide());
    let mut client = server.client().await;
    client.preface().await;
    client.send(Frame::get(1, "/healthz").bytes()).await;
    client.next(DATA).await.unwrap();
    server.closing.cancel();
    assert_eq!(client.next(GOAWAY).await.unwrap().error(), 0);
    client.rest().await;
    timeout(LONG, server.serving).await.unwrap().unwrap().unwrap();
}
