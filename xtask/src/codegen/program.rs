//! The built program, asked what it says about itself.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

use anyhow::{Context, bail};
use serde_json::Value;

use crate::process;

/// Targets that are built together. With an example of the whole workspace among them cargo unites the features as it
/// does for `cargo test`: otherwise nearly all libraries would be compiled twice.
const TARGETS: [&str; 7] =
    ["--workspace", "--bin", "sayso", "--bin", "interleavings", "--example", "conformance"];

/// Builds the binary and says where it lies.
pub(crate) fn build(root: &Path) -> anyhow::Result<PathBuf> {
    // Several files are made from it, and it is the same for all of them.
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    if let Some(built) = BUILT.get() {
        return Ok(built.clone());
    }
    let built = build_target(root, "sayso")?;
    Ok(BUILT.get_or_init(|| built).clone())
}

/// Builds a program of [`TARGETS`] and says where it lies: cargo knows, whatever the target folder is.
pub(crate) fn build_target(root: &Path, name: &str) -> anyhow::Result<PathBuf> {
    let words = ["cargo", "build", "--quiet", "--locked", "--message-format=json"];
    let mut command = process::command(root, &[&words[..], &TARGETS].concat())?;
    let output = command.stderr(Stdio::inherit()).output().context("cannot run `cargo build`")?;
    let messages = String::from_utf8_lossy(&output.stdout);
    if !output.status.success() {
        let rendered = messages.lines().filter_map(rendered_error).collect::<String>();
        bail!("`{}` ended with {}\n{rendered}", process::shown(&command), output.status);
    }
    messages.lines().find_map(|line| executable(line, name)).context("cargo built no program")
}

fn executable(message: &str, name: &str) -> Option<PathBuf> {
    let message: Value = serde_json::from_str(message).ok()?;
    let is_meant = message.get("target")?.get("name")? == name;
    is_meant.then(|| Some(PathBuf::from(message.get("executable")?.as_str()?)))?
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
        let printed_text = String::from_utf8_lossy(&output.stderr);
        bail!("`{shown}` ended with {}: {}", output.status, printed_text.trim());
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
        let message = |name: &str, file: &str| {
            let target = format!(r#""target":{{"name":"{name}"}}"#);
            format!(r#"{{"reason":"compiler-artifact",{target},"executable":{file}}}"#)
        };
        let built = executable(&message("sayso", r#""/t/debug/sayso""#), "sayso");
        assert_eq!(built.unwrap().to_str(), Some("/t/debug/sayso"));
        assert_eq!(executable(&message("conformance", r#""/t/debug/conformance""#), "sayso"), None);
        assert_eq!(executable(&message("sayso", "null"), "sayso"), None);
        assert_eq!(executable("warning: not JSON", "sayso"), None);
    }
}
