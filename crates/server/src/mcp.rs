//! `sayso mcp`: asking a person through the Model Context Protocol, in each of its versions.
//!
//! **Invariant:** a call is only a view of an ask. Its end, a cancelled request, the end of input and the end of the
//! process change nothing; only `cancel_ask`, a person or the deadline end an ask.
//!
//! **Invariant:** an answer is delivered when a later call names it in `received`, and returned again until then.
//! AUQ's tools have no such parameter: `implicit_ack` describes their implicit acknowledgement.

mod arguments;
mod caller;
mod descriptions;
mod desk_client;
mod elicitation;
mod error;
mod handler;
pub(crate) mod network;
mod prompts;
mod resources;
mod result;
mod server;
mod tools;
mod transport;
mod wait;

pub use caller::asker_session::process_session;
pub use elicitation::seal::SealKey;
pub use network::McpHandler;
pub use tools::ToolSet;
pub(crate) use tools::question_server;
pub use tools::question_server::QuestionHandler;

use crate::audiences::AudienceChoice;
use crate::diagnostics::{self, LogConfig};
use crate::notify::change_notifier::ChangeNotifier;
use jiff::Timestamp;
use rmcp::ServiceExt as _;
use rmcp::service::ServerInitializeError;
use rmcp::transport::async_rw::AsyncRwTransport;
use rmcp::transport::stdio_pipes;
use sayso_core::i18n::own;
use sayso_core::{AccountQuota, Lang, Message, Problem, ProblemCode, limits};
use sayso_desk::{Desk, StoreDesk};
use sayso_dialects::auq::AuqLimits;
use server::McpServer;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tokio_util::sync::CancellationToken;
use transport::line_reader::LineReader;
use transport::{NullIdWriter, WatchedTransport};

/// Account on the network whose token authenticates the calls.
#[derive(Clone)]
pub struct McpAccount {
    /// Name of the account, which is the asker.
    pub(crate) name: String,
    /// Limits of the account, if it has any.
    pub(crate) quota: Option<AccountQuota>,
    /// Address of the pages, on which people answer.
    pub(crate) public_url: String,
    /// An operator lets the pages of this asker's programs answer, and give consent.
    pub(crate) has_embedded_consent: bool,
    /// Audiences of its asks.
    pub(crate) audiences: AudienceChoice,
    /// Desk that knows the groups.
    pub(crate) desk: Arc<StoreDesk>,
}

impl fmt::Debug for McpAccount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("McpAccount").field("name", &self.name).finish_non_exhaustive()
    }
}

/// Features that hosts announce and that keep the answer from their model. They are used only if the settings allow it.
#[derive(Debug, Clone, Copy, Default)]
pub struct HostFeatures {
    /// Tasks: Claude Code 2.1.331 and later lets its model go on without the answer, and brings it later with the remark
    /// that it is no consent. No host is known that gives a task's result to the model as the tool's result.
    pub has_tasks: bool,
    /// Forms and pages of 2026-07-28: nothing closes their dialogs once the desk has answered, so that Copilot and Claude
    /// Code hold the call until someone presses Esc. The dialogs of older versions are closed.
    pub has_unclosable_forms: bool,
}

/// Configuration of the server.
#[derive(Clone)]
pub struct McpConfig {
    /// Desk to ask at.
    pub desk: Arc<dyn Desk>,
    /// Display name of the desk.
    pub desk_name: String,
    /// Name of the asker, if configured; else the host's.
    pub asker_name: Option<String>,
    /// Working folder of the asker.
    pub folder: Option<String>,
    /// Session of the host that started this server. A thread that the host tells takes precedence.
    pub session: Option<String>,
    /// Account on the network; without it, the calls are of a program on this machine.
    pub account: Option<McpAccount>,
    /// Language of our own words in what a person reads.
    pub lang: Lang,
    /// Longest wait of a call, if configured; else the known limit of its host.
    pub wait_limit: Option<Duration>,
    /// Address of the desk's pages, without a slash at its end, if there are any.
    pub page_address: Arc<dyn Fn() -> Option<String> + Send + Sync>,
    /// Person who answers in a dialog of the host: the user of this machine.
    pub user: String,
    /// Permission for programs to answer.
    pub allows_scripts: bool,
    /// Key that seals the state which hosts carry between two rounds of a call.
    pub seal_key: SealKey,
    /// Features of hosts that the settings allow.
    pub host_features: HostFeatures,
    /// Set of tools to offer.
    pub tools: ToolSet,
    /// Generation of AUQ, and its limits.
    pub auq_limits: AuqLimits,
    /// Parser of a time limit, in milliseconds.
    pub parse_time_limit: fn(&str) -> Result<i64, Problem>,
    /// Clock.
    pub now: fn() -> Timestamp,
}

