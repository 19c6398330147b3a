//! `sayso mcp`: asking a person through the Model Context Protocol, in each of its versions.
//!
//! **Invariant:** a call is only one way to look at an ask. Its end, a cancelled request, the end of input and the end of
//! the process change nothing; only `cancel_ask`, a person or the deadline end an ask.
//!
//! **Invariant:** an answer is delivered when a later call names it in `received`, and given again until then. AUQ's tools
//! have no such word: `given` says what stands for it there.

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

/// What the door needs of the program that opens it.
pub struct Setup {
    /// The desk.
    pub desk: Arc<dyn Desk>,
    /// The name of the desk, as people read it.
    pub desk_name: String,
    /// What the asker is called, where that is set; else its host says.
    pub from: Option<String>,
    /// The folder that the asker works in.
    pub folder: Option<String>,
    /// How long a call waits at most, where that is set; else as long as its host is known to bear.
    pub hold: Option<Duration>,
    /// Who answers in a dialog of the host: the user of this machine.
    pub person: String,
    /// Whether programs may answer.
    pub scripted: bool,
    /// Where the key lies that seals what hosts carry between two rounds of a call.
    pub seal: PathBuf,
    /// Which tools are offered.
    pub tools: ToolSet,
    /// The generation of AUQ that is spoken, and its limits.
    pub auq: AuqLimits,
    /// Reads a time limit as people write it, in milliseconds.
    pub time_limit: fn(&str) -> Result<i64, Problem>,
    /// Tells the time.
    pub now: fn() -> Timestamp,
}

impl fmt::Debug for Setup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Setup")
            .field("folder", &self.folder)
            .field("tools", &self.tools)
            .finish_non_exhaustive()
    }
}

/// Calls to the desk at once, each on a thread.
const DESK_THREADS: usize = 16;
/// Where standard input and output are no pipes, each needs a thread, also while the desk keeps every call waiting.
const STREAM_THREADS: usize = 2;

/// Serves standard input and output until the input ends.
///
/// # Errors
/// When there can be no runtime, what comes first is no MCP, or a line does not end.
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
    // The thread that reads standard input may wait for ever.
    runtime.shutdown_background();
    if flooded.load(Ordering::Acquire) {
        let said = Message::EndlessLine.with([limits::LINE_BYTES >> 20]);
        return Err(Problem::new(Code::TooLarge, said));
    }
    ended
}
