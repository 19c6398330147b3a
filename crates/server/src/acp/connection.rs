//! Connection to an agent's program: the protocol's requests and notifications over its standard streams.

use super::failure::AgentFailure;
use super::form::AgentForm;
use super::message::{AgentMessage, AgentUpdate, CallDecision};
use super::permission;
use super::program::AgentMode;
use super::session::{MessageSink, PromptEnd, SessionCommand, SessionStart};
use super::session_mode::mode_to_set;
use super::tool_call::ToolCalls;
use agent_client_protocol::schema::ProtocolVersion;
use agent_client_protocol::v1::schema::{
    CancelNotification, ClientCapabilities, ContentBlock, CreateElicitationRequest,
    CreateElicitationResponse, ElicitationAction, ElicitationCapabilities, ElicitationFormCapabilities,
    ElicitationMode, Implementation, InitializeRequest, InitializeResponse, LoadSessionRequest, McpServer,
    NewSessionRequest, PromptRequest, RequestPermissionRequest, RequestPermissionResponse, SessionId,
    SessionModeId, SessionNotification, SessionUpdate, SetSessionModeRequest, StopReason, TextContent,
};
use agent_client_protocol::v1::{ConnectionTo, Responder};
use agent_client_protocol::{Agent, Client, Error, Lines, on_receive_notification, on_receive_request};
use futures_util::{SinkExt, StreamExt as _, TryStreamExt as _};
use sayso_core::{Lang, Message, limits};
use std::io;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::process::{ChildStdin, ChildStdout};
use tokio::sync::{mpsc, oneshot};
use tokio_util::codec::{FramedRead, FramedWrite, LinesCodec, LinesCodecError};

/// Setup of a session.
#[derive(Debug)]
pub(super) struct SessionSetup {
    /// Folder in which the agent works.
    pub(super) folder: PathBuf,
    /// Id of the session to load, if there was one.
    pub(super) earlier: Option<String>,
    /// MCP servers that the agent gets.
    pub(super) servers: Vec<McpServer>,
    /// Mode of the session.
    pub(super) mode: AgentMode,
}

/// State that the handlers of a connection share.
#[derive(Clone)]
struct AgentHandler {
    sink: MessageSink,
    calls: Arc<Mutex<ToolCalls>>,
}

/// Speaks with a program until it ends or the commands do.
pub(super) async fn run(
    (input, output): (ChildStdin, ChildStdout),
    sink: MessageSink,
    setup: SessionSetup,
    commands: mpsc::Receiver<SessionCommand>,
    ready: oneshot::Sender<Result<SessionStart, AgentFailure>>,
) {
    let codec = || LinesCodec::new_with_max_length(limits::AGENT_LINE_BYTES);
    let budget = sink.clone();
    let incoming = FramedRead::new(output, codec()).map_err(to_io_error).and_then(move |line| {
        let is_within = budget.spend(line.len());
        async move { if is_within { Ok(line) } else { Err(io::ErrorKind::QuotaExceeded.into()) } }
    });
    let outgoing = SinkExt::<String>::sink_map_err(FramedWrite::new(input, codec()), to_io_error);
    let handler = AgentHandler { sink, calls: Arc::default() };
    let (updates, permissions, forms) = (handler.clone(), handler.clone(), handler);
    // The reason for its end is the program's status.
    let _ = Client
        .v1()
        .on_receive_notification(
            async move |change: SessionNotification, _: ConnectionTo<Agent>| {
                updates.handle_update(change.update).await;
                Ok(())
            },
            on_receive_notification!(),
        )
        .on_receive_request(
            async move |request: RequestPermissionRequest, responder, connection: ConnectionTo<Agent>| {
                permissions.ask_permission(request, responder, &connection).await
            },
            on_receive_request!(),
        )
        .on_receive_request(
            async move |request: CreateElicitationRequest, responder, connection: ConnectionTo<Agent>| {
                forms.ask_form(request, responder, &connection).await
            },
            on_receive_request!(),
        )
        .connect_with(Lines::new(outgoing, incoming.boxed()), async move |connection: ConnectionTo<Agent>| {
            lead_session(&connection, setup, commands, ready).await;
            Ok(())
        })
        .await;
}

fn to_io_error(error: LinesCodecError) -> io::Error {
    match error {
        LinesCodecError::Io(error) => error,
        LinesCodecError::MaxLineLengthExceeded => io::ErrorKind::FileTooLarge.into(),
    }
}

/// Begins a session, and sends prompts as they come.
async fn lead_session(
    connection: &ConnectionTo<Agent>,
    setup: SessionSetup,
    mut commands: mpsc::Receiver<SessionCommand>,
    ready: oneshot::Sender<Result<SessionStart, AgentFailure>>,
) {
    let start = match begin_session(connection, setup).await {
        Ok(start) => start,
        Err(error) if connection.is_incoming_closed() => return drop(error),
        Err(error) => return drop(ready.send(Err(AgentFailure::from_error(&error)))),
    };
    let id = SessionId::new(start.id.clone());
    if ready.send(Ok(start)).is_err() {
        return;
    }
    while let Some(command) = commands.recv().await {
        // A cancel between two prompts cancels nothing.
        let SessionCommand::Prompt(text, done) = command else { continue };
        let content = vec![ContentBlock::Text(TextContent::new(text))];
        let mut reply =
            Box::pin(connection.send_request(PromptRequest::new(id.clone(), content)).block_task());
        let end = loop {
            tokio::select! {
                reply = &mut reply => break reply,
                command = commands.recv() => {
                    let sent = connection.send_notification(CancelNotification::new(id.clone()));
                    if command.is_none() || sent.is_err() {
                        return;
                    }
                }
            }
        };
        let end = match end {
            Ok(reply) => PromptEnd::from_reason(reply.stop_reason),
            // Then the status of the program tells more.
            Err(_) if connection.is_incoming_closed() => return,
            Err(error) => PromptEnd::Failed(AgentFailure::from_error(&error)),
        };
        // The turn may be over.
        let _ = done.send(end);
    }
}

