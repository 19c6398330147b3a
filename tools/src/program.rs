//! The built program, and its output.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, bail};

/// Returns the path of a program, or `examples/NAME`, that cargo built together with this one.
pub(crate) fn path(name: &str) -> anyhow::Result<PathBuf> {
    let own = std::env::current_exe().context("this program has no path")?;
    Ok(own.with_file_name(name))
}

/// Returns the output of the binary, in an environment that is the same on every machine.
pub(crate) fn output(binary: &Path, arguments: &[&str]) -> anyhow::Result<String> {
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
