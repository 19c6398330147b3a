//! `sayso run -- COMMAND`: shows a command, asks for consent, and runs exactly that command after a yes.
//!
//! **Invariant:** what runs is the argument list that was shown, in the folder that was shown, once for one yes.

use crate::cli::RunArgs;
use crate::cli_session::CliSession;
use crate::commands::ask;
use crate::commands::ask::flow::{self, AskEnd, AskPlan, OnLeave};
use crate::config::environment::ProcessEnv;
use crate::output::console;
use crate::output::delivery::{self, OutcomeFormat};
use crate::output::exit::CommandExit;
use crate::ui::surface::{PipedLines, PromptMode};
use sayso_core::i18n::{foreign, own};
use sayso_core::{Message, Problem, ProblemCode};
use sayso_desk::random::random_bytes;
use sayso_dialects::{Dialect, command_consent};
use std::path::Path;
use std::process::Command;

/// Name of the rendering at the desk.
const FORMAT: OutcomeFormat<'static> = OutcomeFormat { name: "run", render: &command_consent::write };
/// Exit code for a program that does not exist, as shells have it.
const NOT_FOUND: u8 = 127;
/// Exit code for a program that cannot be started, as shells have it.
const NOT_STARTED: u8 = 126;

pub(in crate::commands) fn run(session: &CliSession, args: RunArgs) -> Result<CommandExit, Problem> {
    let argv = with_env(args.command);
    let [program, arguments @ ..] = argv.as_slice() else { return Ok(CommandExit::Usage) };
    if !exists(program, session.environment.get("PATH").unwrap_or_default()) {
        let problem =
            Problem::new(ProblemCode::InvalidRequest, Message::CommandNotFound.with([foreign(program)]));
        console::print_problem(&problem, session.lang());
        return Ok(CommandExit::Prescribed(NOT_FOUND));
    }
    let folder = ProcessEnv::working_folder().and_then(|folder| folder.into_os_string().into_string().ok());
    let Some(folder) = folder else {
        return Err(Problem::new(ProblemCode::NotText, Message::RequestNotText));
    };
    let questionnaire = command_consent::questionnaire(&argv, &folder, session.lang());
    let place = ask::choose_place(session, &args.asking, &questionnaire, PipedLines::NoAnswers)?;
    let plan = AskPlan {
        questionnaire: questionnaire.into(),
        dialect: Dialect::Sayso.name(),
        asker: session.asker(args.asking.from.as_deref()),
        time_limit_ms: args.asking.time_limit_ms()?,
        audience: session.desk_access.audience_named(args.asking.audience)?,
        key: Some(unique_key()?),
        answer_place: Some(place),
        prints_bare_id: false,
        prompt_mode: if args.asking.plain { PromptMode::Plain } else { PromptMode::Full },
        on_leave: OnLeave::Cancel,
    };
    let ask = match flow::open_and_wait(session, &plan)? {
        AskEnd::Settled(ask) => ask,
        AskEnd::Unsettled(exit) => return Ok(exit),
    };
    let exit = delivery::deliver(session, &plan.asker, &ask, FORMAT)?;
    if !command_consent::is_approved(&ask) {
        console::print_message(Message::CommandNotRun.plain(session.lang()));
        return Ok(exit);
    }
    session.finish();
    Ok(replace_process(session, Command::new(program).args(arguments).current_dir(folder)))
}

/// Returns the command with `env` in front if it begins with variables, which the person then sees as its arguments.
fn with_env(mut command: Vec<String>) -> Vec<String> {
    if let Some(word) = command.first()
        && let Some((name, _)) = word.split_once('=')
        && !name.is_empty()
        && !name.contains(['/', '-'])
    {
        command.insert(0, "env".to_owned());
    }
    command
}

/// Returns a key that no other call has: a yes is for this process alone.
///
/// # Errors
/// Fails if the system has no random bytes.
fn unique_key() -> Result<String, Problem> {
    Ok(format!("run-{:032x}", u128::from_ne_bytes(random_bytes()?)))
}

/// Returns whether there is such a program, so that no person is asked in vain.
#[cfg(unix)]
fn exists(program: &str, path: &str) -> bool {
    use std::os::unix::fs::PermissionsExt as _;
    let is_program = |file: &Path| {
        file.metadata().is_ok_and(|found| found.is_file() && found.permissions().mode() & 0o111 != 0)
    };
    if program.contains('/') {
        return is_program(Path::new(program));
    }
    std::env::split_paths(path).any(|folder| is_program(&folder.join(program)))
}

#[cfg(not(unix))]
fn exists(_: &str, _: &str) -> bool {
    true
}

/// Replaces this process with the command, which gets the terminal, the signals and the exit code. Returns only if
/// it cannot be started.
#[cfg(unix)]
fn replace_process(session: &CliSession, command: &mut Command) -> CommandExit {
    use std::os::unix::process::CommandExt as _;
    let error = command.exec();
    print_failure(session, command, &error)
}

/// Runs the command, and returns its exit code.
#[cfg(not(unix))]
fn replace_process(session: &CliSession, command: &mut Command) -> CommandExit {
    match command.status() {
        Ok(status) => {
            let code = status.code().and_then(|code| u8::try_from(code).ok());
            code.map_or(CommandExit::Wrong, CommandExit::Prescribed)
        }
        Err(error) => print_failure(session, command, &error),
    }
}

fn print_failure(session: &CliSession, command: &Command, error: &std::io::Error) -> CommandExit {
    let text = [foreign(command.get_program().to_string_lossy()), own(error)];
    let problem = Problem::new(ProblemCode::InvalidRequest, Message::CommandFailed.with(text));
    console::print_problem(&problem, session.lang());
    let is_missing = error.kind() == std::io::ErrorKind::NotFound;
    CommandExit::Prescribed(if is_missing { NOT_FOUND } else { NOT_STARTED })
}