impl McpConfig {
    /// Returns the time in milliseconds since 1970.
    fn now_ms(&self) -> i64 {
        (self.now)().as_millisecond()
    }

    /// Returns the configuration of a server without settings, whose calls are of no known asker, folder or person.
    pub(crate) fn without_settings(desk: Arc<dyn Desk>, seal_key: SealKey, now: fn() -> Timestamp) -> Self {
        Self {
            desk,
            desk_name: String::new(),
            asker_name: None,
            folder: None,
            session: None,
            account: None,
            lang: Lang::En,
            wait_limit: None,
            page_address: Arc::new(|| None),
            user: String::new(),
            allows_scripts: false,
            seal_key,
            host_features: HostFeatures::default(),
            tools: ToolSet::Ask,
            auq_limits: AuqLimits::default(),
            parse_time_limit: |_| Err(Problem::missing_member("timeout")),
            now,
        }
    }
}

impl fmt::Debug for McpConfig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("McpConfig")
            .field("folder", &self.folder)
            .field("tools", &self.tools)
            .finish_non_exhaustive()
    }
}

/// Most simultaneous calls to the desk, each on a thread.
const DESK_THREADS: usize = 16;
/// Threads for standard input and output: if they aren't pipes, each needs one, even while all calls wait for the
/// desk.
const STREAM_THREADS: usize = 2;

/// Serves standard input and output until the input ends.
///
/// # Errors
/// Fails if no runtime can be created, the first message is not MCP, or a line does not end.
pub fn serve(setup: McpConfig, log: LogConfig) -> Result<(), Problem> {
    let _log = diagnostics::install(log, setup.now);
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .max_blocking_threads(DESK_THREADS + STREAM_THREADS)
        .build()
        .map_err(mcp_failed)?;
    let is_flooded = Arc::new(AtomicBool::new(false));
    let disconnected = CancellationToken::new();
    let notifier = ChangeNotifier::new(setup.desk.clone());
    let server = McpServer::new(setup, notifier, disconnected.clone());
    let desk_client = server.desk_client.clone();
    let result = runtime.block_on(async {
        let (input, output) = stdio_pipes();
        let input = LineReader::new(input, is_flooded.clone());
        let transport = AsyncRwTransport::new_server(input, NullIdWriter::new(output));
        let transport = WatchedTransport::new(transport, disconnected.clone());
        match server.serve_with_ct(transport, disconnected).await {
            Ok(service) => service.waiting().await.map(drop).map_err(mcp_failed),
            Err(ServerInitializeError::ConnectionClosed(_) | ServerInitializeError::Cancelled) => Ok(()),
            Err(error) => Err(mcp_failed(error)),
        }
    });
    // The thread that reads standard input may block for ever.
    runtime.shutdown_background();
    desk_client.open_permissions.cancel_all(&*desk_client.setup.desk);
    if is_flooded.load(Ordering::Acquire) {
        let message = Message::EndlessLine.with([limits::LINE_BYTES >> 20]);
        return Err(Problem::new(ProblemCode::TooLarge, message));
    }
    result
}

fn mcp_failed(error: impl fmt::Display) -> Problem {
    Problem::new(ProblemCode::DeskFailed, Message::McpFailed.with([own(&error)]))
}
