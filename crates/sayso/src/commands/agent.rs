//! `sayso agent NAME -- COMMAND`: puts a program that speaks the Agent Client Protocol behind the threads of a desk on the
//! network, with an asker's token, over the routes that are open to any agent.
//!
//! `bridge` takes turns and `turn_run` runs one; `decision` passes decisions on. `session` is the conversation with a
//! program over `rpc`, and `protocol` translates. `program` starts it under a `keeper`, `session_store` keeps the ids of
//! sessions, and `questions` is the tool that a session gets.

mod bridge;
mod decision;
mod failure;
pub(super) mod keeper;
mod program;
mod protocol;
pub(super) mod questions;
mod rpc;
mod session;
mod session_store;
mod turn_run;

use crate::cli::{AgentArgs, AgentModeArg, durations};
use crate::cli_session::CliSession;
use crate::config::DeskAddress;
use crate::output::console;
use crate::output::exit::CommandExit;
use crate::ui::surface;
use bridge::Bridge;
use program::ProgramStarter;
use questions::QuestionServer;
use sayso_core::i18n::own;
use sayso_core::{Message, Problem, ProblemCode};
use sayso_desk::remote::{RemoteAddress, ThreadAgentClient, TokenSet};
use session::SessionSettings;
use session_store::SessionStore;
use std::io;
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// Address of a server on this machine.
const USUAL_SERVER: &str = "http://127.0.0.1:7207";
/// Usual silence of an agent after which its turn ends.
const USUAL_SILENCE: Duration = Duration::from_secs(5 * 60);

pub(super) fn run(session: &CliSession, args: AgentArgs) -> Result<CommandExit, Problem> {
    let AgentArgs { name, server, mode, silence, command } = args;
    let lang = session.lang();
    let silence = silence.as_deref().map(durations::parse_span).transpose()?;
    let silence =
        silence.and_then(|span| u64::try_from(span).ok()).map_or(USUAL_SILENCE, Duration::from_millis);
    let Some(program) =
        command.first().filter(|program| session_store::is_program(program, session.environment.get("PATH")))
    else {
        let named = command.first().map(|program| program.to_string_lossy().into_owned()).unwrap_or_default();
        let missing = io::Error::from(io::ErrorKind::NotFound).to_string();
        return Err(Problem::new(
            ProblemCode::InvalidSetting,
            Message::UnreadableFile.with([own(named), own(missing)]),
        ));
    };
    let shown = program.to_string_lossy().into_owned();
    let address = match (server, &session.settings.desk.value) {
        (Some(server), _) => RemoteAddress::parse(&server)?,
        (None, DeskAddress::Http(address)) => address.clone(),
        (None, _) => RemoteAddress::parse(USUAL_SERVER)?,
    };
    let client =
        ThreadAgentClient::new(address.clone(), TokenSet::read(&session.settings.token_files.value)?, lang);
    let account = client.account()?.account;
    if account != name {
        let message = Message::AgentNameOther.with([own(name), own(account)]);
        return Err(Problem::new(ProblemCode::InvalidSetting, message).with_hint(Message::AgentNameOtherHint));
    }
    let failed =
        |error: io::Error| Problem::new(ProblemCode::DeskFailed, Message::AgentNotStarted.with([own(error)]));
    let agents = session.settings.data_folder.join("agents");
    let store = SessionStore::open(&agents, &name).map_err(failed)?.ok_or_else(|| {
        Problem::new(ProblemCode::InvalidSetting, Message::AgentRunsAlready.with([own(&name)]))
    })?;
    let questions = QuestionServer::start()?;
    let own_program = std::env::current_exe().map_err(failed)?;
    let (starter, serve_starts) = ProgramStarter::new(command);
    let sets_mode = mode == AgentModeArg::Asking;
    let bridge = Arc::new(Bridge {
        client,
        settings: SessionSettings { starter: starter.clone(), own_program, sets_mode, lang },
        store,
        questions,
        slots: Mutex::default(),
        silence,
        lang,
    });
    if surface::is_stderr_terminal() {
        let words = Message::AgentServes.render_with(lang, [own(shown), own(name), own(address)]);
        console::print_untrusted(&words);
    }
    std::thread::spawn(move || starter.stop(bridge.take_turns()));
    match serve_starts() {
        Some(problem) => Err(problem),
        None => Ok(CommandExit::Done),
    }
}
