//! Rows of asks in a transaction, for the rules.

use super::ask_sql::SqliteSql;
use super::{ask_rows, drafts, keys, renderings, search};
use crate::draft::Draft;
use crate::store::api::{ChangeTarget, KeyUse};
use crate::store::logic::asks::ask_sql::AskSql as _;
use crate::store::logic::asks::drafts::DraftReply;
use crate::store::logic::asks::{AskKey, AskRows, PrunableAsk};
use crate::store::logic::statements::{StoreReader as _, StoreTransaction as _};
use crate::store::row_value::RowValue;
use crate::store::sqlite::change_log;
use crate::store::sqlite::error::disk_full;
use crate::store::sqlite::integrity::checksum;
use crate::store::sqlite::transaction::SqliteTransaction;
use crate::store::sqlite::writer::job::JobError;
use jiff::Timestamp;
use rusqlite::{OptionalExtension as _, params};
use sayso_core::lifecycle::AskEvent;
use sayso_core::{Ask, AskId, AskTransition, Digest, Problem, Questionnaire};
use std::sync::Arc;

impl SqliteTransaction<'_> {
    /// Returns whether a row has the content by which the index found it.
    fn has_content(&self, seq: i64, content: &Digest) -> rusqlite::Result<bool> {
        self.conn
            .prepare_cached("SELECT content FROM ask WHERE seq = ?1")?
            .query_row([seq], |row| Ok(row.get_ref(0)?.as_blob_or_null()? == Some(content.as_bytes())))
            .optional()
            .map(Option::unwrap_or_default)
    }
}

