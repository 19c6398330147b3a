//! AUQ's own commands, as `sayso auq …` or under the name `auq`, with AUQ's texts and exit codes. Sessions are the
//! asks of this dialect.

mod answer;
mod ask;
mod fetch;
mod flags;
mod history;
mod sessions;

use super::lookup::list;
use super::{mcp, print_output};
use crate::cli::durations;
use crate::cli::{McpArgs, ToolsArg};
use crate::cli_session::{self, CliSession};
use crate::output::console;
use crate::output::exit::CommandExit;
use flags::AuqFlags;
use sayso_core::model::ask_summary::AskStatus;
use sayso_core::{Ask, AskSummary, Message, Problem, ProblemCode};
use sayso_desk::AskQuery;
use sayso_dialects::Dialect;
use serde_json::{Value, json};
use std::ffi::OsString;

/// Alternative name of the program.
pub(super) const PROGRAM_NAME: &str = "auq";

const HELP: &str = include_str!("auq/help.txt");

/// Failure of an AUQ command.
enum AuqError {
    /// Refusal with this message; as JSON if requested.
    Refused(String),
    /// Refusal with a message that is printed without a prefix.
    Plain(String),
    /// Invalid command line.
    Usage(String),
    /// Failure of the desk.
    Failed(Problem),
}

impl From<Problem> for AuqError {
    fn from(problem: Problem) -> Self {
        match CommandExit::from_code(problem.code) {
            CommandExit::Unreachable => Self::Failed(problem),
            _ => Self::Refused(problem_text(&problem)),
        }
    }
}

/// Formats a problem in one line, as AUQ does.
fn problem_text(problem: &Problem) -> String {
    if !problem.causes.is_empty() {
        let texts: Vec<_> = problem.causes.iter().map(|cause| cause.message.to_string()).collect();
        return texts.join(", ");
    }
    match &problem.hint {
        Some(hint) => format!("{} {hint}", problem.message),
        None => problem.message.to_string(),
    }
}

pub(super) fn run(session: &CliSession, args: Vec<OsString>) -> Result<CommandExit, Problem> {
    let args: Result<Vec<_>, _> = args.into_iter().map(OsString::into_string).collect();
    let Ok(mut args) = args else {
        return Err(Problem::new(ProblemCode::NotText, Message::RequestNotText));
    };
    if args.is_empty() {
        return list::print_overview(session, &session.list_scope(false)?);
    }
    let command = args.remove(0);
    let first_arg = args.first().map(String::as_str).unwrap_or_default();
    if [command.as_str(), first_arg].iter().any(|arg| matches!(*arg, "-h" | "--help")) {
        return Ok(print_output(HELP));
    }
    let as_json = args.iter().any(|arg| arg == "--json");
    let result = match command.as_str() {
        "-v" | "--version" => return Ok(print_output(console::VERSION)),
        "ask" => ask::run(session, args),
        "answer" => answer::run(session, args),
        "sessions" => sessions::run(session, args),
        "history" => history::run(session, args),
        "fetch-answers" => fetch::run(session, args),
        "server" => run_server(session, args),
        other => Err(AuqError::Usage(format!("Unknown command: {other}"))),
    };
    match result {
        Ok(exit) => Ok(exit),
        Err(AuqError::Failed(problem)) => Err(problem),
        Err(AuqError::Refused(error)) if as_json => {
            print_json(&json!({ "success": false, "error": error }));
            Ok(CommandExit::Wrong)
        }
        Err(AuqError::Refused(error)) => Ok(print_error(&format!("Error: {error}"), CommandExit::Wrong)),
        Err(AuqError::Plain(words)) => Ok(print_error(&words, CommandExit::Wrong)),
        Err(AuqError::Usage(error)) => Ok(print_error(
            &format!("Error: {error}\nSee what there is with: auq --help"),
            CommandExit::Usage,
        )),
    }
}

/// Runs `auq server`, which is `sayso mcp --tools auq`: hosts start the original's server by this name.
fn run_server(session: &CliSession, args: Vec<String>) -> Result<CommandExit, AuqError> {
    match args.into_iter().next() {
        Some(extra) => Err(AuqError::Usage(format!("Unexpected argument: {extra}"))),
        None => Ok(mcp::run(session, McpArgs { tools: ToolsArg::Auq, hold: None, from: None })?),
    }
}

fn print_error(words: &str, exit: CommandExit) -> CommandExit {
    console::print_untrusted(words);
    exit
}

/// Prints JSON as AUQ does, over several lines.
fn print_json(value: &Value) -> CommandExit {
    print_output(&format!("{value:#}"))
}

/// Prints that an action on a session succeeded.
fn print_done(flags: &AuqFlags, ask: &Ask, status: Option<&str>, sentence: &str) -> CommandExit {
    if flags.has("json") {
        return print_json(&match status {
            Some(status) => json!({ "success": true, "sessionId": ask.id, "status": status }),
            None => json!({ "success": true, "sessionId": ask.id }),
        });
    }
    let status_line = match status {
        Some(status) => format!("status = {status}\n"),
        None => String::new(),
    };
    print_output(&format!("sessionId = {}\n{status_line}Session {} {sentence}", ask.id, ask.id))
}

/// Returns the session for an id, or for its first or last characters.
fn find_session(session: &CliSession, text: &str) -> Result<Ask, AuqError> {
    let desk = session.desk()?;
    match desk.find(text).and_then(|id| desk.get(id)) {
        Ok(ask) if ask.request.dialect == Dialect::Auq.name() => return Ok(ask),
        Err(problem) if problem.code != ProblemCode::AskNotFound => return Err(problem.into()),
        Ok(_) | Err(_) => {}
    }
    Err(AuqError::Refused(format!("Session not found: {text}")))
}

/// Returns the sessions in these states, the newest first.
fn list_rows(
    session: &CliSession,
    states: &[AskStatus],
    search: Option<&str>,
) -> Result<Vec<AskSummary>, Problem> {
    let mut query = AskQuery {
        states: states.to_vec(),
        search: search.map(str::to_owned),
        dialect: Some(Dialect::Auq.name().to_owned()),
        ..AskQuery::default()
    };
    let mut rows = Vec::new();
    loop {
        let page = session.desk()?.list(&query)?;
        // AUQ's list has no form for a damaged ask; `sayso list` shows it.
        rows.extend(page.rows.into_iter().filter(|row| !row.damaged));
        query.after = page.next;
        if query.after.is_none() {
            break;
        }
    }
    // Pending asks are sorted by waiting time.
    rows.sort_by_key(|row| std::cmp::Reverse(row.created_at));
    Ok(rows)
}

/// Formats an age as AUQ does.
fn format_age(then: jiff::Timestamp) -> String {
    format!("{} ago", durations::format_age(then, cli_session::now()))
}
