//! Machine on which the figures were measured.

use crate::figures::Times;
use crate::load::root;
use anyhow::Context as _;
use std::fs::File;
use std::io::{Seek as _, SeekFrom, Write as _};
use std::path::Path;
use std::process::Command;
use std::time::Duration;

/// As much as a desk writes at once at least.
const PAGE: [u8; 4_096] = [2; 4_096];

/// Each fact has a name and words; what cannot be found out is left out.
pub(crate) fn facts(desks: &Path) -> Vec<(String, String)> {
    let facts = [
        ("Processor", processor()),
        ("Memory", memory()),
        ("System", system()),
        ("Desks lie on", file_system(desks)),
        ("Its disk confirms 4 KiB in", disk(desks).ok()),
        ("Built with", output_of("rustc", &["--version"])),
        ("Node", output_of("node", &["--version"])),
    ];
    facts.into_iter().filter_map(|(name, words)| Some((name.to_owned(), words?))).collect()
}

/// The commit that was measured, and whether something was changed since.
pub(crate) fn commit() -> String {
    let commit =
        output_of("git", &["rev-parse", "--short=10", "HEAD"]).unwrap_or_else(|| "unknown".to_owned());
    // The page that is about to be written is no change of the program.
    let changed = output_of("git", &["status", "--porcelain", "--", ".", ":!docs/performance.md"]);
    if changed.is_some() { format!("{commit}, with changes that are not committed") } else { commit }
}

/// The day of the run.
pub(crate) fn day() -> String {
    output_of("date", &["-u", "+%F"]).unwrap_or_default()
}

/// The first line that a program says, if it says any.
fn output_of(program: &str, words: &[&str]) -> Option<String> {
    let output = Command::new(program).args(words).current_dir(root()).output().ok()?;
    let text = String::from_utf8_lossy(&output.stdout).lines().next()?.trim().to_owned();
    (output.status.success() && !text.is_empty()).then_some(text)
}

/// The value behind a name in a file of lines.
fn value(file: &str, name: &str, between: char) -> Option<String> {
    let text = std::fs::read_to_string(file).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix(name)?.trim_start().strip_prefix(between))?;
    Some(line.trim().trim_matches('"').to_owned())
}

fn processor() -> Option<String> {
    let cores = std::thread::available_parallelism().ok()?;
    let model =
        value("/proc/cpuinfo", "model name", ':').unwrap_or_else(|| std::env::consts::ARCH.to_owned());
    Some(format!("{model}, {cores} of its threads"))
}

fn memory() -> Option<String> {
    let kib: f64 = value("/proc/meminfo", "MemTotal", ':')?.trim_end_matches(" kB").parse().ok()?;
    Some(format!("{:.0} GiB", kib / f64::from(1 << 20)))
}

fn system() -> Option<String> {
    let name =
        value("/etc/os-release", "PRETTY_NAME", '=').unwrap_or_else(|| std::env::consts::OS.to_owned());
    Some(format!("{name}, kernel {}", output_of("uname", &["-sr"])?))
}

fn file_system(folder: &Path) -> Option<String> {
    let folder = folder.to_str()?;
    let text = output_of("findmnt", &["--noheadings", "--output", "FSTYPE,SOURCE", "--target", folder])?;
    Some(text.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// Least time of every commit: one page is overwritten and confirmed.
fn disk(folder: &Path) -> anyhow::Result<String> {
    let path = folder.join("disk");
    let mut file = File::create(&path)?;
    file.write_all(&vec![1; PAGE.len() * 64])?;
    file.sync_all()?;
    let mut number = 0;
    let times = Times::of(2_000, || {
        number += 1;
        file.seek(SeekFrom::Start(number % 64 * PAGE.len() as u64))?;
        file.write_all(&PAGE)?;
        Ok(file.sync_data()?)
    })?;
    std::fs::remove_file(path)?;
    Ok(times.shown())
}

/// Idle share of the processors during ten seconds, in per cent.
pub(crate) fn idle() -> anyhow::Result<f64> {
    let before = ticks()?;
    #[expect(clippy::disallowed_methods, reason = "what is measured is that nothing happens")]
    std::thread::sleep(Duration::from_secs(10));
    let after = ticks()?;
    Ok(100.0 * (after.0 - before.0) / (after.1 - before.1))
}

/// The idle and the whole time of all processors so far.
fn ticks() -> anyhow::Result<(f64, f64)> {
    let text = std::fs::read_to_string("/proc/stat")?;
    let line = text.lines().next().context("no line")?;
    let ticks: Vec<f64> = line.split_whitespace().filter_map(|word| word.parse().ok()).collect();
    Ok((*ticks.get(3).context("no idle time")?, ticks.iter().sum()))
}
