//! The other process of a row: this program again, in a role. It says on standard output at what time it saw something,
//! so that the way back does not count.

use crate::figures::{now, now_nanos};
use crate::rows::threads::acp;
use crate::terminal::{BECOME, become_program};
use anyhow::{Context as _, bail};
use sayso_core::AskId;
use sayso_desk::{Desk as _, Interest, StoreDesk, WatchEvent};
use std::io::{BufRead as _, Read as _, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, SystemTime};

/// Runs a role.
pub(crate) fn run(role: &str, args: &[&str]) -> anyhow::Result<()> {
    match role {
        BECOME => return become_program(args),
        acp::ROLE => return acp::serve(args.first().context("no count")?.parse()?),
        _ => {}
    }
    let place = Path::new(args.first().context("no desk")?);
    match role {
        "axum" => return crate::rows::http::serve(),
        "compile" => return crate::load::compile(place),
        _ => {}
    }
    let desk = StoreDesk::open(place)?;
    match role {
        "see" => see(&desk),
        "wait" => wait(&desk),
        "echo" => echo(),
        other => bail!("no role {other}"),
    }
}

/// Says that it is now.
fn tick() -> anyhow::Result<()> {
    let now = now_nanos()?;
    let mut out = std::io::stdout().lock();
    out.write_all(&now.to_le_bytes())?;
    out.flush()?;
    Ok(())
}

/// Says when something comes in: the least that waking another process takes.
fn echo() -> anyhow::Result<()> {
    let mut input = std::io::stdin().lock();
    let mut byte = [0];
    loop {
        input.read_exact(&mut byte)?;
        tick()?;
    }
}

/// Says when another process's ask is to be seen.
fn see(desk: &StoreDesk) -> anyhow::Result<()> {
    let mut watch = desk.watch(Interest::All, None)?;
    tick()?;
    loop {
        for changed in watch.wait(Duration::from_secs(60))?.into_iter().filter_map(WatchEvent::into_change) {
            desk.get(changed.id)?;
            tick()?;
        }
    }
}

/// For each id on standard input: waits for its outcome as an asker does, and says when it has it.
fn wait(desk: &StoreDesk) -> anyhow::Result<()> {
    for line in std::io::stdin().lock().lines() {
        let id = AskId::parse(&line?).context("no id")?;
        let mut watch = desk.watch(Interest::Ask(id), None)?;
        let asker = desk.get(id)?.request.asker.clone();
        tick()?;
        let ask = loop {
            let ask = desk.get(id)?;
            if ask.outcome().is_some() {
                break ask;
            }
            watch.wait(Duration::from_secs(60))?;
        };
        let render = |ask: &sayso_core::Ask| format!("{:?}", ask.outcome()).into_bytes();
        desk.offer(&asker, &ask, "bench", &render)?;
        tick()?;
        desk.ack(&asker, id)?;
    }
    Ok(())
}

/// A running peer.
pub(crate) struct Peer {
    child: Child,
    pub(crate) stdin: ChildStdin,
    stdout: ChildStdout,
}

impl Peer {
    pub(crate) fn start(role: &str, desk: &Path) -> anyhow::Result<Self> {
        let mut child = Command::new(std::env::current_exe()?)
            .arg("peer")
            .arg(role)
            .arg(desk)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let stdin = child.stdin.take().context("no stdin")?;
        let stdout = child.stdout.take().context("no stdout")?;
        Ok(Self { child, stdin, stdout })
    }

    /// Waits until the peer has seen something, and when that was.
    pub(crate) fn wait_until_seen(&mut self) -> anyhow::Result<SystemTime> {
        let mut time = [0; 8];
        self.stdout.read_exact(&mut time).context("the other process ended")?;
        Ok(SystemTime::UNIX_EPOCH + Duration::from_nanos(u64::from_le_bytes(time)))
    }

    /// Measures the time from now until the peer has seen the effect of this, perhaps on its standard input.
    pub(crate) fn sees(
        &mut self,
        work: impl FnOnce(&mut ChildStdin) -> anyhow::Result<()>,
    ) -> anyhow::Result<Duration> {
        let start = now();
        work(&mut self.stdin)?;
        Ok(self.wait_until_seen()?.duration_since(start)?)
    }

    /// Reads the output of the peer up to the end of a line.
    pub(crate) fn line(&mut self) -> anyhow::Result<String> {
        let mut line = String::new();
        let mut byte = [0];
        while byte != *b"\n" {
            self.stdout.read_exact(&mut byte).context("the other process ended")?;
            line.push(char::from(byte[0]));
        }
        Ok(line)
    }

    pub(crate) fn pid(&self) -> u32 {
        self.child.id()
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
