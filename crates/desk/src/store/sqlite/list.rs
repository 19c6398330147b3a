//! Lists and lookup of short ids.

use super::checksum;
use crate::query::{Page, Place, Query};
use crate::store::Among;
use jiff::Timestamp;
use rusqlite::types::Value;
use rusqlite::{Connection, Row as SqlRow, params, params_from_iter};
use sayso_core::row::{Row, Standing};
use sayso_core::who::Process;
use sayso_core::{AskId, limits};

pub(super) fn id_of(row: &SqlRow<'_>, column: usize) -> rusqlite::Result<AskId> {
    let bytes: Vec<u8> = row.get(column)?;
    AskId::from_bytes(&bytes).ok_or(rusqlite::Error::InvalidColumnType(
        column,
        "id".into(),
        rusqlite::types::Type::Blob,
    ))
}

pub(super) fn time(micros: i64) -> Timestamp {
    Timestamp::from_microsecond(micros).unwrap_or(Timestamp::UNIX_EPOCH)
}

/// Id shown for an ask whose id itself is damaged.
pub(super) const UNKNOWN: AskId = AskId::new(uuid::Uuid::nil());

/// Reads a row of a list; a damaged row is marked as such.
pub(super) fn row_of(row: &SqlRow<'_>) -> rusqlite::Result<(i64, Row)> {
    let id = id_of(row, 1).unwrap_or(UNKNOWN);
    let read = sound_row(row, id).ok().flatten();
    Ok((row.get(0)?, read.unwrap_or_else(|| Row::damaged(id))))
}

/// Reads a row, unless a checksum does not match.
fn sound_row(row: &SqlRow<'_>, id: AskId) -> rusqlite::Result<Option<Row>> {
    let state: String = row.get(2)?;
    let Some(state) = Standing::parse(&state) else { return Ok(None) };
    let pid: Option<u32> = row.get(12)?;
    let started: Option<i64> = row.get(13)?;
    let process =
        pid.map(|pid| Process { pid, started: started.and_then(|s| u64::try_from(s).ok()).unwrap_or(0) });
    let (questions, answered, asked): (u32, u32, Option<u32>) = (row.get(7)?, row.get(8)?, row.get(17)?);
    let rev: i64 = row.get(18)?;
    let read = Row {
        id,
        state,
        title: row.get(3)?,
        asker: row.get(4)?,
        account: row.get(19)?,
        program: row.get(23)?,
        folder: row.get(5)?,
        dialect: row.get(6)?,
        questions,
        asked: asked.unwrap_or(questions),
        answered: answered.min(asked.unwrap_or(questions)),
        drafted: rev > 0,
        seen: row.get(9)?,
        delivered: row.get(10)?,
        attached: row.get(11)?,
        process,
        created_at: time(row.get(14)?),
        changed_at: time(row.get(15)?),
        deadline: row.get::<_, Option<i64>>(16)?.map(time),
        damaged: false,
    };
    let sums = [
        (20, checksum::of_fixed(&read)),
        (21, checksum::of_state(&read)),
        (22, checksum::of_progress(id, answered.into(), asked.map(i64::from), rev)),
    ];
    for (column, sum) in sums {
        if !checksum::is_sound(row.get(column)?, sum) {
            return Ok(None);
        }
    }
    Ok(Some(read))
}

pub(super) const COLUMNS: &str = "seq, id, state, title, asker, folder, dialect, questions, answered, seen, delivered, attached, \
                       pid, started, created_at, changed_at, due_at, asked, draft_rev, account, \
                       fixed_sum, state_sum, draft_sum, program";

/// Reads one page. Pending asks come in the order they were opened, others newest first. The additional condition on
/// `pending` lets an index serve either, in its order.
pub(super) fn page(conn: &Connection, query: &Query) -> rusqlite::Result<Page> {
    let most = query.rows.unwrap_or(limits::LIST_ROWS).clamp(1, limits::LIST_ROWS);
    let pending = query.states.iter().all(|state| state.is_pending());
    let mut sql = format!("SELECT {COLUMNS} FROM ask WHERE ");
    let mut values: Vec<Value> = Vec::new();
    let ended = query.states.iter().all(|state| !state.is_pending());
    sql.push_str(if pending {
        "pending = 1"
    } else if ended {
        "pending IS NULL"
    } else {
        "1"
    });
    if !query.states.is_empty() {
        let words: Vec<_> = query.states.iter().map(|state| format!("'{}'", state.as_str())).collect();
        // An unknown state word is damage, and every list shows it as such.
        let known: Vec<_> = Standing::ALL.iter().map(|state| format!("'{}'", state.as_str())).collect();
        let (words, known) = (words.join(", "), known.join(", "));
        sql.push_str(&format!(" AND (state IN ({words}) OR state NOT IN ({known}))"));
    }
    if let Some(account) = &query.account {
        sql.push_str(" AND account = ?");
        values.push(Value::Text(account.clone()));
    }
    if let Some(words) = &query.search {
        for (clause, found) in super::search::clauses(words) {
            sql.push_str(&format!(" AND {clause}"));
            values.extend(found);
        }
    }
    if let Some(asker) = &query.asker {
        sql.push_str(" AND asker = ? AND folder IS ?");
        values.push(Value::Text(asker.name.clone()));
        values.push(asker.folder.clone().map_or(Value::Null, Value::Text));
    }
    if let Some(dialect) = &query.dialect {
        sql.push_str(" AND dialect = ?");
        values.push(Value::Text(dialect.clone()));
    }
    if query.undelivered {
        sql.push_str(" AND delivered = 0");
    }
    if let Some(after) = query.after {
        sql.push_str(if pending { " AND seq > ?" } else { " AND seq < ?" });
        values.push(Value::Integer(after.0));
    }
    sql.push_str(if pending { " ORDER BY seq LIMIT ?" } else { " ORDER BY seq DESC LIMIT ?" });
    values.push(Value::Integer(i64::try_from(most).unwrap_or(i64::MAX) + 1));
    let mut statement = conn.prepare_cached(&sql)?;
    let read =
        statement.query_map(params_from_iter(values), row_of)?.collect::<rusqlite::Result<Vec<_>>>()?;
    let next = (read.len() > most).then(|| read.get(most - 1).map(|(seq, _)| Place(*seq))).flatten();
    Ok(Page { rows: read.into_iter().take(most).map(|(_, row)| row).collect(), next, unindexed: 0 })
}

