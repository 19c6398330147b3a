//! Agents that the server runs: from the options and the settings, in the sandbox that they need.

use crate::cli::{AgentArgs, AgentModeArg, AgentSandboxArg};
use crate::cli_session::{self, CliSession};
use crate::commands::serve::agent_launcher;
use crate::output::console;
use sayso_core::{Message, Problem, ProblemCode};
use sayso_desk::token::{TokenDesk, check_account_name, count_person_accounts};
use sayso_server::acp::{
    AgentLimits, AgentMode, AgentProgram, AgentSandbox, AgentUser, LocalAgentsConfig, split_words,
};
use std::path::PathBuf;
use std::time::Duration;

/// Variables that agents get, if they are set. None of them is a secret.
const VARIABLES: &[&str] = &[
    "PATH",
    "LANG",
    "LC_ALL",
    "LC_CTYPE",
    "LC_MESSAGES",
    "TZ",
    "SSL_CERT_FILE",
    "SSL_CERT_DIR",
    "NODE_EXTRA_CA_CERTS",
];

/// Folder for the threads of agents that run as another user, who passes through no home folder.
const SHARED_FOLDER: &str = "/var/lib/sayso/agents";

/// Returns the agents to run.
///
/// # Errors
/// Fails if a name or a command is invalid, or the agents would run without a sandbox that they need. `is_private` is
/// true if the server listens on this machine alone.
pub(super) fn configure(
    session: &CliSession,
    args: &AgentArgs,
    desk: &dyn TokenDesk,
    is_private: bool,
) -> Result<LocalAgentsConfig, Problem> {
    let settings = &session.settings.server.agents;
    let commands = if args.agents.is_empty() { &settings.commands.value } else { &args.agents };
    let agents = parse_agents(commands)?;
    if agents.is_empty() {
        return Ok(LocalAgentsConfig::default());
    }
    let user_name = args.user.as_ref().or(settings.user.value.as_ref());
    let user = user_name.map(|name| find_user(name)).transpose()?;
    let sandbox = choose_sandbox(args.sandbox)?;
    let is_open = sandbox == AgentSandbox::Open && user.is_none();
    if is_open && !(is_private && has_one_account(desk)?) {
        return Err(sandbox_needed());
    }
    if is_open {
        console::print_message(Message::AgentWithoutWall.plain(session.lang()));
    }
    let named = args.variables.iter().chain(&settings.variables.value).map(String::as_str);
    let variable = |name: &str| Some((name.to_owned(), session.environment.get(name)?.to_owned()));
    let launcher = std::env::current_exe().map_err(|error| {
        Problem::new(ProblemCode::DeskFailed, Message::ServeFailed.with([error.to_string()]))
    })?;
    let own_folder = || session.desk_access.sibling_path(".agents");
    Ok(LocalAgentsConfig {
        agents,
        launcher,
        folder: if user.is_some() { PathBuf::from(SHARED_FOLDER) } else { own_folder() },
        environment: VARIABLES.iter().copied().chain(named).filter_map(variable).collect(),
        home: session.environment.get("HOME").map(PathBuf::from),
        sandbox,
        mode: match args.mode {
            AgentModeArg::Asking => AgentMode::Asking,
            AgentModeArg::Own => AgentMode::Own,
        },
        user,
        readable: args.readable.iter().chain(&settings.readable.value).cloned().collect(),
        limits: AgentLimits {
            processes: settings.processes.value,
            memory_bytes: settings.memory_mib.value.saturating_mul(1 << 20),
            idle: Duration::from_secs(u64::from(settings.idle_minutes.value) * 60),
            programs: settings.programs.value.max(1),
        },
    })
}

/// Returns whether at most one person has access.
fn has_one_account(desk: &dyn TokenDesk) -> Result<bool, Problem> {
    Ok(count_person_accounts(&desk.tokens()?, cli_session::now()) <= 1)
}

fn sandbox_needed() -> Problem {
    Problem::new(ProblemCode::InvalidSetting, Message::AgentWallNeeded).with_hint(Message::AgentWallHint)
}

fn choose_sandbox(chosen: Option<AgentSandboxArg>) -> Result<AgentSandbox, Problem> {
    match chosen {
        Some(AgentSandboxArg::None) => Ok(AgentSandbox::Open),
        _ if agent_launcher::has_sandbox() => Ok(AgentSandbox::Landlock),
        Some(AgentSandboxArg::Landlock) => {
            Err(Problem::new(ProblemCode::InvalidSetting, Message::AgentWallMissing)
                .with_hint(Message::AgentWallHint))
        }
        None => Ok(AgentSandbox::Open),
    }
}

fn parse_agents(commands: &[String]) -> Result<Vec<AgentProgram>, Problem> {
    let mut agents: Vec<AgentProgram> = Vec::new();
    for text in commands {
        let unnamed = || {
            Problem::new(ProblemCode::InvalidSetting, Message::AgentNameMissing.with([text]))
                .with_hint(Message::AgentCommandHint)
        };
        let (name, command) = text.split_once('=').ok_or_else(unnamed)?;
        check_account_name(name)?;
        if agents.iter().any(|agent| agent.name == name) {
            return Err(Problem::new(ProblemCode::InvalidSetting, Message::AgentTwice.with([name])));
        }
        agents.push(AgentProgram { name: name.to_owned(), command: split_words(command)? });
    }
    Ok(agents)
}

/// Finds a user of the system by name or number.
fn find_user(name: &str) -> Result<AgentUser, Problem> {
    let accounts = std::fs::read_to_string("/etc/passwd").unwrap_or_default();
    let found = accounts.lines().find_map(|line| {
        let fields: Vec<&str> = line.split(':').collect();
        let [known, _, uid, gid, ..] = fields.as_slice() else { return None };
        if *known != name && *uid != name {
            return None;
        }
        Some(AgentUser { uid: uid.parse().ok()?, gid: gid.parse().ok()? })
    });
    let unknown = || Problem::new(ProblemCode::InvalidSetting, Message::AgentUserUnknown.with([name]));
    let user = found.ok_or_else(unknown)?;
    if !is_root() {
        return Err(Problem::new(ProblemCode::InvalidSetting, Message::AgentUserNeedsRoot));
    }
    Ok(user)
}

fn is_root() -> bool {
    #[cfg(unix)]
    {
        rustix::process::geteuid().is_root()
    }
    #[cfg(not(unix))]
    {
        false
    }
}
