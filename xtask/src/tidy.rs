//! `cargo xtask tidy`: the rules about sources and manifests that the compiler does not know.
//!
//! A rule is a function from the [`Tree`] to its findings, in a module of its own, with tests that
//! show it red and green.

mod allowed;
mod architecture;
mod edges;
mod functions;
mod headers;
mod lexer;
mod manifest;
mod modules;
mod names;
mod outline;
mod sizes;
mod tree;
mod word_table;
mod words;

use std::fmt;
use std::path::Path;
use std::process::ExitCode;

use anyhow::bail;

use crate::no_arguments;
use tree::Tree;

/// Something that breaks a rule.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Finding {
    path: String,
    line: usize,
    rule: &'static str,
    /// What to do about it.
    advice: String,
    severity: Severity,
}

/// Whether a finding fails the check.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Severity {
    Violation,
    /// Printed, and no more.
    Warning,
}

impl Finding {
    fn new(path: &str, line: usize, rule: &'static str, advice: impl Into<String>) -> Self {
        Self { path: path.to_owned(), line, rule, advice: advice.into(), severity: Severity::Violation }
    }

    fn warning(path: &str, line: usize, rule: &'static str, advice: impl Into<String>) -> Self {
        Self { severity: Severity::Warning, ..Self::new(path, line, rule, advice) }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { path, line, rule, advice, severity } = self;
        let mark = match severity {
            Severity::Violation => "",
            Severity::Warning => "warning: ",
        };
        write!(f, "{path}:{line}: {mark}{rule}: {advice}")
    }
}

/// All rules.
const RULES: &[fn(&Tree) -> Vec<Finding>] =
    &[edges::find, words::find, sizes::find, names::find, modules::find, headers::find, architecture::find];

/// Runs the command.
pub(crate) fn run(root: &Path, arguments: &[String]) -> anyhow::Result<ExitCode> {
    no_arguments(arguments)?;
    check(root)?;
    Ok(ExitCode::SUCCESS)
}

/// Prints every finding and fails when one is more than a warning.
pub(crate) fn check(root: &Path) -> anyhow::Result<()> {
    let tree = Tree::read(root)?;
    let mut findings: Vec<Finding> = RULES.iter().flat_map(|rule| rule(&tree)).collect();
    findings.sort();
    findings.dedup();
    findings.iter().for_each(|finding| println!("{finding}"));
    let violations = findings.iter().filter(|finding| finding.severity == Severity::Violation).count();
    let warnings = findings.len() - violations;
    println!("tidy: {} sources, violations: {violations}, warnings: {warnings}", tree.sources.len());
    if violations > 0 {
        bail!("tidy found {violations} violation(s), listed above");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{Finding, RULES, Tree};

    #[test]
    fn a_finding_is_one_line() {
        let finding = Finding::new("crates/core/src/a.rs", 7, "words", "do this");
        assert_eq!(finding.to_string(), "crates/core/src/a.rs:7: words: do this");
        let warning = Finding::warning("a.rs", 1, "size", "split it");
        assert_eq!(warning.to_string(), "a.rs:1: warning: size: split it");
    }

    #[test]
    fn a_tidy_tree_passes_every_rule() {
        let tree = Tree::of(&[
            ("Cargo.toml", "[workspace]\nmembers = [\"crates/*\"]\n"),
            ("ARCHITECTURE.md", "`crates/core` uses `serde`, and has `ask`.\n"),
            ("crates/core/Cargo.toml", "[package]\nname = \"sayso-core\"\n[dependencies]\nserde = \"1\"\n"),
            ("crates/core/src/lib.rs", "//! Core.\nmod ask;\n"),
            ("crates/core/src/ask.rs", "//! An ask.\nfn open() {}\n"),
        ]);
        let findings: Vec<_> = RULES.iter().flat_map(|rule| rule(&tree)).collect();
        assert_eq!(findings, []);
    }
}
