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
    let total = rows.len();
    if !flags.has("all") {
        rows.retain(|row| row.state != AskStatus::Cancelled);
    }
    let hidden_count = total - rows.len();
    if let Some(beginning) = flags.value("session") {
        let beginning = beginning.to_ascii_lowercase();
        rows.retain(|row| {
            row.id.to_string().starts_with(&beginning) || row.id.short_id().starts_with(&beginning)
        });
        if rows.is_empty() {
            return print_not_found(&beginning, flags);
        }
    }
    if flags.has("unread") {
        rows.retain(|row| row.state == AskStatus::Answered && !row.delivered);
    }
    let pagination = flags.list_page().select(&mut rows);
    let desk = session.desk()?;
    let mut asks: Vec<(Ask, String)> = Vec::with_capacity(rows.len());
    for row in &rows {
        asks.push((desk.get(row.id)?, format_age(row.created_at)));
    }
    let sessions = asks.iter().map(|(ask, age)| auq::AuqSession { ask, age });
    if flags.has("json") {
        let items: Value = sessions.map(|session| session.history_json()).collect();
        return Ok(print_json(&json!({ "items": items, "pagination": pagination })));
    }
    if asks.is_empty() {
        return Ok(print_output("No sessions found."));
    }
    let mut lines = vec![auq::AuqSession::HISTORY_HEADER.to_owned()];
    lines.extend(sessions.map(|session| session.history_line()));
    if hidden_count > 0 {
        lines.push(format!("\n{} sessions shown ({hidden_count} abandoned hidden, use --all)", asks.len()));
    }
    Ok(print_output(&lines.join("\n")))
}

fn print_not_found(beginning: &str, flags: &AuqFlags) -> Result<CommandExit, AuqError> {
    if flags.has("json") {
        let pagination = flags.list_page().select(&mut Vec::<Value>::new());
        print_json(&json!({ "items": [], "pagination": pagination }));
        return Ok(CommandExit::Wrong);
    }
    Err(AuqError::Plain(format!("Session not found: {beginning}")))
}

fn show_session(session: &CliSession, flags: &AuqFlags) -> Result<CommandExit, AuqError> {
    let Some(session_id) = flags.positional_argument(1) else {
        let words = "Missing session ID. Usage: auq history show <sessionId> [--json]";
        return Err(AuqError::Plain(words.to_owned()));
    };
    let ask = match find_session(session, session_id) {
        Ok(ask) => ask,
        Err(AuqError::Refused(words)) => return Err(AuqError::Plain(words)),
        Err(error) => return Err(error),
    };
    let auq_session = auq::AuqSession { ask: &ask, age: &format_age(ask.request.created_at) };
    Ok(if flags.has("json") {
        print_json(&auq_session.details_json())
    } else {
        print_output(&auq_session.details())
    })
}
