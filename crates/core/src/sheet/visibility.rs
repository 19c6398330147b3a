//! Visibility of questions: all are decided in one pass, and after one changed reply only its dependents.

use super::Sheet;
use std::collections::{BTreeMap, BTreeSet};

impl Sheet {
    /// Decides for every question if it is asked, in one pass.
    pub(super) fn update_all(&mut self) {
        let form = self.form.clone();
        self.pick_names = BTreeMap::new();
        for at in 0..self.slots.len() {
            if let Some(names) = self.pick_names_at(at) {
                self.pick_names.insert(at, names);
            }
        }
        for at in 0..self.slots.len() {
            let is_asked = form.asks_question(at, self);
            if let Some(slot) = self.slots.get_mut(at) {
                slot.is_asked = is_asked;
            }
        }
    }

    /// Decides again for the questions that depend on this one, and transitively for theirs. Returns those that
    /// appeared and those that vanished.
    pub(super) fn update_dependents(&mut self, at: usize) -> (Vec<usize>, Vec<usize>) {
        let mut appeared = Vec::new();
        let mut vanished = Vec::new();
        let form = self.form.clone();
        // Questions depend on earlier ones only, so one pass forward meets each after all that it depends on.
        let mut stale = BTreeSet::from_iter(form.dependents(at));
        while let Some(next) = stale.pop_first().copied() {
            let is_asked = form.asks_question(next, self);
            let Some(slot) = self.slots.get_mut(next) else { continue };
            if slot.is_asked == is_asked {
                continue;
            }
            slot.is_asked = is_asked;
            if is_asked {
                appeared.push(next);
            } else {
                vanished.push(next);
            }
            stale.extend(form.dependents(next));
        }
        (appeared, vanished)
    }
}
