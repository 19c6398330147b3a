//! Session with an agent's program: one thread's conversation.

use super::failure::AgentFailure;
use super::program::{AgentProgram, ProgramStarter};
use super::protocol::form::AgentForm;
use super::protocol::permission::Permission;
use super::protocol::session_mode::mode_to_set;
use super::protocol::tool_call::ToolCalls;
use super::protocol::{ThreadDecision, ThreadRequest};
use super::questions::QuestionAccess;
use super::rpc::{Incoming, RequestFailure, RpcError, RpcPeer};
use super::session_store::SessionFile;
use sayso_core::i18n::foreign;
use sayso_core::{Lang, Message};
use serde_json::{Map, Value, json};
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// Longest wait for a response while a session begins.
const START_TIME: Duration = Duration::from_secs(60);
/// Messages that wait for the turn of a session; a program that writes more waits.
const QUEUE: usize = 256;

/// Message of a session in a turn.
pub(super) enum SessionMessage {
    /// Event for the readers of the thread.
    Event(Value),
    /// Request to ask the person. Without a decision the responder is called with none.
    Ask(ThreadRequest, Responder),
    /// End of the prompt: the reason, or the failure.
    Ended(Result<String, AgentFailure>),
}

/// Passes a decision on to the program.
pub(super) type Responder = Box<dyn FnOnce(Option<&ThreadDecision>) + Send>;

/// Turn that reads the messages of a session; without one they are dropped.
#[derive(Clone, Default)]
pub(super) struct MessageSink(Arc<Mutex<Option<SyncSender<SessionMessage>>>>);

impl MessageSink {
    /// Sends a message to the turn. A request without a reader gets no decision.
    pub(super) fn send(&self, message: SessionMessage) {
        let reader = self.lock().clone();
        let unread_message = match reader {
            Some(reader) => match reader.send(message) {
                Ok(()) => return,
                Err(error) => error.0,
            },
            None => message,
        };
        if let SessionMessage::Ask(_, respond) = unread_message {
            respond(None);
        }
    }

    fn lock(&self) -> MutexGuard<'_, Option<SyncSender<SessionMessage>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Creates the receiver of a turn.
    fn open(&self) -> Receiver<SessionMessage> {
        let (sender, receiver) = sync_channel(QUEUE);
        *self.lock() = Some(sender);
        receiver
    }

    /// Ends the turn's reading.
    pub(super) fn close(&self) {
        *self.lock() = None;
    }
}

/// Settings with which sessions begin.
pub(super) struct SessionSettings {
    pub(super) starter: ProgramStarter,
    /// Our own program, which an agent starts for its questions if it takes no MCP server over HTTP.
    pub(super) own_program: PathBuf,
    /// Sets the mode in which an agent asks.
    pub(super) sets_mode: bool,
    pub(super) lang: Lang,
}

/// Session with a running program, which ends when this is dropped.
pub(super) struct AgentSession {
    peer: Arc<RpcPeer>,
    program: AgentProgram,
    id: String,
    pub(super) sink: MessageSink,
    calls: Arc<Mutex<ToolCalls>>,
    questions: QuestionAccess,
    /// True if an earlier session of the thread could not be loaded.
    pub(super) has_forgotten: bool,
    pub(super) last_used: Instant,
}

impl Drop for AgentSession {
    fn drop(&mut self) {
        self.sink.close();
        self.peer.close();
        self.program.end();
    }
}

