//! Rule: a module is named for what it holds. Names that fit anything end up holding everything.

use super::Finding;
use super::tree::Tree;

const RULE: &str = "name";
const BANNED: &[&str] = &["utils", "helpers", "common", "manager", "misc"];

/// Files, folders and inline modules with a banned name.
pub(crate) fn find(tree: &Tree) -> Vec<Finding> {
    let mut found = Vec::new();
    for source in &tree.sources {
        let parts = source.path.split('/').map(|part| (1, part.trim_end_matches(".rs")));
        let inline = source.outline.inline.iter().map(|module| (*module.lines.start(), module.name.as_str()));
        for (line, name) in parts.chain(inline) {
            if BANNED.contains(&name) {
                let advice = format!("`{name}` says nothing; name it for the noun or verb that it holds");
                found.push(Finding::new(&source.path, line, RULE, advice));
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::find;
    use crate::tidy::tree::Tree;

    fn found(path: &str, text: &str) -> Vec<usize> {
        find(&Tree::of(&[(path, text)])).into_iter().map(|finding| finding.line).collect()
    }

    #[test]
    fn banned_files_folders_and_modules_are_found() {
        for path in
            ["a/src/utils.rs", "a/src/helpers.rs", "a/tests/common/mod.rs", "a/src/manager/x.rs", "misc.rs"]
        {
            assert_eq!(found(path, ""), [1], "{path}");
        }
        assert_eq!(found("a.rs", "fn f() {}\nmod helpers {}"), [2]);
    }

    #[test]
    fn other_names_are_fine() {
        for path in ["a/src/commonmark.rs", "a/src/utilities.rs", "a/src/ask.rs"] {
            assert_eq!(found(path, "// utils\nmod tests { use helpers::x; }"), [0; 0], "{path}");
        }
    }
}
