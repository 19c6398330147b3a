//! Index of items by id.

use std::collections::HashMap;
use std::hash::Hash;

/// Index of the first item with each id. Few items are searched linearly; many are hashed.
pub(super) struct IdIndex<'q, T, I> {
    items: &'q [T],
    id: fn(&T) -> &I,
    by_id: Option<HashMap<&'q I, usize>>,
    is_unique: bool,
}

impl<'q, T, I: Eq + Hash> IdIndex<'q, T, I> {
    /// Builds the index of these items.
    pub(super) fn new(things: &'q [T], id: fn(&T) -> &I) -> Self {
        const FEW: usize = 16;
        let by_id = (things.len() > FEW).then(|| {
            let mut by_id = HashMap::with_capacity(things.len());
            for (index, thing) in things.iter().enumerate() {
                by_id.entry(id(thing)).or_insert(index);
            }
            by_id
        });
        let differs = |(at, thing): (usize, &T)| things.iter().take(at).all(|other| id(other) != id(thing));
        let all_differ = match &by_id {
            Some(by_id) => by_id.len() == things.len(),
            None => things.iter().enumerate().all(differs),
        };
        Self { items: things, id, by_id, is_unique: all_differ }
    }

    /// Returns true if no earlier item has the id of the item at this index.
    pub(super) fn is_first(&self, at: usize) -> bool {
        self.is_unique || self.items.get(at).is_some_and(|thing| self.get((self.id)(thing)) == Some(at))
    }

    /// Returns the same as [`get`](Self::get); checks `guess` first.
    pub(super) fn get_near(&self, guess: Option<usize>, id: &I) -> Option<usize> {
        let is_there = |at: &usize| self.items.get(*at).is_some_and(|thing| (self.id)(thing) == id);
        guess.filter(|_| self.is_unique).filter(is_there).or_else(|| self.get(id))
    }

    /// Returns the index of the first item with this id.
    pub(super) fn get(&self, id: &I) -> Option<usize> {
        match &self.by_id {
            Some(by_id) => by_id.get(id).copied(),
            None => self.items.iter().position(|thing| (self.id)(thing) == id),
        }
    }
}
