//! Visibility of questions: all are decided in one pass, and after one changed reply only its dependents.

use super::{Sheet, SheetProgress};
use crate::rules::form::AnswerSource as _;

impl Sheet {
    /// Decides for every question if it is asked, in one pass.
    pub(super) fn update_all(&mut self) {
        let form = self.form.clone();
        self.pick_names =
            (0..self.slots.len()).filter_map(|at| Some((at, self.pick_names_at(at)?))).collect();
        let (mut answered, mut total) = (0, 0);
        for at in 0..self.slots.len() {
            let asked = form.asks_question(at, self);
            if let Some(slot) = self.slots.get_mut(at) {
                slot.is_asked = asked;
            }
            total += usize::from(asked);
            answered += usize::from(self.value(at).is_some());
        }
        self.progress = SheetProgress { answered, total };
    }

    /// Decides again for the questions that depend on this one, and transitively for theirs. Returns those that
    /// appeared and those that vanished.
    pub(super) fn update_dependents(&mut self, at: usize) -> (Vec<usize>, Vec<usize>) {
        let (mut appeared, mut vanished) = (Vec::new(), Vec::new());
        let form = self.form.clone();
        let dependents = form.dependents(at);
        if dependents.is_empty() {
            return (appeared, vanished);
        }
        appeared.reserve(dependents.len());
        self.mark_stale(dependents);
        let mut word = at / 64;
        while let Some(next) = self.take_stale(&mut word) {
            let is = form.asks_question(next, self);
            let Some(slot) = self.slots.get_mut(next) else { continue };
            let (was, filled) = (slot.is_asked, slot.has_answer);
            slot.is_asked = is;
            if was == is {
                continue;
            }
            self.update_answered(was && filled, is && filled);
            if is {
                self.progress.total += 1;
                appeared.push(next);
            } else {
                self.progress.total -= 1;
                vanished.push(next);
            }
            self.mark_stale(form.dependents(next));
        }
        (appeared, vanished)
    }

    fn mark_stale(&mut self, places: &[usize]) {
        for at in places {
            if let Some(word) = self.stale.get_mut(at / 64) {
                *word |= 1 << (at % 64);
            }
        }
    }

    /// Returns the first stale question, searching from this word of the bit set on. Questions depend on earlier ones
    /// only, so none before it becomes stale afterwards.
    fn take_stale(&mut self, from: &mut usize) -> Option<usize> {
        loop {
            let word = self.stale.get_mut(*from)?;
            if *word != 0 {
                let bit = word.trailing_zeros() as usize;
                *word &= *word - 1;
                return Some(*from * 64 + bit);
            }
            *from += 1;
        }
    }

    pub(super) fn update_answered(&mut self, had: bool, has: bool) {
        self.progress.answered = self.progress.answered + usize::from(has) - usize::from(had);
    }
}
