//! Every chore of the project, as a Rust command: `cargo xtask <command>`.
//!
//! A new chore is a module with a `run` function and one row in [`CHORES`].

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a chore talks to whoever runs it")]

mod bench;
mod browser;
mod cargo;
mod check;
mod dist;
mod fuzz;
mod interleavings;
mod requirements;
mod setup;
mod test;
mod tidy;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context;
use xtask::usage::Usage;

/// One `cargo xtask` command.
struct Chore {
    name: &'static str,
    /// Arguments as the usage text shows them.
    arguments: &'static str,
    about: &'static str,
    /// Gets the root of the repository and the arguments after the name.
    run: fn(&Path, &[String]) -> anyhow::Result<ExitCode>,
}

/// All commands, in the order the usage text lists them.
const CHORES: &[Chore] = &[
    Chore {
        name: "setup",
        arguments: "[--dry-run]",
        about: "install whatever the tests need and this machine lacks",
        run: setup::run,
    },
    Chore {
        name: "test",
        arguments: "[--all] [WORDS …]",
        about: "setup, then the short set of tests; --all adds the long set, interleavings, a small storm and docs",
        run: check::run_tests,
    },
    Chore {
        name: "check",
        arguments: "",
        about: "format, tidy, the short set of tests, lints, generated files: run it while working",
        run: check::run_check,
    },
    Chore { name: "lints", arguments: "", about: "what Clippy finds", run: check::run_lints },
    Chore { name: "tidy", arguments: "", about: "the rules about sources and manifests", run: tidy::run },
    Chore {
        name: "codegen",
        arguments: "[--check]",
        about: "renew the generated files, or say which are stale",
        run: |root, arguments| run_tool(root, "codegen", arguments),
    },
    Chore {
        name: "bench",
        arguments: "[--report | --render] [--quick] [--no-peers] [row …]",
        about: "measure what users wait for, beside floors and peers; --report writes docs/performance.md",
        run: bench::run,
    },
    Chore {
        name: "browser",
        arguments: "[--quick] [--no-peers | --screens]",
        about: "measure page and element in Chromium, beside other renderers",
        run: browser::run,
    },
    Chore {
        name: "conformance",
        arguments: "",
        about: "the conformance suite of the Model Context Protocol against our HTTP server; installs it into target/",
        run: |root, arguments| run_tool(root, "conformance", arguments),
    },
    Chore {
        name: "dist",
        arguments: "[--target TARGET] [--program FILE] [--check]",
        about: "the packages, into target/packages; --check runs each in an empty place",
        run: dist::run,
    },
    Chore {
        name: "fuzz",
        arguments: "[--seconds N] [target …]",
        about: "random texts against readers, display and patterns; a minute each",
        run: fuzz::run,
    },
    Chore {
        name: "hosts",
        arguments: "[--newest] [--record] [--scene=WORDS] [host[@version] …]",
        about: "agents' own programs ask a person, offline; installs them into target/ with npm",
        run: |root, arguments| run_tool(root, "hosts", arguments),
    },
    Chore {
        name: "interleavings",
        arguments: "[--count N] [--seed S] [--planted]",
        about: "histories of many who act at once; a million, or until each planted bug is found",
        run: interleavings::run,
    },
    Chore {
        name: "storm",
        arguments: "[--nodes] [--kills N] [--seed S]",
        about: "kills whoever asks, answers, waits and serves, and looks for what is lost",
        run: |root, arguments| run_tool(root, "storm", arguments),
    },
];

fn run_tool(root: &Path, name: &str, arguments: &[String]) -> anyhow::Result<ExitCode> {
    cargo::run_tool(root, name, arguments)?;
    Ok(ExitCode::SUCCESS)
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match dispatch(&arguments) {
        Ok(code) => code,
        Err(error) if error.is::<Usage>() => {
            eprintln!("error: {error}\n\n{}", usage());
            ExitCode::from(2)
        }
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn dispatch(arguments: &[String]) -> anyhow::Result<ExitCode> {
    let Some((name, rest)) = arguments.split_first() else {
        return Err(Usage("which command?".to_owned()).into());
    };
    if matches!(name.as_str(), "help" | "-h" | "--help") {
        println!("{}", usage());
        return Ok(ExitCode::SUCCESS);
    }
    match CHORES.iter().find(|chore| chore.name == name) {
        Some(chore) => (chore.run)(&root()?, rest),
        None => Err(Usage(format!("there is no command `{name}`")).into()),
    }
}

fn usage() -> String {
    let heads: Vec<String> =
        CHORES.iter().map(|chore| format!("{} {}", chore.name, chore.arguments)).collect();
    let width = heads.iter().map(String::len).max().unwrap_or(0);
    let mut text = "Usage: cargo xtask <command>\n\nCommands:".to_owned();
    for (head, chore) in heads.iter().zip(CHORES) {
        text.push_str(&format!("\n  {head:width$}  {}", chore.about));
    }
    text
}

/// The root of the repository: the parent of this crate's folder, which cargo names at run time.
fn root() -> anyhow::Result<PathBuf> {
    let folder = std::env::var_os("CARGO_MANIFEST_DIR")
        .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")), PathBuf::from);
    let root = folder.parent().context("the xtask crate must lie in the workspace's folder")?;
    Ok(root.to_owned())
}

#[cfg(test)]
mod tests {
    use super::{CHORES, Usage, dispatch, usage};

    fn words(text: &str) -> Vec<String> {
        text.split_whitespace().map(str::to_owned).collect()
    }

    #[test]
    fn an_unknown_or_missing_command_is_a_usage_error() {
        for line in ["", "frobnicate", "tidy --fast", "check now", "test --al"] {
            let error = dispatch(&words(line)).unwrap_err();
            assert!(error.is::<Usage>(), "{line}: {error}");
        }
    }

    #[test]
    fn the_usage_text_has_one_line_for_each_command() {
        let text = usage();
        for chore in CHORES {
            let head = format!("  {} ", chore.name);
            assert_eq!(text.lines().filter(|line| line.starts_with(&head)).count(), 1, "{text}");
        }
    }
}
