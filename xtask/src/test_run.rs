//! A run of `cargo test` with a controlling terminal, as a person has one, or without any, as a scheduler.

pub(crate) mod totals;

use std::io::{self, BufRead, BufReader, Write};
use std::path::Path;

use anyhow::{Context, bail};
use portable_pty::{CommandBuilder, PtySize, native_pty_system};

use crate::test_run::totals::Totals;

/// Controlling terminal of the tests.
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

/// Runs a command line to its end, passes its output on and counts its tests.
///
/// If this program ends first, the terminal hangs up, which ends the command too.
pub(crate) fn run(
    folder: &Path,
    words: &[&str],
    session: Session,
    to: impl Write,
    totals: &mut Totals,
) -> anyhow::Result<()> {
    let mut command = CommandBuilder::new("/bin/sh");
    command.args(["-c", session.script(), LAST_LINE]);
    command.args(words);
    command.cwd(folder);
    if std::env::var_os("TERM").is_none() {
        command.env("TERM", "xterm-256color");
    }
    // A progress bar would overwrite the lines of the tests.
    command.env("CARGO_TERM_PROGRESS_WHEN", "never");
    command.set_controlling_tty(session == Session::OnTerminal);
    let pair = native_pty_system().openpty(PtySize::default()).context("cannot open a terminal")?;
    let mut child = pair.slave.spawn_command(command).context("cannot run a shell")?;
    drop(pair.slave);
    let mut keyboard = pair.master.take_writer()?;
    let output = BufReader::new(pair.master.try_clone_reader()?);
    let code = pass_through(output, to, totals)?;
    keyboard.write_all(b"\n").and_then(|()| keyboard.flush()).context("cannot end the shell")?;
    child.wait()?;
    match code.as_deref() {
        Some("0") => Ok(()),
        Some(code) => bail!("`{}` ended with exit code {code}", words.join(" ")),
        None => bail!("`{}` did not end by itself", words.join(" ")),
    }
}

/// Writes each line as it comes, with the line break of a file, and returns the exit code from the last one.
fn pass_through(
    mut from: impl BufRead,
    mut to: impl Write,
    totals: &mut Totals,
) -> io::Result<Option<String>> {
    let mut line = Vec::new();
    while from.read_until(b'\n', &mut line)? > 0 {
        if line.ends_with(b"\r\n") {
            line.truncate(line.len().saturating_sub(2));
            line.push(b'\n');
        }
        let text = String::from_utf8_lossy(&line);
        if let Some(code) = text.strip_prefix(LAST_LINE) {
            to.flush()?;
            return Ok(Some(code.trim().to_owned()));
        }
        totals.add_line(&text);
        to.write_all(&line)?;
        line.clear();
    }
    to.flush()?;
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::{LAST_LINE, Session, Totals, pass_through, run};
    use std::path::Path;

    fn shell(session: Session, script: &str) -> (anyhow::Result<()>, Totals) {
        let mut totals = Totals::default();
        // Printed, its lines would count as tests of the run that this test is part of.
        (run(Path::new("/"), &["sh", "-c", script], session, Vec::new(), &mut totals), totals)
    }

    #[test]
    fn output_passes_while_it_is_counted() {
        let output = format!(
            "test a ... \u{fffd} ok\r\n\r\ntest result: ok. 1 passed; 0 failed; 0 ignored\r\n\r\n{LAST_LINE} 101\r\nmore"
        );
        let (mut seen, mut totals) = (Vec::new(), Totals::default());
        let code = pass_through(output.as_bytes(), &mut seen, &mut totals).unwrap();
        let passed = "test a ... \u{fffd} ok\n\ntest result: ok. 1 passed; 0 failed; 0 ignored\n\n";
        assert_eq!(String::from_utf8(seen).unwrap(), passed);
        assert_eq!(code.as_deref(), Some("101"));
        assert_eq!(totals, Totals { passed: 1, failed: 0, skipped: 0 });
    }

    #[test]
    fn end_without_exit_code_is_noticed() {
        let mut totals = Totals::default();
        assert_eq!(pass_through(b"killed".as_slice(), Vec::new(), &mut totals).unwrap(), None);
    }

    #[test]
    fn each_line_of_a_run_is_read() {
        for session in [Session::OnTerminal, Session::WithoutTerminal] {
            let script = "i=0; while [ $i -lt 3000 ]; do echo 'test result: ok. 2 passed;'; i=$((i + 1)); done; exit 3";
            let (result, totals) = shell(session, script);
            assert_eq!(totals.passed, 6_000);
            assert!(result.unwrap_err().to_string().ends_with("ended with exit code 3"));
        }
    }

    #[test]
    fn controlling_terminal_is_there_or_not() {
        let script = "test -t 0 && test -t 1 && : </dev/tty";
        assert!(shell(Session::OnTerminal, script).0.is_ok());
        let script = "! test -t 0 && ! test -t 1 && ! test -t 2 && ! (: </dev/tty)";
        assert!(shell(Session::WithoutTerminal, script).0.is_ok());
    }
}
