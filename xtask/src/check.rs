//! `cargo xtask check`: the one command while working. Its steps run in order; the first that fails
//! ends it and is named.

use std::io::{self, BufRead, BufReader, Write};
use std::path::Path;
use std::process::{ExitCode, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, bail};

use crate::tools::{self, TOOLS};
use crate::totals::Totals;
use crate::{codegen, interleavings, no_arguments, process, setup, storm, tidy};

/// One thing that must be in order.
struct Step {
    name: &'static str,
    run: fn(&Path, &mut Totals) -> anyhow::Result<()>,
}

const STEPS: &[Step] = &[
    Step { name: "format", run: |root, _| judged_by_ours(root, format(root)) },
    Step { name: "lints", run: |root, _| judged_by_ours(root, lints(root)) },
    Step { name: "tidy", run: |root, _| tidy::check(root) },
    Step { name: "generated files", run: |root, _| codegen::check(root) },
    Step { name: "tests", run: tests },
    Step { name: "interleavings", run: |root, _| interleavings::check(root) },
    Step { name: "storm", run: |root, _| storm::check(root) },
    Step { name: "docs", run: |root, _| judged_by_ours(root, docs(root)) },
];

/// Runs the command.
pub(crate) fn run(root: &Path, arguments: &[String]) -> anyhow::Result<ExitCode> {
    no_arguments(arguments)?;
    let missing = tools::missing(root, TOOLS);
    if !missing.is_empty() {
        bail!("missing: {}; run `cargo xtask setup` first", setup::names(&missing));
    }
    let mut totals = Totals::default();
    let mut times = Vec::new();
    for (number, step) in STEPS.iter().enumerate() {
        println!("==> [{}/{}] {}", number + 1, STEPS.len(), step.name);
        let started = Instant::now();
        let result = (step.run)(root, &mut totals);
        times.push((step.name, started.elapsed()));
        if let Err(error) = result {
            print_times(&times);
            let failure = format!("error: step `{}` failed: {error:#}", step.name);
            return Ok(fail(&failure, totals));
        }
    }
    print_times(&times);
    println!("{totals}");
    Ok(ExitCode::SUCCESS)
}

/// Says what failed. The totals are the last word only where tests are what failed: after any other
/// failure a line that counts no failed test would mislead.
fn fail(failure: &str, totals: Totals) -> ExitCode {
    eprintln!("{failure}");
    if totals.failed > 0 {
        println!("{totals}");
    }
    ExitCode::FAILURE
}

fn print_times(times: &[(&str, Duration)]) {
    println!("==> times");
    for (name, time) in times {
        println!("{:>8.1} s  {name}", time.as_secs_f64());
    }
}

fn cargo(root: &Path, words: &[&str]) -> anyhow::Result<()> {
    process::run(&mut process::command(root, &[&["cargo"], words].concat())?)
}

fn format(root: &Path) -> anyhow::Result<()> {
    cargo(root, &["fmt", "--all", "--check"])
}

fn lints(root: &Path) -> anyhow::Result<()> {
    let words = ["clippy", "--workspace", "--all-targets", "--locked", "--"];
    let deny: &[&str] = if is_ours(root)? { &["-D", "warnings"] } else { &[] };
    cargo(root, &[&words, deny].concat())
}

fn docs(root: &Path) -> anyhow::Result<()> {
    let words = ["cargo", "doc", "--workspace", "--no-deps", "--locked"];
    let flags = if is_ours(root)? { "-D warnings" } else { "" };
    process::run(process::command(root, &words)?.env("RUSTDOCFLAGS", flags))
}

/// The Rust that this project is written for.
const OURS: &str = env!("CARGO_PKG_RUST_VERSION");

/// Whether the installed Rust is the one that this project is written for.
fn is_ours(root: &Path) -> anyhow::Result<bool> {
    let output = process::command(root, &["rustc", "--version"])?.output().context("cannot run `rustc`")?;
    Ok(is_version(&String::from_utf8_lossy(&output.stdout), OURS))
}

fn is_version(said: &str, ours: &str) -> bool {
    let version = said.split_whitespace().nth(1).unwrap_or_default();
    version.strip_prefix(ours).is_some_and(|patch| patch.is_empty() || patch.starts_with('.'))
}

/// What another Rust says of style and lints fails nothing: each release has more to say, and whoever tries the project
/// with today's cannot mend that.
fn judged_by_ours(root: &Path, result: anyhow::Result<()>) -> anyhow::Result<()> {
    match result {
        Err(error) if !is_ours(root)? => {
            println!("{error:#}; that fails only with Rust {OURS}");
            Ok(())
        }
        result => result,
    }
}

/// Runs all tests, passing their output through while counting. `--no-fail-fast`, so that one red
/// test binary does not hide the others from the totals.
fn tests(root: &Path, totals: &mut Totals) -> anyhow::Result<()> {
    let words = ["cargo", "test", "--workspace", "--locked", "--no-fail-fast"];
    let mut child =
        process::command(root, &words)?.stdout(Stdio::piped()).spawn().context("cannot run `cargo test`")?;
    let output = child.stdout.take().context("no output to read")?;
    pass_through(BufReader::new(output), io::stdout().lock(), totals)?;
    judge(child.wait()?, totals)
}

fn pass_through(mut from: impl BufRead, mut to: impl Write, totals: &mut Totals) -> io::Result<()> {
    let mut line = Vec::new();
    while from.read_until(b'\n', &mut line)? > 0 {
        to.write_all(&line)?;
        totals.add_line(&String::from_utf8_lossy(&line));
        line.clear();
    }
    to.flush()
}

fn judge(status: ExitStatus, totals: &Totals) -> anyhow::Result<()> {
    if !status.success() {
        bail!("`cargo test` ended with {status}; {} failed", totals.failed);
    }
    if totals.ran() == 0 {
        bail!("no test ran");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::process::{Command, ExitStatus};

    use super::{Totals, is_version, judge, pass_through};

    fn status_of(arguments: &[&str]) -> ExitStatus {
        Command::new("cargo").args(arguments).output().unwrap().status
    }

    #[test]
    fn output_is_passed_through_unchanged_while_it_is_counted() {
        let output = b"test a ... \xff ok\n\ntest result: ok. 1 passed; 0 failed; 0 ignored\nno newline";
        let (mut seen, mut totals) = (Vec::new(), Totals::default());
        pass_through(output.as_slice(), &mut seen, &mut totals).unwrap();
        assert_eq!(seen, output);
        assert_eq!(totals, Totals { passed: 1, failed: 0, skipped: 0 });
    }

    #[test]
    fn another_release_of_rust_is_told_from_ours() {
        for (said, is_ours) in [
            ("rustc 1.95.0 (59807616e 2026-04-14)", true),
            ("rustc 1.95.2", true),
            ("rustc 1.99.1 (58cf8f9c3 2026-10-13)", false),
            ("rustc 1.950.0", false),
            ("", false),
        ] {
            assert_eq!(is_version(said, "1.95"), is_ours, "{said}");
        }
    }

    #[test]
    fn a_run_without_tests_fails() {
        let good = status_of(&["--version"]);
        let skipped = Totals { skipped: 3, ..Totals::default() };
        assert!(judge(good, &Totals::default()).is_err());
        assert!(judge(good, &skipped).is_err());
        assert!(judge(good, &Totals { passed: 1, ..Totals::default() }).is_ok());
    }

    #[test]
    fn a_run_that_ended_badly_fails_whatever_was_counted() {
        let bad = status_of(&["--no-such-switch"]);
        assert!(judge(bad, &Totals { passed: 5, ..Totals::default() }).is_err());
    }
}
