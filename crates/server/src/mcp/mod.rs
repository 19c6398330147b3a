//! `sayso mcp`: asking a person through the Model Context Protocol, in each of its versions.
//!
//! **Invariant:** a call is only a view of an ask. Its end, a cancelled request, the end of input and the end of the
//! process change nothing; only `cancel_ask`, a person or the deadline end an ask.
//!
//! **Invariant:** an answer is delivered when a later call names it in `received`, and returned again until then.
//! AUQ's tools have no such parameter: `implicit_ack` describes their implicit acknowledgement.

mod ask_user;
mod asking;
mod asks;
mod auq;
mod boxes;
mod caller;
mod dialog;
mod flat;
mod form;
mod given;
mod handler;
mod heard;
mod holding;
mod lacking;
mod lines;
mod mend;
mod prompts;
mod refusal;
mod resources;
mod result;
mod rounds;
mod schema;
mod seal;
mod shape;
mod skim;
mod text_tool;
mod tools;
mod transport;
mod waiting;
mod words;

pub use tools::ToolSet;

use handler::Door;
use jiff::Timestamp;
use lines::Lines;
use rmcp::ServiceExt as _;
use rmcp::service::ServerInitializeError;
use rmcp::transport::async_rw::AsyncRwTransport;
use rmcp::transport::stdio_pipes;
use sayso_core::{Message, Problem, limits, problem::Code};
use sayso_desk::Desk;
use sayso_dialects::auq::AuqLimits;
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tokio_util::sync::CancellationToken;
use transport::{Named, Watched};

/// Configuration of the server.
pub struct Setup {
    /// Desk to ask at.
    pub desk: Arc<dyn Desk>,
    /// Display name of the desk.
    pub desk_name: String,
    /// Name of the asker, if configured; else the host's.
    pub from: Option<String>,
    /// Working folder of the asker.
    pub folder: Option<String>,
    /// Longest wait of a call, if configured; else the known limit of its host.
    pub hold: Option<Duration>,
    /// Person who answers in a dialog of the host: the user of this machine.
    pub person: String,
    /// Permission for programs to answer.
    pub scripted: bool,
    /// File of the key that seals the state which hosts carry between two rounds of a call.
    pub seal: PathBuf,
    /// Set of tools to offer.
    pub tools: ToolSet,
    /// Generation of AUQ, and its limits.
    pub auq: AuqLimits,
    /// Parser of a time limit, in milliseconds.
    pub time_limit: fn(&str) -> Result<i64, Problem>,
    /// Clock.
    pub now: fn() -> Timestamp,
}

impl fmt::Debug for Setup {
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
pub fn serve(setup: Setup) -> Result<(), Problem> {
    let failed = |error: &dyn fmt::Display| {
        Problem::new(Code::DeskFailed, Message::McpFailed.with([error.to_string()]))
    };
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .max_blocking_threads(DESK_THREADS + STREAM_THREADS)
        .build()
        .map_err(|error| failed(&error))?;
    let flooded = Arc::new(AtomicBool::new(false));
    let ended = runtime.block_on(async {
        let gone = CancellationToken::new();
        let (input, output) = stdio_pipes();
        let input = Lines::new(input, flooded.clone());
        let transport = AsyncRwTransport::new_server(input, Named::new(output));
        let transport = Watched::new(transport, gone.clone());
        match Door::new(setup, gone.clone()).serve_with_ct(transport, gone).await {
            Ok(running) => running.waiting().await.map(drop).map_err(|error| failed(&error)),
            Err(ServerInitializeError::ConnectionClosed(_) | ServerInitializeError::Cancelled) => Ok(()),
            Err(error) => Err(failed(&error)),
        }
    });
    // The thread that reads standard input may block for ever.
    runtime.shutdown_background();
    if flooded.load(Ordering::Acquire) {
        let said = Message::EndlessLine.with([limits::LINE_BYTES >> 20]);
        return Err(Problem::new(Code::TooLarge, said));
    }
    ended
}
