//! What the rules of a store need of it: statements in a transaction, in the SQL that all databases share.
//!
//! A statement has its values as `$1`, `$2` and so on. What the databases say differently is an operation of
//! [`StoreTransaction`] of its own.

use crate::store::logic::asks::AskRows;
use crate::store::logic::asks::ask_sql::AskSql;
use crate::store::logic::asks::ask_store::AskReads;
use crate::store::logic::threads::{ThreadReads, ThreadRows};
use crate::store::row_value::{RowValue, StoredRow, UnreadableColumn};
use jiff::Timestamp;
use sayso_core::Problem;

/// Reads of a store.
pub(crate) trait StoreReader {
    /// SQL of the database.
    type Sql: AskSql;
    /// Error of a statement, or the problem of a caller.
    type Error: From<Problem> + From<UnreadableColumn>;

    /// Returns the rows of a query.
    fn query(&self, sql: &str, values: &[RowValue]) -> Result<Vec<StoredRow>, Self::Error>;

    /// Returns the first row of a query.
    fn query_one(&self, sql: &str, values: &[RowValue]) -> Result<Option<StoredRow>, Self::Error> {
        Ok(self.query(sql, values)?.into_iter().next())
    }

    /// Returns the number that a query counts.
    fn query_count(&self, sql: &str, values: &[RowValue]) -> Result<i64, Self::Error> {
        match self.query_one(sql, values)? {
            Some(row) => Ok(row.get(0)?),
            None => Ok(0),
        }
    }

    /// Returns whether a query has a row.
    fn has_rows(&self, sql: &str, values: &[RowValue]) -> Result<bool, Self::Error> {
        Ok(self.query_one(sql, values)?.is_some())
    }
}

/// Write transaction of a store.
pub(crate) trait StoreTransaction: StoreReader {
    /// Returns the time of the transaction.
    fn now(&self) -> Timestamp;

    /// Runs a write. A store may send it only with the next read or with the commit.
    fn write(&self, sql: &str, values: &[RowValue]) -> Result<(), Self::Error>;

    /// Runs a write with `RETURNING` now, and returns its rows.
    fn write_returning(&self, sql: &str, values: &[RowValue]) -> Result<Vec<StoredRow>, Self::Error>;
}

/// Needs of a write.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct WriteNeeds {
    /// True if it must be on the disk before its caller returns.
    pub(crate) syncs: bool,
    /// True if it adds data, for which free space outside the reserve is needed.
    pub(crate) takes_space: bool,
}

impl WriteNeeds {
    /// Write that must last.
    pub(crate) const DURABLE: Self = Self { syncs: true, takes_space: false };

    /// Write that a power cut may undo.
    pub(crate) const RELAXED: Self = Self { syncs: false, takes_space: false };

    /// Write that must last and adds data.
    pub(crate) const ADDING: Self = Self { syncs: true, takes_space: true };
}

/// Store that runs statements.
pub(crate) trait StatementStore: Send + Sync + 'static {
    /// Error of a statement, or the problem of a caller.
    type Error: From<Problem> + From<UnreadableColumn>;
    /// Connection that reads.
    type Reader<'r>: StoreReader<Error = Self::Error> + ThreadReads + AskReads;
    /// Transaction that writes.
    type Transaction<'t>: StoreTransaction<Error = Self::Error> + ThreadRows + AskRows;

    /// Returns the number of this node, if several may work on the desk.
    fn node_number(&self) -> Option<i64>;

    /// Runs a short read that finds who calls: it waits for no other read.
    ///
    /// # Errors
    /// If the store cannot be read.
    fn run_lookup<T>(
        &self,
        work: impl FnOnce(&Self::Reader<'_>) -> Result<T, Self::Error>,
    ) -> Result<T, Problem>;

    /// Runs a short read.
    ///
    /// # Errors
    /// If the store cannot be read.
    fn run_read<T>(
        &self,
        work: impl FnOnce(&Self::Reader<'_>) -> Result<T, Self::Error>,
    ) -> Result<T, Problem>;

    /// Runs a long read.
    ///
    /// # Errors
    /// If the store cannot be read.
    fn run_scan<T>(
        &self,
        work: impl FnOnce(&Self::Reader<'_>) -> Result<T, Self::Error>,
    ) -> Result<T, Problem>;

    /// Runs a write in a transaction, together with those of other callers. It may run more than once; only the last
    /// run counts. When this returns, it is committed.
    ///
    /// # Errors
    /// If the write is refused, or the store cannot be written.
    fn run_write<T: Send + 'static>(
        &self,
        needs: WriteNeeds,
        work: impl FnMut(&Self::Transaction<'_>) -> Result<T, Self::Error> + Send + 'static,
    ) -> Result<T, Problem>;
}
