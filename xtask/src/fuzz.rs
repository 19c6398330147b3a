//! `cargo xtask fuzz`: throws random texts at the readers, the display and the patterns, and keeps what breaks them.
//!
//! The targets are a workspace of their own, `fuzz/`, that libFuzzer drives through cargo-fuzz. No sanitizer watches
//! them: those need a nightly compiler, and all of what runs here is safe Rust, which says itself when it fails.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::{Context, bail};

use crate::requirements::{self, Source, Tool};
use crate::setup;
use xtask::process;
use xtask::usage::Usage;

/// A target is a file in `fuzz/fuzz_targets`, some seeds in `fuzz/seeds` and a dictionary.
const TARGETS: &[&str] = &[
    "questionnaire",
    "answers",
    "ask_user_question",
    "auq",
    "interaction",
    "interrupt",
    "questionnaire_api",
    "display",
    "pattern",
];

/// Default duration of each target, in seconds.
const SECONDS: u32 = 60;

/// One input may take so long, in seconds. A busy machine takes a second for what a free one does in a moment.
const INPUT_SECONDS: u32 = 10;

/// So much of an input that broke something is printed, in bytes.
const SHOWN_BYTES: usize = 4_096;

/// The version of cargo-fuzz that is known to work with the compiler that we use.
const VERSION: &str = "0.13.2";

/// Folder in which it is installed, so that it changes nothing else on the machine.
const TOOLS: &str = "target/tools";

/// Programs that it requires.
const NEEDED: &[Tool] = &[Tool {
    name: "C++ compiler",
    needed_for: "libFuzzer",
    probe: &["c++", "--version"],
    source: Source::Debian(&["g++"]),
}];

/// Options of the command line.
#[derive(Debug, PartialEq)]
struct Plan {
    seconds: u32,
    targets: Vec<&'static str>,
}

/// Runs the command.
pub(crate) fn run(root: &Path, arguments: &[String]) -> anyhow::Result<ExitCode> {
    let plan = plan(arguments)?;
    let missing = requirements::missing(root, NEEDED);
    if !missing.is_empty() {
        bail!("missing: {} (in Debian: `apt-get install g++`)", setup::names(&missing));
    }
    install(root)?;
    // All at once, and before the first of them takes its time.
    process::run(&mut cargo_fuzz(root, "build")?)?;
    let mut broken = Vec::new();
    for target in &plan.targets {
        println!("==> {target}: {} s", plan.seconds);
        if !holds(root, target, plan.seconds)? {
            broken.push(*target);
        }
    }
    if broken.is_empty() {
        return Ok(ExitCode::SUCCESS);
    }
    eprintln!("error: something breaks {}; the inputs stand above", broken.join(", "));
    Ok(ExitCode::FAILURE)
}

fn plan(arguments: &[String]) -> Result<Plan, Usage> {
    let mut plan = Plan { seconds: SECONDS, targets: Vec::new() };
    let mut words = arguments.iter();
    while let Some(word) = words.next() {
        if word == "--seconds" {
            let seconds = words.next().and_then(|seconds| seconds.parse().ok());
            plan.seconds = seconds
                .filter(|seconds| *seconds > 0)
                .ok_or_else(|| Usage("`--seconds` wants a whole number above 0".to_owned()))?;
            continue;
        }
        let known = TARGETS.iter().find(|target| *target == word);
        let there_are = || Usage(format!("there is no target `{word}`; there are {}", TARGETS.join(", ")));
        plan.targets.push(known.ok_or_else(there_are)?);
    }
    if plan.targets.is_empty() {
        plan.targets = TARGETS.to_vec();
    }
    Ok(plan)
}

fn install(root: &Path) -> anyhow::Result<()> {
    let version = Command::new(root.join(program())).arg("--version").output();
    let expected = format!("cargo-fuzz {VERSION}");
    if version.is_ok_and(|output| output.stdout.trim_ascii() == expected.as_bytes()) {
        return Ok(());
    }
    println!("fuzz: installing {expected} into {TOOLS}, once");
    let words =
        ["cargo", "install", "cargo-fuzz", "--version", VERSION, "--locked", "--force", "--root", TOOLS];
    process::run(&mut process::command(root, &words)?)
}

fn program() -> String {
    format!("{TOOLS}/bin/cargo-fuzz")
}

