//! A place of its own for each scene: a home, a desk, a folder to work in, and the person who answers there. Nothing of
//! the machine's own environment comes in, and nothing goes out to the network.

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};
use tempfile::TempDir;

use super::person::OpenInbox;
use super::record;

/// The most that anything in a scene takes.
const LIMIT: Duration = Duration::from_secs(120);
/// Interval of polling.
const LOOK: Duration = Duration::from_millis(50);

/// Answer of the person, which no one could guess.
pub(super) const SAID: &str = "the grey heron at 4:17";

/// Code with which a command ends that has declined an ask.
const DECLINED: i32 = 3;

/// A home, a desk and a folder.
pub(super) struct Stage {
    folder: TempDir,
    /// The program under test.
    sayso: PathBuf,
    /// After how long the host ends a call by itself, where the scene is about that.
    pub(super) limit: Option<Duration>,
    is_set_up: AtomicBool,
    /// Address of the desk's server, if the host reaches it by one.
    server: Mutex<Option<String>>,
    /// Keeps what hooks are given and what they give back.
    is_recorded: bool,
}

impl Stage {
    pub(super) fn new(sayso: &Path, limit: Option<Duration>, is_recorded: bool) -> anyhow::Result<Self> {
        let folder = tempfile::Builder::new().prefix("sayso-hosts-").tempdir()?;
        let stage = Self {
            folder,
            sayso: sayso.to_owned(),
            limit,
            is_set_up: AtomicBool::new(false),
            server: Mutex::new(None),
            is_recorded,
        };
        for name in ["home", "work", "person/sayso"] {
            fs::create_dir_all(stage.path(name))?;
        }
        stage.write("person/sayso/config.toml", "scripted_answers = true\n")?;
        Ok(stage)
    }

    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(super) fn write(&self, name: &str, text: &str) -> anyhow::Result<PathBuf> {
        let path = self.path(name);
        fs::create_dir_all(path.parent().context("a file lies in a folder")?)?;
        fs::write(&path, text)?;
        Ok(path)
    }

    /// Leaves everything where it is, to be looked at.
    pub(super) fn keep(self) -> PathBuf {
        self.folder.keep()
    }

    fn desk(&self) -> String {
        format!("sqlite:{}", self.path("desk.db").display())
    }

    /// Connects the host with the desk, as a person does.
    pub(super) fn set_up(&self, name: &str) -> anyhow::Result<()> {
        let output = self.host(&self.sayso).args(["setup", name, "--yes"]).stdin(Stdio::null()).output()?;
        if !output.status.success() {
            bail!("`sayso setup {name}`: {}", String::from_utf8_lossy(&output.stderr).trim());
        }
        self.is_set_up.store(true, Ordering::Relaxed);
        if self.is_recorded { record::install(self, &self.sayso) } else { Ok(()) }
    }

    /// Returns true once the host was set up by `sayso setup`: then it needs no file but those for its model.
    pub(super) fn is_set_up(&self) -> bool {
        self.is_set_up.load(Ordering::Relaxed)
    }

    /// Command by which the host starts the server: the program and its arguments.
    pub(super) fn server(&self) -> (String, Vec<String>) {
        let mut arguments = vec!["mcp".to_owned(), "--desk".to_owned(), self.desk()];
        if self.limit.is_some() {
            // Only the host's own limit is to end the call.
            arguments.extend(["--hold", "10m"].map(str::to_owned));
        }
        (self.sayso.display().to_string(), arguments)
    }

    /// A program of the host, with a home of its own.
    pub(super) fn host(&self, program: &Path) -> Command {
        let mut command = Command::new(program);
        command.current_dir(self.path("work")).env_clear().env("HOME", self.path("home"));
        command.envs(std::env::var_os("PATH").map(|path| ("PATH", path)));
        // Connections that leave this machine find no one.
        for name in ["HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"] {
            command.env(name, "http://127.0.0.1:9");
        }
        for name in ["NO_PROXY", "no_proxy"] {
            command.env(name, "127.0.0.1,localhost");
        }
        command.envs([("TERM", "dumb"), ("CI", "1"), ("USER", "agent")]);
        // Hooks inherit it.
        match &*self.server.lock().unwrap_or_else(PoisonError::into_inner) {
            Some(address) => {
                command.env("SAYSO_DESK", address).env("SAYSO_TOKEN_FILE", self.path("asker.token"));
            }
            None => {
                command.env("SAYSO_DESK", self.desk());
            }
        }
        command
    }

    /// Opens the person's inbox.
    pub(super) fn open_inbox(&self) -> anyhow::Result<OpenInbox> {
        OpenInbox::open(&self.sayso, &self.path("person"), &self.desk())
    }

    /// Returns the output of a person's command.
    fn person(&self, arguments: &[&str]) -> anyhow::Result<String> {
        self.person_exits(arguments, 0)
    }

    /// Returns the output of a person's command that ends with this code.
    fn person_exits(&self, arguments: &[&str], code: i32) -> anyhow::Result<String> {
        let mut command = Command::new(&self.sayso);
        command.args(arguments).args(["--desk", &self.desk()]).stdin(Stdio::null()).env_clear();
        command.envs([("HOME", self.path("person")), ("XDG_CONFIG_HOME", self.path("person"))]);
        command.env("USER", "ada");
        let output = command.output()?;
        if output.status.code() != Some(code) {
            bail!("`sayso {}`: {}", arguments.join(" "), String::from_utf8_lossy(&output.stderr).trim());
        }
        Ok(String::from_utf8(output.stdout)?)
    }

