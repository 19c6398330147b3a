//! `auq sessions`: lists sessions, shows one, and dismisses one.

use super::{AuqError, AuqFlags, find_session, format_age, list_rows, print_done, print_json, print_output};
use crate::cli_session::{self, CliSession};
use crate::output::exit::CommandExit;
use jiff::SignedDuration;
use sayso_core::model::ask_summary::AskStatus;
use sayso_core::{Actor, Ask, AskCommand};
use sayso_dialects::auq;
use serde_json::{Value, json};

/// Age at which a waiting session is stale.
const STALE_AGE: SignedDuration = SignedDuration::from_hours(2);

const USAGE: &str = "\
Usage: auq sessions <subcommand>

Subcommands:
  list [--pending|--stale|--all] [--limit N] [--page N] [--json]
                                           List sessions
  show <sessionId> [--json]                Show session details
  dismiss <sessionId> [--force] [--json]   Take a session back

Examples:
  auq sessions list
  auq sessions list --stale --json
  auq sessions show <sessionId>
  auq sessions show <sessionId> --json
  auq sessions dismiss <sessionId>
  auq sessions dismiss <sessionId> --force";

pub(super) fn run(session: &CliSession, mut args: Vec<String>) -> Result<CommandExit, AuqError> {
    let subcommand = if args.is_empty() { None } else { Some(args.remove(0)) };
    match subcommand.as_deref() {
        Some("list") => list_sessions(session, args),
        Some("show") => show_session(session, args),
        Some("dismiss") => dismiss_session(session, args),
        other => {
            let printed = print_output(USAGE);
            Ok(if other.is_some() { CommandExit::Wrong } else { printed })
        }
    }
}

fn is_stale(created_at: jiff::Timestamp) -> bool {
    cli_session::now().duration_since(created_at) > STALE_AGE
}

fn list_sessions(session: &CliSession, args: Vec<String>) -> Result<CommandExit, AuqError> {
    let flags = AuqFlags::parse(args, &["json", "pending", "stale", "all"], &["limit", "page"])?;
    let states: &[AskStatus] = if flags.has("all") { &AskStatus::ALL } else { &[] };
    let only_stale = flags.has("stale") && !flags.has("all");
    let mut rows = list_rows(session, states, None)?;
    rows.retain(|row| !only_stale || is_stale(row.created_at));
    let pagination = flags.list_page().select(&mut rows);
    let ages: Vec<_> = rows.iter().map(|row| format_age(row.created_at)).collect();
    let listed: Vec<_> = rows
        .iter()
        .zip(&ages)
        .map(|(row, age)| auq::AuqSessionSummary { row, age, stale: is_stale(row.created_at) })
        .collect();
    if flags.has("json") {
        let items: Value = listed.iter().map(auq::AuqSessionSummary::json).collect();
        return Ok(print_json(&json!({ "items": items, "pagination": pagination })));
    }
    if listed.is_empty() {
        return Ok(print_output("No sessions found."));
    }
    let lines: Vec<_> = listed.iter().map(auq::AuqSessionSummary::line).collect();
    Ok(print_output(&lines.join("\n")))
}

/// Returns the session that the arguments name.
fn session_argument(session: &CliSession, flags: &AuqFlags, usage: &str) -> Result<Ask, AuqError> {
    let missing = || AuqError::Refused(format!("Missing session ID. Usage: auq sessions {usage}"));
    find_session(session, flags.positional_argument(0).ok_or_else(missing)?)
}

fn show_session(session: &CliSession, args: Vec<String>) -> Result<CommandExit, AuqError> {
    let flags = AuqFlags::parse(args, &["json"], &[])?;
    let ask = session_argument(session, &flags, "show <sessionId> [--json]")?;
    let auq_session = auq::AuqSession { ask: &ask, age: &format_age(ask.request.created_at) };
    Ok(if flags.has("json") { print_json(&auq_session.json()) } else { print_output(&auq_session.text()) })
}

/// Cancels the ask of a session. There are no session files to archive, and the ask stays in the history.
fn dismiss_session(session: &CliSession, args: Vec<String>) -> Result<CommandExit, AuqError> {
    let flags = AuqFlags::parse(args, &["json", "force"], &[])?;
    let ask = session_argument(session, &flags, "dismiss <sessionId> [--force] [--json]")?;
    if !is_stale(ask.request.created_at) && !flags.has("force") {
        return Err(AuqError::Refused("Session is not stale. Use --force to dismiss anyway.".to_owned()));
    }
    let asker = Actor::Asker(ask.request.asker.clone());
    session.desk()?.act(&asker, ask.id, None, AskCommand::CANCEL)?;
    Ok(print_done(&flags, &ask, None, "dismissed."))
}
