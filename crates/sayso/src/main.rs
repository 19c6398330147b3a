//! `sayso`: the question desk for agents, as a program. It parses, wires and prints; rules live in the crates below.

mod cli;
mod cli_session;
mod commands;
mod config;
mod output;
mod ui;

use std::process::ExitCode;

fn main() -> ExitCode {
    cli_session::file_size_limit::register_handler();
    let args: Vec<_> = std::env::args_os().collect();
    commands::run(args).into()
}
