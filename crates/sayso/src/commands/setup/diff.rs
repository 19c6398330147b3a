//! Change of a file as a unified diff.

use similar::{ChangeTag, TextDiff};
use std::path::Path;

/// Lines shown around a change.
const CONTEXT_LINES: usize = 3;

/// Returns the diff between the texts of a file. A missing one is `/dev/null`.
pub(super) fn unified(path: &Path, before: Option<&str>, after: Option<&str>) -> String {
    let name = |text: Option<&str>| match text {
        Some(_) => path.display().to_string(),
        None => "/dev/null".to_owned(),
    };
    let diff = TextDiff::from_lines(before.unwrap_or_default(), after.unwrap_or_default());
    let mut diff = diff.unified_diff();
    diff.context_radius(CONTEXT_LINES).header(&name(before), &name(after)).to_string()
}

/// Returns how many lines are added and removed.
pub(super) fn line_counts(before: &str, after: &str) -> (usize, usize) {
    let diff = TextDiff::from_lines(before, after);
    let count = |tag| diff.iter_all_changes().filter(|change| change.tag() == tag).count();
    (count(ChangeTag::Insert), count(ChangeTag::Delete))
}
