//! Programs of others, as they are installed beside this bench.

use anyhow::Context as _;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Folder of the programs.
pub(crate) fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("peers")
}

/// A script in Node, with the packages of the lock file.
pub(crate) fn node(words: &[&str]) -> Command {
    program(Path::new("node"), words)
}

/// A script in Python, with the packages of the lock file.
pub(crate) fn python(words: &[&str]) -> Command {
    program(&folder().join(".venv/bin/python"), words)
}

fn program(program: &Path, words: &[&str]) -> Command {
    let mut command = Command::new(program);
    command.current_dir(folder()).args(words);
    command
}

/// A package with its version, as the lists of the peers pin it.
///
/// # Errors
/// When no list has it.
pub(crate) fn pinned(package: &str) -> anyhow::Result<String> {
    let read = |name| std::fs::read_to_string(folder().join(name));
    let node: Value = serde_json::from_str(&read("package.json")?)?;
    let of_node = node.pointer("/dependencies").and_then(|all| all.get(package)).and_then(Value::as_str);
    let python = read("requirements.in")?;
    let of_python = || python.lines().find_map(|line| line.strip_prefix(package)?.strip_prefix("=="));
    let version = of_node.or_else(of_python).with_context(|| format!("{package} is not pinned"))?;
    Ok(format!("{package} {version}"))
}
