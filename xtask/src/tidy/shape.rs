//! Rules about the shape of files: size, header, name, and that a module tree contains each of them.

use super::Finding;
use super::source::Source;
use super::workspace::Workspace;

const BANNED: &[&str] = &["utils", "helpers", "common", "manager", "misc"];
const FILE_LINES_GOOD: usize = 400;
const FILE_LINES_MAX: usize = 800;
const FUNCTION_LINES_MAX: usize = 70;

/// Files and functions that are too long, have no header or a banned name, or belong to no module tree.
pub(crate) fn find(workspace: &Workspace) -> Vec<Finding> {
    let orphans = workspace.orphans.iter().map(|path| {
        Finding::new(path, 1, "forgotten file", "declare it with `mod` in its parent, or delete it")
    });
    orphans.chain(workspace.sources.iter().flat_map(find_in)).collect()
}

fn find_in(source: &Source) -> Vec<Finding> {
    let path = &source.path;
    let mut found = Vec::new();
    let lines = source.text.lines().count();
    if lines > FILE_LINES_MAX {
        let advice = format!("{lines} lines; split it, the limit is {FILE_LINES_MAX}");
        found.push(Finding::new(path, lines, "file size", advice));
    } else if lines > FILE_LINES_GOOD {
        let advice = format!("{lines} lines; think of splitting it, {FILE_LINES_GOOD} is the aim");
        found.push(Finding::warning(path, lines, "file size", advice));
    }
    for function in source.functions.iter().filter(|function| !source.is_test(function.line)) {
        let lines = function.body_lines;
        if lines > FUNCTION_LINES_MAX {
            let advice = format!("`{}` has {lines} lines; the limit is {FUNCTION_LINES_MAX}", function.name);
            found.push(Finding::new(path, function.line, "function size", advice));
        }
    }
    // The compiler takes no `//!` in a file that another one includes.
    if path.contains("/src/") && !source.test && !source.text.starts_with("//") {
        found.push(Finding::new(path, 1, "module doc", "begin the file with `//!` and what it is for"));
    }
    let parts = path.split('/').map(|part| (part.trim_end_matches(".rs"), 1));
    for (name, line) in parts.chain(source.inline.iter().map(|(name, line)| (name.as_str(), *line))) {
        if BANNED.contains(&name) {
            let advice = format!("`{name}` says nothing; name it for the noun or verb that it holds");
            found.push(Finding::new(path, line, "name", advice));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::find_in;
    use crate::tidy::source::Source;

    fn rules(path: &str, text: &str) -> Vec<&'static str> {
        let source = Source::parse(path, text.to_owned(), path.contains("/tests/")).unwrap();
        find_in(&source).into_iter().map(|finding| finding.rule).collect()
    }

    fn function(lines: usize) -> String {
        format!("//! Doc.\nfn long() {{\n{}}}\n", "    x();\n".repeat(lines))
    }

    #[test]
    fn long_files_are_found() {
        let lines = |count: usize| "//! x\n".repeat(count);
        assert_eq!(rules("a/src/lib.rs", &lines(400)), [""; 0]);
        assert_eq!(rules("a/src/lib.rs", &lines(401)), ["file size"]);
    }

    #[test]
    fn long_functions_are_found() {
        assert_eq!(rules("a/src/lib.rs", &function(70)), [""; 0]);
        assert_eq!(rules("a/src/lib.rs", &function(71)), ["function size"]);
        assert_eq!(rules("a/tests/it/main.rs", &function(71)), [""; 0]);
    }

    #[test]
    fn missing_headers_are_found() {
        assert_eq!(rules("a/src/lib.rs", "mod x;"), ["module doc"]);
        assert_eq!(rules("a/tests/it/main.rs", "mod x;"), [""; 0]);
    }

    #[test]
    fn banned_names_are_found() {
        assert_eq!(rules("a/src/utils.rs", "//! x"), ["name"]);
        assert_eq!(rules("a/src/ask.rs", "//! x\nmod helpers {}"), ["name"]);
        assert_eq!(rules("a/src/commonmark.rs", "//! x"), [""; 0]);
    }
}
