//! Draft autosave. Typed text reaches the desk within 300 ms of the first key; pending and failed saves lose nothing.

use super::{Answering, Field, Focus, Moment, Spot};
use crate::at_desk::AtDesk;
use crate::recap;
use jiff::Timestamp;
use sayso_core::{Ask, Code, Kind, Message, Problem, QuestionId, Replies, Reply};
use sayso_desk::{Draft, DraftRev, Saved};
use std::time::Duration;

/// Debounce of typing: the longest time before typed text is put on the sheet and saved.
const TYPING: Duration = Duration::from_millis(200);

/// Duration after which a save counts as slow and the person is notified.
const SLOW: Duration = Duration::from_secs(1);

/// Delay before a failed save is retried.
const AGAIN: Duration = Duration::from_secs(2);

/// State of the autosave: saved, pending and in-flight replies.
#[derive(Debug, Clone)]
pub(crate) struct Drafting {
    rev: DraftRev,
    at_desk: AtDesk,
    /// Time of the first key that is not yet on the sheet.
    typed_since: Option<Timestamp>,
    unsaved: Replies,
    on_the_way: Option<Replies>,
    /// Time at which the in-flight save was sent.
    sent: Option<Timestamp>,
    /// Time of the last successful save.
    pub(crate) saved_at: Option<Timestamp>,
    /// Cause of the last save's failure.
    pub(crate) problem: Option<Problem>,
    again_at: Option<Timestamp>,
}

impl Drafting {
    /// Starts from a draft that was read at this revision.
    pub(super) fn since(rev: DraftRev, replies: Replies) -> Self {
        Self {
            rev,
            at_desk: AtDesk::of(replies),
            typed_since: None,
            unsaved: Replies::new(),
            on_the_way: None,
            sent: None,
            saved_at: None,
            problem: None,
            again_at: None,
        }
    }

    /// Queues a reply for the next save.
    pub(super) fn note(&mut self, id: QuestionId, reply: Reply) {
        self.unsaved.insert(id, reply);
    }

    /// Records that a key was typed into a text.
    pub(super) fn typed(&mut self, now: Timestamp) {
        self.typed_since.get_or_insert(now);
    }

    pub(super) fn is_typed_out(&self, now: Timestamp) -> bool {
        self.typed_since.is_some_and(|since| now.duration_since(since).unsigned_abs() >= TYPING)
    }

    /// Takes the replies to save now, with the revision that they are based on.
    pub(super) fn save(&mut self, now: Timestamp) -> Option<(DraftRev, Vec<(QuestionId, Reply)>)> {
        let waits = self.again_at.is_some_and(|at| now < at);
        if self.unsaved.is_empty() || self.on_the_way.is_some() || waits {
            return None;
        }
        let replies = std::mem::take(&mut self.unsaved);
        self.on_the_way = Some(replies.clone());
        self.sent = Some(now);
        Some((self.rev, replies.into_iter().collect()))
    }

    /// Takes all unsaved replies when the ask closes; the desk makes the in-flight save before this one.
    pub(super) fn rest(&mut self) -> Option<(DraftRev, Vec<(QuestionId, Reply)>)> {
        let replies = std::mem::take(&mut self.unsaved);
        (!replies.is_empty()).then(|| (self.rev, replies.into_iter().collect()))
    }

    /// Returns whether the in-flight save takes longer than [`SLOW`].
    pub(crate) fn is_slow(&self, now: Timestamp) -> bool {
        self.slow_at().is_some_and(|at| at <= now)
    }

    fn slow_at(&self) -> Option<Timestamp> {
        self.on_the_way.as_ref().and(self.sent)?.checked_add(SLOW).ok()
    }

    /// Skips the retry delay, so that the next save is tried immediately.
    pub(crate) fn hurry(&mut self) {
        self.again_at = None;
    }

