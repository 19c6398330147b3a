//! Fallback for lists of a desk with broken pages: reads ask by ask, so that an unreadable one hides no other. It
//! scans all asks, and runs only if the usual query fails.

use crate::query::{self, AskPage, AskQuery, PageCursor};
use crate::store::logic::asks::UNKNOWN_ID;
use crate::store::logic::asks::list::page_rows;
use crate::store::sqlite::asks::list;
use crate::store::sqlite::column_values;
use rusqlite::Connection;
use sayso_core::AskId;
use sayso_core::{AskReader, AskSummary};
use std::collections::BTreeMap;

/// Returns the row numbers of all asks that the table or the id index leads to, with the ids of the index.
pub(crate) fn row_numbers(conn: &Connection) -> BTreeMap<i64, Option<AskId>> {
    let mut places = BTreeMap::new();
    let ids = "SELECT seq, id FROM ask INDEXED BY sqlite_autoindex_ask_1 ORDER BY id";
    let table = "SELECT seq, NULL FROM ask NOT INDEXED ORDER BY seq";
    for sql in [ids, table] {
        // From both ends: each scan continues until the first broken page.
        for order in ["", " DESC"] {
            collect_rows(conn, &format!("{sql}{order}"), &mut places);
        }
    }
    places
}

fn collect_rows(conn: &Connection, sql: &str, places: &mut BTreeMap<i64, Option<AskId>>) {
    let Ok(mut statement) = conn.prepare(sql) else { return };
    let Ok(mut rows) = statement.query([]) else { return };
    while let Ok(Some(row)) = rows.next() {
        let Ok(seq) = row.get(0) else { continue };
        let entry = places.entry(seq).or_default();
        if entry.is_none() {
            *entry = column_values::read_id(row, 1).ok();
        }
    }
}

/// Reads the row of an ask with its account; marks an unreadable one as damaged.
pub(crate) fn read_row(conn: &Connection, seq: i64, id: Option<AskId>) -> (AskSummary, Option<String>) {
    let columns = list::columns();
    let sql = format!("SELECT {columns} FROM ask NOT INDEXED WHERE seq = ?1");
    let row = conn.prepare_cached(&sql).and_then(|mut statement| {
        statement.query_row([seq], |row| Ok((list::read_row(row)?.1, row.get(19)?)))
    });
    match (row, id) {
        // The index leads to another ask, or this one has changed.
        (Ok((summary, _)), Some(id)) if summary.id != id => (AskSummary::damaged(id), None),
        (Ok(row), _) => row,
        (Err(_), id) => (AskSummary::damaged(id.unwrap_or(UNKNOWN_ID)), None),
    }
}

/// Returns one page, like that of a sound desk.
pub(crate) fn read_page(conn: &Connection, query: &AskQuery) -> AskPage {
    let most = page_rows(query);
    let is_pending = query.states.iter().all(|state| state.is_pending());
    let mut places = Vec::from_iter(row_numbers(conn));
    if let Some(PageCursor(after)) = query.after {
        places.retain(|(seq, _)| if is_pending { *seq > after } else { *seq < after });
    }
    if !is_pending {
        places.reverse();
    }
    let mut page = AskPage::default();
    let mut last = None;
    for (seq, id) in places {
        let (row, account) = read_row(conn, seq, id);
        if !matches_query(&row, account.as_deref(), query) {
            continue;
        }
        if page.rows.len() == most {
            page.next = last;
            break;
        }
        page.rows.push(row);
        last = Some(PageCursor(seq));
    }
    page
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
    if !is_in_state || !is_visible || query.undelivered && row.delivered {
        return false;
    }
    if let Some(dialect) = &query.dialect
        && *dialect != row.dialect
    {
        return false;
    }
    if let Some(asker) = &query.asker
        && (asker.name != row.asker || asker.folder != row.folder)
    {
        return false;
    }
    match &query.search {
        Some(search) => has_words(row, account, search),
        None => true,
    }
}

fn has_words(row: &AskSummary, account: Option<&str>, search: &str) -> bool {
    let act = row.act.as_ref().map(|act| act.object.as_str());
    let [folder, account, act] = [row.folder.as_deref(), account, act].map(Option::unwrap_or_default);
    let text = [&row.title, &row.asker, folder, account, act, &row.id.to_string()].join(" ").to_lowercase();
    query::search_words(search).all(|word| text.contains(&word.to_lowercase()))
}
