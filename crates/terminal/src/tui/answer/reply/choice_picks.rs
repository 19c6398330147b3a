//! Selection of options, and the person's own answer among them.

use crate::describe;
use crate::tui::answer::form::{FieldFocus, is_own, own_answer, picks};
use crate::tui::answer::reply::undo;
use crate::tui::answer::{AskView, UpdateContext};
use crate::tui::cursor_move::CursorMove;
use sayso_core::{Answer, ChoiceItem, Pick, Reply, ReplyContent};

/// Moves the cursor up or down the offers.
pub(in crate::tui::answer) fn move_cursor(view: &mut AskView, place: usize, movement: CursorMove) {
    let last = view.form.visible_offers(place).len().saturating_sub(1);
    if let Some(field) = view.form.field_mut(place) {
        field.cursor = movement.apply(field.cursor, last);
    }
    view.scroll.show_focus();
}

/// Moves the cursor to an offer; returns false if the filter hides it.
pub(in crate::tui::answer) fn focus_offer(view: &mut AskView, place: usize, offer: usize) -> bool {
    let Some(row) = view.form.visible_offers(place).iter().position(|other| *other == offer) else {
        return false;
    };
    move_cursor(view, place, CursorMove::To(row));
    true
}

/// Clears the filter and keeps the cursor at the same offer.
pub(in crate::tui::answer) fn clear_filter(view: &mut AskView, place: usize) {
    if view.form.field(place).is_none_or(|field| field.filter.is_empty()) {
        return;
    }
    let focused_offer = view.form.focused_offer(place);
    if let Some(field) = view.form.field_mut(place) {
        field.filter.set_text("");
    }
    if let Some(offer) = focused_offer {
        focus_offer(view, place, offer);
    }
}

/// Picks the focused offer, or unpicks it if the question takes several. Picking the own answer starts typing it.
pub(in crate::tui::answer) fn toggle_pick(view: &mut AskView, place: usize, cx: &UpdateContext) {
    let Some(offer) = view.form.focused_offer(place) else { return };
    let Some(choice) = view.form.choice(place) else { return };
    let is_multi = choice.multi;
    match choice.item_by_number(offer + 1) {
        Some(ChoiceItem::Other) => {
            let mut new_picks = picks(view.form.sheet.reply_at(place)).to_vec();
            if is_multi && new_picks.iter().any(is_own) {
                new_picks.retain(|pick| !is_own(pick));
                set_picks(view, place, new_picks, cx);
            } else {
                edit_own_answer(view, place, cx);
            }
        }
        Some(ChoiceItem::Option(option)) => {
            let pick = Pick::Option(option.id.clone());
            let mut new_picks = picks(view.form.sheet.reply_at(place)).to_vec();
            let earlier_count = new_picks.len();
            if !is_multi {
                new_picks = vec![pick];
            } else if let Some(index) = new_picks.iter().position(|other| *other == pick) {
                new_picks.remove(index);
            } else {
                if view.form.sheet.questionnaire().rules.other_alone {
                    new_picks.retain(|pick| !is_own(pick));
                }
                new_picks.push(pick);
            }
            if new_picks.len() > earlier_count && exceeds_pick_limit(view, place, &new_picks, cx) {
                return;
            }
            set_picks(view, place, new_picks, cx);
        }
        None => {}
    }
}

/// Picks every option, or unpicks all if every one is picked. Leaves the own answer unchanged.
pub(in crate::tui::answer) fn toggle_all_picks(view: &mut AskView, place: usize, cx: &UpdateContext) {
    let Some(choice) = view.form.choice(place) else { return };
    if !choice.multi {
        return;
    }
    let current_picks = picks(view.form.sheet.reply_at(place));
    let all: Vec<_> = choice.options.iter().map(|option| Pick::Option(option.id.clone())).collect();
    let has_all = all.iter().all(|pick| current_picks.contains(pick));
    let mut new_picks = if has_all { Vec::new() } else { all };
    new_picks.extend(current_picks.iter().filter(|pick| is_own(pick)).cloned());
    if !has_all && exceeds_pick_limit(view, place, &new_picks, cx) {
        return;
    }
    set_picks(view, place, new_picks, cx);
}

/// Returns whether there are more picks than the question takes, and reports it to the person.
fn exceeds_pick_limit(view: &mut AskView, place: usize, new_picks: &[Pick], cx: &UpdateContext) -> bool {
    let answer = Answer::Picks(new_picks.iter().cloned().collect());
    let Some(problem) = view.form.sheet.bound_hit(place, &answer, true) else { return false };
    view.notice = Some(describe::own_problem_text(&problem, cx.lang));
    true
}

/// Replaces the picks. The text of an own answer that is not among them is kept aside.
fn set_picks(view: &mut AskView, place: usize, new_picks: Vec<Pick>, cx: &UpdateContext) {
    view.record_choice();
    view.commit_text(cx);
    let mut unused_other = None;
    if let Some(field) = view.form.field(place)
        && !new_picks.iter().any(is_own)
    {
        unused_other = Some(field.text.text().to_owned());
    }
    let content = if new_picks.is_empty() {
        ReplyContent::Unanswered
    } else {
        ReplyContent::Answered(Answer::Picks(new_picks.into()))
    };
    let note = view.form.sheet.reply_at(place).note.clone();
    let reply = Reply { content, ..Reply::default() }.with_note(note).with_unused_other(unused_other);
    undo::set_reply_undoable(view, place, reply, cx);
}

/// Moves to the own answer and types it. An own answer that was set aside becomes the answer again.
pub(in crate::tui::answer) fn edit_own_answer(view: &mut AskView, place: usize, cx: &UpdateContext) {
    let Some(choice) = view.form.choice(place) else { return };
    let Some(own_offer) = choice.items().position(|offer| offer == ChoiceItem::Other) else { return };
    let reply = view.form.sheet.reply_at(place);
    let adds = choice.multi && !view.form.sheet.questionnaire().rules.other_alone;
    if adds && own_answer(reply.answer()).is_none() {
        let mut new_picks = picks(reply).to_vec();
        new_picks.push(Pick::Other(String::new()));
        if exceeds_pick_limit(view, place, &new_picks, cx) {
            return;
        }
    }
    focus_offer(view, place, own_offer);
    if let Some(field) = view.form.field_mut(place) {
        field.focus = FieldFocus::Text;
    }
    let Some(field) = view.form.field(place) else { return };
    let note = view.form.sheet.reply_at(place).note.clone();
    let reply = view.form.with_own_answer(place, field).with_note(note);
    undo::set_reply_undoable(view, place, reply, cx);
}

/// Picks the own answer that was typed, in addition to the other picks or instead of them.
pub(in crate::tui::answer) fn pick_own_answer(view: &mut AskView, place: usize, cx: &UpdateContext) {
    let Some(choice) = view.form.choice(place) else { return };
    if !choice.other {
        return;
    }
    let Some(text) = view.form.unpicked_own_answer(place) else { return };
    let own = Pick::Other(text.to_owned());
    let adds = choice.multi && !view.form.sheet.questionnaire().rules.other_alone;
    let mut new_picks = if adds { picks(view.form.sheet.reply_at(place)).to_vec() } else { Vec::new() };
    new_picks.push(own);
    if !exceeds_pick_limit(view, place, &new_picks, cx) {
        let note = view.form.sheet.reply_at(place).note.clone();
        let reply = Reply::from_answer(Answer::Picks(new_picks.into())).with_note(note);
        undo::set_reply_undoable(view, place, reply, cx);
    }
}
