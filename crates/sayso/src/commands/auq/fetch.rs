//! `auq fetch-answers`: prints the answers of a session, or lists the sessions whose answers have not been fetched.

use super::{Flags, Stop, age, find, print, print_json, rows};
use crate::commands::wait;
use crate::delivery::{self, Form};
use crate::exit::Exit;
use crate::session::{self, Session};
use sayso_core::Ask;
use sayso_core::row::Standing;
use sayso_dialects::{Written, auq};
use serde_json::Value;

const NO_SESSION: &str = "--blocking requires a session ID.

Usage:
  auq fetch-answers <session-id> [--blocking] [--json]
  auq fetch-answers --unread [--json]";

pub(super) fn run(session: &Session, args: Vec<String>) -> Result<Exit, Stop> {
    let flags = Flags::read(args, &["json", "blocking", "unread"], &[])?;
    match flags.argument(0) {
        None if flags.has("blocking") => Err(Stop::Refused(NO_SESSION.to_owned())),
        Some(given) if !flags.has("unread") => fetch(session, given, &flags),
        _ => unread(session, &flags),
    }
}

fn fetch(session: &Session, given: &str, flags: &Flags) -> Result<Exit, Stop> {
    let mut ask = find(session, given)?;
    if flags.has("blocking") {
        ask = wait::settled(session, &ask, None)?.unwrap_or(ask);
    }
    let as_json = flags.has("json");
    let told = |ask: &Ask| {
        if as_json {
            let session = auq::Session { ask, age: "" };
            return format!("{:#}", session.fetched(session::now()));
        }
        auq::status(ask.id, &ask.request.questionnaire, ask.outcome())
    };
    if ask.outcome().is_none() {
        return Ok(print(&told(&ask)));
    }
    let asker = ask.request.asker.clone();
    let write = |ask: &Ask| Written { stdout: told(ask), ..Written::default() };
    let name = if as_json { "auq fetch-answers --json" } else { "auq fetch-answers" };
    Ok(delivery::deliver(session, &asker, &ask, Form { name, write: &write })?)
}

fn unread(session: &Session, flags: &Flags) -> Result<Exit, Stop> {
    let mut rows = rows(session, &[Standing::Answered], None)?;
    rows.retain(|row| !row.delivered);
    let ages: Vec<_> = rows.iter().map(|row| age(row.created_at)).collect();
    let listed = rows.iter().zip(&ages).map(|(row, age)| auq::SessionRow { row, age, stale: false });
    if flags.has("json") {
        return Ok(print_json(&listed.map(|row| row.unread_json()).collect::<Value>()));
    }
    if rows.is_empty() {
        return Ok(print("No unread sessions."));
    }
    let mut lines = vec![format!("Unread sessions:\n\n{}", auq::SessionRow::UNREAD_HEADER)];
    lines.extend(listed.map(|row| row.unread_line()));
    Ok(print(&lines.join("\n")))
}
