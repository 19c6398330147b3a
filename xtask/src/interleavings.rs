//! `cargo xtask interleavings`: plays histories of many who act at once, or looks for the bugs that are planted into
//! them.

use std::path::Path;
use std::process::ExitCode;

use crate::process;

/// Runs the command; its arguments are those of the program.
pub(crate) fn run(root: &Path, arguments: &[String]) -> anyhow::Result<ExitCode> {
    play(root, arguments)?;
    Ok(ExitCode::SUCCESS)
}

/// Arguments of a check: a million histories, and every bug.
pub(crate) fn check(root: &Path) -> anyhow::Result<()> {
    play(root, &["--planted".to_owned()])?;
    play(root, &[])
}

/// Without the compiler's help a million takes minutes.
fn play(root: &Path, arguments: &[String]) -> anyhow::Result<()> {
    let words = ["cargo", "run", "--quiet", "--locked", "--profile=played", "-p", "interleavings", "--"];
    process::run(process::command(root, &words)?.args(arguments))
}
