//! `cargo xtask check`: the one command while working. Its steps run in order, all of them; those that
//! fail are named at the end.

use std::io::{self, IsTerminal as _};
use std::num::NonZero;
use std::path::Path;
use std::process::ExitCode;
use std::thread::available_parallelism;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};

use crate::test_run::totals::Totals;
use crate::test_run::{self, Session};
use crate::tools::{self, TOOLS};
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
    Step { name: "tests without a terminal", run: tests_without_terminal },
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
    run_steps(root, STEPS)
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
    // After any other failure a line that counts no failed test would mislead.
    if failures.is_empty() || totals.failed > 0 {
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
    // With the examples cargo unites the features of libraries as it does for the lints: the checked ones serve again.
    let words = ["cargo", "doc", "--workspace", "--no-deps", "--lib", "--bins", "--examples", "--locked"];
    let flags = if is_ours(root)? { "-D warnings" } else { "" };
    process::run(process::command(root, &words)?.env("RUSTDOCFLAGS", flags))
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

/// The tests of the program whose outcome could depend on the terminal of whoever runs them, by their modules.
const TERMINAL_TESTS: &[&str] = &[
    "ask_user_question::command::",
    "auq::commands::",
    "cli::asks_without_terminal::",
    "cli::command_claims::",
    "cli::first_steps::",
    "docs::languages::",
    "docs::readme::",
    "inbox::plain::",
    "inbox::screen_tty::",
    "prompter::consent::",
    "prompter::interruptions::",
    "prompter::piped_lines::",
    "support::program::",
];

/// Threads of a run beyond those for the cores: some tests wait for a deadline of the program, up to 45 s each.
const SPARE_THREADS: usize = 1;

/// Runs all tests on a terminal. `--no-fail-fast`, so that one red test binary does not hide the others from the
/// totals.
fn tests(root: &Path, totals: &mut Totals) -> anyhow::Result<()> {
    cargo_test(root, &["--workspace"], &[], Session::OnTerminal, totals)
}

/// Runs some of them once more, as a scheduler would.
fn tests_without_terminal(root: &Path, totals: &mut Totals) -> anyhow::Result<()> {
    // Of the whole workspace, because for one package alone cargo would build other features of its dependencies.
    let which = &["--workspace", "--test", "it"];
    cargo_test(root, which, TERMINAL_TESTS, Session::WithoutTerminal, totals)
}

fn cargo_test(
    root: &Path,
    which: &[&str],
    names: &[&str],
    session: Session,
    totals: &mut Totals,
) -> anyhow::Result<()> {
    let colour: &[&str] = if io::stdout().is_terminal() { &["--color=auto"] } else { &["--color=never"] };
    let threads =
        format!("--test-threads={}", available_parallelism().map_or(1, NonZero::get) + SPARE_THREADS);
    let how: &[&str] = &["--", &threads];
    let words = [&["cargo", "test", "--locked", "--no-fail-fast"], which, colour, how, colour, names];
    let mut counted = Totals::default();
    let result = test_run::run(root, &words.concat(), session, io::stdout().lock(), &mut counted);
    totals.add(counted);
    judge(result, &counted)
}

fn judge(result: anyhow::Result<()>, counted: &Totals) -> anyhow::Result<()> {
    result.with_context(|| format!("{} failed", counted.failed))?;
    if counted.ran() == 0 {
        bail!("no test ran");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::process::ExitCode;

    use anyhow::bail;

    use super::{Step, TERMINAL_TESTS, Totals, is_version, judge, run_steps};

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

    #[test]
    fn terminal_tests_exist() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates/sayso/tests/it");
        for name in TERMINAL_TESTS {
            let file = folder.join(format!("{}.rs", name.trim_end_matches("::").replace("::", "/")));
            assert!(file.is_file(), "{name}");
        }
    }

    #[test]
    fn a_run_without_tests_fails() {
        let skipped = Totals { skipped: 3, ..Totals::default() };
        assert!(judge(Ok(()), &Totals::default()).is_err());
        assert!(judge(Ok(()), &skipped).is_err());
        assert!(judge(Ok(()), &Totals { passed: 1, ..Totals::default() }).is_ok());
    }

    #[test]
    fn failed_run_fails_with_its_count() {
        let bad = Err(anyhow::anyhow!("it ended badly"));
        let error = judge(bad, &Totals { passed: 5, failed: 2, skipped: 0 }).unwrap_err();
        assert_eq!(format!("{error:#}"), "2 failed: it ended badly");
    }
}
