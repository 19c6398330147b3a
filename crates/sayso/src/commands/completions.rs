//! `sayso completions SHELL`.

use super::print;
use crate::cli::Cli;
use crate::exit::Exit;
use clap::CommandFactory as _;
use sayso_core::Problem;

pub(super) fn run(shell: clap_complete::Shell) -> Result<Exit, Problem> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "sayso", &mut script);
    Ok(print(&String::from_utf8_lossy(&script)))
}
