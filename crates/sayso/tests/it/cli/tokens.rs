//! Tests of `sayso token`: created once, shown once, kept by its holder, and revoked.

use crate::support::test_world::TestWorld;
use sayso_desk::token::{TokenRecord, TokenRole, is_well_formed};
use serde_json::Value;
use std::os::unix::fs::{PermissionsExt as _, symlink};

const NEW: [&str; 6] = ["token", "new", "--account", "ada", "--role", "person"];

/// Creates a token as a person would, and returns its text and its id.
fn make_token(world: &TestWorld) -> (String, String) {
    let ended = world.sayso(NEW).run();
    assert_eq!(ended.exit, 0, "{ended:?}");
    let text = ended.stdout.trim_end().to_owned();
    let id = world.desk().verify_token(&text).unwrap().unwrap().id;
    (text, id)
}

fn tokens(world: &TestWorld) -> Vec<TokenRecord> {
    world.desk().tokens().unwrap()
}

#[test]
fn token_text_carries_all_data() {
    let world = TestWorld::new();
    let ended = world.sayso(NEW).run();
    let text = ended.stdout.strip_suffix('\n').unwrap();
    assert!(ended.exit == 0 && is_well_formed(text), "{ended:?}");
    let token = world.desk().verify_token(text).unwrap().unwrap();
    assert_eq!((token.role, token.account.as_str()), (TokenRole::Person, "ada"));
    let words = format!("The token {}, person, of ada. It is shown this once;", token.id);
    assert!(ended.stderr.starts_with(&words), "{ended:?}");
    assert!(ended.stderr.contains(&format!("sayso token revoke {}\n", token.id)), "{ended:?}");
    assert!(!ended.stderr.contains(text));
}

#[test]
fn terminal_shows_token_with_instructions() {
    let world = TestWorld::new();
    let seen = world.sayso(NEW).on_terminal().wait();
    let text = seen.screen.split_whitespace().find(|word| word.starts_with("sayso_p_")).unwrap();
    assert!(seen.exit == 0 && world.desk().verify_token(text).unwrap().is_some(), "{seen:?}");
    assert!(seen.screen.contains("It is shown this once") && seen.screen.contains("--out FILE"), "{seen:?}");
}

#[test]
fn list_hides_text_revoked_token_fails() {
    let world = TestWorld::new();
    assert_eq!(world.sayso(["token", "list"]).run().parts(), (0, "", "This desk has no tokens.\n"));
    let (text, id) = make_token(&world);
    let more = ["token", "new", "--account", "ci", "--role", "asker", "--expires", "30d", "--json"];
    let other = world.json(&more);
    assert!(is_well_formed(other["token"].as_str().unwrap()), "{other}");
    assert_eq!([&other["role"], &other["account"]], ["asker", "ci"]);

    let revoked = world.sayso(["token", "revoke", &id]).run();
    let words = format!("The token {id} of ada is revoked.\n");
    assert_eq!(revoked.parts(), (0, "", words.as_str()));
    assert_eq!(world.desk().verify_token(&text).unwrap(), None);
    assert_eq!(world.sayso(["token", "revoke", &id]).run().exit, 0, "to do so twice changes nothing");

    let list = world.sayso(["token", "list"]).run();
    let lines: Vec<_> = list.stdout.lines().collect();
    assert!(
        lines[0].starts_with(&format!("{id}  person   revoked  ")) && lines[0].ends_with("  ada"),
        "{list:?}"
    );
    assert!(
        lines[1].contains("  asker    valid  ") && lines[1].contains("  ci  [expires in 29d]"),
        "{list:?}"
    );
    let json = world.json(&["token", "list", "--json"]);
    assert_eq!([&json["tokens"][0]["id"], &json["tokens"][1]["id"]], [&Value::from(id), &other["id"]]);
    assert!(json["tokens"][0]["revoked_at"].is_string() && json["tokens"][1]["expires_at"].is_string());
    for secret in [text.as_str(), other["token"].as_str().unwrap()] {
        assert!(!list.stdout.contains(&secret[8..]) && !json.to_string().contains(&secret[8..]));
    }
}

