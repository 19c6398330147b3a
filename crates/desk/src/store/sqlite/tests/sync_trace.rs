//! Test that no acknowledgement precedes its sync, by the order of system calls. A second run of this program does
//! every durable operation and prints a line after each, under strace.

use super::*;
use crate::StoreDesk;
use crate::contract::{act, as_asker, as_person, new_ask, note, open, person, pick, submit};
use crate::desk::Desk;
use sayso_core::model::ask::RoundFeedback;
use sayso_core::{AskCommand, NewAsk};
use std::fs::File;
use std::io::Write as _;
use std::path::Path;
use std::process;
use tempfile::TempDir;

/// Environment variable with the desk of the second run.
const DESK: &str = "SAYSO_TRACED_DESK";
/// Prefix of the line after each operation.
const DONE: &str = "acknowledged: ";

fn print_line(what: &str) {
    let mut out = File::options().write(true).open("/dev/fd/1").unwrap();
    // One write, so that it is one line of the trace.
    out.write_all(format!("{DONE}{what}\n").as_bytes()).unwrap();
}

/// Does nothing in a test run; with a desk in the environment, it is the second run.
#[test]
fn traced_process_entry() {
    if let Some(desk) = std::env::var_os(DESK) {
        run_all(Path::new(&desk), std::env::var_os("UNSYNCED").is_some());
    }
}

fn run_all(path: &Path, is_unsynced: bool) {
    let store = SqliteStore::open(path).unwrap();
    if is_unsynced {
        store.writer.try_connection().unwrap().pragma_update(None, "synchronous", "OFF").unwrap();
    }
    let desk = StoreDesk::with_store(store);
    let ask = open(&desk, "door");
    print_line("ask");
    desk.save(&person("ada"), ask.id, DraftRev(0), vec![note("typed")]).unwrap();
    print_line("draft");
    act(&desk, &as_person("ada"), &ask, AskCommand::MarkSeen).unwrap();
    act(&desk, &as_person("ada"), &ask, submit(&ask, [pick("red")])).unwrap();
    print_line("answer");
    desk.offer(&crate::contract::asker(), &desk.get(ask.id).unwrap(), "f", &|_| b"red".to_vec()).unwrap();
    desk.ack(&crate::contract::asker(), ask.id).unwrap();
    print_line("delivery");
    let ask = open(&desk, "wall");
    act(&desk, &as_person("ada"), &ask, AskCommand::Decline { reason: None, shown: ask.request.digest })
        .unwrap();
    print_line("decline");
    let ask = open(&desk, "roof");
    act(&desk, &as_asker(), &ask, AskCommand::CANCEL).unwrap();
    print_line("cancel");
    let judged = NewAsk { needs_verdict: true, ..new_ask("floor") };
    let ask = desk.open(None, judged).unwrap().ask().clone();
    act(&desk, &as_person("ada"), &ask, submit(&ask, [pick("red")])).unwrap();
    print_line("submission");
    act(&desk, &as_asker(), &ask, AskCommand::Reprompt { round: 1, feedback: RoundFeedback::default() })
        .unwrap();
    print_line("reprompt");
    act(&desk, &as_person("ada"), &ask, submit(&ask, [pick("red")])).unwrap();
    act(&desk, &as_asker(), &ask, AskCommand::Accept { round: 2 }).unwrap();
    print_line("verdict");
}

/// All acknowledged operations, in order.
const ACKNOWLEDGED: [&str; 9] =
    ["ask", "draft", "answer", "delivery", "decline", "cancel", "submission", "reprompt", "verdict"];

/// Returns the system calls of a second run on a desk that was opened before, and its output.
fn trace(is_unsynced: bool) -> String {
    let folder = TempDir::new().unwrap();
    drop(SqliteStore::open(&folder.path().join("desk")).unwrap());
    trace_in(&folder, is_unsynced)
}

/// Returns the system calls of the second run on the files of the desk in this folder, and its output.
fn trace_in(folder: &TempDir, is_unsynced: bool) -> String {
    let path = folder.path().join("desk");
    let log = folder.path().join("trace");
    let mut command = process::Command::new("strace");
    command
        .args([
            "-f",
            "-y",
            "-qq",
            "-s",
            "40",
            "-e",
            "trace=write,pwrite64,fsync,fdatasync,?rename,?renameat,?renameat2",
            "-o",
        ])
        .arg(&log);
    command.arg(std::env::current_exe().unwrap());
    command.args([
        "--exact",
        "store::sqlite::tests::sync_trace::traced_process_entry",
        "--nocapture",
        "--test-threads=1",
    ]);
    command.env(DESK, &path).envs(is_unsynced.then_some(("UNSYNCED", "1")));
    let output = command.output();
    let output = output.unwrap_or_else(|error| panic!("no strace ({error}): run `cargo xtask setup`"));
    assert!(output.status.success(), "{output:?}");
    fs::read_to_string(log).unwrap()
}

/// Returns whether the folder of the new WAL is synced before the first acknowledgement.
fn syncs_folder_first(trace: &str) -> bool {
    let before = trace.lines().take_while(|line| !line.contains(DONE));
    let syncs: Vec<_> = before.filter(|line| line.contains("sync(")).collect();
    syncs.last().is_some_and(|line| !line.contains("-wal>"))
        && syncs.iter().any(|line| line.contains("-wal>"))
}

/// Returns the acknowledgements, each with whether all earlier writes to the WAL were synced.
fn parse_acknowledgements(trace: &str) -> Vec<(String, bool)> {
    let (mut is_synced, mut found) = (true, Vec::new());
    for line in trace.lines() {
        let is_log = line.contains("-wal>");
        if is_log && line.contains("pwrite64(") {
            is_synced = false;
        } else if is_log && line.contains("sync(") && line.trim_end().ends_with("= 0") {
            is_synced = true;
        } else if let Some((_, text)) = line.split_once(DONE) {
            let what = text.split_once("\\n").unwrap().0;
            found.push((what.to_owned(), is_synced));
        }
    }
    found
}

#[test]
fn every_acknowledgement_follows_its_sync() {
    let trace = trace(false);
    assert!(syncs_folder_first(&trace), "{trace}");
    let text = parse_acknowledgements(&trace);
    assert_eq!(text, ACKNOWLEDGED.map(|what| (what.to_owned(), true)));
}

#[test]
fn first_ask_of_a_new_desk_syncs_each_file_once() {
    let folder = TempDir::new().unwrap();
    let trace = trace_in(&folder, false);
    let name = |line: &str| {
        if line.contains(" rename") {
            return line.contains("/desk.new-").then_some("name");
        }
        let is_sync = line.contains("sync(");
        let ends = [("/desk.new-", "content"), ("-wal>", "log"), ("", "folder")];
        ends.into_iter().find_map(|(part, name)| (is_sync && line.contains(part)).then_some(name))
    };
    let before = trace.lines().take_while(|line| !line.contains(DONE));
    let steps: Vec<_> = before.filter_map(name).collect();
    // SQLite syncs the header of a new log apart from its first commit.
    assert_eq!(steps, ["content", "name", "folder", "log", "log"], "{trace}");
}

#[test]
fn unsynced_run_fails_the_check() {
    let text = parse_acknowledgements(&trace(true));
    // The first unsynced note resets the pragma.
    assert_eq!(text[..2], [("ask".to_owned(), false), ("draft".to_owned(), false)]);
}
