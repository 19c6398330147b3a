//! Program on a pseudo-terminal, and a person who types there.

pub(crate) mod terminal_server;

use crate::support::program::program_output::{LIMIT, ProgramOutput};
use crate::support::program::{kill_9, start_lock};
use crate::support::test_world::ProgramCall;
use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};
use std::io::Write;
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, channel};
use std::thread;

/// Exit and output of a program on a terminal.
#[derive(Debug)]
pub(crate) struct TerminalExit {
    /// All terminal output, including the echo of typed lines.
    pub(crate) screen: String,
    /// Standard output, if it was redirected.
    pub(crate) stdout: String,
    pub(crate) exit: u32,
}

/// Running program on a terminal.
pub(crate) struct TestTerminal {
    pub(crate) pid: u32,
    pub(crate) output: ProgramOutput,
    /// Position up to which the test has read.
    read_to: usize,
    /// Input. Dropping it would type the end of input, so it stays until the exit.
    keyboard: Box<dyn Write + Send>,
    _screen: Box<dyn MasterPty + Send>,
    status: Receiver<u32>,
    has_ended: bool,
    aside: Option<PathBuf>,
}

impl TestTerminal {
    pub(crate) fn start(call: &ProgramCall, aside: Option<PathBuf>) -> Self {
        let mut command = CommandBuilder::new(&call.line[0]);
        command.args(&call.line[1..]);
        command.cwd(&call.folder);
        command.env_clear();
        call.environment.iter().for_each(|(name, value)| command.env(name, value));
        command.env("TERM", "dumb");
        command.set_controlling_tty(call.has_terminal);
        let size = PtySize { rows: 40, cols: 120, pixel_width: 0, pixel_height: 0 };
        let (master, child) = {
            let _starting = start_lock();
            let pair = native_pty_system().openpty(size).unwrap();
            let child = pair.slave.spawn_command(command).unwrap();
            (pair.master, child)
        };
        Self {
            pid: child.process_id().unwrap(),
            output: ProgramOutput::from_reader(master.try_clone_reader().unwrap()),
            read_to: 0,
            keyboard: master.take_writer().unwrap(),
            _screen: master,
            status: wait_status(child),
            has_ended: false,
            aside,
        }
    }

    /// Standard input and standard error are the terminal; standard output is a file of its own.
    pub(crate) fn start_with_stdout_file(call: ProgramCall) -> Self {
        let aside = tempfile::Builder::new().prefix("stdout-").tempfile_in(&call.scratch).unwrap();
        let (_, aside) = aside.keep().unwrap();
        let call = call.env("ASIDE", &aside);
        let script = "aside=$ASIDE; unset ASIDE; exec \"$0\" \"$@\" > \"$aside\"";
        Self::start(&call.by_shell(script), Some(aside))
    }

    /// Waits until these words appear, after the previously awaited ones.
    pub(crate) fn expect(&mut self, words: &str) -> &mut Self {
        self.read_to = self.output.wait_for(&words.replace('\n', "\r\n"), self.read_to);
        self
    }

    /// Types a line and presses Enter.
    pub(crate) fn line(&mut self, line: &str) -> &mut Self {
        self.keys(&format!("{line}\r"))
    }

    /// Presses keys.
    pub(crate) fn keys(&mut self, keys: &str) -> &mut Self {
        self.keyboard.write_all(keys.as_bytes()).and_then(|()| self.keyboard.flush()).unwrap();
        self
    }

    /// Kills it like a crash.
    pub(crate) fn kill_9(mut self) {
        kill_9(self.pid);
        self.has_ended = self.status.recv_timeout(LIMIT).is_ok();
        assert!(self.has_ended);
    }

    /// Waits for its exit.
    pub(crate) fn wait(mut self) -> TerminalExit {
        let status = self.status.recv_timeout(LIMIT);
        self.has_ended = status.is_ok();
        let exit = status.unwrap_or_else(|_| panic!("it does not end:\n{}", self.output.last_part()));
        let stdout = self.aside.as_ref().map(|aside| std::fs::read_to_string(aside).unwrap());
        TerminalExit {
            screen: String::from_utf8(self.output.to_end()).unwrap(),
            stdout: stdout.unwrap_or_default(),
            exit,
        }
    }
}

/// Waits for the exit code of a child.
fn wait_status(mut child: Box<dyn Child + Send + Sync>) -> Receiver<u32> {
    let (ended, status) = channel();
    thread::spawn(move || {
        let status = child.wait().unwrap();
        let _ = ended.send(status.exit_code());
    });
    status
}

impl Drop for TestTerminal {
    fn drop(&mut self) {
        if !self.has_ended && self.status.try_recv().is_err() {
            kill_9(self.pid);
        }
    }
}
