//! Rows of lists, with their checksums.

use crate::store::logic::asks::UNKNOWN_ID;
use crate::store::logic::asks::list::{self, COLUMN_COUNT, COLUMNS, ListStatement};
use crate::store::sqlite::column_values::read_id;
use crate::store::sqlite::integrity::checksum;
use crate::store::sqlite::transaction;
use crate::store::sqlite::writer::job::JobError;
use rusqlite::{Connection, Row as SqlRow, params_from_iter};
use sayso_core::{AskId, AskSummary};

/// Returns the columns of a row, with its checksums at the end.
pub(crate) fn columns() -> String {
    format!("{COLUMNS}, fixed_sum, state_sum, draft_sum")
}

/// Finds the rows of a list, with their numbers.
pub(crate) fn find_rows(
    conn: &Connection,
    list: &ListStatement<'_>,
) -> rusqlite::Result<Vec<(i64, AskSummary)>> {
    let ListStatement { condition, order, limit, .. } = list;
    let columns = columns();
    let sql = format!("SELECT {columns} FROM ask WHERE {condition} {order} LIMIT {limit}");
    let mut statement = conn.prepare_cached(&transaction::numbered(&sql))?;
    let mut rows = statement.query(params_from_iter(condition.values()))?;
    let mut summaries = Vec::with_capacity(*limit);
    while let Some(row) = rows.next()? {
        summaries.push(read_row(row)?);
    }
    Ok(summaries)
}

/// Reads a row of a list; a damaged row is marked as such.
pub(crate) fn read_row(row: &SqlRow<'_>) -> rusqlite::Result<(i64, AskSummary)> {
    let id = read_id(row, 1).unwrap_or(UNKNOWN_ID);
    let summary = match read_sound_row(row, id) {
        Ok(Some(summary)) => summary,
        Ok(None) | Err(_) => AskSummary::damaged(id),
    };
    Ok((row.get(0)?, summary))
}

/// Reads a row, unless its state is unknown or a checksum does not match.
fn read_sound_row(row: &SqlRow<'_>, id: AskId) -> Result<Option<AskSummary>, JobError> {
    let stored = transaction::read_row(row)?;
    let Some(summary) = list::read_summary(&stored, id)? else { return Ok(None) };
    let draft_sum = checksum::draft_progress_sum(id, stored.get(8)?, stored.get(17)?, stored.get(18)?);
    let sums = [checksum::fixed_columns_sum(&summary), checksum::state_columns_sum(&summary), draft_sum];
    for (place, sum) in sums.into_iter().enumerate() {
        if !checksum::matches_stored(stored.get(COLUMN_COUNT + place)?, sum) {
            return Ok(None);
        }
    }
    Ok(Some(summary))
}

#[cfg(test)]
mod tests {
    use crate::contract::{answer, deliver, new_ask};
    use crate::desk::Desk as _;
    use crate::query::AskQuery;
    use crate::store::logic::asks::list;
    use crate::store::sqlite::tests::{copy_only_ask, desk, open_raw};
    use sayso_core::model::ask_summary::AskStatus;
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
        let page = list::page(&conn, query, None).ok().unwrap();
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
