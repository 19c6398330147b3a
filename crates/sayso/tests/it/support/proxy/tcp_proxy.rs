//! Proxy of TCP connections, whose links a test freezes or cuts.

use std::io::{Read as _, Write as _};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

/// State of all links.
#[derive(Debug, Clone, Copy, PartialEq)]
enum LinkState {
    Open,
    /// Bytes are kept, and connections too.
    Frozen,
}

#[derive(Debug)]
struct Links {
    state: LinkState,
    /// Port to which new connections lead.
    target: u16,
    sockets: Vec<TcpStream>,
}

/// Proxy to one address.
pub(crate) struct TcpProxy {
    /// Port at which it listens, on this machine.
    pub(crate) port: u16,
    shared: Arc<(Mutex<Links>, Condvar)>,
}

impl TcpProxy {
    /// Starts a proxy to a port of this machine.
    pub(crate) fn start(target: u16) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let links = Links { state: LinkState::Open, target, sockets: Vec::new() };
        let shared = Arc::new((Mutex::new(links), Condvar::new()));
        let links = shared.clone();
        thread::spawn(move || {
            for client in listener.incoming() {
                let client = client.unwrap();
                let target = lock(&links).target;
                // A server that is gone is one that does not answer.
                let Ok(server) = TcpStream::connect(("127.0.0.1", target)) else { continue };
                let ends = || (client.try_clone().unwrap(), server.try_clone().unwrap());
                lock(&links).sockets.extend([ends().0, ends().1]);
                for (from, to) in [ends(), {
                    let (client, server) = ends();
                    (server, client)
                }] {
                    let links = links.clone();
                    thread::spawn(move || forward(from, to, &links));
                }
            }
        });
        Self { port, shared }
    }

    /// Leads new connections to another port.
    pub(crate) fn send_to(&self, target: u16) {
        lock(&self.shared).target = target;
    }

    /// Keeps all bytes from now on.
    pub(crate) fn freeze(&self) {
        lock(&self.shared).state = LinkState::Frozen;
    }

    /// Forwards what it kept.
    pub(crate) fn thaw(&self) {
        lock(&self.shared).state = LinkState::Open;
        self.shared.1.notify_all();
    }

    /// Ends all connections. New ones are open.
    pub(crate) fn cut(&self) {
        for socket in lock(&self.shared).sockets.drain(..) {
            // Many have ended before.
            let _ = socket.shutdown(Shutdown::Both);
        }
    }
}

fn lock(shared: &(Mutex<Links>, Condvar)) -> MutexGuard<'_, Links> {
    shared.0.lock().unwrap_or_else(PoisonError::into_inner)
}

fn forward(mut from: TcpStream, mut to: TcpStream, shared: &(Mutex<Links>, Condvar)) {
    let mut buffer = [0; 16_384];
    while let Ok(read @ 1..) = from.read(&mut buffer) {
        let links = lock(shared);
        let is_frozen = |links: &mut Links| links.state == LinkState::Frozen;
        drop(shared.1.wait_while(links, is_frozen).unwrap_or_else(PoisonError::into_inner));
        if to.write_all(&buffer[..read]).is_err() {
            break;
        }
    }
    let _ = to.shutdown(Shutdown::Both);
}
