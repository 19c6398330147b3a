//! A stand-in for the model: it does what the scene says, and writes down what it was told.

use std::fs::File;
use std::io::Write as _;
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use serde_json::{Value, json};

use super::http::{self, Request};
use super::speech::{Say, Speech, Turn};

/// Decides what is said in a turn of the conversation.
pub(super) type Script = dyn Fn(&Turn) -> Say + Send + Sync;

/// A stand-in that listens. It does so until this program ends.
pub(super) struct Model {
    /// Address at which hosts find it.
    pub(super) url: String,
}

/// State that all its connections share.
struct Shared {
    script: Box<Script>,
    turns: AtomicUsize,
    log: Mutex<File>,
}

impl Model {
    /// Starts to listen, and writes everything it hears into a file.
    pub(super) fn start(script: Box<Script>, log: &Path) -> anyhow::Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0")?;
        let url = format!("http://{}", listener.local_addr()?);
        let shared =
            Arc::new(Shared { script, turns: AtomicUsize::new(0), log: Mutex::new(File::create(log)?) });
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let shared = Arc::clone(&shared);
                thread::spawn(move || {
                    // A host that hangs up has been killed, or needs nothing more.
                    let _ = shared.serve(&stream);
                });
            }
        });
        Ok(Self { url })
    }
}

impl Shared {
    fn serve(&self, stream: &TcpStream) -> std::io::Result<()> {
        let Some(request) = http::read(stream)? else { return Ok(()) };
        let (status, kind, body) = self.respond(&request);
        let mut log = self.log.lock().unwrap_or_else(PoisonError::into_inner);
        let (asked, said) = (String::from_utf8_lossy(&request.body), body.trim());
        writeln!(log, "> {} {}\n{asked}\n< {status}\n{said}\n", request.method, request.path)?;
        drop(log);
        http::write(stream, status, kind, &body)
    }

    fn respond(&self, request: &Request) -> (&'static str, &'static str, String) {
        let nothing = || ("404 Not Found", "application/json", json!({ "error": "not found" }).to_string());
        let Some(speech) = Speech::of(&request.path) else { return nothing() };
        let Ok(asked) = serde_json::from_slice::<Value>(&request.body) else { return nothing() };
        let is_streamed = speech.is_streamed(&request.path, &asked);
        let say = (self.script)(&speech.read(&asked));
        let number = self.turns.fetch_add(1, Ordering::Relaxed);
        let (kind, body) = speech.write(&say, number, is_streamed);
        ("200 OK", kind, body)
    }
}
