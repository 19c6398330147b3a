//! `cargo xtask tidy`: the rules about sources and manifests that neither the compiler nor Clippy knows.
//!
//! A rule is a function from the [`Workspace`] to its findings.

mod allowed;
mod architecture;
mod bans;
mod edges;
mod language;
mod shape;
mod source;
mod workspace;

use std::fmt;
use std::path::Path;
use std::process::ExitCode;

use anyhow::bail;

use crate::no_arguments;
use workspace::Workspace;

/// Something that breaks a rule.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Finding {
    path: String,
    line: usize,
    rule: &'static str,
    /// Advice for fixing it.
    advice: String,
    /// Printed, but no failure.
    is_warning: bool,
}

impl Finding {
    fn new(path: &str, line: usize, rule: &'static str, advice: impl Into<String>) -> Self {
        Self { path: path.to_owned(), line, rule, advice: advice.into(), is_warning: false }
    }

    fn warning(path: &str, line: usize, rule: &'static str, advice: impl Into<String>) -> Self {
        Self { is_warning: true, ..Self::new(path, line, rule, advice) }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { path, line, rule, advice, is_warning } = self;
        let mark = if *is_warning { "warning: " } else { "" };
        write!(f, "{path}:{line}: {mark}{rule}: {advice}")
    }
}

/// All rules.
const RULES: &[fn(&Workspace) -> Vec<Finding>] =
    &[edges::find, bans::find, shape::find, architecture::find, language::find];

/// Runs the command.
pub(crate) fn run(root: &Path, arguments: &[String]) -> anyhow::Result<ExitCode> {
    no_arguments(arguments)?;
    check(root)?;
    Ok(ExitCode::SUCCESS)
}

/// Prints every finding. Fails if one is more than a warning.
pub(crate) fn check(root: &Path) -> anyhow::Result<()> {
    let workspace = Workspace::read(root)?;
    let mut findings: Vec<Finding> = RULES.iter().flat_map(|rule| rule(&workspace)).collect();
    findings.sort();
    findings.dedup();
    findings.iter().for_each(|finding| println!("{finding}"));
    let warnings = findings.iter().filter(|finding| finding.is_warning).count();
    let violations = findings.len() - warnings;
    println!("tidy: {} sources, violations: {violations}, warnings: {warnings}", workspace.sources.len());
    if violations > 0 {
        bail!("tidy found {violations} violation(s), listed above");
    }
    Ok(())
}

#[cfg(test)]
mod tests;
