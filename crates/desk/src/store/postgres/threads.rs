//! Rows of threads, messages and turns.

pub(crate) mod turn_log;

use super::connection::Session;
use super::error::WriteError;
use super::transaction::WriteTransaction;
use crate::store::logic::statements::StoreTransaction as _;
use crate::store::logic::threads::{EventRow, ThreadReads, ThreadRows};
use crate::thread::{TurnNewsKind, TurnNewsPage};
use sayso_core::AskId;

/// Table of messages, and the columns with their numbers.
const MESSAGE: &str = "message";

impl ThreadReads for Session<'_> {
    const MESSAGE: &'static str = MESSAGE;

    fn check_message(_: &str, _: (bool, &str), _: Option<i64>) -> Result<(), WriteError> {
        Ok(())
    }

    fn check_event(_: &str, _: (i64, &EventRow<'_>), _: Option<i64>) -> Result<(), WriteError> {
        Ok(())
    }

    fn name_thread(_: &str, error: WriteError) -> WriteError {
        error
    }

    fn read_turn_news(&self, node: Option<i64>, after: i64) -> Result<TurnNewsPage, WriteError> {
        Ok(turn_log::read_after(self, node.unwrap_or_default(), after)?)
    }
}

impl ThreadRows for WriteTransaction<'_> {
    fn insert_message(&self, thread: &str, by_person: bool, content: &str) -> Result<i64, WriteError> {
        let number = self.next_row();
        let sql = "INSERT INTO message (n, thread, by_person, content) VALUES ($1, $2, $3, $4)";
        self.write(sql, &[number.into(), thread.into(), by_person.into(), content.into()])?;
        Ok(number)
    }

    fn insert_event(&self, thread: &str, event: &EventRow<'_>) -> Result<(), WriteError> {
        self.write(
            "INSERT INTO thread_event (n, thread, message, kind, tool, ask, opens) \
             VALUES ($1, $2, (SELECT coalesce(max(n), 0) FROM message WHERE thread = $2), $3, $4, $5, $6)",
            &[
                self.next_row().into(),
                thread.into(),
                event.kind.into(),
                event.tool.into(),
                event.ask.into(),
                event.opens_request.into(),
            ],
        )
    }

    fn insert_interrupt(&self, turn: i64, ask: AskId) -> Result<bool, WriteError> {
        let sql =
            "INSERT INTO interrupt (n, turn, ask) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING RETURNING n";
        let values = [self.next_row().into(), turn.into(), ask.into()];
        Ok(!self.write_returning(sql, &values)?.is_empty())
    }

    fn insert_turn(
        &self,
        node: Option<i64>,
        thread: &str,
        message: i64,
        key: Option<&str>,
    ) -> Result<i64, WriteError> {
        let turn = self.next_row();
        let sql = "INSERT INTO turn (n, thread, message, pending, key) VALUES ($1, $2, $3, true, $4)";
        self.write(sql, &[turn.into(), thread.into(), message.into(), key.into()])?;
        self.append_news(node, turn, &[TurnNewsKind::Posted])?;
        Ok(turn)
    }

    fn end_turn(&self, node: Option<i64>, turn: i64, failure: Option<&str>) -> Result<i64, WriteError> {
        self.write("UPDATE turn SET pending = false, holder = NULL WHERE n = $1", &[turn.into()])?;
        let end = match failure {
            Some(reason) => TurnNewsKind::Failed(reason.to_owned()),
            None => TurnNewsKind::Ended,
        };
        self.append_news(node, turn, &[end])
    }

    /// The places have the order of the commits of all nodes.
    fn append_news(&self, node: Option<i64>, turn: i64, news: &[TurnNewsKind]) -> Result<i64, WriteError> {
        let mut last = 0;
        for one in news {
            last = self.next_row();
            self.write(
                "INSERT INTO turn_log (n, turn, node, kind, body) VALUES ($1, $2, $3, $4, $5)",
                &[
                    last.into(),
                    turn.into(),
                    node.unwrap_or_default().into(),
                    one.kind().into(),
                    one.body().into(),
                ],
            )?;
        }
        Ok(last)
    }
}
