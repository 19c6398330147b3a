//! Sandbox of a scene: homes of the agent and of the person, a desk, and a working folder. Programs in it inherit
//! nothing from this program's environment but `PATH`, and reach no network.

use std::fs::{self, File};
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

use super::open_inbox::OpenInbox;
use super::recordings;

/// Limit of one wait. Hosts need a few seconds; other builds on the machine multiply that.
const LIMIT: Duration = Duration::from_secs(180);
/// Interval of polling.
const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// Beginning of the names of sandboxes' folders.
pub(super) const PREFIX: &str = "sayso-hosts-";
/// End of the path of the folder in which a host works.
pub(super) const WORK: &str = "/work";
/// File of the desk: the agent's default one, because Codex gives its MCP servers few variables of its environment.
pub(super) const DESK: &str = "home/.local/share/sayso/desk.db";
/// Answer of the person, which the model cannot guess.
pub(super) const ANSWER_TEXT: &str = "the grey heron at 4:17";

/// Variables of a program that reaches this machine alone: nothing listens at this proxy.
pub(super) const NO_NETWORK: [(&str, &str); 6] = [
    ("HTTP_PROXY", "http://127.0.0.1:9"),
    ("HTTPS_PROXY", "http://127.0.0.1:9"),
    ("http_proxy", "http://127.0.0.1:9"),
    ("https_proxy", "http://127.0.0.1:9"),
    ("NO_PROXY", "127.0.0.1,localhost"),
    ("no_proxy", "127.0.0.1,localhost"),
];

/// Exit code of `sayso answer --decline`.
const DECLINED_EXIT: i32 = 3;

/// Sandbox of a scene.
pub(super) struct Sandbox {
    folder: TempDir,
    /// The program under test.
    sayso: PathBuf,
    /// Time after which the host ends a call by itself, if the scene is about that.
    pub(super) limit: Option<Duration>,
    is_set_up: AtomicBool,
    /// Address of the desk's server, if the host uses one.
    server: Mutex<Option<String>>,
    /// Stores the inputs and outputs of hooks.
    is_recorded: bool,
}

impl Sandbox {
    /// Creates the folders.
    pub(super) fn new(sayso: &Path, limit: Option<Duration>, is_recorded: bool) -> anyhow::Result<Self> {
        let folder = tempfile::Builder::new().prefix(PREFIX).tempdir()?;
        let sandbox = Self {
            folder,
            sayso: sayso.to_owned(),
            limit,
            is_set_up: AtomicBool::new(false),
            server: Mutex::new(None),
            is_recorded,
        };
        for name in ["home", "work", "person/sayso"] {
            fs::create_dir_all(sandbox.path(name))?;
        }
        sandbox.write("person/sayso/config.toml", "scripted_answers = true\n")?;
        Ok(sandbox)
    }

    /// Returns our program.
    pub(super) fn sayso(&self) -> &Path {
        &self.sayso
    }

    /// Returns the path of a file or folder in the sandbox.
    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Writes a file, and returns its path.
    pub(super) fn write(&self, name: &str, text: &str) -> anyhow::Result<PathBuf> {
        let path = self.path(name);
        fs::create_dir_all(path.parent().context("a file lies in a folder")?)?;
        fs::write(&path, text)?;
        Ok(path)
    }

    /// Keeps the folder, and returns its path.
    pub(super) fn keep(self) -> PathBuf {
        self.folder.keep()
    }

    fn desk(&self) -> String {
        format!("sqlite:{}", self.path(DESK).display())
    }

    /// Runs `sayso setup` for the host.
    pub(super) fn set_up(&self, name: &str) -> anyhow::Result<()> {
        let output = self.host(&self.sayso).args(["setup", name, "--yes"]).stdin(Stdio::null()).output()?;
        if !output.status.success() {
            bail!("`sayso setup {name}`: {}", String::from_utf8_lossy(&output.stderr).trim());
        }
        self.is_set_up.store(true, Ordering::Relaxed);
        if self.is_recorded { recordings::install(self, &self.sayso) } else { Ok(()) }
    }

