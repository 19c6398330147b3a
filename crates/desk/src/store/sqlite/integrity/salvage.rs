//! Fallback for lists of a desk with broken pages: reads ask by ask, so that an unreadable one hides no other. It
//! scans all asks, and runs only if the usual query fails.

use crate::query::{self, AskPage, AskQuery, PageCursor};
use crate::store::logic::asks::UNKNOWN_ID;
use crate::store::logic::asks::list::page_rows;
use crate::store::sqlite::asks::list;
use crate::store::sqlite::column_values;
use rusqlite::{Connection, Row as SqlRow};
use sayso_core::AskId;
use sayso_core::{AskReader, AskSummary};
use std::collections::BTreeMap;

/// Returns the row numbers of all asks that the table or the id index leads to, with the ids of the index.
pub(crate) fn row_numbers(conn: &Connection) -> BTreeMap<i64, Option<AskId>> {
    let mut found = BTreeMap::new();
    let ids = "SELECT seq, id FROM ask INDEXED BY sqlite_autoindex_ask_1 ORDER BY id";
    let table = "SELECT seq, NULL FROM ask NOT INDEXED ORDER BY seq";
    for sql in [ids, table] {
        // From both ends: each scan continues until the first broken page.
        for order in ["", " DESC"] {
            collect_rows(conn, &format!("{sql}{order}"), &mut found);
        }
    }
    found
}

fn collect_rows(conn: &Connection, sql: &str, found: &mut BTreeMap<i64, Option<AskId>>) {
    let Ok(mut statement) = conn.prepare(sql) else { return };
    let Ok(mut rows) = statement.query([]) else { return };
    while let Ok(Some(row)) = rows.next() {
        let Ok(seq) = row.get(0) else { continue };
        let id = column_values::read_id(row, 1).ok();
        let known = found.entry(seq).or_insert(id);
        *known = known.or(id);
    }
}

/// Reads the row of an ask with its account; marks an unreadable one as damaged.
pub(crate) fn read_row(conn: &Connection, seq: i64, id: Option<AskId>) -> (AskSummary, Option<String>) {
    let columns = list::columns();
    let sql = format!("SELECT {columns} FROM ask NOT INDEXED WHERE seq = ?1");
    let read = |row: &SqlRow<'_>| Ok((list::read_row(row)?.1, row.get::<_, Option<String>>(19)?));
    let found = conn.prepare_cached(&sql).and_then(|mut statement| statement.query_row([seq], read));
    match (found, id) {
        // The index leads to another ask, or this one has changed.
        (Ok((row, _)), Some(id)) if row.id != id => (AskSummary::damaged(id), None),
        (Ok(found), _) => found,
        (Err(_), id) => (AskSummary::damaged(id.unwrap_or(UNKNOWN_ID)), None),
    }
}

/// Returns one page, like that of a sound desk.
pub(crate) fn read_page(conn: &Connection, query: &AskQuery) -> AskPage {
    let most = page_rows(query);
    let is_pending = query.states.iter().all(|state| state.is_pending());
    let places = row_numbers(conn);
    let after = query.after.map(|after| after.0);
    let in_order: Box<dyn Iterator<Item = (i64, Option<AskId>)>> = if is_pending {
        Box::new(places.into_iter().filter(|(seq, _)| after.is_none_or(|after| *seq > after)))
    } else {
        Box::new(places.into_iter().rev().filter(|(seq, _)| after.is_none_or(|after| *seq < after)))
    };
    let mut rows = Vec::new();
    for (seq, id) in in_order {
        let (row, account) = read_row(conn, seq, id);
        if matches_query(&row, account.as_deref(), query) {
            rows.push((seq, row));
        }
        if rows.len() > most {
            break;
        }
    }
    let next = (rows.len() > most).then(|| rows.get(most - 1).map(|(seq, _)| PageCursor(*seq))).flatten();
    AskPage { rows: rows.into_iter().take(most).map(|(_, row)| row).collect(), next, for_others: 0 }
}

/// Returns whether a list includes a row. Unreadable ones are included for readers that see every ask.
fn matches_query(row: &AskSummary, account: Option<&str>, query: &AskQuery) -> bool {
    if row.damaged {
        return query.reader == AskReader::Desk;
    }
    let is_in_state = match query.states.as_slice() {
        [] => row.state.is_pending(),
        states => states.contains(&row.state),
    };
    let is_visible = query.reader.may_see(account, row.audience.as_ref());
    let act = row.act.as_ref().map(|act| act.object.as_str());
    let [folder, account, act] = [row.folder.as_deref(), account, act].map(Option::unwrap_or_default);
    let words = [&row.title, &row.asker, folder, account, act, &row.id.to_string()].join(" ").to_lowercase();
    is_in_state
        && is_visible
        && query.dialect.as_ref().is_none_or(|dialect| *dialect == row.dialect)
        && query.asker.as_ref().is_none_or(|asker| asker.name == row.asker && asker.folder == row.folder)
        && !(query.undelivered && row.delivered)
        && query
            .search
            .iter()
            .flat_map(|search| query::search_words(search))
            .all(|word| words.contains(&word.to_lowercase()))
}
