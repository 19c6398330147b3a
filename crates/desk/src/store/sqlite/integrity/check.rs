//! Integrity check of a whole desk: SQLite's own check, the schema, and every checksum.
//!
//! Damage of unused bytes (free pages, gaps within pages) may go unnoticed; nothing reads them.

use super::checksum;
use super::salvage;
use crate::store::reports::{CheckReport, OnProgress};
use crate::store::sqlite::asks::drafts;
use crate::store::sqlite::asks::late_submissions;
use crate::store::sqlite::asks::request_cache::RequestCache;
use crate::store::sqlite::asks::{ask_rows, renderings};
use crate::store::sqlite::column_values;
use crate::store::sqlite::error::{RowDamage, database_problem, find_damage};
use crate::store::sqlite::schema;
use rusqlite::{Connection, Row as SqlRow};
use sayso_core::{AskId, Problem};
use std::collections::BTreeSet;

/// Largest number of SQLite's lines in the report.
const MAX_LINES: u32 = 100;

/// Checks everything in one read transaction.
///
/// # Errors
/// If the desk cannot be read at all.
pub(crate) fn check_desk(conn: &Connection, on_progress: OnProgress<'_>) -> Result<CheckReport, Problem> {
    conn.execute_batch("BEGIN").map_err(database_problem)?;
    let mut report = CheckReport::default();
    check_structure(conn, &mut report);
    let places = salvage::row_numbers(conn);
    let total = places.len() as u64;
    report.asks = total;
    let mut damaged_asks = BTreeSet::new();
    for ((seq, id), place) in places.into_iter().zip(0..) {
        if place % 256 == 0 {
            on_progress(place, total);
        }
        if let Some(id) = find_damaged_ask(conn, seq, id) {
            damaged_asks.insert(id);
        }
    }
    on_progress(total, total);
    check_log(conn, &mut damaged_asks, &mut report);
    check_keys(conn, &mut report);
    check_threads(conn, &mut report);
    report.damaged_asks = damaged_asks.into_iter().collect();
    conn.execute_batch("ROLLBACK").map_err(database_problem)?;
    Ok(report)
}

/// Checks pages, indexes and schema.
fn check_structure(conn: &Connection, report: &mut CheckReport) {
    match read_texts(conn, &format!("PRAGMA integrity_check({MAX_LINES})")) {
        Ok(lines) => report.file.extend(lines.into_iter().filter(|line| line != "ok")),
        Err(error) => report.file.push(error.to_string()),
    }
    match read_texts(conn, "PRAGMA foreign_key_check") {
        Ok(tables) => {
            for table in BTreeSet::from_iter(tables) {
                report.file.push(format!("rows of {table} belong to nothing"));
            }
        }
        Err(error) => report.file.push(error.to_string()),
    }
    match (schema::schema_sql(conn), schema::expected_schema_sql()) {
        (Ok(tables), Ok(new_tables)) if tables == new_tables => {}
        (Ok(_), Ok(_)) => report.file.push("the tables are not those of this format".to_owned()),
        (Err(error), _) | (_, Err(error)) => report.file.push(error.to_string()),
    }
}

/// Reads the texts in the first column of a statement.
fn read_texts(conn: &Connection, sql: &str) -> rusqlite::Result<Vec<String>> {
    conn.prepare(sql)?.query_map([], |row| row.get(0))?.collect()
}

/// Returns the id of the ask in this row if any part of it is damaged.
fn find_damaged_ask(conn: &Connection, seq: i64, id: Option<AskId>) -> Option<AskId> {
    let (row, _) = salvage::read_row(conn, seq, id);
    let expected_pending = if row.state.is_pending() { Some(1) } else { None };
    let is_sound = !row.damaged
        && matches!(read_pending(conn, seq), Ok(pending) if pending == expected_pending)
        && matches!(is_readable(conn, row.id), Ok(Some(true)))
        && drafts::read(conn, row.id).is_ok()
        && late_submissions::read_all(conn, row.id).is_ok()
        && check_renderings(conn, seq, row.id).is_ok();
    if is_sound { None } else { Some(row.id) }
}

fn read_pending(conn: &Connection, seq: i64) -> rusqlite::Result<Option<i64>> {
    let sql = "SELECT pending FROM ask NOT INDEXED WHERE seq = ?1";
    conn.prepare_cached(sql)?.query_row([seq], |row| row.get(0))
}

