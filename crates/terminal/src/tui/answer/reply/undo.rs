//! Undo and redo of commands. Typed text is not a step: it stays.

use crate::tui::answer::form::own_answer;
use crate::tui::answer::{AskTab, AskView, UpdateContext};
use sayso_core::{Answer, Pick, Reply, ReplyContent, Sheet};

/// Undo and redo stacks: replies, each with the index of its question.
#[derive(Debug, Default)]
pub(in crate::tui::answer) struct ReplyHistory {
    undo_stack: Vec<(usize, Reply)>,
    redo_stack: Vec<(usize, Reply)>,
}

impl ReplyHistory {
    /// Records the reply that a command replaces.
    pub(in crate::tui::answer) fn record(&mut self, place: usize, before: Reply) {
        self.undo_stack.push((place, before));
        self.redo_stack.clear();
    }

    /// Returns the reply to restore, and keeps the current one for redo.
    pub(in crate::tui::answer) fn undo(&mut self, sheet: &Sheet) -> Option<(usize, Reply)> {
        let (place, before) = self.undo_stack.pop()?;
        self.redo_stack.push((place, sheet.reply_at(place).clone()));
        Some((place, before))
    }

    /// Returns the reply that was undone last, and keeps the current one for undo.
    pub(in crate::tui::answer) fn redo(&mut self, sheet: &Sheet) -> Option<(usize, Reply)> {
        let (place, after) = self.redo_stack.pop()?;
        self.undo_stack.push((place, sheet.reply_at(place).clone()));
        Some((place, after))
    }
}

/// Puts a reply that a command made, and pushes the earlier one on the undo stack.
pub(in crate::tui::answer) fn set_reply_undoable(
    view: &mut AskView,
    place: usize,
    reply: Reply,
    cx: &UpdateContext,
) {
    let before = view.form.sheet.reply_at(place).clone();
    if before == reply {
        return;
    }
    view.form.history.record(place, before);
    view.set_reply(place, reply, cx);
}

pub(in crate::tui::answer) fn undo(view: &mut AskView, cx: &UpdateContext) {
    view.commit_text(cx);
    if let Some((place, before)) = view.form.history.undo(&view.form.sheet) {
        restore_reply(view, place, before, cx);
    }
}

pub(in crate::tui::answer) fn redo(view: &mut AskView, cx: &UpdateContext) {
    view.commit_text(cx);
    if let Some((place, after)) = view.form.history.redo(&view.form.sheet) {
        restore_reply(view, place, after, cx);
    }
}

fn restore_reply(view: &mut AskView, place: usize, reply: Reply, cx: &UpdateContext) {
    let reply = keep_typed_text(view.form.sheet.reply_at(place), reply);
    view.set_reply(place, reply, cx);
    let focus = view.form.fields.remove(&place).map(|field| field.focus);
    if let (Some(field), Some(focus)) = (view.form.field_mut(place), focus) {
        field.focus = focus;
    }
    if view.tab != AskTab::Review {
        view.go_to(AskTab::Question(place), cx);
    }
}

/// Returns an earlier reply with the text typed since, because typing is not a step to undo.
fn keep_typed_text(now: &Reply, reply: Reply) -> Reply {
    let note = if reply.content == now.content {
        reply.note.clone()
    } else {
        now.note.clone().or(reply.note.clone())
    };
    let own = own_answer(now.answer()).or(now.unused_other.as_deref()).filter(|own| !own.is_empty());
    let Some(own) = own else { return reply.with_note(note) };
    let is_own = |pick: &Pick| matches!(pick, Pick::Other(_));
    match reply.content {
        ReplyContent::Answered(Answer::Picks(mut picks)) if picks.iter().any(is_own) => {
            let own = Pick::Other(own.to_owned());
            picks.iter_mut().filter(|pick| is_own(pick)).for_each(|pick| pick.clone_from(&own));
            Reply::from_answer(Answer::Picks(picks)).with_note(note)
        }
        content => {
            Reply { content, ..Reply::default() }.with_note(note).with_unused_other(Some(own.to_owned()))
        }
    }
}
