//! `auq fetch-answers`: prints the answers of a session, or lists the sessions whose answers have not been fetched.

use super::{AuqError, AuqFlags, find_session, format_age, list_rows, print_json, print_output};
use crate::cli_session::{self, CliSession};
use crate::commands::ask::wait;
use crate::output::delivery::{self, OutcomeFormat};
use crate::output::exit::CommandExit;
use sayso_core::Ask;
use sayso_core::model::ask_summary::AskStatus;
use sayso_dialects::{CliOutput, auq};
use serde_json::Value;
use std::time::Duration;

const NO_SESSION: &str = "--blocking requires a session ID.

Usage:
  auq fetch-answers <session-id> [--blocking] [--json]
  auq fetch-answers --unread [--json]";

pub(super) fn run(session: &CliSession, args: Vec<String>) -> Result<CommandExit, AuqError> {
    let flags = AuqFlags::parse(args, &["json", "blocking", "unread"], &[])?;
    match flags.positional_argument(0) {
        None if flags.has("blocking") => Err(AuqError::Refused(NO_SESSION.to_owned())),
        Some(text) if !flags.has("unread") => fetch_session(session, text, &flags),
        _ => list_unread(session, &flags),
    }
}

fn fetch_session(session: &CliSession, text: &str, flags: &AuqFlags) -> Result<CommandExit, AuqError> {
    let mut ask = find_session(session, text)?;
    if flags.has("blocking") {
        ask = wait::wait_attached(session, &ask, None)?.unwrap_or(ask);
    }
    let as_json = flags.has("json");
    if ask.outcome().is_none() {
        return Ok(print_output(&session_text(&ask, as_json)));
    }
    let asker = ask.request.asker.clone();
    let write = |ask: &Ask| CliOutput { stdout: session_text(ask, as_json), ..CliOutput::default() };
    let name = if as_json { "auq fetch-answers --json" } else { "auq fetch-answers" };
    Ok(delivery::deliver(session, &asker, &ask, OutcomeFormat { name, render: &write })?)
}

fn session_text(ask: &Ask, as_json: bool) -> String {
    if as_json {
        let session = auq::AuqSession { ask, age: "" };
        return format!("{:#}", session.fetched_json(cli_session::now()));
    }
    let time_left = ask
        .due_at()
        .map(|deadline| Duration::try_from(deadline.duration_since(cli_session::now())).unwrap_or_default());
    auq::fetch_answers_text(ask.id, &ask.request.questionnaire, ask.outcome(), time_left)
}

fn list_unread(session: &CliSession, flags: &AuqFlags) -> Result<CommandExit, AuqError> {
    let mut rows = list_rows(session, &[AskStatus::Answered], None)?;
    rows.retain(|row| !row.delivered);
    let ages: Vec<_> = rows.iter().map(|row| format_age(row.created_at)).collect();
    let sessions = rows.iter().zip(&ages).map(|(row, age)| auq::AuqSessionSummary { row, age, stale: false });
    if flags.has("json") {
        return Ok(print_json(&sessions.map(|row| row.unread_json()).collect::<Value>()));
    }
    if rows.is_empty() {
        return Ok(print_output("No unread sessions."));
    }
    let mut lines = vec![format!("Unread sessions:\n\n{}", auq::AuqSessionSummary::UNREAD_HEADER)];
    lines.extend(sessions.map(|row| row.unread_line()));
    Ok(print_output(&lines.join("\n")))
}
