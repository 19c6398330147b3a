//! Selection of options, and the person's own answer among them.

use super::field::{FieldFocus, FieldState, is_picked, own_answer, picks};
use crate::describe;
use crate::tui::answer::{AskView, UpdateContext};
use sayso_core::{Answer, ChoiceItem, ChoiceOption, ChoiceQuestion, Pick, Reply, ReplyContent};

impl AskView {
    fn choice(&self, place: usize) -> Option<&ChoiceQuestion> {
        self.question(place)?.choice()
    }

    /// Returns the visible offers as indices into all offers.
    pub(in crate::tui) fn visible_offers(&self, place: usize) -> Vec<usize> {
        let (Some(choice), Some(field)) = (self.choice(place), self.field(place)) else { return Vec::new() };
        field.matching_offers(choice, self.sheet.reply_at(place))
    }

    /// Returns the focused offer as an index into all offers.
    pub(in crate::tui) fn focused_offer(&self, place: usize) -> Option<usize> {
        let offers = self.visible_offers(place);
        let at = self.field(place)?.cursor.min(offers.len().saturating_sub(1));
        offers.get(at).copied()
    }

    /// Returns whether the focused offer is picked.
    pub(in crate::tui::answer) fn is_focused_picked(&self, place: usize) -> bool {
        let offer = self.focused_offer(place).and_then(|offer| self.choice(place)?.item_by_number(offer + 1));
        offer.is_some_and(|offer| is_picked(self.sheet.reply_at(place), &offer))
    }

    /// Moves the cursor up or down the offers.
    pub(in crate::tui::answer) fn move_cursor(&mut self, place: usize, to: impl Fn(usize, usize) -> usize) {
        let last = self.visible_offers(place).len().saturating_sub(1);
        if let Some(field) = self.field_mut(place) {
            field.cursor = to(field.cursor.min(last), last).min(last);
        }
        self.scroll.show_focus();
    }

    /// Moves the cursor to an offer; returns false if the filter hides it.
    pub(in crate::tui::answer) fn focus_offer(&mut self, place: usize, offer: usize) -> bool {
        let Some(at) = self.visible_offers(place).iter().position(|other| *other == offer) else {
            return false;
        };
        self.move_cursor(place, |_, _| at);
        true
    }

    /// Clears the filter and keeps the cursor at the same offer.
    pub(in crate::tui::answer) fn clear_filter(&mut self, place: usize) {
        if self.field(place).is_none_or(|field| field.filter.is_empty()) {
            return;
        }
        let at = self.focused_offer(place);
        if let Some(field) = self.field_mut(place) {
            field.filter.set_text("");
        }
        if let Some(at) = at {
            self.focus_offer(place, at);
        }
    }

    /// Picks the focused offer, or unpicks it if the question takes several. Picking the own answer starts typing it.
    pub(in crate::tui::answer) fn toggle_pick(&mut self, place: usize, cx: &UpdateContext) {
        let Some(offer) = self.focused_offer(place) else { return };
        let Some(choice) = self.choice(place) else { return };
        let is_multi = choice.multi;
        match choice.item_by_number(offer + 1) {
            Some(ChoiceItem::Other) => self.edit_own_answer(place, cx),
            Some(ChoiceItem::Option(option)) => {
                let pick = Pick::Option(option.id.clone());
                let mut picked = picks(self.sheet.reply_at(place)).to_vec();
                let before = picked.len();
                if !is_multi {
                    picked = vec![pick];
                } else if let Some(at) = picked.iter().position(|other| *other == pick) {
                    picked.remove(at);
                } else {
                    if self.sheet.questionnaire().rules.other_alone {
                        picked.retain(|pick| matches!(pick, Pick::Option(_)));
                    }
                    picked.push(pick);
                }
                if picked.len() > before && self.exceeds_pick_limit(place, &picked, cx) {
                    return;
                }
                self.set_picks(place, picked, cx);
            }
            None => {}
        }
    }

    /// Picks every option, or unpicks all if every one is picked. Leaves the own answer unchanged.
    pub(in crate::tui::answer) fn toggle_all_picks(&mut self, place: usize, cx: &UpdateContext) {
        let Some(choice) = self.choice(place).filter(|choice| choice.multi) else { return };
        let picked = picks(self.sheet.reply_at(place)).to_vec();
        let all: Vec<_> = choice.options.iter().map(|option| Pick::Option(option.id.clone())).collect();
        let own = picked.iter().filter(|pick| matches!(pick, Pick::Other(_))).cloned();
        let has_all = all.iter().all(|pick| picked.contains(pick));
        let picked: Vec<_> = if has_all { own.collect() } else { all.into_iter().chain(own).collect() };
        if !has_all && self.exceeds_pick_limit(place, &picked, cx) {
            return;
        }
        self.set_picks(place, picked, cx);
    }

    /// Returns whether there are more picks than the question takes, and reports it to the person.
    fn exceeds_pick_limit(&mut self, place: usize, picked: &[Pick], cx: &UpdateContext) -> bool {
        let answer = Answer::Picks(picked.iter().cloned().collect());
        let bound = self.sheet.bound_hit(place, &answer, true);
        if let Some(bound) = &bound {
            self.notice = Some(describe::own_problem_text(bound, cx.lang));
        }
        bound.is_some()
    }

