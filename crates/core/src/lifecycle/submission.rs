//! Submission of answers: validation, and the draft that the next round starts from.

use super::{Event, shown_is_asked};
use crate::answer::{Replies, Reply, Said};
use crate::ask::{Ask, Submission};
use crate::digest::Digest;
use crate::id::QuestionId;
use crate::limits;
use crate::message::Message;
use crate::outcome::{Outcome, Receipt};
use crate::problem::Problem;
use crate::sheet::Sheet;
use crate::who::Person;
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
    shown: Digest,
    now: Timestamp,
) -> Result<(Vec<Event>, Option<SubmittedDraft>), Problem> {
    let round = ask.must_be_open(now).map_err(|problem| problem.hint(Message::TextKept))?;
    shown_is_asked(ask, shown)?;
    let mut questionnaire = ask.request.questionnaire.clone();
    if ask.request.judged && as_sent.is_some() {
        // A program's JSON may say more than replies can: the asker that reviews it must see it unchanged.
        Arc::make_mut(&mut questionnaire).rules.unjudged = true;
    }
    let sheet = Sheet::new(questionnaire, replies);
    let sent = sheet.submission()?;
    let replies = sent.replies;
    let receipt = Receipt { dropped: sent.dropped, ..Receipt::of(person, shown, now) };
    if ask.request.judged {
        let wait = SignedDuration::from_secs(limits::VERDICT_WAIT_SECONDS);
        let verdict_by = now.checked_add(wait).unwrap_or(Timestamp::MAX);
        let submission = Submission { replies, as_sent, receipt, verdict_by };
        let draft = SubmittedDraft { by: person.clone(), replies: given(&sheet) };
        return Ok((vec![Event::Submitted { round, submission }], Some(draft)));
    }
    let outcome = Outcome::Answered { replies, as_sent, receipt, verdict: None };
    Ok((vec![Event::Settled { outcome }], None))
}

/// Returns the replies as given. A reply to a question that is not asked stays in the draft as well; without one, the
/// draft keeps what it has.
fn given(sheet: &Sheet) -> Vec<(QuestionId, Reply)> {
    let questions = sheet.questions().iter().enumerate();
    let given = questions.filter(|(at, _)| sheet.is_asked(*at) || sheet.reply_at(*at).is_given());
    given
        .filter(|(at, _)| !matches!(sheet.reply_at(*at).said, Said::NotAsked { .. }))
        .map(|(at, question)| (question.id.clone(), sheet.reply_at(at).clone()))
        .collect()
}
