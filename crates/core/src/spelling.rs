//! What was most likely meant by a word that is none of those known.

/// How many letters may be wrong in a word of this many.
fn allowed(letters: usize) -> usize {
    letters.div_ceil(4).min(3)
}

/// The known word that differs from this one in the fewest letters, if those are few. Long words and many are not
/// compared: this is for typing mistakes.
pub fn nearest<'w>(word: &str, known: impl Iterator<Item = &'w str>) -> Option<&'w str> {
    const LONGEST: usize = 24;
    const MOST: usize = 200;
    let letters: Vec<char> = word.chars().take(LONGEST + 1).collect();
    if letters.len() > LONGEST {
        return None;
    }
    let close = known.take(MOST).filter_map(|other| {
        let others: Vec<char> = other.chars().take(LONGEST + 1).collect();
        let limit = allowed(letters.len().max(others.len()));
        let differs = letters.len().abs_diff(others.len()) > limit || others.len() > LONGEST;
        let count = if differs { return None } else { distance(&letters, &others) };
        (count <= limit).then_some((count, other))
    });
    close.min_by_key(|(count, _)| *count).map(|(_, other)| other)
}

/// How many letters must be put in, taken out, changed or swapped with the next to make one word of the other; case
/// does not count.
fn distance(from: &[char], to: &[char]) -> usize {
    let same = |a: Option<&char>, b: Option<&char>| match (a, b) {
        (Some(a), Some(b)) => a.to_lowercase().eq(b.to_lowercase()),
        _ => false,
    };
    let at = |row: &[usize], index: usize| row.get(index).copied().unwrap_or(usize::MAX / 2);
    let mut rows = [Vec::new(), (0..=to.len()).collect::<Vec<usize>>()];
    for (index, letter) in from.iter().enumerate() {
        let mut row = vec![index + 1];
        for (place, other) in to.iter().enumerate() {
            let [before, last] = &rows;
            let changed = at(last, place) + usize::from(!same(Some(letter), Some(other)));
            let mut cost = changed.min(at(last, place + 1) + 1).min(at(&row, place) + 1);
            let previous = |letters: &'_ [char], index: usize| {
                index.checked_sub(1).and_then(|at| letters.get(at)).copied()
            };
            let (was, was_other) = (previous(from, index), previous(to, place));
            if same(was.as_ref(), Some(other)) && same(Some(letter), was_other.as_ref()) {
                cost = cost.min(at(before, place.saturating_sub(1)) + 1);
            }
            row.push(cost);
        }
        let [before, last] = &mut rows;
        *before = std::mem::replace(last, row);
    }
    let [_, last] = rows;
    last.last().copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_with_few_wrong_letters_is_found_and_another_is_not() {
        let known = || ["options", "required", "prompt", "multi", "kind"].into_iter();
        assert_eq!(nearest("option", known()), Some("options"));
        assert_eq!(nearest("Promt", known()), Some("prompt"));
        assert_eq!(nearest("reqired", known()), Some("required"));
        assert_eq!(nearest("kidn", known()), Some("kind"));
        assert_eq!(nearest("colour", known()), None);
        assert_eq!(nearest("", known()), None);
        assert_eq!(nearest(&"x".repeat(100_000), known()), None);
    }
}