async fn begin_session(connection: &ConnectionTo<Agent>, setup: SessionSetup) -> Result<SessionStart, Error> {
    let forms = ElicitationCapabilities::new().form(ElicitationFormCapabilities::new());
    let hello = InitializeRequest::new(ProtocolVersion::V1)
        .client_capabilities(ClientCapabilities::new().elicitation(forms))
        .client_info(Implementation::new("sayso", env!("CARGO_PKG_VERSION")));
    let InitializeResponse { agent_capabilities: able, .. } =
        connection.send_request(hello).block_task().await?;
    let SessionSetup { folder, earlier, servers, mode } = setup;
    let servers: Vec<_> = servers
        .into_iter()
        .filter(|server| !matches!(server, McpServer::Http(_)) || able.mcp_capabilities.http)
        .collect();
    let had_session = earlier.is_some();
    if let Some(id) = earlier.filter(|_| able.load_session) {
        let load = LoadSessionRequest::new(id.clone(), folder.clone()).mcp_servers(servers.clone());
        match connection.send_request(load).block_task().await {
            Ok(loaded) => {
                set_mode(connection, &id, mode_to_set(mode, loaded.modes.as_ref())).await?;
                return Ok(SessionStart { id, has_forgotten: false });
            }
            Err(error) if connection.is_incoming_closed() => return Err(error),
            // It may have deleted the session; a new one still works.
            Err(_) => {}
        }
    }
    let begin = NewSessionRequest::new(folder).mcp_servers(servers);
    let begun = connection.send_request(begin).block_task().await?;
    let id = begun.session_id.0.to_string();
    set_mode(connection, &id, mode_to_set(mode, begun.modes.as_ref())).await?;
    Ok(SessionStart { id, has_forgotten: had_session })
}

/// Changes the mode of a session. One that cannot be changed is an error: the agent would ask nobody.
async fn set_mode(
    connection: &ConnectionTo<Agent>,
    session: &str,
    mode: Option<SessionModeId>,
) -> Result<(), Error> {
    let Some(mode) = mode else { return Ok(()) };
    let request = SetSessionModeRequest::new(SessionId::new(session), mode);
    connection.send_request(request).block_task().await.map(drop)
}

impl PromptEnd {
    fn from_reason(reason: StopReason) -> Self {
        match reason {
            StopReason::EndTurn | StopReason::Cancelled => Self::Finished,
            other => Self::Stopped(format!("{other:?}")),
        }
    }
}

impl AgentHandler {
    fn lock_calls(&self) -> std::sync::MutexGuard<'_, ToolCalls> {
        self.calls.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn handle_update(&self, update: SessionUpdate) {
        let updates = match update {
            SessionUpdate::AgentMessageChunk(chunk) => match chunk.content {
                ContentBlock::Text(text) => vec![AgentUpdate::Text(text.text)],
                _ => Vec::new(),
            },
            SessionUpdate::ToolCall(call) => self.lock_calls().begin(call),
            SessionUpdate::ToolCallUpdate(call) => {
                self.lock_calls().change(&call.tool_call_id.0, call.fields)
            }
            SessionUpdate::SessionInfoUpdate(info) => {
                info.title.take().map(AgentUpdate::Title).into_iter().collect()
            }
            _ => Vec::new(),
        };
        for update in updates {
            self.sink.send(AgentMessage::Update(update)).await;
        }
    }

    async fn ask_permission(
        &self,
        request: RequestPermissionRequest,
        responder: Responder<RequestPermissionResponse>,
        connection: &ConnectionTo<Agent>,
    ) -> Result<(), Error> {
        let RequestPermissionRequest { tool_call, options, .. } = request;
        if !permission::may_allow_once(&options) {
            let reason = Message::AgentWantsAlways.plain(Lang::En).to_owned();
            self.sink.send(AgentMessage::Update(AgentUpdate::Refusal(reason))).await;
            return responder.respond(permission::response(&options, Some(&CallDecision::Refused)));
        }
        let call = self.lock_calls().merge(&tool_call.tool_call_id.0, tool_call.fields);
        let (decide, decision) = oneshot::channel();
        self.sink.send(AgentMessage::Ask(permission::asked_call(&call), decide)).await;
        connection.spawn(async move {
            let decision = decision.await.ok();
            responder.respond(permission::response(&options, decision.as_ref()))
        })
    }

    async fn ask_form(
        &self,
        request: CreateElicitationRequest,
        responder: Responder<CreateElicitationResponse>,
        connection: &ConnectionTo<Agent>,
    ) -> Result<(), Error> {
        let ElicitationMode::Form(form) = request.mode else {
            return responder.respond(CreateElicitationResponse::new(ElicitationAction::Cancel));
        };
        let form = match AgentForm::from_schema(&request.message, &form.requested_schema) {
            Ok(form) => form,
            Err(field) => {
                let reason = Message::AgentFormUnclear.render_with(Lang::En, [field]);
                self.sink.send(AgentMessage::Update(AgentUpdate::Refusal(reason))).await;
                return responder.respond(CreateElicitationResponse::new(ElicitationAction::Cancel));
            }
        };
        let (decide, decision) = oneshot::channel();
        self.sink.send(AgentMessage::Ask(form.asked_call(), decide)).await;
        connection.spawn(async move { responder.respond(form.response(decision.await.ok())) })
    }
}
