//! A world of its own for each test: a home, a desk and an environment in a temporary folder. Nothing of the machine's
//! own environment comes in.

use crate::output::LIMIT;
use crate::program::{Ended, Program};
use crate::terminal::Terminal;
use sayso_core::row::{Row, Standing};
use sayso_core::{Ask, AskId};
use sayso_desk::{Desk as _, Draft, Interest, LocalDesk, Query};
use serde_json::Value;
use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::time::Instant;
use tempfile::TempDir;

/// A home, a desk and an environment.
pub(crate) struct World {
    folder: TempDir,
    environment: BTreeMap<OsString, OsString>,
}

impl World {
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
    pub(crate) fn set(&mut self, name: &str, value: impl AsRef<OsStr>) {
        self.environment.insert(name.into(), value.as_ref().to_owned());
    }

    /// A path in this world.
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

    /// A person allows answers that are given as arguments.
    pub(crate) fn allow_scripted_answers(&self) {
        self.write("config/sayso/config.toml", "scripted_answers = true\n");
    }

    /// Where the desk is by default.
    pub(crate) fn desk_file(&self) -> PathBuf {
        self.path("data/sayso/desk.db")
    }

    /// A call of `sayso`.
    pub(crate) fn sayso<A: AsRef<OsStr>>(&self, args: impl IntoIterator<Item = A>) -> Call {
        self.call(Path::new(env!("CARGO_BIN_EXE_sayso")), args)
    }

    /// A call under the name `AskUserQuestion`.
    pub(crate) fn ask_user_question<A: AsRef<OsStr>>(&self, args: impl IntoIterator<Item = A>) -> Call {
        self.call(&self.path("AskUserQuestion"), args)
    }

    /// A call under the name `auq`.
    pub(crate) fn auq<A: AsRef<OsStr>>(&self, args: impl IntoIterator<Item = A>) -> Call {
        self.call(&self.path("auq"), args)
    }

    fn call<A: AsRef<OsStr>>(&self, program: &Path, args: impl IntoIterator<Item = A>) -> Call {
        let line = std::iter::once(program.into()).chain(args.into_iter().map(|arg| arg.as_ref().to_owned()));
        Call {
            line: line.collect(),
            environment: self.environment.clone(),
            folder: self.path("work"),
            scratch: self.folder.path().to_owned(),
            has_terminal: true,
        }
    }

    /// What a command prints as JSON.
    pub(crate) fn json(&self, args: &[&str]) -> Value {
        let ended = self.sayso(args).run();
        serde_json::from_str(&ended.stdout).unwrap_or_else(|error| panic!("{error}: {ended:?}"))
    }

    /// Leaves an ask at the desk, and gives its id.
    pub(crate) fn leave(&self, request: &str, more: &[&str]) -> String {
        let ended = self.sayso(["ask", "--no-wait", request].iter().chain(more)).run();
        assert_eq!((ended.exit, ended.stderr.as_str()), (0, ""), "{ended:?}");
        ended.stdout.trim_end().to_owned()
    }

    /// What `sayso show --json` prints.
    pub(crate) fn show(&self, id: &str) -> Value {
        self.json(&["show", "--json", id])
    }

    /// The desk, opened by the test itself.
    pub(crate) fn desk(&self) -> LocalDesk {
        LocalDesk::open(&self.desk_file()).unwrap()
    }

    /// The ask at the desk, as soon as there is one that fits.
    pub(crate) fn ask_where(&self, fits: impl Fn(&Ask) -> bool) -> Ask {
        let desk = self.desk();
        let query = Query { states: Standing::ALL.to_vec(), ..Query::default() };
        let asks = || desk.list(&query).unwrap().rows.into_iter().map(|row: Row| desk.get(row.id).unwrap());
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

    /// The first ask, as soon as there is one, and its id as text.
    pub(crate) fn first_ask(&self) -> (AskId, String) {
        let ask = self.ask_where(|_| true);
        (ask.id, ask.id.to_string())
    }

    /// Waits until the draft of an ask answers so many questions.
    pub(crate) fn wait_for_draft(&self, id: AskId, answered: usize) {
        let count = |draft: &Draft| draft.replies.values().filter(|reply| reply.answer().is_some()).count();
        self.wait_for_draft_where(&id.to_string(), |draft| count(draft) == answered);
    }

    /// Waits until the draft of an ask is such.
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

/// A program with its arguments, environment and folder, to be run.
pub(crate) struct Call {
    pub(crate) line: Vec<OsString>,
    pub(crate) environment: BTreeMap<OsString, OsString>,
    pub(crate) folder: PathBuf,
    pub(crate) scratch: PathBuf,
    /// Whether the pseudo-terminal it runs on is its controlling terminal.
    pub(crate) has_terminal: bool,
}

impl Call {
    pub(crate) fn env(mut self, name: &str, value: impl AsRef<OsStr>) -> Self {
        self.environment.insert(name.into(), value.as_ref().to_owned());
        self
    }

    pub(crate) fn in_folder(mut self, folder: &Path) -> Self {
        folder.clone_into(&mut self.folder);
        self
    }

    /// It has no controlling terminal, wherever the tests themselves run. What it prints still goes to the
    /// pseudo-terminal.
    pub(crate) fn away_from_any_terminal(mut self) -> Self {
        self.has_terminal = false;
        self
    }

    /// Runs it by this shell script, which has the program and its arguments as `"$0" "$@"`.
    pub(crate) fn by_shell(mut self, script: &str) -> Self {
        let shell = ["/bin/sh", "-c", script].map(OsString::from);
        self.line.splice(0..0, shell);
        self
    }

    /// Runs it with nothing to read, to its end.
    pub(crate) fn run(self) -> Ended {
        Program::start(&self, None).wait()
    }

    /// Runs it with these bytes on its standard input, to its end.
    pub(crate) fn run_with(self, input: impl AsRef<[u8]>) -> Ended {
        let mut program = Program::start(&self, Some(()));
        program.write(input.as_ref());
        program.end_input();
        program.wait()
    }

    /// Starts it with nothing to read.
    pub(crate) fn start(self) -> Program {
        Program::start(&self, None)
    }

    /// Starts it with a pipe to read from, on which nothing comes until the test writes it.
    pub(crate) fn start_piped(self) -> Program {
        Program::start(&self, Some(()))
    }

    /// Starts it with nothing to read, and with a standard output that nobody reads from the beginning.
    pub(crate) fn start_with_nobody_reading(self) -> Program {
        Program::start_with_nobody_reading(&self)
    }

    /// Starts it on a pseudo-terminal.
    pub(crate) fn on_terminal(self) -> Terminal {
        Terminal::start(&self, None)
    }

    /// Starts it on a pseudo-terminal, except that its standard output goes to a file.
    pub(crate) fn on_terminal_with_stdout_aside(self) -> Terminal {
        Terminal::start_with_stdout_aside(self)
    }
}
