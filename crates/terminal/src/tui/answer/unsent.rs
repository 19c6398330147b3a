//! Entries of the review that will not be sent: they can be viewed, copied and picked.

use super::super::dialog::{Dialog, Pager, QuotedText};
use super::super::effect::Effect;
use super::reply::choice_picks;
use super::{AskView, ReviewItem, UpdateContext, review};
use crate::describe::{self, EndedLine};
use sayso_core::{Message, display};

/// Returns the focused entry that will not be sent, or else the first one.
fn unsent_item(view: &AskView) -> Option<ReviewItem> {
    if let Some(item) = review::focused_item(view)
        && is_unsent(&item)
    {
        return Some(item);
    }
    view.form.review_items().into_iter().find(is_unsent)
}

/// Returns whether a row of the review is an answer that will not be sent.
pub(in crate::tui) const fn is_unsent(item: &ReviewItem) -> bool {
    matches!(item, ReviewItem::Dormant(_) | ReviewItem::Aside(_))
}

/// Returns the whole text of an entry that will not be sent.
fn unsent_text(view: &AskView, cx: &UpdateContext) -> Option<String> {
    match unsent_item(view)? {
        ReviewItem::Dormant(place) => {
            let question = view.form.question(place)?;
            let reply = view.form.sheet.reply_at(place);
            match reply.answer() {
                Some(answer) => Some(answer.describe(question, cx.lang).into_owned()),
                None => reply.note.clone(),
            }
        }
        ReviewItem::Aside(place) => view.form.unpicked_own_answer(place).map(str::to_owned),
        _ => None,
    }
}

/// Returns the lines of the view of an entry that will not be sent.
fn unsent_lines(view: &AskView, cx: &UpdateContext) -> Option<Vec<EndedLine>> {
    let item = unsent_item(view)?;
    let (ReviewItem::Dormant(place) | ReviewItem::Aside(place)) = item else { return None };
    let question = view.form.question(place)?;
    let name = display::join_lines(question.display_name()).into_owned();
    let mut lines = vec![EndedLine::Asker(name), EndedLine::blank()];
    if matches!(item, ReviewItem::Dormant(_)) {
        let reply = view.form.sheet.reply_at(place);
        lines.extend(describe::reply_lines(view.form.sheet.questionnaire(), question, reply, cx.lang));
    } else {
        lines.push(EndedLine::Person(view.form.unpicked_own_answer(place)?.to_owned()));
    }
    Some(lines)
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
    let mut item = review::focused_item(view);
    if !matches!(item, Some(ReviewItem::Aside(_))) {
        item = view.form.review_items().into_iter().find(|item| matches!(item, ReviewItem::Aside(_)));
    }
    if let Some(ReviewItem::Aside(place)) = item {
        choice_picks::pick_own_answer(view, place, cx);
        view.guard.show_page(cx.instant());
    }
}
