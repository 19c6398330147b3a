//! Where ids stand first.

use std::collections::HashMap;
use std::hash::Hash;

/// The first of some things with each id. Few things are gone through; many are looked up.
pub(super) struct First<'q, T, I> {
    things: &'q [T],
    id: fn(&T) -> &I,
    by_id: Option<HashMap<&'q I, usize>>,
}

impl<'q, T, I: Eq + Hash> First<'q, T, I> {
    /// Of these things, which have these ids.
    pub(super) fn of(things: &'q [T], id: fn(&T) -> &I) -> Self {
        const FEW: usize = 16;
        let by_id = (things.len() > FEW).then(|| {
            let mut by_id = HashMap::with_capacity(things.len());
            for (index, thing) in things.iter().enumerate() {
                by_id.entry(id(thing)).or_insert(index);
            }
            by_id
        });
        Self { things, id, by_id }
    }

    /// The place of the first with this id.
    pub(super) fn get(&self, id: &I) -> Option<usize> {
        match &self.by_id {
            Some(by_id) => by_id.get(id).copied(),
            None => self.things.iter().position(|thing| (self.id)(thing) == id),
        }
    }
}
