//! Colours of diffs. All other code is plain.

use super::theme::StyleRole;

/// Number of lines in which the start of a diff is looked for.
const START_LINES: usize = 40;

/// Returns whether the info string of a code block names a diff.
pub(super) fn is_diff_name(info: &str) -> bool {
    let name = info.split([' ', ',', '{', ':']).next().unwrap_or_default();
    ["diff", "patch", "udiff"].contains(&name.to_ascii_lowercase().as_str())
}

/// Returns whether a diff begins in the first [`START_LINES`] lines of a text.
pub(crate) fn is_diff(text: &str) -> bool {
    let mut last = "";
    for line in text.lines().take(START_LINES) {
        let is_start = line.starts_with("diff --git ")
            || line.starts_with("@@ -")
            || line.starts_with("+++ ") && last.starts_with("--- ");
        if is_start {
            return true;
        }
        last = line;
    }
    false
}

/// Returns the role of a line of a diff.
pub(super) fn line_role(line: &str) -> StyleRole {
    match line.as_bytes().first() {
        Some(b'+') if !line.starts_with("+++ ") => StyleRole::Added,
        Some(b'-') if !line.starts_with("--- ") => StyleRole::Removed,
        Some(b'@') => StyleRole::Hunk,
        _ if ["diff ", "index ", "+++ ", "--- "].iter().any(|start| line.starts_with(start)) => {
            StyleRole::DiffHeader
        }
        _ => StyleRole::Agent,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_diff_have_roles() {
        use StyleRole::{Added, Agent, DiffHeader, Hunk, Removed};
        for (line, role) in [
            ("diff --git a/x b/x", DiffHeader),
            ("index 1..2", DiffHeader),
            ("--- a", DiffHeader),
            ("+++ b", DiffHeader),
            ("@@ -1 +1 @@", Hunk),
            ("-x", Removed),
            ("+y", Added),
            (" z", Agent),
            ("", Agent),
        ] {
            assert_eq!(line_role(line), role, "{line}");
        }
    }

    #[test]
    fn diff_is_recognized() {
        for (text, expected) in [
            ("a\n--- a\n+++ b\n", true),
            ("@@ -1 +1 @@\n-x", true),
            ("- a\n+ b\n", false),
            ("let x = 1;", false),
        ] {
            assert_eq!(is_diff(text), expected, "{text}");
        }
        for (info, expected) in [("Diff", true), ("patch title", true), ("rust", false), ("", false)] {
            assert_eq!(is_diff_name(info), expected, "{info}");
        }
    }
}
