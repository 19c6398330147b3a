//! Desk in a database that takes a copy, in one transaction.

use super::{DatabaseError, column_names, commit_with_mark, count, lock, open_for_writes, quote, read};
use crate::random;
use crate::store::desk_mark::DeskMark;
use crate::store::postgres::connection::address::PostgresAddress;
use crate::store::postgres::connection::{Database, Query as _, Session, Value};
use crate::store::postgres::error::database_problem;
use crate::store::postgres::transaction::values;
use crate::store::reports::OnProgress;
use crate::store::row_value::without_nul;
use crate::store::row_value::{Row, RowValue};
use crate::store::search_text::search_text;
use crate::store::transfer::{
    ColumnKind, RowReader, TABLES, TakeRows, TransferColumn, TransferTable, TransferTarget,
};
use sayso_core::i18n::own;
use sayso_core::model::action::ActSummary;
use sayso_core::wire::{ask as wire, json};
use sayso_core::{Audience, Message, Problem, ProblemCode};
use std::collections::BTreeMap;
use std::path::PathBuf;
use tokio_postgres::types::Type;

/// Writes the state of the whole desk that follows from its rows, with a new id.
const COMPLETE: &str = "UPDATE desk SET id = $1, forgotten = 0, purged_at = 0, purge_stage = 0, purge_after = 0, \
    last_change = (SELECT coalesce(max(n), 0) FROM change), \
    last_row = (SELECT coalesce(max(n), 0) FROM (SELECT max(seq) AS n FROM ask UNION ALL SELECT max(n) FROM late \
        UNION ALL SELECT max(n) FROM message UNION ALL SELECT max(n) FROM turn \
        UNION ALL SELECT max(n) FROM interrupt UNION ALL SELECT max(n) FROM thread_event) AS rows), \
    pending = (SELECT count(*) FROM ask WHERE pending)";

/// Empty desk in a database.
pub(crate) struct DatabaseTarget<'d> {
    session: Session<'d>,
}

impl<'d> DatabaseTarget<'d> {
    /// Locks an empty desk. A copy that was not completed is deleted first.
    ///
    /// # Errors
    /// If the server cannot be reached, or has no empty desk of this version.
    pub(crate) fn begin(database: &'d Database, address: &PostgresAddress) -> Result<Self, Problem> {
        let target = Self { session: database.session()? };
        let is_free = match lock(&target.session, address)? {
            Some(DeskMark::Moved { .. }) => false,
            Some(DeskMark::Partial { .. }) => {
                target.delete_rows().map_err(database_problem)?;
                true
            }
            None => target.is_empty().map_err(database_problem)?,
        };
        if is_free {
            return Ok(target);
        }
        Err(Problem::new(ProblemCode::InvalidValue, Message::CopyTargetUsed.with([own(address.masked())]))
            .with_hint(Message::CopyTargetUsedHint))
    }

