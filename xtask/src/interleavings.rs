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

/// Histories of a check.
const CHECK_COUNT: u64 = 250_000;

/// Finds every planted bug, and plays some of the histories.
pub(crate) fn check(root: &Path) -> anyhow::Result<()> {
    play(root, &["--planted".to_owned()])?;
    play(root, &["--count".to_owned(), CHECK_COUNT.to_string()])
}

/// Without the compiler's help a million takes minutes.
fn play(root: &Path, arguments: &[String]) -> anyhow::Result<()> {
    let words = ["cargo", "run", "--quiet", "--locked", "--profile=played", "-p", "interleavings", "--"];
    process::run(process::command(root, &words)?.args(arguments))
}
