//! Draft autosave. Typed text reaches the desk within 300 ms of the first key; pending and failed saves lose nothing.

use super::{AskTab, AskView, FieldFocus, FieldState, UpdateContext};
use crate::describe;
use crate::draft_sync::DraftSync;
use jiff::Timestamp;
use sayso_core::{Ask, Message, Problem, ProblemCode, QuestionId, QuestionKind, Replies, Reply};
use sayso_desk::{Draft, DraftRev, SaveReport};
use std::time::Duration;

/// Debounce of typing: the longest time before typed text is put on the sheet and saved.
const TYPING_DEBOUNCE: Duration = Duration::from_millis(200);

/// Duration after which a save counts as slow and the person is notified.
const SLOW_SAVE: Duration = Duration::from_secs(1);

/// Delay before a failed save is retried.
const RETRY_DELAY: Duration = Duration::from_secs(2);

/// State of the autosave: saved, pending and in-flight replies.
#[derive(Debug, Clone)]
pub(crate) struct DraftAutosave {
    rev: DraftRev,
    sync: DraftSync,
    /// Time of the first key that is not yet on the sheet.
    typed_since: Option<Timestamp>,
    unsaved: Replies,
    in_flight: Option<Replies>,
    /// Time at which the in-flight save was sent.
    sent_at: Option<Timestamp>,
    /// Time of the last successful save.
    pub(crate) saved_at: Option<Timestamp>,
    /// Cause of the last save's failure.
    pub(crate) problem: Option<Problem>,
    retry_at: Option<Timestamp>,
}

impl DraftAutosave {
    /// Starts from a draft that was read at this revision.
    pub(super) fn new(rev: DraftRev, replies: Replies) -> Self {
        Self {
            rev,
            sync: DraftSync::new(replies),
            typed_since: None,
            unsaved: Replies::new(),
            in_flight: None,
            sent_at: None,
            saved_at: None,
            problem: None,
            retry_at: None,
        }
    }

    /// Queues a reply for the next save.
    pub(super) fn queue(&mut self, id: QuestionId, reply: Reply) {
        self.unsaved.insert(id, reply);
    }

    /// Records that a key was typed into a text.
    pub(super) fn record_key(&mut self, now: Timestamp) {
        self.typed_since.get_or_insert(now);
    }

    pub(super) fn is_debounced(&self, now: Timestamp) -> bool {
        self.typed_since.is_some_and(|since| now.duration_since(since).unsigned_abs() >= TYPING_DEBOUNCE)
    }

    /// Takes the replies to save now, with the revision that they are based on.
    pub(super) fn take_save(&mut self, now: Timestamp) -> Option<(DraftRev, Vec<(QuestionId, Reply)>)> {
        let waits = self.retry_at.is_some_and(|at| now < at);
        if self.unsaved.is_empty() || self.in_flight.is_some() || waits {
            return None;
        }
        let replies = std::mem::take(&mut self.unsaved);
        self.in_flight = Some(replies.clone());
        self.sent_at = Some(now);
        Some((self.rev, replies.into_iter().collect()))
    }

    /// Takes all unsaved replies when the ask closes; the desk makes the in-flight save before this one.
    pub(super) fn take_rest(&mut self) -> Option<(DraftRev, Vec<(QuestionId, Reply)>)> {
        let replies = std::mem::take(&mut self.unsaved);
        (!replies.is_empty()).then(|| (self.rev, replies.into_iter().collect()))
    }

    /// Returns whether the in-flight save takes longer than [`SLOW_SAVE`].
    pub(crate) fn is_slow(&self, now: Timestamp) -> bool {
        self.slow_at().is_some_and(|at| at <= now)
    }

    fn slow_at(&self) -> Option<Timestamp> {
        self.in_flight.as_ref().and(self.sent_at)?.checked_add(SLOW_SAVE).ok()
    }

    /// Skips the retry delay, so that the next save is tried immediately.
    pub(crate) fn retry_now(&mut self) {
        self.retry_at = None;
    }

