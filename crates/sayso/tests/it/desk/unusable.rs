//! Tests of unusable desks: a clear error, exit code 7, and an unchanged file.

use crate::support::sample_requests::one;
use crate::support::test_world::TestWorld;
use std::path::Path;

/// "Sayo": the application id in the header of a desk's file.
const OURS: u32 = 0x5361_796f;

/// Returns the bytes of a small SQLite database with these header fields and one table, `t`.
fn database_bytes(application: u32, version: u32) -> Vec<u8> {
    const PAGE: usize = 4096;
    let mut file = vec![0; 2 * PAGE];
    let mut put = |at: usize, bytes: &[u8]| file[at..at + bytes.len()].copy_from_slice(bytes);
    put(0, b"SQLite format 3\0\x10\0\x01\x01\0\x40\x20\x20");
    for (at, number) in [(24, 1), (28, 2), (40, 1), (44, 4), (56, 1), (92, 1), (96, 3_046_000)] {
        put(at, &u32::to_be_bytes(number));
    }
    put(60, &version.to_be_bytes());
    put(68, &application.to_be_bytes());
    let sql = b"CREATE TABLE t(x)";
    // Size, row number, types of the five columns, and their values.
    let cell = [&[31, 1, 6, 23, 15, 15, 1, 47][..], b"table", b"t", b"t", &[2], sql].concat();
    let start = PAGE - cell.len();
    put(start, &cell);
    let start = u16::try_from(start).unwrap().to_be_bytes();
    put(100, &[0x0d, 0, 0, 0, 1, start[0], start[1], 0, start[0], start[1]]);
    put(PAGE, &[0x0d, 0, 0, 0, 0, 0x10, 0, 0]);
    file
}

/// Asserts that every command fails with these words, and that the file is unchanged.
fn assert_refused(world: &TestWorld, path: &Path, words: &[&str]) {
    let before = std::fs::read(path).ok();
    let desk = format!("sqlite:{}", path.display());
    let json = one("H");
    let commands: [&[&str]; 6] = [
        &["list"],
        &["list", "--search", "x"],
        &["ask", &json],
        &["AskUserQuestion", &json],
        &["show", "x"],
        &["wait", "x"],
    ];
    for command in commands {
        let ended = world.sayso(command).env("SAYSO_DESK", &desk).run();
        assert_eq!((ended.exit, ended.stdout.as_str()), (7, ""), "{command:?}: {ended:?}");
        assert!(ended.stderr.starts_with("sayso: "), "{command:?}: {ended:?}");
        assert_eq!(ended.stderr.lines().count(), 2, "one error and one hint: {ended:?}");
        for words in words {
            assert!(ended.stderr.contains(words), "{command:?}: {ended:?}");
        }
    }
    let doctor = world.sayso(["doctor"]).env("SAYSO_DESK", &desk).run();
    assert!(doctor.exit == 7 && doctor.stdout.contains("✗ "), "{doctor:?}");
    assert_eq!(std::fs::read(path).ok(), before, "{} changed", path.display());
}

