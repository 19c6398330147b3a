//! The sheet and the draft: typed text goes onto the sheet, saves are confirmed, and replies from elsewhere are merged.

use super::autosave::FinishedSave;
use super::{AskTab, AskView, FieldFocus, FieldState, UpdateContext};
use crate::describe;
use sayso_core::{Ask, Message, Problem, ProblemCode, QuestionKind, Reply};
use sayso_desk::{Draft, DraftRev, SaveReport};

impl AskView {
    /// Puts the typed text on the sheet.
    pub(crate) fn commit_text(&mut self, cx: &UpdateContext) {
        self.autosave.end_typing();
        let Some(place) = self.tab.question_place() else { return };
        self.commit_field(place, cx);
        self.restore_remote_reply(place, cx);
    }

    /// Restores another surface's reply if typing here changed nothing.
    fn restore_remote_reply(&mut self, place: usize, cx: &UpdateContext) {
        let Some(id) = self.question(place).map(|question| question.id.clone()) else { return };
        if let Some(reply) = self.autosave.take_skipped(&id) {
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
        match self.autosave.finish_save(base, saved, cx) {
            FinishedSave::Stored { replaced, is_alone } => {
                for id in replaced {
                    let number =
                        self.sheet.index_of(&id).map(|place| self.sheet.number_of(place)).unwrap_or_default();
                    self.notice = Some(Message::ReplacedElsewhere.render_with(cx.lang, [number]));
                }
                // Another surface saved in between.
                !is_alone
            }
            FinishedSave::Failed => {
                self.notice = None;
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
        if !self.autosave.advance_rev(draft.rev) {
            return;
        }
        for (id, reply) in draft.into_typed_replies() {
            let Some(place) = self.sheet.index_of(&id) else { continue };
            if self.autosave.record_remote(&id, &reply, self.tab == AskTab::Question(place)) {
                self.apply_remote_reply(place, reply, cx);
            }
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
        let replies = self.autosave.unconfirmed();
        let causes = replies.iter().filter_map(|(id, reply)| {
            let question = self.sheet.questionnaire().question(id)?;
            let words = describe::full_answer(question, reply, &self.sheet.questionnaire().rules, cx.lang);
            Some(Problem::new(ProblemCode::DeskFailed, Message::Typed.with([words])))
        });
        let mut lost = match &self.autosave.problem {
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
        // The answer that a press would send is new to the person.
        self.guard.show_page(cx.instant());
        let changed = self.sheet.set_reply_at(place, reply);
        self.announce(&changed, cx.lang);
        let message = if is_lost { Message::WordsReplaced } else { Message::ChangedElsewhere };
        self.notice = Some(message.render_with(cx.lang, [number, words]));
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
