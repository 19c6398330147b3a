//! The workspace as the rules see it: crates with their dependencies, sources with their place in a module tree, and the
//! pages about them.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use anyhow::{Context, bail};
use serde_json::Value;

use super::addresses::PLACES;
use super::promises;
use super::source::Source;
use super::vocabulary;
use xtask::process;

/// Folders of builds and packages.
const BUILT: [&str; 2] = ["target", "node_modules"];

/// Everything that the rules read. Paths are relative to the root.
#[derive(Debug, Default)]
pub(crate) struct Workspace {
    pub(crate) members: Vec<Member>,
    /// Files that a module tree contains.
    pub(crate) sources: Vec<Source>,
    /// Files below `src` and `tests` that no module tree contains.
    pub(crate) orphans: Vec<String>,
    /// Sources in other languages.
    pub(crate) scripts: Vec<String>,
    /// Texts of `ARCHITECTURE.md` and of the pages in `docs/architecture`.
    pub(crate) pages: Vec<String>,
    /// Addresses and version; `None` if the workspace has no `metadata.publish`.
    pub(crate) published: Option<Published>,
    /// Texts of SECURITY.md and of the list of its proofs; `None` if there is no such page.
    pub(crate) security: Option<(String, String)>,
    /// Paths and texts of everything that users read.
    pub(crate) public_texts: Vec<(String, String)>,
    /// Files and folders, but for hidden ones and those of builds and packages.
    pub(crate) paths: BTreeSet<String>,
    /// Paths and texts of the pages that the repository has for people.
    pub(crate) markdown: Vec<(String, String)>,
}

/// Addresses and the version, and the files that repeat them.
#[derive(Clone, Debug)]
pub(crate) struct Published {
    /// Values by their names in `Cargo.toml`.
    pub(crate) values: BTreeMap<String, String>,
    /// Files by their paths.
    pub(crate) texts: BTreeMap<String, String>,
}

/// A crate of the workspace.
#[derive(Debug)]
pub(crate) struct Member {
    /// Package name: `sayso-core`.
    pub(crate) name: String,
    /// Folder: `crates/core`.
    pub(crate) folder: String,
    /// Names of its dependencies, and whether only its tests use them.
    pub(crate) dependencies: Vec<(String, bool)>,
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
            let manifest = relative(root, text(package, "manifest_path")?)?;
            for target in array(package, "targets") {
                let test = array(target, "kind").any(|kind| kind == "test");
                let path = relative(root, text(target, "src_path")?)?;
                walk(root, &path, folder(&path), test, &mut sources)?;
            }
            for part in ["src", "tests"] {
                orphans.extend(files(root, &format!("{}/{part}", folder(&manifest)), ".rs")?);
            }
            let dependencies = array(package, "dependencies")
                .map(|one| Ok((text(one, "name")?.to_owned(), one["kind"] == "dev")))
                .collect::<anyhow::Result<_>>()?;
            let name = text(package, "name")?.to_owned();
            members.push(Member { name, folder: folder(&manifest).to_owned(), dependencies });
        }
        orphans.retain(|path| !sources.contains_key(path));
        let scripts = [files(root, "web", ".ts")?, files(root, "crates/sayso/tests", ".mjs")?].concat();
        let pages =
            ["ARCHITECTURE.md".to_owned()].into_iter().chain(files(root, "docs/architecture", ".md")?);
        let pages = pages.map(|page| read(root, &page)).collect::<anyhow::Result<_>>()?;
        let published = published(root, &metadata)?;
        let security = root.join(promises::PAGE).is_file();
        let security = security
            .then(|| anyhow::Ok((read(root, promises::PAGE)?, read(root, promises::LIST)?)))
            .transpose()?;
        let sources = sources.into_values().collect();
        let public_texts = public_texts(root)?;
        let mut paths = BTreeSet::new();
        collect_paths(root, "", &mut paths)?;
        let is_page =
            |path: &&String| path.ends_with(".md") && (!path.contains('/') || path.starts_with("docs/"));
        let markdown = paths.iter().filter(is_page).map(|path| Ok((path.clone(), read(root, path)?)));
        let markdown = markdown.collect::<anyhow::Result<_>>()?;
        Ok(Self {
            members,
            sources,
            orphans,
            scripts,
            pages,
            published,
            security,
            public_texts,
            paths,
            markdown,
        })
    }
}

