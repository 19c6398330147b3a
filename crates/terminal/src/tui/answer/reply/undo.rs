//! Undo and redo of commands. Typed text is not a step: it stays.

use crate::tui::answer::form::{is_own, own_answer};
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
    pub(in crate::tui::answer) fn record(&mut self, place: usize, earlier: Reply) {
        self.undo_stack.push((place, earlier));
        self.redo_stack.clear();
    }

    /// Returns the reply to restore, and keeps the current one for redo.
    pub(in crate::tui::answer) fn undo(&mut self, sheet: &Sheet) -> Option<(usize, Reply)> {
        let (place, reply) = self.undo_stack.pop()?;
        self.redo_stack.push((place, sheet.reply_at(place).clone()));
        Some((place, reply))
    }

    /// Returns the reply that was undone last, and keeps the current one for undo.
    pub(in crate::tui::answer) fn redo(&mut self, sheet: &Sheet) -> Option<(usize, Reply)> {
        let (place, reply) = self.redo_stack.pop()?;
        self.undo_stack.push((place, sheet.reply_at(place).clone()));
        Some((place, reply))
    }
}

/// Puts a reply that a command made, and pushes the earlier one on the undo stack.
pub(in crate::tui::answer) fn set_reply_undoable(
    view: &mut AskView,
    place: usize,
    reply: Reply,
    cx: &UpdateContext,
) {
    let earlier_reply = view.form.sheet.reply_at(place).clone();
    if earlier_reply == reply {
        return;
    }
    view.form.history.record(place, earlier_reply);
    view.set_reply(place, reply, cx);
}

pub(in crate::tui::answer) fn undo(view: &mut AskView, cx: &UpdateContext) {
    view.commit_text(cx);
    if let Some((place, reply)) = view.form.history.undo(&view.form.sheet) {
        restore_reply(view, place, reply, cx);
    }
}

pub(in crate::tui::answer) fn redo(view: &mut AskView, cx: &UpdateContext) {
    view.commit_text(cx);
    if let Some((place, reply)) = view.form.history.redo(&view.form.sheet) {
        restore_reply(view, place, reply, cx);
    }
}

fn restore_reply(view: &mut AskView, place: usize, reply: Reply, cx: &UpdateContext) {
    let reply = keep_typed_text(view.form.sheet.reply_at(place), reply);
    view.set_reply(place, reply, cx);
    // The field is built again from the reply.
    if let Some(old_field) = view.form.fields.remove(&place)
        && let Some(field) = view.form.field_mut(place)
    {
        field.focus = old_field.focus;
    }
    if view.tab != AskTab::Review {
        view.go_to(AskTab::Question(place), cx);
    }
}

/// Returns an earlier reply with the text typed since, because typing is not a step to undo.
fn keep_typed_text(current: &Reply, reply: Reply) -> Reply {
    let note = if reply.content == current.content {
        reply.note.clone()
    } else {
        current.note.clone().or(reply.note.clone())
    };
    let own_text = own_answer(current.answer()).or(current.unused_other.as_deref()).unwrap_or_default();
    if own_text.is_empty() {
        return reply.with_note(note);
    }
    match reply.content {
        ReplyContent::Answered(Answer::Picks(mut picks)) if picks.iter().any(is_own) => {
            for pick in picks.iter_mut() {
                if is_own(pick) {
                    *pick = Pick::Other(own_text.to_owned());
                }
            }
            Reply::from_answer(Answer::Picks(picks)).with_note(note)
        }
        content => {
            Reply { content, ..Reply::default() }.with_note(note).with_unused_other(Some(own_text.to_owned()))
        }
    }
}
