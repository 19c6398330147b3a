//! Power cuts: what a second run of this program writes is recorded under strace, and the power is cut after each of its
//! calls. Of what was not synced by then the disk keeps nothing, all, or any of its sectors. Each time the desk must open,
//! be sound, and have all that was acknowledged.

use super::*;
use crate::StoreDesk;
use crate::contract::{act, answer, as_asker, note, open, person};
use crate::desk::Desk as _;
use sayso_core::{AskCommand, AskId, Outcome};
use std::io::Write as _;
use std::process::Command;

/// Environment variable with the desk of the second run.
const DESK: &str = "SAYSO_CUT_DESK";

/// Begin of the lines after each operation.
const DONE: &str = "acknowledged ";

/// Asks of the second run, and the number of them after which it carries its log over.
const ASKS: usize = 40;
const ASKS_UNTIL_CHECKPOINT: usize = 8;

/// Calls after which the power is cut between two syncs, too.
const CALLS_BETWEEN_CUTS: usize = 10;

/// Bytes that a disk writes as a whole.
const SECTOR: usize = 512;

/// Files of a desk that hold data.
const FILES: [&str; 3] = ["desk", "desk-wal", "desk.mark"];

/// Does nothing in a test run; with a desk in the environment, it is the second run.
#[test]
fn traced_process_entry() {
    let Some(path) = std::env::var_os(DESK) else { return };
    let desk = desk(Path::new(&path));
    let done = |what: &str, ask: &sayso_core::Ask| {
        let mut out = fs::File::options().write(true).open("/dev/fd/1").unwrap();
        // One write, so that it is one call.
        out.write_all(format!("{DONE}{what} {}\n", ask.id).as_bytes()).unwrap();
    };
    for number in 0..ASKS {
        let ask = open(&desk, &format!("door {number}"));
        done("ask", &ask);
        match number % 3 {
            0 => {
                desk.save(&person("ada"), ask.id, DraftRev(0), vec![note(&"typed ".repeat(2_000))]).unwrap();
                done("draft", &ask);
                answer(&desk, &ask);
                done("answer", &ask);
            }
            1 => {
                act(&desk, &as_asker(), &ask, AskCommand::CANCEL).unwrap();
                done("cancel", &ask);
            }
            _ => {}
        }
        if number % ASKS_UNTIL_CHECKPOINT == 0 {
            desk.run_maintenance(RetentionPolicy::default(), Duration::MAX);
        }
    }
}

/// Recorded call of the system.
#[derive(Debug)]
enum Call {
    Write {
        file: usize,
        at: usize,
        bytes: Vec<u8>,
    },
    SetLength {
        file: usize,
        length: usize,
    },
    Sync {
        file: usize,
    },
    /// The program told this.
    Acknowledge(String),
}

/// Decodes the escapes of `strace -xx`.
fn decode(text: &str) -> Vec<u8> {
    let digits = |pair: &str| u8::from_str_radix(pair, 16).unwrap();
    text.split("\\x").skip(1).map(|code| digits(&code[..2])).collect()
}

/// Parses a line of the trace; `None` for a call on another file.
fn parse_call(line: &str) -> Option<Call> {
    assert!(!line.contains("unfinished"), "{line}");
    let (before, rest) = line.split_once('<')?;
    let (path, rest) = rest.split_once('>')?;
    let name = before.split_whitespace().last()?.split('(').next()?;
    let numbers = |text: &str| -> Vec<usize> {
        text.split([',', ')']).filter_map(|part| part.trim().parse().ok()).collect()
    };
    if name == "write" {
        let told = String::from_utf8(decode(rest.split('"').nth(1)?)).ok()?;
        return told.strip_prefix(DONE).map(|told| Call::Acknowledge(told.trim_end().to_owned()));
    }
    let path = String::from_utf8(decode(path)).unwrap();
    let file = FILES.iter().position(|file| path.ends_with(&format!("/{file}")))?;
    Some(match name {
        "pwrite64" => {
            let parts: Vec<_> = rest.split('"').collect();
            let (bytes, numbers) = (decode(parts[1]), numbers(parts[2]));
            assert_eq!(numbers[0], bytes.len(), "a write was cut off: {}", &line[..80]);
            Call::Write { file, at: numbers[1], bytes }
        }
        "ftruncate" => Call::SetLength { file, length: numbers(rest)[0] },
        "fsync" | "fdatasync" => Call::Sync { file },
        other => panic!("{other}"),
    })
}

/// Records the calls of the second run on the desk in a folder.
fn record(folder: &Path) -> Vec<Call> {
    let log = folder.join("trace");
    let mut command = Command::new("strace");
    command.args(["-f", "-y", "-qq", "-xx", "-s", "1000000", "-e"]);
    command.args(["trace=write,pwrite64,fsync,fdatasync,ftruncate", "-o"]).arg(&log);
    command.arg(std::env::current_exe().unwrap());
    let test = "store::sqlite::tests::power_cut::traced_process_entry";
    command.args(["--exact", test, "--nocapture", "--test-threads=1"]);
    let output = command.env(DESK, folder.join("desk")).output();
    let output = output.unwrap_or_else(|error| panic!("no strace ({error}): run `cargo xtask setup`"));
    assert!(output.status.success(), "{output:?}");
    fs::read_to_string(log).unwrap().lines().filter_map(parse_call).collect()
}

