//! `cargo xtask test`, `check` and `lints`: steps that run in order, all of them; those that fail are named at the end.

use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use xtask::process;
use xtask::usage::{Usage, no_arguments};

use crate::requirements::{self, TOOLS};
use crate::test::{self, Selection, Totals};
use crate::{cargo, dist, interleavings, setup, tidy};

/// One thing that must be in order.
struct Step {
    name: &'static str,
    run: fn(&Path, &mut Totals) -> anyhow::Result<()>,
}

/// Steps of `check`. The lints are those of the build of the tests, which comes first.
const CHECK: &[Step] = &[
    Step { name: "format", run: |root, _| judged_by_ours(root, format(root)) },
    Step { name: "tidy", run: |root, _| tidy::check(root) },
    Step { name: "tests", run: |root, totals| test::run(root, SHORT, totals) },
    LINTS,
    Step {
        name: "generated files",
        run: |root, _| cargo::run_tool(root, "codegen", &["--check".to_owned()]),
    },
];

/// Steps of `test --all`.
const ALL: &[Step] = &[
    Step {
        name: "all tests",
        run: |root, totals| test::run(root, Selection { is_long: true, words: &[] }, totals),
    },
    Step { name: "interleavings", run: |root, _| interleavings::check(root) },
    Step { name: "storm", run: |root, _| cargo::run_tool(root, "storm", &[]) },
    Step { name: "docs", run: |root, _| judged_by_ours(root, docs(root)) },
    Step { name: "licences and workflows", run: |root, _| dist::check_repository(root) },
    Step { name: "packages", run: |root, _| dist::check(root) },
];

const LINTS: Step = Step { name: "lints", run: |root, _| judged_by_ours(root, lints(root)) };

/// Selection of the short set.
const SHORT: Selection<'static> = Selection { is_long: false, words: &[] };

/// Switch of `test` for the long set and the other steps.
const ALL_SWITCH: &str = "--all";

/// Runs `check`.
pub(crate) fn run_check(root: &Path, arguments: &[String]) -> anyhow::Result<ExitCode> {
    no_arguments(arguments)?;
    let missing = requirements::missing(root, TOOLS);
    if !missing.is_empty() {
        bail!("missing: {}; run `cargo xtask setup` first", setup::names(&missing));
    }
    run_steps(root, CHECK)
}

/// Runs `lints`.
pub(crate) fn run_lints(root: &Path, arguments: &[String]) -> anyhow::Result<ExitCode> {
    no_arguments(arguments)?;
    run_steps(root, &[LINTS])
}

/// Runs `test`: setup, then the short set, or everything with `--all`. With words it runs only the tests with one of
/// them in their names.
pub(crate) fn run_tests(root: &Path, arguments: &[String]) -> anyhow::Result<ExitCode> {
    let (switches, words): (Vec<String>, Vec<String>) =
        arguments.iter().cloned().partition(|argument| argument.starts_with('-'));
    if let Some(unknown) = switches.iter().find(|switch| *switch != ALL_SWITCH) {
        return Err(Usage(format!("`{unknown}` is not understood here")).into());
    }
    let is_long = !switches.is_empty();
    setup::run(root, &[])?;
    if is_long && words.is_empty() {
        return run_steps(root, ALL);
    }
    let mut totals = Totals::default();
    let result = test::run(root, Selection { is_long, words: &words }, &mut totals);
    println!("{totals}");
    result?;
    Ok(ExitCode::SUCCESS)
}

