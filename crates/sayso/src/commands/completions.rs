//! `sayso completions SHELL`.

use crate::console::print;
use crate::exit::Exit;
use crate::help;
use sayso_core::{Lang, Problem};

pub(super) fn run(shell: clap_complete::Shell, lang: Lang) -> Result<Exit, Problem> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut help::command_line(lang), "sayso", &mut script);
    Ok(print(&String::from_utf8_lossy(&script)))
}
