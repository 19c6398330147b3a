//! What askers call questions, sections and options, and the ids that stand for that in the core.

use sayso_core::limits;
use std::collections::HashSet;

/// So few names are compared with each other; more are looked up.
const FEW: usize = 8;

/// The ids for these names, in their order: nothing where the name is its own, and a number of this letter where it
/// cannot be one, since it is empty, too long, or the second of two alike. No number is a name or one of those to avoid.
pub(crate) fn ids<'n>(
    names: &[&'n str],
    letter: char,
    first: usize,
    avoid: impl IntoIterator<Item = &'n str>,
) -> Vec<Option<String>> {
    let mut ids = vec![None; names.len()];
    if are_distinct(names) && names.iter().all(|name| fits(name)) {
        return ids;
    }
    let taken: HashSet<&str> = names.iter().copied().chain(avoid).collect();
    let mut seen = HashSet::with_capacity(names.len());
    let mut number = first;
    for (index, (name, id)) in names.iter().zip(&mut ids).enumerate() {
        if fits(name) && seen.insert(*name) {
            continue;
        }
        number = number.max(first + index);
        let mut free = format!("{letter}{number}");
        while taken.contains(free.as_str()) {
            number += 1;
            free = format!("{letter}{number}");
        }
        number += 1;
        *id = Some(free);
    }
    ids
}

/// The places of the names that stood before.
pub(crate) fn repeated<'n>(names: impl Iterator<Item = &'n str>) -> Vec<usize> {
    let names: Vec<&str> = names.collect();
    if are_distinct(&names) {
        return Vec::new();
    }
    let mut seen = HashSet::with_capacity(names.len());
    (0..).zip(names).filter(|(_, name)| !seen.insert(*name)).map(|(at, _)| at).collect()
}

/// The id that stands for a name, and the name where that is another.
pub(crate) fn named(name: &str, id: Option<String>) -> (String, Option<String>) {
    match id {
        None => (name.to_owned(), None),
        Some(id) => (id, Some(name.to_owned())),
    }
}

/// Whether few names are plainly distinct.
fn are_distinct(names: &[&str]) -> bool {
    let is_new = |(at, name): (usize, &&str)| !names.iter().take(at).any(|other| other == name);
    names.len() <= FEW && names.iter().enumerate().all(is_new)
}

fn fits(name: &str) -> bool {
    !name.is_empty() && (name.len() <= limits::ID_CHARS || name.chars().count() <= limits::ID_CHARS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_cannot_be_ids_get_free_numbers() {
        let long = "x".repeat(201);
        let given = ids(&["a", "a", "", "o4", &long], 'o', 1, ["o2"]);
        let given: Vec<_> = given.iter().map(Option::as_deref).collect();
        assert_eq!(given, [None, Some("o3"), Some("o5"), None, Some("o6")]);
        assert_eq!(ids(&["a", "b"], 'o', 1, ["a"]), [None, None]);
        let many: Vec<String> = (0..20).map(|number| format!("n{}", number / 2)).collect();
        let many: Vec<&str> = many.iter().map(String::as_str).collect();
        let second = ids(&many, 'n', 0, []);
        assert_eq!(second[..3], [None, Some("n10".to_owned()), None]);
        assert_eq!(repeated(many.iter().copied())[..3], [1, 3, 5]);
        assert_eq!(repeated(["a", "b", "a", "a"].into_iter()), [2, 3]);
        assert_eq!(repeated(["a", "b"].into_iter()), [0; 0]);
    }
}
