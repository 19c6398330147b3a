//! `cargo xtask browser`: builds the program as it is shipped, and measures its page and its element, beside other
//! renderers. It prints a table.
//!
//! `--no-peers` leaves out the other renderers, which are installed by their lock file. `--screens` only takes the
//! pictures of the page for the docs.

use std::path::Path;
use std::process::ExitCode;

use anyhow::Context;
use xtask::process;

use crate::bench::NPM;

/// Folder of the programs that measure, and of the peers.
const FOLDER: &str = "bench/browser";

/// Runs the command.
pub(crate) fn run(root: &Path, arguments: &[String]) -> anyhow::Result<ExitCode> {
    let folder = root.join(FOLDER);
    if !arguments.iter().any(|argument| argument == "--no-peers") {
        NPM.install(&folder)?;
    }
    process::run(&mut process::command(
        root,
        &["cargo", "build", "--locked", "--profile", "dist", "-p", "sayso"],
    )?)?;
    let program = process::target(root).join("dist/sayso");
    let program = program.to_str().context("the target folder has no UTF-8 name")?;
    process::run(process::command(&folder, &["node", "run.mjs", program])?.args(arguments))?;
    Ok(ExitCode::SUCCESS)
}
