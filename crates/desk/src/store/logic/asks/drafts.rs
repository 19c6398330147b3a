//! Drafts, one reply a question.

use super::{AskKey, AskRows};
use crate::desk::not_found;
use crate::draft::{Draft, DraftRev, OnConflict, draft_changed};
use crate::store::logic::statements::StoreReader;
use crate::store::row_value::without_nul;
use sayso_core::lifecycle::{AskEvent, SubmittedDraft};
use sayso_core::model::actor::AssuranceLevel;
use sayso_core::sheet::ask_progress;
use sayso_core::sheet::{self, SheetProgress};
use sayso_core::wire::json;
use sayso_core::{AskId, Digest, Person, QuestionId, Questionnaire, Reply};
use std::collections::HashMap;
use std::sync::Arc;

/// Reply to store.
pub(crate) struct DraftReply<'a> {
    pub(crate) question: &'a QuestionId,
    /// JSON of the reply.
    pub(crate) text: &'a str,
    /// True if it counts as an answer.
    pub(crate) is_answer: bool,
    pub(crate) rev: i64,
    /// Name of its author.
    pub(crate) by: &'a str,
    /// True if a program gave it, not a person.
    pub(crate) is_scripted: bool,
}

/// Reply as stored.
struct StoredReply {
    text: String,
    is_answer: bool,
    rev: i64,
    by: String,
    is_scripted: bool,
}

/// Replies by the name of their question, which has no NUL here.
type StoredReplies = HashMap<String, StoredReply>;

/// Reads the replies in a draft.
fn read_replies<R: StoreReader>(reader: &R, seq: i64) -> Result<StoredReplies, R::Error> {
    let sql = "SELECT question, reply, answered, rev, by, scripted FROM draft WHERE seq = $1";
    let mut replies = StoredReplies::new();
    for row in reader.query(sql, &[seq.into()])? {
        let question: String = row.get(0)?;
        let reply = StoredReply {
            text: row.get(1)?,
            is_answer: row.get(2)?,
            rev: row.get(3)?,
            by: row.get(4)?,
            is_scripted: row.get(5)?,
        };
        replies.insert(without_nul(&question), reply);
    }
    Ok(replies)
}

fn is_scripted(by: &Person) -> bool {
    by.assurance == AssuranceLevel::Scripted
}

/// Saves replies over existing ones. It never conflicts: the last save of a question wins.
pub(crate) fn save<T: AskRows>(
    tx: &T,
    id: AskId,
    (base, on_conflict): (DraftRev, OnConflict),
    by: &Person,
    replies: &[(QuestionId, Reply)],
) -> Result<(DraftRev, Vec<QuestionId>), T::Error> {
    let sql = "SELECT seq, draft_rev FROM ask WHERE id = $1";
    let (Some(questionnaire), Some(row)) = (tx.read_questionnaire(id)?, tx.query_one(sql, &[id.into()])?)
    else {
        return Err(not_found(&id.to_string()).into());
    };
    let seq: i64 = row.get(0)?;
    let rev: i64 = row.get(1)?;
    if replies.is_empty() {
        return Ok((to_revision(rev), Vec::new()));
    }
    // A base revision that never existed has seen no save.
    let base = if base > to_revision(rev) { DraftRev(0) } else { base };
    // Most saves follow the one before, so nothing can be newer.
    let mut overwritten = Vec::new();
    if base < to_revision(rev) {
        overwritten = find_conflicts(&read_replies(tx, seq)?, base, replies);
    }
    if on_conflict == OnConflict::Refuse && !overwritten.is_empty() {
        return Err(draft_changed(&overwritten).into());
    }
    for ((question, reply), is_answer) in replies.iter().zip(sheet::count_as_answers(&questionnaire, replies))
    {
        let reply = DraftReply {
            question,
            text: &json::write(reply),
            is_answer,
            rev: rev + 1,
            by: &by.name,
            is_scripted: is_scripted(by),
        };
        tx.put_reply((seq, id), &reply)?;
    }
    set_revision(tx, (seq, id), rev + 1)?;
    update_progress(tx, (seq, id), &questionnaire)?;
    Ok((to_revision(rev + 1), overwritten))
}

/// Puts submitted replies into the draft, in the transaction of the submit. An empty one leaves what another person
/// typed. Identical replies stay unchanged, so that their authors see no newer revision.
pub(crate) fn save_submitted<T: AskRows>(
    tx: &T,
    ask: AskKey,
    draft: &SubmittedDraft,
    questionnaire: &Arc<Questionnaire>,
) -> Result<(), T::Error> {
    let rev = read_stored_revision(tx, ask.0)? + 1;
    let earlier_replies = read_replies(tx, ask.0)?;
    let by = draft.by.name.as_str();
    let is_scripted = is_scripted(&draft.by);
    let mut has_changed = false;
    for ((question, reply), is_answer) in
        draft.replies.iter().zip(sheet::count_as_answers(questionnaire, &draft.replies))
    {
        let text = json::write(reply);
        if let Some(earlier) = earlier_replies.get(&without_nul(question.as_str())) {
            let is_same = earlier.text == text && earlier.is_scripted == is_scripted;
            let is_others = without_nul(&earlier.by) != without_nul(by);
            if is_same || is_others && !reply.has_input() {
                continue;
            }
        }
        has_changed = true;
        tx.put_reply(ask, &DraftReply { question, text: &text, is_answer, rev, by, is_scripted })?;
    }
    if !has_changed {
        return Ok(());
    }
    set_revision(tx, ask, rev)?;
    update_progress(tx, ask, questionnaire)
}

