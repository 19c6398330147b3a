//! Simulated model: an HTTP server that replies as the scene's script says, and logs each request and reply.

use std::fs::File;
use std::io::Write as _;
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use serde_json::{Value, json};

use super::http::{self, Request};
use super::protocol::{ModelProtocol, ModelReply, ModelRequest};

/// Function that decides the reply to a request.
pub(super) type Script = dyn Fn(&ModelRequest) -> ModelReply + Send + Sync;

/// Listening model. It listens until this program ends.
pub(super) struct Model {
    /// Address that hosts are configured with.
    pub(super) url: String,
}

/// State that all connections share.
struct ModelState {
    script: Box<Script>,
    /// Number of replies so far; ids of replies contain it.
    replies: AtomicUsize,
    log: Mutex<File>,
}

impl Model {
    /// Starts to listen, and logs requests and replies into a file.
    pub(super) fn start(script: Box<Script>, log: &Path) -> anyhow::Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0")?;
        let url = format!("http://{}", listener.local_addr()?);
        let state = ModelState { script, replies: AtomicUsize::new(0), log: Mutex::new(File::create(log)?) };
        let state = Arc::new(state);
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let state = Arc::clone(&state);
                thread::spawn(move || {
                    // Fails if the host closes the connection or is killed.
                    let _ = state.serve(&stream);
                });
            }
        });
        Ok(Self { url })
    }
}

impl ModelState {
    fn serve(&self, stream: &TcpStream) -> std::io::Result<()> {
        let Some(request) = http::read(stream)? else { return Ok(()) };
        let (status, kind, body) = self.respond(&request);
        let mut log = self.log.lock().unwrap_or_else(PoisonError::into_inner);
        let (asked, reply) = (String::from_utf8_lossy(&request.body), body.trim());
        writeln!(log, "> {} {}\n{asked}\n< {status}\n{reply}\n", request.method, request.path)?;
        drop(log);
        http::write(stream, status, kind, &body)
    }

    fn respond(&self, request: &Request) -> (&'static str, &'static str, String) {
        let nothing = || ("404 Not Found", "application/json", json!({ "error": "not found" }).to_string());
        let Some(protocol) = ModelProtocol::from_path(&request.path) else { return nothing() };
        let Ok(asked) = serde_json::from_slice::<Value>(&request.body) else { return nothing() };
        let is_streamed = protocol.is_streamed(&request.path, &asked);
        let reply = (self.script)(&protocol.read(&asked));
        let number = self.replies.fetch_add(1, Ordering::Relaxed);
        let (kind, body) = protocol.write(&reply, number, is_streamed);
        ("200 OK", kind, body)
    }
}
