//! Test client that can be arbitrarily slow or rude.

use super::LONG;
use std::io;
use std::net::SocketAddr;
use std::time::{Duration, Instant};
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::time::{interval, timeout};

/// One connection.
pub(super) struct TestClient {
    pub(super) stream: TcpStream,
    begun: Instant,
    pub(super) unread: Vec<u8>,
}

impl TestClient {
    pub(super) async fn new(address: SocketAddr) -> Self {
        let begun = Instant::now();
        Self { stream: TcpStream::connect(address).await.unwrap(), begun, unread: Vec::new() }
    }

    pub(super) async fn send(&mut self, bytes: impl AsRef<[u8]>) {
        self.stream.write_all(bytes.as_ref()).await.unwrap();
    }

    pub(super) async fn get(&mut self, path: &str) {
        self.send(format!("GET {path} HTTP/1.1\r\nhost: x\r\n\r\n")).await;
    }

    /// Sends a byte at intervals until the server closes.
    pub(super) async fn drip(&mut self, byte: u8) {
        let mut ticks = interval(Duration::from_millis(100));
        let drip = async {
            loop {
                tokio::select! {
                    _ = ticks.tick() => if self.stream.write_all(&[byte]).await.is_err() { return },
                    () = fill(&mut self.stream, &mut self.unread) => return,
                }
            }
        };
        timeout(LONG, drip).await.expect("the server never closed");
    }

    /// Returns all remaining data until the server closes, and the time since the start.
    pub(super) async fn read_to_end(mut self) -> (String, Duration) {
        timeout(LONG, fill(&mut self.stream, &mut self.unread)).await.expect("the server never closed");
        (String::from_utf8_lossy(&self.unread).into_owned(), self.begun.elapsed())
    }

    /// Reads up to and including some text.
    pub(super) async fn read_until(&mut self, end: &str) -> String {
        loop {
            let text = String::from_utf8_lossy(&self.unread).into_owned();
            if let Some(at) = text.find(end) {
                self.unread.drain(..at + end.len());
                return text[..at + end.len()].to_owned();
            }
            assert_ne!(self.read().await.unwrap(), 0, "closed after {text:?}");
        }
    }

    /// Reads exactly this many bytes; `None` if the server closed first.
    pub(super) async fn read_exactly(&mut self, count: usize) -> Option<Vec<u8>> {
        while self.unread.len() < count {
            if self.read().await.unwrap_or_default() == 0 {
                return None;
            }
        }
        Some(self.unread.drain(..count).collect())
    }

    async fn read(&mut self) -> io::Result<usize> {
        timeout(LONG, self.stream.read_buf(&mut self.unread)).await.expect("nothing came")
    }
}

/// Reads to the end. A reset counts as the end.
pub(super) async fn fill(stream: &mut (impl AsyncRead + Unpin), into: &mut Vec<u8>) {
    while stream.read_buf(into).await.is_ok_and(|count| count > 0) {}
}
