//! Rule: every source file is part of its crate. A file that no `mod` names is not compiled, and a
//! test in it never runs.

use std::collections::BTreeMap;

use super::Finding;
use super::manifest::Member;
use super::tree::{Source, Tree};

const RULE: &str = "forgotten file";

/// Files under `src` and `tests` that no module tree contains.
pub(crate) fn find(tree: &Tree) -> Vec<Finding> {
    let forgotten = |source: &&Source| {
        let below = tree.workspace.members.iter().find_map(|member| member.inside(&source.path));
        let in_tree = below.is_some_and(|path| path.starts_with("src/") || path.starts_with("tests/"));
        in_tree && !source.reached
    };
    let found = tree.sources.iter().filter(forgotten);
    found
        .map(|source| {
            let name = source.path.trim_end_matches("/mod.rs").trim_end_matches(".rs");
            let name = name.rsplit('/').next().unwrap_or(name);
            Finding::new(
                &source.path,
                1,
                RULE,
                format!("declare it in its parent with `mod {name};`, or delete it"),
            )
        })
        .collect()
}

/// Follows the `mod` declarations from the top of each module tree, marking what is reached and
/// what is compiled for tests only.
pub(crate) fn walk(sources: &mut [Source], members: &[Member]) {
    let index: BTreeMap<String, usize> =
        sources.iter().enumerate().map(|(at, source)| (source.path.clone(), at)).collect();
    let mut open: Vec<(usize, String, bool)> = Vec::new();
    for (at, source) in sources.iter().enumerate() {
        let Some(member) = members.iter().find(|member| member.inside(&source.path).is_some()) else {
            continue;
        };
        if let Some(test) = root(source, member) {
            let folder = source.path.rsplit_once('/').map_or("", |(folder, _)| folder);
            open.push((at, folder.to_owned(), test));
        }
    }
    while let Some((at, folder, test)) = open.pop() {
        let Some(source) = sources.get_mut(at) else { continue };
        // Seen before, and not with more rights than now.
        if source.reached && (test || !source.test) {
            continue;
        }
        source.test = test;
        source.reached = true;
        let beside = source.path.rsplit_once('/').map_or("", |(folder, _)| folder);
        let included = source.outline.included.iter().map(|name| format!("{beside}/{name}"));
        let included: Vec<usize> = included.filter_map(|path| index.get(&path).copied()).collect();
        open.extend(included.iter().map(|child| (*child, folder.clone(), test)));
        for declared in &source.outline.declared {
            let inner = format!("{folder}/{}", declared.path.join("/"));
            let child = index.get(&format!("{inner}.rs")).or_else(|| index.get(&format!("{inner}/mod.rs")));
            if let Some(child) = child {
                open.push((*child, inner, test || declared.test));
            }
        }
        for child in included {
            sources.get_mut(child).into_iter().for_each(|source| source.included = true);
        }
    }
}

/// Whether a file is the top of a module tree, and then whether that tree is a test.
fn root(source: &Source, member: &Member) -> Option<bool> {
    let parts: Vec<&str> = member.inside(&source.path)?.split('/').collect();
    match parts.as_slice() {
        ["src", "lib.rs" | "main.rs"] | ["src", "bin", _] | ["src", "bin", _, "main.rs"] | ["build.rs"] => {
            Some(false)
        }
        ["tests", _] | ["tests", _, "main.rs"] => Some(true),
        _ => member.roots.contains(&source.path).then_some(false),
    }
}

#[cfg(test)]
mod tests {
    use super::find;
    use crate::tidy::tree::Tree;

    const MANIFESTS: [(&str, &str); 2] = [
        ("Cargo.toml", "[workspace]\nmembers = [\"a\"]\n"),
        ("a/Cargo.toml", "[package]\nname = \"a\"\n[[bin]]\nname = \"z\"\npath = \"src/z.rs\"\n"),
    ];

    fn tree(files: &[(&str, &str)]) -> Tree {
        Tree::of(&[MANIFESTS.as_slice(), files].concat())
    }

    fn forgotten(files: &[(&str, &str)]) -> Vec<String> {
        find(&tree(files)).into_iter().map(|finding| finding.path).collect()
    }

    #[test]
    fn declared_files_are_fine() {
        let files = [
            ("a/src/lib.rs", "mod b; mod c { pub mod d; }"),
            ("a/src/b.rs", "mod e; include!(\"b/table.rs\");"),
            ("a/src/b/e.rs", ""),
            ("a/src/b/table.rs", ""),
            ("a/src/c/d/mod.rs", "mod f;"),
            ("a/src/c/d/f.rs", ""),
            ("a/src/bin/tool.rs", ""),
            ("a/src/z.rs", ""),
            ("a/tests/it/main.rs", "mod ask; mod wait;"),
            ("a/tests/it/ask.rs", ""),
            ("a/tests/it/wait/mod.rs", ""),
            ("a/examples/x.rs", ""),
        ];
        assert_eq!(forgotten(&files), [""; 0]);
    }

    #[test]
    fn an_undeclared_file_is_found_also_below_another() {
        let files = [
            ("a/src/lib.rs", "// mod b;\nmod g;"),
            ("a/src/b.rs", "mod c;"),
            ("a/src/b/c.rs", ""),
            ("a/src/g.rs", ""),
            ("a/src/g/h.rs", ""),
        ];
        assert_eq!(forgotten(&files), ["a/src/b.rs", "a/src/b/c.rs", "a/src/g/h.rs"]);
    }

    #[test]
    fn a_forgotten_test_file_or_folder_is_found() {
        let files = [
            ("a/tests/it/main.rs", "mod ask;"),
            ("a/tests/it/ask.rs", ""),
            ("a/tests/it/wait.rs", ""),
            ("a/tests/it/list/mod.rs", ""),
        ];
        let found = find(&tree(&files));
        let lines: Vec<_> = found.iter().map(ToString::to_string).collect();
        assert_eq!(
            lines,
            [
                "a/tests/it/list/mod.rs:1: forgotten file: declare it in its parent with `mod list;`, or delete it",
                "a/tests/it/wait.rs:1: forgotten file: declare it in its parent with `mod wait;`, or delete it",
            ]
        );
    }

    #[test]
    fn files_below_a_test_module_are_test_code() {
        let tree = tree(&[
            ("a/src/lib.rs", "#[cfg(test)] mod tests; mod b; #[cfg(test)] mod b;"),
            ("a/src/tests.rs", "mod deep;"),
            ("a/src/tests/deep.rs", ""),
            ("a/src/b.rs", ""),
            ("a/tests/it/main.rs", "mod c;"),
            ("a/tests/it/c.rs", ""),
        ]);
        let test: Vec<_> = tree.sources.iter().filter(|one| one.test).map(|one| one.path.as_str()).collect();
        assert_eq!(test, ["a/src/tests.rs", "a/src/tests/deep.rs", "a/tests/it/c.rs", "a/tests/it/main.rs"]);
    }
}
