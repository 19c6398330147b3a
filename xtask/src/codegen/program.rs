//! The built program, asked what it says about itself.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

use anyhow::{Context, bail};
use serde_json::Value;

use crate::process;

/// Builds the binary and says where it lies.
pub(crate) fn build(root: &Path) -> anyhow::Result<PathBuf> {
    // Several files are made from it, and it is the same for all of them.
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    if let Some(built) = BUILT.get() {
        return Ok(built.clone());
    }
    let built = build_target(root, &["-p", "sayso", "--bin", "sayso"])?;
    Ok(BUILT.get_or_init(|| built).clone())
}

/// Builds a program and says where it lies: cargo knows, whatever the target folder is.
pub(crate) fn build_target(root: &Path, target: &[&str]) -> anyhow::Result<PathBuf> {
    let words = ["cargo", "build", "--quiet", "--locked", "--message-format=json"];
    let mut command = process::command(root, &[&words[..], target].concat())?;
    let output = command.stderr(Stdio::inherit()).output().context("cannot run `cargo build`")?;
    let messages = String::from_utf8_lossy(&output.stdout);
    if !output.status.success() {
        let rendered = messages.lines().filter_map(rendered_error).collect::<String>();
        bail!("`{}` ended with {}\n{rendered}", process::shown(&command), output.status);
    }
    messages.lines().filter_map(executable).next_back().context("cargo built no program")
}

fn executable(message: &str) -> Option<PathBuf> {
    let message: Value = serde_json::from_str(message).ok()?;
    Some(PathBuf::from(message.get("executable")?.as_str()?))
}

fn rendered_error(message: &str) -> Option<String> {
    let message: Value = serde_json::from_str(message).ok()?;
    Some(message.get("message")?.get("rendered")?.as_str()?.to_owned())
}

/// Returns the output of the binary, in an environment that is the same on every machine.
pub(super) fn output(binary: &Path, arguments: &[&str]) -> anyhow::Result<String> {
    let mut command = Command::new(binary);
    command.args(arguments).stdin(Stdio::null()).env_clear();
    for name in ["PATH", "HOME"] {
        command.envs(std::env::var_os(name).map(|value| (name, value)));
    }
    command.envs([("SAYSO_LANG", "en"), ("COLUMNS", "100"), ("NO_COLOR", "1")]);
    let shown = format!("sayso {}", arguments.join(" "));
    let output = command.output().with_context(|| format!("cannot run `{shown}`"))?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        bail!("`{shown}` ended with {}: {}", output.status, said.trim());
    }
    let text = String::from_utf8(output.stdout).with_context(|| format!("`{shown}` is not UTF-8"))?;
    if text.trim().is_empty() {
        bail!("`{shown}` printed nothing on stdout");
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::executable;

    #[test]
    fn the_binary_is_found_among_cargos_messages() {
        let built = r#"{"reason":"compiler-artifact","executable":"/t/debug/sayso"}"#;
        assert_eq!(executable(built).unwrap().to_str(), Some("/t/debug/sayso"));
        assert_eq!(executable(r#"{"reason":"compiler-artifact","executable":null}"#), None);
        assert_eq!(executable("warning: not JSON"), None);
    }
}
