//! Entries of the review that will not be sent: they can be viewed, copied and picked.

use super::super::dialog::{Dialog, Pager, QuotedText};
use super::super::effect::Effect;
use super::{AskView, ReviewItem, UpdateContext};
use sayso_core::{Message, display};

impl AskView {
    /// Returns the focused entry that will not be sent, or else the first one.
    fn unsent_item(&self) -> Option<ReviewItem> {
        let is_unsent = |item: &ReviewItem| matches!(item, ReviewItem::Dormant(_) | ReviewItem::Aside(_));
        self.focused_item().filter(is_unsent).or_else(|| self.review_items().into_iter().find(is_unsent))
    }

    /// Returns the question's name and the whole text of an entry that will not be sent.
    fn unsent_text(&self, cx: &UpdateContext) -> Option<(String, String)> {
        let (place, text) = match self.unsent_item()? {
            ReviewItem::Dormant(place) => {
                let question = self.question(place)?;
                let reply = self.sheet.reply_at(place);
                let words = reply
                    .answer()
                    .map(|answer| sayso_core::i18n::describe_answer::describe(question, answer, cx.lang));
                (place, words.map(std::borrow::Cow::into_owned).or_else(|| reply.note.clone())?)
            }
            ReviewItem::Aside(place) => (place, self.unpicked_own_answer(place)?.to_owned()),
            _ => return None,
        };
        Some((display::escape_line(self.question(place)?.display_name()).into_owned(), text))
    }

    pub(super) fn view_unsent(&mut self, cx: &UpdateContext) {
        if let Some((name, text)) = self.unsent_text(cx) {
            let theirs = QuotedText::Text(format!("{name}\n\n{text}"));
            self.dialog = Some(Dialog::Pager(Pager::new(Message::UnsentTitle, String::new(), theirs)));
        }
    }

    pub(super) fn copy_unsent(&mut self, cx: &UpdateContext) -> Vec<Effect> {
        let Some((_, text)) = self.unsent_text(cx) else { return Vec::new() };
        self.notice = Some(Message::Copied.plain(cx.lang).to_owned());
        vec![Effect::Copy(text)]
    }

    /// Picks an own answer that was typed and not picked.
    pub(super) fn pick_unsent(&mut self, cx: &UpdateContext) {
        let focused = self.focused_item().filter(|item| matches!(item, ReviewItem::Aside(_)));
        let first = || self.review_items().into_iter().find(|item| matches!(item, ReviewItem::Aside(_)));
        if let Some(ReviewItem::Aside(place)) = focused.or_else(first) {
            self.pick_own_answer(place, cx);
            self.guard.show_page(cx.instant());
        }
    }

    /// Opens the whole action.
    pub(super) fn view_action(&mut self) {
        if let Some(action) = &self.sheet.questionnaire().action {
            let theirs = QuotedText::Action(Box::new(action.clone()));
            self.dialog = Some(Dialog::Pager(Pager::new(Message::TabAction, String::new(), theirs)));
        }
    }
}
