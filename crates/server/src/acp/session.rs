//! Session with an agent's program: one thread's conversation.

use super::connection::{self, SessionSetup};
use super::failure::AgentFailure;
use super::folder::AgentFolder;
use super::message::AgentMessage;
use super::process::AgentProcess;
use super::program::LocalAgentsConfig;
use super::session_tools::{SessionToolGrant, SessionTools};
use sayso_core::limits;
use std::process::ExitStatus;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::{mpsc, oneshot, watch};
use tokio::task::JoinHandle;
use tokio::time::timeout;

/// Longest start of a program, until its session has begun.
const START_TIME: Duration = Duration::from_secs(60);
/// Time in which the last words of a program that has exited are read.
const LAST_WORDS: Duration = Duration::from_millis(200);
/// Messages that wait for the reader of a session.
const QUEUE: usize = 256;

/// Command to a session.
#[derive(Debug)]
pub(super) enum SessionCommand {
    /// Sends a person's message.
    Prompt(String, oneshot::Sender<PromptEnd>),
    /// Cancels the prompt.
    Cancel,
}

/// Session that has begun.
#[derive(Debug)]
pub(super) struct SessionStart {
    /// Its id.
    pub(super) id: String,
    /// True if an earlier session of the thread could not be loaded.
    pub(super) has_forgotten: bool,
}

/// End of a prompt.
#[derive(Debug)]
pub(crate) enum PromptEnd {
    /// The agent has done what it could.
    Finished,
    /// The agent stopped before, for this reason.
    Stopped(String),
    /// The agent or its program failed.
    Failed(AgentFailure),
}

/// State of a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ProgramState {
    Running,
    /// It has exited, with this status if that is known.
    Exited(Option<ExitStatus>),
}

/// Receiver of an agent's messages while a prompt runs, and the bytes that the program may still write.
#[derive(Clone, Default)]
pub(super) struct MessageSink {
    reader: Arc<Mutex<Option<mpsc::Sender<AgentMessage>>>>,
    bytes: Arc<AtomicUsize>,
}

impl MessageSink {
    /// Sends a message to the reader; without one it is dropped, and a request in it cancelled.
    pub(super) async fn send(&self, message: AgentMessage) {
        let reader = self.reader.lock().unwrap_or_else(PoisonError::into_inner).clone();
        if let Some(reader) = reader {
            // The reader may have gone meanwhile.
            let _ = reader.send(message).await;
        }
    }

    /// Counts bytes that the program wrote; returns false once it wrote more than a prompt may.
    pub(super) fn spend(&self, bytes: usize) -> bool {
        let spent = self.bytes.fetch_add(bytes, Ordering::Relaxed).saturating_add(bytes);
        spent <= limits::AGENT_PROMPT_BYTES
    }

    fn open(&self) -> mpsc::Receiver<AgentMessage> {
        let (sender, receiver) = mpsc::channel(QUEUE);
        self.bytes.store(0, Ordering::Relaxed);
        *self.reader.lock().unwrap_or_else(PoisonError::into_inner) = Some(sender);
        receiver
    }

    fn close(&self) {
        *self.reader.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }
}

/// Session with a running program. The program ends when this is dropped.
pub(crate) struct AgentSession {
    commands: mpsc::Sender<SessionCommand>,
    sink: MessageSink,
    exit: watch::Receiver<ProgramState>,
    task: JoinHandle<()>,
    _grant: SessionToolGrant,
    /// True if an earlier session of the thread could not be loaded.
    pub(crate) has_forgotten: bool,
}

impl Drop for AgentSession {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl AgentSession {
    /// Starts a program, and begins the thread's session or loads it.
    ///
    /// # Errors
    /// Returns why there is no session.
    pub(crate) async fn start(
        config: &LocalAgentsConfig,
        command: &[String],
        folder: &AgentFolder,
        tools: &Arc<SessionTools>,
    ) -> Result<Self, AgentFailure> {
        let (process, input, output) =
            AgentProcess::start(config, command, folder).map_err(AgentFailure::NotStarted)?;
        let sink = MessageSink::default();
        let grant = tools.grant(sink.clone()).map_err(|problem| {
            AgentFailure::NotStarted(std::io::Error::other(problem.message.to_string()))
        })?;
        let servers = vec![grant.server.clone()];
        let setup =
            SessionSetup { folder: folder.work(), earlier: folder.session(), servers, mode: config.mode };
        let (commands, command_receiver) = mpsc::channel(4);
        let (ready, begun) = oneshot::channel();
        let (exit_sender, exit) = watch::channel(ProgramState::Running);
        let connected = connection::run((input, output), sink.clone(), setup, command_receiver, ready);
        let task = tokio::spawn(run_process(process, connected, exit_sender));
        let mut session = Self { commands, sink, exit, task, _grant: grant, has_forgotten: false };
        let start = match timeout(START_TIME, begun).await {
            Ok(Ok(start)) => start?,
            Ok(Err(_)) => return Err(session.exited().await),
            Err(_) => return Err(AgentFailure::Silent),
        };
        folder.keep_session(&start.id).map_err(AgentFailure::NotStarted)?;
        session.has_forgotten = start.has_forgotten;
        Ok(session)
    }

    /// Sends a person's message. Returns the agent's messages, which end with the prompt, and the end.
    pub(crate) async fn prompt(
        &self,
        text: String,
    ) -> (mpsc::Receiver<AgentMessage>, impl Future<Output = PromptEnd> + use<>) {
        let messages = self.sink.open();
        let (done, end) = oneshot::channel();
        // A session that has ended drops the sender.
        let _ = self.commands.send(SessionCommand::Prompt(text, done)).await;
        let (sink, mut exit) = (self.sink.clone(), self.exit.clone());
        let end = async move {
            let end = match end.await {
                Ok(end) => end,
                Err(_) => PromptEnd::Failed(exit_failure(&mut exit).await),
            };
            sink.close();
            end
        };
        (messages, end)
    }

    /// Asks the agent to cancel its prompt.
    pub(crate) async fn cancel(&self) {
        // A session that has ended has no prompt.
        let _ = self.commands.send(SessionCommand::Cancel).await;
    }

    /// Returns whether the program runs.
    pub(crate) fn is_running(&self) -> bool {
        *self.exit.borrow() == ProgramState::Running
    }

    async fn exited(&mut self) -> AgentFailure {
        exit_failure(&mut self.exit).await
    }
}

async fn exit_failure(exit: &mut watch::Receiver<ProgramState>) -> AgentFailure {
    let state = exit.wait_for(|state| *state != ProgramState::Running).await;
    match state.as_deref() {
        Ok(ProgramState::Exited(status)) => AgentFailure::Exited(*status),
        Ok(ProgramState::Running) | Err(_) => AgentFailure::Exited(None),
    }
}

/// Runs the connection until it or the program ends, then ends the other.
async fn run_process(
    mut process: AgentProcess,
    connected: impl Future<Output = ()>,
    exit: watch::Sender<ProgramState>,
) {
    let mut connected = Box::pin(connected);
    let status = tokio::select! {
        () = &mut connected => {
            // A program that closes its output and stays is ended.
            timeout(LAST_WORDS, process.wait()).await.unwrap_or_default()
        }
        status = process.wait() => {
            let _ = timeout(LAST_WORDS, &mut connected).await;
            status
        }
    };
    drop(connected);
    drop(process);
    exit.send_replace(ProgramState::Exited(status));
}
