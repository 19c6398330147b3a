//! Rows of drafts, one a question.

use crate::desk::not_found;
use crate::draft::{Draft, DraftRev, OnConflict, draft_changed};
use crate::store::DraftStore;
use crate::store::postgres::PostgresStore;
use crate::store::postgres::asks::ask_rows::{self, read_id};
use crate::store::postgres::change_log;
use crate::store::postgres::connection::Query;
use crate::store::postgres::error::{DatabaseError, WriteError};
use crate::store::postgres::transaction::{WriteTransaction, values};
use crate::store::row_value::without_nul;
use sayso_core::lifecycle::{AskEvent, SubmittedDraft};
use sayso_core::model::actor::AssuranceLevel;
use sayso_core::model::ask_summary;
use sayso_core::sheet::{self, SheetProgress};
use sayso_core::wire::json;
use sayso_core::{AskId, Digest, Person, Problem, QuestionId, Questionnaire, Reply};
use std::collections::HashMap;
use std::sync::Arc;

impl DraftStore for PostgresStore {
    fn save_draft(
        &self,
        id: AskId,
        base: DraftRev,
        by: &Person,
        replies: Vec<(QuestionId, Reply)>,
        on_conflict: OnConflict,
    ) -> Result<(DraftRev, Vec<QuestionId>), Problem> {
        let by = by.clone();
        self.writer.run(move |tx| save(tx, id, (base, on_conflict), &by, &replies))
    }

    fn draft(&self, id: AskId) -> Result<Draft, Problem> {
        self.read(|session| read(session, id))
    }
}

/// Reply as stored.
struct StoredReply {
    text: String,
    rev: i64,
    by: String,
    is_scripted: bool,
}

/// Save of replies to one ask.
struct DraftSave<'a> {
    seq: i64,
    rev: i64,
    by: &'a Person,
}

impl DraftSave<'_> {
    fn is_scripted(&self) -> bool {
        self.by.assurance == AssuranceLevel::Scripted
    }

    /// Upserts a reply into the draft.
    fn upsert(&self, tx: &WriteTransaction<'_>, question: &QuestionId, reply: &Reply, counts: bool) {
        tx.queue(
            "INSERT INTO draft (seq, question, reply, answered, rev, by, scripted, at) \
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT (seq, question) DO UPDATE SET \
             reply = excluded.reply, answered = excluded.answered, rev = excluded.rev, by = excluded.by, \
             scripted = excluded.scripted, at = excluded.at",
            values![
                self.seq,
                without_nul(question.as_str()),
                json::write(reply),
                counts,
                self.rev,
                without_nul(&self.by.name),
                self.is_scripted(),
                tx.now().as_microsecond(),
            ],
        );
    }
}

/// Reads the replies in a draft.
fn stored_replies(query: &impl Query, seq: i64) -> Result<HashMap<String, StoredReply>, DatabaseError> {
    let sql = "SELECT question, reply, rev, by, scripted FROM draft WHERE seq = $1";
    let rows = query.rows(sql, &[&seq])?;
    let entry = |row: &tokio_postgres::Row| {
        let stored = StoredReply {
            text: row.try_get(1)?,
            rev: row.try_get(2)?,
            by: row.try_get(3)?,
            is_scripted: row.try_get(4)?,
        };
        Ok((row.try_get(0)?, stored))
    };
    rows.iter().map(entry).collect()
}

