//! Second process at the same desk: this program run again, controlled by lines. Its replies are lines that begin
//! with `@`, because its standard output has the test harness's text as well.

use crate::asks::{as_person, new_ask, person, reply, retry_while_busy, submit};
use sayso_core::{AskCommand as Act, AskId, Problem};
use sayso_desk::{AskQuery, Desk, DraftRev, StoreDesk};
use std::io::{BufRead as _, BufReader, Lines, Write as _, stdin, stdout};
use std::path::Path;
use std::process::{Child as Process, ChildStdin, ChildStdout, Command, Stdio};

/// Environment variable that makes a run of this program a child. Its value is the desk file.
const DESK: &str = "SAYSO_TEST_DESK";

/// Environment variable of a child that waits for a line before it opens the desk.
const GATE: &str = "SAYSO_TEST_GATE";

/// Parent's handle on a child. Dropping it ends the process.
pub(crate) struct ChildDesk {
    process: Process,
    orders: ChildStdin,
    replies: Lines<BufReader<ChildStdout>>,
}

impl ChildDesk {
    pub(crate) fn start(path: &Path) -> Self {
        Self::run(Command::new(std::env::current_exe().unwrap()), path)
    }

    /// Starts a child that opens the desk when it gets its first line, so that many can open it at once.
    pub(crate) fn start_gated(path: &Path) -> Self {
        let mut command = Command::new(std::env::current_exe().unwrap());
        command.env(GATE, "1");
        Self::run(command, path)
    }

    /// Starts a child with a file size limit in blocks of 512 bytes, beyond which writes fail as on a full disk.
    pub(crate) fn start_with_file_limit(path: &Path, blocks: u64) -> Self {
        let mut shell = Command::new("sh");
        let script = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$0\" \"$@\"");
        shell.args(["-c", &script]).arg(std::env::current_exe().unwrap());
        Self::run(shell, path)
    }

    fn run(mut command: Command, path: &Path) -> Self {
        let mut process = command
            .args(["--exact", "child::child_process_entry", "--nocapture"])
            .env(DESK, path)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let replies = BufReader::new(process.stdout.take().unwrap()).lines();
        let orders = process.stdin.take().unwrap();
        let mut child = Self { process, orders, replies };
        assert_eq!(child.reply().as_deref(), Some("ready"));
        child
    }

    pub(crate) fn order(&mut self, order: &str) {
        writeln!(self.orders, "{order}").unwrap();
    }

    /// Reads the next reply; `None` when the process has ended.
    pub(crate) fn reply(&mut self) -> Option<String> {
        self.replies.by_ref().map_while(Result::ok).find_map(|line| line.strip_prefix('@').map(str::to_owned))
    }

    /// Sends an order and waits for the reply.
    pub(crate) fn ask(&mut self, order: &str) -> String {
        self.order(order);
        self.reply().unwrap()
    }

    /// Kills the process.
    pub(crate) fn kill(&mut self) {
        self.process.kill().unwrap();
        self.process.wait().unwrap();
    }
}

impl Drop for ChildDesk {
    fn drop(&mut self) {
        // A test that killed or awaited it before has nothing left to end.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn say(line: &str) {
    // The harness may have begun a line of its own.
    let mut out = stdout().lock();
    write!(out, "\n@{line}\n").and_then(|()| out.flush()).unwrap();
}

fn to_line(result: Result<String, Problem>) -> String {
    result.unwrap_or_else(|problem| problem.code.as_str().to_owned())
}

fn id_of(word: Option<&str>) -> AskId {
    AskId::parse(word.unwrap()).unwrap()
}

/// Opens asks and saves a draft on each until an error, and reports what is durable.
fn write_until_error(desk: &StoreDesk, prefix: &str, filling: &str) -> String {
    for n in 0_u64.. {
        let key = format!("{prefix} {n}");
        match retry_while_busy(|| desk.open(Some(&key), new_ask(&format!("{key} {filling}")))) {
            Ok(opened) => {
                let id = opened.ask().id;
                say(&format!("asked {n} {id}"));
                let save = || desk.save(&person("ada"), id, DraftRev(0), vec![reply(&format!("draft {n}"))]);
                match retry_while_busy(save) {
                    Ok(_) => say(&format!("saved {n} {id}")),
                    Err(problem) => return problem.to_string(),
                }
            }
            Err(problem) => return problem.to_string(),
        }
    }
    unreachable!("there is no last number")
}

fn run_order(desk: &StoreDesk, order: &str) -> String {
    let mut words = order.split(' ');
    match words.next() {
        Some("see") => {
            let id = id_of(words.next());
            to_line(desk.act(&as_person("child"), id, None, Act::MarkSeen).map(|_| "seen".to_owned()))
        }
        Some("save") => {
            let id = id_of(words.next());
            let saved = desk.save(&person("child"), id, DraftRev(0), vec![reply("from afar")]);
            to_line(saved.map(|saved| saved.rev.0.to_string()))
        }
        Some("submit") => {
            let (id, name) = (id_of(words.next()), words.next().unwrap());
            let ask = desk.get(id).unwrap();
            let done = desk.act(&as_person(name), id, words.next(), submit(&ask, name));
            to_line(done.map(|_| "won".to_owned()))
        }
        Some("whose") => {
            let token = desk.verify_token(words.next().unwrap());
            to_line(token.map(|token| token.map_or("nobody".to_owned(), |token| token.account)))
        }
        Some("revoke") => to_line(desk.revoke_token(words.next().unwrap()).map(|token| token.account)),
        Some("write") => write_until_error(desk, words.next().unwrap(), ""),
        Some("fill") => write_until_error(desk, words.next().unwrap(), &"x".repeat(2_000)),
        Some("count") => to_line(desk.list(&AskQuery::default()).map(|page| page.rows.len().to_string())),
        Some("draft") => {
            let draft = desk.draft(id_of(words.next()));
            to_line(draft.map(|draft| draft.replies.values().map(|reply| format!("{reply:?}")).collect()))
        }
        order => panic!("{order:?}"),
    }
}

/// Runs the child's side; without a desk in the environment it does nothing.
#[test]
fn child_process_entry() {
    let Some(path) = std::env::var_os(DESK) else { return };
    let mut orders = stdin().lock().lines();
    if std::env::var_os(GATE).is_some() {
        say("ready");
        orders.next();
    }
    let desk = match StoreDesk::open(Path::new(&path)) {
        Ok(desk) => desk,
        Err(problem) => return say(&format!("refused {problem:?}")),
    };
    say("ready");
    for order in orders {
        say(&run_order(&desk, &order.unwrap()));
    }
}