    fn set_picks(&mut self, place: usize, picked: Vec<Pick>, cx: &UpdateContext) {
        self.record_choice();
        self.commit_text(cx);
        let before = self.sheet.reply_at(place);
        let typed = self.field(place).map(|field| field.text.text().to_owned()).unwrap_or_default();
        let has_own = picked.iter().any(|pick| matches!(pick, Pick::Other(_)));
        let content = if picked.is_empty() {
            ReplyContent::Unanswered
        } else {
            ReplyContent::Answered(Answer::Picks(picked.into()))
        };
        let reply = Reply { content, ..Reply::default() }
            .with_note(before.note.clone())
            .with_unused_other((!has_own && !typed.is_empty()).then_some(typed));
        self.set_reply_undoable(place, reply, cx);
    }

    /// Moves to the own answer and types it. An own answer that was set aside becomes the answer again.
    pub(in crate::tui::answer) fn edit_own_answer(&mut self, place: usize, cx: &UpdateContext) {
        let Some(choice) = self.choice(place).filter(|choice| choice.other) else { return };
        let own = choice.items().position(|offer| offer == ChoiceItem::Other).unwrap_or_default();
        let reply = self.sheet.reply_at(place);
        let adds = choice.multi && !self.sheet.questionnaire().rules.other_alone;
        if adds && own_answer(reply.answer()).is_none() {
            let with_own: Vec<_> = picks(reply).iter().cloned().chain([Pick::Other(String::new())]).collect();
            if self.exceeds_pick_limit(place, &with_own, cx) {
                return;
            }
        }
        self.focus_offer(place, own);
        if let Some(field) = self.field_mut(place) {
            field.focus = FieldFocus::Text;
        }
        let Some(field) = self.field(place) else { return };
        let reply = self.with_own_answer(place, field).with_note(self.sheet.reply_at(place).note.clone());
        self.set_reply_undoable(place, reply, cx);
    }

    /// Picks the own answer that was typed, in addition to the other picks or instead of them.
    pub(in crate::tui::answer) fn pick_own_answer(&mut self, place: usize, cx: &UpdateContext) {
        let Some(choice) = self.choice(place).filter(|choice| choice.other) else { return };
        let Some(text) = self.unpicked_own_answer(place).map(str::to_owned) else { return };
        let adds = choice.multi && !self.sheet.questionnaire().rules.other_alone;
        let before = if adds { picks(self.sheet.reply_at(place)).to_vec() } else { Vec::new() };
        let picked: Vec<_> = before.into_iter().chain([Pick::Other(text)]).collect();
        if !self.exceeds_pick_limit(place, &picked, cx) {
            let note = self.sheet.reply_at(place).note.clone();
            let reply = Reply::from_answer(Answer::Picks(picked.into())).with_note(note);
            self.set_reply_undoable(place, reply, cx);
        }
    }

    /// Returns the reply with the own answer as typed so far. While nothing is typed, the earlier picks remain.
    pub(in crate::tui::answer) fn with_own_answer(&self, place: usize, field: &FieldState) -> Reply {
        let reply = self.sheet.reply_at(place).clone();
        let Some(choice) = self.choice(place) else { return reply };
        let rules = &self.sheet.questionnaire().rules;
        let text = field.text.text();
        let has_own = own_answer(reply.answer()).is_some();
        if field.focus != FieldFocus::Text && !has_own {
            return reply.with_unused_other(Some(text.to_owned()));
        }
        let mut picked = picks(&reply).to_vec();
        let is_own = |pick: &Pick| matches!(pick, Pick::Other(_));
        if rules.is_blank(text) && !rules.empty_other {
            picked.retain(|pick| !is_own(pick));
        } else {
            let own = Pick::Other(text.to_owned());
            match picked.iter_mut().find(|pick| is_own(pick)) {
                Some(pick) => *pick = own,
                None if choice.multi && !rules.other_alone => picked.push(own),
                None => picked = vec![own],
            }
        }
        let words = match (picked.is_empty(), &reply.content) {
            (true, ReplyContent::Skipped) => ReplyContent::Skipped,
            (true, _) => ReplyContent::Unanswered,
            (false, _) => ReplyContent::Answered(Answer::Picks(picked.into())),
        };
        // White space alone is no answer, but is kept.
        let aside = (rules.is_blank(text) && !text.is_empty()).then(|| text.to_owned());
        Reply { content: words, ..Reply::default() }.with_unused_other(aside)
    }

    /// Returns the focused option and its number, if there is more of it to read than its label.
    pub(in crate::tui) fn focused_option(&self, place: usize) -> Option<(usize, &ChoiceOption)> {
        let number = self.focused_offer(place)? + 1;
        match self.choice(place)?.item_by_number(number)? {
            ChoiceItem::Option(option) => Some((number, option)),
            ChoiceItem::Other => None,
        }
        .filter(|(_, option)| option.preview.is_some() || option.description.is_some())
    }

    /// Returns the own answer that was typed and is not picked.
    pub(in crate::tui) fn unpicked_own_answer(&self, place: usize) -> Option<&str> {
        let reply = self.sheet.reply_at(place);
        reply.unused_other.as_deref().filter(|_| own_answer(reply.answer()).is_none())
    }
}