    /// Returns what `sayso setup --check` says about a host that cannot ask at the desk.
    pub(super) fn check_setup(&self, name: &str) -> anyhow::Result<String> {
        let output = self.host(&self.sayso).args(["setup", name, "--check"]).stdin(Stdio::null()).output()?;
        if output.status.success() {
            bail!("`sayso setup {name} --check` finds nothing");
        }
        let [said, errors] =
            [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
        Ok(said + &errors)
    }

    /// Returns true once `sayso setup` has run: then the host needs no other configuration than that of its model.
    pub(super) fn is_set_up(&self) -> bool {
        self.is_set_up.load(Ordering::Relaxed)
    }

    /// Returns the command of the MCP server: the program and its arguments.
    pub(super) fn mcp_server(&self) -> (String, Vec<String>) {
        let mut arguments = vec!["mcp".to_owned(), "--desk".to_owned(), self.desk()];
        if self.limit.is_some() {
            // Longer than the host's own limit, which shall end the call.
            arguments.extend(["--hold", "10m"].map(str::to_owned));
        }
        (self.sayso.display().to_string(), arguments)
    }

    /// Returns a command that runs a program as the agent's user.
    pub(super) fn host(&self, program: &Path) -> Command {
        let mut command = Command::new(program);
        command.current_dir(self.path("work")).env_clear().env("HOME", self.path("home"));
        command.envs(std::env::var_os("PATH").map(|path| ("PATH", path)));
        command.envs(NO_NETWORK);
        command.envs([("TERM", "dumb"), ("CI", "1"), ("USER", "agent")]);
        // The host's hooks inherit the desk.
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

    /// Opens the person's inbox, and waits until the desk knows that the person is present.
    pub(super) fn open_inbox(&self) -> anyhow::Result<OpenInbox> {
        let inbox = OpenInbox::open(&self.sayso, &self.path("person"), &self.desk())?;
        let mark = self.path(&format!("{DESK}.person"));
        poll_until("mark of a present person", || Ok(mark.exists().then_some(())))?;
        Ok(inbox)
    }

    /// Runs a command of the person, and returns its output.
    fn person(&self, arguments: &[&str]) -> anyhow::Result<String> {
        self.person_exits(arguments, 0)
    }

    /// Runs a command of the person that ends with this exit code, and returns its output.
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

    /// Lists all asks at the desk.
    pub(super) fn asks(&self) -> anyhow::Result<Vec<Value>> {
        let listed: Value = serde_json::from_str(&self.person(&["list", "--state", "all", "--json"])?)?;
        Ok(listed.get("asks").and_then(Value::as_array).cloned().unwrap_or_default())
    }

    /// Lists all asks at the desk; none if there is no desk yet.
    pub(super) fn asks_if_any(&self) -> anyhow::Result<Vec<Value>> {
        if self.path(DESK).exists() { self.asks() } else { Ok(Vec::new()) }
    }

    /// Returns the path of a file that does not exist yet.
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

    /// Kills the hook that waits for an ask's answer.
    pub(super) fn kill_hook(&self, ask: &str) -> anyhow::Result<()> {
        let id = i32::try_from(self.hook_id(ask)?).ok().and_then(Pid::from_raw).context("no hook waits")?;
        Ok(kill_process(id, Signal::KILL)?)
    }

    /// Returns the folder of the process that waits for an ask's answer, which exists as long as it runs.
    pub(super) fn hook(&self, ask: &str) -> anyhow::Result<PathBuf> {
        Ok(Path::new("/proc").join(self.hook_id(ask)?.to_string()))
    }

    fn hook_id(&self, ask: &str) -> anyhow::Result<i64> {
        let shown = self.ask(ask)?;
        shown.pointer("/presence/attached/process/pid").and_then(Value::as_i64).context("no hook waits")
    }

    /// Returns an ask as a person reads it.
    pub(super) fn shown_text(&self, id: &str) -> anyhow::Result<String> {
        self.person(&["show", id])
    }

    /// Creates a token, and returns the path of its file.
    pub(super) fn new_token(&self, role: &str, account: &str) -> anyhow::Result<PathBuf> {
        let path = self.path(&format!("{role}.token"));
        let file = path.to_string_lossy();
        self.person(&["token", "new", "--role", role, "--account", account, "--out", &file])?;
        Ok(path)
    }

    /// Starts a server of the desk. Hosts that start later use its address.
    pub(super) fn serve(&self) -> anyhow::Result<DeskServer> {
        self.new_token("asker", "host")?;
        let server = self.start_server("127.0.0.1:0", |_| {})?;
        *self.server.lock().unwrap_or_else(PoisonError::into_inner) = Some(server.url.clone());
        Ok(server)
    }

    /// Starts a server of the desk at an address, with more arguments and variables. Its log is `server.log`.
    pub(super) fn start_server(
        &self,
        address: &str,
        configure: impl FnOnce(&mut Command),
    ) -> anyhow::Result<DeskServer> {
        let log = File::options().create(true).append(true).open(self.path("server.log"))?;
        let mut command = Command::new(&self.sayso);
        command.args(["serve", "--listen", address, "--desk", &self.desk()]).env_clear();
        command.env("HOME", self.path("person")).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(log);
        configure(&mut command);
        let mut server = DeskServer { child: command.spawn()?, url: String::new() };
        let printed = server.child.stdout.take().context("its output is a pipe")?;
        BufReader::new(printed).read_line(&mut server.url)?;
        server.url.truncate(server.url.trim_end().len());
        if server.url.is_empty() {
            bail!("the server did not start: {}", fs::read_to_string(self.path("server.log"))?.trim());
        }
        Ok(server)
    }

    /// Waits for the host's first ask, and returns its id.
    pub(super) fn wait_for_ask(&self, host: &mut Child) -> anyhow::Result<String> {
        let first = self.wait_for_asks(host, 1)?.into_iter().next();
        first.and_then(|ask| id(&ask)).context("an ask has an id")
    }

    /// Waits until the host has asked so often, and returns all asks, the newest first.
    pub(super) fn wait_for_asks(&self, host: &mut Child, count: usize) -> anyhow::Result<Vec<Value>> {
        poll_until("question of the host", || {
            let status = host.try_wait()?;
            let asks = self.asks_if_any()?;
            match status {
                Some(status) if asks.len() < count => {
                    bail!("the host ended with {status} and has asked {} of {count}", asks.len())
                }
                _ => Ok((asks.len() >= count).then_some(asks)),
            }
        })
    }

    /// Answers the question of the simulated model with [`ANSWER_TEXT`].
    pub(super) fn answer(&self, id: &str) -> anyhow::Result<()> {
        self.answer_with(id, &json!({ "answers": { "what": { "answer": { "text": ANSWER_TEXT } } } }))
    }

    /// Answers an ask.
    pub(super) fn answer_with(&self, id: &str, answers: &Value) -> anyhow::Result<()> {
        self.person(&["answer", id, "--answers", &answers.to_string()])?;
        Ok(())
    }

    /// Declines an ask with a reason.
    pub(super) fn decline(&self, id: &str, reason: &str) -> anyhow::Result<()> {
        self.person_exits(&["answer", id, "--decline", "--reason", reason], DECLINED_EXIT)?;
        Ok(())
    }

    /// Returns an ask with all its members.
    pub(super) fn ask(&self, id: &str) -> anyhow::Result<Value> {
        Ok(serde_json::from_str(&self.person(&["show", id, "--json"])?)?)
    }

    /// Returns the state of an ask.
    pub(super) fn ask_state(&self, id: &str) -> anyhow::Result<String> {
        self.ask(id)?.get("state").and_then(Value::as_str).map(str::to_owned).context("an ask has a state")
    }
}

/// Running `sayso serve`. It is killed when this value is dropped.
pub(super) struct DeskServer {
    child: Child,
    url: String,
}

impl DeskServer {
    /// Returns the host and the port.
    pub(super) fn address(&self) -> &str {
        self.url.trim_start_matches("http://")
    }

    /// Kills the server.
    pub(super) fn kill(mut self) -> anyhow::Result<()> {
        self.child.kill()?;
        self.child.wait()?;
        Ok(())
    }
}

impl Drop for DeskServer {
    fn drop(&mut self) {
        // Fails only if it has ended.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Returns the id of an ask in a list.
pub(super) fn id(ask: &Value) -> Option<String> {
    Some(ask.get("id")?.as_str()?.to_owned())
}

/// Polls until there is a result.
///
/// # Errors
/// Fails if a poll fails, or after [`LIMIT`].
#[expect(clippy::disallowed_methods, reason = "other programs send no signal that could be waited for")]
pub(super) fn poll_until<T>(
    what: &str,
    mut look: impl FnMut() -> anyhow::Result<Option<T>>,
) -> anyhow::Result<T> {
    let end = Instant::now() + LIMIT;
    loop {
        if let Some(seen) = look()? {
            return Ok(seen);
        }
        if Instant::now() > end {
            bail!("no {what} within {} s", LIMIT.as_secs());
        }
        std::thread::sleep(POLL_INTERVAL);
    }
}
