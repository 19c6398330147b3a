//! The tool `ask_user` of each session: an MCP server on standard streams, which the agent starts (`sayso agent-questions
//! SOCKET THREAD`), and this bridge's socket, at which it asks.

use super::protocol::{ThreadDecision, ThreadRequest};
use super::session::{MessageSink, SessionMessage};
use crate::output::exit::CommandExit;
use sayso_dialects::interrupt::ASK_USER;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::ffi::OsString;
use std::io;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, mpsc};

/// Name of the command that an agent starts.
pub(crate) const RELAY_NAME: &str = "agent-questions";
/// Result for a model whose questions no one answered.
const DECLINED: &str = "User declined to answer";
/// Error for a model whose questions could not be asked.
const NOT_ASKED: &str = "The questions were not answered: the turn has ended, or they could not be asked.";

/// Sessions that ask, by thread.
#[derive(Clone, Default)]
pub(super) struct QuestionSinks(Arc<Mutex<HashMap<String, MessageSink>>>);

impl QuestionSinks {
    fn lock(&self) -> MutexGuard<'_, HashMap<String, MessageSink>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sets where a thread's questions go.
    pub(super) fn insert(&self, thread: &str, sink: MessageSink) {
        self.lock().insert(thread.to_owned(), sink);
    }

    /// Asks the questions of a call, and waits for the decision.
    fn ask(&self, call: &Value) -> Result<String, String> {
        let thread = call.get("thread").and_then(Value::as_str).unwrap_or_default();
        let sink = self.lock().get(thread).cloned().ok_or(NOT_ASKED)?;
        let args = json!({ "questions": call.get("questions") });
        let request = ThreadRequest::Call { name: ASK_USER.to_owned(), args };
        let (decide, decision) = mpsc::channel::<Option<ThreadDecision>>();
        // The agent may have gone.
        let respond = move |decision: Option<&ThreadDecision>| drop(decide.send(decision.cloned()));
        sink.send(SessionMessage::Ask(request, Box::new(respond)));
        let decided = decision.recv().ok().flatten().ok_or(NOT_ASKED)?;
        match (decided.action.as_str(), decided.result) {
            ("answer", Some(answers)) => Ok(answers),
            ("error", _) => Err(NOT_ASKED.to_owned()),
            (_, reason) => Ok(reason.unwrap_or_else(|| DECLINED.to_owned())),
        }
    }

    /// Serves the socket, in threads of its own.
    ///
    /// # Errors
    /// Fails if it cannot be created.
    #[cfg(unix)]
    pub(super) fn listen(&self, socket: &Path) -> io::Result<()> {
        use std::os::unix::net::UnixListener;
        // One of a bridge that was killed.
        if let Err(error) = std::fs::remove_file(socket)
            && error.kind() != io::ErrorKind::NotFound
        {
            return Err(error);
        }
        let (listener, sinks) = (UnixListener::bind(socket)?, self.clone());
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let sinks = sinks.clone();
                // Whoever asked may have gone.
                std::thread::spawn(move || drop(relay::answer(&stream, |call| sinks.ask(call))));
            }
        });
        Ok(())
    }

    #[cfg(not(unix))]
    pub(super) fn listen(&self, _: &Path) -> io::Result<()> {
        Ok(())
    }
}

/// Serves the tool to an agent, until its input ends.
pub(crate) fn run(args: &[OsString]) -> CommandExit {
    let [socket, thread] = args else { return CommandExit::Usage };
    let (socket, thread) = (socket.clone(), thread.to_string_lossy().into_owned());
    let ask = move |questions: Value| {
        relay::ask(Path::new(&socket), &json!({ "thread": thread, "questions": questions }))
    };
    match sayso_server::mcp::serve_questions(Arc::new(ask)) {
        Ok(()) => CommandExit::Done,
        Err(problem) => CommandExit::from_code(problem.code),
    }
}

/// One exchange at the socket: a line with the call, and a line with its result.
#[cfg(unix)]
mod relay {
    use super::{NOT_ASKED, Value, io, json};
    use sayso_core::limits;
    use std::io::{BufRead as _, BufReader, Read as _, Write as _};
    use std::os::unix::net::UnixStream;
    use std::path::Path;

    fn read_line(stream: &UnixStream) -> io::Result<Value> {
        let mut line = String::new();
        BufReader::new(stream.take(limits::BODY_BYTES as u64)).read_line(&mut line)?;
        Ok(serde_json::from_str(&line)?)
    }

    fn write_line(mut stream: &UnixStream, value: &Value) -> io::Result<()> {
        stream.write_all(format!("{value}\n").as_bytes())
    }

    /// Reads a call, and writes its result.
    pub(super) fn answer(
        stream: &UnixStream,
        ask: impl FnOnce(&Value) -> Result<String, String>,
    ) -> io::Result<()> {
        let result = match ask(&read_line(stream)?) {
            Ok(text) => json!({ "text": text }),
            Err(reason) => json!({ "error": reason }),
        };
        write_line(stream, &result)
    }

    /// Asks at the socket of the bridge.
    pub(super) fn ask(socket: &Path, call: &Value) -> Result<String, String> {
        let exchange = || {
            let stream = UnixStream::connect(socket)?;
            write_line(&stream, call)?;
            read_line(&stream)
        };
        let result = exchange().map_err(|_: io::Error| NOT_ASKED.to_owned())?;
        let text = |name: &str| result.get(name).and_then(Value::as_str).map(str::to_owned);
        text("text").ok_or_else(|| text("error").unwrap_or_else(|| NOT_ASKED.to_owned()))
    }
}

#[cfg(not(unix))]
mod relay {
    use super::{NOT_ASKED, Value};

    pub(super) fn ask(_: &std::path::Path, _: &Value) -> Result<String, String> {
        Err(NOT_ASKED.to_owned())
    }
}