impl AgentSession {
    /// Starts a program, and begins the thread's session or loads it.
    ///
    /// # Errors
    /// Returns why there is no session.
    pub(super) fn start(
        settings: &SessionSettings,
        file: &SessionFile,
        sink: MessageSink,
        questions: QuestionAccess,
    ) -> Result<Self, AgentFailure> {
        let (program, input, output) =
            settings.starter.start(file.path()).map_err(AgentFailure::NotStarted)?;
        let peer = RpcPeer::new(input);
        let calls = Arc::<Mutex<ToolCalls>>::default();
        let handler = UpdateHandler {
            peer: peer.clone(),
            sink: sink.clone(),
            calls: calls.clone(),
            lang: settings.lang,
        };
        let reader = peer.clone();
        thread::spawn(move || reader.read_all(output, |message| handler.handle(message)));
        let mut session = Self {
            peer,
            program,
            id: String::new(),
            sink,
            calls,
            questions,
            has_forgotten: false,
            last_used: Instant::now(),
        };
        match session.begin(settings, file) {
            Ok(()) => Ok(session),
            Err(failure) => {
                let program = &mut session.program;
                Err(AgentFailure::from_request(&failure, || program.end_soon()))
            }
        }
    }

    fn begin(&mut self, settings: &SessionSettings, file: &SessionFile) -> Result<(), RequestFailure> {
        let hello = json!({
            "protocolVersion": 1,
            "clientCapabilities": { "elicitation": { "form": {} } },
            "clientInfo": { "name": "sayso", "version": env!("CARGO_PKG_VERSION") },
        });
        let features = self.request("initialize", &hello)?;
        let has_feature = |pointer: &str| features.pointer(pointer) == Some(&Value::Bool(true));
        let takes_http = has_feature("/agentCapabilities/mcpCapabilities/http");
        let folder = std::env::current_dir().unwrap_or_default();
        let mut session_params = Map::new();
        session_params.insert("cwd".to_owned(), json!(folder));
        let servers = self.questions.servers(takes_http, &settings.own_program);
        session_params.insert("mcpServers".to_owned(), servers);
        let earlier_id = file.read();
        if let Some(id) = earlier_id.as_deref()
            && has_feature("/agentCapabilities/loadSession")
        {
            let mut load_params = session_params.clone();
            load_params.insert("sessionId".to_owned(), id.into());
            match self.request("session/load", &load_params.into()) {
                Ok(session) => {
                    id.clone_into(&mut self.id);
                    return self.set_mode(settings, &session);
                }
                // It may have deleted the session; a new one still works.
                Err(RequestFailure::Refused(_)) => {}
                Err(failure) => return Err(failure),
            }
        }
        let session = self.request("session/new", &session_params.into())?;
        session.get("sessionId").and_then(Value::as_str).unwrap_or_default().clone_into(&mut self.id);
        self.set_mode(settings, &session)?;
        self.has_forgotten = earlier_id.is_some();
        file.write(&self.id);
        Ok(())
    }

    fn request(&self, method: &str, params: &Value) -> Result<Value, RequestFailure> {
        self.peer.request(method, params, START_TIME)
    }

    /// Changes the mode of the session. One that cannot be changed is an error: the agent would ask nobody.
    fn set_mode(&self, settings: &SessionSettings, session: &Value) -> Result<(), RequestFailure> {
        if !settings.sets_mode {
            return Ok(());
        }
        let Some(mode) = mode_to_set(session) else { return Ok(()) };
        self.request("session/set_mode", &json!({ "sessionId": self.id, "modeId": mode }))?;
        Ok(())
    }

    /// Sends a person's message, and returns the messages until the prompt ends.
    pub(super) fn prompt(&self, text: &str) -> Receiver<SessionMessage> {
        let messages = self.sink.open();
        let prompt = json!({ "sessionId": self.id, "prompt": [{ "type": "text", "text": text }] });
        let sink = self.sink.clone();
        let report_end = move |reply: Result<Value, RpcError>| {
            let end = match reply {
                Ok(reply) => {
                    Ok(reply.get("stopReason").and_then(Value::as_str).unwrap_or_default().to_owned())
                }
                Err(error) => Err(AgentFailure::from_error(&error)),
            };
            sink.send(SessionMessage::Ended(end));
        };
        self.peer.send_request("session/prompt", &prompt, Box::new(report_end));
        messages
    }