    fn is_empty(&self) -> Result<bool, DatabaseError> {
        for table in TABLES {
            if self.session.has_row(&format!("SELECT 1 FROM {} LIMIT 1", quote(table.name)), &[])? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn delete_rows(&self) -> Result<(), DatabaseError> {
        for table in TABLES.iter().rev() {
            self.session.batch(&format!("DELETE FROM {}", quote(table.name)))?;
        }
        Ok(())
    }

    /// Stores the words by which these asks are found.
    fn write_words(&self, table: &TransferTable, rows: &[Row]) -> Result<(), DatabaseError> {
        let bodies: BTreeMap<i64, &str> =
            rows.iter().map(|row| (table.value(row, "seq").int(), table.value(row, "body").text())).collect();
        let seqs: Vec<i64> = bodies.keys().copied().collect();
        let sql = "SELECT seq, title, asker, coalesce(account, ''), coalesce(folder, ''), act FROM ask \
                   WHERE seq = ANY($1)";
        let mut words = Vec::with_capacity(rows.len());
        for row in self.session.rows(sql, &[&seqs])? {
            let seq: i64 = row.try_get(0)?;
            // Without a readable request an ask is found by its names alone.
            let request = wire::read_request(bodies.get(&seq).unwrap_or(&"")).ok();
            let mut prompts = Vec::new();
            if let Some(request) = &request {
                prompts
                    .extend(request.questionnaire.questions.iter().map(|question| question.prompt.as_str()));
            }
            let act: Option<&str> = row.try_get(5)?;
            let act: Option<ActSummary> = act.and_then(|act| json::read_own(act).ok());
            let object = act.map(|act| act.object).unwrap_or_default();
            let names = [row.try_get(1)?, row.try_get(2)?, row.try_get(3)?, row.try_get(4)?, object.as_str()];
            words.push(values![seq, search_text(names, prompts).to_lowercase()]);
        }
        self.session.copy_rows(
            "COPY search (seq, words) FROM STDIN BINARY",
            &[Type::INT8, Type::TEXT],
            &words,
        )
    }

    fn write_rows(&self, table: &TransferTable, rows: &[Row]) -> Result<(), DatabaseError> {
        let mut types: Vec<Type> = table.columns.iter().map(|column| type_of(column.kind)).collect();
        let mut names = column_names(table);
        let is_ask = table.name == "ask";
        if is_ask {
            names.push_str(", readers");
            types.push(Type::TEXT_ARRAY);
        }
        let mut stored_rows = Vec::with_capacity(rows.len());
        for row in rows {
            let mut values: Vec<Value> = Vec::with_capacity(types.len());
            for (column, value) in table.columns.iter().zip(row) {
                values.push(to_stored(column.kind, value));
            }
            if is_ask {
                values.push(readers(table.value(row, "audience")));
            }
            stored_rows.push(values);
        }
        let sql = format!("COPY {} ({names}) FROM STDIN BINARY", quote(table.name));
        self.session.copy_rows(&sql, &types, &stored_rows)?;
        if table.name == "request" { self.write_words(table, rows) } else { Ok(()) }
    }
}

/// Returns the keys of the readers of a stored audience.
fn readers(audience: &RowValue) -> Value {
    let keys = match audience {
        RowValue::Text(text) => {
            let audience: Audience = json::read_own(text).unwrap_or_default();
            Some(audience.keys().collect::<Vec<String>>())
        }
        _ => None,
    };
    Box::new(keys)
}

const fn type_of(kind: ColumnKind) -> Type {
    match kind {
        ColumnKind::Int => Type::INT8,
        ColumnKind::Flag | ColumnKind::Open => Type::BOOL,
        ColumnKind::Text => Type::TEXT,
        ColumnKind::Bytes | ColumnKind::Prose => Type::BYTEA,
    }
}

fn to_stored(kind: ColumnKind, value: &RowValue) -> Value {
    match (kind, value) {
        (ColumnKind::Int, RowValue::Int(number)) => Box::new(*number),
        (ColumnKind::Flag | ColumnKind::Open, RowValue::Flag(flag)) => Box::new(*flag),
        (ColumnKind::Text, RowValue::Text(text)) => Box::new(text.clone()),
        (ColumnKind::Prose, RowValue::Text(text)) => Box::new(text.as_bytes().to_vec()),
        (ColumnKind::Bytes, RowValue::Bytes(bytes)) => Box::new(bytes.clone()),
        (ColumnKind::Int, _) => Box::new(None::<i64>),
        (ColumnKind::Flag | ColumnKind::Open, _) => Box::new(None::<bool>),
        (ColumnKind::Text, _) => Box::new(None::<String>),
        (ColumnKind::Bytes | ColumnKind::Prose, _) => Box::new(None::<Vec<u8>>),
    }
}

impl RowReader for DatabaseTarget<'_> {
    fn count(&self, table: &TransferTable) -> Result<u64, Problem> {
        count(&self.session, table)
    }

    fn read(&self, table: &TransferTable, take: &mut TakeRows<'_>) -> Result<(), Problem> {
        read(&self.session, table, take)
    }
}

impl TransferTarget for DatabaseTarget<'_> {
    /// PostgreSQL refuses the NUL in a text.
    fn storable(&self, table: &TransferTable, row: Row) -> Row {
        let value = |(column, value): (&TransferColumn, RowValue)| match (column.kind, value) {
            (ColumnKind::Text, RowValue::Text(text)) => RowValue::Text(without_nul(&text)),
            (_, value) => value,
        };
        table.columns.iter().zip(row).map(value).collect()
    }

    fn begin_table(&self, table: &TransferTable) -> Result<(), Problem> {
        if table.name != "account_usage" {
            return Ok(());
        }
        // Triggers have counted the asks, as if all were new.
        self.session.batch("DELETE FROM account_usage").map_err(database_problem)
    }

    fn write(&self, table: &TransferTable, rows: &[Row]) -> Result<(), Problem> {
        self.write_rows(table, rows).map_err(database_problem)
    }

    fn complete(&self, on_progress: OnProgress<'_>) -> Result<(), Problem> {
        let id = i64::from_ne_bytes(random::random_bytes::<8>()?);
        self.session.rows(COMPLETE, &[&id]).map_err(database_problem)?;
        on_progress(1, 1);
        Ok(())
    }

    fn publish(&self, mark: &DeskMark) -> Result<Option<PathBuf>, Problem> {
        commit_with_mark(&self.session, mark).map(|()| None)
    }

    fn open_for_writes(&self) -> Result<(), Problem> {
        open_for_writes(&self.session)
    }
}
