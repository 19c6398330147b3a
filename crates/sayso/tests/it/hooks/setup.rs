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
        // The summary stands between the diff and the question.
        terminal
            .expect("settings.json (new): hooks, permissions.allow")
            .expect("--undo brings the files back.");
        terminal.expect("Write these changes for Claude Code? [y/N] ").line(answer);
        assert_eq!(terminal.wait().exit, exit);
        assert_eq!(world.path(SETTINGS).exists(), is_written);
    }
}

#[test]
fn change_while_it_waits_is_not_lost() {
    const STATE: &str = "home/.claude.json";
    let world = TestWorld::new();
    world.write(STATE, "{\"numStartups\": 1}\n");
    let question = "Write these changes for Claude Code? [y/N] ";
    let mut terminal = world.sayso(["setup", "claude-code"]).on_terminal();
    terminal.expect(question);
    // Claude Code signs in, and its user forbids something.
    world.write(STATE, "{\"numStartups\": 2, \"oauthAccount\": {}}\n");
    world.write(SETTINGS, "{\"permissions\": {\"deny\": [\"Bash(rm:*)\"]}}\n");
    terminal.line("y").expect("has changed meanwhile").expect("oauthAccount").expect(question);
    assert!(!read(&world, SETTINGS).contains("hooks"), "nothing is written before the second yes");
    terminal.line("y");
    assert_eq!(terminal.wait().exit, 0);
    assert!(read(&world, STATE).contains("oauthAccount") && read(&world, STATE).contains("mcpServers"));
    assert!(read(&world, SETTINGS).contains("Bash(rm:*)") && read(&world, SETTINGS).contains("hooks"));
    assert_eq!(world.sayso(["setup", "claude-code", "--undo", "--yes"]).run().exit, 0);
    assert_eq!(read(&world, STATE), "{\"numStartups\": 2, \"oauthAccount\": {}}\n");
    assert_eq!(read(&world, SETTINGS), "{\"permissions\": {\"deny\": [\"Bash(rm:*)\"]}}\n");
}

/// Settings of a host that keep it from the desk, and the words about them.
struct HostSettings {
    host: &'static str,
    file: &'static str,
    text: &'static str,
    words: &'static str,
    /// Exit of the check: 1 if nothing reaches the desk.
    exit: i32,
}

const OBSTACLES: [HostSettings; 12] = [
    HostSettings { host: "claude-code", file: SETTINGS, text: "{}", words: "In the mode \"auto\"", exit: 0 },
    HostSettings {
        host: "claude-code",
        file: SETTINGS,
        text: "{\"permissions\": {\"defaultMode\": \"bypassPermissions\"}}",
        words: "In the mode \"bypassPermissions\"",
        exit: 0,
    },
    HostSettings {
        host: "claude-code",
        file: SETTINGS,
        text: "{\"disableAllHooks\": true}",
        words: "disableAllHooks",
        exit: 1,
    },
    HostSettings {
        host: "claude-code",
        file: SETTINGS,
        text: "{\"permissions\": {\"deny\": [\"Bash\", \"mcp__sayso\"]}}",
        words: "permissions.deny",
        exit: 1,
    },
    HostSettings {
        host: "claude-code",
        file: SETTINGS,
        text: "{\"permissions\": {\"deny\": [\"mcp__sayso__ask\"]}}",
        words: "permissions.deny",
        exit: 1,
    },
    HostSettings {
        host: "codex",
        file: "home/.codex/config.toml",
        text: "[features]\nhooks = false\n",
        words: "features.hooks",
        exit: 1,
    },
    HostSettings {
        host: "codex",
        file: "home/.codex/config.toml",
        text: "[mcp_servers.sayso]\nenabled = false\n",
        words: "mcp_servers.sayso.enabled",
        exit: 1,
    },
    HostSettings {
        host: "codex",
        file: "home/.codex/config.toml",
        text: "approval_policy = \"never\"\n",
        words: "approval_policy",
        exit: 1,
    },
    HostSettings {
        host: "copilot",
        file: "home/.copilot/settings.json",
        text: "// its own\n{\"disabledMcpServers\": [\"sayso\"]}",
        words: "disabledMcpServers",
        exit: 1,
    },
    HostSettings {
        host: "opencode",
        file: "config/opencode/opencode.json",
        text: "{\"mcp\": {\"sayso\": {\"enabled\": false}}}",
        words: "mcp.sayso.enabled",
        exit: 1,
    },
    HostSettings {
        host: "gemini",
        file: "home/.gemini/settings.json",
        text: "{\"mcp\": {\"allowed\": [\"other\"]}}",
        words: "mcp.allowed",
        exit: 1,
    },
    HostSettings {
        host: "pi",
        file: "home/.pi/agent/mcp.json",
        text: "{}",
        words: "is not found on the PATH",
        exit: 0,
    },
];

