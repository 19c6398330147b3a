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
use std::collections::{BTreeMap, BTreeSet};

/// Largest number of SQLite's lines in the report.
const MAX_LINES: u32 = 100;

/// Checks everything in one read transaction.
///
/// # Errors
/// If the desk cannot be read at all.
pub(crate) fn check_desk(conn: &Connection, on_progress: OnProgress<'_>) -> Result<CheckReport, Problem> {
    conn.execute_batch("BEGIN").map_err(|error| database_problem(&error))?;
    let mut found = CheckReport::default();
    check_structure(conn, &mut found);
    let places = salvage::row_numbers(conn);
    let total = places.len() as u64;
    found.asks = total;
    let mut damaged = BTreeSet::new();
    for ((seq, id), done) in places.into_iter().zip(0..) {
        if done % 256 == 0 {
            on_progress(done, total);
        }
        if let Some(id) = find_damaged_ask(conn, seq, id) {
            damaged.insert(id);
        }
    }
    on_progress(total, total);
    check_log(conn, &mut damaged, &mut found);
    check_keys(conn, &mut found);
    check_threads(conn, &mut found);
    found.damaged_asks = damaged.into_iter().collect();
    conn.execute_batch("ROLLBACK").map_err(|error| database_problem(&error))?;
    Ok(found)
}

/// Checks pages, indexes and schema.
fn check_structure(conn: &Connection, found: &mut CheckReport) {
    let lines = conn.prepare(&format!("PRAGMA integrity_check({MAX_LINES})")).and_then(|mut statement| {
        statement.query_map([], |row| row.get::<_, String>(0))?.collect::<rusqlite::Result<Vec<_>>>()
    });
    match lines {
        Ok(lines) => found.file.extend(lines.into_iter().filter(|line| line != "ok")),
        Err(error) => found.file.push(error.to_string()),
    }
    let orphans = conn.prepare("PRAGMA foreign_key_check").and_then(|mut statement| {
        statement.query_map([], |row| row.get::<_, String>(0))?.collect::<rusqlite::Result<BTreeSet<_>>>()
    });
    match orphans {
        Ok(tables) => {
            found.file.extend(tables.iter().map(|table| format!("rows of {table} belong to nothing")));
        }
        Err(error) => found.file.push(error.to_string()),
    }
    match (schema::schema_sql(conn), schema::expected_schema_sql()) {
        (Ok(tables), Ok(expected)) if tables == expected => {}
        (Ok(_), Ok(_)) => found.file.push("the tables are not those of this format".to_owned()),
        (Err(error), _) | (_, Err(error)) => found.file.push(error.to_string()),
    }
}

/// Returns the id of the ask in this row if any part of it is damaged.
fn find_damaged_ask(conn: &Connection, seq: i64, id: Option<AskId>) -> Option<AskId> {
    let (row, _) = salvage::read_row(conn, seq, id);
    let is_sound = !row.damaged
        && conn
            .prepare_cached("SELECT pending FROM ask NOT INDEXED WHERE seq = ?1")
            .and_then(|mut statement| statement.query_row([seq], |row| row.get::<_, Option<i64>>(0)))
            .is_ok_and(|pending| pending == row.state.is_pending().then_some(1))
        && matches!(is_readable(conn, row.id), Ok(Some(true)))
        && drafts::read(conn, row.id).is_ok()
        && late_submissions::read_all(conn, row.id).is_ok()
        && check_renderings(conn, seq, row.id).is_ok();
    (!is_sound).then_some(row.id)
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

/// Visits all rows of a statement; notes each row that fails.
fn for_each_row(
    conn: &Connection,
    sql: &str,
    found: &mut CheckReport,
    mut each: impl FnMut(&SqlRow<'_>, &mut CheckReport) -> rusqlite::Result<()>,
) {
    let mut run = || -> rusqlite::Result<()> {
        let mut statement = conn.prepare(sql)?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            if let Err(error) = each(row, found) {
                let text = find_damage(&error).map_or_else(|| error.to_string(), ToString::to_string);
                found.add_other_damage(text);
            }
        }
        Ok(())
    };
    if let Err(error) = run() {
        found.add_other_damage(error.to_string());
    }
}

fn check_log(conn: &Connection, damaged: &mut BTreeSet<AskId>, found: &mut CheckReport) {
    for_each_row(conn, "SELECT id, at, events, sum FROM change", found, |row, _| {
        let id = column_values::read_id(row, 0)?;
        let events: String = row.get(2)?;
        if !checksum::matches_stored(row.get(3)?, checksum::change_sum(id, row.get(1)?, &events)) {
            damaged.insert(id);
        }
        Ok(())
    });
}

fn check_keys(conn: &Connection, found: &mut CheckReport) {
    let sql = "SELECT id, owner, key, request, key.sum FROM key LEFT JOIN ask ON ask.seq = key.seq";
    for_each_row(conn, sql, found, |row, _| {
        let key: String = row.get(2)?;
        let id = column_values::read_id(row, 0)?;
        let sum = checksum::key_sum(id, &row.get::<_, String>(1)?, &key, &row.get::<_, Vec<u8>>(3)?);
        checksum::verify(row, 4, sum, &RowDamage::Key(key))
    });
}

/// Returns whether an event of a thread has the checksum that is stored.
fn is_event_sound(row: &SqlRow<'_>, thread: &str) -> rusqlite::Result<bool> {
    let (kind, tool): (String, String) = (row.get(2)?, row.get(3)?);
    let ask: Option<Vec<u8>> = row.get(4)?;
    let numbers = [row.get(1)?, row.get(5)?];
    let sum = checksum::thread_event_sum(thread, numbers, [&kind, &tool], ask.as_deref());
    Ok(checksum::matches_stored(row.get(6)?, sum))
}

fn check_threads(conn: &Connection, found: &mut CheckReport) {
    let mut damaged = BTreeMap::new();
    for_each_row(conn, "SELECT thread, by_person, content, sum FROM said", found, |row, _| {
        let thread: String = row.get(0)?;
        let sum = checksum::message_sum(&thread, row.get(1)?, &row.get::<_, String>(2)?);
        let is_sound = checksum::matches_stored(row.get(3)?, sum);
        if !is_sound {
            damaged.insert(thread, ());
        }
        Ok(())
    });
    let sql = "SELECT thread, said, kind, tool, ask, opens, sum FROM thread_event";
    for_each_row(conn, sql, found, |row, _| {
        let thread: String = row.get(0)?;
        if !is_event_sound(row, &thread).unwrap_or_default() {
            damaged.insert(thread, ());
        }
        Ok(())
    });
    for thread in damaged.into_keys() {
        found.add_other_damage(RowDamage::Thread(thread).to_string());
    }
}
