//! Pagers: texts of the asker as a whole, of which a page shows a part.

use super::super::dialog::{Dialog, Pager, QuotedText};
use super::{AskView, UpdateContext};
use sayso_core::Message;

impl AskView {
    /// Opens the whole context of the current question, which its page cuts.
    pub(super) fn show_context(&mut self) {
        let Some((place, question)) = self.current_question() else { return };
        let parts = [self.form.context_at(place), question.detail.as_deref()];
        let text = parts.into_iter().flatten().collect::<Vec<_>>().join("\n\n");
        let pager = Pager::new(Message::ContextTitle, String::new(), QuotedText::Markdown(text));
        self.dialog = Some(Dialog::Pager(pager));
    }

    /// Opens the whole action.
    pub(super) fn view_action(&mut self) {
        if let Some(action) = &self.form.sheet.questionnaire().action {
            let theirs = QuotedText::Action(Box::new(action.clone()));
            self.dialog = Some(Dialog::Pager(Pager::new(Message::TabAction, String::new(), theirs)));
        }
    }

    pub(super) fn show_preview(&mut self, place: usize, cx: &UpdateContext) {
        match self.form.focused_option(place) {
            Some((number, option)) => {
                let ours = Message::PreviewOfNumber.render_with(cx.lang, [number]);
                let pager = Pager::of_option(ours, option.description.clone(), option.preview.clone());
                self.dialog = Some(Dialog::Pager(pager));
            }
            None => self.notice = Some(Message::NoPreviewHere.plain(cx.lang).to_owned()),
        }
    }
}
