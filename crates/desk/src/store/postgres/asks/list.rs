//! Rows of lists, found by the indexes of the database.

use super::ask_sql::PostgresSql;
use crate::store::logic::asks::ask_sql::AskSql as _;
use crate::store::logic::asks::list::{COLUMNS, ListStatement};
use crate::store::logic::statements::StoreReader as _;
use crate::store::postgres::connection::Session;
use crate::store::postgres::error::WriteError;
use crate::store::row_value::StoredRow;
use sayso_core::AskReader;

/// Number of the next rows that are read without the index of readers. A reader of many asks finds a page among them.
const NEARBY_ROWS: usize = 1_000;

/// Finds the rows of a list.
pub(crate) fn find_rows(
    session: &Session<'_>,
    list: &ListStatement<'_>,
) -> Result<Vec<StoredRow>, WriteError> {
    let ListStatement { reader, scope, condition, order, limit, has_search } = list;
    let end = format!("{order} LIMIT {limit}");
    if let AskReader::Person { inherits, .. } = reader
        && !has_search
    {
        let nearby = format!("SELECT * FROM ask WHERE {scope} {order} LIMIT {NEARBY_ROWS}");
        let sql = format!("SELECT {COLUMNS} FROM ({nearby}) AS ask WHERE {condition} {end}");
        let rows = session.query(&sql, condition.values())?;
        if rows.len() == *limit {
            return Ok(rows);
        }
        // The index does not know who has gone.
        if inherits.is_none() {
            return find_by_readers(session, list, &end);
        }
    }
    let sql = format!("SELECT {COLUMNS} FROM ask WHERE {condition} {end}");
    session.query(&sql, condition.values())
}

/// Finds rows by the index of readers, and joins them with those for the usual audience. The database would read all
/// rows otherwise, since it cannot know that a reader may see few. `OFFSET 0` keeps it from doing so.
fn find_by_readers(
    session: &Session<'_>,
    list: &ListStatement<'_>,
    end: &str,
) -> Result<Vec<StoredRow>, WriteError> {
    let mut condition = list.condition.clone();
    let mut usual = String::new();
    if let AskReader::Person { is_in_default_audience: true, .. } = list.reader {
        let is_usual = PostgresSql::FOR_USUAL_AUDIENCE;
        usual = format!("(SELECT seq FROM ask WHERE {is_usual} AND {condition} {end}) UNION ALL ");
    }
    let (names_reader, keys) = PostgresSql::names_reader(list.reader.keys(), None);
    condition.and(&names_reader, keys);
    let named = format!("SELECT seq FROM ask WHERE {condition} OFFSET 0");
    let sql = format!(
        "SELECT {COLUMNS} FROM ask WHERE seq IN ({usual}(SELECT seq FROM ({named}) AS named {end})) {end}"
    );
    session.query(&sql, condition.values())
}