/// Largest number of empty drafts that are skipped.
const MAX_EMPTY_DRAFTS: i64 = 20;

/// Prefills the draft of a new ask from the last ask with the same draft key: the replies to questions that both
/// have, and the note on the form. Nothing is taken if a later one was answered.
pub(crate) fn continue_earlier<T: AskRows>(
    tx: &T,
    key: &Digest,
    ask: AskKey,
    questionnaire: &Arc<Questionnaire>,
) -> Result<(), T::Error> {
    let Some(earlier) = find_left_draft(tx, key)? else { return Ok(()) };
    let earlier_replies = read_replies(tx, earlier)?;
    let mut has_replies = false;
    let questions = questionnaire.questions.iter().map(|question| &question.id);
    for question in questions.chain([&QuestionId::FORM]) {
        let Some(reply) = earlier_replies.get(&without_nul(question.as_str())) else { continue };
        has_replies = true;
        let StoredReply { ref text, is_answer, ref by, is_scripted, .. } = *reply;
        tx.put_reply(ask, &DraftReply { question, text, is_answer, rev: 1, by, is_scripted })?;
    }
    if !has_replies {
        return Ok(());
    }
    set_revision(tx, ask, 1)?;
    update_progress(tx, ask, questionnaire)
}

/// Finds the row number of the ask with this key at which a draft was left.
fn find_left_draft<T: AskRows>(tx: &T, key: &Digest) -> Result<Option<i64>, T::Error> {
    for ((seq, id), is_answered) in tx.find_left_drafts(key, MAX_EMPTY_DRAFTS)? {
        if is_answered {
            break;
        }
        // A damaged draft is not continued.
        if tx.read_sound_draft(id)?.is_some_and(|draft: Draft| draft.has_answers()) {
            return Ok(Some(seq));
        }
    }
    Ok(None)
}

/// Stores a revision, and that there is a new one.
fn set_revision<T: AskRows>(tx: &T, ask: AskKey, rev: i64) -> Result<(), T::Error> {
    tx.write("UPDATE ask SET draft_rev = $2 WHERE seq = $1", &[ask.0.into(), rev.into()])?;
    tx.append_change(ask, &[AskEvent::Drafted { rev: to_revision(rev).0 }])
}

/// Stores the draft progress in the ask's row. Conditions are evaluated only if the questionnaire has some.
fn update_progress<T: AskRows>(
    tx: &T,
    (seq, id): AskKey,
    questionnaire: &Arc<Questionnaire>,
) -> Result<(), T::Error> {
    // A draft with damage elsewhere still keeps the new text.
    let conditional_draft = if questionnaire.is_conditional() { tx.read_sound_draft(id)? } else { None };
    if let Some(draft) = conditional_draft {
        let replies = draft.into_typed_replies().collect();
        let SheetProgress { answered, total } = ask_progress::draft_progress(questionnaire, replies);
        let answer_count = i64::try_from(answered).unwrap_or(i64::MAX);
        let question_count = i64::try_from(total).unwrap_or(i64::MAX);
        let sql = "UPDATE ask SET answered = $2, asked = $3 WHERE seq = $1";
        tx.write(sql, &[seq.into(), answer_count.into(), question_count.into()])?;
    } else {
        let sql = "UPDATE ask SET answered = (SELECT count(*) FROM draft \
                   WHERE draft.seq = $1 AND draft.answered AND NOT draft.scripted) WHERE seq = $1";
        tx.write(sql, &[seq.into()])?;
    }
    tx.seal_progress(id)
}

/// Returns those of these questions that were saved since with a different reply. A retry after a lost response does
/// not conflict with itself.
fn find_conflicts(
    earlier_replies: &StoredReplies,
    base: DraftRev,
    replies: &[(QuestionId, Reply)],
) -> Vec<QuestionId> {
    let mut conflicts = Vec::new();
    for (question, reply) in replies {
        if let Some(earlier) = earlier_replies.get(&without_nul(question.as_str()))
            && to_revision(earlier.rev) > base
            && earlier.text != json::write(reply)
        {
            conflicts.push(question.clone());
        }
    }
    conflicts
}

/// Returns the revision of the draft of the ask in this row.
pub(crate) fn read_revision<R: StoreReader>(reader: &R, seq: i64) -> Result<DraftRev, R::Error> {
    read_stored_revision(reader, seq).map(to_revision)
}

fn read_stored_revision<R: StoreReader>(reader: &R, seq: i64) -> Result<i64, R::Error> {
    reader.query_count("SELECT draft_rev FROM ask WHERE seq = $1", &[seq.into()])
}

/// Converts a stored revision.
pub(crate) fn to_revision(stored: i64) -> DraftRev {
    DraftRev(u64::try_from(stored).unwrap_or_default())
}