    pub(super) fn wakes_at(&self, now: Timestamp) -> Option<Timestamp> {
        let typed = self.typed_since.and_then(|since| since.checked_add(TYPING).ok());
        let slow = self.slow_at().filter(|at| *at > now);
        // An in-flight save is retried only after it has returned.
        let again = self.again_at.filter(|_| self.on_the_way.is_none() && !self.unsaved.is_empty());
        [typed, again, slow].into_iter().flatten().min()
    }

    pub(super) fn is_stored(&self) -> bool {
        self.typed_since.is_none() && self.unsaved.is_empty() && self.on_the_way.is_none()
    }

    /// Returns whether a save of this question is pending or in flight, so that what the desk has is older.
    fn holds(&self, id: &QuestionId) -> bool {
        self.unsaved.contains_key(id) || self.on_the_way.as_ref().is_some_and(|sent| sent.contains_key(id))
    }
}

impl Answering {
    /// Puts the typed text on the sheet.
    pub(crate) fn settle_text(&mut self, cx: &Moment) {
        self.drafting.typed_since = None;
        let Some(place) = self.spot.place() else { return };
        self.put_typed(place, cx);
        self.come_back_to_theirs(place, cx);
    }

    /// Restores another surface's reply if typing here changed nothing.
    fn come_back_to_theirs(&mut self, place: usize, cx: &Moment) {
        let Some(id) = self.question(place).map(|question| question.id.clone()) else { return };
        if !self.drafting.holds(&id)
            && let Some(reply) = self.drafting.at_desk.come_back_to(&id)
        {
            self.take_in(place, reply, cx);
        }
    }

    fn put_typed(&mut self, place: usize, cx: &Moment) {
        let (Some(question), Some(field)) = (self.question(place), self.fields.get(&place)) else {
            return;
        };
        let note = Some(field.note.text().to_owned());
        let reply = self.sheet.reply_at(place);
        let with_note = if matches!(question.kind, Kind::Choice(_)) {
            self.with_own_answer(place, field)
        } else if super::moving::is_typed(&question.kind) {
            field.typed(question, &cx.now).map_or_else(
                || if reply.is_skipped() { reply.clone() } else { Reply::unanswered() },
                Reply::of,
            )
        } else {
            reply.clone()
        };
        let new = with_note.with_note(note);
        // Looking at a prefilled answer does not confirm it.
        if !(self.sheet.is_prefilled(place) && *self.sheet.reply_at(place) == new) {
            self.put(place, new, cx);
        }
    }

    /// Handles the result of a save. Returns whether the draft has to be read again.
    pub(crate) fn saved(&mut self, base: DraftRev, saved: Result<Saved, Problem>, cx: &Moment) -> bool {
        let sent = self.drafting.on_the_way.take().unwrap_or_default();
        match saved {
            Ok(saved) => {
                self.drafting.saved_at = Some(cx.now.timestamp());
                self.drafting.problem = None;
                self.drafting.again_at = None;
                for id in self.drafting.at_desk.saved(&sent, saved.overwritten) {
                    let number =
                        self.sheet.place(&id).map(|place| self.sheet.number(place)).unwrap_or_default();
                    self.told = Some(Message::ReplacedElsewhere.say(cx.lang, [number]));
                }
                let alone = saved.rev.0 == base.0 + 1;
                if alone {
                    self.drafting.rev = self.drafting.rev.max(saved.rev);
                }
                // Another surface saved in between.
                !alone
            }
            Err(problem) => {
                for (id, reply) in sent {
                    self.drafting.unsaved.entry(id).or_insert(reply);
                }
                self.drafting.problem = Some(problem);
                self.told = None;
                self.drafting.again_at = cx.at().checked_add(AGAIN).ok();
                false
            }
        }
    }

