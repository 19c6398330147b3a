//! Tests of damage, backups, lost data and desks of earlier releases as people meet them: `sayso desk`, `list` and
//! `doctor`.

use crate::support::program::python_program::{change_desk, python};
use crate::support::sample_requests::one;
use crate::support::served_desk::ServedDesk;
use crate::support::test_world::TestWorld;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

fn companion_file(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    PathBuf::from(name)
}

#[test]
fn damaged_ask_is_named_everywhere() {
    let world = TestWorld::new();
    let ids = ["A", "B", "C"].map(|name| world.leave_ask(&one(name), &[]));
    change_desk(&world, "UPDATE ask SET title = 'Something else' WHERE seq = 2");
    let listed = world.sayso(["list"]).run();
    assert_eq!(listed.exit, 0, "{listed:?}");
    assert_eq!(listed.stdout.lines().count(), 3, "{listed:?}");
    assert!(
        !listed.stdout.contains("Something else")
            && listed.stdout.contains("damaged; for details: sayso desk check")
    );
    let rows = world.json(&["list", "--json"]);
    let damaged: Vec<_> = (0..3).map(|at| rows["asks"][at]["damaged"] == true).collect();
    assert_eq!(damaged, [false, true, false]);
    change_desk(&world, "UPDATE request SET body = replace(body, 'A', 'Z') WHERE seq = 1");
    let shown = world.sayso(["show", &ids[0]]).run();
    assert_eq!(shown.exit, 7, "{shown:?}");
    assert!(shown.stderr.contains("is damaged") && shown.stderr.contains("sayso desk check"), "{shown:?}");
    assert_eq!(world.sayso(["show", &ids[2]]).run().exit, 0);
    let checked = world.sayso(["desk", "check", "--json"]).run();
    let found: serde_json::Value = serde_json::from_str(&checked.stdout).unwrap();
    assert_eq!((checked.exit, &found["damaged_asks"]), (7, &serde_json::json!([ids[0], ids[1]])));
    let doctor = world.sayso(["doctor"]).run();
    assert_eq!(doctor.exit, 7, "{doctor:?}");
    assert!(doctor.stdout.contains("✗ The desk is damaged: 2 asks"), "{doctor:?}");
}

#[test]
fn lost_log_is_reported_until_accepted() {
    let world = TestWorld::new();
    (0..3).for_each(|at| drop(world.leave_ask(&one(&format!("Q{at}")), &[])));
    for ending in ["-wal", "-shm"] {
        fs::remove_file(companion_file(&world.desk_file(), ending)).unwrap();
    }
    for command in [&["list"][..], &["desk", "check"], &["doctor"]] {
        let ended = world.sayso(command).run();
        let output = format!("{}{}", ended.stdout, ended.stderr);
        assert_eq!(ended.exit, 7, "{command:?}: {ended:?}");
        assert!(output.contains("is missing ") && output.contains("3 questions"), "{command:?}: {ended:?}");
        assert!(output.contains("sayso desk check --accept"), "{command:?}: {ended:?}");
    }
    let accepted = world.sayso(["desk", "check", "--accept"]).run();
    assert_eq!(accepted.exit, 0, "{accepted:?}");
    assert!(accepted.stderr.contains("cannot notice what was deleted whole"), "{accepted:?}");
    world.leave_ask(&one("Q"), &[]);
    assert_eq!(world.sayso(["list"]).run().stdout.lines().count(), 1);
}

#[test]
fn server_ends_when_its_desk_is_replaced() {
    let world = TestWorld::new();
    world.leave_ask(&one("A"), &[]);
    let copy = world.path("copy.db");
    let file = copy.to_str().unwrap();
    assert_eq!(world.sayso(["desk", "backup", file]).run().exit, 0);
    let served = ServedDesk::start(&world);
    assert_eq!(world.sayso(["desk", "restore", file, "--replace"]).run().exit, 0);
    let ended = served.program.wait();
    assert!(ended.exit == 7 && ended.stderr.contains("has taken the place of the desk"), "{ended:?}");
}

