//! `sayso`: the question desk for agents, as a program. It parses, wires and prints; rules live in the crates below.

mod agent;
mod ages;
mod asking;
mod cli;
mod commands;
mod console;
mod delivery;
mod editor;
mod environment;
mod exit;
mod file_size_limit;
mod help;
mod later;
mod look;
mod misuse;
mod opening;
mod progress_bar;
mod request;
mod screen;
mod session;
mod settings;
mod spec_manner;
mod stopping;
mod surface;
mod tty;
mod wishing;
mod writability;

use std::process::ExitCode;

fn main() -> ExitCode {
    file_size_limit::register_handler();
    let args: Vec<_> = std::env::args_os().collect();
    commands::run(args).into()
}
