//! The person's own editor, for texts that are more than a line.

use crate::environment::Environment;
use sayso_core::{Code, Message, Problem};
use std::fs::{File, OpenOptions};
use std::io::Write as _;
use std::process::Command;

/// Opens the editor that `VISUAL` or `EDITOR` names with a text, and returns what was made of it.
pub(crate) fn of(environment: &Environment) -> Option<impl Fn(&str) -> Result<String, Problem> + use<>> {
    let named = environment.get("VISUAL").or_else(|| environment.get("EDITOR"))?;
    let words: Vec<String> = named.split_whitespace().map(str::to_owned).collect();
    let (program, arguments) = words.split_first()?;
    let (program, arguments) = (program.clone(), arguments.to_vec());
    Some(move |text: &str| {
        edit(&program, &arguments, text).map_err(|error| {
            Problem::new(Code::UnreadableFile, Message::EditorFailed.with([error.to_string()]))
        })
    })
}

fn edit(program: &str, arguments: &[String], text: &str) -> std::io::Result<String> {
    // Only its owner can read it, and it goes when this returns.
    let mut file = tempfile::Builder::new().prefix("sayso-").suffix(".md").tempfile()?;
    file.write_all(text.as_bytes())?;
    file.flush()?;
    let mut command = Command::new(program);
    command.args(arguments).arg(file.path());
    // Standard output is the asker's: an editor that draws there would answer it.
    if let Ok(terminal) = terminal() {
        command.stdin(terminal.try_clone()?).stdout(terminal.try_clone()?).stderr(terminal);
    }
    let status = command.status()?;
    if !status.success() {
        return Err(std::io::Error::other(status.to_string()));
    }
    // Read by name: many editors put a new file in the old one's place.
    std::fs::read_to_string(file.path())
}

fn terminal() -> std::io::Result<File> {
    OpenOptions::new().read(true).write(true).open("/dev/tty")
}