/// Largest number of candidates for a short id.
const CANDIDATES: i64 = 6;

/// Finds the asks that a full id, an id prefix or a handle prefix matches.
pub(super) fn find(conn: &Connection, given: &str, among: Among<'_>) -> rusqlite::Result<Vec<AskId>> {
    let of_account = if among.account.is_some() { "account = ?1" } else { "?1 IS NULL" };
    if let Some(id) = AskId::parse(given) {
        let sql = format!("SELECT id FROM ask WHERE {of_account} AND id = ?2");
        let mut statement = conn.prepare_cached(&sql)?;
        return statement.query_map(params![among.account, id.as_bytes()], |row| id_of(row, 0))?.collect();
    }
    let digits: String = given.chars().filter(|c| *c != '-').collect::<String>().to_ascii_uppercase();
    let Some((first, last)) = beginning_so(&digits) else { return Ok(Vec::new()) };
    let pending = if among.pending_only { "pending = 1 AND" } else { "" };
    let mut found: Vec<AskId> = conn
        .prepare_cached(&format!(
            "SELECT id FROM ask WHERE {pending} {of_account} AND id BETWEEN ?2 AND ?3 LIMIT ?4"
        ))?
        .query_map(params![among.account, first, last, CANDIDATES], |row| id_of(row, 0))?
        .collect::<rusqlite::Result<_>>()?;
    if digits.len() <= AskId::HANDLE_CHARS {
        let sql = format!(
            "SELECT id FROM ask WHERE {pending} {of_account} AND substr(hex(id), 25, ?3) = ?2 \
             AND id NOT BETWEEN ?4 AND ?5 LIMIT ?6"
        );
        let length = i64::try_from(digits.len()).unwrap_or(i64::MAX);
        let more = CANDIDATES.saturating_sub(i64::try_from(found.len()).unwrap_or(i64::MAX));
        let mut statement = conn.prepare_cached(&sql)?;
        let ids = statement
            .query_map(params![among.account, digits, length, first, last, more], |row| id_of(row, 0))?;
        for id in ids {
            found.push(id?);
        }
    }
    Ok(found)
}

/// Returns the first and the last id with this hexadecimal prefix, if it is a valid one.
pub(super) fn beginning_so(digits: &str) -> Option<([u8; 16], [u8; 16])> {
    if digits.len() < 2 || digits.len() > 32 || !digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
        return None;
    }
    let with = |filling: String| u128::from_str_radix(&filling, 16).ok().map(u128::to_be_bytes);
    with(format!("{digits:0<32}")).zip(with(format!("{digits:F<32}")))
}

#[cfg(test)]
mod tests {
    use super::super::tests::{desk, raw, repeat};
    use super::*;
    use crate::contract::{answer, deliver, new_ask};
    use crate::desk::Desk as _;
    use sayso_core::{Asker, NewAsk};
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use tempfile::TempDir;

    /// Returns SQLite's virtual machine steps to list the newest ended asks of an account that has this many.
    fn work(asks: i64, query: &Query) -> usize {
        let folder = TempDir::new().unwrap();
        let path = folder.path().join("desk");
        let desk = desk(&path);
        let asker = Asker { account: Some("ci".to_owned()), ..new_ask("door").asker };
        let ask = desk.open(None, NewAsk { asker, ..new_ask("door") }).unwrap().into_ask();
        answer(&desk, &ask);
        deliver(&desk, &ask);
        repeat(&path, asks);
        let mut conn = raw(&path);
        let steps = Arc::new(AtomicUsize::new(0));
        let counted = steps.clone();
        let count = move || {
            counted.fetch_add(1, Ordering::Relaxed);
            false
        };
        conn.progress_handler(1, Some(count)).unwrap();
        let page = page(&conn, query).unwrap();
        assert_eq!(page.rows.len(), 5);
        steps.load(Ordering::Relaxed)
    }

    #[test]
    fn page_cost_is_independent_of_asks() {
        let states = Standing::ended().collect();
        let all = Query { states, rows: Some(5), ..Query::default() };
        let of_account = Query { account: Some("ci".to_owned()), ..all.clone() };
        for query in [all, of_account] {
            let [few, lots] = [20, 2_000].map(|asks| work(asks, &query));
            assert!(lots < few + 100, "{few} {lots}: {query:?}");
        }
    }
}
