//! Change of a text as a unified diff, by the algorithm of Myers, "An O(ND) Difference Algorithm and Its Variations"
//! (1986).

use std::fmt::Write as _;
use std::ops::Range;

/// Lines shown around a change.
const CONTEXT_LINES: usize = 3;
/// Greatest number of deleted and inserted lines that the search looks for: its memory grows with the square. What
/// differs more is shown as deleted and inserted as a whole.
const MAX_EDITS: usize = 1_000;

/// Lines of the old text, and those that replace them.
#[derive(Debug, Clone, PartialEq, Eq)]
struct LineChange {
    old: Range<usize>,
    new: Range<usize>,
}

/// Returns the change from one text to another, under their names; it is empty if they are the same.
pub fn unified_diff(names: [&str; 2], texts: [&str; 2]) -> String {
    let hunks = hunks(texts);
    if hunks.is_empty() {
        return hunks;
    }
    let [old, new] = names;
    format!("--- {old}\n+++ {new}\n{hunks}")
}

/// Returns the change from one text to another without names.
pub fn hunks(texts: [&str; 2]) -> String {
    let [old, new] = texts.map(lines);
    let changes = changes(&old, &new);
    let mut diff = String::new();
    for hunk in changes.chunk_by(|one, next| next.old.start - one.old.end <= 2 * CONTEXT_LINES) {
        write_hunk(&mut diff, hunk, &old, &new);
    }
    diff
}

/// Returns how many lines are added and removed between two texts.
pub fn line_counts(old: &str, new: &str) -> (usize, usize) {
    let mut added = 0;
    let mut removed = 0;
    for change in changes(&lines(old), &lines(new)) {
        added += change.new.len();
        removed += change.old.len();
    }
    (added, removed)
}

fn lines(text: &str) -> Vec<&str> {
    text.split_inclusive('\n').collect()
}

fn write_hunk(diff: &mut String, hunk: &[LineChange], old: &[&str], new: &[&str]) {
    let (Some(first), Some(last)) = (hunk.first(), hunk.last()) else { return };
    let lines_before = first.old.start.min(CONTEXT_LINES);
    let lines_after = (old.len() - last.old.end).min(CONTEXT_LINES);
    let end = last.old.end + lines_after;
    let old_range = first.old.start - lines_before..end;
    let new_range = first.new.start - lines_before..last.new.end + lines_after;
    // Writing to a String cannot fail.
    let _ = writeln!(diff, "@@ -{} +{} @@", range_text(&old_range), range_text(&new_range));
    let mut at = old_range.start;
    for change in hunk {
        write_lines(diff, ' ', old.get(at..change.old.start));
        write_lines(diff, '-', old.get(change.old.clone()));
        write_lines(diff, '+', new.get(change.new.clone()));
        at = change.old.end;
    }
    write_lines(diff, ' ', old.get(at..end));
}

/// Returns the number of the first line and the number of lines. An empty range has the number of the line before.
fn range_text(range: &Range<usize>) -> String {
    match range.len() {
        0 => format!("{},0", range.start),
        1 => (range.start + 1).to_string(),
        lines => format!("{},{lines}", range.start + 1),
    }
}

fn write_lines(diff: &mut String, sign: char, lines: Option<&[&str]>) {
    for line in lines.unwrap_or_default() {
        diff.push(sign);
        diff.push_str(line);
        if !line.ends_with('\n') {
            diff.push_str("\n\\ No newline at end of file\n");
        }
    }
}

/// Returns all changes, in order.
fn changes(old: &[&str], new: &[&str]) -> Vec<LineChange> {
    let prefix = old.iter().zip(new).take_while(|(one, other)| one == other).count();
    let old = old.get(prefix..).unwrap_or_default();
    let new = new.get(prefix..).unwrap_or_default();
    let suffix = old.iter().rev().zip(new.iter().rev()).take_while(|(one, other)| one == other).count();
    let old = old.get(..old.len() - suffix).unwrap_or_default();
    let new = new.get(..new.len() - suffix).unwrap_or_default();
    let mut common = common_lines(old, new);
    common.push((old.len(), new.len()));
    let mut changes = Vec::new();
    let mut old_at = 0;
    let mut new_at = 0;
    for (old_line, new_line) in common {
        if old_line > old_at || new_line > new_at {
            changes.push(LineChange {
                old: prefix + old_at..prefix + old_line,
                new: prefix + new_at..prefix + new_line,
            });
        }
        (old_at, new_at) = (old_line + 1, new_line + 1);
    }
    changes
}

/// Furthest line of the old text that paths with a number of edits reach, by diagonal: each second one counts, from the
/// path that only inserts to the one that only deletes.
type Frontier = Vec<usize>;

/// Returns the lines of a longest common subsequence, in both texts; none if they differ in too many lines.
fn common_lines(old: &[&str], new: &[&str]) -> Vec<(usize, usize)> {
    let mut frontiers: Vec<Frontier> = Vec::new();
    for edits in 0..=MAX_EDITS {
        let mut frontier = Frontier::with_capacity(edits + 1);
        for diagonal in 0..=edits {
            let (mut old_line, _) = furthest_edit(frontiers.last(), diagonal);
            let mut new_line = old_line + edits - 2 * diagonal;
            while old.get(old_line).is_some_and(|line| Some(line) == new.get(new_line)) {
                (old_line, new_line) = (old_line + 1, new_line + 1);
            }
            frontier.push(old_line);
            if old_line >= old.len() && new_line >= new.len() {
                return trace_back(&frontiers, old.len(), new.len());
            }
        }
        frontiers.push(frontier);
    }
    Vec::new()
}

