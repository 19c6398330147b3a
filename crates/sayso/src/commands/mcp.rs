//! `sayso mcp`: lets agents ask with tools. The desk is opened in this process; its asks outlive the process.

use crate::cli::durations;
use crate::cli::{McpArgs, ToolsArg};
use crate::cli_session::desk_access::MAINTENANCE_TIME;
use crate::cli_session::desk_opener::OpenedDesk;
use crate::cli_session::lazy_desk::LazyDesk;
use crate::cli_session::{self, CliSession};
use crate::config::DeskAddress;
use crate::config::environment::ProcessEnv;
use crate::config::log_filter;
use crate::output::console;
use crate::output::exit::CommandExit;
use sayso_core::{Message, Problem, ProblemCode};
use sayso_desk::process;
use sayso_server::diagnostics::{LogConfig, LogFilter, LogFormat};
use sayso_server::mcp::{self, McpConfig, SealKey, ToolSet};
use std::io::IsTerminal as _;
use std::sync::Arc;
use std::time::Duration;

/// Variables in which hosts tell their servers the session.
const SESSION_VARIABLES: [&str; 1] = ["CLAUDE_CODE_SESSION_ID"];

pub(super) fn run(session: &CliSession, args: McpArgs) -> Result<CommandExit, Problem> {
    if std::io::stdin().is_terminal() {
        console::print_message(Message::McpByHand.plain(session.lang()));
    }
    match session.settings.desk.value {
        DeskAddress::Sqlite(_) | DeskAddress::Http(_) => {}
        // Whoever has the address of the database is an operator of the desk, and an agent is none.
        DeskAddress::Postgres(_) => {
            let problem = Problem::new(ProblemCode::DeskUnsupported, Message::DatabaseNotForAgents);
            return Err(problem.with_hint(Message::DatabaseNotForAgentsHint));
        }
    }
    let hold = args.hold.as_deref().map(durations::parse_span).transpose()?;
    let desk = Arc::new(session.desk_access.lazy());
    let setup = McpConfig {
        desk: desk.clone(),
        desk_name: session.desk_access.name(),
        asker_name: args.from.or_else(|| session.settings.from.value.clone()),
        folder: ProcessEnv::working_folder().map(|folder| folder.to_string_lossy().into_owned()),
        session: host_session(&session.environment),
        account: None,
        lang: session.lang(),
        wait_limit: hold.and_then(|hold| u64::try_from(hold).ok()).map(Duration::from_millis),
        page_address: page_address(session, desk.clone()),
        user: session.environment.user_name(),
        allows_scripts: session.settings.scripted_answers.value,
        seal_key: SealKey::InFile(session.desk_access.sibling_path(".seal")),
        host_features: session.settings.mcp.host_features(),
        tools: match args.tools {
            ToolsArg::Ask => ToolSet::Ask,
            ToolsArg::Auq => ToolSet::Auq,
            ToolsArg::AskUser => ToolSet::AskUser,
            ToolsArg::Permission => ToolSet::Permission,
            ToolsArg::All => ToolSet::All,
        },
        auq_limits: session.settings.auq.value,
        parse_time_limit: durations::parse_limit,
        now: cli_session::now,
    };
    let filter = log_filter(&session.environment, LogFilter::WARN)?;
    mcp::serve(setup, LogConfig { format: LogFormat::Text, filter })?;
    // No call waits any more.
    if let Some(OpenedDesk::Local(desk)) = desk.opened() {
        desk.run_maintenance(session.settings.retention(), MAINTENANCE_TIME);
    }
    Ok(CommandExit::Done)
}

/// Returns a source of the address of the desk's pages: the one that the settings name, or the one at which a program
/// serves the desk at that time.
fn page_address(session: &CliSession, desk: Arc<LazyDesk>) -> Arc<dyn Fn() -> Option<String> + Send + Sync> {
    let operator_url = session.settings.server.public_url.value.clone();
    Arc::new(move || {
        let url = operator_url.clone().or_else(|| desk.announced_address())?;
        Some(url.trim_end_matches('/').to_owned())
    })
}

/// Returns the session of the host: the one that it tells, or else its process. Two programs that are alive at once
/// then have two asks, and the ask of an ended one goes to the next.
fn host_session(environment: &ProcessEnv) -> Option<String> {
    let session = SESSION_VARIABLES.into_iter().find_map(|name| environment.get(name));
    if let Some(session) = session
        && !session.trim().is_empty()
    {
        return Some(session.to_owned());
    }
    process::parent_process().map(mcp::process_session)
}
