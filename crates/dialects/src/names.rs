//! Names that askers give to questions, sections and options, and the ids that represent them in the core.

use sayso_core::{ChoiceOption, limits};
use std::collections::HashSet;
use std::hash::Hash;

/// Number of names up to which they are compared pairwise; more are hashed.
const MAX_PAIRWISE: usize = 16;

/// Iterator of the ids for a sequence of names.
pub(crate) struct AssignedIds(std::vec::IntoIter<Option<String>>);

impl AssignedIds {
    /// Returns the id for the next name: `None` if the name is its own id.
    pub(crate) fn next_id(&mut self) -> Option<String> {
        self.0.next().flatten()
    }
}

/// Assigns ids to these names, in their order: none if the name is its own id, else a number with this letter. A name
/// that is empty, too long or a duplicate cannot be an id. No number equals a name or an id to avoid.
pub(crate) fn assign_ids<'n, 'a>(
    names: impl Iterator<Item = &'n str> + Clone,
    letter: char,
    first: usize,
    avoid: impl IntoIterator<Item = &'a str>,
) -> AssignedIds {
    let mut ids = Vec::new();
    if are_few_and_distinct(names.clone()) && names.clone().all(can_be_id) {
        return AssignedIds(ids.into_iter());
    }
    let mut taken: HashSet<&str> = HashSet::new();
    for name in names.clone() {
        taken.insert(name);
    }
    for name in avoid {
        taken.insert(name);
    }
    let mut used_names = HashSet::with_capacity(taken.len());
    let mut number = first;
    for (index, name) in names.enumerate() {
        if can_be_id(name) && used_names.insert(name) {
            ids.push(None);
            continue;
        }
        number = number.max(first + index);
        let mut free = format!("{letter}{number}");
        while taken.contains(free.as_str()) {
            number += 1;
            free = format!("{letter}{number}");
        }
        number += 1;
        ids.push(Some(free));
    }
    AssignedIds(ids.into_iter())
}

/// Replaces the ids of options that cannot be ids, as [`assign_ids`] does; the replaced id becomes the value that the
/// asker gets.
pub(crate) fn assign_option_ids<'a>(options: &mut [ChoiceOption], avoid: impl IntoIterator<Item = &'a str>) {
    let mut ids = assign_ids(options.iter().map(|option| option.id.as_str()), 'o', 1, avoid);
    for option in options {
        if let Some(id) = ids.next_id() {
            let value = std::mem::replace(&mut option.id, id.into());
            option.value = Some(value.to_string());
        }
    }
}

/// Returns the indexes of names that occurred before.
pub(crate) fn repeated_indexes<'n>(names: impl Iterator<Item = &'n str> + Clone) -> Vec<usize> {
    if are_few_and_distinct(names.clone()) {
        return Vec::new();
    }
    let mut earlier_names = SeenNames::default();
    let mut repeated = Vec::new();
    for (index, name) in names.enumerate() {
        if !earlier_names.insert(name) {
            repeated.push(index);
        }
    }
    repeated
}

/// Names seen so far.
pub(crate) struct SeenNames<N> {
    few: [Option<N>; MAX_PAIRWISE],
    others: HashSet<N>,
}

impl<N> Default for SeenNames<N> {
    fn default() -> Self {
        Self { few: [const { None }; MAX_PAIRWISE], others: HashSet::new() }
    }
}

impl<N: Eq + Hash> SeenNames<N> {
    /// Adds a name, and returns whether it is new.
    pub(crate) fn insert(&mut self, name: N) -> bool {
        for place in &mut self.few {
            match place {
                Some(earlier_name) if *earlier_name == name => return false,
                Some(_) => {}
                None => {
                    *place = Some(name);
                    return true;
                }
            }
        }
        self.others.insert(name)
    }
}

/// Returns the id for a name, with the name if it differs.
pub(crate) fn id_and_name<N: From<String> + ToString>(name: N, id: Option<String>) -> (N, Option<String>) {
    match id {
        None => (name, None),
        Some(id) => (id.into(), Some(name.to_string())),
    }
}

/// Returns whether the names are few and distinct.
fn are_few_and_distinct<'n>(names: impl Iterator<Item = &'n str>) -> bool {
    let mut earlier_names = [""; MAX_PAIRWISE];
    for (count, name) in names.enumerate() {
        if earlier_names.iter().take(count).any(|earlier_name| *earlier_name == name) {
            return false;
        }
        let Some(place) = earlier_names.get_mut(count) else { return false };
        *place = name;
    }
    true
}

fn can_be_id(name: &str) -> bool {
    !name.is_empty() && (name.len() <= limits::ID_CHARS || name.chars().count() <= limits::ID_CHARS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invalid_ids_get_free_numbers() {
        let all = |names: &[&str], letter, first, avoid: Option<&'static str>| -> Vec<_> {
            let avoid: Vec<String> = avoid.into_iter().map(str::to_owned).collect();
            let mut ids = assign_ids(names.iter().copied(), letter, first, avoid.iter().map(String::as_str));
            names.iter().map(|_| ids.next_id()).collect()
        };
        let long = "x".repeat(201);
        let given = all(&["a", "a", "", "o4", &long], 'o', 1, Some("o2"));
        let given: Vec<_> = given.iter().map(Option::as_deref).collect();
        assert_eq!(given, [None, Some("o3"), Some("o5"), None, Some("o6")]);
        assert_eq!(all(&["a", "b"], 'o', 1, Some("a")), [None, None]);
        let many: Vec<String> = (0..40).map(|number| format!("n{}", number / 2)).collect();
        let many: Vec<&str> = many.iter().map(String::as_str).collect();
        let second = all(&many, 'n', 0, None);
        assert_eq!(second[..3], [None, Some("n20".to_owned()), None]);
        assert_eq!(repeated_indexes(many.iter().copied())[..3], [1, 3, 5]);
        assert_eq!(repeated_indexes(["a", "b", "a", "a"].into_iter()), [2, 3]);
        assert_eq!(repeated_indexes(["a", "b"].into_iter()), [0; 0]);
    }
}
