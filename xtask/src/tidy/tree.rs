//! The files that the rules look at, read once.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use anyhow::Context;

use super::lexer::{self, Comment, Token};
use super::manifest::{self, Workspace};
use super::modules;
use super::outline::{self, Outline};

/// Folders without sources of ours, besides those whose names begin with a dot.
const NOT_OURS: &[&str] = &["target", "node_modules"];

/// The repository as far as rules care. Paths are from the root, with `/`.
#[derive(Debug)]
pub(crate) struct Tree {
    pub(crate) sources: Vec<Source>,
    pub(crate) workspace: Workspace,
    /// The text of `ARCHITECTURE.md`, when there is one.
    pub(crate) architecture: Option<String>,
}

/// A `.rs` file.
#[derive(Debug)]
pub(crate) struct Source {
    pub(crate) path: String,
    pub(crate) text: String,
    pub(crate) tokens: Vec<Token>,
    pub(crate) comments: Vec<Comment>,
    pub(crate) outline: Outline,
    /// A module tree of its crate contains it.
    pub(crate) reached: bool,
    /// Another file takes it in with `include!`.
    pub(crate) included: bool,
    /// All of it is compiled for tests only.
    pub(crate) test: bool,
}

impl Source {
    fn new(path: String, text: String) -> Self {
        let lexed = lexer::lex(&text);
        let outline = outline::outline(&lexed.tokens);
        let (tokens, comments) = (lexed.tokens, lexed.comments);
        Self { path, text, tokens, comments, outline, reached: false, included: false, test: false }
    }

    /// Whether a line is compiled for tests only.
    pub(crate) fn is_test(&self, line: usize) -> bool {
        self.test || self.outline.inline.iter().any(|module| module.test && module.lines.contains(&line))
    }
}

impl Tree {
    /// Reads the repository.
    pub(crate) fn read(root: &Path) -> anyhow::Result<Self> {
        let mut files = BTreeMap::new();
        collect(root, "", &mut files)?;
        Self::new(files)
    }

    /// A tree of these files, for tests of rules.
    #[cfg(test)]
    pub(crate) fn of(files: &[(&str, &str)]) -> Self {
        let owned = files.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned()));
        Self::new(owned.collect()).unwrap()
    }

    fn new(mut files: BTreeMap<String, String>) -> anyhow::Result<Self> {
        let architecture = files.remove("ARCHITECTURE.md");
        let manifests = files.extract_if(.., |path, _| path.ends_with("Cargo.toml")).collect();
        let workspace = manifest::workspace(&manifests)?;
        let mut sources = files.into_iter().map(|(path, text)| Source::new(path, text)).collect::<Vec<_>>();
        modules::walk(&mut sources, &workspace.members);
        Ok(Self { sources, workspace, architecture })
    }
}

fn collect(folder: &Path, prefix: &str, files: &mut BTreeMap<String, String>) -> anyhow::Result<()> {
    for entry in fs::read_dir(folder).with_context(|| folder.display().to_string())? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let (path, kind) = (format!("{prefix}{name}"), entry.file_type()?);
        if kind.is_dir() && !name.starts_with('.') && !NOT_OURS.contains(&name.as_str()) {
            collect(&entry.path(), &format!("{path}/"), files)?;
        } else if kind.is_file() && is_wanted(&path) {
            let text = fs::read_to_string(entry.path()).with_context(|| path.clone())?;
            files.insert(path, text);
        }
    }
    Ok(())
}

fn is_wanted(path: &str) -> bool {
    path.ends_with(".rs") || path == "ARCHITECTURE.md" || path.rsplit('/').next() == Some("Cargo.toml")
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::Tree;

    #[test]
    fn built_and_hidden_files_are_not_read() {
        let folder = tempfile::tempdir().unwrap();
        for path in ["a/src/b.rs", "target/c.rs", ".git/d.rs", "web/node_modules/e.rs", "a/f.txt"] {
            let path = folder.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "").unwrap();
        }
        let tree = Tree::read(folder.path()).unwrap();
        let paths: Vec<_> = tree.sources.iter().map(|source| source.path.as_str()).collect();
        assert_eq!(paths, ["a/src/b.rs"]);
    }
}