fn write_at(content: &mut Vec<u8>, at: usize, bytes: &[u8]) {
    if content.len() < at + bytes.len() {
        content.resize(at + bytes.len(), 0);
    }
    content[at..at + bytes.len()].copy_from_slice(bytes);
}

/// Calls that were not synced, as far as the disk keeps them.
#[derive(Debug, Clone, Copy)]
enum UnsyncedCalls {
    Nothing,
    Everything,
    /// Each sector or not, by this seed.
    SomeSectors(u64),
}

impl UnsyncedCalls {
    /// Returns the files after a power cut.
    fn apply(self, synced: &[Vec<u8>; 3], pending: &[&Call]) -> [Vec<u8>; 3] {
        let mut files = synced.clone();
        let mut dice = match self {
            Self::Nothing => return files,
            Self::Everything => 0,
            Self::SomeSectors(seed) => seed | 1,
        };
        let mut keeps = || {
            if dice == 0 {
                return true;
            }
            // xorshift: any numbers will do.
            dice ^= dice << 13;
            dice ^= dice >> 7;
            dice ^= dice << 17;
            dice % 2 == 0
        };
        for call in pending {
            match call {
                Call::Write { file, at, bytes } => {
                    let (mut at, mut rest) = (*at, bytes.as_slice());
                    while !rest.is_empty() {
                        let (sector, others) = rest.split_at(rest.len().min(SECTOR - at % SECTOR));
                        if keeps() {
                            write_at(&mut files[*file], at, sector);
                        }
                        (at, rest) = (at + sector.len(), others);
                    }
                }
                Call::SetLength { file, length } if keeps() => files[*file].resize(*length, 0),
                _ => {}
            }
        }
        files
    }
}

/// Checks a desk after a power cut.
fn check_after_cut(files: &[Vec<u8>; 3], acknowledged: &[&str], what: &str) {
    let folder = TempDir::new().unwrap();
    for (name, content) in FILES.iter().zip(files) {
        if !content.is_empty() {
            fs::write(folder.path().join(name), content).unwrap();
        }
    }
    let path = folder.path().join("desk");
    let desk = StoreDesk::open(&path).unwrap_or_else(|problem| panic!("{what}: {problem}"));
    for told in acknowledged {
        let (act, id) = told.split_once(' ').unwrap();
        let ask =
            desk.get(AskId::parse(id).unwrap()).unwrap_or_else(|problem| panic!("{what}: {told}: {problem}"));
        let is_there = match act {
            "ask" => true,
            "draft" => !desk.draft(ask.id).unwrap().replies.is_empty(),
            "answer" => matches!(ask.outcome(), Some(Outcome::Answered { .. })),
            _ => matches!(ask.outcome(), Some(Outcome::Cancelled { .. })),
        };
        assert!(is_there, "{what}: {told}");
    }
    open(&desk, "after the cut");
    drop(desk);
    let report = maintenance::check(&path, false, &|_, _| {}).unwrap();
    assert!(report.is_sound(), "{what}: {report:?}");
}

/// Cuts the power here in three ways.
fn cut(synced: &[Vec<u8>; 3], pending: &[&Call], told: &[&str], at: usize) {
    std::thread::scope(|scope| {
        for kept in [
            UnsyncedCalls::Nothing,
            UnsyncedCalls::Everything,
            UnsyncedCalls::SomeSectors(at as u64 * 0x9e37_79b9),
        ] {
            scope.spawn(move || {
                check_after_cut(&kept.apply(synced, pending), told, &format!("call {at}, {kept:?}"));
            });
        }
    });
}

#[test]
fn power_cut_loses_nothing_acknowledged() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("desk");
    open(&desk(&path), "before");
    let mut synced = FILES.map(|name| fs::read(folder.path().join(name)).unwrap_or_default());
    let (mut pending, mut told, mut syncs): (Vec<&Call>, Vec<&str>, usize) = Default::default();
    let calls = record(folder.path());
    for (at, call) in calls.iter().enumerate() {
        match call {
            Call::Acknowledge(words) => told.push(words.as_str()),
            Call::Sync { file } => {
                cut(&synced, &pending, &told, at);
                let of_file = |call: &&Call| matches!(call, Call::Write { file: of, .. } | Call::SetLength { file: of, .. } if of == file);
                let (durable, others): (Vec<&Call>, Vec<&Call>) = pending.into_iter().partition(of_file);
                synced = UnsyncedCalls::Everything.apply(&synced, &durable);
                (pending, syncs) = (others, syncs + 1);
                cut(&synced, &pending, &told, at);
            }
            call => {
                pending.push(call);
                if at % CALLS_BETWEEN_CUTS == 0 {
                    cut(&synced, &pending, &told, at);
                }
            }
        }
    }
    let told_kinds = ["ask", "draft", "answer", "cancel"];
    assert!(told_kinds.iter().all(|kind| told.iter().any(|told| told.starts_with(kind))), "{told:?}");
    let carried_over = calls.iter().any(|call| matches!(call, Call::Write { file: 0, .. }));
    assert!(syncs > ASKS && carried_over, "{syncs}");
}
