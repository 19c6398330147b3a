//! Lists and lookup of short ids.

use super::audience_filter;
use super::search;
use crate::query::{AskPage, AskQuery, PageCursor};
use crate::store::IdScope;
use crate::store::sqlite::column_values::{UNKNOWN_ID, read_id};
use crate::store::sqlite::integrity::checksum;
use crate::store::stored_time::to_timestamp;
use jiff::Timestamp;
use rusqlite::types::Value;
use rusqlite::{Connection, Row as SqlRow, params_from_iter};
use sayso_core::model::actor::ProcessId;
use sayso_core::wire::json;
use sayso_core::{AskId, limits};
use sayso_core::{AskSummary, model::ask_summary::AskStatus};

/// Reads a row of a list; a damaged row is marked as such.
pub(crate) fn read_row(row: &SqlRow<'_>) -> rusqlite::Result<(i64, AskSummary)> {
    let id = read_id(row, 1).unwrap_or(UNKNOWN_ID);
    let read = read_sound_row(row, id).ok().flatten();
    Ok((row.get(0)?, read.unwrap_or_else(|| AskSummary::damaged(id))))
}

/// Reads a row, unless a checksum does not match.
fn read_sound_row(row: &SqlRow<'_>, id: AskId) -> rusqlite::Result<Option<AskSummary>> {
    let Some(state) = AskStatus::parse(row.get_ref(2)?.as_str()?) else { return Ok(None) };
    let pid: Option<u32> = row.get(12)?;
    let started: Option<i64> = row.get(13)?;
    let process =
        pid.map(|pid| ProcessId { pid, started: started.and_then(|s| u64::try_from(s).ok()).unwrap_or(0) });
    let (questions, answered, asked): (u32, u32, Option<u32>) = (row.get(7)?, row.get(8)?, row.get(17)?);
    let rev: i64 = row.get(18)?;
    let act: Option<String> = row.get(25)?;
    let read = AskSummary {
        id,
        state,
        title: row.get(3)?,
        approved: row.get(26)?,
        act: act.and_then(|act| json::read_own(&act).ok()),
        asker: row.get(4)?,
        account: row.get(19)?,
        program: row.get(23)?,
        audience: audience_filter::read_audience(row, 24)?,
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
        created_at: to_timestamp(row.get(14)?),
        changed_at: to_timestamp(row.get(15)?),
        deadline: row.get::<_, Option<i64>>(16)?.map(to_timestamp),
        damaged: false,
    };
    let sums = [
        (20, checksum::fixed_columns_sum(&read)),
        (21, checksum::state_columns_sum(&read)),
        (22, checksum::draft_progress_sum(id, answered.into(), asked.map(i64::from), rev)),
    ];
    for (column, sum) in sums {
        if !checksum::matches_stored(row.get(column)?, sum) {
            return Ok(None);
        }
    }
    Ok(Some(read))
}

pub(crate) const COLUMNS: &str = "seq, id, state, title, asker, folder, dialect, questions, answered, seen, delivered, attached, \
                       pid, started, created_at, changed_at, due_at, asked, draft_rev, account, \
                       fixed_sum, state_sum, draft_sum, program, ask.audience, act, approved";

