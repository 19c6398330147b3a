//! `sayso`: the question desk for agents, as a program. It parses, wires and prints; rules live in the crates below.

mod agent;
mod ask_flow;
mod clarification;
mod cli;
mod commands;
mod console;
mod delivery;
mod desk_opener;
mod disk_failure;
mod durations;
mod editor;
mod environment;
mod exit;
mod file_size_limit;
mod help;
mod lazy_desk;
mod progress_bar;
mod request;
mod screen;
mod session;
mod settings;
mod spec_prompt;
mod surface;
mod tty;
mod ui_settings;
mod usage_error;
mod writability;

use std::process::ExitCode;

fn main() -> ExitCode {
    file_size_limit::register_handler();
    let args: Vec<_> = std::env::args_os().collect();
    commands::run(args).into()
}