fn run_steps(root: &Path, steps: &[Step]) -> anyhow::Result<ExitCode> {
    let mut totals = Totals::default();
    let (mut times, mut failures) = (Vec::new(), Vec::new());
    for (number, step) in steps.iter().enumerate() {
        println!("==> [{}/{}] {}", number + 1, steps.len(), step.name);
        let started = Instant::now();
        let result = (step.run)(root, &mut totals);
        times.push((step.name, started.elapsed()));
        if let Err(error) = result {
            let failure = format!("step `{}` failed: {error:#}", step.name);
            eprintln!("error: {failure}");
            failures.push(failure);
        }
    }
    print_times(&times);
    for failure in &failures {
        eprintln!("error: {failure}");
    }
    if totals != Totals::default() {
        println!("{totals}");
    }
    Ok(if failures.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn print_times(times: &[(&str, Duration)]) {
    println!("==> times");
    for (name, time) in times {
        println!("{:>8.1} s  {name}", time.as_secs_f64());
    }
}

fn format(root: &Path) -> anyhow::Result<()> {
    process::run(&mut process::command(root, &["cargo", "fmt", "--all", "--check"])?)
}

/// Prints what Clippy found in the build of the tests, and fails if it found anything.
fn lints(root: &Path) -> anyhow::Result<()> {
    let mut findings = cargo::build_tests(root)?.findings;
    findings.extend(cargo::build_programs(root)?.findings);
    findings.iter().for_each(|finding| println!("{finding}"));
    if !findings.is_empty() {
        bail!("{} findings, listed above", findings.len());
    }
    Ok(())
}

/// Builds the pages of all crates, and runs their examples.
fn docs(root: &Path) -> anyhow::Result<()> {
    let words = ["cargo", "doc", "--workspace", "--no-deps", "--lib", "--bins", "--examples", "--locked"];
    let flags = if is_ours(root)? { "-D warnings" } else { "" };
    process::run(process::command(root, &words)?.env("RUSTDOCFLAGS", flags))?;
    process::run(&mut process::command(root, &["cargo", "test", "--doc", "--workspace", "--locked"])?)
}

/// The Rust that this project is written for.
const OURS: &str = env!("CARGO_PKG_RUST_VERSION");

/// Returns whether the installed Rust is the one that this project is written for.
fn is_ours(root: &Path) -> anyhow::Result<bool> {
    let output = process::command(root, &["rustc", "--version"])?.output().context("cannot run `rustc`")?;
    Ok(is_version(&String::from_utf8_lossy(&output.stdout), OURS))
}

fn is_version(text: &str, ours: &str) -> bool {
    let version = text.split_whitespace().nth(1).unwrap_or_default();
    version.strip_prefix(ours).is_some_and(|patch| patch.is_empty() || patch.starts_with('.'))
}

/// Prints the findings of another Rust on style and lints, which fail nothing: each release has more of them, and a
/// visitor with a newer one cannot fix that.
fn judged_by_ours(root: &Path, result: anyhow::Result<()>) -> anyhow::Result<()> {
    match result {
        Err(error) if !is_ours(root)? => {
            println!("{error:#}; that fails only with Rust {OURS}");
            Ok(())
        }
        result => result,
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::process::ExitCode;

    use anyhow::bail;

    use super::{Step, Totals, is_version, run_steps};

    #[test]
    fn another_release_of_rust_is_told_from_ours() {
        for (text, is_ours) in [
            ("rustc 1.95.0 (59807616e 2026-04-14)", true),
            ("rustc 1.95.2", true),
            ("rustc 1.99.1 (58cf8f9c3 2026-10-13)", false),
            ("rustc 1.950.0", false),
            ("", false),
        ] {
            assert_eq!(is_version(text, "1.95"), is_ours, "{text}");
        }
    }

    #[test]
    fn steps_after_a_failed_one_run() {
        let folder = tempfile::tempdir().unwrap();
        let last = |root: &Path, _: &mut Totals| Ok(std::fs::write(root.join("last"), "")?);
        let steps =
            [Step { name: "first", run: |_, _| bail!("on purpose") }, Step { name: "last", run: last }];
        let exit = |steps| format!("{:?}", run_steps(folder.path(), steps).unwrap());
        assert_eq!(exit(&steps), format!("{:?}", ExitCode::FAILURE));
        assert!(folder.path().join("last").exists());
        let good = [Step { name: "last", run: last }];
        assert_eq!(exit(&good), format!("{:?}", ExitCode::SUCCESS));
    }
}
