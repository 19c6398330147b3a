//! What askers call questions, sections and options, and the ids that stand for that in the core.

use sayso_core::{Opt, limits};
use std::collections::HashSet;
use std::hash::Hash;

/// So few names are compared with each other; more are looked up.
const FEW: usize = 16;

/// The ids for some names, one after another.
pub(crate) struct Ids(std::vec::IntoIter<Option<String>>);

impl Ids {
    /// The id for the next name: nothing where the name is its own.
    pub(crate) fn of_next(&mut self) -> Option<String> {
        self.0.next().flatten()
    }
}

/// The ids for these names, in their order: nothing where the name is its own, and a number of this letter where it
/// cannot be one, since it is empty, too long, or the second of two alike. No number is a name or one of those to avoid.
pub(crate) fn ids<'n, 'a>(
    names: impl Iterator<Item = &'n str> + Clone,
    letter: char,
    first: usize,
    avoid: impl IntoIterator<Item = &'a str>,
) -> Ids {
    let mut ids = Vec::new();
    if are_distinct(names.clone()) && names.clone().all(fits) {
        return Ids(ids.into_iter());
    }
    let mut taken: HashSet<&str> = HashSet::new();
    names.clone().for_each(|name| _ = taken.insert(name));
    avoid.into_iter().for_each(|name| _ = taken.insert(name));
    let mut seen = HashSet::with_capacity(taken.len());
    let mut number = first;
    for (index, name) in names.enumerate() {
        if fits(name) && seen.insert(name) {
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
    Ids(ids.into_iter())
}

/// Gives options whose ids are what the asker gets for them other ids where these cannot be any, as [`ids`] does.
pub(crate) fn of_options<'a>(options: &mut [Opt], avoid: impl IntoIterator<Item = &'a str>) {
    let mut ids = ids(options.iter().map(|option| option.id.as_str()), 'o', 1, avoid);
    for option in options {
        if let Some(id) = ids.of_next() {
            let value = std::mem::replace(&mut option.id, id.into());
            option.value = Some(value.to_string());
        }
    }
}

/// The places of the names that stood before.
pub(crate) fn repeated<'n>(names: impl Iterator<Item = &'n str> + Clone) -> Vec<usize> {
    if are_distinct(names.clone()) {
        return Vec::new();
    }
    let mut seen = Seen::default();
    (0..).zip(names).filter(|(_, name)| !seen.is_new(*name)).map(|(at, _)| at).collect()
}

/// Names seen so far.
pub(crate) struct Seen<N> {
    few: [Option<N>; FEW],
    others: HashSet<N>,
}

impl<N> Default for Seen<N> {
    fn default() -> Self {
        Self { few: [const { None }; FEW], others: HashSet::new() }
    }
}

impl<N: Eq + Hash> Seen<N> {
    /// Notes a name, and says whether it is the first of its kind.
    pub(crate) fn is_new(&mut self, name: N) -> bool {
        for known in &mut self.few {
            match known {
                Some(known) if *known == name => return false,
                Some(_) => {}
                None => {
                    *known = Some(name);
                    return true;
                }
            }
        }
        self.others.insert(name)
    }
}

/// The id that stands for a name, and the name where that is another.
pub(crate) fn named<N: From<String> + ToString>(name: N, id: Option<String>) -> (N, Option<String>) {
    match id {
        None => (name, None),
        Some(id) => (id.into(), Some(name.to_string())),
    }
}

/// Whether few names are plainly distinct.
fn are_distinct<'n>(names: impl Iterator<Item = &'n str>) -> bool {
    let mut seen = [""; FEW];
    for (count, name) in names.enumerate() {
        if seen.iter().take(count).any(|other| *other == name) {
            return false;
        }
        let Some(free) = seen.get_mut(count) else { return false };
        *free = name;
    }
    true
}

fn fits(name: &str) -> bool {
    !name.is_empty() && (name.len() <= limits::ID_CHARS || name.chars().count() <= limits::ID_CHARS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_cannot_be_ids_get_free_numbers() {
        let all = |names: &[&str], letter, first, avoid: Option<&'static str>| -> Vec<_> {
            let avoid: Vec<String> = avoid.into_iter().map(str::to_owned).collect();
            let mut ids = ids(names.iter().copied(), letter, first, avoid.iter().map(String::as_str));
            names.iter().map(|_| ids.of_next()).collect()
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
        assert_eq!(repeated(many.iter().copied())[..3], [1, 3, 5]);
        assert_eq!(repeated(["a", "b", "a", "a"].into_iter()), [2, 3]);
        assert_eq!(repeated(["a", "b"].into_iter()), [0; 0]);
    }
}
