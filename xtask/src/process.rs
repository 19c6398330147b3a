//! Running other programs: as a person would type them, with errors that name them.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, bail};

/// A program with arguments that runs in `folder`.
pub fn command(folder: &Path, words: &[&str]) -> anyhow::Result<Command> {
    let (program, arguments) = words.split_first().context("an empty command line")?;
    let mut command = Command::new(program);
    command.args(arguments).current_dir(folder);
    Ok(command)
}

/// Folder in which cargo builds.
pub fn target(root: &Path) -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from)
}

/// Runs to the end with our own stdin, stdout and stderr; anything but success is an error.
pub fn run(command: &mut Command) -> anyhow::Result<()> {
    let status = command.status().with_context(|| format!("cannot run `{}`", shown(command)))?;
    if !status.success() {
        bail!("`{}` ended with {status}", shown(command));
    }
    Ok(())
}

/// The command as a person would type it.
pub fn shown(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    words.map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ")
}
