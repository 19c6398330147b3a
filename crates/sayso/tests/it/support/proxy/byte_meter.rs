//! Proxy between a browser and a server that counts what the server sends.

use std::io::{Read as _, Write as _, copy};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

/// Proxy with its count.
pub(crate) struct ByteMeter {
    pub(crate) port: u16,
    sent: Arc<AtomicU64>,
}

impl ByteMeter {
    /// Starts a proxy to a server at `HOST:PORT`.
    pub(crate) fn start(server: &str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let (port, sent) = (listener.local_addr().unwrap().port(), Arc::new(AtomicU64::new(0)));
        let (server, count) = (server.to_owned(), sent.clone());
        thread::spawn(move || {
            for browser in listener.incoming().map_while(Result::ok) {
                let server = TcpStream::connect(&server).unwrap();
                connect(browser, server, count.clone());
            }
        });
        Self { port, sent }
    }

    /// Returns the number of bytes that the server has sent, with the heads of its replies.
    pub(crate) fn sent(&self) -> u64 {
        self.sent.load(Ordering::Relaxed)
    }
}

/// Passes on what each side sends until it ends.
fn connect(browser: TcpStream, server: TcpStream, count: Arc<AtomicU64>) {
    let (mut asking, mut to_server) = (browser.try_clone().unwrap(), server.try_clone().unwrap());
    thread::spawn(move || {
        let _ = copy(&mut asking, &mut to_server);
        let _ = to_server.shutdown(Shutdown::Write);
    });
    let (mut replying, mut to_browser) = (server, browser);
    thread::spawn(move || {
        let mut piece = [0; 16 << 10];
        while let Ok(size @ 1..) = replying.read(&mut piece) {
            count.fetch_add(size as u64, Ordering::Relaxed);
            if to_browser.write_all(&piece[..size]).is_err() {
                break;
            }
        }
        let _ = to_browser.shutdown(Shutdown::Write);
    });
}
