//! Rows of threads, messages and turns.

mod turn_log;

use crate::store::logic::statements::{StoreReader as _, StoreTransaction as _};
use crate::store::logic::threads::{EventRow, ThreadReads, ThreadRows};
use crate::store::sqlite::error::{RowDamage, map_unreadable};
use crate::store::sqlite::integrity::checksum;
use crate::store::sqlite::transaction::SqliteTransaction;
use crate::store::sqlite::writer::job::JobError;
use crate::thread::{TurnNewsKind, TurnNewsPage};
use rusqlite::Connection;
use sayso_core::AskId;

/// Fails if a stored checksum of a thread's row is another one.
fn verify(thread: &str, stored: Option<i64>, computed: i64) -> Result<(), JobError> {
    if checksum::matches_stored(stored, computed) {
        return Ok(());
    }
    Err(RowDamage::Thread(thread.to_owned()).to_problem().into())
}

fn event_sum(thread: &str, message: i64, event: &EventRow<'_>) -> i64 {
    let ask = event.ask.as_ref().map(|ask| ask.as_bytes().as_slice());
    let numbers = [message, event.opens_request.into()];
    checksum::thread_event_sum(thread, numbers, [event.kind, event.tool], ask)
}

impl ThreadReads for Connection {
    const MESSAGE: &'static str = "said";

    fn check_message(
        thread: &str,
        (by_person, content): (bool, &str),
        sum: Option<i64>,
    ) -> Result<(), JobError> {
        verify(thread, sum, checksum::message_sum(thread, by_person, content))
    }

    fn check_event(
        thread: &str,
        (message, event): (i64, &EventRow<'_>),
        sum: Option<i64>,
    ) -> Result<(), JobError> {
        verify(thread, sum, event_sum(thread, message, event))
    }

    fn name_thread(thread: &str, error: JobError) -> JobError {
        match error {
            JobError::Database(error) => map_unreadable(error, RowDamage::Thread(thread.to_owned())).into(),
            JobError::Problem(problem) => problem.into(),
        }
    }

    fn read_turn_news(&self, _: Option<i64>, after: i64) -> Result<TurnNewsPage, JobError> {
        Ok(turn_log::read_after(self, after)?)
    }
}

/// One server has the threads of a desk file, so it has no number.
impl ThreadRows for SqliteTransaction<'_> {
    fn insert_message(&self, thread: &str, by_person: bool, content: &str) -> Result<i64, JobError> {
        let sum = checksum::message_sum(thread, by_person, content);
        let sql = "INSERT INTO said (thread, by_person, content, sum) VALUES ($1, $2, $3, $4)";
        self.write(sql, &[thread.into(), by_person.into(), content.into(), sum.into()])?;
        Ok(self.conn.last_insert_rowid())
    }

    fn insert_event(&self, thread: &str, event: &EventRow<'_>) -> Result<(), JobError> {
        let last = "SELECT coalesce(max(n), 0) FROM said WHERE thread = $1";
        let message = self.query_count(last, &[thread.into()])?;
        self.write(
            "INSERT INTO thread_event (thread, said, kind, tool, ask, opens, sum) \
             VALUES ($1, $2, $3, $4, $5, $6, $7)",
            &[
                thread.into(),
                message.into(),
                event.kind.into(),
                event.tool.into(),
                event.ask.into(),
                event.opens_request.into(),
                event_sum(thread, message, event).into(),
            ],
        )
    }

    fn insert_interrupt(&self, turn: i64, ask: AskId) -> Result<bool, JobError> {
        let sql = "INSERT INTO interrupt (turn, ask) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING n";
        Ok(!self.query(sql, &[turn.into(), ask.into()])?.is_empty())
    }

    fn insert_turn(
        &self,
        _: Option<i64>,
        thread: &str,
        message: i64,
        key: Option<&str>,
    ) -> Result<i64, JobError> {
        let turn = turn_log::next_place(self.conn)?;
        self.write(
            "INSERT INTO turn (n, thread, said, pending, key) VALUES ($1, $2, $3, 1, $4)",
            &[turn.into(), thread.into(), message.into(), key.into()],
        )?;
        turn_log::append_at(self.conn, turn, turn, &TurnNewsKind::Posted)?;
        Ok(turn)
    }

    fn end_turn(&self, _: Option<i64>, turn: i64, _: Option<&str>) -> Result<i64, JobError> {
        let place = turn_log::next_place(self.conn)?;
        self.write("UPDATE turn SET pending = NULL, holder = NULL WHERE n = $1", &[turn.into()])?;
        self.write("DELETE FROM turn_log WHERE turn = $1", &[turn.into()])?;
        Ok(place)
    }

    fn append_news(&self, _: Option<i64>, turn: i64, news: &[TurnNewsKind]) -> Result<i64, JobError> {
        Ok(turn_log::append(self.conn, turn, news)?)
    }
}