/// Returns the entries of a folder.
fn entries_of(folder: &Path) -> Vec<String> {
    let mut names: Vec<_> =
        std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn non_database_file_is_refused() {
    let world = TestWorld::new();
    let hint = "The file was not changed. Name another file with --desk sqlite:PATH.";
    for bytes in [&b"my thesis, the only copy\n"[..], &[0xff; 5000], b"SQLite format 3 is what I write about"]
    {
        let path = world.write("files/thesis.txt", bytes);
        assert_refused(&world, &path, &["is not a Sayso desk, or it is damaged.", hint]);
        assert_eq!(entries_of(&world.path("files")), ["thesis.txt"]);
    }
}

#[test]
fn other_programs_database_is_refused() {
    let world = TestWorld::new();
    for (application, version) in [(0x4750_4b47, 0), (0, 7), (0, 0)] {
        let path = world.write("files/other.db", database_bytes(application, version));
        assert_refused(
            &world,
            &path,
            &["is not a Sayso desk, or it is damaged.", "The file was not changed."],
        );
        assert_eq!(entries_of(&world.path("files")), ["other.db"], "{application} {version}");
    }
}

#[test]
fn newer_desk_version_is_refused() {
    let world = TestWorld::new();
    let path = world.write("files/desk.db", database_bytes(OURS, 99));
    assert_refused(
        &world,
        &path,
        &["was written by a newer Sayso (format 99; ", "Update sayso. The desk was not changed."],
    );
    assert_eq!(entries_of(&world.path("files")), ["desk.db"]);
}

#[test]
fn impossible_desk_path_is_refused() {
    let world = TestWorld::new();
    let file = world.write("files/regular", "x");
    assert_refused(&world, &file.join("desk.db"), &["Cannot open the desk ", "You need write access"]);
    assert_refused(&world, &file.join("deeper/desk.db"), &["Cannot open the desk ", "You need write access"]);
    assert_eq!(std::fs::read(&file).unwrap(), b"x");
    let folder = world.path("files");
    assert_refused(&world, &folder, &["Cannot open the desk ", "You need write access"]);
    assert_refused(&world, Path::new("/dev/null/desk.db"), &["Cannot open the desk /dev/null/desk.db: "]);
}

#[test]
fn desk_is_private_to_owner() {
    use std::os::unix::fs::PermissionsExt as _;
    let world = TestWorld::new();
    world.leave_ask(&one("H"), &[]);
    let folder = world.desk_file().parent().unwrap().to_owned();
    let mode = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&folder), 0o700);
    for name in entries_of(&folder) {
        assert_eq!(mode(&folder.join(&name)), 0o600, "{name}");
    }
}

#[test]
fn concurrent_desk_creation_succeeds() {
    for _ in 0..5 {
        let world = TestWorld::new();
        let programs: Vec<_> = (0..6)
            .map(|number| world.sayso(["ask", "--no-wait", &one(&number.to_string())]).start())
            .collect();
        for program in programs {
            let ended = program.wait();
            assert_eq!((ended.exit, ended.stderr.as_str()), (0, ""), "{ended:?}");
        }
        assert_eq!(world.json(&["list", "--json"])["asks"].as_array().unwrap().len(), 6);
    }
}

#[cfg(unix)]
#[test]
fn doctor_warns_of_desk_open_to_everyone() {
    use std::os::unix::fs::PermissionsExt;
    let world = TestWorld::new();
    world.leave_ask(&one("H"), &[]);
    let folder = world.desk_file().parent().unwrap().to_owned();
    for (path, mode, hint) in [
        (&folder, 0o777, Some("chmod 700")),
        (&folder, 0o1777, Some("chmod 700")),
        (&folder, 0o770, None),
        (&folder, 0o700, None),
        (&world.desk_file(), 0o604, Some("chmod 600")),
        (&world.desk_file(), 0o660, None),
    ] {
        std::fs::set_permissions(path, PermissionsExt::from_mode(mode)).unwrap();
        let report = world.json(&["doctor", "--json"]);
        let warnings = report["desk"]["warnings"].as_array().cloned().unwrap_or_default();
        assert_eq!(warnings.len(), usize::from(hint.is_some()), "{mode:o} {report}");
        for warning in warnings {
            let wanted = format!("{} {}", hint.unwrap(), path.canonicalize().unwrap().display());
            assert!(warning.to_string().contains(&wanted), "{mode:o} {warning}");
        }
    }
}

#[cfg(unix)]
#[test]
fn files_beside_desk_are_no_links() {
    let world = TestWorld::new();
    world.leave_ask(&one("H"), &[]);
    let precious = world.write("precious", "words");
    for ending in [".lock", ".person", ".reserve", ".mark"] {
        let path = sayso_desk::own_file::sibling_path(&world.desk_file(), ending);
        let _ = std::fs::remove_file(&path);
        std::os::unix::fs::symlink(&precious, &path).unwrap();
    }
    let _ = world.sayso(["ask", "--no-wait", &one("Again")]).run();
    let _ = world.sayso(["list"]).on_terminal().wait();
    assert_eq!(std::fs::read(&precious).unwrap(), b"words");
}
