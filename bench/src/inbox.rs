//! The inbox on a terminal: from its start to the first frame, from a key to the next, and what it costs to be open.

use crate::commands::home;
use crate::figures::{Table, Times};
use crate::forms::thousand;
use crate::idle::pass_time;
use crate::lists::fill;
use crate::request::new_ask;
use crate::{Run, floor};
use anyhow::{Context as _, bail, ensure};
use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};
use sayso_core::NewAsk;
use sayso_desk::{Desk as _, LocalDesk};
use std::io::{Read as _, Write};
use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

const END_FRAME: &[u8] = b"\x1b[?2026l";
const LIMIT: Duration = Duration::from_secs(20);

/// The program on a terminal that notes what it gets.
struct Shown {
    keyboard: Box<dyn Write + Send>,
    written: Receiver<Vec<u8>>,
    /// What came since somebody last looked.
    raw: Vec<u8>,
    child: Box<dyn Child + Send + Sync>,
    _master: Box<dyn MasterPty + Send>,
}

impl Shown {
    fn start(run: &Run, home: &Path) -> anyhow::Result<Self> {
        let pair = native_pty_system().openpty(PtySize { rows: 40, cols: 120, ..PtySize::default() })?;
        let mut command = CommandBuilder::new(&run.sayso);
        command.env_clear();
        command.env("HOME", home);
        command.env("USER", "ana");
        command.env("TERM", "xterm-256color");
        command.env("LANG", "C.UTF-8");
        command.env("SAYSO_THEME", "dark");
        command.env("SAYSO_DESK", format!("sqlite:{}", home.join("desk.db").display()));
        command.cwd(home);
        let mut reader = pair.master.try_clone_reader()?;
        let keyboard = pair.master.take_writer()?;
        let (sender, written) = channel();
        thread::spawn(move || {
            let mut chunk = vec![0; 1 << 16];
            while let Ok(count @ 1..) = reader.read(&mut chunk) {
                if sender.send(chunk.get(..count).unwrap_or_default().to_vec()).is_err() {
                    return;
                }
            }
        });
        let child = pair.slave.spawn_command(command)?;
        Ok(Self { keyboard, written, raw: Vec::new(), child, _master: pair.master })
    }

    /// Waits for a frame that has these bytes in it.
    fn frame(&mut self, words: &[u8]) -> anyhow::Result<()> {
        let has = |raw: &[u8], wanted: &[u8]| {
            wanted.is_empty() || raw.windows(wanted.len()).any(|window| window == wanted)
        };
        while !(has(&self.raw, words) && has(&self.raw, END_FRAME)) {
            let Ok(bytes) = self.written.recv_timeout(LIMIT) else {
                bail!("no frame with {:?}", String::from_utf8_lossy(words))
            };
            self.raw.extend(bytes);
        }
        self.raw.clear();
        Ok(())
    }

    fn key(&mut self, bytes: &[u8]) -> anyhow::Result<()> {
        self.keyboard.write_all(bytes)?;
        Ok(self.keyboard.flush()?)
    }

    fn end(mut self) -> anyhow::Result<()> {
        self.child.kill()?;
        self.child.wait()?;
        Ok(())
    }
}

/// From its start to the frame with the first of 1,000 asks, and what it costs while nothing happens.
pub(crate) fn first_frame(run: &Run, table: &mut Table) -> anyhow::Result<()> {
    let home = home(run, "inbox")?;
    fill(&home.join("desk.db"), 1_000)?;
    let mut times = Times::default();
    for _ in 0..run.times(100) {
        let start = Instant::now();
        let mut shown = Shown::start(run, &home)?;
        shown.frame(b"Deploy plan")?;
        times.push(start.elapsed());
        shown.end()?;
    }
    table.row("inbox: start to the list of 1,000 open", times.shown(), "≤ 8 ms", "");
    let mut shown = Shown::start(run, &home)?;
    shown.frame(b"Deploy plan")?;
    pass_time(); // what comes after the first frame
    let pid = shown.child.process_id().context("no process")?;
    let (before, ..) = floor::usage(pid)?;
    pass_time();
    let (after, resident, anonymous) = floor::usage(pid)?;
    let used = after.saturating_sub(before);
    table.row(
        "inbox open with 1,000 asks, ten seconds of nothing",
        format!("{used:?} of processor; anonymous {anonymous} KiB, resident {resident} KiB"),
        "≤ 30 MiB; no more than the look once a second",
        "",
    );
    shown.end()
}

/// From a key to the frame that shows what it did, in a questionnaire of 1,000 questions.
pub(crate) fn key_to_frame(run: &Run, table: &mut Table) -> anyhow::Result<()> {
    let home = home(run, "inbox-keys")?;
    let desk = LocalDesk::open(&home.join("desk.db"))?;
    let new = NewAsk { questionnaire: Arc::new(thousand()), ..new_ask(0)? };
    desk.open(None, new)?;
    let mut shown = Shown::start(run, &home)?;
    shown.frame(b"1000")?;
    shown.key(b"\r")?;
    shown.frame(b"Question")?;
    let mut times = Times::default();
    for number in 0..run.times(1_000) {
        // To the next question and back, and two picks, each of which shows or hides 120 questions.
        let key: &[u8] = match number % 4 {
            0 => b"\t",
            1 => b"\x1b[Z",
            2 => b"2",
            _ => b"1",
        };
        let start = Instant::now();
        shown.key(key)?;
        shown.frame(b"")?;
        times.push(start.elapsed());
        // A save that was on its way draws a frame of its own.
        while let Ok(bytes) = shown.written.recv_timeout(Duration::from_millis(20)) {
            ensure!(!bytes.is_empty(), "the terminal has gone");
        }
    }
    table.row("key to frame, 1,000 questions", times.shown(), "p99 ≤ 4 ms", "");
    shown.end()
}