    pub(super) fn next_wakeup(&self, now: Timestamp) -> Option<Timestamp> {
        let typed = self.typed_since.and_then(|since| since.checked_add(TYPING_DEBOUNCE).ok());
        let slow = self.slow_at().filter(|at| *at > now);
        // An in-flight save is retried only after it has returned.
        let again = self.retry_at.filter(|_| self.in_flight.is_none() && !self.unsaved.is_empty());
        [typed, again, slow].into_iter().flatten().min()
    }

    pub(super) fn is_stored(&self) -> bool {
        self.typed_since.is_none() && self.unsaved.is_empty() && self.in_flight.is_none()
    }

    /// Returns whether a save of this question is pending or in flight, so that what the desk has is older.
    fn has_pending(&self, id: &QuestionId) -> bool {
        self.unsaved.contains_key(id) || self.in_flight.as_ref().is_some_and(|sent| sent.contains_key(id))
    }
}

impl AskView {
    /// Puts the typed text on the sheet.
    pub(crate) fn commit_text(&mut self, cx: &UpdateContext) {
        self.autosave.typed_since = None;
        let Some(place) = self.tab.question_place() else { return };
        self.commit_field(place, cx);
        self.restore_remote_reply(place, cx);
    }

    /// Restores another surface's reply if typing here changed nothing.
    fn restore_remote_reply(&mut self, place: usize, cx: &UpdateContext) {
        let Some(id) = self.question(place).map(|question| question.id.clone()) else { return };
        if !self.autosave.has_pending(&id)
            && let Some(reply) = self.autosave.sync.take_skipped(&id)
        {
            self.apply_remote_reply(place, reply, cx);
        }
    }

    fn commit_field(&mut self, place: usize, cx: &UpdateContext) {
        let (Some(question), Some(field)) = (self.question(place), self.fields.get(&place)) else {
            return;
        };
        let note = Some(field.note.text().to_owned());
        let reply = self.sheet.reply_at(place);
        let with_note = if matches!(question.kind, QuestionKind::Choice(_)) {
            self.with_own_answer(place, field)
        } else if super::navigation::is_typed(&question.kind) {
            field.parse_answer(question, &cx.now).map_or_else(
                || if reply.is_skipped() { reply.clone() } else { Reply::unanswered() },
                Reply::from_answer,
            )
        } else {
            reply.clone()
        };
        let new = with_note.with_note(note);
        // Looking at a prefilled answer does not confirm it.
        if !(self.sheet.is_prefilled(place) && *self.sheet.reply_at(place) == new) {
            self.set_reply(place, new, cx);
        }
    }

    /// Handles the result of a save. Returns whether the draft has to be read again.
    pub(crate) fn handle_saved(
        &mut self,
        base: DraftRev,
        saved: Result<SaveReport, Problem>,
        cx: &UpdateContext,
    ) -> bool {
        let sent = self.autosave.in_flight.take().unwrap_or_default();
        match saved {
            Ok(saved) => {
                self.autosave.saved_at = Some(cx.now.timestamp());
                self.autosave.problem = None;
                self.autosave.retry_at = None;
                for id in self.autosave.sync.record_save(&sent, saved.overwritten) {
                    let number =
                        self.sheet.index_of(&id).map(|place| self.sheet.number_of(place)).unwrap_or_default();
                    self.notice = Some(Message::ReplacedElsewhere.render_with(cx.lang, [number]));
                }
                let alone = saved.rev.0 == base.0 + 1;
                if alone {
                    self.autosave.rev = self.autosave.rev.max(saved.rev);
                }
                // Another surface saved in between.
                !alone
            }
            Err(problem) => {
                for (id, reply) in sent {
                    self.autosave.unsaved.entry(id).or_insert(reply);
                }
                self.autosave.problem = Some(problem);
                self.notice = None;
                self.autosave.retry_at = cx.instant().checked_add(RETRY_DELAY).ok();
                false
            }
        }
    }

