//! Tests of the desk's name in messages: a program with another home, user or machine uses another desk, and both
//! sides can see which.

use crate::support::sample_requests::{one, text};
use crate::support::test_world::{ProgramCall, TestWorld};
use serde_json::json;

/// The default desk as messages name it if the data folder is below the home folder.
const NAME: &str = "~/.local/share/sayso/desk.db";

/// Returns a call whose data folder is the default one without XDG variables.
fn plain(mut call: ProgramCall) -> ProgramCall {
    call.environment.retain(|name, _| !name.to_string_lossy().starts_with("XDG_"));
    call
}

#[test]
fn waiting_names_the_desk() {
    let world = TestWorld::new();
    let waiting = plain(world.sayso(["ask", "--elsewhere", &one("H")])).start();
    waiting.stderr.wait_for(&format!("The question is waiting at the desk {NAME}. To answer it in"), 0);
    let id = plain(world.sayso(["list"])).run().stdout.split(' ').next().unwrap().to_owned();
    let given_up = plain(world.sayso(["wait", &id, "--timeout", "0s"])).run();
    let text = format!("The question is still open at the desk {NAME}: sayso answer {id}\n");
    assert!(given_up.exit == 4 && given_up.stderr.contains(&text), "{given_up:?}");
    waiting.kill_9();
}

#[test]
fn different_home_is_reported_both_sides() {
    let world = TestWorld::new();
    let asked = plain(world.sayso(["ask", "--no-wait", &one("H")])).run();
    let id = asked.stdout.trim_end().to_owned();
    let other = |args: &[&str]| plain(world.sayso(args)).env("HOME", world.path("other")).run();
    for args in [&["list"][..], &["list", "--state", "all"], &["--plain"]] {
        let text = other(args);
        assert!(text.stderr.contains(&format!("\nThis is the desk {NAME}.")), "{args:?}: {text:?}");
    }
    let missing = other(&["wait", &id]);
    assert!(
        missing.exit == 1 && missing.stderr.contains(&format!("\n  This is the desk {NAME}. ")),
        "{missing:?}"
    );
    // This one setting joins them.
    let path = world.path("home/.local/share/sayso/desk.db");
    let joined = plain(world.sayso(["list"])).env("HOME", world.path("other")).env("SAYSO_DESK", &path).run();
    assert!(joined.stdout.contains(&id[id.len() - 8..]), "{joined:?}");
}

#[test]
fn doctor_names_desk_and_shell() {
    let world = TestWorld::new();
    let doctor = |call: ProgramCall| plain(call).run().stdout;
    let none = doctor(world.sayso(["doctor"]));
    assert!(
        none.contains(&format!("There is no desk yet. The first question creates it: {NAME}\n")),
        "{none}"
    );
    assert!(
        none.contains(&format!("This process has no terminal: asks wait at the desk {NAME}.\n")),
        "{none}"
    );
    plain(world.sayso(["ask", "--no-wait", &one("H")])).run();
    let some = doctor(world.sayso(["doctor"]).env("CLAUDECODE", "1"));
    assert!(some.contains(&format!("✓ The desk {NAME} works; 1 ask waiting.\n")), "{some}");
    assert!(some.contains(&format!("asks from here wait at the desk {NAME} and cannot")), "{some}");
    assert!(some.contains("sayso help desk-location"), "{some}");
}

#[test]
fn desk_name_is_escaped() {
    let world = TestWorld::new();
    let desk = world.path("work/\u{1b}[31mred\u{202e}.db");
    let waiting = world.sayso(["ask", "--elsewhere", &text("T")]).env("SAYSO_DESK", &desk).start();
    waiting.stderr.wait_for("sayso answer ", 0);
    let output = waiting.stderr.last_part();
    assert!(output.contains("red") && !output.contains(['\u{1b}', '\u{202e}']), "{output:?}");
    waiting.kill_9();
}

