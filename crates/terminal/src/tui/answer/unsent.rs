//! Entries of the review that will not be sent: they can be viewed, copied and picked.

use super::super::dialog::{Dialog, Pager, QuotedText};
use super::super::effect::Effect;
use super::reply::choice_picks;
use super::{AskView, ReviewItem, UpdateContext, review};
use crate::describe::{self, EndedLine};
use sayso_core::{Message, display};
use std::borrow::Cow;

/// Returns the focused entry that will not be sent, or else the first one.
fn unsent_item(view: &AskView) -> Option<ReviewItem> {
    let is_unsent = |item: &ReviewItem| matches!(item, ReviewItem::Dormant(_) | ReviewItem::Aside(_));
    review::focused_item(view)
        .filter(is_unsent)
        .or_else(|| view.form.review_items().into_iter().find(is_unsent))
}

/// Returns the whole text of an entry that will not be sent.
fn unsent_text(view: &AskView, cx: &UpdateContext) -> Option<String> {
    match unsent_item(view)? {
        ReviewItem::Dormant(place) => {
            let question = view.form.question(place)?;
            let reply = view.form.sheet.reply_at(place);
            let words = reply.answer().map(|answer| answer.describe(question, cx.lang));
            words.map(Cow::into_owned).or_else(|| reply.note.clone())
        }
        ReviewItem::Aside(place) => view.form.unpicked_own_answer(place).map(str::to_owned),
        _ => None,
    }
}

/// Returns the lines of the view of an entry that will not be sent.
fn unsent_lines(view: &AskView, cx: &UpdateContext) -> Option<Vec<EndedLine>> {
    let (place, lines) = match unsent_item(view)? {
        ReviewItem::Dormant(place) => (
            place,
            describe::reply_lines(
                view.form.sheet.questionnaire(),
                view.form.question(place)?,
                view.form.sheet.reply_at(place),
                cx.lang,
            ),
        ),
        ReviewItem::Aside(place) => {
            (place, vec![EndedLine::Person(view.form.unpicked_own_answer(place)?.to_owned())])
        }
        _ => return None,
    };
    let name = EndedLine::Asker(display::join_lines(view.form.question(place)?.display_name()).into_owned());
    Some([name, EndedLine::blank()].into_iter().chain(lines).collect())
}

pub(super) fn view_unsent(view: &mut AskView, cx: &UpdateContext) {
    if let Some(lines) = unsent_lines(view, cx) {
        let theirs = QuotedText::Lines(lines);
        view.dialog = Some(Dialog::Pager(Pager::new(Message::UnsentTitle, String::new(), theirs)));
    }
}

pub(super) fn copy_unsent(view: &mut AskView, cx: &UpdateContext) -> Vec<Effect> {
    let Some(text) = unsent_text(view, cx) else { return Vec::new() };
    view.notice = Some(Message::Copied.plain(cx.lang).to_owned());
    vec![Effect::Copy(text)]
}

/// Picks an own answer that was typed and not picked.
pub(super) fn pick_unsent(view: &mut AskView, cx: &UpdateContext) {
    let focused = review::focused_item(view).filter(|item| matches!(item, ReviewItem::Aside(_)));
    let first = || view.form.review_items().into_iter().find(|item| matches!(item, ReviewItem::Aside(_)));
    if let Some(ReviewItem::Aside(place)) = focused.or_else(first) {
        choice_picks::pick_own_answer(view, place, cx);
        view.guard.show_page(cx.instant());
    }
}
