//! `cargo xtask size`: builds the program as it is shipped, and fails if it is larger than its bound.

use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, bail};
use xtask::process;
use xtask::usage::no_arguments;

/// Most bytes of the program, on Linux with an x86-64 processor.
const MAX_BYTES: u64 = 22_000_000;

/// Runs the command.
pub(crate) fn run(root: &Path, arguments: &[String]) -> anyhow::Result<ExitCode> {
    no_arguments(arguments)?;
    check(root)?;
    Ok(ExitCode::SUCCESS)
}

/// Builds the program, and compares its size with the bound.
pub(crate) fn check(root: &Path) -> anyhow::Result<()> {
    build_shipped(root, "sayso")?;
    let file = process::target(root).join("dist/sayso");
    let bytes = file.metadata().with_context(|| file.display().to_string())?.len();
    println!("size: the program has {bytes} bytes");
    if cfg!(all(target_os = "linux", target_arch = "x86_64")) && bytes > MAX_BYTES {
        bail!("that is more than {MAX_BYTES}");
    }
    Ok(())
}

/// Builds a package as it is shipped. Built together with another, one could change the other.
pub(crate) fn build_shipped(root: &Path, package: &str) -> anyhow::Result<()> {
    let words = ["cargo", "build", "--locked", "--profile", "dist", "-p", package];
    process::run(&mut process::command(root, &words)?)
}