    /// Merges the ask and its draft from the desk.
    pub(crate) fn merge_remote(&mut self, ask: Ask, draft: Draft, cx: &UpdateContext) {
        if ask.state.phase != self.ask.state.phase {
            self.corrected.clear();
        }
        self.ask = ask;
        if draft.rev <= self.autosave.rev {
            return;
        }
        self.autosave.rev = draft.rev;
        for (id, reply) in draft.into_typed_replies() {
            let Some(place) = self.sheet.index_of(&id) else { continue };
            let typing_here = self.tab == AskTab::Question(place) && self.autosave.typed_since.is_some();
            if self.autosave.has_pending(&id) || typing_here {
                self.autosave.sync.record_skipped(&id, &reply);
                continue;
            }
            self.autosave.sync.record_read(&id, &reply);
            self.apply_remote_reply(place, reply, cx);
        }
        if let AskTab::Question(place) = self.tab
            && !self.sheet.is_asked(place)
        {
            let decided =
                self.sheet.deciding_question(place).and_then(|question| self.sheet.index_of(&question.id));
            let near = decided
                .filter(|place| self.sheet.is_asked(*place))
                .or_else(|| self.sheet.next_needing_attention());
            self.go_to(near.map_or(AskTab::Review, AskTab::Question), cx);
        }
    }

    /// Returns everything typed that is not confirmed as saved, in full so that it can be copied, as the problem to
    /// exit with.
    pub(crate) fn unsaved_problem(&mut self, cx: &UpdateContext) -> Option<Problem> {
        self.commit_text(cx);
        let DraftAutosave { unsaved, in_flight: on_the_way, problem, .. } = &self.autosave;
        let replies: Replies = on_the_way
            .iter()
            .flatten()
            .chain(unsaved)
            .map(|(id, reply)| (id.clone(), reply.clone()))
            .collect();
        let causes = replies.iter().filter_map(|(id, reply)| {
            let question = self.sheet.questionnaire().question(id)?;
            let words = describe::full_answer(question, reply, &self.sheet.questionnaire().rules, cx.lang);
            Some(Problem::new(ProblemCode::DeskFailed, Message::Typed.with([words])))
        });
        let mut lost = match problem {
            Some(problem) => Problem::new(problem.code, Message::NotKept).with_hint(problem.message.clone()),
            None => Problem::new(ProblemCode::DeskUnreachable, Message::MayBeLost),
        };
        lost.causes = causes.collect();
        (!replies.is_empty()).then_some(lost)
    }

    /// Puts another surface's reply on the sheet and reports it.
    fn apply_remote_reply(&mut self, place: usize, reply: Reply, cx: &UpdateContext) {
        let Some(question) = self.question(place).cloned() else { return };
        if *self.sheet.reply_at(place) == reply {
            return;
        }
        let words = describe::reply_with_note(&question, &reply, &self.sheet.questionnaire().rules, cx.lang);
        let number = self.sheet.number_of(place).to_string();
        let is_lost = self.replace_field(place, &question, &reply);
        let changed = self.sheet.set_reply_at(place, reply);
        self.announce(&changed, cx.lang);
        let said = if is_lost { Message::WordsReplaced } else { Message::ChangedElsewhere };
        self.notice = Some(said.render_with(cx.lang, [number, words]));
    }

    /// Shows another surface's reply at a question. Returns whether it replaced text that was typed here.
    fn replace_field(&mut self, place: usize, question: &sayso_core::Question, reply: &Reply) -> bool {
        let Some(field) = self.fields.get_mut(&place) else { return false };
        let fresh = FieldState::from_reply(question, reply);
        let is_text_lost = field.text.replace_from_remote(fresh.text.text());
        field.text.set_line_mode(fresh.text.line_mode());
        let is_note_lost = field.note.replace_from_remote(fresh.note.text());
        if field.focus == FieldFocus::Question {
            field.cursor = fresh.cursor;
        }
        is_text_lost || is_note_lost
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pending_retry_sets_no_past_timer() {
        let at = |second| Timestamp::from_second(second).unwrap();
        let mut drafting = DraftAutosave::new(DraftRev(0), Replies::new());
        drafting.queue(QuestionId::new("q"), Reply::default());
        assert!(drafting.take_save(at(10)).is_some());
        // The save failed and is retried.
        drafting.unsaved = drafting.in_flight.take().unwrap();
        drafting.retry_at = Some(at(12));
        assert_eq!(drafting.next_wakeup(at(11)), Some(at(12)));
        assert!(drafting.take_save(at(12)).is_some());
        assert!(drafting.next_wakeup(at(13)).is_none_or(|then| then > at(13)));
        assert_eq!(drafting.next_wakeup(at(100)), None, "it has been told that it is slow");
    }
}
