//! Rule: files and functions stay small enough to be read in one go.

use super::Finding;
use super::functions::functions;
use super::tree::{Source, Tree};

const FILE: &str = "file size";
const FUNCTION: &str = "function size";
const FILE_LINES_GOOD: usize = 400;
const FILE_LINES_MAX: usize = 800;
const FUNCTION_LINES_MAX: usize = 70;

/// Files that are too long, and functions outside of tests that are.
pub(crate) fn find(tree: &Tree) -> Vec<Finding> {
    let files = tree.sources.iter().filter_map(file);
    files.chain(tree.sources.iter().flat_map(long_functions)).collect()
}

fn file(source: &Source) -> Option<Finding> {
    let lines = source.text.lines().count();
    if lines > FILE_LINES_MAX {
        let advice = format!("{lines} lines; split it, the limit is {FILE_LINES_MAX}");
        Some(Finding::new(&source.path, lines, FILE, advice))
    } else if lines > FILE_LINES_GOOD {
        let advice = format!("{lines} lines; think of splitting it, {FILE_LINES_GOOD} is the aim");
        Some(Finding::warning(&source.path, lines, FILE, advice))
    } else {
        None
    }
}

fn long_functions(source: &Source) -> Vec<Finding> {
    let long = functions(&source.tokens)
        .into_iter()
        .filter(|function| function.body_lines > FUNCTION_LINES_MAX && !source.is_test(function.line));
    long.map(|function| {
        let advice = format!(
            "the body of `{}` has {} lines; split it, the limit is {FUNCTION_LINES_MAX}",
            function.name, function.body_lines
        );
        Finding::new(&source.path, function.line, FUNCTION, advice)
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use super::find;
    use crate::tidy::tree::Tree;

    const MANIFESTS: [(&str, &str); 2] =
        [("Cargo.toml", "[workspace]\nmembers = [\"a\"]\n"), ("a/Cargo.toml", "[package]\nname = \"a\"\n")];

    fn found(path: &str, text: &str) -> Vec<String> {
        let tree = Tree::of(&[MANIFESTS.as_slice(), &[(path, text)]].concat());
        find(&tree).iter().map(ToString::to_string).collect()
    }

    fn function(lines: usize) -> String {
        format!("fn long() {{\n{}}}\n", "    x();\n".repeat(lines))
    }

    #[test]
    fn files_warn_over_400_lines_and_fail_over_800() {
        let lines = |count: usize| "x\n".repeat(count);
        assert_eq!(found("a/src/lib.rs", &lines(400)), [""; 0]);
        let warned = "a/src/lib.rs:401: warning: file size: 401 lines; think of splitting it, 400 is the aim";
        assert_eq!(found("a/src/lib.rs", &lines(401)), [warned]);
        assert!(found("a/src/lib.rs", &lines(800))[0].contains("warning"));
        let failed = "a/src/lib.rs:801: file size: 801 lines; split it, the limit is 800";
        assert_eq!(found("a/src/lib.rs", &lines(801)), [failed]);
        assert_eq!(found("a/tests/it/main.rs", &lines(801)).len(), 1);
    }

    #[test]
    fn functions_fail_over_70_lines() {
        assert_eq!(found("a/src/lib.rs", &function(70)), [""; 0]);
        let failed =
            "a/src/lib.rs:1: function size: the body of `long` has 71 lines; split it, the limit is 70";
        assert_eq!(found("a/src/lib.rs", &function(71)), [failed]);
    }

    #[test]
    fn functions_of_tests_may_be_long() {
        assert_eq!(found("a/tests/it/main.rs", &function(71)), [""; 0]);
        let module = format!("#[cfg(test)]\nmod tests {{\n{}}}\n", function(71));
        assert_eq!(found("a/src/lib.rs", &module), [""; 0]);
        assert_eq!(found("a/src/lib.rs", &format!("{module}{}", function(71))).len(), 1);
    }
}
