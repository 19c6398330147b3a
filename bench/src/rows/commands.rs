//! The program as people and agents start it.

use crate::table::{Reference, Table};
use crate::{Run, floor, request};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

pub(crate) fn start(run: &Run, table: &mut Table) -> anyhow::Result<()> {
    let hello = floor::hello(run.folder.path())?;
    let floor = floor::program(run.times(400), &hello, &[])?;
    let times = floor::program(run.times(400), &run.sayso, &["--version"])?;
    table.times("`sayso --version`", &times, vec![Reference::from_times("hello", &floor)]);
    Ok(())
}

/// A command with a desk and a home of its own, where answers may be given as an argument.
pub(crate) fn sayso(run: &Run, home: &Path) -> Command {
    let mut command = Command::new(&run.sayso);
    command
        .env_clear()
        .env("HOME", home)
        .env("USER", "ana")
        .env("SAYSO_DESK", format!("sqlite:{}", home.join("desk.db").display()))
        .current_dir(home)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    command
}

/// A home folder in which answers may be given as an argument.
pub(crate) fn home(run: &Run, name: &str) -> anyhow::Result<std::path::PathBuf> {
    let home = run.folder.path().join(name);
    std::fs::create_dir_all(home.join(".config/sayso"))?;
    std::fs::write(home.join(".config/sayso/config.toml"), "scripted_answers = true\n")?;
    std::fs::write(home.join("request.json"), request::TEXT)?;
    Ok(home)
}

/// A home whose desk has been there for a while. In its first minute each commit waits for the disk once more, for the name
/// of its log.
pub(crate) fn lived_in(run: &Run, name: &str) -> anyhow::Result<std::path::PathBuf> {
    const YOUNG: Duration = Duration::from_secs(61);
    let home = home(run, name)?;
    let age = std::fs::metadata(home.join("desk.db-wal"))?.created()?.elapsed()?;
    if !run.quick {
        #[expect(clippy::disallowed_methods, reason = "the desk has to grow older")]
        std::thread::sleep(YOUNG.saturating_sub(age));
    }
    Ok(home)
}
