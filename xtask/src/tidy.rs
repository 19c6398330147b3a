//! `cargo xtask tidy`: the rules about sources and manifests that neither the compiler nor Clippy knows.
//!
//! A rule is a function from the [`Workspace`] to its findings.

mod addresses;
mod bans;
mod edges;
mod language;
mod paths;
mod promises;
mod shape;
mod source;
mod style;
#[cfg(test)]
mod tests;
mod vocabulary;
mod workspace;

use std::fmt;
use std::path::Path;
use std::process::ExitCode;

use anyhow::bail;

use workspace::Workspace;
use xtask::usage::no_arguments;

/// Something that breaks a rule.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Finding {
    path: String,
    line: usize,
    rule: &'static str,
    /// Advice for fixing it.
    advice: String,
}

impl Finding {
    fn new(path: &str, line: usize, rule: &'static str, advice: impl Into<String>) -> Self {
        Self { path: path.to_owned(), line, rule, advice: advice.into() }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { path, line, rule, advice } = self;
        write!(f, "{path}:{line}: {rule}: {advice}")
    }
}

/// All rules.
const RULES: &[fn(&Workspace) -> Vec<Finding>] = &[
    addresses::find,
    edges::find,
    bans::find,
    shape::find,
    language::find,
    promises::find,
    paths::find,
    vocabulary::find,
    style::find,
];

/// Runs the command.
pub(crate) fn run(root: &Path, arguments: &[String]) -> anyhow::Result<ExitCode> {
    no_arguments(arguments)?;
    check(root)?;
    Ok(ExitCode::SUCCESS)
}

/// Prints every finding, and fails if there is one.
pub(crate) fn check(root: &Path) -> anyhow::Result<()> {
    let workspace = Workspace::read(root)?;
    let findings = findings(&workspace);
    findings.iter().for_each(|finding| println!("{finding}"));
    println!("tidy: {} sources, violations: {}", workspace.sources.len(), findings.len());
    if findings.is_empty() {
        Ok(())
    } else {
        bail!("tidy found {} violation(s), listed above", findings.len())
    }
}

fn findings(workspace: &Workspace) -> Vec<Finding> {
    let mut findings: Vec<_> = RULES.iter().flat_map(|rule| rule(workspace)).collect();
    findings.sort();
    findings.dedup();
    findings
}