/// Saves replies over existing ones. It never conflicts: the last save of a question wins.
fn save(
    tx: &WriteTransaction<'_>,
    id: AskId,
    (base, on_conflict): (DraftRev, OnConflict),
    by: &Person,
    replies: &[(QuestionId, Reply)],
) -> Result<(DraftRev, Vec<QuestionId>), WriteError> {
    let stored = ask_rows::read(tx, id)?.ok_or_else(|| not_found(&id.to_string()))?;
    let (seq, ask) = stored.into_ask()?;
    let questionnaire = &ask.request.questionnaire;
    let rev = stored_revision(tx, seq)?;
    if replies.is_empty() {
        return Ok((to_revision(rev), Vec::new()));
    }
    // A base revision that never existed has seen no save.
    let base = if base > to_revision(rev) { DraftRev(0) } else { base };
    // Most saves follow the one before, so nothing can be newer.
    let overwritten = if base < to_revision(rev) {
        find_conflicts(&stored_replies(tx, seq)?, base, replies)
    } else {
        Vec::new()
    };
    if on_conflict == OnConflict::Refuse && !overwritten.is_empty() {
        return Err(draft_changed(&overwritten).into());
    }
    let entry = DraftSave { seq, rev: rev + 1, by };
    for ((question, reply), counts) in replies.iter().zip(sheet::count_as_answers(questionnaire, replies)) {
        entry.upsert(tx, question, reply, counts);
    }
    set_revision(tx, seq, rev + 1);
    let rev = to_revision(rev + 1);
    change_log::append(tx, id, &[AskEvent::Drafted { rev: rev.0 }]);
    update_progress(tx, (seq, id), questionnaire)?;
    Ok((rev, overwritten))
}

/// Puts submitted replies into the draft, in the transaction of the submit. An empty one leaves what another person
/// typed. Identical replies stay unchanged, so that their authors see no newer revision.
pub(crate) fn save_submitted(
    tx: &WriteTransaction<'_>,
    (seq, id): (i64, AskId),
    draft: &SubmittedDraft,
    questionnaire: &Arc<Questionnaire>,
) -> Result<(), WriteError> {
    let rev = stored_revision(tx, seq)?;
    let stored = stored_replies(tx, seq)?;
    let entry = DraftSave { seq, rev: rev + 1, by: &draft.by };
    let mut has_changed = false;
    for ((question, reply), counts) in
        draft.replies.iter().zip(sheet::count_as_answers(questionnaire, &draft.replies))
    {
        if let Some(before) = stored.get(&without_nul(question.as_str())) {
            let is_same = before.text == json::write(reply) && before.is_scripted == entry.is_scripted();
            let is_others = before.by != without_nul(&draft.by.name);
            if is_same || is_others && !reply.has_input() {
                continue;
            }
        }
        has_changed = true;
        entry.upsert(tx, question, reply, counts);
    }
    if !has_changed {
        return Ok(());
    }
    set_revision(tx, seq, rev + 1);
    change_log::append(tx, id, &[AskEvent::Drafted { rev: to_revision(rev + 1).0 }]);
    Ok(update_progress(tx, (seq, id), questionnaire)?)
}

/// Largest number of empty drafts that are skipped.
const MAX_EMPTY_DRAFTS: i64 = 20;

/// Prefills the draft of a new ask from the last ask with the same draft key: the replies to questions that both
/// have. Nothing is taken if a later one was answered.
pub(crate) fn continue_earlier(
    tx: &WriteTransaction<'_>,
    key: &Digest,
    (seq, id): (i64, AskId),
    questionnaire: &Arc<Questionnaire>,
) -> Result<(), WriteError> {
    let Some(from) = find_left_draft(tx, key)? else { return Ok(()) };
    let stored = stored_replies(tx, from)?;
    let questions = questionnaire.questions.iter().map(|question| without_nul(question.id.as_str()));
    let taken: Vec<_> = questions.filter(|question| stored.contains_key(question)).collect();
    if taken.is_empty() {
        return Ok(());
    }
    tx.queue(
        "INSERT INTO draft (seq, question, reply, answered, rev, by, scripted, at) \
         SELECT $2, question, reply, answered, 1, by, scripted, $4 FROM draft \
         WHERE seq = $1 AND question = ANY($3)",
        values![from, seq, taken, tx.now().as_microsecond()],
    );
    set_revision(tx, seq, 1);
    change_log::append(tx, id, &[AskEvent::Drafted { rev: 1 }]);
    Ok(update_progress(tx, (seq, id), questionnaire)?)
}

