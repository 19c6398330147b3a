//! Rule: every module says what it is for, in a `//!` at its very top. In a file that another one
//! includes, where the compiler takes no `//!`, a plain comment says it.

use super::Finding;
use super::tree::{Source, Tree};

const RULE: &str = "module doc";

/// Files under `src` that do not begin so. Modules of tests need none.
pub(crate) fn find(tree: &Tree) -> Vec<Finding> {
    let members = &tree.workspace.members;
    let in_src = |source: &&Source| {
        members.iter().filter_map(|member| member.inside(&source.path)).any(|path| path.starts_with("src/"))
    };
    let mut found = Vec::new();
    for source in tree.sources.iter().filter(in_src).filter(|source| !source.test) {
        let mark = if source.included { "//" } else { "//!" };
        if !source.text.starts_with(mark) {
            let advice = format!("begin the file with `{mark}` and what it is for");
            found.push(Finding::new(&source.path, 1, RULE, advice));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::find;
    use crate::tidy::tree::Tree;

    fn found(files: &[(&str, &str)]) -> Vec<String> {
        let manifests = [
            ("Cargo.toml", "[workspace]\nmembers = [\"a\"]\n"),
            ("a/Cargo.toml", "[package]\nname = \"a\"\n"),
        ];
        let tree = Tree::of(&[manifests.as_slice(), files].concat());
        find(&tree).into_iter().map(|finding| finding.path).collect()
    }

    #[test]
    fn a_file_without_a_module_doc_is_found() {
        let files = [
            ("a/src/lib.rs", "/// Not a module doc.\nmod b;"),
            ("a/src/b.rs", "use x;\n//! Too late."),
            ("a/src/c.rs", ""),
        ];
        assert_eq!(found(&files), ["a/src/b.rs", "a/src/c.rs", "a/src/lib.rs"]);
    }

    #[test]
    fn an_included_file_needs_a_plain_comment() {
        let top = ("a/src/lib.rs", "//! Top.\ninclude!(\"b.rs\");");
        assert_eq!(found(&[top, ("a/src/b.rs", "// The table.\n")]), [""; 0]);
        assert_eq!(found(&[top, ("a/src/b.rs", "table! {}\n")]), ["a/src/b.rs"]);
    }

    #[test]
    fn documented_files_and_tests_are_fine() {
        let files = [
            ("a/src/main.rs", "//! A program.\n#[cfg(test)]\nmod tests;"),
            ("a/src/tests.rs", "use super::x;"),
            ("a/tests/it/main.rs", "mod x;"),
        ];
        assert_eq!(found(&files), [""; 0]);
    }
}
