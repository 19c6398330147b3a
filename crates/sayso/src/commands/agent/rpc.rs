//! JSON-RPC with a program over its standard streams: one message a line (Agent Client Protocol, "transports").

use serde_json::{Value, json};
use std::collections::HashMap;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::process::{ChildStdin, ChildStdout};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, mpsc};
use std::time::Duration;

/// Longest message of a program, in bytes.
const LINE_BYTES: u64 = 8 << 20;

/// Error in a response.
#[derive(Debug, Clone)]
pub(super) struct RpcError {
    pub(super) code: i64,
    pub(super) message: String,
}

/// Failure of a request.
#[derive(Debug)]
pub(super) enum RequestFailure {
    /// The program refused it.
    Refused(RpcError),
    /// The program has closed its output.
    Closed,
    /// The program did not respond in time.
    Silent,
}

/// Message that a program sends by itself.
pub(super) struct Incoming<'m> {
    pub(super) method: &'m str,
    pub(super) params: &'m Value,
    /// Id of a request; notifications have none.
    pub(super) id: Option<&'m Value>,
}

type ReplyHandler = Box<dyn FnOnce(Result<Value, RpcError>) + Send>;

/// Our side of a connection with a program.
pub(super) struct RpcPeer {
    /// Input of the program, until it is closed.
    input: Mutex<Option<ChildStdin>>,
    /// Handlers of responses, by the ids of their requests.
    pending: Mutex<HashMap<u64, ReplyHandler>>,
    next_id: AtomicU64,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl RpcPeer {
    pub(super) fn new(input: ChildStdin) -> Arc<Self> {
        Arc::new(Self {
            input: Mutex::new(Some(input)),
            pending: Mutex::default(),
            next_id: AtomicU64::new(1),
        })
    }

    /// Sends a request; the handler gets the response, or is dropped when the program ends.
    pub(super) fn send_request(&self, method: &str, params: &Value, handler: ReplyHandler) {
        let id = self.next_id.fetch_add(1, Ordering::Relaxed);
        lock(&self.pending).insert(id, handler);
        if !self.write(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params })) {
            lock(&self.pending).remove(&id);
        }
    }

    /// Sends a request, and waits for the response.
    ///
    /// # Errors
    /// Fails if the program refuses it, ends, or takes longer than `limit`.
    pub(super) fn request(
        &self,
        method: &str,
        params: &Value,
        limit: Duration,
    ) -> Result<Value, RequestFailure> {
        let (sender, receiver) = mpsc::channel();
        // The receiver may have given up.
        self.send_request(method, params, Box::new(move |reply| drop(sender.send(reply))));
        match receiver.recv_timeout(limit) {
            Ok(reply) => reply.map_err(RequestFailure::Refused),
            Err(mpsc::RecvTimeoutError::Disconnected) => Err(RequestFailure::Closed),
            Err(mpsc::RecvTimeoutError::Timeout) => Err(RequestFailure::Silent),
        }
    }

    /// Sends a notification.
    pub(super) fn notify(&self, method: &str, params: &Value) {
        self.write(&json!({ "jsonrpc": "2.0", "method": method, "params": params }));
    }

    /// Responds to a request of the program.
    pub(super) fn respond(&self, id: &Value, result: &Value) {
        self.write(&json!({ "jsonrpc": "2.0", "id": id, "result": result }));
    }

    /// Refuses a request whose method we do not have.
    pub(super) fn refuse(&self, id: &Value) {
        let error = json!({ "code": -32601, "message": "Method not found" });
        self.write(&json!({ "jsonrpc": "2.0", "id": id, "error": error }));
    }

    /// Closes the program's input.
    pub(super) fn close(&self) {
        lock(&self.input).take();
    }

    /// Writes a message; returns false if the program does not read any more.
    fn write(&self, message: &Value) -> bool {
        let line = format!("{message}\n");
        let mut input = lock(&self.input);
        let Some(input) = input.as_mut() else { return false };
        input.write_all(line.as_bytes()).is_ok() && input.flush().is_ok()
    }

    fn handle_response(&self, message: &mut Value) {
        let Some(id) = message.get("id").and_then(Value::as_u64) else { return };
        let Some(handler) = lock(&self.pending).remove(&id) else { return };
        handler(match message.get("error").filter(|error| !error.is_null()) {
            Some(error) => Err(RpcError::parse(error)),
            None => Ok(message.get_mut("result").map(Value::take).unwrap_or_default()),
        });
    }

    /// Reads messages until the program closes its output. A line that is no message is ignored.
    pub(super) fn read_all(&self, output: ChildStdout, handle: impl Fn(&Incoming<'_>)) {
        let mut output = BufReader::new(output);
        let mut line = Vec::new();
        loop {
            line.clear();
            let length = output.by_ref().take(LINE_BYTES).read_until(b'\n', &mut line);
            // An endless line is no message, and the end of this program.
            if !matches!(length, Ok(1..)) || !line.ends_with(b"\n") {
                break;
            }
            let Ok(mut message) = serde_json::from_slice::<Value>(&line) else { continue };
            match message.get("method").and_then(Value::as_str).map(str::to_owned) {
                Some(method) => {
                    let params = message.get("params").unwrap_or(&Value::Null);
                    handle(&Incoming { method: &method, params, id: message.get("id") });
                }
                None => self.handle_response(&mut message),
            }
        }
        lock(&self.pending).clear();
    }
}

impl RpcError {
    fn parse(error: &Value) -> Self {
        let message = error.get("message").and_then(Value::as_str).unwrap_or_default();
        // The details are the data itself, or a member of it.
        let data = error.get("data").unwrap_or(&Value::Null);
        let message = match data.get("details").unwrap_or(data).as_str() {
            Some(details) => format!("{message}: {details}"),
            None => message.to_owned(),
        };
        Self { code: error.get("code").and_then(Value::as_i64).unwrap_or_default(), message }
    }
}
