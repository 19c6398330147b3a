//! Floors: the least that the machine allows for the same work, measured in the same run.

pub(crate) mod pgbench;
mod raw;

pub(crate) use raw::RawSql;

use crate::figures::Times;
use anyhow::Context as _;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

/// A Rust program that only greets, built here with the compiler at hand.
pub(crate) fn hello(folder: &Path) -> anyhow::Result<PathBuf> {
    let source = folder.join("hello.rs");
    let program = folder.join("hello");
    std::fs::write(&source, "fn main() { println!(\"hello\"); }")?;
    let built = Command::new("rustc").args(["-O", "-o"]).arg(&program).arg(&source).status()?;
    anyhow::ensure!(built.success(), "rustc failed");
    Ok(program)
}

/// Time of a program from its start to its end.
pub(crate) fn program(count: usize, program: &Path, args: &[&str]) -> anyhow::Result<Times> {
    Times::of(count, || {
        let ended = Command::new(program).args(args).stdin(Stdio::null()).stdout(Stdio::null()).status()?;
        anyhow::ensure!(ended.success(), "{} failed", program.display());
        Ok(())
    })
}

/// The processor time that each thread of a process has used so far.
pub(crate) struct Work(BTreeMap<u32, Duration>);

impl Work {
    /// Resources that a process has used.
    pub(crate) fn of(pid: u32) -> anyhow::Result<Self> {
        let mut work = BTreeMap::new();
        for thread in std::fs::read_dir(format!("/proc/{pid}/task"))? {
            let thread = thread?;
            // One that has ended meanwhile has nothing more to say.
            let Ok(stat) = std::fs::read_to_string(thread.path().join("schedstat")) else { continue };
            let nanos = stat.split_whitespace().next().context("no schedstat")?.parse()?;
            let number = thread.file_name().to_string_lossy().parse()?;
            work.insert(number, Duration::from_nanos(nanos));
        }
        Ok(Self(work))
    }

    /// Processor time that the remaining threads have used since.
    pub(crate) fn since(&self, before: &Self) -> Duration {
        let used = |(thread, now): (&u32, &Duration)| {
            now.saturating_sub(before.0.get(thread).copied().unwrap_or_default())
        };
        self.0.iter().map(used).sum()
    }
}

/// The memory of a process in KiB: resident, and what of it is its own.
pub(crate) fn memory(pid: u32) -> anyhow::Result<(u64, u64)> {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status"))?;
    let field = |name: &str| -> u64 {
        let line = status.lines().find_map(|line| line.strip_prefix(name));
        line.and_then(|rest| rest.split_whitespace().next()).and_then(|kib| kib.parse().ok()).unwrap_or(0)
    };
    Ok((field("VmRSS:"), field("RssAnon:")))
}
