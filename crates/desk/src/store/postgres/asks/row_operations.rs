//! Rows of asks in a transaction, for the rules.

use super::ask_sql::PostgresSql;
use super::{ask_rows, drafts, keys};
use crate::draft::Draft;
use crate::store::api::{ChangeTarget, KeyUse};
use crate::store::logic::asks::ask_sql::AskSql as _;
use crate::store::logic::asks::drafts::DraftReply;
use crate::store::logic::asks::{AskKey, AskRows, PrunableAsk};
use crate::store::logic::statements::{StoreReader as _, StoreTransaction as _};
use crate::store::postgres::change_log;
use crate::store::postgres::connection::Query as _;
use crate::store::postgres::error::WriteError;
use crate::store::postgres::transaction::{DeskHead, WriteTransaction};
use crate::store::row_value::RowValue;
use jiff::Timestamp;
use sayso_core::lifecycle::AskEvent;
use sayso_core::{Ask, AskId, AskTransition, Digest, Problem, Questionnaire};
use std::sync::Arc;
use tokio_postgres::types::ToSql;

impl WriteTransaction<'_> {
    /// Reads the first ask that meets a condition.
    fn read_ask_where(
        &self,
        condition: &str,
        value: &(dyn ToSql + Sync),
    ) -> Result<Option<(i64, Ask)>, WriteError> {
        match ask_rows::read_where(self, condition, &[value])?.pop() {
            Some(stored) => Ok(Some(stored.into_ask()?)),
            None => Ok(None),
        }
    }
}

