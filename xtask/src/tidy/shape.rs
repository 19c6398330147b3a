//! Rules about files, folders and pages: header, name, that a module tree contains each file, and that a page
//! names each crate, each module at the top of one and each dependency.

use std::collections::{BTreeMap, BTreeSet};

use super::Finding;
use super::source::Source;
use super::workspace::{Workspace, folder};

const BANNED: &[&str] = &["utils", "helpers", "common", "manager", "misc"];
/// Most sources side by side in a folder. It may only fall.
const FOLDER_FILES: usize = 15;
/// Largest size of `ARCHITECTURE.md`, so that a newcomer can read all of it.
const PAGE_BYTES: usize = 14_000;

/// Files that have no header or a banned name, or belong to no module tree, and what no page describes.
pub(crate) fn find(workspace: &Workspace) -> Vec<Finding> {
    let orphans = workspace.orphans.iter().map(|path| {
        Finding::new(path, 1, "forgotten file", "declare it with `mod` in its parent, or delete it")
    });
    let files = workspace.sources.iter().flat_map(find_in);
    orphans.chain(files).chain(find_folders(workspace)).chain(find_on_pages(workspace)).collect()
}

/// Folders from whose listing a newcomer cannot name the file for a change.
fn find_folders(workspace: &Workspace) -> impl Iterator<Item = Finding> {
    let mut counts = BTreeMap::<&str, usize>::new();
    for path in workspace.sources.iter().map(|source| &source.path).chain(&workspace.scripts) {
        *counts.entry(folder(path)).or_default() += 1;
    }
    counts.into_iter().filter(|(_, count)| *count > FOLDER_FILES).map(|(folder, count)| {
        let advice = format!("{count} files; group them by what they are for, the limit is {FOLDER_FILES}");
        Finding::new(folder, 1, "folder size", advice)
    })
}

fn find_in(source: &Source) -> Vec<Finding> {
    let path = &source.path;
    let mut found = Vec::new();
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

fn find_on_pages(workspace: &Workspace) -> Vec<Finding> {
    let finding = |advice: String| Finding::new("ARCHITECTURE.md", 1, "architecture", advice);
    let quoted = workspace.pages.iter().flat_map(|page| page.split('`').skip(1).step_by(2));
    // Of a path in backticks, such as `store/sqlite`, each part counts.
    let named: BTreeSet<&str> =
        quoted.flat_map(|words| words.split(|c: char| !(c.is_alphanumeric() || "_-".contains(c)))).collect();
    let members = || workspace.members.iter();
    let crates = members().filter_map(|member| member.folder.rsplit('/').next());
    let modules = workspace.sources.iter().filter(|source| !source.test).filter_map(|source| {
        let (_, file) = source.path.strip_prefix("crates/")?.split_once("/src/")?;
        file.split(['/', '.']).next().filter(|module| !["lib", "main"].contains(module))
    });
    let dependencies = members().flat_map(|member| &member.dependencies).map(|(name, _)| name.as_str());
    let elsewhere = dependencies.filter(|name| members().all(|member| member.name != *name));
    let needed: BTreeSet<&str> = crates.chain(modules).chain(elsewhere).collect();
    let missing = needed.difference(&named).map(|name| finding(format!("describe `{name}`")));
    let bytes = workspace.pages.first().map_or(0, String::len);
    let long = (bytes > PAGE_BYTES).then(|| {
        finding(format!("has {bytes} bytes, the limit is {PAGE_BYTES}; move details to `docs/architecture`"))
    });
    missing.chain(long).collect()
}