/// Returns the line of the old text after the edit that leads furthest on a diagonal, and whether it is an insertion.
fn furthest_edit(frontier: Option<&Frontier>, diagonal: usize) -> (usize, bool) {
    let Some(frontier) = frontier else { return (0, true) };
    let insertion = frontier.get(diagonal).copied();
    let deletion = match diagonal.checked_sub(1) {
        Some(neighbor) => frontier.get(neighbor).map(|line| line + 1),
        None => None,
    };
    (insertion.max(deletion).unwrap_or_default(), insertion >= deletion)
}

/// Follows the path to the end of both texts from there; the last edit starts at the last frontier.
fn trace_back(frontiers: &[Frontier], mut old_line: usize, mut new_line: usize) -> Vec<(usize, usize)> {
    let mut common = Vec::new();
    let mut diagonal = (frontiers.len() + old_line - new_line) / 2;
    for edits in (0..=frontiers.len()).rev() {
        let frontier = edits.checked_sub(1).and_then(|earlier| frontiers.get(earlier));
        let (start, is_insertion) = furthest_edit(frontier, diagonal);
        while old_line > start {
            (old_line, new_line) = (old_line - 1, new_line - 1);
            common.push((old_line, new_line));
        }
        if is_insertion {
            new_line = new_line.saturating_sub(1);
        } else {
            (old_line, diagonal) = (old_line - 1, diagonal - 1);
        }
    }
    common.reverse();
    common
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn diffs_are_those_of_diff_u() {
        let long: String = (1..=20).map(|line| format!("{line}\n")).collect();
        for (old, new, wanted) in [
            ("", "", ""),
            ("a\n", "a\n", ""),
            ("", "a\nb\n", "@@ -0,0 +1,2 @@\n+a\n+b\n"),
            ("a\n", "", "@@ -1 +0,0 @@\n-a\n"),
            ("a\nb\n", "a\nc\n", "@@ -1,2 +1,2 @@\n a\n-b\n+c\n"),
            ("a", "a\n", "@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+a\n"),
            ("a\nb", "x\nb", "@@ -1,2 +1,2 @@\n-a\n+x\n b\n\\ No newline at end of file\n"),
            (
                &long,
                &long.replace("9\n10\n", "9\nnew\n10\n"),
                "@@ -7,6 +7,7 @@\n 7\n 8\n 9\n+new\n 10\n 11\n 12\n",
            ),
            (
                &long,
                &long.replace("4\n5\n", "4\n").replace("\n12\n", "\n12!\n"),
                "@@ -2,14 +2,13 @@\n 2\n 3\n 4\n-5\n 6\n 7\n 8\n 9\n 10\n 11\n-12\n+12!\n 13\n 14\n 15\n",
            ),
            (
                &long,
                &long.replace("3\n4\n", "3\n").replace("\n12\n", "\n12!\n"),
                "@@ -1,7 +1,6 @@\n 1\n 2\n 3\n-4\n 5\n 6\n 7\n@@ -9,7 +8,7 @@\n 9\n 10\n 11\n-12\n+12!\n 13\n 14\n 15\n",
            ),
        ] {
            assert_eq!(hunks([old, new]), wanted, "{old:?} to {new:?}");
        }
    }

    #[test]
    fn names_head_a_change() {
        assert_eq!(unified_diff(["a", "b"], ["x\n", "x\n"]), "");
        assert_eq!(unified_diff(["a", "b"], ["", "x\n"]), "--- a\n+++ b\n@@ -0,0 +1 @@\n+x\n");
    }

    #[test]
    fn very_different_texts_are_replaced_whole() {
        let [old, new] = ["old", "new"].map(|word| -> String {
            (0..=MAX_EDITS / 2).map(|line| format!("{word} {line}\nsame\n")).collect()
        });
        let diff = hunks([&old, &new]);
        assert!(diff.starts_with("@@ -1,1002 +1,1002 @@\n-old 0\n-same\n"), "{}", &diff[..60]);
        assert!(diff.ends_with("+new 500\n same\n"));
    }

    proptest! {
        /// Changes lead from the old text to the new one, and no fewer lines do.
        #[test]
        fn changes_are_complete_and_minimal(old in "[ab\n]{0,14}", new in "[ab\n]{0,14}") {
            let counts = line_counts(&old, &new);
            let [old, new] = [&old, &new].map(|text| lines(text));
            let (mut made, mut at, mut edits) = (Vec::<&str>::new(), 0, 0);
            for change in changes(&old, &new) {
                made.extend(&old[at..change.old.start]);
                made.extend(&new[change.new.clone()]);
                at = change.old.end;
                edits += change.old.len() + change.new.len();
            }
            made.extend(&old[at..]);
            prop_assert_eq!(&made, &new);
            prop_assert_eq!(counts.0 + counts.1, edits);
            prop_assert_eq!(edits, old.len() + new.len() - 2 * longest_common(&old, &new));
        }
    }

    fn longest_common(old: &[&str], new: &[&str]) -> usize {
        match (old.split_first(), new.split_first()) {
            (Some((one, old)), Some((other, new))) if one == other => 1 + longest_common(old, new),
            (Some((_, old_rest)), Some((_, new_rest))) => {
                longest_common(old_rest, new).max(longest_common(old, new_rest))
            }
            _ => 0,
        }
    }
}
