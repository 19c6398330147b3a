//! Rows of drafts, one a question.

use crate::desk::not_found;
use crate::draft::{Draft, DraftRev, OnConflict, draft_changed};
use crate::store::DraftStore;
use crate::store::sqlite::SqliteStore;
use crate::store::sqlite::asks::ask_rows;
use crate::store::sqlite::asks::request_cache::RequestCache;
use crate::store::sqlite::change_log;
use crate::store::sqlite::column_values::read_id;
use crate::store::sqlite::error::map_ask_damage;
use crate::store::sqlite::error::{RowDamage, damage_error};
use crate::store::sqlite::integrity::checksum;
use crate::store::sqlite::writer::job::JobError;
use crate::store::sqlite::writer::job::WriteJob;
use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension as _, params};
use sayso_core::lifecycle::{AskEvent, SubmittedDraft};
use sayso_core::model::actor::AssuranceLevel;
use sayso_core::model::ask_summary;
use sayso_core::sheet::{self, SheetProgress};
use sayso_core::wire::json;
use sayso_core::{AskId, Digest, Person, Problem, QuestionId, Questionnaire, Reply};
use std::sync::Arc;

impl DraftStore for SqliteStore {
    fn save_draft(
        &self,
        id: AskId,
        base: DraftRev,
        by: &Person,
        replies: Vec<(QuestionId, Reply)>,
        on_conflict: OnConflict,
    ) -> Result<(DraftRev, Vec<QuestionId>), Problem> {
        self.writer.run(WriteJob::SaveDraft { id, base, by: by.clone(), replies, on_conflict })?.into_saved()
    }

    fn draft(&self, id: AskId) -> Result<Draft, Problem> {
        self.read_few(|conn| map_ask_damage(id, read(conn, id)))
    }
}

/// Existing replies that a new one replaces.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ReplacePolicy {
    Always,
    /// A different reply.
    IfDifferent,
    /// A different reply of the same person.
    IfOwnAndDifferent,
}

/// Save of replies to one ask.
struct DraftSave<'a> {
    seq: i64,
    id: AskId,
    rev: i64,
    by: &'a Person,
    now: Timestamp,
}

impl DraftSave<'_> {
    /// Upserts a reply into the draft, and returns the number of changed rows.
    fn upsert(
        &self,
        conn: &Connection,
        question: &QuestionId,
        reply: &Reply,
        counts: bool,
        replaces: ReplacePolicy,
    ) -> rusqlite::Result<usize> {
        let (text, is_scripted) = (json::write(reply), self.by.assurance == AssuranceLevel::Scripted);
        conn.prepare_cached(
            "INSERT INTO draft (seq, question, reply, answered, rev, by, scripted, at, sum) \
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9) ON CONFLICT DO UPDATE SET reply = excluded.reply, \
             answered = excluded.answered, rev = excluded.rev, by = excluded.by, scripted = excluded.scripted, \
             at = excluded.at, sum = excluded.sum WHERE ?10 \
             OR ((reply <> excluded.reply OR scripted <> excluded.scripted) AND (?11 OR by = excluded.by))",
        )?
        .execute(params![
            self.seq,
            question.as_str(),
            text,
            counts,
            self.rev,
            self.by.name,
            is_scripted,
            self.now.as_microsecond(),
            checksum::reply_sum(self.id, question, &text, is_scripted),
            replaces == ReplacePolicy::Always,
            replaces == ReplacePolicy::IfDifferent,
        ])
    }
}

/// Saves replies over existing ones. It never conflicts: the last save of a question wins.
pub(crate) fn save(
    conn: &Connection,
    id: AskId,
    (base, over): (DraftRev, OnConflict),
    by: &Person,
    replies: &[(QuestionId, Reply)],
    questionnaire: &Questionnaire,
    now: Timestamp,
) -> Result<(DraftRev, Vec<QuestionId>), JobError> {
    let (seq, rev): (i64, i64) = conn
        .prepare_cached("SELECT seq, draft_rev FROM ask WHERE id = ?1")?
        .query_row([id.as_bytes()], |row| Ok((row.get(0)?, row.get(1)?)))
        .optional()?
        .ok_or_else(|| not_found(&id.to_string()))?;
    if replies.is_empty() {
        return Ok((to_revision(rev), Vec::new()));
    }
    // A base revision that never existed has seen no save.
    let base = if base > to_revision(rev) { DraftRev(0) } else { base };
    // Most saves follow the one before, so nothing can be newer.
    let overwritten =
        if base < to_revision(rev) { find_conflicts(conn, seq, base, replies)? } else { Vec::new() };
    if over == OnConflict::Refuse && !overwritten.is_empty() {
        return Err(draft_changed(&overwritten).into());
    }
    let entry = DraftSave { seq, id, rev: rev + 1, by, now };
    for ((question, reply), counts) in replies.iter().zip(sheet::count_as_answers(questionnaire, replies)) {
        entry.upsert(conn, question, reply, counts, ReplacePolicy::Always)?;
    }
    set_revision(conn, seq, rev + 1)?;
    let rev = to_revision(rev + 1);
    change_log::append(conn, seq, id, &[AskEvent::Drafted { rev: rev.0 }], now)?;
    Ok((rev, overwritten))
}

