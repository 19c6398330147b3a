//! Selection of options, and the person's own answer among them.

use crate::describe;
use crate::tui::answer::form::{FieldFocus, own_answer, picks};
use crate::tui::answer::reply::undo;
use crate::tui::answer::{AskView, UpdateContext};
use sayso_core::{Answer, ChoiceItem, Pick, Reply, ReplyContent};

/// Moves the cursor up or down the offers.
pub(in crate::tui::answer) fn move_cursor(
    view: &mut AskView,
    place: usize,
    to: impl Fn(usize, usize) -> usize,
) {
    let last = view.form.visible_offers(place).len().saturating_sub(1);
    if let Some(field) = view.form.field_mut(place) {
        field.cursor = to(field.cursor.min(last), last).min(last);
    }
    view.scroll.show_focus();
}

/// Moves the cursor to an offer; returns false if the filter hides it.
pub(in crate::tui::answer) fn focus_offer(view: &mut AskView, place: usize, offer: usize) -> bool {
    let Some(at) = view.form.visible_offers(place).iter().position(|other| *other == offer) else {
        return false;
    };
    move_cursor(view, place, |_, _| at);
    true
}

/// Clears the filter and keeps the cursor at the same offer.
pub(in crate::tui::answer) fn clear_filter(view: &mut AskView, place: usize) {
    if view.form.field(place).is_none_or(|field| field.filter.is_empty()) {
        return;
    }
    let at = view.form.focused_offer(place);
    if let Some(field) = view.form.field_mut(place) {
        field.filter.set_text("");
    }
    if let Some(at) = at {
        focus_offer(view, place, at);
    }
}

/// Picks the focused offer, or unpicks it if the question takes several. Picking the own answer starts typing it.
pub(in crate::tui::answer) fn toggle_pick(view: &mut AskView, place: usize, cx: &UpdateContext) {
    let Some(offer) = view.form.focused_offer(place) else { return };
    let Some(choice) = view.form.choice(place) else { return };
    let is_multi = choice.multi;
    match choice.item_by_number(offer + 1) {
        Some(ChoiceItem::Other) => {
            let picked = picks(view.form.sheet.reply_at(place));
            let without: Vec<_> =
                picked.iter().filter(|pick| matches!(pick, Pick::Option(_))).cloned().collect();
            if is_multi && without.len() < picked.len() {
                set_picks(view, place, without, cx);
            } else {
                edit_own_answer(view, place, cx);
            }
        }
        Some(ChoiceItem::Option(option)) => {
            let pick = Pick::Option(option.id.clone());
            let mut picked = picks(view.form.sheet.reply_at(place)).to_vec();
            let before = picked.len();
            if !is_multi {
                picked = vec![pick];
            } else if let Some(at) = picked.iter().position(|other| *other == pick) {
                picked.remove(at);
            } else {
                if view.form.sheet.questionnaire().rules.other_alone {
                    picked.retain(|pick| matches!(pick, Pick::Option(_)));
                }
                picked.push(pick);
            }
            if picked.len() > before && exceeds_pick_limit(view, place, &picked, cx) {
                return;
            }
            set_picks(view, place, picked, cx);
        }
        None => {}
    }
}

/// Picks every option, or unpicks all if every one is picked. Leaves the own answer unchanged.
pub(in crate::tui::answer) fn toggle_all_picks(view: &mut AskView, place: usize, cx: &UpdateContext) {
    let Some(choice) = view.form.choice(place).filter(|choice| choice.multi) else { return };
    let picked = picks(view.form.sheet.reply_at(place)).to_vec();
    let all: Vec<_> = choice.options.iter().map(|option| Pick::Option(option.id.clone())).collect();
    let own = picked.iter().filter(|pick| matches!(pick, Pick::Other(_))).cloned();
    let has_all = all.iter().all(|pick| picked.contains(pick));
    let picked: Vec<_> = if has_all { own.collect() } else { all.into_iter().chain(own).collect() };
    if !has_all && exceeds_pick_limit(view, place, &picked, cx) {
        return;
    }
    set_picks(view, place, picked, cx);
}

/// Returns whether there are more picks than the question takes, and reports it to the person.
fn exceeds_pick_limit(view: &mut AskView, place: usize, picked: &[Pick], cx: &UpdateContext) -> bool {
    let answer = Answer::Picks(picked.iter().cloned().collect());
    let bound = view.form.sheet.bound_hit(place, &answer, true);
    if let Some(bound) = &bound {
        view.notice = Some(describe::own_problem_text(bound, cx.lang));
    }
    bound.is_some()
}

fn set_picks(view: &mut AskView, place: usize, picked: Vec<Pick>, cx: &UpdateContext) {
    view.record_choice();
    view.commit_text(cx);
    let before = view.form.sheet.reply_at(place);
    let typed = view.form.field(place).map(|field| field.text.text().to_owned()).unwrap_or_default();
    let has_own = picked.iter().any(|pick| matches!(pick, Pick::Other(_)));
    let content = if picked.is_empty() {
        ReplyContent::Unanswered
    } else {
        ReplyContent::Answered(Answer::Picks(picked.into()))
    };
    let reply = Reply { content, ..Reply::default() }
        .with_note(before.note.clone())
        .with_unused_other((!has_own && !typed.is_empty()).then_some(typed));
    undo::set_reply_undoable(view, place, reply, cx);
}

/// Moves to the own answer and types it. An own answer that was set aside becomes the answer again.
pub(in crate::tui::answer) fn edit_own_answer(view: &mut AskView, place: usize, cx: &UpdateContext) {
    let Some(choice) = view.form.choice(place).filter(|choice| choice.other) else { return };
    let own = choice.items().position(|offer| offer == ChoiceItem::Other).unwrap_or_default();
    let reply = view.form.sheet.reply_at(place);
    let adds = choice.multi && !view.form.sheet.questionnaire().rules.other_alone;
    if adds && own_answer(reply.answer()).is_none() {
        let with_own: Vec<_> = picks(reply).iter().cloned().chain([Pick::Other(String::new())]).collect();
        if exceeds_pick_limit(view, place, &with_own, cx) {
            return;
        }
    }
    focus_offer(view, place, own);
    if let Some(field) = view.form.field_mut(place) {
        field.focus = FieldFocus::Text;
    }
    let Some(field) = view.form.field(place) else { return };
    let reply =
        view.form.with_own_answer(place, field).with_note(view.form.sheet.reply_at(place).note.clone());
    undo::set_reply_undoable(view, place, reply, cx);
}

/// Picks the own answer that was typed, in addition to the other picks or instead of them.
pub(in crate::tui::answer) fn pick_own_answer(view: &mut AskView, place: usize, cx: &UpdateContext) {
    let Some(choice) = view.form.choice(place).filter(|choice| choice.other) else { return };
    let Some(text) = view.form.unpicked_own_answer(place).map(str::to_owned) else { return };
    let adds = choice.multi && !view.form.sheet.questionnaire().rules.other_alone;
    let before = if adds { picks(view.form.sheet.reply_at(place)).to_vec() } else { Vec::new() };
    let picked: Vec<_> = before.into_iter().chain([Pick::Other(text)]).collect();
    if !exceeds_pick_limit(view, place, &picked, cx) {
        let note = view.form.sheet.reply_at(place).note.clone();
        let reply = Reply::from_answer(Answer::Picks(picked.into())).with_note(note);
        undo::set_reply_undoable(view, place, reply, cx);
    }
}