#[test]
fn token_file_is_private_header() {
    let world = TestWorld::new();
    let file = world.path("work/ci.token");
    let args = ["token", "new", "--role", "asker", "--account", "ci", "--out", "ci.token"];
    // Even if the umask makes files readable for all.
    let ended = world.sayso(args).by_shell("umask 000; exec \"$0\" \"$@\"").run();
    assert_eq!((ended.exit, ended.stdout.as_str()), (0, ""), "{ended:?}");
    assert_eq!(std::fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    let line = std::fs::read_to_string(&file).unwrap();
    let text = line.strip_prefix("Authorization: Bearer ").unwrap().strip_suffix('\n').unwrap();
    let token = world.desk().verify_token(text).unwrap().unwrap();
    assert!(ended.stderr.contains(&token.id) && ended.stderr.contains("curl -H @ci.token"), "{ended:?}");
    assert!(!ended.stderr.contains(text));
    let json = world.json(&["token", "new", "--role", "asker", "--account", "ci", "--json", "--out", "two"]);
    assert_eq!((&json["token"], &json["file"]), (&Value::Null, &Value::from("two")));
}

#[test]
fn existing_file_or_link_is_kept() {
    let world = TestWorld::new();
    let there = world.write("work/there", "mine");
    symlink(&there, world.path("work/link")).unwrap();
    symlink(world.path("work/nowhere"), world.path("work/loose")).unwrap();
    for out in ["there", "link", "loose"] {
        let ended = world.sayso(NEW.iter().chain(&["--out", out])).run();
        let words = format!(
            "sayso: {out} already exists, so no token was created.\n  A token never overwrites a file: name a new one.\n"
        );
        assert_eq!(ended.parts(), (1, "", words.as_str()));
    }
    let ended = world.sayso(NEW.iter().chain(&["--out", "no/folder"])).run();
    assert!(ended.exit == 1 && ended.stderr.contains("Cannot write "), "{ended:?}");
    assert_eq!(std::fs::read_to_string(there).unwrap(), "mine");
    assert!(!world.path("work/nowhere").exists());
    assert_eq!(tokens(&world), []);
}

#[test]
fn refused_request_leaves_nothing() {
    let world = TestWorld::new();
    let new = |more: &[&str]| world.sayso([&["token", "new", "--out", "file"], more].concat()).run();
    let ended = new(&["--role", "asker", "--account", "a\u{202e}b"]);
    assert!(ended.exit == 1 && ended.stderr.contains("invisible characters"), "{ended:?}");
    let ended = new(&["--role", "asker", "--account", "ci", "--expires", "3651 days"]);
    assert!(ended.exit == 1 && ended.stderr.contains("at most 3650 days"), "{ended:?}");
    assert_eq!(new(&["--role", "asker", "--account", "ci", "--expires", "never"]).exit, 2);
    assert_eq!(new(&["--role", "boss", "--account", "ci"]).exit, 2);
    assert_eq!(new(&["--role", "asker"]).exit, 2);
    assert!(!world.path("work/file").exists());
    assert_eq!(tokens(&world), []);
}

#[test]
fn unreadable_token_is_revoked() {
    let world = TestWorld::new();
    let ended = world.sayso(NEW).start_with_closed_stdout().wait();
    assert_eq!(ended.exit, 4, "{ended:?}");
    let tokens = tokens(&world);
    assert!(tokens.len() == 1 && tokens[0].revoked_at.is_some(), "{tokens:?}");
}

#[test]
fn agent_makes_asker_tokens_only() {
    let world = TestWorld::new();
    world.allow_scripted_answers();
    for role in ["person", "admin"] {
        let args = ["token", "new", "--account", "ada", "--out", "file", "--role", role];
        let ended = world.sayso(args).env("CLAUDECODE", "1").run();
        let words = format!(
            "sayso: This shell belongs to an agent (claude), and an agent must not create a token that answers for a \
             person.\n  Create it in a terminal of your own: sayso token new --role {role} --account NAME\n"
        );
        assert_eq!(ended.parts(), (1, "", words.as_str()));
    }
    assert!(!world.path("work/file").exists());
    assert_eq!(tokens(&world), []);
    let args = ["token", "new", "--account", "claude", "--role", "asker"];
    assert_eq!(world.sayso(args).env("CLAUDECODE", "1").run().exit, 0);
}

#[test]
fn wrong_id_suggests_nearest() {
    let world = TestWorld::new();
    let (text, id) = make_token(&world);
    let last = if id.ends_with('a') { "b" } else { "a" };
    let wrong = format!("{}{last}", &id[..7]);
    let ended = world.sayso(["token", "revoke", &wrong]).run();
    let words = format!("sayso: This desk has no token \"{wrong}\".\n  Did you mean {id}?\n");
    assert_eq!(ended.parts(), (1, "", words.as_str()));
    let ended = world.sayso(["token", "revoke", &text]).run();
    assert!(ended.exit == 1 && !ended.stderr.contains(&text[8..]), "{ended:?}");
    assert!(world.desk().verify_token(&text).unwrap().is_some());
}

#[test]
fn token_messages_are_in_chinese() {
    let world = TestWorld::new();
    let ended = world.sayso(NEW).env("SAYSO_LANG", "zh").run();
    assert!(ended.exit == 0 && ended.stderr.contains("仅显示这一次"), "{ended:?}");
}