#[test]
fn backup_can_be_restored() {
    let world = TestWorld::new();
    world.leave_ask(&one("A"), &[]);
    let file = world.path("safe.db");
    let file = file.to_str().unwrap();
    let made = world.sayso(["desk", "backup", file]).run();
    assert_eq!((made.exit, made.stderr.as_str()), (0, ""), "{made:?}");
    assert!(made.stdout.starts_with("1 ask copied to "), "{made:?}");
    let again = world.sayso(["desk", "backup", file]).run();
    assert!(again.exit == 1 && again.stderr.contains("no backup was made"), "{again:?}");
    fs::write(world.desk_file(), []).unwrap();
    let emptied = world.sayso(["list"]).run();
    assert_eq!(emptied.exit, 7, "{emptied:?}");
    assert!(emptied.stderr.contains("its file is empty"), "{emptied:?}");
    assert_eq!(world.sayso(["desk", "restore", file]).run().exit, 1);
    let restored = world.json(&["desk", "restore", file, "--replace", "--json"]);
    assert!(restored["asks"] == 1 && restored["kept"].is_string(), "{restored}");
    let listed = world.sayso(["list"]).run();
    assert_eq!((listed.stdout.lines().count(), listed.stderr.as_str()), (1, ""), "{listed:?}");
}

#[test]
fn backup_shows_progress_on_terminal() {
    let world = TestWorld::new();
    world.leave_ask(&one("A"), &[]);
    let file = world.path("safe.db");
    let mut terminal = world.sayso(["desk", "backup", file.to_str().unwrap()]).on_terminal();
    terminal.expect("100 %");
    terminal.expect("1 ask copied to ");
}

/// A process loses SQLite's locks on a file when it closes any handle of it. The next process to open and close the
/// desk then takes itself for the last one, and deletes the log that others write to.
#[test]
fn second_open_keeps_first_ones_locks() {
    let world = TestWorld::new();
    world.leave_ask(&one("A"), &[]);
    let first = world.desk();
    let (id, _) = world.first_ask();
    drop(world.desk());
    let read = "import sqlite3, sys; d = sqlite3.connect(sys.argv[1]); d.execute('SELECT * FROM ask').fetchall(); d.close()";
    let ended = python(&world, &["-c", read, world.desk_file().to_str().unwrap()]).run();
    assert_eq!(ended.exit, 0, "{ended:?}");
    assert!(companion_file(&world.desk_file(), "-wal").exists(), "the log is still in use");
    assert!(sayso_desk::Desk::get(&first, id).is_ok());
}

#[test]
fn incomplete_copy_is_mentioned_once() {
    let world = TestWorld::new();
    world.leave_ask(&one("A"), &[]);
    let file = world.path("copy.db");
    // Copied as people copy: before a checkpoint of the log.
    fs::copy(world.desk_file(), &file).unwrap();
    fs::copy(companion_file(&world.desk_file(), "-wal"), companion_file(&file, "-wal")).unwrap();
    let list = || world.sayso(["list", "--desk", &format!("sqlite:{}", file.display())]).run();
    let first = list();
    assert_eq!((first.exit, first.stdout.lines().count()), (0, 1), "{first:?}");
    assert!(first.stderr.contains("copy.db.mark") && first.stderr.contains("newest"), "{first:?}");
    assert_eq!(list().stderr, "");
}

/// Runs the program without root's privileges, if the tests have them.
#[cfg(target_os = "linux")]
fn run_unprivileged(folder: &Path, args: &[&str]) -> std::io::Result<std::process::Output> {
    let program = folder.join("sayso");
    let mut command = if is_root() {
        let mut command = Command::new("setpriv");
        command.args(["--reuid=65534", "--regid=65534", "--clear-groups"]).arg(&program);
        command
    } else {
        Command::new(&program)
    };
    let desk = format!("sqlite:{}", folder.join("home/desk.db").display());
    command.args(args).env_clear().env("HOME", folder).env("SAYSO_DESK", desk);
    command.output()
}