/// Adds the files and folders below a folder.
fn collect_paths(root: &Path, folder: &str, paths: &mut BTreeSet<String>) -> anyhow::Result<()> {
    for entry in fs::read_dir(root.join(folder))? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if name.starts_with('.') || BUILT.contains(&name.as_str()) {
            continue;
        }
        let path = if folder.is_empty() { name } else { format!("{folder}/{name}") };
        if entry.file_type()?.is_dir() {
            collect_paths(root, &path, paths)?;
        }
        paths.insert(path);
    }
    Ok(())
}

fn public_texts(root: &Path) -> anyhow::Result<Vec<(String, String)>> {
    let mut texts = Vec::new();
    for (place, ending) in vocabulary::PLACES {
        let paths =
            if root.join(place).is_file() { vec![(*place).to_owned()] } else { files(root, place, ending)? };
        for path in paths {
            if !vocabulary::DEVELOPER_PAGES.iter().any(|folder| path.starts_with(folder)) {
                let text = read(root, &path)?;
                texts.push((path, text));
            }
        }
    }
    Ok(texts)
}

fn published(root: &Path, metadata: &Value) -> anyhow::Result<Option<Published>> {
    let Some(Value::Object(members)) = metadata.pointer("/metadata/publish") else { return Ok(None) };
    let program = array(metadata, "packages").find(|package| package["name"] == "sayso");
    let of_package = ["version", "repository"].map(|name| Some((name, program?.get(name)?)));
    let members = members.iter().map(|(name, value)| (name.as_str(), value));
    let values = members.chain(of_package.into_iter().flatten());
    let values = values.filter_map(|(name, value)| Some((name.to_owned(), value.as_str()?.to_owned())));
    let texts = PLACES.iter().map(|(path, _)| Ok(((*path).to_owned(), read(root, path)?)));
    Ok(Some(Published { values: values.collect(), texts: texts.collect::<anyhow::Result<_>>()? }))
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
    let source = Source::parse(path, read(root, path)?, test)?;
    let (declared, included) = (source.declared.clone(), source.included.clone());
    sources.insert(path.to_owned(), source);
    for name in included {
        walk(root, &format!("{}/{name}", folder(path)), below, test, sources)?;
    }
    for (module, test_module) in declared {
        let inner = format!("{below}/{module}");
        let child = format!("{inner}.rs");
        if root.join(&child).is_file() {
            walk(root, &child, &inner, test || test_module, sources)?;
        }
    }
    Ok(())
}

fn read(root: &Path, path: &str) -> anyhow::Result<String> {
    fs::read_to_string(root.join(path)).with_context(|| path.to_owned())
}

/// Files with this ending below a folder; none if it does not exist.
fn files(root: &Path, folder: &str, ending: &str) -> anyhow::Result<Vec<String>> {
    let Ok(entries) = fs::read_dir(root.join(folder)) else { return Ok(Vec::new()) };
    let mut found = Vec::new();
    for entry in entries {
        let entry = entry?;
        let path = format!("{folder}/{}", entry.file_name().to_string_lossy());
        if entry.file_type()?.is_dir() {
            found.extend(files(root, &path, ending)?);
        } else if path.ends_with(ending) {
            found.push(path);
        }
    }
    Ok(found)
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

pub(crate) fn folder(path: &str) -> &str {
    path.rsplit_once('/').map_or(".", |(folder, _)| folder)
}
