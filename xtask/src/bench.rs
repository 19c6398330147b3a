//! `cargo xtask bench`: builds with optimization and runs the benchmark, which measures and judges nothing.

use std::path::Path;
use std::process::ExitCode;

use crate::process;

pub(crate) fn run(root: &Path, arguments: &[String]) -> anyhow::Result<ExitCode> {
    let mut build =
        process::command(root, &["cargo", "build", "--release", "--locked", "-p", "sayso", "-p", "bench"])?;
    process::run(&mut build)?;
    let mut bench = process::command(root, &["target/release/bench"])?;
    process::run(bench.args(arguments))?;
    Ok(ExitCode::SUCCESS)
}
