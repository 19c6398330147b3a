//! `auq history`: lists past and waiting sessions, and shows one.

use super::{AuqError, AuqFlags, find_session, format_age, list_rows, print_json, print_output};
use crate::cli_session::CliSession;
use crate::output::exit::CommandExit;
use sayso_core::Ask;
use sayso_core::model::ask_summary::AskStatus;
use sayso_dialects::auq;
use serde_json::{Value, json};

pub(super) fn run(session: &CliSession, args: Vec<String>) -> Result<CommandExit, AuqError> {
    let flags = AuqFlags::parse(args, &["json", "all", "unread"], &["limit", "page", "search", "session"])?;
    match flags.positional_argument(0) {
        Some("show") => show_session(session, &flags),
        Some(other) => Err(AuqError::Usage(format!("Unexpected argument: {other}"))),
        None => list_history(session, &flags),
    }
}

fn list_history(session: &CliSession, flags: &AuqFlags) -> Result<CommandExit, AuqError> {
    let mut rows = list_rows(session, &AskStatus::ALL, flags.value("search"))?;
    let before = rows.len();
    rows.retain(|row| flags.has("all") || row.state != AskStatus::Cancelled);
    let hidden = before - rows.len();
    if let Some(beginning) = flags.value("session") {
        let beginning = beginning.to_ascii_lowercase();
        rows.retain(|row| {
            let called = [row.id.to_string(), row.id.short_id()];
            called.iter().any(|name| name.starts_with(&beginning))
        });
        if rows.is_empty() {
            return print_not_found(&beginning, flags);
        }
    }
    rows.retain(|row| !flags.has("unread") || (row.state == AskStatus::Answered && !row.delivered));
    let pagination = flags.list_page().select(&mut rows);
    let desk = session.desk()?;
    let asks = rows.iter().map(|row| Ok((desk.get(row.id)?, format_age(row.created_at))));
    let asks: Vec<(Ask, String)> = asks.collect::<Result<_, sayso_core::Problem>>()?;
    let listed = asks.iter().map(|(ask, age)| auq::AuqSession { ask, age });
    if flags.has("json") {
        let items: Value = listed.map(|session| session.history_json()).collect();
        return Ok(print_json(&json!({ "items": items, "pagination": pagination })));
    }
    if asks.is_empty() {
        return Ok(print_output("No sessions found."));
    }
    let mut lines = vec![auq::AuqSession::HISTORY_HEADER.to_owned()];
    lines.extend(listed.map(|session| session.history_line()));
    if hidden > 0 {
        lines.push(format!("\n{} sessions shown ({hidden} abandoned hidden, use --all)", asks.len()));
    }
    Ok(print_output(&lines.join("\n")))
}

fn print_not_found(given: &str, flags: &AuqFlags) -> Result<CommandExit, AuqError> {
    if flags.has("json") {
        let pagination = flags.list_page().select(&mut Vec::<Value>::new());
        print_json(&json!({ "items": [], "pagination": pagination }));
        return Ok(CommandExit::Wrong);
    }
    Err(AuqError::Plain(format!("Session not found: {given}")))
}

fn show_session(session: &CliSession, flags: &AuqFlags) -> Result<CommandExit, AuqError> {
    let plainly = |stop| match stop {
        AuqError::Refused(words) => AuqError::Plain(words),
        other => other,
    };
    let session_id = flags.positional_argument(1).ok_or_else(|| {
        AuqError::Plain("Missing session ID. Usage: auq history show <sessionId> [--json]".to_owned())
    })?;
    let ask = find_session(session, session_id).map_err(plainly)?;
    let auq_session = auq::AuqSession { ask: &ask, age: &format_age(ask.request.created_at) };
    Ok(if flags.has("json") {
        print_json(&auq_session.details_json())
    } else {
        print_output(&auq_session.details())
    })
}
