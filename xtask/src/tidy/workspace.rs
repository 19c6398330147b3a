//! Files and dependencies of the workspace: `cargo metadata` names the crates, their `mod` declarations the files.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use anyhow::{Context, bail};
use serde_json::Value;

use super::source::Source;
use crate::process;

/// Everything that the rules read. Paths are relative to the root.
#[derive(Debug)]
pub(crate) struct Workspace {
    pub(crate) members: Vec<Member>,
    /// Files that a module tree contains.
    pub(crate) sources: Vec<Source>,
    /// Files below `src` and `tests` that no module tree contains.
    pub(crate) orphans: Vec<String>,
    /// Text of `ARCHITECTURE.md`, empty if there is none.
    pub(crate) architecture: String,
    /// Texts of the pages in `docs/architecture`.
    pub(crate) crate_pages: Vec<String>,
}

/// A crate of the workspace.
#[derive(Debug)]
pub(crate) struct Member {
    /// Package name: `sayso-core`.
    pub(crate) name: String,
    /// Folder: `crates/core`.
    pub(crate) folder: String,
    pub(crate) dependencies: Vec<Dependency>,
}

/// An entry of a dependency table.
#[derive(Debug)]
pub(crate) struct Dependency {
    pub(crate) name: String,
    /// Used by tests only.
    pub(crate) dev: bool,
}

impl Workspace {
    /// Reads the workspace below a folder.
    pub(crate) fn read(root: &Path) -> anyhow::Result<Self> {
        let root = &root.canonicalize()?;
        let words = ["cargo", "metadata", "--no-deps", "--offline", "--format-version", "1"];
        let output = process::command(root, &words)?.output().context("cannot run `cargo metadata`")?;
        if !output.status.success() {
            bail!("`cargo metadata` failed: {}", String::from_utf8_lossy(&output.stderr));
        }
        let metadata: Value = serde_json::from_slice(&output.stdout)?;
        let (mut members, mut sources, mut orphans) = (Vec::new(), BTreeMap::new(), Vec::new());
        for package in array(&metadata, "packages") {
            let member = member(root, package)?;
            for target in array(package, "targets") {
                let test = array(target, "kind").any(|kind| kind == "test");
                let path = relative(root, text(target, "src_path")?)?;
                walk(root, &path, folder(&path), test, &mut sources)?;
            }
            for part in ["src", "tests"] {
                rust_files(root, &format!("{}/{part}", member.folder), &mut orphans)?;
            }
            members.push(member);
        }
        orphans.retain(|path| !sources.contains_key(path));
        let architecture = fs::read_to_string(root.join("ARCHITECTURE.md")).unwrap_or_default();
        let crate_pages = markdown_files(&root.join("docs/architecture"))?;
        Ok(Self { members, sources: sources.into_values().collect(), orphans, architecture, crate_pages })
    }

    /// Names of all packages from elsewhere.
    pub(crate) fn third_party(&self) -> BTreeSet<&str> {
        let names = self.members.iter().flat_map(|member| &member.dependencies).map(|one| one.name.as_str());
        names.filter(|name| self.members.iter().all(|member| member.name != *name)).collect()
    }
}

fn member(root: &Path, package: &Value) -> anyhow::Result<Member> {
    let manifest = relative(root, text(package, "manifest_path")?)?;
    let dependencies = array(package, "dependencies")
        .map(|one| Ok(Dependency { name: text(one, "name")?.to_owned(), dev: one["kind"] == "dev" }))
        .collect::<anyhow::Result<_>>()?;
    Ok(Member { name: text(package, "name")?.to_owned(), folder: folder(&manifest).to_owned(), dependencies })
}

/// Reads a file and the files of the modules that it declares. `below` is the folder of those modules.
fn walk(
    root: &Path,
    path: &str,
    below: &str,
    test: bool,
    sources: &mut BTreeMap<String, Source>,
) -> anyhow::Result<()> {
    // A file that a test module contains may be part of the program too.
    if sources.get(path).is_some_and(|known| test || !known.test) {
        return Ok(());
    }
    let content = fs::read_to_string(root.join(path)).with_context(|| path.to_owned())?;
    let source = Source::parse(path, content, test)?;
    let (declared, included) = (source.declared.clone(), source.included.clone());
    sources.insert(path.to_owned(), source);
    for name in included {
        let child = format!("{}/{name}", folder(path));
        let content = fs::read_to_string(root.join(&child)).with_context(|| child.clone())?;
        sources.insert(child.clone(), Source::parse(&child, content, test)?);
    }
    for module in declared {
        let inner = format!("{below}/{}", module.path.join("/"));
        let files = [format!("{inner}.rs"), format!("{inner}/mod.rs")];
        let child = files.iter().find(|file| root.join(file).is_file());
        if let Some(child) = child {
            walk(root, child, &inner, test || module.test, sources)?;
        }
    }
    Ok(())
}

fn rust_files(root: &Path, folder: &str, files: &mut Vec<String>) -> anyhow::Result<()> {
    let Ok(entries) = fs::read_dir(root.join(folder)) else { return Ok(()) };
    for entry in entries {
        let entry = entry?;
        let path = format!("{folder}/{}", entry.file_name().to_string_lossy());
        if entry.file_type()?.is_dir() {
            rust_files(root, &path, files)?;
        } else if path.ends_with(".rs") {
            files.push(path);
        }
    }
    Ok(())
}

/// Texts of the Markdown files in a folder; none if it does not exist.
fn markdown_files(folder: &Path) -> anyhow::Result<Vec<String>> {
    let Ok(entries) = fs::read_dir(folder) else { return Ok(Vec::new()) };
    let mut pages = Vec::new();
    for entry in entries {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "md") {
            pages.push(fs::read_to_string(&path).with_context(|| path.display().to_string())?);
        }
    }
    Ok(pages)
}

fn array<'a>(value: &'a Value, key: &str) -> impl Iterator<Item = &'a Value> {
    value.get(key).and_then(Value::as_array).into_iter().flatten()
}

fn text<'a>(value: &'a Value, key: &str) -> anyhow::Result<&'a str> {
    value.get(key).and_then(Value::as_str).with_context(|| format!("`cargo metadata` has no `{key}`"))
}

fn relative(root: &Path, path: &str) -> anyhow::Result<String> {
    Ok(Path::new(path).strip_prefix(root)?.to_string_lossy().replace('\\', "/"))
}

fn folder(path: &str) -> &str {
    path.rsplit_once('/').map_or(".", |(folder, _)| folder)
}