impl AskRows for SqliteTransaction<'_> {
    type Savepoint = ();

    fn to_refusal(error: JobError) -> Result<Problem, JobError> {
        match error {
            JobError::Problem(problem) => Ok(problem),
            database @ JobError::Database(_) => Err(database),
        }
    }

    fn set_savepoint(&self) -> Result<(), JobError> {
        Ok(self.conn.execute_batch("SAVEPOINT together")?)
    }

    fn undo_to_savepoint(&self, (): ()) -> Result<(), JobError> {
        Ok(self.conn.execute_batch("ROLLBACK TO together; RELEASE together")?)
    }

    fn release_savepoint(&self, (): ()) -> Result<(), JobError> {
        Ok(self.conn.execute_batch("RELEASE together")?)
    }

    fn check_space(&self) -> Result<(), JobError> {
        if self.context.reserve.fill() { Ok(()) } else { Err(disk_full().into()) }
    }

    /// Triggers count them, so that this does not scan.
    fn count_pending(&self) -> Result<i64, JobError> {
        self.query_count("SELECT value FROM chore WHERE name = 'pending'", &[])
    }

    fn read_ask(&self, id: AskId) -> Result<Option<(i64, Ask)>, JobError> {
        let requests = self.context.requests;
        match ask_rows::read(self.conn, requests, id)? {
            Some(stored) => Ok(Some(stored.into_ask(requests)?)),
            None => Ok(None),
        }
    }

    fn read_ask_at(&self, seq: i64) -> Result<Option<(i64, Ask)>, JobError> {
        match ask_rows::id_at(self.conn, seq)? {
            Some(id) => self.read_ask(id),
            None => Ok(None),
        }
    }

    /// Most answered asks were read just before, so that their requests are cached.
    fn read_questionnaire(&self, id: AskId) -> Result<Option<Arc<Questionnaire>>, JobError> {
        if let Some(request) = self.context.requests.get(id) {
            return Ok(Some(request.questionnaire.clone()));
        }
        Ok(self.read_ask(id)?.map(|(_, ask)| ask.request.questionnaire.clone()))
    }

    fn find_content(
        &self,
        content: &Digest,
        is_reusable: &dyn Fn(&Ask) -> bool,
    ) -> Result<Option<(i64, Ask)>, JobError> {
        let sql = "SELECT seq FROM ask WHERE content = $1 ORDER BY seq DESC";
        for row in self.query(sql, &[content.into()])? {
            let seq = row.get(0)?;
            // The index is not trusted: it may lead to another asker's ask.
            if self.has_content(seq, content)?
                && let Some((seq, ask)) = self.read_ask_at(seq)?
                && is_reusable(&ask)
            {
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
    ) -> Result<Vec<Option<(i64, Ask)>>, JobError> {
        let [most, pass_over] = [most, pass_over].map(|count| i64::try_from(count).unwrap_or(i64::MAX));
        let sql = "SELECT id FROM ask WHERE due_at <= $1 ORDER BY due_at, seq LIMIT $2 OFFSET $3";
        let mut asks = Vec::new();
        for row in self.query(sql, &[until.into(), most.into(), pass_over.into()])? {
            let stored = ask_rows::read(self.conn, self.context.requests, row.get(0)?)?;
            asks.push(stored.and_then(|stored| stored.into_ask(self.context.requests).ok()));
        }
        Ok(asks)
    }

    fn insert_ask(&self, target: &ChangeTarget, change: &AskTransition) -> Result<i64, JobError> {
        ask_rows::insert(self.conn, self.context.requests, target, change)
    }

    fn update_ask(&self, (seq, _): (i64, &Ask), change: &AskTransition) -> Result<(), JobError> {
        Ok(ask_rows::update(self.conn, seq, change)?)
    }

    fn append_change(&self, (seq, id): AskKey, events: &[AskEvent]) -> Result<(), JobError> {
        Ok(change_log::append(self.conn, seq, id, events, self.now())?)
    }

    fn find_key(&self, key: &KeyUse) -> Result<Option<(AskKey, Vec<u8>)>, JobError> {
        Ok(keys::find_row(self.conn, &key.owner, &key.key)?)
    }

    fn insert_key(&self, key: &KeyUse, ask: AskKey) -> Result<(), JobError> {
        Ok(keys::insert(self.conn, key, ask)?)
    }

    fn read_rendering(&self, (_, id): AskKey, form: &str) -> Result<Option<Vec<u8>>, JobError> {
        Ok(renderings::read(self.conn, id, form)?)
    }

    fn insert_rendering(&self, (seq, id): AskKey, form: &str, body: &[u8]) -> Result<(), JobError> {
        let sum = checksum::rendering_sum(id, form, body);
        let sql = "INSERT INTO rendering (seq, form, body, sum) VALUES ($1, $2, $3, $4)";
        self.write(sql, &[seq.into(), form.into(), body.into(), sum.into()])
    }

    fn insert_late(&self, (seq, id): AskKey, body: &str) -> Result<(), JobError> {
        let sum = checksum::text_sum(id, body);
        self.write(
            "INSERT INTO late (seq, body, sum) VALUES ($1, $2, $3)",
            &[seq.into(), body.into(), sum.into()],
        )
    }

    fn read_sound_draft(&self, id: AskId) -> Result<Option<Draft>, JobError> {
        Ok(drafts::read(self.conn, id).ok())
    }

    fn find_left_drafts(&self, key: &Digest, most: i64) -> Result<Vec<(AskKey, bool)>, JobError> {
        let sql = "SELECT seq FROM ask \
                     WHERE draft_key = $1 AND pending IS NULL AND (state = 'answered' OR draft_rev > 0) \
                     ORDER BY seq DESC LIMIT $2";
        let mut found = Vec::new();
        for row in self.query(sql, &[key.into(), most.into()])? {
            let seq: i64 = row.get(0)?;
            // The index is not trusted: it may lead to another asker's ask.
            let sql = "SELECT id, state = 'answered' FROM ask WHERE seq = $1 AND draft_key = $2";
            if let Some(row) = self.query_one(sql, &[seq.into(), key.into()])? {
                found.push(((seq, row.get(0)?), row.get(1)?));
            }
        }
        Ok(found)
    }

    fn put_reply(&self, (seq, id): AskKey, reply: &DraftReply<'_>) -> Result<(), JobError> {
        let DraftReply { question, text, is_answer, rev, by, is_scripted } = reply;
        let sum = checksum::reply_sum(id, question, text, *is_scripted);
        let at = self.now().as_microsecond();
        self.conn
            .prepare_cached(
                "INSERT INTO draft (seq, question, reply, answered, rev, by, scripted, at, sum) \
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9) ON CONFLICT DO UPDATE SET reply = excluded.reply, \
                 answered = excluded.answered, rev = excluded.rev, by = excluded.by, \
                 scripted = excluded.scripted, at = excluded.at, sum = excluded.sum",
            )?
            .execute(params![seq, question.as_str(), text, is_answer, rev, by, is_scripted, at, sum])?;
        Ok(())
    }

    fn seal_progress(&self, id: AskId) -> Result<(), JobError> {
        Ok(drafts::write_progress_sum(self.conn, id)?)
    }

    fn read_prunable(&self, condition: &str, values: &[RowValue]) -> Result<Vec<PrunableAsk>, JobError> {
        let unseen = SqliteSql::UNSEEN;
        let sql = format!(
            "SELECT ask.seq, id, title, body, sum, EXISTS (SELECT 1 FROM draft WHERE draft.seq = ask.seq) \
             OR EXISTS (SELECT 1 FROM late WHERE late.seq = ask.seq) \
             FROM ask JOIN request ON request.seq = ask.seq WHERE {unseen} AND {condition}"
        );
        let mut asks = Vec::new();
        for row in self.query(&sql, values)? {
            let (id, body): (AskId, String) = (row.get(1)?, row.get(3)?);
            let is_sound = checksum::matches_stored(row.get(4)?, checksum::text_sum(id, &body));
            let must_stay = row.get(5)? || !is_sound;
            asks.push(PrunableAsk { seq: row.get(0)?, id, title: row.get(2)?, body, must_stay });
        }
        Ok(asks)
    }

    fn replace_request(&self, (seq, id): AskKey, body: &str) -> Result<(), JobError> {
        let sum = checksum::text_sum(id, body);
        self.write(
            "UPDATE request SET body = $2, sum = $3 WHERE seq = $1",
            &[seq.into(), body.into(), sum.into()],
        )?;
        search::remove(self.conn, seq)?;
        self.context.requests.remove(id);
        Ok(())
    }
}