/// Puts submitted replies into the draft, in the transaction of the submit. An empty one leaves what another person
/// typed. Identical replies stay unchanged, so that their authors see no newer revision.
pub(crate) fn save_submitted(
    conn: &Connection,
    (seq, id): (i64, AskId),
    draft: &SubmittedDraft,
    questionnaire: &Arc<Questionnaire>,
    now: Timestamp,
) -> Result<(), JobError> {
    let rev = stored_revision(conn, seq)?;
    let entry = DraftSave { seq, id, rev: rev + 1, by: &draft.by, now };
    let mut changed = 0;
    for ((question, reply), counts) in
        draft.replies.iter().zip(sheet::count_as_answers(questionnaire, &draft.replies))
    {
        let replaces =
            if reply.has_input() { ReplacePolicy::IfDifferent } else { ReplacePolicy::IfOwnAndDifferent };
        changed += entry.upsert(conn, question, reply, counts, replaces)?;
    }
    if changed == 0 {
        return Ok(());
    }
    set_revision(conn, seq, rev + 1)?;
    change_log::append(conn, seq, id, &[AskEvent::Drafted { rev: to_revision(rev + 1).0 }], now)?;
    update_progress(conn, id, questionnaire)
}

/// Prefills the draft of a new ask from the last ask with the same draft key: the replies to questions that both
/// have. Nothing is taken if a later one was answered.
pub(crate) fn continue_earlier(
    conn: &Connection,
    key: &Digest,
    (seq, id): (i64, AskId),
    questionnaire: &Arc<Questionnaire>,
    now: Timestamp,
) -> Result<(), JobError> {
    let Some((from, draft)) = find_left_draft(conn, key)? else { return Ok(()) };
    let mut count = 0;
    for question in questionnaire.questions.iter().map(|question| &question.id) {
        let Some(reply) = draft.replies.get(question) else { continue };
        let sum = checksum::reply_sum(id, question, &json::write(reply), draft.scripted.contains(question));
        count += conn
            .prepare_cached(
                "INSERT INTO draft (seq, question, reply, answered, rev, by, scripted, at, sum) \
                 SELECT ?2, question, reply, answered, 1, by, scripted, ?4, ?5 FROM draft \
                 WHERE seq = ?1 AND question = ?3",
            )?
            .execute(params![from, seq, question.as_str(), now.as_microsecond(), sum])?;
    }
    if count > 0 {
        set_revision(conn, seq, 1)?;
        change_log::append(conn, seq, id, &[AskEvent::Drafted { rev: 1 }], now)?;
        update_progress(conn, id, questionnaire)?;
    }
    Ok(())
}

/// Largest number of empty drafts that are skipped.
const MAX_EMPTY_DRAFTS: u32 = 20;

/// Finds the draft left at an ask with this key, and the row number of the ask.
fn find_left_draft(conn: &Connection, key: &Digest) -> rusqlite::Result<Option<(i64, Draft)>> {
    let mut ended = conn.prepare_cached(
        "SELECT seq FROM ask \
         WHERE draft_key = ?1 AND pending IS NULL AND (state = 'answered' OR draft_rev > 0) \
         ORDER BY seq DESC LIMIT ?2",
    )?;
    // The index is not trusted: it may lead to another asker's ask.
    let mut row_at =
        conn.prepare_cached("SELECT id, state = 'answered' FROM ask WHERE seq = ?1 AND draft_key = ?2")?;
    let mut rows = ended.query(params![key.as_bytes(), MAX_EMPTY_DRAFTS])?;
    while let Some(row) = rows.next()? {
        let seq: i64 = row.get(0)?;
        let found = row_at
            .query_row(params![seq, key.as_bytes()], |row| Ok((read_id(row, 0)?, row.get::<_, bool>(1)?)));
        let Some((id, is_answered)) = found.optional()? else { continue };
        if is_answered {
            break;
        }
        // A damaged draft is not continued.
        if let Some(draft) = read(conn, id).ok().filter(Draft::has_answers) {
            return Ok(Some((seq, draft)));
        }
    }
    Ok(None)
}

fn set_revision(conn: &Connection, seq: i64, rev: i64) -> rusqlite::Result<()> {
    conn.prepare_cached("UPDATE ask SET draft_rev = ?2 WHERE seq = ?1")?.execute([seq, rev]).map(drop)
}

