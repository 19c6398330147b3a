//! Change log: all events in order, for watchers.

use super::asks::ask_sql::AskSql as _;
use super::asks::ask_store::AskReads;
use super::asks::{UNKNOWN_ID, ask_damaged, read_audience};
use super::statements::StatementStore;
use crate::store::api::ChangeStore;
use crate::store::row_value::{RowValue, StoredRow};
use crate::watch::{AskChange, ChangeCursor};
use jiff::Timestamp;
use sayso_core::lifecycle::AskEvent;
use sayso_core::wire::json;
use sayso_core::{AskId, Audience, Problem};

impl<S: StatementStore> ChangeStore for S {
    fn latest_cursor(&self) -> Result<ChangeCursor, Problem> {
        let (last, _) = self.run_read(|reader| reader.read_log_head())?;
        Ok(last)
    }

    fn can_resume_from(&self, cursor: ChangeCursor) -> Result<bool, Problem> {
        let (last, forgotten) = self.run_read(|reader| reader.read_log_head())?;
        Ok(cursor.desk == last.desk && (forgotten..=last.change).contains(&cursor.change))
    }

    fn changes_after(&self, cursor: ChangeCursor, limit: usize) -> Result<Vec<AskChange>, Problem> {
        let condition = "n > $1 ORDER BY n LIMIT $2";
        let values = [cursor.change.into(), i64::try_from(limit).unwrap_or(i64::MAX).into()];
        self.run_read(|reader| read_changes(reader, condition, &values, cursor))
    }

    fn ask_changes_after(
        &self,
        id: AskId,
        cursor: ChangeCursor,
    ) -> Result<(Vec<AskChange>, ChangeCursor), Problem> {
        self.run_read(|reader| {
            let (head, _) = reader.read_log_head()?;
            let last = ChangeCursor { change: head.change.max(cursor.change), ..cursor };
            let condition = "change.id = $1 AND n > $2 AND n <= $3 ORDER BY n";
            let values = [id.into(), cursor.change.into(), last.change.into()];
            Ok((read_changes(reader, condition, &values, cursor)?, last))
        })
    }

    fn history(&self, id: AskId) -> Result<Vec<(Timestamp, Vec<AskEvent>)>, Problem> {
        self.run_scan(|reader| read_history(reader, id))
    }
}

/// Reads the changes that meet a condition.
fn read_changes<R: AskReads>(
    reader: &R,
    condition: &str,
    values: &[RowValue],
    cursor: ChangeCursor,
) -> Result<Vec<AskChange>, R::Error> {
    let events = R::Sql::EVENTS;
    let sum = R::Sql::sum_column("change");
    let ask_of_change = R::Sql::ASK_OF_CHANGE;
    let sql = format!(
        "SELECT change.at, {events}, {sum}, n, change.id, account, audience, ask.id IS NOT NULL \
         FROM change LEFT JOIN ask ON {ask_of_change} WHERE {condition}"
    );
    let mut changes = Vec::new();
    for row in reader.query(&sql, values)? {
        // A damaged entry still shows that something changed; the others are unaffected.
        let id = row.get(4).unwrap_or(UNKNOWN_ID);
        let events = match read_entry::<R>(&row, id) {
            Some((_, events)) => events,
            None => Vec::new(),
        };
        // A purged ask is for no one.
        let audience = if row.get(7)? { read_audience(&row, 6)? } else { Some(Audience::default()) };
        let cursor = ChangeCursor { change: row.get(3)?, ..cursor };
        changes.push(AskChange { cursor, id, events, account: row.get(5)?, audience });
    }
    Ok(changes)
}

/// Reads every event of one ask, with the time of its change.
fn read_history<R: AskReads>(reader: &R, id: AskId) -> Result<Vec<(Timestamp, Vec<AskEvent>)>, R::Error> {
    let events = R::Sql::EVENTS;
    let sum = R::Sql::sum_column("change");
    let sql = format!("SELECT at, {events}, {sum} FROM change WHERE id = $1 ORDER BY n");
    let mut history = Vec::new();
    for row in reader.query(&sql, &[id.into()])? {
        let Some(entry) = read_entry::<R>(&row, id) else { return Err(ask_damaged(id).into()) };
        history.push(entry);
    }
    Ok(history)
}

/// Reads the time and the events of an entry; `None` if it is damaged.
fn read_entry<R: AskReads>(row: &StoredRow, id: AskId) -> Option<(Timestamp, Vec<AskEvent>)> {
    let at = row.get(0).ok()?;
    let events: String = row.get(1).ok()?;
    if !R::is_sound_change(id, at, &events, row.get(2).ok()?) {
        return None;
    }
    Some((at, json::read_own(&events).ok()?))
}
