//! Options whose description a page cuts: none of them is sent before the person has opened it.

use super::form::is_picked;
use super::{AskTab, AskView, UpdateContext, pagers};
use crate::tui::answer::reply::choice_picks;
use sayso_core::{ChoiceItem, Message};
use std::collections::BTreeSet;

/// Options, by question and index, that the latest frame of a page cut, and those that were opened.
#[derive(Debug, Default)]
pub(super) struct CutOptions {
    cut: BTreeSet<(usize, usize)>,
    opened: BTreeSet<(usize, usize)>,
}

impl CutOptions {
    /// Records the options that a frame of a page cut.
    pub(super) fn record(&mut self, place: usize, cut: &[usize]) {
        self.cut.retain(|(other, _)| *other != place);
        self.cut.extend(cut.iter().map(|offer| (place, *offer)));
    }

    /// Records that the person opened an option.
    pub(super) fn open(&mut self, place: usize, offer: usize) {
        self.opened.insert((place, offer));
    }

    fn is_unread(&self, option: &(usize, usize)) -> bool {
        self.cut.contains(option) && !self.opened.contains(option)
    }
}

/// Opens the first picked option whose description was cut, and returns true if there is one.
pub(super) fn open_unread_pick(view: &mut AskView, cx: &UpdateContext) -> bool {
    let Some((place, offer)) = first_unread_pick(view) else { return false };
    view.go_to(AskTab::Question(place), cx);
    choice_picks::clear_filter(view, place);
    choice_picks::focus_offer(view, place, offer);
    pagers::show_preview(view, place, cx);
    view.notice = Some(Message::OptionUnread.plain(cx.lang).to_owned());
    true
}

fn first_unread_pick(view: &AskView) -> Option<(usize, usize)> {
    for (place, question) in view.form.sheet.asked_questions() {
        let Some(choice) = question.choice() else { continue };
        let reply = view.form.sheet.reply_at(place);
        for (offer, item) in choice.items().enumerate() {
            let is_option = matches!(item, ChoiceItem::Option(_));
            if is_option && is_picked(reply, &item) && view.cut_options.is_unread(&(place, offer)) {
                return Some((place, offer));
            }
        }
    }
    None
}