/// Finds the row number of the ask with this key at which a draft was left.
fn find_left_draft(tx: &WriteTransaction<'_>, key: &Digest) -> Result<Option<i64>, DatabaseError> {
    let sql = "SELECT seq, id, state = 'answered' FROM ask \
               WHERE draft_key = $1 AND NOT pending AND (state = 'answered' OR draft_rev > 0) \
               ORDER BY seq DESC LIMIT $2";
    for row in tx.rows(sql, &[&key.as_bytes().as_slice(), &MAX_EMPTY_DRAFTS])? {
        if row.try_get(2)? {
            break;
        }
        if read(tx, read_id(&row, 1)?)?.has_answers() {
            return row.try_get(0).map(Some);
        }
    }
    Ok(None)
}

/// Returns the revision of the draft of the ask in this row.
pub(crate) fn read_revision(query: &impl Query, seq: i64) -> Result<DraftRev, DatabaseError> {
    stored_revision(query, seq).map(to_revision)
}

fn stored_revision(query: &impl Query, seq: i64) -> Result<i64, DatabaseError> {
    query.row("SELECT draft_rev FROM ask WHERE seq = $1", &[&seq])?.map_or(Ok(0), |row| row.try_get(0))
}

fn set_revision(tx: &WriteTransaction<'_>, seq: i64, rev: i64) {
    tx.queue("UPDATE ask SET draft_rev = $2 WHERE seq = $1", values![seq, rev]);
}

/// Stores the draft progress in the ask's row. Conditions are evaluated only if the questionnaire has some.
fn update_progress(
    tx: &WriteTransaction<'_>,
    (seq, id): (i64, AskId),
    questionnaire: &Arc<Questionnaire>,
) -> Result<(), DatabaseError> {
    if questionnaire.is_conditional() {
        let replies = read(tx, id)?.into_typed_replies().collect();
        let SheetProgress { answered, total } = ask_summary::draft_progress(questionnaire, replies);
        let [answered, total] = [answered, total].map(|count| i64::try_from(count).unwrap_or(i64::MAX));
        let sql = "UPDATE ask SET answered = $2, asked = $3 WHERE seq = $1";
        tx.queue(sql, values![seq, answered, total]);
    } else {
        let sql = "UPDATE ask SET answered = \
                   (SELECT count(*) FROM draft WHERE seq = $1 AND draft.answered AND NOT scripted) WHERE seq = $1";
        tx.queue(sql, values![seq]);
    }
    Ok(())
}

/// Returns those of these questions that were saved since with a different reply. A retry after a lost response does
/// not conflict with itself.
fn find_conflicts(
    stored: &HashMap<String, StoredReply>,
    base: DraftRev,
    replies: &[(QuestionId, Reply)],
) -> Vec<QuestionId> {
    let is_newer = |question: &QuestionId, reply: &Reply| {
        stored
            .get(&without_nul(question.as_str()))
            .is_some_and(|stored| to_revision(stored.rev) > base && stored.text != json::write(reply))
    };
    replies
        .iter()
        .filter(|(question, reply)| is_newer(question, reply))
        .map(|(question, _)| question.clone())
        .collect()
}

fn to_revision(stored: i64) -> DraftRev {
    DraftRev(u64::try_from(stored).unwrap_or_default())
}

fn read(query: &impl Query, id: AskId) -> Result<Draft, DatabaseError> {
    let sql = "SELECT question, reply, draft_rev, scripted FROM ask LEFT JOIN draft ON draft.seq = ask.seq WHERE id = $1";
    let mut draft = Draft::default();
    for row in query.rows(sql, &[&id.as_bytes().as_slice()])? {
        draft.rev = to_revision(row.try_get(2)?);
        let Some(question) = row.try_get::<_, Option<String>>(0)? else { continue };
        let question = QuestionId::new(question);
        let Ok(reply) = json::read_own(row.try_get(1)?) else { continue };
        if row.try_get(3)? {
            draft.scripted.insert(question.clone());
        }
        draft.replies.insert(question, reply);
    }
    Ok(draft)
}