    /// All asks at the desk.
    pub(super) fn asks(&self) -> anyhow::Result<Vec<Value>> {
        let listed: Value = serde_json::from_str(&self.person(&["list", "--state", "all", "--json"])?)?;
        Ok(listed.get("asks").and_then(Value::as_array).cloned().unwrap_or_default())
    }

    /// All asks at the desk, or none if there is no desk yet.
    pub(super) fn asks_if_any(&self) -> anyhow::Result<Vec<Value>> {
        if self.path("desk.db").exists() { self.asks() } else { Ok(Vec::new()) }
    }

    /// Path of a file that does not exist yet.
    pub(super) fn new_path(&self, name: &str, ending: &str) -> PathBuf {
        let mut paths = (0..).map(|number| self.path(&format!("{name}-{number}.{ending}")));
        paths.find(|path| !path.exists()).unwrap_or_default()
    }

    /// Replaces a text in a file.
    pub(super) fn edit(&self, name: &str, from: &str, to: &str) -> anyhow::Result<()> {
        let text = fs::read_to_string(self.path(name))?;
        if !text.contains(from) {
            bail!("{name} has no {from}");
        }
        self.write(name, &text.replace(from, to)).map(drop)
    }

    /// Kills the hook that waits for an ask.
    pub(super) fn kill_hook(&self, ask: &str) -> anyhow::Result<()> {
        let shown = self.ask(ask)?;
        let id = shown.pointer("/presence/attached/process/pid").and_then(Value::as_i64);
        let id = id.and_then(|id| Pid::from_raw(i32::try_from(id).ok()?)).context("no hook waits")?;
        Ok(kill_process(id, Signal::KILL)?)
    }

    /// Serves the desk on the network; from then on the host knows it by its address.
    pub(super) fn serve(&self) -> anyhow::Result<Child> {
        let (home, token) = (self.path("person"), self.path("asker.token"));
        self.person(&[
            "token",
            "new",
            "--role",
            "asker",
            "--account",
            "host",
            "--out",
            &token.to_string_lossy(),
        ])?;
        let mut command = Command::new(&self.sayso);
        command.args(["serve", "--listen", "127.0.0.1:0", "--desk", &self.desk()]).env_clear();
        command.env("HOME", home).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn()?;
        let mut address = String::new();
        let printed = child.stdout.take().context("it prints its address")?;
        BufReader::new(printed).read_line(&mut address)?;
        *self.server.lock().unwrap_or_else(PoisonError::into_inner) = Some(address.trim().to_owned());
        Ok(child)
    }

    /// The id of the ask, as soon as the host has asked.
    pub(super) fn asked(&self, host: &mut Child) -> anyhow::Result<String> {
        let first = self.all_asked(host, 1)?.into_iter().next();
        first.and_then(|ask| id(&ask)).context("an ask has an id")
    }

    /// The asks, as soon as the host has made as many.
    pub(super) fn all_asked(&self, host: &mut Child, count: usize) -> anyhow::Result<Vec<Value>> {
        until("question of the host", || {
            let status = host.try_wait()?;
            // Before the host has asked, there may be no desk to list.
            let asks = if self.path("desk.db").exists() { self.asks()? } else { Vec::new() };
            match status {
                Some(status) if asks.len() < count => {
                    bail!("the host ended with {status} and has asked {} of {count}", asks.len())
                }
                _ => Ok((asks.len() >= count).then_some(asks)),
            }
        })
    }

    /// The person says what was seen.
    pub(super) fn answer(&self, id: &str) -> anyhow::Result<()> {
        self.answer_with(id, &json!({ "answers": { "what": { "answer": { "text": SAID } } } }))
    }

    /// The person answers.
    pub(super) fn answer_with(&self, id: &str, answers: &Value) -> anyhow::Result<()> {
        self.person(&["answer", id, "--answers", &answers.to_string()])?;
        Ok(())
    }

    /// The person declines, and says why.
    pub(super) fn decline(&self, id: &str, reason: &str) -> anyhow::Result<()> {
        self.person_exits(&["answer", id, "--decline", "--reason", reason], DECLINED)?;
        Ok(())
    }

    /// The whole of an ask.
    pub(super) fn ask(&self, id: &str) -> anyhow::Result<Value> {
        Ok(serde_json::from_str(&self.person(&["show", id, "--json"])?)?)
    }
}

/// The id of an ask in a list.
pub(super) fn id(ask: &Value) -> Option<String> {
    Some(ask.get("id")?.as_str()?.to_owned())
}

/// Looks again and again until something has happened.
#[expect(clippy::disallowed_methods, reason = "programs of others tell nobody when something has happened")]
pub(super) fn until<T>(what: &str, mut look: impl FnMut() -> anyhow::Result<Option<T>>) -> anyhow::Result<T> {
    let end = Instant::now() + LIMIT;
    loop {
        if let Some(seen) = look()? {
            return Ok(seen);
        }
        if Instant::now() > end {
            bail!("no {what} within {} s", LIMIT.as_secs());
        }
        std::thread::sleep(LOOK);
    }
}
