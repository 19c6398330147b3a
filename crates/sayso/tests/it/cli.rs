//! Tests of commands as programs and people type them: arguments, settings, output and exit codes.

mod ask_ends;
mod asker_names;
mod asks_for_others;
mod asks_without_terminal;
mod bad_requests;
mod check_command;
mod command_claims;
mod command_line;
#[cfg(target_os = "linux")]
mod config_errors;
mod first_steps;
mod list_command;
mod many_waiters;
mod settings;
mod show_command;
mod tokens;
