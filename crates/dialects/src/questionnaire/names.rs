//! What the asker calls questions and options, and the ids that stand for that in the core.

use sayso_core::limits;
use std::collections::HashSet;

/// The ids for these names, in their order, each with the name where that is another. A name that fits as an id is its
/// own; an empty one, a long one and the second of two alike get a number that is no name and none of those to avoid.
pub(super) fn ids<'n>(
    names: &[&'n str],
    letter: char,
    first: usize,
    avoid: impl IntoIterator<Item = &'n str>,
) -> Vec<(String, Option<String>)> {
    let taken: HashSet<&str> = names.iter().copied().chain(avoid).collect();
    let mut seen = HashSet::with_capacity(names.len());
    let mut number = first;
    let mut ids = Vec::with_capacity(names.len());
    for (index, name) in names.iter().enumerate() {
        if fits(name) && seen.insert(*name) {
            ids.push(((*name).to_owned(), None));
            continue;
        }
        number = number.max(first + index);
        let mut id = format!("{letter}{number}");
        while taken.contains(id.as_str()) {
            number += 1;
            id = format!("{letter}{number}");
        }
        number += 1;
        ids.push((id, Some((*name).to_owned())));
    }
    ids
}

/// The ids of questions with these names.
pub(super) fn of_questions(names: &[&str]) -> Vec<(String, Option<String>)> {
    ids(names, 'q', 0, [])
}

/// The ids of options with these values, none of them a value that a `showIf` compares with.
pub(super) fn of_options<'n>(values: &[&'n str], compared: &[&'n str]) -> Vec<(String, Option<String>)> {
    ids(values, 'o', 1, compared.iter().copied())
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
        let given: Vec<_> = given.iter().map(|(id, name)| (id.as_str(), name.as_deref())).collect();
        let expected =
            [("a", None), ("o3", Some("a")), ("o5", Some("")), ("o4", None), ("o6", Some(long.as_str()))];
        assert_eq!(given, expected);
    }
}