/// Reads one page. Pending asks come in the order they were opened, others newest first. The additional condition on
/// `pending` lets an index serve either, in its order.
pub(crate) fn page(
    conn: &Connection,
    query: &AskQuery,
    without_due: Option<Timestamp>,
) -> rusqlite::Result<AskPage> {
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
        let known: Vec<_> = AskStatus::ALL.iter().map(|state| format!("'{}'", state.as_str())).collect();
        let (words, known) = (words.join(", "), known.join(", "));
        sql.push_str(&format!(" AND (state IN ({words}) OR state NOT IN ({known}))"));
    }
    let (clause, of_reader) = audience_filter::condition(&query.reader);
    sql.push_str(&format!(" AND {clause}"));
    values.extend(of_reader);
    if let Some(words) = &query.search {
        for (clause, found) in search::word_conditions(words) {
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
    if let Some(due) = without_due {
        sql.push_str(" AND (due_at IS NULL OR due_at > ?)");
        values.push(Value::Integer(due.as_microsecond()));
    }
    if let Some(after) = query.after {
        sql.push_str(if pending { " AND seq > ?" } else { " AND seq < ?" });
        values.push(Value::Integer(after.0));
    }
    sql.push_str(if pending { " ORDER BY seq LIMIT ?" } else { " ORDER BY seq DESC LIMIT ?" });
    values.push(Value::Integer(i64::try_from(most).unwrap_or(i64::MAX) + 1));
    let mut statement = conn.prepare_cached(&sql)?;
    let mut found = statement.query(params_from_iter(values))?;
    let (mut rows, mut last) = (Vec::with_capacity(most), None);
    while let Some(row) = found.next()? {
        if rows.len() == most {
            return Ok(AskPage { rows, next: last, for_others: 0 });
        }
        let (seq, read) = read_row(row)?;
        last = Some(PageCursor(seq));
        // The index is not trusted: it may lead to an ask for others.
        if read.damaged || query.reader.may_see(read.account.as_deref(), read.audience.as_ref()) {
            rows.push(read);
        }
    }
    Ok(AskPage { rows, next: None, for_others: 0 })
}

/// Largest number of candidates for a short id.
const MAX_CANDIDATES: usize = 6;

/// Finds the asks that a full id, an id prefix or a handle prefix matches.
pub(crate) fn find(conn: &Connection, given: &str, scope: IdScope<'_>) -> rusqlite::Result<Vec<AskId>> {
    let (is_visible, of_reader) = audience_filter::condition(scope.reader);
    let ids = |sql: &str, values: Vec<Value>| -> rusqlite::Result<Vec<AskId>> {
        let values = values.into_iter().chain(of_reader.iter().cloned());
        conn.prepare_cached(sql)?.query_map(params_from_iter(values), |row| read_id(row, 0))?.collect()
    };
    if let Some(id) = AskId::parse(given) {
        let sql = format!("SELECT id FROM ask WHERE id = ? AND {is_visible}");
        return ids(&sql, vec![Value::Blob(id.as_bytes().to_vec())]);
    }
    let digits: String = given.chars().filter(|c| *c != '-').collect::<String>().to_ascii_uppercase();
    let Some((first, last)) = id_range(&digits) else { return Ok(Vec::new()) };
    let pending = if scope.pending_only { "pending = 1 AND" } else { "" };
    let [first, last] = [first, last].map(|id| Value::Blob(id.to_vec()));
    let sql = format!(
        "SELECT id FROM ask WHERE {pending} id BETWEEN ? AND ? AND {is_visible} LIMIT {MAX_CANDIDATES}"
    );
    let mut found = ids(&sql, vec![first.clone(), last.clone()])?;
    if digits.len() <= AskId::SHORT_ID_CHARS {
        let sql = format!(
            "SELECT id FROM ask WHERE {pending} substr(hex(id), 25, ?) = ? AND id NOT BETWEEN ? AND ? \
             AND {is_visible} LIMIT {}",
            MAX_CANDIDATES.saturating_sub(found.len())
        );
        let length = Value::Integer(i64::try_from(digits.len()).unwrap_or(i64::MAX));
        found.extend(ids(&sql, vec![length, Value::Text(digits), first, last])?);
    }
    Ok(found)
}

/// Returns the first and the last id with this hexadecimal prefix, if it is a valid one.
pub(crate) fn id_range(digits: &str) -> Option<([u8; 16], [u8; 16])> {
    if digits.len() < 2 || digits.len() > 32 || !digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
        return None;
    }
    let with = |filling: String| u128::from_str_radix(&filling, 16).ok().map(u128::to_be_bytes);
    with(format!("{digits:0<32}")).zip(with(format!("{digits:F<32}")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::{answer, deliver, new_ask};
    use crate::desk::Desk as _;
    use crate::store::sqlite::tests::{copy_only_ask, desk, open_raw};
    use sayso_core::{AskReader, Asker, NewAsk};
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use tempfile::TempDir;

    /// Returns SQLite's virtual machine steps to list the newest ended asks of an account that has this many.
    fn list_steps(asks: i64, query: &AskQuery) -> usize {
        let folder = TempDir::new().unwrap();
        let path = folder.path().join("desk");
        let desk = desk(&path);
        let asker = Asker { account: Some("ci".to_owned()), ..new_ask("door").asker };
        let ask = desk.open(None, NewAsk { asker, ..new_ask("door") }).unwrap().into_ask();
        answer(&desk, &ask);
        deliver(&desk, &ask);
        copy_only_ask(&path, asks);
        let mut conn = open_raw(&path);
        let steps = Arc::new(AtomicUsize::new(0));
        let counted = steps.clone();
        let count = move || {
            counted.fetch_add(1, Ordering::Relaxed);
            false
        };
        conn.progress_handler(1, Some(count)).unwrap();
        let page = page(&conn, query, None).unwrap();
        assert_eq!(page.rows.len(), 5);
        steps.load(Ordering::Relaxed)
    }

    #[test]
    fn page_cost_is_independent_of_asks() {
        let states = AskStatus::settled().collect();
        let all = AskQuery { states, rows: Some(5), ..AskQuery::default() };
        let reader = AskReader::Asker { account: "ci".to_owned() };
        let of_account = AskQuery { reader, ..all.clone() };
        for query in [all, of_account] {
            let [few, lots] = [20, 2_000].map(|asks| list_steps(asks, &query));
            assert!(lots < few + 100, "{few} {lots}: {query:?}");
        }
    }
}