    /// Merges the ask and its draft from the desk.
    pub(crate) fn read(&mut self, ask: Ask, draft: Draft, cx: &Moment) {
        if ask.state.phase != self.ask.state.phase {
            self.mended.clear();
        }
        self.ask = ask;
        if draft.rev <= self.drafting.rev {
            return;
        }
        self.drafting.rev = draft.rev;
        for (id, reply) in draft.typed() {
            let Some(place) = self.sheet.place(&id) else { continue };
            let typing_here = self.spot == Spot::Question(place) && self.drafting.typed_since.is_some();
            if self.drafting.holds(&id) || typing_here {
                self.drafting.at_desk.pass_over(&id, &reply);
                continue;
            }
            self.drafting.at_desk.read(&id, &reply);
            self.take_in(place, reply, cx);
        }
        if let Spot::Question(place) = self.spot
            && !self.sheet.is_asked(place)
        {
            let decided = self.sheet.because(place).and_then(|question| self.sheet.place(&question.id));
            let near = decided.filter(|place| self.sheet.is_asked(*place)).or_else(|| self.sheet.next_open());
            self.go(near.map_or(Spot::Review, Spot::Question), cx);
        }
    }

    /// Returns everything typed that is not confirmed as saved, in full so that it can be copied, as the problem to
    /// exit with.
    pub(crate) fn lost(&mut self, cx: &Moment) -> Option<Problem> {
        self.settle_text(cx);
        let Drafting { unsaved, on_the_way, problem, .. } = &self.drafting;
        let replies: Replies = on_the_way
            .iter()
            .flatten()
            .chain(unsaved)
            .map(|(id, reply)| (id.clone(), reply.clone()))
            .collect();
        let causes = replies.iter().filter_map(|(id, reply)| {
            let question = self.sheet.questionnaire().question(id)?;
            let words = recap::in_full(question, reply, &self.sheet.questionnaire().rules, cx.lang);
            Some(Problem::new(Code::DeskFailed, Message::Typed.with([words])))
        });
        let mut lost = match problem {
            Some(problem) => Problem::new(problem.code, Message::NotKept).hint(problem.message.clone()),
            None => Problem::new(Code::DeskUnreachable, Message::MayBeLost),
        };
        lost.causes = causes.collect();
        (!replies.is_empty()).then_some(lost)
    }

    /// Puts another surface's reply on the sheet and reports it.
    fn take_in(&mut self, place: usize, reply: Reply, cx: &Moment) {
        let Some(question) = self.question(place).cloned() else { return };
        if *self.sheet.reply_at(place) == reply {
            return;
        }
        let words = recap::reply(&question, &reply, &self.sheet.questionnaire().rules, cx.lang);
        let number = self.sheet.number(place).to_string();
        let is_lost = self.take_over(place, &question, &reply);
        let changed = self.sheet.set_at(place, reply);
        self.tell(&changed, cx.lang);
        let said = if is_lost { Message::WordsReplaced } else { Message::ChangedElsewhere };
        self.told = Some(said.say(cx.lang, [number, words]));
    }

    /// Shows another surface's reply at a question. Returns whether it replaced text that was typed here.
    fn take_over(&mut self, place: usize, question: &sayso_core::Question, reply: &Reply) -> bool {
        let Some(field) = self.fields.get_mut(&place) else { return false };
        let fresh = Field::of(question, reply);
        let is_text_lost = field.text.give_way(fresh.text.text());
        field.text.set_lines(fresh.text.lines());
        let is_note_lost = field.note.give_way(fresh.note.text());
        if field.focus == Focus::Body {
            field.at = fresh.at;
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
        let mut drafting = Drafting::since(DraftRev(0), Replies::new());
        drafting.note(QuestionId::new("q"), Reply::default());
        assert!(drafting.save(at(10)).is_some());
        // The save failed and is retried.
        drafting.unsaved = drafting.on_the_way.take().unwrap();
        drafting.again_at = Some(at(12));
        assert_eq!(drafting.wakes_at(at(11)), Some(at(12)));
        assert!(drafting.save(at(12)).is_some());
        assert!(drafting.wakes_at(at(13)).is_none_or(|then| then > at(13)));
        assert_eq!(drafting.wakes_at(at(100)), None, "it has been told that it is slow");
    }
}
