//! `auq sessions`: lists sessions, shows one, and dismisses one.

use super::{Flags, Stop, age, find, print, print_done, print_json, rows};
use crate::exit::Exit;
use crate::session::{self, Session};
use jiff::SignedDuration;
use sayso_core::row::Standing;
use sayso_core::{Ask, Command, Who};
use sayso_dialects::auq;
use serde_json::{Value, json};

/// Age at which a waiting session is stale.
const STALE: SignedDuration = SignedDuration::from_hours(2);

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

pub(super) fn run(session: &Session, mut args: Vec<String>) -> Result<Exit, Stop> {
    let subcommand = if args.is_empty() { None } else { Some(args.remove(0)) };
    match subcommand.as_deref() {
        Some("list") => list(session, args),
        Some("show") => show(session, args),
        Some("dismiss") => dismiss(session, args),
        other => {
            let printed = print(USAGE);
            Ok(if other.is_some() { Exit::Wrong } else { printed })
        }
    }
}

fn is_stale(created_at: jiff::Timestamp) -> bool {
    session::now().duration_since(created_at) > STALE
}

fn list(session: &Session, args: Vec<String>) -> Result<Exit, Stop> {
    let flags = Flags::read(args, &["json", "pending", "stale", "all"], &["limit", "page"])?;
    let states: &[Standing] = if flags.has("all") { &Standing::ALL } else { &[] };
    let only_stale = flags.has("stale") && !flags.has("all");
    let mut rows = rows(session, states, None)?;
    rows.retain(|row| !only_stale || is_stale(row.created_at));
    let ages: Vec<_> = rows.iter().map(|row| age(row.created_at)).collect();
    let listed: Vec<_> = rows
        .iter()
        .zip(&ages)
        .map(|(row, age)| auq::SessionRow { row, age, stale: is_stale(row.created_at) })
        .collect();
    let total = listed.len();
    let number = |name: &str| flags.value(name).and_then(|value| value.parse::<usize>().ok());
    let limit = number("limit").map_or_else(|| total.max(1), |limit| limit.max(1));
    let page = number("page").map_or(1, |page| page.max(1));
    let listed: Vec<_> = listed.into_iter().skip((page - 1).saturating_mul(limit)).take(limit).collect();
    if flags.has("json") {
        let items: Value = listed.iter().map(auq::SessionRow::json).collect();
        let pagination =
            json!({ "page": page, "limit": limit, "total": total, "totalPages": total.div_ceil(limit) });
        return Ok(print_json(&json!({ "items": items, "pagination": pagination })));
    }
    if listed.is_empty() {
        return Ok(print("No sessions found."));
    }
    let lines: Vec<_> = listed.iter().map(auq::SessionRow::line).collect();
    Ok(print(&lines.join("\n")))
}

/// Returns the session that the arguments name.
fn named(session: &Session, flags: &Flags, usage: &str) -> Result<Ask, Stop> {
    let missing = || Stop::Refused(format!("Missing session ID. Usage: auq sessions {usage}"));
    find(session, flags.argument(0).ok_or_else(missing)?)
}

fn show(session: &Session, args: Vec<String>) -> Result<Exit, Stop> {
    let flags = Flags::read(args, &["json"], &[])?;
    let ask = named(session, &flags, "show <sessionId> [--json]")?;
    let shown = auq::Session { ask: &ask, age: &age(ask.request.created_at) };
    Ok(if flags.has("json") { print_json(&shown.json()) } else { print(&shown.text()) })
}

/// Cancels the ask of a session. There are no session files to archive, and the ask stays in the history.
fn dismiss(session: &Session, args: Vec<String>) -> Result<Exit, Stop> {
    let flags = Flags::read(args, &["json", "force"], &[])?;
    let ask = named(session, &flags, "dismiss <sessionId> [--force] [--json]")?;
    if !is_stale(ask.request.created_at) && !flags.has("force") {
        return Err(Stop::Refused("Session is not stale. Use --force to dismiss anyway.".to_owned()));
    }
    let asker = Who::Asker(ask.request.asker.clone());
    session.desk()?.act(&asker, ask.id, None, Command::Cancel)?;
    Ok(print_done(&flags, &ask, None, "dismissed."))
}
