//! Visibility of questions: all are decided in one pass, and after one changed reply only its dependents.

use super::Sheet;
use std::collections::BTreeSet;

impl Sheet {
    /// Decides for every question if it is asked, in one pass.
    pub(super) fn update_all(&mut self) {
        let form = self.form.clone();
        self.pick_names =
            (0..self.slots.len()).filter_map(|at| Some((at, self.pick_names_at(at)?))).collect();
        for at in 0..self.slots.len() {
            let asked = form.asks_question(at, self);
            if let Some(slot) = self.slots.get_mut(at) {
                slot.is_asked = asked;
            }
        }
    }

    /// Decides again for the questions that depend on this one, and transitively for theirs. Returns those that
    /// appeared and those that vanished.
    pub(super) fn update_dependents(&mut self, at: usize) -> (Vec<usize>, Vec<usize>) {
        let (mut appeared, mut vanished) = (Vec::new(), Vec::new());
        let form = self.form.clone();
        // Questions depend on earlier ones only, so one pass forward meets each after all that it depends on.
        let mut stale = BTreeSet::from_iter(form.dependents(at));
        while let Some(next) = stale.pop_first().copied() {
            let is = form.asks_question(next, self);
            let Some(slot) = self.slots.get_mut(next) else { continue };
            if std::mem::replace(&mut slot.is_asked, is) == is {
                continue;
            }
            if is {
                appeared.push(next);
            } else {
                vanished.push(next);
            }
            stale.extend(form.dependents(next));
        }
        (appeared, vanished)
    }
}
