//! The person's own editor, for longer texts.

use crate::config::environment::ProcessEnv;
use crate::ui::tty;
use sayso_core::i18n::own;
use sayso_core::{Message, Problem, ProblemCode, limits};
use std::io::Write as _;
use std::process::{Command, Stdio};
use tempfile::NamedTempFile;

/// Returns a function that edits a text in the editor named by `VISUAL` or `EDITOR`; `None` if neither is set.
pub(crate) fn from_environment(
    environment: &ProcessEnv,
) -> Option<impl Fn(&str) -> Result<String, Problem> + use<>> {
    let named = environment.get("VISUAL").or_else(|| environment.get("EDITOR"))?;
    let words: Vec<String> = named.split_whitespace().map(str::to_owned).collect();
    let (program, arguments) = words.split_first()?;
    let (program, arguments) = (program.clone(), arguments.to_vec());
    Some(move |text: &str| {
        let file = write_temp_file(text).map_err(|error| editor_problem(&error.to_string()))?;
        run_editor(&program, &arguments, &file, text).map_err(|why| keep_file(file, &why))
    })
}

fn write_temp_file(text: &str) -> std::io::Result<NamedTempFile> {
    // Only its owner can read the file, and it is removed when dropped.
    let mut file = tempfile::Builder::new().prefix("sayso-").suffix(".md").tempfile()?;
    file.write_all(text.as_bytes())?;
    file.flush()?;
    Ok(file)
}

fn run_editor(
    program: &str,
    arguments: &[String],
    file: &NamedTempFile,
    before: &str,
) -> Result<String, String> {
    let mut command = Command::new(program);
    command.args(arguments).arg(file.path());
    // Standard output belongs to the asker: an editor that draws there would corrupt the answer.
    match tty::open().and_then(|terminal| Ok((terminal.try_clone()?, terminal.try_clone()?, terminal))) {
        Ok((input, output, errors)) => command.stdin(input).stdout(output).stderr(errors),
        Err(_) => command.stdout(std::io::stderr()).stdin(Stdio::inherit()),
    };
    let status = command.status().map_err(|error| format!("{program}: {error}"))?;
    // Read by name: many editors replace the file with a new one.
    let bytes = std::fs::read(file.path()).map_err(|error| error.to_string())?;
    if !status.success() {
        // An editor that failed without saving has no text to lose.
        return if bytes == before.as_bytes() { Ok(before.to_owned()) } else { Err(status.to_string()) };
    }
    if bytes.len() > limits::TEXT_ANSWER_BYTES {
        return Err(format!("{} > {} bytes", bytes.len(), limits::TEXT_ANSWER_BYTES));
    }
    String::from_utf8(bytes).map_err(|_| "UTF-8".to_owned())
}

/// Keeps the file if its text can't be used, and returns a problem with its path.
fn keep_file(file: NamedTempFile, why: &str) -> Problem {
    match file.keep() {
        Ok((_, path)) => editor_problem(why).with_hint(Message::EditorKept.with([own(path.display())])),
        Err(error) => editor_problem(&error.to_string()),
    }
}

fn editor_problem(why: &str) -> Problem {
    Problem::new(ProblemCode::UnreadableFile, Message::EditorFailed.with([own(why)]))
}