#[test]
fn doctor_checks_future_desk_is_writable() {
    let world = TestWorld::new();
    // No one can create a file there, not even root.
    let refused = world.sayso(["doctor"]).env("XDG_DATA_HOME", "/proc/sayso-data").run();
    assert_eq!(refused.exit, 7, "{refused:?}");
    assert!(
        refused.stdout.contains("✗ Cannot open the desk /proc/sayso-data/sayso/desk.db: "),
        "{refused:?}"
    );
    let json = world.sayso(["doctor", "--json"]).env("XDG_DATA_HOME", "/proc/sayso-data").run();
    assert!(json.exit == 7 && json.stdout.contains(r#""ok":false,"made":false"#), "{json:?}");
    let fine = world.sayso(["doctor"]).run();
    assert_eq!(fine.exit, 0, "{fine:?}");
    let left: Vec<_> = std::fs::read_dir(world.path("data")).unwrap().collect();
    assert!(left.is_empty(), "it makes no desk and leaves nothing: {left:?}");
}

#[test]
fn doctor_survives_broken_config() {
    let world = TestWorld::new();
    let file = world.write("config/sayso/config.toml", "language = \n");
    world.write("work/.sayso.toml", "colour = 1\n");
    let doctor = world.sayso(["doctor"]).run();
    assert_eq!(doctor.exit, 2, "{doctor:?}");
    assert!(
        doctor.stdout.contains(&format!("✗ Cannot read {}: TOML parse error", file.display())),
        "{doctor:?}"
    );
    for rest in
        ["✓ There is no desk yet.", "! Unknown setting \"colour\" in ", "✓ This process has no terminal"]
    {
        assert!(doctor.stdout.contains(rest), "{rest}: {doctor:?}");
    }
    assert_eq!(world.sayso(["list"]).run().exit, 2, "other commands refuse it");
    let json = world.sayso(["doctor", "--json"]).env("SAYSO_FORMAT", "latin").run();
    let report: serde_json::Value = serde_json::from_str(&json.stdout).unwrap();
    assert_eq!(report["invalid_settings"].as_array().unwrap().len(), 2, "{report}");
    assert_eq!(report["desk"]["ok"], json!(true));
    // The intended desk is unknown: no other is checked in its place.
    let desk = world.sayso(["doctor"]).env("SAYSO_DESK", "mysql://host/db").run();
    assert!(desk.exit == 7 && desk.stdout.contains("✗ Unsupported kind of desk: mysql"), "{desk:?}");
    assert!(!desk.stdout.contains("The desk ~"), "{desk:?}");
}

#[test]
fn bare_path_is_a_desk() {
    let world = TestWorld::new();
    let path = world.path("work/own.db");
    let asked = world.sayso(["ask", "--no-wait", "--desk", path.to_str().unwrap(), &one("H")]).run();
    assert!(asked.exit == 0 && path.exists(), "{asked:?}");
    let listed = world.sayso(["list", "--desk", "./own.db"]).run();
    assert!(listed.exit == 0 && listed.stdout.contains("H"), "{listed:?}");
    let host = world.sayso(["list", "--desk", "desk.example"]).run();
    assert!(host.exit == 7 && host.stderr.contains("a path such as /path/desk.db"), "{host:?}");
}

#[test]
fn refused_address_hides_password() {
    let world = TestWorld::new();
    for command in [&["list"][..], &["doctor"], &["doctor", "--json"], &["inbox"]] {
        for (desk, report) in [
            ("mysql://ada:hidden@host/db", "mysql://…@host/db"),
            ("postgres://ada:hidden@host/db", "The address of the desk has a password."),
        ] {
            let secret = world.sayso(command).env("SAYSO_DESK", desk).run();
            let output = format!("{}{}", secret.stdout, secret.stderr);
            assert!(output.contains(report) && !output.contains("hidden"), "{command:?}: {output}");
        }
    }
}
