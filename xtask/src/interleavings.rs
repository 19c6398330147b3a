//! `cargo xtask interleavings`: plays histories of many who act at once, or looks for the bugs that are planted into
//! them.

use std::path::Path;
use std::process::ExitCode;

use crate::cargo;
use xtask::process;

/// Runs the command; its arguments are those of the program.
pub(crate) fn run(root: &Path, arguments: &[String]) -> anyhow::Result<ExitCode> {
    play(root, arguments)?;
    Ok(ExitCode::SUCCESS)
}

/// Histories of a check: they take seconds without the compiler's help, which itself takes minutes.
const CHECK_COUNT: u64 = 50_000;

/// Finds every planted bug, and plays some of the histories.
pub(crate) fn check(root: &Path) -> anyhow::Result<()> {
    let player = cargo::build_programs(root)?.program("interleavings")?.display().to_string();
    process::run(&mut process::command(root, &[&player, "--planted"])?)?;
    process::run(&mut process::command(root, &[&player, "--count", &CHECK_COUNT.to_string()])?)
}

/// Without the compiler's help a million takes minutes.
fn play(root: &Path, arguments: &[String]) -> anyhow::Result<()> {
    let words = ["cargo", "run", "--quiet", "--locked", "--profile=played", "-p", "interleavings", "--"];
    process::run(process::command(root, &words)?.args(arguments))
}
