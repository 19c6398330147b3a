//! Rule: a path that a page names exists.

use std::collections::BTreeSet;

use super::Finding;
use super::workspace::Workspace;

/// Pages that name modules by their paths in a crate.
const MODULE_PAGES: [&str; 2] = ["ARCHITECTURE.md", "docs/architecture/"];
/// Folders that only a run of a program creates.
const CREATED: [&str; 2] = ["target/", "fuzz/artifacts"];

/// Paths in code spans and links that lead nowhere.
pub(crate) fn find(workspace: &Workspace) -> Vec<Finding> {
    let top_folders: BTreeSet<&str> =
        workspace.paths.iter().filter_map(|path| Some(path.split_once('/')?.0)).collect();
    let mut findings = Vec::new();
    for (page, text) in &workspace.markdown {
        let names_modules = MODULE_PAGES.iter().any(|start| page.starts_with(start));
        for (at, line) in text.lines().enumerate() {
            for span in line.split('`').skip(1).step_by(2).filter(|span| is_path(span)) {
                let first = span.split('/').next().unwrap_or_default();
                let exists = if top_folders.contains(first) {
                    workspace.paths.contains(span.trim_end_matches('/'))
                        || CREATED.iter().any(|folder| span.starts_with(folder))
                        || (names_modules && is_module(workspace, span))
                } else {
                    !names_modules || span.contains('.') || is_module(workspace, span)
                };
                if !exists {
                    findings.push(Finding::new(page, at + 1, "path", format!("there is no {span}")));
                }
            }
            for target in line.split("](").skip(1).filter_map(|rest| rest.split([')', '#']).next()) {
                if !target.is_empty()
                    && !target.contains(':')
                    && !workspace.paths.contains(&resolved(page, target))
                {
                    findings.push(Finding::new(page, at + 1, "path", format!("there is no {target}")));
                }
            }
        }
    }
    findings
}

/// Returns whether a code span is a path of several parts.
fn is_path(span: &str) -> bool {
    let is_part = |part: &str| {
        !part.is_empty()
            && part.chars().all(|letter| letter.is_ascii_alphanumeric() || "_.-".contains(letter))
    };
    let path = span.strip_suffix('/').unwrap_or(span);
    path.contains('/') && path.split('/').all(is_part)
}

/// Returns whether this is the end of a module's path, after the name of its crate if it has that: `core/kinds` is in
/// `crates/core/src`.
fn is_module(workspace: &Workspace, span: &str) -> bool {
    let span = span.trim_end_matches('/');
    let (first, rest) = span.split_once('/').unwrap_or_default();
    let in_crate = format!("crates/{first}/src/{rest}");
    let in_tests = format!("crates/{span}");
    let ending = format!("/{span}");
    let is_same = |path: &str| path == in_crate || path == in_tests || path.ends_with(&ending);
    let is_crate = span == format!("{first}/src") && workspace.paths.contains(&format!("crates/{span}"));
    let module = |path: &str| {
        let path = path.strip_suffix(".rs").or(path.strip_suffix(".ts")).unwrap_or(path);
        is_same(path)
    };
    is_crate || workspace.paths.iter().any(|path| module(path))
}

/// Returns the path of a link's target.
fn resolved(page: &str, target: &str) -> String {
    let folder = page.rsplit_once('/').map_or("", |(folder, _)| folder);
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in target.split('/') {
        match part {
            ".." => drop(parts.pop()),
            "." | "" => {}
            part => parts.push(part),
        }
    }
    parts.join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn named_path_must_exist() {
        let paths = ["docs", "docs/a.md", "crates/core/src/kinds.rs", "crates/core/src/model/ask.rs"];
        let found = |page: &str, line: &str| {
            let workspace = Workspace {
                paths: paths.map(str::to_owned).into(),
                markdown: vec![(page.to_owned(), line.to_owned())],
                ..Workspace::default()
            };
            find(&workspace).len()
        };
        let rows = [
            ("README.md", "[a](docs/a.md) [b](https://example.org) [c](#below) `docs/a.md` `a/b`", 0),
            ("README.md", "[a](docs/b.md) `docs/b.md`", 2),
            ("docs/b.md", "[a](a.md) [b](../docs/a.md)", 0),
            ("docs/b.md", "[a](docs/a.md)", 1),
            ("ARCHITECTURE.md", "`core/kinds` `model/ask` `core/model/ask` `/v1/asks`", 0),
            ("ARCHITECTURE.md", "`core/gone` `model/gone`", 2),
        ];
        for (page, line, count) in rows {
            assert_eq!(found(page, line), count, "{page}: {line}");
        }
    }
}
