//! Tests of `sayso setup` for Claude Code: what it shows, writes, checks and restores.

use crate::support::program::kill_9;
use crate::support::test_world::TestWorld;
use serde_json::{Value, json};

const SETTINGS: &str = "home/.claude/settings.json";

fn read(world: &TestWorld, name: &str) -> String {
    std::fs::read_to_string(world.path(name)).unwrap()
}

fn read_json(world: &TestWorld, name: &str) -> Value {
    serde_json::from_str(&read(world, name)).unwrap()
}

#[test]
fn setup_writes_hooks_and_server() {
    let world = TestWorld::new();
    let ended = world.sayso(["setup", "claude-code", "--yes"]).run();
    assert_eq!((ended.exit, ended.stdout.as_str()), (0, ""), "{ended:?}");
    let settings = read_json(&world, SETTINGS);
    let program = env!("CARGO_BIN_EXE_sayso");
    let asks = &settings["hooks"]["PermissionRequest"];
    let hook =
        json!({ "type": "command", "command": format!("{program} hook claude-code"), "timeout": 86_400 });
    assert_eq!(asks, &json!([{ "matcher": "*", "hooks": [hook] }]));
    let events: Vec<_> = settings["hooks"].as_object().unwrap().keys().collect();
    let expected = [
        "PermissionRequest",
        "PostToolUse",
        "PostToolUseFailure",
        "UserPromptSubmit",
        "Stop",
        "SubagentStop",
        "SessionEnd",
    ];
    assert_eq!(events, expected);
    assert_eq!(settings["permissions"]["allow"], json!(["mcp__sayso"]));
    let server = json!({ "type": "stdio", "command": program, "args": ["mcp"] });
    assert_eq!(read_json(&world, "home/.claude.json")["mcpServers"]["sayso"], server);
}

#[test]
fn setup_shows_diff_without_terminal() {
    let world = TestWorld::new();
    let ended = world.sayso(["setup", "claude-code"]).run();
    assert_eq!(ended.exit, 2, "{ended:?}");
    assert!(ended.stderr.contains("+++ ") && ended.stderr.contains("PermissionRequest"), "{ended:?}");
    assert!(
        ended.stderr.ends_with("Nothing was written. Run it in a terminal, or with --yes.\n"),
        "{ended:?}"
    );
    let printed = world.sayso(["setup", "claude-code", "--print"]).run();
    assert_eq!((printed.exit, printed.stderr.as_str()), (0, ""), "{printed:?}");
    assert!(printed.stdout.starts_with("--- /dev/null\n+++ "), "{printed:?}");
    assert!(!world.path(SETTINGS).exists());
}

#[test]
fn setup_asks_on_terminal() {
    let world = TestWorld::new();
    for (answer, exit, is_written) in [("n", 4, false), ("y", 0, true)] {
        let mut terminal = world.sayso(["setup", "claude-code"]).on_terminal();
        terminal.expect("Write these changes for Claude Code? [y/N] ").line(answer);
        assert_eq!(terminal.wait().exit, exit);
        assert_eq!(world.path(SETTINGS).exists(), is_written);
    }
}

#[test]
fn check_reports_missing_and_outdated() {
    let world = TestWorld::new();
    let check = || world.sayso(["setup", "claude-code", "--check"]).run();
    assert_eq!(check().exit, 1);
    assert_eq!(world.sayso(["setup", "claude-code", "--yes"]).run().exit, 0);
    assert_eq!(check().parts(), (0, "Claude Code is connected, and up to date.\n", ""));
    let older = read(&world, SETTINGS).replace("86400", "60");
    world.write(SETTINGS, older);
    let outdated = check();
    assert_eq!(outdated.exit, 1, "{outdated:?}");
    assert!(outdated.stdout.contains("not as this version does it"), "{outdated:?}");
    assert_eq!(world.sayso(["setup", "claude-code", "--yes"]).run().exit, 0);
    let settings = read_json(&world, SETTINGS);
    assert_eq!(settings["hooks"]["PermissionRequest"].as_array().unwrap().len(), 1, "{settings}");
}

#[test]
fn killed_copilot_hook_denies_nothing() {
    let world = TestWorld::new();
    assert_eq!(world.sayso(["setup", "copilot", "--yes"]).run().exit, 0);
    let hooks = read_json(&world, "home/.copilot/hooks/sayso.json");
    let line = hooks["hooks"]["permissionRequest"][0]["bash"].as_str().unwrap();
    world.write("data/sayso/desk.db.person", "");
    let event =
        json!({ "sessionId": "s", "cwd": "/srv", "toolName": "bash", "toolArgs": { "command": "ls" } });
    let mut hook = world.sayso([""; 0]).by_shell(line).start_piped();
    hook.write(event.to_string().as_bytes());
    hook.end_input();
    let (_, id) = world.first_ask();
    let waiter = world.show(&id)["presence"]["attached"]["process"]["pid"].as_u64().unwrap();
    kill_9(u32::try_from(waiter).unwrap());
    let ended = hook.wait();
    assert_eq!((ended.exit, ended.stdout.as_str()), (0, ""), "{ended:?}");
}

#[test]
fn setup_finds_hosts_by_files() {
    let world = TestWorld::new();
    let nothing = world.sayso(["setup", "--yes"]).run();
    assert_eq!(nothing.exit, 2, "{nothing:?}");
    world.write("home/.codex/config.toml", "model = \"o\"\n");
    world.write("home/.cursor/mcp.json", "{}");
    let ended = world.sayso(["setup", "--yes"]).run();
    assert_eq!(ended.exit, 0, "{ended:?}");
    assert!(
        ended.stderr.contains("Codex is connected.") && ended.stderr.contains("type /hooks"),
        "{ended:?}"
    );
    assert!(read(&world, "home/.codex/config.toml").starts_with("model = \"o\"\n"));
    assert_eq!(read_json(&world, "home/.cursor/mcp.json")["mcpServers"]["sayso"]["args"], json!(["mcp"]));
    assert!(!world.path(SETTINGS).exists());
}
