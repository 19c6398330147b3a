//! Submission of answers: validation, and the draft that the next round starts from.

use super::{AskEvent, check_shown_digest};
use crate::i18n::Message;
use crate::limits;
use crate::model::actor::Person;
use crate::model::answer::{Replies, Reply, ReplyContent};
use crate::model::ask::{Ask, Submission};
use crate::model::id::QuestionId;
use crate::model::outcome::{Outcome, Receipt, ShownView};
use crate::problem::Problem;
use crate::sheet::{Sheet, SubmittedReplies};
use jiff::{SignedDuration, Timestamp};
use serde_json::Value;
use std::sync::Arc;

/// Submitted replies as the person gave them: a next round starts from them, on any surface.
#[derive(Debug, Clone, PartialEq)]
pub struct SubmittedDraft {
    /// The person who submitted.
    pub by: Person,
    /// One reply for each question that is asked or has one. An empty reply keeps the text that another person typed
    /// there.
    pub replies: Vec<(QuestionId, Reply)>,
}

pub(super) fn submit(
    ask: &Ask,
    person: &Person,
    replies: Replies,
    as_sent: Option<Value>,
    shown: ShownView,
    now: Timestamp,
) -> Result<(Vec<AskEvent>, Option<SubmittedDraft>), Problem> {
    let round = ask.open_round(now).map_err(|problem| problem.with_hint(Message::TextKept))?;
    check_shown_digest(ask, shown.digest)?;
    let mut questionnaire = ask.request.questionnaire.clone();
    if ask.request.needs_verdict && as_sent.is_some() {
        // A program's JSON may say more than replies can: the asker that reviews it must see it unchanged.
        Arc::make_mut(&mut questionnaire).rules.unjudged = true;
    }
    let sheet = Sheet::new(questionnaire, replies);
    // The asker judges what its format leaves to it.
    let SubmittedReplies { replies, dropped } =
        if ask.request.needs_verdict { sheet.unchecked_submission()? } else { sheet.submission()? };
    let mut receipt = Receipt::new(person, shown.digest, now).with_audience(&ask.request, person);
    receipt.dropped = dropped;
    // A receipt notes how many lines were drawn only if some were not.
    if let Some(seen) = shown.seen
        && seen.shown < seen.total
    {
        receipt.seen = Some(seen);
    }
    if ask.request.needs_verdict {
        let wait = SignedDuration::from_secs(limits::VERDICT_WAIT_SECONDS);
        let verdict_by = now.checked_add(wait).unwrap_or(Timestamp::MAX);
        let submission = Submission { replies, as_sent, receipt, verdict_by };
        let draft = SubmittedDraft { by: person.clone(), replies: draft_replies(&sheet) };
        return Ok((vec![AskEvent::Submitted { round, submission }], Some(draft)));
    }
    let outcome = Outcome::Answered { replies, as_sent, receipt, verdict: None };
    Ok((vec![AskEvent::Settled { outcome }], None))
}

/// Returns the replies as given. A reply to a question that is not asked stays in the draft as well; without one, the
/// draft keeps what it has.
fn draft_replies(sheet: &Sheet) -> Vec<(QuestionId, Reply)> {
    let mut replies = Vec::new();
    for (at, question) in sheet.questions().iter().enumerate() {
        let reply = sheet.reply_at(at);
        let is_marked_not_asked = matches!(reply.content, ReplyContent::NotAsked { .. });
        if !is_marked_not_asked && (sheet.is_asked(at) || reply.has_input()) {
            replies.push((question.id.clone(), reply.clone()));
        }
    }
    if let Some(reply) = sheet.form_reply() {
        replies.push((QuestionId::FORM, reply.clone()));
    }
    replies
}