/// Returns whether the request and the state of an ask can be read; `None` without a row.
fn is_readable(conn: &Connection, id: AskId) -> rusqlite::Result<Option<bool>> {
    // A cached request would hide a damaged one.
    let requests = RequestCache::default();
    Ok(ask_rows::read(conn, &requests, id)?.map(|stored| stored.into_ask(&requests).is_ok()))
}

fn check_renderings(conn: &Connection, seq: i64, id: AskId) -> rusqlite::Result<()> {
    let mut statement = conn.prepare_cached("SELECT body, sum, form FROM rendering WHERE seq = ?1")?;
    let mut rows = statement.query([seq])?;
    while let Some(row) = rows.next()? {
        renderings::read_body(row, id, &row.get::<_, String>(2)?)?;
    }
    Ok(())
}

/// Checks all rows of a statement; adds each row that fails to the report.
fn check_rows(
    conn: &Connection,
    sql: &str,
    report: &mut CheckReport,
    mut check_row: impl FnMut(&SqlRow<'_>) -> rusqlite::Result<()>,
) {
    if let Err(error) = try_check_rows(conn, sql, report, &mut check_row) {
        report.add_other_damage(error.to_string());
    }
}

fn try_check_rows(
    conn: &Connection,
    sql: &str,
    report: &mut CheckReport,
    check_row: &mut dyn FnMut(&SqlRow<'_>) -> rusqlite::Result<()>,
) -> rusqlite::Result<()> {
    let mut statement = conn.prepare(sql)?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        if let Err(error) = check_row(row) {
            report.add_other_damage(match find_damage(&error) {
                Some(damage) => damage.to_string(),
                None => error.to_string(),
            });
        }
    }
    Ok(())
}

fn check_log(conn: &Connection, damaged_asks: &mut BTreeSet<AskId>, report: &mut CheckReport) {
    check_rows(conn, "SELECT id, at, events, sum FROM change", report, |row| {
        let id = column_values::read_id(row, 0)?;
        let events: String = row.get(2)?;
        if !checksum::matches_stored(row.get(3)?, checksum::change_sum(id, row.get(1)?, &events)) {
            damaged_asks.insert(id);
        }
        Ok(())
    });
}

fn check_keys(conn: &Connection, report: &mut CheckReport) {
    let sql = "SELECT id, owner, key, request, key.sum FROM key LEFT JOIN ask ON ask.seq = key.seq";
    check_rows(conn, sql, report, |row| {
        let key: String = row.get(2)?;
        let id = column_values::read_id(row, 0)?;
        let sum = checksum::key_sum(id, &row.get::<_, String>(1)?, &key, &row.get::<_, Vec<u8>>(3)?);
        checksum::verify(row, 4, sum, &RowDamage::Key(key))
    });
}

/// Returns whether an event of a thread has the checksum that is stored.
fn is_event_sound(row: &SqlRow<'_>, thread: &str) -> rusqlite::Result<bool> {
    let kind: String = row.get(2)?;
    let tool: String = row.get(3)?;
    let ask: Option<Vec<u8>> = row.get(4)?;
    let numbers = [row.get(1)?, row.get(5)?];
    let sum = checksum::thread_event_sum(thread, numbers, [&kind, &tool], ask.as_deref());
    Ok(checksum::matches_stored(row.get(6)?, sum))
}

fn check_threads(conn: &Connection, report: &mut CheckReport) {
    let mut damaged_threads = BTreeSet::new();
    check_rows(conn, "SELECT thread, by_person, content, sum FROM said", report, |row| {
        let thread: String = row.get(0)?;
        let sum = checksum::message_sum(&thread, row.get(1)?, &row.get::<_, String>(2)?);
        if !checksum::matches_stored(row.get(3)?, sum) {
            damaged_threads.insert(thread);
        }
        Ok(())
    });
    let sql = "SELECT thread, said, kind, tool, ask, opens, sum FROM thread_event";
    check_rows(conn, sql, report, |row| {
        let thread: String = row.get(0)?;
        if !is_event_sound(row, &thread).unwrap_or_default() {
            damaged_threads.insert(thread);
        }
        Ok(())
    });
    for thread in damaged_threads {
        report.add_other_damage(RowDamage::Thread(thread).to_string());
    }
}
