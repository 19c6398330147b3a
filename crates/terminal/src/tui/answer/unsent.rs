//! Entries of the review that will not be sent: they can be viewed, copied and picked.

use super::super::dialog::{Dialog, Pager, QuotedText};
use super::super::effect::Effect;
use super::{AskView, ReviewItem, UpdateContext};
use crate::describe::{self, EndedLine};
use sayso_core::Message;
use sayso_core::i18n::describe_answer;
use std::borrow::Cow;

impl AskView {
    /// Returns the focused entry that will not be sent, or else the first one.
    fn unsent_item(&self) -> Option<ReviewItem> {
        let is_unsent = |item: &ReviewItem| matches!(item, ReviewItem::Dormant(_) | ReviewItem::Aside(_));
        self.focused_item().filter(is_unsent).or_else(|| self.form.review_items().into_iter().find(is_unsent))
    }

    /// Returns the whole text of an entry that will not be sent.
    fn unsent_text(&self, cx: &UpdateContext) -> Option<String> {
        match self.unsent_item()? {
            ReviewItem::Dormant(place) => {
                let question = self.form.question(place)?;
                let reply = self.form.sheet.reply_at(place);
                let words = reply.answer().map(|answer| describe_answer::describe(question, answer, cx.lang));
                words.map(Cow::into_owned).or_else(|| reply.note.clone())
            }
            ReviewItem::Aside(place) => self.form.unpicked_own_answer(place).map(str::to_owned),
            _ => None,
        }
    }

    /// Returns the lines of the view of an entry that will not be sent.
    fn unsent_lines(&self, cx: &UpdateContext) -> Option<Vec<EndedLine>> {
        let (place, lines) = match self.unsent_item()? {
            ReviewItem::Dormant(place) => (
                place,
                describe::reply_lines(self.form.question(place)?, self.form.sheet.reply_at(place), cx.lang),
            ),
            ReviewItem::Aside(place) => {
                (place, vec![EndedLine::Person(self.form.unpicked_own_answer(place)?.to_owned())])
            }
            _ => return None,
        };
        let name = EndedLine::Asker(describe::title(self.form.question(place)?.display_name()));
        Some([name, EndedLine::blank()].into_iter().chain(lines).collect())
    }

    pub(super) fn view_unsent(&mut self, cx: &UpdateContext) {
        if let Some(lines) = self.unsent_lines(cx) {
            let theirs = QuotedText::Lines(lines);
            self.dialog = Some(Dialog::Pager(Pager::new(Message::UnsentTitle, String::new(), theirs)));
        }
    }

    pub(super) fn copy_unsent(&mut self, cx: &UpdateContext) -> Vec<Effect> {
        let Some(text) = self.unsent_text(cx) else { return Vec::new() };
        self.notice = Some(Message::Copied.plain(cx.lang).to_owned());
        vec![Effect::Copy(text)]
    }

    /// Picks an own answer that was typed and not picked.
    pub(super) fn pick_unsent(&mut self, cx: &UpdateContext) {
        let focused = self.focused_item().filter(|item| matches!(item, ReviewItem::Aside(_)));
        let first = || self.form.review_items().into_iter().find(|item| matches!(item, ReviewItem::Aside(_)));
        if let Some(ReviewItem::Aside(place)) = focused.or_else(first) {
            self.pick_own_answer(place, cx);
            self.guard.show_page(cx.instant());
        }
    }
}
