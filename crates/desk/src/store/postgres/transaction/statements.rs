//! Statements of the rules of a store, as PostgreSQL runs them.

use super::WriteTransaction;
use crate::store::logic::statements::{StatementStore, StoreReader, StoreTransaction, WriteNeeds};
use crate::store::postgres::PostgresStore;
use crate::store::postgres::asks::ask_sql::PostgresSql;
use crate::store::postgres::connection::{Query, Session, Value};
use crate::store::postgres::error::{DatabaseError, WriteError};
use crate::store::row_value::{RowValue, StoredRow, without_nul};
use jiff::Timestamp;
use sayso_core::Problem;
use std::error::Error;
use tokio_postgres::Row;
use tokio_postgres::types::private::BytesMut;
use tokio_postgres::types::{FromSql, IsNull, ToSql, Type, to_sql_checked};

impl ToSql for RowValue {
    fn to_sql(&self, ty: &Type, out: &mut BytesMut) -> Result<IsNull, Box<dyn Error + Sync + Send>> {
        match self {
            Self::Null => Ok(IsNull::Yes),
            Self::Int(number) => number.to_sql_checked(ty, out),
            Self::Flag(flag) => flag.to_sql_checked(ty, out),
            Self::Text(text) if *ty == Type::BYTEA => text.as_bytes().to_sql_checked(ty, out),
            Self::Text(text) if text.contains('\0') => without_nul(text).to_sql_checked(ty, out),
            Self::Text(text) => text.to_sql_checked(ty, out),
            Self::Bytes(bytes) => bytes.to_sql_checked(ty, out),
            Self::Texts(texts) => texts.to_sql_checked(ty, out),
        }
    }

    /// Each value checks the type itself.
    fn accepts(_: &Type) -> bool {
        true
    }

    to_sql_checked!();
}

impl<'r> FromSql<'r> for RowValue {
    fn from_sql(ty: &Type, raw: &'r [u8]) -> Result<Self, Box<dyn Error + Sync + Send>> {
        match *ty {
            Type::INT8 => i64::from_sql(ty, raw).map(Self::Int),
            Type::INT4 => i32::from_sql(ty, raw).map(|number| Self::Int(number.into())),
            Type::BOOL => bool::from_sql(ty, raw).map(Self::Flag),
            Type::BYTEA => Ok(Self::Bytes(raw.to_vec())),
            _ => String::from_sql(ty, raw).map(Self::Text),
        }
    }

    fn from_sql_null(_: &Type) -> Result<Self, Box<dyn Error + Sync + Send>> {
        Ok(Self::Null)
    }

    fn accepts(ty: &Type) -> bool {
        matches!(*ty, Type::INT8 | Type::INT4 | Type::BOOL | Type::BYTEA | Type::TEXT)
    }
}

fn query(source: &impl Query, sql: &str, values: &[RowValue]) -> Result<Vec<StoredRow>, WriteError> {
    let values: Vec<&(dyn ToSql + Sync)> = values.iter().map(|value| value as &(dyn ToSql + Sync)).collect();
    Ok(source.rows(sql, &values)?.iter().map(read_row).collect::<Result<_, _>>()?)
}

fn read_row(row: &Row) -> Result<StoredRow, DatabaseError> {
    let mut values = Vec::with_capacity(row.len());
    for column in 0..row.len() {
        values.push(row.try_get(column)?);
    }
    Ok(StoredRow(values))
}

impl StoreReader for Session<'_> {
    type Sql = PostgresSql;
    type Error = WriteError;

    fn query(&self, sql: &str, values: &[RowValue]) -> Result<Vec<StoredRow>, WriteError> {
        query(self, sql, values)
    }
}

impl StoreReader for WriteTransaction<'_> {
    type Sql = PostgresSql;
    type Error = WriteError;

    fn query(&self, sql: &str, values: &[RowValue]) -> Result<Vec<StoredRow>, WriteError> {
        query(self, sql, values)
    }
}

impl StoreTransaction for WriteTransaction<'_> {
    fn now(&self) -> Timestamp {
        self.now()
    }

    fn write(&self, sql: &str, values: &[RowValue]) -> Result<(), WriteError> {
        let values = values.iter().map(|value| Box::new(value.clone()) as Value).collect();
        self.queue(sql.to_owned(), values);
        Ok(())
    }

    fn write_returning(&self, sql: &str, values: &[RowValue]) -> Result<Vec<StoredRow>, WriteError> {
        self.mark_written();
        query(self, sql, values)
    }
}

impl StatementStore for PostgresStore {
    type Error = WriteError;
    type Reader<'r> = Session<'r>;
    type Transaction<'t> = WriteTransaction<'t>;

    fn node_number(&self) -> Option<i64> {
        Some(self.notifier.node())
    }

    fn run_lookup<T>(&self, work: impl FnOnce(&Session<'_>) -> Result<T, WriteError>) -> Result<T, Problem> {
        work(&self.database.lookup_session()?).map_err(WriteError::into_problem)
    }

    fn run_read<T>(&self, work: impl FnOnce(&Session<'_>) -> Result<T, WriteError>) -> Result<T, Problem> {
        work(&self.database.session()?).map_err(WriteError::into_problem)
    }

    fn run_scan<T>(&self, work: impl FnOnce(&Session<'_>) -> Result<T, WriteError>) -> Result<T, Problem> {
        self.run_read(work)
    }

    fn run_write<T: Send + 'static>(
        &self,
        _: WriteNeeds,
        work: impl FnMut(&WriteTransaction<'_>) -> Result<T, WriteError> + Send + 'static,
    ) -> Result<T, Problem> {
        self.writer.run(work)
    }
}
