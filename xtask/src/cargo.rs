//! Builds with cargo, and its messages.

use std::collections::BTreeSet;
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, bail};
use serde_json::Value;
use xtask::process;

/// Compiler of our crates: it compiles as rustc does and finds what Clippy finds, so that tests and lints need one
/// build. Cargo keeps the findings and repeats them when nothing is compiled.
const COMPILER: (&str, &str) = ("RUSTC_WORKSPACE_WRAPPER", "clippy-driver");

/// Targets that chores run. Cargo unites the features of libraries for them as it does for the tests, since they are
/// targets of the whole workspace: otherwise it would compile nearly all libraries twice.
const PROGRAMS: &[&str] = &[
    "build",
    "--workspace",
    "--bin",
    "sayso",
    "--bin",
    "tools",
    "--bin",
    "interleavings",
    "--example",
    "conformance",
    "--example",
    "database_server",
];

/// Result of a build.
#[derive(Debug, Default)]
pub(crate) struct Build {
    pub(crate) programs: Vec<Program>,
    /// Findings of the compiler and of Clippy, as they print them.
    pub(crate) findings: BTreeSet<String>,
}

/// Program that was built.
#[derive(Debug, PartialEq)]
pub(crate) struct Program {
    /// Name of its target: `sayso`, `it`.
    pub(crate) name: String,
    pub(crate) is_test: bool,
    pub(crate) file: PathBuf,
    /// Folder of its package.
    pub(crate) package: PathBuf,
}

/// Builds the programs that chores run.
pub(crate) fn build_programs(root: &Path) -> anyhow::Result<Build> {
    build(root, PROGRAMS)
}

/// Builds all tests.
pub(crate) fn build_tests(root: &Path) -> anyhow::Result<Build> {
    build(root, &["test", "--workspace", "--no-run"])
}

/// Runs a chore of `tools` to its end.
pub(crate) fn run_tool(root: &Path, name: &str, arguments: &[String]) -> anyhow::Result<()> {
    let build = build_programs(root)?;
    process::run(Command::new(build.program("tools")?).current_dir(root).arg(name).args(arguments))
}

/// Builds, shows how far cargo is, and prints errors as they come.
fn build(root: &Path, words: &[&str]) -> anyhow::Result<Build> {
    let mut command = process::command(root, &["cargo"])?;
    command.args(words).args(["--locked", "--message-format=json"]).env(COMPILER.0, COMPILER.1);
    let mut child = command.stdout(Stdio::piped()).spawn().context("cannot run `cargo`")?;
    let mut build = Build::default();
    for line in BufReader::new(child.stdout.take().context("cargo has no output")?).lines() {
        // A build script may print other lines.
        if let Ok(message) = serde_json::from_str(&line?) {
            build.add_message(&message);
        }
    }
    let status = child.wait()?;
    if !status.success() {
        bail!("`{}` ended with {status}", process::shown(&command));
    }
    Ok(build)
}

impl Build {
    /// Returns the file of a program that is no test.
    pub(crate) fn program(&self, name: &str) -> anyhow::Result<&Path> {
        let program = self.programs.iter().find(|program| program.name == name && !program.is_test);
        Ok(&program.with_context(|| format!("cargo built no `{name}`"))?.file)
    }

    fn add_message(&mut self, message: &Value) {
        let text = |pointer: &str| message.pointer(pointer).and_then(Value::as_str);
        match text("/reason") {
            Some("compiler-message") => {
                let rendered = text("/message/rendered").unwrap_or_default();
                match text("/message/level") {
                    Some("warning") => _ = self.findings.insert(rendered.to_owned()),
                    Some("error") => eprint!("{rendered}"),
                    _ => {}
                }
            }
            Some("compiler-artifact") => {
                let manifest = text("/manifest_path").map(Path::new).and_then(Path::parent);
                if let (Some(file), Some(package), Some(name)) =
                    (text("/executable"), manifest, text("/target/name"))
                {
                    self.programs.push(Program {
                        name: name.to_owned(),
                        is_test: message.pointer("/profile/test") == Some(&Value::Bool(true)),
                        file: file.into(),
                        package: package.to_owned(),
                    });
                }
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Build;
    use serde_json::json;

    #[test]
    fn programs_and_findings_are_read() {
        let mut build = Build::default();
        let mut artifact = json!({
            "reason": "compiler-artifact", "manifest_path": "/w/crates/sayso/Cargo.toml",
            "target": { "name": "sayso" }, "profile": { "test": false }, "executable": "/t/debug/sayso",
        });
        build.add_message(&artifact);
        artifact["profile"]["test"] = true.into();
        artifact["executable"] = "/t/debug/deps/sayso-1".into();
        build.add_message(&artifact);
        artifact["executable"] = json!(null);
        build.add_message(&artifact);
        let finding = json!({ "level": "warning", "rendered": "warning: unused" });
        for _ in 0..2 {
            build.add_message(&json!({ "reason": "compiler-message", "message": finding }));
        }
        assert_eq!(build.program("sayso").unwrap().to_str(), Some("/t/debug/sayso"));
        assert!(build.program("tools").is_err());
        assert_eq!(build.programs.iter().filter(|program| program.is_test).count(), 1);
        assert_eq!(build.findings.into_iter().collect::<Vec<_>>(), ["warning: unused"]);
    }
}