impl AskRows for WriteTransaction<'_> {
    type Savepoint = (DeskHead, usize);

    fn to_refusal(error: WriteError) -> Result<Problem, WriteError> {
        match error {
            WriteError::Problem(problem) => Ok(problem),
            database @ WriteError::Database(_) => Err(database),
        }
    }

    fn set_savepoint(&self) -> Result<(DeskHead, usize), WriteError> {
        Ok(self.begin_savepoint()?)
    }

    fn undo_to_savepoint(&self, savepoint: (DeskHead, usize)) -> Result<(), WriteError> {
        Ok(self.roll_back_to(savepoint)?)
    }

    /// The savepoint ends with the transaction, or with the next one.
    fn release_savepoint(&self, _: (DeskHead, usize)) -> Result<(), WriteError> {
        Ok(())
    }

    /// The server reports a full disk by itself.
    fn check_space(&self) -> Result<(), WriteError> {
        Ok(())
    }

    fn count_pending(&self) -> Result<i64, WriteError> {
        Ok(self.pending())
    }

    fn read_ask(&self, id: AskId) -> Result<Option<(i64, Ask)>, WriteError> {
        self.read_ask_where("id = $1", &id.as_bytes().as_slice())
    }

    fn read_ask_at(&self, seq: i64) -> Result<Option<(i64, Ask)>, WriteError> {
        self.read_ask_where("ask.seq = $1", &seq)
    }

    fn read_questionnaire(&self, id: AskId) -> Result<Option<Arc<Questionnaire>>, WriteError> {
        Ok(self.read_ask(id)?.map(|(_, ask)| ask.request.questionnaire.clone()))
    }

    fn find_content(
        &self,
        content: &Digest,
        is_reusable: &dyn Fn(&Ask) -> bool,
    ) -> Result<Option<(i64, Ask)>, WriteError> {
        let condition = "content = $1 ORDER BY ask.seq DESC";
        for row in ask_rows::read_where(self, condition, &[&content.as_bytes().as_slice()])? {
            let (seq, ask) = row.into_ask()?;
            if is_reusable(&ask) {
                return Ok(Some((seq, ask)));
            }
        }
        Ok(None)
    }

    fn read_due(
        &self,
        until: Timestamp,
        most: usize,
        pass_over: usize,
    ) -> Result<Vec<Option<(i64, Ask)>>, WriteError> {
        let [most, pass_over] = [most, pass_over].map(|count| i64::try_from(count).unwrap_or(i64::MAX));
        let condition = "due_at <= $1 ORDER BY due_at, ask.seq LIMIT $2 OFFSET $3";
        let rows = ask_rows::read_where(self, condition, &[&until.as_microsecond(), &most, &pass_over])?;
        Ok(rows.into_iter().map(|row| row.into_ask().ok()).collect())
    }

    fn insert_ask(&self, target: &ChangeTarget, change: &AskTransition) -> Result<i64, WriteError> {
        Ok(ask_rows::insert(self, target, change))
    }

    fn update_ask(&self, before: (i64, &Ask), change: &AskTransition) -> Result<(), WriteError> {
        ask_rows::update(self, before, change);
        Ok(())
    }

    fn append_change(&self, (_, id): AskKey, events: &[AskEvent]) -> Result<(), WriteError> {
        change_log::append(self, id, events);
        Ok(())
    }

    fn find_key(&self, key: &KeyUse) -> Result<Option<(AskKey, Vec<u8>)>, WriteError> {
        Ok(keys::find_row(self, &key.owner, &key.key)?)
    }

    fn insert_key(&self, key: &KeyUse, (seq, _): AskKey) -> Result<(), WriteError> {
        let sql = "INSERT INTO key (owner, key, request, seq) VALUES ($1, $2, $3, $4)";
        let KeyUse { owner, key, request } = key;
        self.write(sql, &[owner.into(), key.into(), request.into(), seq.into()])
    }

    fn read_rendering(&self, (seq, _): AskKey, form: &str) -> Result<Option<Vec<u8>>, WriteError> {
        let sql = "SELECT body FROM rendering WHERE seq = $1 AND form = $2";
        Ok(self.row(sql, &[&seq, &form])?.map(|row| row.try_get(0)).transpose()?)
    }

    fn insert_rendering(&self, (seq, _): AskKey, form: &str, body: &[u8]) -> Result<(), WriteError> {
        let sql = "INSERT INTO rendering (seq, form, body) VALUES ($1, $2, $3)";
        self.write(sql, &[seq.into(), form.into(), body.into()])?;
        let sql = "UPDATE ask SET kept_bytes = kept_bytes + $2 WHERE seq = $1";
        self.write(sql, &[seq.into(), ask_rows::size(body.len()).into()])
    }

    fn insert_late(&self, (seq, _): AskKey, body: &str) -> Result<(), WriteError> {
        let sql = "INSERT INTO late (n, seq, body) VALUES ($1, $2, $3)";
        self.write(sql, &[self.next_row().into(), seq.into(), body.into()])
    }

    fn read_sound_draft(&self, id: AskId) -> Result<Option<Draft>, WriteError> {
        Ok(Some(drafts::read(self, id)?))
    }

    fn find_left_drafts(&self, key: &Digest, most: i64) -> Result<Vec<(AskKey, bool)>, WriteError> {
        let sql = "SELECT seq, id, state = 'answered' FROM ask \
                   WHERE draft_key = $1 AND NOT pending AND (state = 'answered' OR draft_rev > 0) \
                   ORDER BY seq DESC LIMIT $2";
        let mut asks = Vec::new();
        for row in self.query(sql, &[key.into(), most.into()])? {
            asks.push(((row.get(0)?, row.get(1)?), row.get(2)?));
        }
        Ok(asks)
    }

    fn put_reply(&self, (seq, _): AskKey, reply: &DraftReply<'_>) -> Result<(), WriteError> {
        let DraftReply { question, text, is_answer, rev, by, is_scripted } = *reply;
        self.write(
            "INSERT INTO draft (seq, question, reply, answered, rev, by, scripted, at) \
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT (seq, question) DO UPDATE SET \
             reply = excluded.reply, answered = excluded.answered, rev = excluded.rev, by = excluded.by, \
             scripted = excluded.scripted, at = excluded.at",
            &[
                seq.into(),
                question.as_str().into(),
                text.into(),
                is_answer.into(),
                rev.into(),
                by.into(),
                is_scripted.into(),
                self.now().into(),
            ],
        )
    }

    fn seal_progress(&self, _: AskId) -> Result<(), WriteError> {
        Ok(())
    }

    fn read_prunable(&self, condition: &str, values: &[RowValue]) -> Result<Vec<PrunableAsk>, WriteError> {
        let unseen = PostgresSql::UNSEEN;
        let sql = format!(
            "SELECT ask.seq, id, title, body, EXISTS (SELECT 1 FROM draft WHERE draft.seq = ask.seq) \
             OR EXISTS (SELECT 1 FROM late WHERE late.seq = ask.seq) \
             FROM ask JOIN request ON request.seq = ask.seq WHERE {unseen} AND {condition}"
        );
        let mut asks = Vec::new();
        for row in self.query(&sql, values)? {
            let (seq, id) = (row.get(0)?, row.get(1)?);
            let ask = PrunableAsk { seq, id, title: row.get(2)?, body: row.get(3)?, must_stay: row.get(4)? };
            asks.push(ask);
        }
        Ok(asks)
    }

    fn replace_request(&self, (seq, _): AskKey, body: &str) -> Result<(), WriteError> {
        self.write("UPDATE request SET body = $2 WHERE seq = $1", &[seq.into(), body.into()])?;
        self.write("DELETE FROM search WHERE seq = $1", &[seq.into()])
    }
}
