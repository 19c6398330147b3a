//! A command with a controlling terminal, as a person has one, or without any, as a scheduler.

use std::ffi::{OsStr, OsString};
use std::io::{self, BufRead, BufReader, Write as _};
use std::path::Path;

use anyhow::Context;
use portable_pty::{CommandBuilder, PtySize, native_pty_system};

/// Controlling terminal of a command.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Session {
    OnTerminal,
    WithoutTerminal,
}

/// Begins the last line of a run, before its exit code.
const LAST_LINE: &str = "the command ended with";

impl Session {
    /// The shell that leads the session. It stays until its output has been read: the kernel discards what is unread
    /// when the leader of a terminal's session ends.
    const fn script(self) -> &'static str {
        match self {
            Self::OnTerminal => r#""$@"; printf '\n%s %s\n' "$0" "$?"; read -r _"#,
            Self::WithoutTerminal => {
                r#"{ "$@" </dev/null 2>&1; printf '\n%s %s\n' "$0" "$?"; } | cat; read -r _"#
            }
        }
    }
}

/// Runs a command line to its end, and returns its exit code and its output. The code is `None` if it was killed.
///
/// If this program ends first, the terminal hangs up, which ends the command too.
pub(crate) fn run(
    folder: &Path,
    words: &[&OsStr],
    environment: &[(&str, OsString)],
    session: Session,
) -> anyhow::Result<(Option<String>, String)> {
    let mut command = CommandBuilder::new("/bin/sh");
    command.args(["-c", session.script(), LAST_LINE]);
    command.args(words);
    command.cwd(folder);
    environment.iter().for_each(|(name, value)| command.env(name, value));
    if std::env::var_os("TERM").is_none() {
        command.env("TERM", "xterm-256color");
    }
    command.set_controlling_tty(session == Session::OnTerminal);
    let pair = native_pty_system().openpty(PtySize::default()).context("cannot open a terminal")?;
    let mut child = pair.slave.spawn_command(command).context("cannot run a shell")?;
    drop(pair.slave);
    let mut keyboard = pair.master.take_writer()?;
    let (code, output) = read_to_end(BufReader::new(pair.master.try_clone_reader()?))?;
    // A shell that was killed reads nothing.
    let _ = keyboard.write_all(b"\n").and_then(|()| keyboard.flush());
    child.wait()?;
    Ok((code, output))
}

/// Returns the exit code from the last line, and the lines before it with the line breaks of a file.
fn read_to_end(mut from: impl BufRead) -> io::Result<(Option<String>, String)> {
    let (mut line, mut output) = (Vec::new(), String::new());
    loop {
        line.clear();
        match from.read_until(b'\n', &mut line) {
            Ok(1..) => {}
            // Linux reports the end of a terminal as an error.
            Ok(0) | Err(_) => return Ok((None, output)),
        }
        let text = String::from_utf8_lossy(&line);
        let text = text.strip_suffix("\r\n").or(text.strip_suffix('\n')).unwrap_or(&text);
        if let Some(code) = text.strip_prefix(LAST_LINE) {
            return Ok((Some(code.trim().to_owned()), output));
        }
        output.push_str(text);
        output.push('\n');
    }
}

#[cfg(test)]
mod tests {
    use super::{Session, run};
    use std::path::Path;

    fn shell(session: Session, script: &str) -> (Option<String>, String) {
        let words = ["sh", "-c", script].map(AsRef::as_ref);
        run(Path::new("/"), &words, &[("GREETING", "hello".into())], session).unwrap()
    }

    #[test]
    fn output_and_exit_code_are_whole() {
        for session in [Session::OnTerminal, Session::WithoutTerminal] {
            let script = "i=0; while [ $i -lt 3000 ]; do echo $GREETING; i=$((i + 1)); done; exit 3";
            let (code, output) = shell(session, script);
            assert_eq!(code.as_deref(), Some("3"));
            assert_eq!(output, "hello\n".repeat(3_000) + "\n");
        }
    }

    #[test]
    fn end_without_exit_code_is_noticed() {
        assert_eq!(shell(Session::OnTerminal, "kill -9 $PPID").0, None);
    }

    #[test]
    fn controlling_terminal_is_there_or_not() {
        let script = "test -t 0 && test -t 1 && : </dev/tty";
        assert_eq!(shell(Session::OnTerminal, script).0.as_deref(), Some("0"));
        let script = "! test -t 0 && ! test -t 1 && ! test -t 2 && ! (: </dev/tty)";
        assert_eq!(shell(Session::WithoutTerminal, script).0.as_deref(), Some("0"));
    }
}
