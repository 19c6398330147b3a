//! Reads `Cargo.toml` files: the members of the workspace and what each depends on.

use std::collections::BTreeMap;

use anyhow::Context;
use toml::{Table, Value};

/// A crate of the workspace.
#[derive(Debug)]
pub(crate) struct Member {
    /// Its folder, from the root: `crates/core`.
    pub(crate) folder: String,
    /// Its package name: `sayso-core`.
    pub(crate) name: String,
    pub(crate) dependencies: Vec<Dependency>,
    /// Files that `[lib]` and `[[bin]]` name as the top of a module tree, from the root.
    pub(crate) roots: Vec<String>,
}

impl Member {
    /// Where its manifest lies, from the root.
    pub(crate) fn manifest(&self) -> String {
        format!("{}/Cargo.toml", self.folder)
    }

    /// A path from the root as seen from the member's folder, when it lies inside.
    pub(crate) fn inside<'a>(&self, path: &'a str) -> Option<&'a str> {
        path.strip_prefix(&self.folder)?.strip_prefix('/')
    }
}

/// One line of a dependency table.
#[derive(Debug, PartialEq)]
pub(crate) struct Dependency {
    /// The package, whatever the crate calls it.
    pub(crate) name: String,
    /// For tests only.
    pub(crate) dev: bool,
    /// Where the manifest says so, counted from 1.
    pub(crate) line: usize,
}

/// What the manifests of the workspace say.
#[derive(Debug, Default)]
pub(crate) struct Workspace {
    pub(crate) members: Vec<Member>,
    /// Packages from elsewhere that `[workspace.dependencies]` names.
    pub(crate) third_party: Vec<String>,
}

/// Reads all manifests, given as path from the root and text.
pub(crate) fn workspace(manifests: &BTreeMap<String, String>) -> anyhow::Result<Workspace> {
    let Some(text) = manifests.get("Cargo.toml") else { return Ok(Workspace::default()) };
    let root: Table = text.parse().context("Cargo.toml")?;
    let section = root.get("workspace").and_then(Value::as_table);
    let shared = section.and_then(|table| table.get("dependencies")).and_then(Value::as_table);
    let patterns: Vec<&str> = section
        .and_then(|table| table.get("members")?.as_array())
        .map(|members| members.iter().filter_map(Value::as_str).collect())
        .unwrap_or_default();
    let mut found = Workspace::default();
    for (path, text) in manifests {
        let Some(folder) = path.strip_suffix("/Cargo.toml") else { continue };
        if patterns.iter().any(|pattern| is_member(folder, pattern)) {
            found.members.push(member(folder, text, shared).with_context(|| path.clone())?);
        }
    }
    for (key, value) in shared.into_iter().flatten() {
        if value.get("path").is_none() {
            found.third_party.push(package(key, value, None));
        }
    }
    Ok(found)
}

fn is_member(folder: &str, pattern: &str) -> bool {
    match pattern.strip_suffix("/*") {
        Some(parent) => folder.rsplit_once('/').is_some_and(|(front, _)| front == parent),
        None => folder == pattern,
    }
}

fn member(folder: &str, text: &str, shared: Option<&Table>) -> anyhow::Result<Member> {
    let manifest: Table = text.parse()?;
    let name = manifest.get("package").and_then(|package| package.get("name")?.as_str());
    let name = name.context("no package name")?.to_owned();
    let mut dependencies = Vec::new();
    let targets = manifest.get("target").and_then(Value::as_table);
    let tables = std::iter::once(&manifest)
        .chain(targets.into_iter().flat_map(|table| table.values().filter_map(Value::as_table)));
    for table in tables {
        for (section, dev) in
            [("dependencies", false), ("build-dependencies", false), ("dev-dependencies", true)]
        {
            let entries = table.get(section).and_then(Value::as_table);
            for (key, value) in entries.into_iter().flatten() {
                let name = package(key, value, shared);
                dependencies.push(Dependency { name, dev, line: line_of(text, section, key) });
            }
        }
    }
    Ok(Member { folder: folder.to_owned(), name, dependencies, roots: roots(folder, &manifest) })
}

