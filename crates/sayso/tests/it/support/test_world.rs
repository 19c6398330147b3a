//! Isolated world for each test: a home, a desk and an environment in a temporary folder. It inherits nothing of the
//! machine's own environment.

use crate::support::fake_clock::FakeClock;
use crate::support::program::program_output::LIMIT;
use crate::support::program::{ProgramExit, TestProgram};
use crate::support::terminal::TestTerminal;
use sayso_core::{Ask, AskId};
use sayso_core::{AskSummary, model::ask_summary::AskStatus};
use sayso_desk::{AskQuery, Desk as _, Draft, Interest, StoreDesk};
use serde_json::Value;
use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::time::Instant;
use tempfile::TempDir;

/// The user's file of settings.
const SETTINGS: &str = "config/sayso/config.toml";
/// Its line that permits answers by argument.
const SCRIPTED: &str = "scripted_answers = true\n";

/// Home, desk and environment.
pub(crate) struct TestWorld {
    folder: TempDir,
    environment: BTreeMap<OsString, OsString>,
}

impl TestWorld {
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name).into_os_string();
        let pairs = [
            ("PATH", "/usr/bin:/bin".into()),
            ("USER", "ada".into()),
            ("HOME", path("home")),
            ("XDG_CONFIG_HOME", path("config")),
            ("XDG_DATA_HOME", path("data")),
            ("XDG_CACHE_HOME", path("cache")),
            ("XDG_STATE_HOME", path("state")),
        ];
        let environment = pairs.into_iter().map(|(name, value)| (name.into(), value)).collect();
        for name in ["home", "config", "data", "work"] {
            std::fs::create_dir(folder.path().join(name)).unwrap();
        }
        for name in ["AskUserQuestion", "auq"] {
            std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_sayso"), folder.path().join(name)).unwrap();
        }
        Self { folder, environment }
    }

    /// Sets a variable for every program of this world.
    pub(crate) fn set_var(&mut self, name: &str, value: impl AsRef<OsStr>) {
        self.environment.insert(name.into(), value.as_ref().to_owned());
    }

    /// Returns a path in this world.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Writes a file of this world, with its folders.
    pub(crate) fn write(&self, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, bytes).unwrap();
        path
    }

    /// Permits answers by argument, as a person would.
    pub(crate) fn allow_scripted_answers(&self) {
        let others = std::fs::read_to_string(self.path(SETTINGS)).unwrap_or_default();
        if !others.starts_with(SCRIPTED) {
            self.write(SETTINGS, format!("{SCRIPTED}{others}"));
        }
    }

    /// Permits tasks, and the forms that nothing closes.
    pub(crate) fn allow_host_features(&self) {
        let others = std::fs::read_to_string(self.path(SETTINGS)).unwrap_or_default();
        self.write(SETTINGS, format!("{others}[mcp]\ntasks = true\nforms = true\n"));
    }

    /// Returns the default path of the desk.
    pub(crate) fn desk_file(&self) -> PathBuf {
        self.path("data/sayso/desk.db")
    }

    /// Returns a call of `sayso`.
    pub(crate) fn sayso<A: AsRef<OsStr>>(&self, args: impl IntoIterator<Item = A>) -> ProgramCall {
        self.call(Path::new(env!("CARGO_BIN_EXE_sayso")), args)
    }

    /// Returns a call under the name `AskUserQuestion`.
    pub(crate) fn ask_user_question<A: AsRef<OsStr>>(
        &self,
        args: impl IntoIterator<Item = A>,
    ) -> ProgramCall {
        self.call(&self.path("AskUserQuestion"), args)
    }

    /// Returns a call under the name `auq`.
    pub(crate) fn auq<A: AsRef<OsStr>>(&self, args: impl IntoIterator<Item = A>) -> ProgramCall {
        self.call(&self.path("auq"), args)
    }

    fn call<A: AsRef<OsStr>>(&self, program: &Path, args: impl IntoIterator<Item = A>) -> ProgramCall {
        let line = std::iter::once(program.into()).chain(args.into_iter().map(|arg| arg.as_ref().to_owned()));
        ProgramCall {
            line: line.collect(),
            environment: self.environment.clone(),
            folder: self.path("work"),
            scratch: self.folder.path().to_owned(),
            has_terminal: true,
        }
    }

    /// Runs a command and returns its JSON.
    pub(crate) fn json(&self, args: &[&str]) -> Value {
        let ended = self.sayso(args).run();
        serde_json::from_str(&ended.stdout).unwrap_or_else(|error| panic!("{error}: {ended:?}"))
    }

    /// Creates an ask at the desk, and returns its id.
    pub(crate) fn leave_ask(&self, request: &str, more: &[&str]) -> String {
        let ended = self.sayso(["ask", "--no-wait", request].iter().chain(more)).run();
        assert_eq!((ended.exit, ended.stderr.as_str()), (0, ""), "{ended:?}");
        ended.stdout.trim_end().to_owned()
    }

    /// Returns the output of `sayso show --json`.
    pub(crate) fn show(&self, id: &str) -> Value {
        self.json(&["show", "--json", id])
    }

    /// Opens the desk directly.
    pub(crate) fn desk(&self) -> StoreDesk {
        StoreDesk::open(&self.desk_file()).unwrap()
    }

    /// Waits for a matching ask at the desk.
    pub(crate) fn wait_for_ask(&self, fits: impl Fn(&Ask) -> bool) -> Ask {
        let desk = self.desk();
        let query = AskQuery { states: AskStatus::ALL.to_vec(), ..AskQuery::default() };
        let asks =
            || desk.list(&query).unwrap().rows.into_iter().map(|row: AskSummary| desk.get(row.id).unwrap());
        let mut watch = desk.watch(Interest::All, None).unwrap();
        let until = Instant::now() + LIMIT;
        loop {
            if let Some(ask) = asks().find(&fits) {
                return ask;
            }
            let left = until.saturating_duration_since(Instant::now());
            assert!(!left.is_zero(), "no such ask among {:?}", asks().collect::<Vec<_>>());
            watch.wait(left).unwrap();
        }
    }

    /// Waits for the first ask, and returns it with its id as text.
    pub(crate) fn first_ask(&self) -> (AskId, String) {
        let ask = self.wait_for_ask(|_| true);
        (ask.id, ask.id.to_string())
    }

    /// Waits until the draft of an ask answers this many questions.
    pub(crate) fn wait_for_draft(&self, id: AskId, answered: usize) {
        let count = |draft: &Draft| draft.replies.values().filter(|reply| reply.answer().is_some()).count();
        self.wait_for_draft_where(&id.to_string(), |draft| count(draft) == answered);
    }

    /// Waits until the draft of an ask matches.
    pub(crate) fn wait_for_draft_where(&self, id: &str, fits: impl Fn(&Draft) -> bool) {
        let desk = self.desk();
        let id = desk.find(id).unwrap();
        let mut watch = desk.watch(Interest::Ask(id), None).unwrap();
        let until = Instant::now() + LIMIT;
        loop {
            let draft = desk.draft(id).unwrap();
            if fits(&draft) {
                return;
            }
            let left = until.saturating_duration_since(Instant::now());
            assert!(!left.is_zero(), "{draft:?}");
            watch.wait(left).unwrap();
        }
    }
}

