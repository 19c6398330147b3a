//! The program as people and agents start it.

use crate::figures::{Times, millis};
use crate::table::{Table, Target};
use crate::{Run, floor, request};
use anyhow::Context as _;
use sayso_desk::{Desk as _, Interest, StoreDesk, WatchEvent};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

pub(crate) fn start(run: &Run, table: &mut Table) -> anyhow::Result<()> {
    let hello = floor::hello(run.folder.path())?;
    let floor = floor::program(run.times(400), &hello, &[])?;
    let times = floor::program(run.times(400), &run.sayso, &["--version"])?;
    let limit = floor.median() + Duration::from_millis(1);
    let target = Target::at_most("hello + 1 ms", times.median().as_secs_f64(), limit.as_secs_f64());
    let floor_shown = format!("hello {}", millis(floor.median()));
    table.row("`sayso --version`", times.shown(), target, floor_shown);
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

/// Commands at a desk that nobody else has open, so that each finds of the log what those before it left.
pub(crate) fn alone(run: &Run, table: &mut Table) -> anyhow::Result<()> {
    let home = home(run, "alone")?;
    let (mut asking, mut listing) = (Times::default(), Times::default());
    for number in 0..run.times(600) {
        let request = request::TEXT.replace("Deploy plan", &format!("Deploy plan {number}"));
        for (times, args) in [(&mut asking, vec!["ask", "--no-wait", &request]), (&mut listing, vec!["list"])]
        {
            let start = Instant::now();
            let status = sayso(run, &home).args(&args).status()?;
            times.push(start.elapsed());
            anyhow::ensure!(status.success(), "{args:?} failed");
        }
    }
    table.row(
        "`sayso ask --no-wait` 600 times, nobody else at the desk",
        asking.shown(),
        Target::median(&asking, Duration::from_millis(4)),
        "",
    );
    table.row(
        "`sayso list` after each of them",
        listing.shown(),
        Target::median(&listing, Duration::from_millis(4)),
        "",
    );
    Ok(())
}

pub(crate) fn ask_and_answer(run: &Run, table: &mut Table) -> anyhow::Result<()> {
    let home = lived_in(run, "commands")?;
    let desk = StoreDesk::open(&home.join("desk.db"))?;
    let answers = r#"{"answers":{"env":"canary","window":["tonight"],"notes":"drop v1"}}"#;
    let (mut whole, mut waking) = (Times::default(), Times::default());
    for _ in 0..run.times(300) {
        let mut watch = desk.watch(Interest::All, None)?;
        let start = Instant::now();
        let mut asking = sayso(run, &home).args(["ask", "request.json"]).spawn()?;
        let id = loop {
            let changes = watch.wait(Duration::from_secs(10))?;
            if let Some(changed) = changes.into_iter().find_map(WatchEvent::into_change) {
                break changed.id;
            }
        };
        let asked = start.elapsed();
        let start = Instant::now();
        let answered = sayso(run, &home).args(["answer", &id.to_string(), "--answers", answers]).status()?;
        anyhow::ensure!(answered.success(), "answer failed");
        let ended = asking.wait().context("ask failed")?;
        anyhow::ensure!(ended.success(), "ask failed");
        waking.push(asked);
        whole.push(asked + start.elapsed());
    }
    let target = Target::median(&whole, Duration::from_millis(6));
    table.row("`ask` + `answer` as commands, start to end", whole.shown(), target, "");
    table.row(
        "of it `ask` from its start to visible",
        waking.shown(),
        Target::median(&waking, Duration::from_millis(3)),
        "",
    );
    Ok(())
}