    /// Asks the agent to cancel its prompt.
    pub(super) fn cancel(&self) {
        self.peer.notify("session/cancel", &json!({ "sessionId": self.id }));
    }

    /// Returns whether a tool runs.
    pub(super) fn runs_tool(&self) -> bool {
        self.calls.lock().unwrap_or_else(PoisonError::into_inner).is_any_running()
    }

    /// Returns whether the program runs.
    pub(super) fn is_running(&mut self) -> bool {
        self.program.is_running()
    }

    /// Waits for the end of a program that has closed its output, and returns the failure.
    pub(super) fn exit_failure(mut self) -> AgentFailure {
        self.peer.close();
        AgentFailure::Exited(self.program.end_soon())
    }
}

/// Handler of what a program sends by itself.
struct UpdateHandler {
    peer: Arc<RpcPeer>,
    sink: MessageSink,
    calls: Arc<Mutex<ToolCalls>>,
    lang: Lang,
}

impl Drop for UpdateHandler {
    fn drop(&mut self) {
        // The program has closed its output: a turn that still reads ends.
        self.sink.close();
    }
}

impl UpdateHandler {
    fn lock_calls(&self) -> MutexGuard<'_, ToolCalls> {
        self.calls.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn handle(&self, message: &Incoming<'_>) {
        match (message.method, message.id) {
            ("session/update", None) => self.update(message.params.get("update").unwrap_or(&Value::Null)),
            ("session/request_permission", Some(id)) => self.ask_permission(id, message.params),
            ("elicitation/create", Some(id)) => self.ask_form(id, message.params),
            (_, Some(id)) => self.peer.refuse(id),
            (_, None) => {}
        }
    }

    fn update(&self, update: &Value) {
        match update.get("sessionUpdate").and_then(Value::as_str) {
            Some("agent_message_chunk") => {
                if let Some(Value::String(text)) = update.pointer("/content/text") {
                    self.sink.send(SessionMessage::Event(json!({ "text": text })));
                }
            }
            Some("tool_call" | "tool_call_update") => {
                let events = self.lock_calls().change(update);
                for event in events {
                    self.sink.send(SessionMessage::Event(event));
                }
            }
            Some("session_info_update") => {
                if let Some(Value::String(title)) = update.get("title") {
                    self.sink.send(SessionMessage::Event(json!({ "title": title })));
                }
            }
            _ => {}
        }
    }

    fn refuse(&self, reason: &str) {
        self.sink.send(SessionMessage::Event(json!({ "error": reason })));
    }

    fn ask_permission(&self, id: &Value, params: &Value) {
        let call = self.lock_calls().merge(params.get("toolCall").unwrap_or(&Value::Null));
        let Some(permission) = Permission::parse(&call, params.get("options").unwrap_or(&Value::Null)) else {
            self.refuse(Message::AgentWantsAlways.plain(self.lang));
            return self.peer.respond(id, &json!({ "outcome": { "outcome": "cancelled" } }));
        };
        let Some(request) = permission.request().cloned() else {
            return self.peer.respond(id, &permission.response(None));
        };
        let peer = self.peer.clone();
        let id = id.clone();
        let respond: Responder = Box::new(move |decision| peer.respond(&id, &permission.response(decision)));
        self.sink.send(SessionMessage::Ask(request, respond));
    }

    fn ask_form(&self, id: &Value, params: &Value) {
        let form = match AgentForm::parse(params) {
            Ok(form) => form,
            Err(field) => {
                self.refuse(&Message::AgentFormUnclear.render_with(self.lang, [foreign(field)]));
                return self.peer.respond(id, &json!({ "action": "cancel" }));
            }
        };
        let peer = self.peer.clone();
        let id = id.clone();
        let request = form.request().clone();
        let respond: Responder = Box::new(move |decision| peer.respond(&id, &form.response(decision)));
        self.sink.send(SessionMessage::Ask(request, respond));
    }
}
