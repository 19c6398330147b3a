//! Write transactions. Writes are queued and sent with the next read, or with the commit: a change of an ask takes two
//! exchanges with the server.

mod statements;

use super::connection::{Database, Query, Session, Statement, Value};
use super::error::{DatabaseError, WriteError, database_problem, failed};
use super::schema::{self, FORMAT};
use crate::store::desk_mark::DeskMark;
use crate::store::stored_time::to_timestamp;
use crate::wakeup::WakeScope;
use jiff::Timestamp;
use sayso_core::{AskId, Problem};
use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use tokio_postgres::Row;
use tokio_postgres::types::ToSql;

/// Values of a statement that runs later.
macro_rules! values {
    ($($value:expr),* $(,)?) => {
        vec![$(Box::new($value) as crate::store::postgres::connection::Value),*]
    };
}
pub(crate) use values;

/// State of the whole desk: its only row in the table `desk`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct DeskHead {
    /// Number of the last change.
    pub(crate) last_change: i64,
    /// Last number of a row of an ask, a message or a turn.
    pub(crate) last_row: i64,
    /// Asks that are open or submitted.
    pub(crate) pending: i64,
}

/// Transaction that holds the lock of the desk.
pub(crate) struct WriteTransaction<'d> {
    session: Session<'d>,
    is_open: bool,
    queued: RefCell<Vec<Statement>>,
    head: Cell<DeskHead>,
    stored_head: DeskHead,
    changed: RefCell<Vec<AskId>>,
    has_written: Cell<bool>,
    now: Timestamp,
}

const LOCK: &str = "SELECT format, last_change, last_row, pending, \
                    (extract(epoch FROM clock_timestamp()) * 1000000)::bigint, mark FROM desk FOR UPDATE";

impl<'d> WriteTransaction<'d> {
    /// Begins a transaction once no other one runs.
    ///
    /// # Errors
    /// If the server cannot be reached, another node holds the lock for too long, or the desk has another version or takes no
    /// writes.
    pub(crate) fn begin(database: &'d Database) -> Result<Self, Problem> {
        let session = database.session()?;
        let empty = DeskHead { last_change: 0, last_row: 0, pending: 0 };
        // From here on the connection is in a transaction, whose drop rolls it back.
        let mut tx = Self {
            session,
            is_open: true,
            queued: RefCell::default(),
            head: Cell::new(empty),
            stored_head: empty,
            changed: RefCell::default(),
            has_written: Cell::new(false),
            now: Timestamp::UNIX_EPOCH,
        };
        let rows = tx.session.exchange(Some("BEGIN"), &[], Some((LOCK, &[])), None);
        let rows = rows.map_err(database_problem)?;
        let Some(row) = rows.first() else { return Err(failed("the desk has no head")) };
        let (format, head, now, mark) = read_lock_row(row).map_err(database_problem)?;
        if format != FORMAT {
            return Err(schema::other_format("postgres", format));
        }
        if let Some(mark) = mark {
            return Err(DeskMark::parse(&mark).to_problem());
        }
        tx.head.set(head);
        tx.stored_head = head;
        tx.now = to_timestamp(now);
        Ok(tx)
    }

    /// Time of the server at the beginning.
    pub(crate) const fn now(&self) -> Timestamp {
        self.now
    }

    /// Queues a write.
    pub(crate) fn queue(&self, sql: impl Into<Cow<'static, str>>, values: Vec<Value>) {
        self.has_written.set(true);
        self.queued.borrow_mut().push((sql.into(), values));
    }

    /// Notes that the transaction has written.
    pub(crate) fn mark_written(&self) {
        self.has_written.set(true);
    }

    /// Takes the next row number.
    pub(crate) fn next_row(&self) -> i64 {
        let mut head = self.head.get();
        head.last_row += 1;
        self.head.set(head);
        head.last_row
    }

    /// Returns the last row number that was taken.
    pub(crate) const fn last_row(&self) -> i64 {
        self.head.get().last_row
    }

    /// Takes the next number of a change. Whoever waits for this ask is woken, unless it was only opened.
    pub(crate) fn next_change(&self, id: AskId, wakes: bool) -> i64 {
        let mut head = self.head.get();
        head.last_change += 1;
        self.head.set(head);
        if wakes {
            self.changed.borrow_mut().push(id);
        }
        head.last_change
    }

    /// Returns the number of open and submitted asks.
    pub(crate) const fn pending(&self) -> i64 {
        self.head.get().pending
    }

    /// Adjusts the number of open and submitted asks.
    pub(crate) fn add_pending(&self, count: i64) {
        let mut head = self.head.get();
        head.pending += count;
        self.head.set(head);
    }

    /// Sets a point to which a part of the jobs can be undone, with the state of the desk there.
    pub(crate) fn begin_savepoint(&self) -> Result<(DeskHead, usize), DatabaseError> {
        self.rows("SELECT 1", &[])?; // what is queued belongs before it
        self.session.batch("SAVEPOINT together")?;
        Ok((self.head.get(), self.changed.borrow().len()))
    }

    /// Undoes all writes after the savepoint.
    pub(crate) fn roll_back_to(&self, (head, changed): (DeskHead, usize)) -> Result<(), DatabaseError> {
        self.queued.borrow_mut().clear();
        self.head.set(head);
        self.changed.borrow_mut().truncate(changed);
        self.session.batch("ROLLBACK TO SAVEPOINT together")
    }

    /// Commits, and returns who is to be woken; nobody if nothing was written.
    ///
    /// # Errors
    /// If a queued write fails, or the server does not confirm the commit.
    pub(crate) fn commit(mut self) -> Result<Option<WakeScope>, WriteError> {
        let head = self.head.get();
        if head != self.stored_head {
            let sql = "UPDATE desk SET last_change = $1, last_row = $2, pending = $3";
            self.queue(sql, values![head.last_change, head.last_row, head.pending]);
        }
        let statements = self.queued.take();
        self.session.exchange(None, &statements, None, Some("COMMIT"))?;
        self.is_open = false;
        if !self.has_written.get() {
            return Ok(None);
        }
        let mut asks = self.changed.take();
        asks.sort_unstable();
        asks.dedup();
        Ok(Some(if asks.len() > WakeScope::MAX_ASKS { WakeScope::Everyone } else { WakeScope::Asks(asks) }))
    }
}

/// Reads the format, the head, the time of the server, and the mark.
fn read_lock_row(row: &Row) -> Result<(i64, DeskHead, i64, Option<String>), DatabaseError> {
    let head = DeskHead { last_change: row.try_get(1)?, last_row: row.try_get(2)?, pending: row.try_get(3)? };
    Ok((row.try_get(0)?, head, row.try_get(4)?, row.try_get(5)?))
}

impl Query for WriteTransaction<'_> {
    fn rows(&self, sql: &str, values: &[&(dyn ToSql + Sync)]) -> Result<Vec<Row>, DatabaseError> {
        let statements = self.queued.take();
        self.session.exchange(None, &statements, Some((sql, values)), None)
    }
}

impl Drop for WriteTransaction<'_> {
    /// Rolls back what was not committed. If that fails, the connection is broken, and the server rolls it back.
    fn drop(&mut self) {
        if self.is_open
            && let Err(error) = self.session.batch("ROLLBACK")
        {
            tracing::debug!(%error, "a transaction ended with its connection");
        }
    }
}
