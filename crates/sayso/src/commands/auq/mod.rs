//! AUQ's own commands, as `sayso auq …` or under the name `auq`, with AUQ's texts and exit codes. Sessions are the
//! asks of this dialect.

mod answer;
mod ask;
mod fetch;
mod flags;
mod history;
mod sessions;

use super::{list, mcp, print};
use crate::cli::{Mcp, ToolsArg};
use crate::exit::Exit;
use crate::session::{self, Session};
use crate::{ages, console};
use flags::Flags;
use sayso_core::row::Standing;
use sayso_core::{Ask, Code, Message, Problem, Row};
use sayso_desk::Query;
use sayso_dialects::Dialect;
use serde_json::{Value, json};
use std::ffi::OsString;

/// Alternative name of the program.
pub(super) const NAME: &str = "auq";

const HELP: &str = include_str!("help.txt");

/// Failure of an AUQ command.
enum Stop {
    /// Refusal with this message; as JSON if requested.
    Refused(String),
    /// Refusal with a message that is printed without a prefix.
    Plain(String),
    /// Invalid command line.
    Usage(String),
    /// Failure of the desk.
    Failed(Problem),
}

impl From<Problem> for Stop {
    fn from(problem: Problem) -> Self {
        match Exit::of_problem(problem.code) {
            Exit::Unreachable => Self::Failed(problem),
            _ => Self::Refused(words(&problem)),
        }
    }
}

/// Formats a problem in one line, as AUQ does.
fn words(problem: &Problem) -> String {
    let said = |problem: &Problem| problem.message.to_string();
    match problem.causes.as_slice() {
        [] => {
            let hint = problem.hint.as_ref().map(|hint| format!(" {hint}"));
            format!("{}{}", said(problem), hint.unwrap_or_default())
        }
        causes => causes.iter().map(said).collect::<Vec<_>>().join(", "),
    }
}

pub(super) fn run(session: &Session, args: Vec<OsString>) -> Result<Exit, Problem> {
    let args: Result<Vec<_>, _> = args.into_iter().map(OsString::into_string).collect();
    let Ok(mut args) = args else {
        return Err(Problem::new(Code::NotText, Message::RequestNotText));
    };
    if args.is_empty() {
        return list::overview(session);
    }
    let command = args.remove(0);
    let wants_help = |arg: &str| matches!(arg, "-h" | "--help");
    if wants_help(&command) || args.first().is_some_and(|arg| wants_help(arg)) {
        return Ok(print(HELP));
    }
    let as_json = args.iter().any(|arg| arg == "--json");
    let ended = match command.as_str() {
        "-v" | "--version" => return Ok(print(console::VERSION)),
        "ask" => ask::run(session, args),
        "answer" => answer::run(session, args),
        "sessions" => sessions::run(session, args),
        "history" => history::run(session, args),
        "fetch-answers" => fetch::run(session, args),
        "server" => server(session, args),
        other => Err(Stop::Usage(format!("Unknown command: {other}"))),
    };
    match ended {
        Ok(exit) => Ok(exit),
        Err(Stop::Failed(problem)) => Err(problem),
        Err(Stop::Refused(error)) if as_json => {
            print_json(&json!({ "success": false, "error": error }));
            Ok(Exit::Wrong)
        }
        Err(Stop::Refused(error)) => Ok(complain(&format!("Error: {error}"), Exit::Wrong)),
        Err(Stop::Plain(words)) => Ok(complain(&words, Exit::Wrong)),
        Err(Stop::Usage(error)) => {
            Ok(complain(&format!("Error: {error}\nSee what there is with: auq --help"), Exit::Usage))
        }
    }
}

/// Runs `auq server`, which is `sayso mcp --tools auq`: hosts start the original's server by this name.
fn server(session: &Session, args: Vec<String>) -> Result<Exit, Stop> {
    match args.into_iter().next() {
        Some(extra) => Err(Stop::Usage(format!("Unexpected argument: {extra}"))),
        None => Ok(mcp::run(session, Mcp { tools: ToolsArg::Auq, hold: None, from: None })?),
    }
}

fn complain(words: &str, exit: Exit) -> Exit {
    console::say_safely(words);
    exit
}

/// Prints JSON as AUQ does, over several lines.
fn print_json(value: &Value) -> Exit {
    print(&format!("{value:#}"))
}

/// Prints that an action on a session succeeded.
fn print_done(flags: &Flags, ask: &Ask, status: Option<&str>, sentence: &str) -> Exit {
    let status = status.map(|status| ("status", status.to_owned()));
    let told = [("sessionId", ask.id.to_string())].into_iter().chain(status);
    if flags.has("json") {
        let members = told.map(|(name, value)| (name.to_owned(), Value::from(value)));
        return print_json(
            &std::iter::once(("success".to_owned(), Value::from(true))).chain(members).collect(),
        );
    }
    let lines: String = told.map(|(name, value)| format!("{name} = {value}\n")).collect();
    print(&format!("{lines}Session {} {sentence}", ask.id))
}

/// Returns the session for an id, or for its first or last characters.
fn find(session: &Session, given: &str) -> Result<Ask, Stop> {
    let desk = session.desk()?;
    let unknown = || Stop::Refused(format!("Session not found: {given}"));
    let found = desk.find(given).and_then(|id| desk.get(id));
    match found {
        Ok(ask) if ask.request.dialect == Dialect::Auq.name() => Ok(ask),
        Ok(_) => Err(unknown()),
        Err(problem) if problem.code == Code::AskNotFound => Err(unknown()),
        Err(problem) => Err(problem.into()),
    }
}

/// Returns the sessions in these states, the newest first.
fn rows(session: &Session, states: &[Standing], search: Option<&str>) -> Result<Vec<Row>, Problem> {
    let mut query = Query {
        states: states.to_vec(),
        search: search.map(str::to_owned),
        dialect: Some(Dialect::Auq.name().to_owned()),
        ..Query::default()
    };
    let mut rows = Vec::new();
    loop {
        let page = list::indexed_page(session, &query)?;
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
fn age(then: jiff::Timestamp) -> String {
    format!("{} ago", ages::since(then, session::now()))
}
