//! Selection of options, and the person's own answer among them.

use crate::describe;
use crate::tui::answer::form::{FieldFocus, own_answer, picks};
use crate::tui::answer::{AskView, UpdateContext};
use sayso_core::{Answer, ChoiceItem, Pick, Reply, ReplyContent};

impl AskView {
    /// Moves the cursor up or down the offers.
    pub(in crate::tui::answer) fn move_cursor(&mut self, place: usize, to: impl Fn(usize, usize) -> usize) {
        let last = self.form.visible_offers(place).len().saturating_sub(1);
        if let Some(field) = self.form.field_mut(place) {
            field.cursor = to(field.cursor.min(last), last).min(last);
        }
        self.scroll.show_focus();
    }

    /// Moves the cursor to an offer; returns false if the filter hides it.
    pub(in crate::tui::answer) fn focus_offer(&mut self, place: usize, offer: usize) -> bool {
        let Some(at) = self.form.visible_offers(place).iter().position(|other| *other == offer) else {
            return false;
        };
        self.move_cursor(place, |_, _| at);
        true
    }

    /// Clears the filter and keeps the cursor at the same offer.
    pub(in crate::tui::answer) fn clear_filter(&mut self, place: usize) {
        if self.form.field(place).is_none_or(|field| field.filter.is_empty()) {
            return;
        }
        let at = self.form.focused_offer(place);
        if let Some(field) = self.form.field_mut(place) {
            field.filter.set_text("");
        }
        if let Some(at) = at {
            self.focus_offer(place, at);
        }
    }

    /// Picks the focused offer, or unpicks it if the question takes several. Picking the own answer starts typing it.
    pub(in crate::tui::answer) fn toggle_pick(&mut self, place: usize, cx: &UpdateContext) {
        let Some(offer) = self.form.focused_offer(place) else { return };
        let Some(choice) = self.form.choice(place) else { return };
        let is_multi = choice.multi;
        match choice.item_by_number(offer + 1) {
            Some(ChoiceItem::Other) => self.edit_own_answer(place, cx),
            Some(ChoiceItem::Option(option)) => {
                let pick = Pick::Option(option.id.clone());
                let mut picked = picks(self.form.sheet.reply_at(place)).to_vec();
                let before = picked.len();
                if !is_multi {
                    picked = vec![pick];
                } else if let Some(at) = picked.iter().position(|other| *other == pick) {
                    picked.remove(at);
                } else {
                    if self.form.sheet.questionnaire().rules.other_alone {
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
        let Some(choice) = self.form.choice(place).filter(|choice| choice.multi) else { return };
        let picked = picks(self.form.sheet.reply_at(place)).to_vec();
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
        let bound = self.form.sheet.bound_hit(place, &answer, true);
        if let Some(bound) = &bound {
            self.notice = Some(describe::own_problem_text(bound, cx.lang));
        }
        bound.is_some()
    }

    fn set_picks(&mut self, place: usize, picked: Vec<Pick>, cx: &UpdateContext) {
        self.record_choice();
        self.commit_text(cx);
        let before = self.form.sheet.reply_at(place);
        let typed = self.form.field(place).map(|field| field.text.text().to_owned()).unwrap_or_default();
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
        let Some(choice) = self.form.choice(place).filter(|choice| choice.other) else { return };
        let own = choice.items().position(|offer| offer == ChoiceItem::Other).unwrap_or_default();
        let reply = self.form.sheet.reply_at(place);
        let adds = choice.multi && !self.form.sheet.questionnaire().rules.other_alone;
        if adds && own_answer(reply.answer()).is_none() {
            let with_own: Vec<_> = picks(reply).iter().cloned().chain([Pick::Other(String::new())]).collect();
            if self.exceeds_pick_limit(place, &with_own, cx) {
                return;
            }
        }
        self.focus_offer(place, own);
        if let Some(field) = self.form.field_mut(place) {
            field.focus = FieldFocus::Text;
        }
        let Some(field) = self.form.field(place) else { return };
        let reply =
            self.form.with_own_answer(place, field).with_note(self.form.sheet.reply_at(place).note.clone());
        self.set_reply_undoable(place, reply, cx);
    }

    /// Picks the own answer that was typed, in addition to the other picks or instead of them.
    pub(in crate::tui::answer) fn pick_own_answer(&mut self, place: usize, cx: &UpdateContext) {
        let Some(choice) = self.form.choice(place).filter(|choice| choice.other) else { return };
        let Some(text) = self.form.unpicked_own_answer(place).map(str::to_owned) else { return };
        let adds = choice.multi && !self.form.sheet.questionnaire().rules.other_alone;
        let before = if adds { picks(self.form.sheet.reply_at(place)).to_vec() } else { Vec::new() };
        let picked: Vec<_> = before.into_iter().chain([Pick::Other(text)]).collect();
        if !self.exceeds_pick_limit(place, &picked, cx) {
            let note = self.form.sheet.reply_at(place).note.clone();
            let reply = Reply::from_answer(Answer::Picks(picked.into())).with_note(note);
            self.set_reply_undoable(place, reply, cx);
        }
    }
}