#[cfg(target_os = "linux")]
fn is_root() -> bool {
    use std::os::unix::fs::MetadataExt as _;
    fs::metadata("/proc/self").is_ok_and(|own| own.uid() == 0)
}

#[cfg(target_os = "linux")]
#[test]
fn wrong_permissions_name_their_fix() {
    use std::os::unix::fs::{PermissionsExt as _, chown};
    let folder = tempfile::TempDir::new().unwrap();
    let folder = folder.path();
    let (home, desk) = (folder.join("home"), folder.join("home/desk.db"));
    fs::create_dir(&home).unwrap();
    fs::copy(env!("CARGO_BIN_EXE_sayso"), folder.join("sayso")).unwrap();
    let mode = |path: &Path, mode| fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    mode(folder, 0o755);
    if is_root() {
        chown(&home, Some(65_534), Some(65_534)).unwrap();
    }
    let asked = std::cell::Cell::new(0);
    // A new question each time: an existing ask is found without a write.
    let ask = || {
        asked.set(asked.get() + 1);
        run_unprivileged(folder, &["ask", &one(&format!("Q{}", asked.get())), "--no-wait", "--elsewhere"])
            .unwrap()
    };
    assert!(ask().status.success());
    let refused = |words: &str| {
        let ended = ask();
        let output = String::from_utf8(ended.stderr).unwrap();
        assert_eq!(ended.status.code(), Some(7), "{words}: {output}");
        assert!(output.contains(words), "{words}: {output}");
    };
    for closed in [0o000, 0o400] {
        mode(&desk, closed);
        refused(&format!("chmod u+rw {}", desk.display()));
    }
    mode(&desk, 0o600);
    mode(&home, 0o000);
    refused(&format!("chmod u+rwx {}", home.display()));
    mode(&home, 0o700);
    if is_root() {
        chown(&desk, Some(0), Some(0)).unwrap();
        refused("belongs to the user with the id 0");
        chown(&desk, Some(65_534), Some(65_534)).unwrap();
    }
    assert!(ask().status.success());
}

/// Each release adds the desk that it wrote: an answered ask, a declined action, an open ask and a token.
const RELEASED_DESKS: [&str; 1] = ["0.1.0"];

#[test]
fn desk_of_every_release_opens() {
    for release in RELEASED_DESKS {
        let world = TestWorld::new();
        world.allow_scripted_answers();
        let packed = format!("{}/tests/vectors/desks/{release}.db.gz", env!("CARGO_MANIFEST_DIR"));
        let desk = Command::new("gzip").args(["-dc", &packed]).output().unwrap().stdout;
        fs::create_dir_all(world.desk_file().parent().unwrap()).unwrap();
        fs::write(world.desk_file(), desk).unwrap();
        assert_eq!(world.sayso(["desk", "check"]).run().exit, 0, "{release}");
        let rows = world.json(&["list", "--state", "all", "--json"]);
        let states: Vec<_> = rows["asks"].as_array().unwrap().iter().map(|ask| &ask["state"]).collect();
        assert_eq!(states, ["open", "declined", "answered"], "{release}: {rows}");
        let ids: Vec<_> =
            rows["asks"].as_array().unwrap().iter().map(|ask| ask["id"].as_str().unwrap()).collect();
        assert_eq!(
            world.show(ids[2])["phase"]["settled"]["replies"]["name"]["answer"]["text"],
            "Aurora",
            "{release}"
        );
        let answered = world.sayso(["answer", ids[0], "--answers", r#"{"answers":{"db":"SQLite"}}"#]).run();
        assert_eq!(answered.exit, 0, "{release}: {answered:?}");
        assert_eq!(world.json(&["token", "list", "--json"])["tokens"][0]["account"], "ci", "{release}");
    }
}
