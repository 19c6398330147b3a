//! `cargo xtask dist`: the packages. Python writes them, whose standard library has archives and checksums.

use std::path::Path;
use std::process::ExitCode;

use xtask::process;

/// Runs the command; its arguments are those of `packaging/dist.py`.
pub(crate) fn run(root: &Path, arguments: &[String]) -> anyhow::Result<ExitCode> {
    process::run(process::command(root, &["python3", "packaging/dist.py"])?.args(arguments))?;
    Ok(ExitCode::SUCCESS)
}

/// Builds the packages, and runs each in an empty place.
pub(crate) fn check(root: &Path) -> anyhow::Result<()> {
    run(root, &["--check".to_owned()]).map(drop)
}

/// Checks licences, sources and workflows, offline except for the first installation of the checkers.
pub(crate) fn check_repository(root: &Path) -> anyhow::Result<()> {
    process::run(&mut process::command(root, &["python3", "packaging/repository.py"])?)
}
