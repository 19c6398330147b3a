//! The tool `ask_user` of each session: an MCP server of this bridge, on this machine over HTTP. An agent that takes none
//! over HTTP starts a relay on standard streams (`sayso agent-questions`).

use super::protocol::{ThreadDecision, ThreadRequest};
use super::session::{MessageSink, SessionMessage};
use crate::config::environment::ProcessEnv;
use crate::output::exit::CommandExit;
use sayso_core::Problem;
use sayso_core::model::digest::to_hex;
use sayso_desk::random::random_bytes;
use sayso_dialects::interrupt::ASK_USER;
use sayso_server::http::{QuestionAddresses, serve_questions};
use sayso_server::mcp::QuestionHandler;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::io::{self, Write as _};
use std::net::{Shutdown, TcpStream};
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, mpsc};

/// Name of the command that an agent starts.
pub(crate) const RELAY_NAME: &str = "agent-questions";
/// Variables of that command: the address of this bridge, and the secret of the session.
const ADDRESS: &str = "SAYSO_QUESTIONS";
const SECRET: &str = "SAYSO_QUESTIONS_SECRET";
/// Result for a model whose questions no one answered.
const DECLINED: &str = "User declined to answer";
/// Error for a model whose questions could not be asked.
const NOT_ASKED: &str = "The questions were not answered: the turn has ended, or they could not be asked.";

type SinkMap = Arc<Mutex<HashMap<String, MessageSink>>>;

/// Server of the questions of all sessions, each of which has a secret.
pub(super) struct QuestionServer {
    addresses: QuestionAddresses,
    sinks: SinkMap,
}

/// Access of one session, until it ends.
pub(super) struct QuestionAccess {
    addresses: QuestionAddresses,
    sinks: SinkMap,
    secret: String,
}

fn lock(sinks: &SinkMap) -> MutexGuard<'_, HashMap<String, MessageSink>> {
    sinks.lock().unwrap_or_else(PoisonError::into_inner)
}

impl QuestionServer {
    /// Starts the server.
    ///
    /// # Errors
    /// Fails if the system has no port.
    pub(super) fn start() -> Result<Self, Problem> {
        let sinks = SinkMap::default();
        let server_sinks = sinks.clone();
        let addresses = serve_questions(Arc::new(move |secret| {
            let sink = lock(&server_sinks).get(secret).cloned()?;
            let ask: QuestionHandler = Arc::new(move |questions| ask(&sink, &questions));
            Some(ask)
        }))?;
        Ok(Self { addresses, sinks })
    }

    /// Gives a session access: its questions go to the sink.
    ///
    /// # Errors
    /// Fails if the system has no randomness.
    pub(super) fn admit(&self, sink: MessageSink) -> Result<QuestionAccess, Problem> {
        let secret = to_hex(&random_bytes::<16>()?);
        lock(&self.sinks).insert(secret.clone(), sink);
        Ok(QuestionAccess { addresses: self.addresses, sinks: self.sinks.clone(), secret })
    }
}

impl QuestionAccess {
    /// Returns the MCP servers of the session, as an agent is told of them. `program` is our own.
    pub(super) fn servers(&self, takes_http: bool, program: &Path) -> Value {
        let Self { addresses, secret, .. } = self;
        if takes_http {
            let header = json!({ "name": "Authorization", "value": format!("Bearer {secret}") });
            let url = format!("http://{}/mcp", addresses.http);
            return json!([{ "type": "http", "name": "sayso", "url": url, "headers": [header] }]);
        }
        let variables = [
            json!({ "name": ADDRESS, "value": addresses.lines.to_string() }),
            json!({ "name": SECRET, "value": secret }),
        ];
        json!([{ "name": "sayso", "command": program, "args": [RELAY_NAME], "env": variables }])
    }
}

impl Drop for QuestionAccess {
    fn drop(&mut self) {
        lock(&self.sinks).remove(&self.secret);
    }
}

/// Asks the questions of a call, and waits for the decision.
fn ask(sink: &MessageSink, questions: &Value) -> Result<String, String> {
    let request = ThreadRequest::Call { name: ASK_USER.to_owned(), args: json!({ "questions": questions }) };
    let (sender, receiver) = mpsc::channel::<Option<ThreadDecision>>();
    // The agent may have gone.
    let respond = move |decision: Option<&ThreadDecision>| drop(sender.send(decision.cloned()));
    sink.send(SessionMessage::Ask(request, Box::new(respond)));
    let Ok(Some(decision)) = receiver.recv() else { return Err(NOT_ASKED.to_owned()) };
    match (decision.action.as_str(), decision.result) {
        ("answer", Some(answers)) => Ok(answers),
        ("error", _) => Err(NOT_ASKED.to_owned()),
        (_, Some(reason)) => Ok(reason),
        (_, None) => Ok(DECLINED.to_owned()),
    }
}

/// Passes the messages of an agent on to its bridge, and back, until one of them ends.
pub(crate) fn relay() -> CommandExit {
    let environment = ProcessEnv::read();
    let (Some(address), Some(secret)) = (environment.get(ADDRESS), environment.get(SECRET)) else {
        return CommandExit::Usage;
    };
    match relay_streams(address, secret) {
        Ok(()) => CommandExit::Done,
        Err(_) => CommandExit::Unreachable,
    }
}

fn relay_streams(address: &str, secret: &str) -> io::Result<()> {
    let mut input = TcpStream::connect(address)?;
    let mut bridge = input.try_clone()?;
    writeln!(bridge, "{secret}")?;
    std::thread::spawn(move || {
        // Either side may have gone.
        let _ = io::copy(&mut io::stdin(), &mut bridge);
        let _ = bridge.shutdown(Shutdown::Write);
    });
    let mut output = io::stdout();
    io::copy(&mut input, &mut output)?;
    output.flush()
}