/// Program with its arguments, environment and folder, ready to run.
pub(crate) struct ProgramCall {
    pub(crate) line: Vec<OsString>,
    pub(crate) environment: BTreeMap<OsString, OsString>,
    pub(crate) folder: PathBuf,
    pub(crate) scratch: PathBuf,
    /// True if its pseudo-terminal is its controlling terminal.
    pub(crate) has_terminal: bool,
}

impl ProgramCall {
    pub(crate) fn env(mut self, name: &str, value: impl AsRef<OsStr>) -> Self {
        self.environment.insert(name.into(), value.as_ref().to_owned());
        self
    }

    /// Shows it a clock that the test sets.
    pub(crate) fn clock(mut self, clock: &FakeClock) -> Self {
        for (name, value) in clock.variables() {
            self.environment.insert(name.into(), value);
        }
        self
    }

    pub(crate) fn in_folder(mut self, folder: &Path) -> Self {
        folder.clone_into(&mut self.folder);
        self
    }

    /// Runs it without a controlling terminal, even if the tests have one. Its output still goes to the
    /// pseudo-terminal.
    pub(crate) fn without_terminal(mut self) -> Self {
        self.has_terminal = false;
        self
    }

    /// Runs it through this shell script, which gets the program and its arguments as `"$0" "$@"`.
    pub(crate) fn by_shell(mut self, script: &str) -> Self {
        let shell = ["/bin/sh", "-c", script].map(OsString::from);
        self.line.splice(0..0, shell);
        self
    }

    /// Runs it as the child of this shell, whose name is that of a host.
    pub(crate) fn by_program(mut self, host: &Path) -> Self {
        let line = [host.as_os_str(), OsStr::new("-c"), OsStr::new("\"$0\" \"$@\"; :")];
        self.line.splice(0..0, line.map(OsStr::to_owned));
        self
    }

    /// Runs it without input, to its exit.
    pub(crate) fn run(self) -> ProgramExit {
        TestProgram::start(&self, None).wait()
    }

    /// Runs it with these bytes on its standard input, to its exit.
    pub(crate) fn run_with(self, input: impl AsRef<[u8]>) -> ProgramExit {
        let mut program = TestProgram::start(&self, Some(()));
        program.write(input.as_ref());
        program.end_input();
        program.wait()
    }

    /// Starts it without input.
    pub(crate) fn start(self) -> TestProgram {
        TestProgram::start(&self, None)
    }

    /// Starts it with a pipe as input, which is empty until the test writes to it.
    pub(crate) fn start_piped(self) -> TestProgram {
        TestProgram::start(&self, Some(()))
    }

    /// Starts it without input, and with a standard output that has no reader.
    pub(crate) fn start_with_closed_stdout(self) -> TestProgram {
        TestProgram::start_with_closed_stdout(&self)
    }

    /// Starts it on a pseudo-terminal.
    pub(crate) fn on_terminal(self) -> TestTerminal {
        TestTerminal::start(&self, None)
    }

    /// Starts it on a pseudo-terminal, except that its standard output goes to a file.
    pub(crate) fn on_terminal_with_stdout_file(self) -> TestTerminal {
        TestTerminal::start_with_stdout_file(self)
    }
}