#[test]
fn what_keeps_a_host_from_the_desk_is_named() {
    for settings in &OBSTACLES {
        let world = TestWorld::new();
        world.write(settings.file, settings.text);
        let setup = world.sayso(["setup", settings.host, "--yes"]).run();
        assert!(setup.exit == 0 && setup.stderr.contains(settings.words), "{}: {setup:?}", settings.text);
        let check = world.sayso(["setup", settings.host, "--check"]).run();
        assert_eq!(check.exit, settings.exit, "{}: {check:?}", settings.text);
        assert!(check.stdout.contains(settings.words), "{}: {check:?}", settings.text);
        let doctor = world.sayso(["doctor"]).run();
        assert!(doctor.stdout.contains(settings.words), "{}: {doctor:?}", settings.text);
    }
}

#[test]
fn mode_with_prompts_needs_no_remark() {
    let modes = ["{\"permissions\": {\"defaultMode\": \"manual\"}}", "{\"disableAutoMode\": \"disable\"}"];
    for text in modes {
        let world = TestWorld::new();
        world.write(SETTINGS, text);
        let setup = world.sayso(["setup", "claude-code", "--yes"]).run();
        assert!(setup.exit == 0 && !setup.stderr.contains("In the mode"), "{text}: {setup:?}");
    }
}

#[test]
fn doctor_lists_hosts() {
    let world = TestWorld::new();
    world.write("home/.cursor/mcp.json", "{}");
    let lines = || world.sayso(["doctor"]).run().stdout;
    assert!(lines().contains("! Cursor is not connected") && lines().contains("\n  sayso setup cursor\n"));
    assert_eq!(world.sayso(["setup", "cursor", "--yes"]).run().exit, 0);
    assert!(lines().contains("✓ Cursor is connected, and up to date.\n"), "{}", lines());
    world.write("home/.cursor/mcp.json", "{");
    let json = world.sayso(["doctor", "--json"]).run();
    let report: Value = serde_json::from_str(&json.stdout).unwrap();
    assert_eq!(report["hosts"][0]["connected"], json!(false), "{report}");
}

#[test]
fn undo_without_a_name_restores_every_host() {
    let world = TestWorld::new();
    world.write("home/.codex/config.toml", "model = \"o\"\n");
    world.write("home/.claude.json", "{");
    for host in ["codex", "copilot", "cursor"] {
        assert_eq!(world.sayso(["setup", host, "--yes"]).run().exit, 0, "{host}");
    }
    // A host whose file is broken does not keep the others.
    let undone = world.sayso(["setup", "--undo", "--yes"]).run();
    assert_eq!(undone.exit, 1, "{undone:?}");
    assert!(undone.stderr.contains(".claude.json: "), "{undone:?}");
    assert_eq!(read(&world, "home/.codex/config.toml"), "model = \"o\"\n");
    for file in ["home/.copilot/mcp-config.json", "home/.copilot/hooks/sayso.json", "home/.cursor/mcp.json"] {
        assert!(!world.path(file).exists(), "{file}");
    }
}

#[test]
fn check_reports_missing_and_outdated() {
    let world = TestWorld::new();
    let check = || world.sayso(["setup", "claude-code", "--check"]).run();
    assert_eq!(check().exit, 1);
    assert_eq!(world.sayso(["setup", "claude-code", "--yes"]).run().exit, 0);
    let current = check();
    assert!(current.exit == 0 && current.stdout.starts_with("Claude Code is connected, and up to date.\n"));
    let older = read(&world, SETTINGS).replace(env!("CARGO_BIN_EXE_sayso"), "/old/sayso");
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
