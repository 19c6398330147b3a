//! The sheet and the draft: typed text goes onto the sheet, saves are confirmed, and replies from elsewhere are merged.

use super::super::dialog::Dialog;
use super::autosave::FinishedSave;
use super::{AskTab, AskView, UpdateContext};
use crate::describe;
use sayso_core::i18n::own;
use sayso_core::{Ask, Message, Problem, ProblemCode, QuestionId, Reply};
use sayso_desk::{Draft, DraftRev, SaveReport};

impl AskView {
    /// Puts the typed text on the sheet.
    pub(crate) fn commit_text(&mut self, cx: &UpdateContext) {
        self.form.autosave.end_typing();
        self.commit_form_note(cx);
        let Some(place) = self.tab.question_place() else { return };
        self.commit_field(place, cx);
        self.restore_remote_reply(place, cx);
    }

    /// Puts the note on the whole form on the sheet, as far as it is typed.
    fn commit_form_note(&mut self, cx: &UpdateContext) {
        let Some(typed) = self.dialog.as_ref().and_then(Dialog::form_note) else { return };
        let reply = Reply::unanswered().with_note(Some(typed.to_owned()));
        if *self.form.sheet.reply(&QuestionId::FORM) != reply {
            self.form.sheet.set_reply(&QuestionId::FORM, reply.clone());
            self.form.autosave.queue(QuestionId::FORM, reply);
            // The note that a press would send is new on the page.
            self.guard.show_page(cx.instant());
        }
        if let Some(reply) = self.form.autosave.take_skipped(&QuestionId::FORM) {
            self.apply_remote_note(reply, cx);
        }
    }

    /// Restores another surface's reply if typing here changed nothing.
    fn restore_remote_reply(&mut self, place: usize, cx: &UpdateContext) {
        let Some(question) = self.form.question(place) else { return };
        let id = question.id.clone();
        if let Some(reply) = self.form.autosave.take_skipped(&id) {
            self.apply_remote_reply(place, reply, cx);
        }
    }

    fn commit_field(&mut self, place: usize, cx: &UpdateContext) {
        let Some(new) = self.form.typed_reply(place, &cx.now) else { return };
        // Looking at a prefilled answer does not confirm it.
        if !(self.form.sheet.is_prefilled(place) && *self.form.sheet.reply_at(place) == new) {
            self.set_reply(place, new, cx);
        }
    }

    /// Handles the result of a save. Returns whether the draft has to be read again.
    pub(crate) fn handle_saved(
        &mut self,
        base: DraftRev,
        result: Result<SaveReport, Problem>,
        cx: &UpdateContext,
    ) -> bool {
        match self.form.autosave.finish_save(base, result, cx) {
            FinishedSave::Stored { replaced, is_alone } => {
                for id in replaced {
                    if id == QuestionId::FORM {
                        self.notice = Some(Message::FormNoteReplaced.plain(cx.lang).to_owned());
                    } else if let Some(place) = self.form.sheet.index_of(&id) {
                        let number = self.form.sheet.number_of(place);
                        self.notice = Some(Message::ReplacedElsewhere.render_with(cx.lang, [number]));
                    }
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
            self.form.corrected.clear();
        }
        self.ask = ask;
        if !self.form.autosave.advance_rev(draft.rev) {
            return;
        }
        for (id, reply) in draft.into_shared_replies(&self.ask.request.questionnaire) {
            if id == QuestionId::FORM {
                let is_current = self.dialog.as_ref().is_some_and(|dialog| dialog.form_note().is_some());
                if self.form.autosave.record_remote(&id, &reply, is_current) {
                    self.apply_remote_note(reply, cx);
                }
                continue;
            }
            let Some(place) = self.form.sheet.index_of(&id) else { continue };
            if self.form.autosave.record_remote(&id, &reply, self.tab == AskTab::Question(place)) {
                self.apply_remote_reply(place, reply, cx);
            }
        }
        if let AskTab::Question(place) = self.tab
            && !self.form.sheet.is_asked(place)
        {
            let next = self.form.sheet.place_near_hidden(place);
            self.go_to(next.map_or(AskTab::Review, AskTab::Question), cx);
        }
    }

    /// Returns everything typed that is not confirmed as saved, in full so that it can be copied, as the problem to
    /// exit with.
    pub(crate) fn unsaved_problem(&mut self, cx: &UpdateContext) -> Option<Problem> {
        self.commit_text(cx);
        let replies = self.form.autosave.unconfirmed();
        if replies.is_empty() {
            return None;
        }
        let mut problem = match &self.form.autosave.problem {
            Some(cause) => Problem::new(cause.code, Message::NotKept).with_hint(cause.message.clone()),
            None => Problem::new(ProblemCode::DeskUnreachable, Message::MayBeLost),
        };
        let questionnaire = self.form.sheet.questionnaire();
        for (id, reply) in &replies {
            let Some(answer) = describe::full_reply(questionnaire, id, reply, cx.lang) else { continue };
            let cause = Problem::new(ProblemCode::DeskFailed, Message::Typed.with([own(answer)]));
            problem.causes.push(cause);
        }
        Some(problem)
    }

    /// Puts another surface's note on the whole form on the sheet and reports it.
    fn apply_remote_note(&mut self, reply: Reply, cx: &UpdateContext) {
        if *self.form.sheet.reply(&QuestionId::FORM) == reply {
            return;
        }
        let note = reply.note.as_deref();
        let text_box = match &mut self.dialog {
            Some(Dialog::Note(form)) => Some(&mut form.text),
            _ => self.note_text.as_mut(),
        };
        let mut is_lost = false;
        if let Some(text_box) = text_box {
            is_lost = text_box.replace_from_remote(note.unwrap_or_default());
        }
        self.guard.show_page(cx.instant());
        let mut notice = describe::changed_form_note(self.form.sheet.questionnaire(), note, cx.lang);
        if is_lost {
            notice = Message::FormNoteUndo.render_with(cx.lang, [own(notice)]);
        }
        self.notice = Some(notice);
        self.form.sheet.set_reply(&QuestionId::FORM, reply);
    }

    /// Puts another surface's reply on the sheet and reports it.
    fn apply_remote_reply(&mut self, place: usize, reply: Reply, cx: &UpdateContext) {
        let Some(question) = self.form.question(place).cloned() else { return };
        if *self.form.sheet.reply_at(place) == reply {
            return;
        }
        let words =
            describe::noted_reply_in_sentence(self.form.sheet.questionnaire(), &question, &reply, cx.lang);
        let number = self.form.sheet.number_of(place).to_string();
        let is_lost = self.form.replace_field(place, &question, &reply);
        // The answer that a press would send is new to the person.
        self.guard.show_page(cx.instant());
        let changes = self.form.sheet.set_reply_at(place, reply);
        self.announce(&changes, cx.lang);
        let message = if is_lost { Message::WordsReplaced } else { Message::ChangedElsewhere };
        self.notice = Some(message.render_with(cx.lang, [own(number), words]));
    }
}
