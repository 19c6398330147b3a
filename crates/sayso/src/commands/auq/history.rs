//! `auq history`: lists past and waiting sessions, and shows one.

use super::{Flags, Stop, age, find, print, print_json, rows};
use crate::exit::Exit;
use crate::session::Session;
use sayso_core::Ask;
use sayso_core::row::Standing;
use sayso_dialects::auq;
use serde_json::Value;

/// Default number of listed sessions.
const USUAL: usize = 20;

pub(super) fn run(session: &Session, args: Vec<String>) -> Result<Exit, Stop> {
    let flags = Flags::read(args, &["json", "all", "unread"], &["limit", "search", "session"])?;
    match flags.argument(0) {
        Some("show") => show(session, &flags),
        Some(other) => Err(Stop::Usage(format!("Unexpected argument: {other}"))),
        None => list(session, &flags),
    }
}

fn list(session: &Session, flags: &Flags) -> Result<Exit, Stop> {
    let mut rows = rows(session, &Standing::ALL, flags.value("search"))?;
    let before = rows.len();
    rows.retain(|row| flags.has("all") || row.state != Standing::Cancelled);
    let hidden = before - rows.len();
    if let Some(beginning) = flags.value("session") {
        let beginning = beginning.to_ascii_lowercase();
        rows.retain(|row| {
            let called = [row.id.to_string(), row.id.handle()];
            called.iter().any(|name| name.starts_with(&beginning))
        });
        if rows.is_empty() {
            return not_found(&beginning, flags);
        }
    }
    rows.retain(|row| !flags.has("unread") || (row.state == Standing::Answered && !row.delivered));
    rows.truncate(flags.value("limit").and_then(|limit| limit.parse().ok()).unwrap_or(USUAL).max(1));
    let desk = session.desk()?;
    let asks = rows.iter().map(|row| Ok((desk.get(row.id)?, age(row.created_at))));
    let asks: Vec<(Ask, String)> = asks.collect::<Result<_, sayso_core::Problem>>()?;
    let listed = asks.iter().map(|(ask, age)| auq::Session { ask, age });
    if flags.has("json") {
        return Ok(print_json(&listed.map(|session| session.history_json()).collect::<Value>()));
    }
    if asks.is_empty() {
        return Ok(print("No sessions found."));
    }
    let mut lines = vec![auq::Session::HISTORY_HEADER.to_owned()];
    lines.extend(listed.map(|session| session.history_line()));
    if hidden > 0 {
        lines.push(format!("\n{} sessions shown ({hidden} abandoned hidden, use --all)", asks.len()));
    }
    Ok(print(&lines.join("\n")))
}

fn not_found(given: &str, flags: &Flags) -> Result<Exit, Stop> {
    if flags.has("json") {
        print_json(&Value::Array(Vec::new()));
        return Ok(Exit::Wrong);
    }
    Err(Stop::Plain(format!("Session not found: {given}")))
}

fn show(session: &Session, flags: &Flags) -> Result<Exit, Stop> {
    let plainly = |stop| match stop {
        Stop::Refused(words) => Stop::Plain(words),
        other => other,
    };
    let given = flags.argument(1).ok_or_else(|| {
        Stop::Plain("Missing session ID. Usage: auq history show <sessionId> [--json]".to_owned())
    })?;
    let ask = find(session, given).map_err(plainly)?;
    let shown = auq::Session { ask: &ask, age: &age(ask.request.created_at) };
    Ok(if flags.has("json") { print_json(&shown.record_json()) } else { print(&shown.record()) })
}