/// A command of cargo-fuzz, on the compiler that builds everything else.
fn cargo_fuzz(root: &Path, name: &str) -> anyhow::Result<Command> {
    let program = program();
    let words =
        [&program, "fuzz", name, "--sanitizer", "none", "--fuzz-dir", "fuzz", "--target-dir", "target/fuzz"];
    process::command(root, &words)
}

/// Runs a target for some time. Whatever breaks it is printed.
fn holds(root: &Path, target: &str, seconds: u32) -> anyhow::Result<bool> {
    let kept = root.join("fuzz/artifacts").join(target);
    // New inputs that get further go into the first folder; the seeds stay as they are.
    let corpus = format!("fuzz/corpus/{target}");
    fs::create_dir_all(root.join(&corpus)).with_context(|| corpus.clone())?;
    let before = files(&kept)?;
    let mut command = cargo_fuzz(root, "run")?;
    command.args([target, &corpus, &format!("fuzz/seeds/{target}"), "--"]).args([
        format!("-max_total_time={seconds}"),
        format!("-timeout={INPUT_SECONDS}"),
        format!("-dict=fuzz/dictionaries/{target}.dict"),
        "-print_final_stats=1".to_owned(),
    ]);
    let status = command.status().with_context(|| format!("cannot run `{}`", process::shown(&command)))?;
    for path in files(&kept)?.difference(&before) {
        report(root, target, path)?;
    }
    Ok(status.success())
}

fn files(folder: &Path) -> anyhow::Result<BTreeSet<PathBuf>> {
    if !folder.exists() {
        return Ok(BTreeSet::new());
    }
    let entries = fs::read_dir(folder).with_context(|| folder.display().to_string())?;
    Ok(entries.map(|entry| entry.map(|entry| entry.path())).collect::<Result<_, _>>()?)
}

fn report(root: &Path, target: &str, path: &Path) -> anyhow::Result<()> {
    let input = fs::read(path).with_context(|| path.display().to_string())?;
    let path = path.strip_prefix(root).unwrap_or(path).display().to_string();
    let mut again = cargo_fuzz(root, "run")?;
    again.args([target, &path]);
    eprintln!("==> {target} broke on {} bytes, kept in {path}", input.len());
    eprintln!("{}", shown(&input));
    eprintln!("==> again: {}", process::shown(&again));
    Ok(())
}

/// An input as a person may see it: what breaks a reader could break a terminal too.
fn shown(input: &[u8]) -> String {
    let (head, dots) = match input.get(..SHOWN_BYTES) {
        Some(head) if head.len() < input.len() => (head, " …"),
        _ => (input, ""),
    };
    format!("\"{}\"{dots}", String::from_utf8_lossy(head).escape_default())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::path::Path;

    use super::{Plan, SECONDS, TARGETS, plan, shown};

    fn planned(line: &str) -> Option<Plan> {
        let words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
        plan(&words).ok()
    }

    #[test]
    fn without_words_every_target_runs_for_a_minute() {
        assert_eq!(planned(""), Some(Plan { seconds: SECONDS, targets: TARGETS.to_vec() }));
    }

    #[test]
    fn targets_and_seconds_may_be_named() {
        let expected = Plan { seconds: 5, targets: vec!["display", "pattern"] };
        assert_eq!(planned("display --seconds 5 pattern"), Some(expected));
        for line in ["displays", "--second 5", "--seconds", "--seconds 0", "--seconds x", "../display"] {
            assert_eq!(planned(line), None, "{line}");
        }
    }

    #[test]
    fn each_target_has_its_files() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fuzz");
        for target in TARGETS {
            for path in [format!("seeds/{target}"), format!("dictionaries/{target}.dict")] {
                assert!(folder.join(&path).exists(), "{path}");
            }
        }
        let sources = std::fs::read_dir(folder.join("fuzz_targets")).unwrap();
        let names: BTreeSet<_> = sources.map(|entry| entry.unwrap().file_name()).collect();
        assert_eq!(names, TARGETS.iter().map(|target| format!("{target}.rs").into()).collect());
    }

    #[test]
    fn an_input_cannot_steer_the_terminal_it_is_printed_on() {
        assert_eq!(shown(b"a\x1b[2J\xff\n"), "\"a\\u{1b}[2J\\u{fffd}\\n\"");
        assert!(shown(&[b'x'; 5_000]).ends_with("x\" …"));
    }
}
