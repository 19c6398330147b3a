//! Running other programs: as a person would type them, with errors that name them.

use std::ffi::OsString;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::mpsc::{Receiver, channel};
use std::thread;

use anyhow::{Context, bail};

/// A program with arguments that runs in `folder`.
pub(crate) fn command(folder: &Path, words: &[&str]) -> anyhow::Result<Command> {
    let (program, arguments) = words.split_first().context("an empty command line")?;
    let mut command = Command::new(program);
    command.args(arguments).current_dir(folder);
    Ok(command)
}

/// Folder in which cargo builds.
pub(crate) fn target(root: &Path) -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from)
}

/// Runs to the end with our own stdin, stdout and stderr; anything but success is an error.
pub(crate) fn run(command: &mut Command) -> anyhow::Result<()> {
    let status = command.status().with_context(|| format!("cannot run `{}`", shown(command)))?;
    if !status.success() {
        bail!("`{}` ended with {status}", shown(command));
    }
    Ok(())
}

/// All that the environment of Ada's programs has, where `home`, `config` and `data` in `folder` are hers.
pub(crate) fn environment(folder: &Path) -> Vec<(&'static str, OsString)> {
    let path = |name: &str| folder.join(name).into_os_string();
    vec![
        ("PATH", "/usr/bin:/bin".into()),
        ("USER", "ada".into()),
        ("HOME", path("home")),
        ("XDG_CONFIG_HOME", path("config")),
        ("XDG_DATA_HOME", path("data")),
        ("LANG", "C.UTF-8".into()),
    ]
}

/// Output of a program, as it comes; the channel ends with it.
pub(crate) fn output(mut from: impl Read + Send + 'static) -> Receiver<Vec<u8>> {
    let (sender, receiver) = channel();
    thread::spawn(move || {
        let mut chunk = vec![0; 1 << 16];
        while let Ok(count @ 1..) = from.read(&mut chunk) {
            if sender.send(chunk.get(..count).unwrap_or_default().to_vec()).is_err() {
                return;
            }
        }
    });
    receiver
}

/// The command as a person would type it.
pub(crate) fn shown(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    words.map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ")
}
