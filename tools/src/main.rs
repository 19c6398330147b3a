//! Chores that need the program or its crates. `cargo xtask` builds this program next to `sayso` and calls it at the
//! root of the repository.

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a chore talks to whoever runs it")]

mod codegen;
mod conformance;
mod hosts;
mod launch;
mod program;
mod storm;

use std::path::Path;
use std::process::ExitCode;

use xtask::usage::Usage;

/// Runs a chore with its arguments.
type Run = fn(&Path, &[String]) -> anyhow::Result<ExitCode>;

const CHORES: &[(&str, Run)] = &[
    ("codegen", codegen::run),
    ("conformance", conformance::run),
    ("hosts", hosts::run),
    ("storm", storm::run),
];

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match dispatch(&arguments) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("error: {error:#}");
            if error.is::<Usage>() { ExitCode::from(2) } else { ExitCode::FAILURE }
        }
    }
}

fn dispatch(arguments: &[String]) -> anyhow::Result<ExitCode> {
    let Some((name, rest)) = arguments.split_first() else {
        return Err(Usage("which chore?".to_owned()).into());
    };
    let Some((_, run)) = CHORES.iter().find(|(known, _)| known == name) else {
        return Err(Usage(format!("there is no chore `{name}`")).into());
    };
    run(&std::env::current_dir()?, rest)
}
