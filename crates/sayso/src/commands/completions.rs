//! `sayso completions SHELL`.

use crate::cli::help;
use crate::output::console::print_output;
use crate::output::exit::CommandExit;
use clap::{Arg, Command, ValueHint};
use sayso_core::{Lang, Problem};
use sayso_dialects::Dialect;

pub(super) fn run(shell: clap_complete::Shell, lang: Lang) -> Result<CommandExit, Problem> {
    let mut script = Vec::new();
    let mut command = with_possible_values(help::command_line(lang));
    clap_complete::generate(shell, &mut command, "sayso", &mut script);
    Ok(print_output(&String::from_utf8_lossy(&script)))
}

/// Adds possible values to a command and its subcommands. When a command runs, it validates them itself, with our own
/// messages: clap doesn't know them.
fn with_possible_values(mut command: Command) -> Command {
    // Building the command creates its own and its lazy arguments.
    let _ = command.render_usage();
    command.mut_args(with_values).mut_subcommands(with_possible_values)
}

fn with_values(arg: Arg) -> Arg {
    let is_free = arg.get_possible_values().is_empty() && arg.get_action().takes_values();
    let takes_files = arg.get_value_names().is_some_and(|names| {
        names.iter().any(|name| name.split('|').any(|part| matches!(part, "FILE" | "DESK")))
    });
    match arg.get_id().as_str() {
        "lang" => arg.value_parser(Lang::ALL.map(Lang::code)),
        "dialect" => arg.value_parser(Dialect::ALL.map(Dialect::name)),
        _ if is_free && !takes_files => arg.value_hint(ValueHint::Other),
        _ => arg,
    }
}
