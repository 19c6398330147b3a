//! Undo and redo of commands. Typed text is not a step: it stays.

use super::field::own_answer;
use super::{Answering, Moment, Spot};
use sayso_core::{Answer, Pick, Reply, Said};

impl Answering {
    /// Puts a reply that a command made, and pushes the earlier one on the undo stack.
    pub(super) fn put_undoably(&mut self, place: usize, reply: Reply, cx: &Moment) {
        let before = self.sheet.reply_at(place).clone();
        if before == reply {
            return;
        }
        self.undone.push((place, before));
        self.redone.clear();
        self.put(place, reply, cx);
    }

    pub(super) fn undo(&mut self, cx: &Moment) {
        self.settle_text(cx);
        if let Some((place, before)) = self.undone.pop() {
            self.redone.push((place, self.sheet.reply_at(place).clone()));
            self.bring_back(place, before, cx);
        }
    }

    pub(super) fn redo(&mut self, cx: &Moment) {
        self.settle_text(cx);
        if let Some((place, after)) = self.redone.pop() {
            self.undone.push((place, self.sheet.reply_at(place).clone()));
            self.bring_back(place, after, cx);
        }
    }

    fn bring_back(&mut self, place: usize, reply: Reply, cx: &Moment) {
        let reply = self.with_typed(place, reply);
        self.put(place, reply, cx);
        let focus = self.fields.remove(&place).map(|field| field.focus);
        if let (Some(field), Some(focus)) = (self.field_mut(place), focus) {
            field.focus = focus;
        }
        if self.spot != Spot::Review {
            self.go(Spot::Question(place), cx);
        }
    }

    /// Returns an earlier reply with the text typed since, because typing is not a step to undo.
    fn with_typed(&self, place: usize, reply: Reply) -> Reply {
        let now = self.sheet.reply_at(place);
        let note =
            if reply.said == now.said { reply.note.clone() } else { now.note.clone().or(reply.note.clone()) };
        let own = own_answer(now.answer()).or(now.aside.as_deref()).filter(|own| !own.is_empty());
        let Some(own) = own else { return reply.with_note(note) };
        let is_own = |pick: &Pick| matches!(pick, Pick::Other(_));
        match reply.said {
            Said::Answer(Answer::Picks(mut picks)) if picks.iter().any(is_own) => {
                let own = Pick::Other(own.to_owned());
                picks.iter_mut().filter(|pick| is_own(pick)).for_each(|pick| pick.clone_from(&own));
                Reply::of(Answer::Picks(picks)).with_note(note)
            }
            said => Reply { said, ..Reply::default() }.with_note(note).with_aside(Some(own.to_owned())),
        }
    }
}
