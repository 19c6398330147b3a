//! Context of a question: what its asker says before the prompt and below it.

use super::super::dialog::{Dialog, Pager, QuotedText};
use super::AskView;
use sayso_core::Message;

impl AskView {
    /// Returns the context of the questionnaire if it belongs to this question: the one with the action, or the first.
    pub(crate) fn context_at(&self, place: usize) -> Option<&str> {
        let first = || self.sheet.asked_questions().next().map(|(first, _)| first);
        let at = self.action_place().or_else(first);
        self.sheet.questionnaire().context.as_deref().filter(|_| at == Some(place))
    }

    /// Opens the whole context of the current question, which its page cuts.
    pub(super) fn show_context(&mut self) {
        let Some((place, question)) = self.current_question() else { return };
        let parts = [self.context_at(place), question.detail.as_deref()];
        let text = parts.into_iter().flatten().collect::<Vec<_>>().join("\n\n");
        let pager = Pager::new(Message::ContextTitle, String::new(), QuotedText::Markdown(text));
        self.dialog = Some(Dialog::Pager(pager));
    }
}