/// The package behind a key: `x = { package = "y" }` is y, here or in the workspace's table.
fn package(key: &str, value: &Value, shared: Option<&Table>) -> String {
    let own = |value: &Value| value.get("package").and_then(Value::as_str).map(str::to_owned);
    let inherited = || shared.and_then(|table| own(table.get(key)?));
    own(value).or_else(inherited).unwrap_or_else(|| key.to_owned())
}

fn roots(folder: &str, manifest: &Table) -> Vec<String> {
    let library = manifest.get("lib").into_iter();
    let binaries = manifest.get("bin").and_then(Value::as_array).into_iter().flatten();
    let paths = library.chain(binaries).filter_map(|target| target.get("path")?.as_str());
    paths.map(|path| format!("{folder}/{path}")).collect()
}

/// The line on which a section names a key. The parser keeps no lines, so this looks at the text.
fn line_of(text: &str, section: &str, key: &str) -> usize {
    let mut inside = false;
    for (at, line) in text.lines().map(str::trim).enumerate() {
        if line.starts_with('[') {
            let header = line.trim_matches(['[', ']']);
            inside = header.rsplit('.').next() == Some(section);
            if header.ends_with(&format!("{section}.{key}")) {
                return at + 1;
            }
        }
        let rest = line.strip_prefix(key).or_else(|| line.strip_prefix(&format!("\"{key}\"")));
        if inside && rest.is_some_and(|rest| rest.trim_start().starts_with(['=', '.'])) {
            return at + 1;
        }
    }
    1
}

#[cfg(test)]
mod tests {
    use super::{Workspace, workspace};

    fn read(files: &[(&str, &str)]) -> Workspace {
        let owned = files.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned()));
        workspace(&owned.collect()).unwrap()
    }

    const ROOT: &str = "[workspace]\nmembers = [\"crates/*\", \"xtask\"]\n[workspace.dependencies]\n\
        serde = \"1\"\nours = { path = \"crates/ours\" }\nalias = { version = \"1\", package = \"real\" }\n";

    fn dependencies(manifest: &str) -> Vec<(String, bool, usize)> {
        let text = format!("[package]\nname = \"x\"\n{manifest}");
        let mut found = read(&[("Cargo.toml", ROOT), ("crates/x/Cargo.toml", &text)]);
        let member = found.members.remove(0);
        member.dependencies.into_iter().map(|one| (one.name, one.dev, one.line)).collect()
    }

    #[test]
    fn members_are_what_the_workspace_names() {
        let package = "[package]\nname = \"p\"\n[[bin]]\nname = \"b\"\npath = \"src/b.rs\"\n";
        let found = read(&[
            ("Cargo.toml", ROOT),
            ("crates/a/Cargo.toml", package),
            ("crates/a/fuzz/Cargo.toml", package),
            ("fuzz/Cargo.toml", package),
            ("xtask/Cargo.toml", package),
        ]);
        let folders: Vec<_> = found.members.iter().map(|member| member.folder.as_str()).collect();
        assert_eq!(folders, ["crates/a", "xtask"]);
        assert_eq!(found.members[0].roots, ["crates/a/src/b.rs"]);
        assert_eq!(found.third_party, ["real", "serde"]);
    }

    #[test]
    fn every_kind_of_table_is_read() {
        let manifest = "[dependencies]\na.workspace = true\n[dev-dependencies]\na = \"1\"\n\
            [build-dependencies]\nc = \"1\"\n[target.\"cfg(unix)\".dependencies]\nd = \"1\"\n\
            [target.'cfg(unix)'.dev-dependencies.e]\nversion = \"1\"\n";
        let mut found = dependencies(manifest);
        found.sort();
        let expected = [("a", false, 4), ("a", true, 6), ("c", false, 8), ("d", false, 10), ("e", true, 11)];
        assert_eq!(found, expected.map(|(name, dev, line)| (name.to_owned(), dev, line)));
    }

    #[test]
    fn a_renamed_package_has_its_real_name() {
        let manifest = "[dependencies]\nx = { version = \"1\", package = \"y\" }\nalias.workspace = true\n";
        let names: Vec<_> = dependencies(manifest).into_iter().map(|(name, _, _)| name).collect();
        assert_eq!(names, ["real", "y"]);
    }
}