/// Returns the questionnaire, cached if possible: most answered asks were read just before.
pub(crate) fn read_questionnaire(
    conn: &Connection,
    requests: &RequestCache,
    id: AskId,
) -> Result<Arc<Questionnaire>, JobError> {
    if let Some(request) = requests.get(id) {
        return Ok(request.questionnaire.clone());
    }
    let stored = ask_rows::read(conn, requests, id)?.ok_or_else(|| not_found(&id.to_string()))?;
    Ok(stored.into_ask(requests)?.1.request.questionnaire.clone())
}

/// Stores the draft progress in the ask's row. Conditions are evaluated only if the questionnaire has some.
pub(crate) fn update_progress(
    conn: &Connection,
    id: AskId,
    questionnaire: &Arc<Questionnaire>,
) -> Result<(), JobError> {
    // A draft with damage elsewhere still keeps the new text.
    if questionnaire.is_conditional()
        && let Ok(draft) = read(conn, id)
    {
        let SheetProgress { answered, total } =
            ask_summary::draft_progress(questionnaire, draft.into_typed_replies().collect());
        let [answered, total] = [answered, total].map(|count| i64::try_from(count).unwrap_or(i64::MAX));
        conn.prepare_cached("UPDATE ask SET answered = ?2, asked = ?3 WHERE id = ?1")?.execute(params![
            id.as_bytes(),
            answered,
            total
        ])?;
    } else {
        conn.prepare_cached(
            "UPDATE ask SET answered = (SELECT count(*) FROM draft WHERE seq = ask.seq AND answered AND NOT scripted) \
             WHERE id = ?1",
        )?
        .execute([id.as_bytes()])?;
    }
    Ok(write_progress_sum(conn, id)?)
}

/// Writes the checksum of the draft progress into the ask's row after a change of it.
pub(crate) fn write_progress_sum(conn: &Connection, id: AskId) -> rusqlite::Result<()> {
    let sum = conn
        .prepare_cached("SELECT answered, asked, draft_rev FROM ask WHERE id = ?1")?
        .query_row([id.as_bytes()], |row| {
            Ok(checksum::draft_progress_sum(id, row.get(0)?, row.get(1)?, row.get(2)?))
        })
        .optional()?;
    conn.prepare_cached("UPDATE ask SET draft_sum = ?2 WHERE id = ?1")?
        .execute(params![id.as_bytes(), sum])
        .map(drop)
}

/// Returns those of these questions that were saved since with a different reply. A retry after a lost response does
/// not conflict with itself.
fn find_conflicts(
    conn: &Connection,
    seq: i64,
    base: DraftRev,
    replies: &[(QuestionId, Reply)],
) -> rusqlite::Result<Vec<QuestionId>> {
    let base = i64::try_from(base.0).unwrap_or(i64::MAX);
    let mut newer = conn.prepare_cached(
        "SELECT 1 FROM draft WHERE seq = ?1 AND question = ?2 AND rev > ?3 AND reply <> ?4",
    )?;
    let mut since = Vec::new();
    for (question, reply) in replies {
        if newer.exists(params![seq, question.as_str(), base, json::write(reply)])? {
            since.push(question.clone());
        }
    }
    Ok(since)
}

fn stored_revision(conn: &Connection, seq: i64) -> rusqlite::Result<i64> {
    conn.prepare_cached("SELECT draft_rev FROM ask WHERE seq = ?1")?.query_row([seq], |row| row.get(0))
}

/// Returns the revision of the draft of the ask in this row.
pub(crate) fn read_revision(conn: &Connection, seq: i64) -> rusqlite::Result<DraftRev> {
    stored_revision(conn, seq).map(to_revision)
}

fn to_revision(stored: i64) -> DraftRev {
    DraftRev(u64::try_from(stored).unwrap_or_default())
}

pub(crate) fn read(conn: &Connection, id: AskId) -> rusqlite::Result<Draft> {
    let mut statement = conn.prepare_cached(
        "SELECT question, reply, draft_rev, scripted, sum FROM ask LEFT JOIN draft ON draft.seq = ask.seq WHERE id = ?1",
    )?;
    let mut rows = statement.query([id.as_bytes()])?;
    let mut draft = Draft::default();
    while let Some(row) = rows.next()? {
        draft.rev = to_revision(row.get(2)?);
        let Some(question) = row.get::<_, Option<String>>(0)? else { continue };
        let text: String = row.get(1)?;
        let (question, is_scripted) = (QuestionId::new(question), row.get(3)?);
        checksum::verify(
            row,
            4,
            checksum::reply_sum(id, &question, &text, is_scripted),
            &RowDamage::Ask(id),
        )?;
        let reply = json::read_own(&text).map_err(|_| damage_error(RowDamage::Ask(id)))?;
        if is_scripted {
            draft.scripted.insert(question.clone());
        }
        draft.replies.insert(question, reply);
    }
    Ok(draft)
}
