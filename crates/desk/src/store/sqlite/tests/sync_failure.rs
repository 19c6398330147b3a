//! Failure of the n-th sync, for each n up to 200: nothing is acknowledged after it, everything acknowledged before
//! survives, and one key gives one ask. The tested process is a second run of this program under strace.

use super::*;
use crate::StoreDesk;
use crate::contract::new_ask;
use crate::desk::Desk;
use crate::own_file;
use crate::query::AskQuery;
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;
use std::time::Instant;
use tempfile::TempDir;

/// Environment variable with the desk of the second run.
const DESK: &str = "SAYSO_UNSYNCED_DESK";
/// Last sync that fails.
const LAST: u32 = 200;
/// Number of asks that do not fill the WAL up to a checkpoint.
const BEFORE_CARRIED_OVER: u32 = 120;
/// Attempts of the program after the fault.
const TRIES: usize = 3;

fn title(number: usize) -> String {
    format!("ask-{number}")
}

/// Does nothing in a test run; with a desk in the environment, it is the second run.
#[test]
#[expect(clippy::print_stdout, reason = "whoever started it reads this")]
fn traced_process_entry() {
    let Some(path) = std::env::var_os(DESK) else { return };
    let desk = StoreDesk::open(Path::new(&path)).unwrap();
    let mut refused = 0;
    for number in 0..=LAST as usize + TRIES {
        match desk.open(Some(&title(number)), new_ask(&title(number))) {
            Ok(_) => println!("\nacknowledged {number}"),
            Err(problem) => {
                println!("\nrefused {number} {}", problem.code.as_str());
                refused += 1;
            }
        }
        if refused == TRIES {
            return;
        }
    }
}

/// Runs this program again on a desk, in which these calls of the system fail, and returns what it printed.
fn run_traced(path: &Path, calls: &str, fault: &str) -> Vec<String> {
    let mut command = Command::new("strace");
    // With the filter in the kernel no other call of the system stops the program: a third of the time.
    command.args(["-f", "--seccomp-bpf", "-qq", "-e", &format!("trace={calls}"), "-o", "/dev/null", "-e"]);
    command.arg(format!("inject={calls}:{fault}"));
    command.arg("-P").arg(path).arg("-P").arg(own_file::sibling_path(path, "-wal"));
    command.arg(std::env::current_exe().unwrap());
    command.args([
        "--exact",
        "store::sqlite::tests::sync_failure::traced_process_entry",
        "--nocapture",
        "--test-threads=1",
    ]);
    let output = command.env(DESK, path).output();
    let output = output.unwrap_or_else(|error| panic!("no strace ({error}): run `cargo xtask setup`"));
    assert!(output.status.success(), "{output:?}");
    let printed_text = String::from_utf8(output.stdout).unwrap();
    let is_report = |line: &&str| line.starts_with("acknowledged ") || line.starts_with("refused ");
    printed_text.lines().filter(is_report).map(str::to_owned).collect()
}

fn fails_at(n: u32) {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("desk");
    // The first commit of a new WAL also syncs its header.
    StoreDesk::open(&path).unwrap().new_thread("ada", None).unwrap();
    let lines = run_traced(&path, "fsync,fdatasync", &format!("error=EIO:when={n}"));
    let before = lines.iter().filter(|line| line.starts_with("acknowledged ")).count();
    // Each ask is one sync; a checkpoint takes a few more.
    let (most, carried_over) = (n as usize - 1, if n > BEFORE_CARRIED_OVER { 3 } else { 0 });
    assert!((most - carried_over..=most).contains(&before), "{n}: {before} acknowledged");
    let expected = (0..before).map(|number| format!("acknowledged {number}"));
    let refused = (before..before + TRIES).map(|number| format!("refused {number} desk_failed"));
    assert_eq!(lines, expected.chain(refused).collect::<Vec<_>>(), "{n}");

    let desk = StoreDesk::open(&path).unwrap();
    let there = |desk: &StoreDesk| -> Vec<String> {
        let (mut query, mut titles) = (AskQuery::default(), Vec::new());
        loop {
            let page = desk.list(&query).unwrap();
            titles.extend(page.rows.into_iter().map(|row| row.title));
            query.after = page.next;
            if query.after.is_none() {
                return titles;
            }
        }
    };
    let titles = there(&desk);
    let acknowledged: Vec<_> = (0..before).map(title).collect();
    assert_eq!(titles.get(..before), Some(acknowledged.as_slice()), "{n}");
    assert!(titles.get(before).is_none_or(|last| *last == title(before)), "{n}: {titles:?}");
    let ids = [0, 1].map(|_| desk.open(Some(&title(before)), new_ask(&title(before))).unwrap().ask().id);
    assert_eq!(ids[0], ids[1]);
    assert_eq!(there(&desk).len(), before + 1, "one ask with that key");
    let conn = desk_file(&path);
    let sound: String = conn.query_row("PRAGMA integrity_check", [], |row| row.get(0)).unwrap();
    assert_eq!(sound, "ok");
}

fn desk_file(path: &Path) -> Connection {
    Connection::open(path).unwrap()
}

#[test]
fn failed_sync_loses_no_acknowledged_ask() {
    let next = AtomicU32::new(1);
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                while let n @ ..=LAST = next.fetch_add(1, Ordering::Relaxed) {
                    fails_at(n);
                }
            });
        }
    });
}

#[test]
fn disk_failure_calls_the_hook() {
    let folder = TempDir::new().unwrap();
    let store = SqliteStore::open(&folder.path().join("desk")).unwrap();
    let trust = store.sync_health();
    let desk = StoreDesk::with_store(store);
    let (tell, receiver) = std::sync::mpsc::channel();
    desk.on_loss(move |loss| tell.send(loss).unwrap());
    assert!(desk.open(None, new_ask("door")).is_ok() && receiver.try_recv().is_err());
    let begun = Instant::now();
    trust.mark_lost(DeskLoss::Unconfirmed);
    receiver.recv_timeout(Duration::from_secs(60)).unwrap();
    assert!(begun.elapsed() < Duration::from_secs(10));
    assert!(desk.open(None, new_ask("wall")).is_err());
}

#[test]
fn write_errors_have_their_names() {
    for (error, code) in [("ENOSPC", "desk_full"), ("EIO", "desk_failed")] {
        let folder = TempDir::new().unwrap();
        let path = folder.path().join("desk");
        StoreDesk::open(&path).unwrap().new_thread("ada", None).unwrap();
        let lines = run_traced(&path, "pwrite64", &format!("error={error}:when=20+"));
        let refused = lines.iter().find(|line| line.starts_with("refused ")).unwrap();
        assert!(refused.ends_with(code), "{error}: {refused}");
    }
}
