//! `cargo xtask bench`: builds the program as it is shipped and runs the benchmark, which measures and judges nothing.

use std::path::Path;
use std::process::ExitCode;

use crate::process;

pub(crate) fn run(root: &Path, arguments: &[String]) -> anyhow::Result<ExitCode> {
    for words in [["--profile", "dist", "-p", "sayso"], ["--profile", "release", "-p", "bench"]] {
        let mut build = process::command(root, &["cargo", "build", "--locked"])?;
        process::run(build.args(words))?;
    }
    let mut bench = process::command(root, &["target/release/bench"])?;
    process::run(bench.arg("target/dist/sayso").args(arguments))?;
    Ok(ExitCode::SUCCESS)
}
