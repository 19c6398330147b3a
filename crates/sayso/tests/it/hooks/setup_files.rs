//! Tests of files of every shape: what setup adds, leaves, refuses and brings back.

use crate::support::program::ProgramExit;
use crate::support::test_world::TestWorld;
use std::os::unix::fs::{PermissionsExt, symlink};

const SETTINGS: &str = "home/.claude/settings.json";
const CODEX: &str = "home/.codex/config.toml";

fn read(world: &TestWorld, name: &str) -> String {
    std::fs::read_to_string(world.path(name)).unwrap()
}

/// Host with its file that others write too, and a part of what setup adds.
struct SharedFile {
    host: &'static str,
    file: &'static str,
    added: &'static str,
}

const SHARED_FILES: [SharedFile; 8] = [
    SharedFile { host: "claude-code", file: SETTINGS, added: "hook claude-code" },
    SharedFile { host: "claude-code", file: "home/.claude.json", added: "mcpServers" },
    SharedFile { host: "codex", file: CODEX, added: "hook codex" },
    SharedFile { host: "copilot", file: "home/.copilot/mcp-config.json", added: "mcpServers" },
    SharedFile { host: "opencode", file: "config/opencode/opencode.json", added: "sayso" },
    SharedFile { host: "opencode", file: "config/opencode/opencode.jsonc", added: "sayso" },
    SharedFile { host: "gemini", file: "home/.gemini/settings.json", added: "mcpServers" },
    SharedFile { host: "pi", file: "home/.pi/agent/mcp.json", added: "mcpServers" },
];

/// Texts that every part of must stay in, for JSON and for TOML.
const JSON_SHAPES: [&str; 7] = [
    "",
    "{}",
    "{\n}\n",
    "{\"model\":\"opus\",\"hooks\":{\"PermissionRequest\":[{\"matcher\":\"Bash\",\"hooks\":[{\"type\":\"command\",\"command\":\"mine\"}]}]}}",
    "{\r\n\t\"permissions\": { \"allow\": [\"Bash(ls)\"] },\r\n}\r\n",
    "\u{feff}{\"model\": \"opus\"}\n",
    "// mine\n{\n  \"hooks\": {}, // none yet\n  /* and */ \"model\": \"opus\"\n}\n",
];
const TOML_SHAPES: [&str; 7] = [
    "",
    "# mine\n",
    "model = \"opus\" # none yet\r\n[mcp_servers.other]\r\ncommand = \"mine\"\r\n",
    "hooks = { Stop = [] }\nmodel = 'opus'",
    "\u{feff}mcp_servers = { other = { command = \"mine\" } } # none yet\r\n",
    "hooks.Stop = [{ hooks = [{ type = \"command\", command = \"mine\" }] }] # none yet\n",
    "[hooks]\nPermissionRequest = [{ matcher = \"mine\" }]\n[mcp_servers]\nsayso = { command = \"old\" }\n",
];

impl SharedFile {
    fn shapes(&self) -> &'static [&'static str] {
        if self.file == CODEX { &TOML_SHAPES } else { &JSON_SHAPES }
    }

    fn setup(&self, world: &TestWorld, more: &[&str]) -> ProgramExit {
        world.sayso(["setup", self.host].iter().chain(more)).run()
    }
}

#[test]
fn every_shape_is_undone_exactly() {
    for shared in &SHARED_FILES {
        for shape in shared.shapes() {
            let world = TestWorld::new();
            world.write(shared.file, shape);
            let at = format!("{} {shape}", shared.file);
            let ended = shared.setup(&world, &["--yes"]);
            assert_eq!(ended.exit, 0, "{at}: {ended:?}");
            let written = read(&world, shared.file);
            assert!(written.contains(shared.added), "{at}: {written}");
            for kept in ["mine", "opus", "Bash(ls)", "// none yet", "/* and */", "# none yet", "\u{feff}"] {
                assert_eq!(written.contains(kept), shape.contains(kept), "{kept} in {written}");
            }
            assert_eq!(shared.setup(&world, &["--check"]).exit, 0, "{at}: {written}");
            // A second run changes nothing, and keeps the first original.
            assert_eq!(shared.setup(&world, &["--yes"]).exit, 0, "{at}");
            assert_eq!(read(&world, shared.file), written, "{at}");
            assert_eq!(shared.setup(&world, &["--undo", "--yes"]).exit, 0, "{at}");
            assert_eq!(read(&world, shared.file), *shape, "{at}");
        }
    }
}

#[test]
fn setup_follows_the_hosts_own_folder() {
    let world = TestWorld::new();
    let folder = world.path("elsewhere");
    std::fs::create_dir(&folder).unwrap();
    let call = world.sayso(["setup", "claude-code", "--yes"]).env("CLAUDE_CONFIG_DIR", &folder);
    let ended = call.run();
    assert_eq!(ended.exit, 0, "{ended:?}");
    assert!(read(&world, "elsewhere/settings.json").contains("hook claude-code"));
    assert!(read(&world, "elsewhere/.claude.json").contains("mcpServers"));
    assert!(!world.path("home/.claude").exists() && !world.path("home/.claude.json").exists());
}

#[test]
fn undo_leaves_no_empty_folder() {
    let world = TestWorld::new();
    let folder = world.path("home/.claude");
    let setup = |more: &[&str]| world.sayso(["setup", "claude-code"].iter().chain(more)).run();
    assert_eq!(setup(&["--yes"]).exit, 0);
    assert!(folder.is_dir());
    assert_eq!(setup(&["--undo", "--yes"]).exit, 0);
    assert!(!folder.exists());
    world.write("home/.claude/own.md", "x");
    assert_eq!(setup(&["--yes"]).exit, 0);
    assert_eq!(setup(&["--undo", "--yes"]).exit, 0);
    assert!(folder.join("own.md").exists());
}

#[test]
fn undo_leaves_what_is_not_ours() {
    for shared in &SHARED_FILES {
        let empty = "{\"mcpServers\": {}, \"mcp\": {}, \"hooks\": {\"Stop\": []}}";
        let shapes =
            if shared.file == CODEX { ["hooks = { Stop = [] }", "[mcp_servers]\n"] } else { [empty, "{}"] };
        for shape in shapes {
            let world = TestWorld::new();
            world.write(shared.file, shape);
            assert_eq!(shared.setup(&world, &["--undo", "--yes"]).exit, 0, "{}", shared.file);
            assert_eq!(read(&world, shared.file), shape, "{}", shared.file);
        }
    }
}

#[test]
fn missing_files_are_removed_again() {
    for shared in &SHARED_FILES {
        let world = TestWorld::new();
        assert_eq!(shared.setup(&world, &["--yes"]).exit, 0, "{}", shared.host);
        assert_eq!(shared.setup(&world, &["--undo", "--yes"]).exit, 0, "{}", shared.host);
        assert!(!world.path(shared.file).exists(), "{}", shared.file);
    }
}

#[test]
fn broken_read_only_and_linked_files() {
    for shared in &SHARED_FILES {
        let world = TestWorld::new();
        for broken in ["{", "[1", "\u{feff}{,}"] {
            world.write(shared.file, broken);
            let ended = shared.setup(&world, &["--yes"]);
            assert_eq!(ended.exit, 1, "{} {broken}: {ended:?}", shared.file);
            assert!(ended.stderr.contains("Nothing was written."), "{ended:?}");
            assert_eq!(read(&world, shared.file), broken);
        }
        let world = TestWorld::new();
        let shape = if shared.file == CODEX { "# mine\n" } else { "{}" };
        let real = world.write("home/dotfiles/file", shape);
        std::fs::create_dir_all(world.path(shared.file).parent().unwrap()).unwrap();
        symlink(&real, world.path(shared.file)).unwrap();
        std::fs::set_permissions(&real, PermissionsExt::from_mode(0o440)).unwrap();
        assert_eq!(shared.setup(&world, &["--yes"]).exit, 1, "{}", shared.file);
        assert_eq!(read(&world, shared.file), shape);
        std::fs::set_permissions(&real, PermissionsExt::from_mode(0o640)).unwrap();
        assert_eq!(shared.setup(&world, &["--yes"]).exit, 0, "{}", shared.file);
        assert!(world.path(shared.file).is_symlink());
        assert!(read(&world, "home/dotfiles/file").contains(shared.added));
        assert_eq!(std::fs::metadata(&real).unwrap().permissions().mode() & 0o777, 0o640);
        assert_eq!(shared.setup(&world, &["--undo", "--yes"]).exit, 0, "{}", shared.file);
        assert_eq!(read(&world, shared.file), shape);
    }
}

#[test]
fn missing_files_behind_links_are_undone() {
    // OpenCode's second file counts only if it exists.
    for shared in SHARED_FILES.iter().filter(|shared| !shared.file.ends_with(".jsonc")) {
        let world = TestWorld::new();
        // A home behind a link, as on many servers, and a link to a file that does not exist yet.
        let home = world.path("linked-home");
        symlink(world.path("home"), &home).unwrap();
        let link = world.path(shared.file);
        std::fs::create_dir_all(link.parent().unwrap()).unwrap();
        symlink(world.path("dotfiles/file"), &link).unwrap();
        let setup = |more: &[&str]| {
            let call = world.sayso(["setup", shared.host].iter().chain(more)).env("HOME", &home);
            assert_eq!(call.run().exit, 0, "{} {more:?}", shared.file);
        };
        setup(&["--yes"]);
        assert!(link.is_symlink());
        assert!(read(&world, "dotfiles/file").contains(shared.added));
        setup(&["--undo", "--yes"]);
        assert!(link.is_symlink() && !world.path("dotfiles/file").exists(), "{}", shared.file);
        for other in ["home/.claude/settings.json", "home/.claude.json", "home/.copilot/hooks/sayso.json"] {
            assert!(!world.path(other).exists(), "{other}");
        }
    }
}

#[test]
fn opencode_keeps_its_first_file() {
    let world = TestWorld::new();
    assert_eq!(world.sayso(["setup", "opencode", "--yes"]).run().exit, 0);
    // OpenCode creates it at its start.
    world.write("config/opencode/opencode.jsonc", "{}");
    assert_eq!(world.sayso(["setup", "opencode", "--check"]).run().exit, 0);
    assert_eq!(world.sayso(["setup", "opencode", "--undo", "--yes"]).run().exit, 0);
    assert!(!world.path("config/opencode/opencode.json").exists());
    assert_eq!(read(&world, "config/opencode/opencode.jsonc"), "{}");
}

#[test]
fn undo_keeps_later_changes() {
    let world = TestWorld::new();
    world.write(SETTINGS, "{\"model\":\"opus\"}");
    assert_eq!(world.sayso(["setup", "claude-code", "--yes"]).run().exit, 0);
    let changed = read(&world, SETTINGS).replace("opus", "sonnet");
    world.write(SETTINGS, changed);
    assert_eq!(world.sayso(["setup", "claude-code", "--undo", "--yes"]).run().exit, 0);
    let settings: serde_json::Value = serde_json::from_str(&read(&world, SETTINGS)).unwrap();
    assert_eq!(settings, serde_json::json!({ "model": "sonnet" }));
}

#[test]
fn broken_file_stops_all_changes() {
    for broken in ["{", "[1]", "{\"hooks\": 7}", "{\"hooks\":{\"Stop\":{}}}", "\u{feff}{,}"] {
        let world = TestWorld::new();
        world.write(SETTINGS, broken);
        let ended = world.sayso(["setup", "claude-code", "--yes"]).run();
        assert_eq!(ended.exit, 1, "{broken}: {ended:?}");
        assert!(ended.stderr.contains("settings.json: "), "{ended:?}");
        assert!(ended.stderr.contains("Nothing was written."), "{ended:?}");
        assert_eq!(read(&world, SETTINGS), broken);
        assert!(!world.path("home/.claude.json").exists());
    }
}

#[test]
fn toml_comments_stay() {
    let world = TestWorld::new();
    let before = "# mine\nmodel = \"o\" # small\n\n[mcp_servers.other]\ncommand = \"x\"\n\n[[hooks.Stop]]\n[[hooks.Stop.hooks]]\ntype = \"command\"\ncommand = \"mine\"\n";
    world.write(CODEX, before);
    assert_eq!(world.sayso(["setup", "codex", "--yes"]).run().exit, 0);
    let written = read(&world, CODEX);
    assert!(written.starts_with("# mine\nmodel = \"o\" # small\n"), "{written}");
    for added in ["[mcp_servers.sayso]", "[[hooks.PermissionRequest]]", "[[hooks.PermissionRequest.hooks]]"] {
        assert!(written.contains(added), "{written}");
    }
    assert_eq!(written.matches("[[hooks.Stop]]").count(), 2, "{written}");
    assert_eq!(world.sayso(["setup", "codex", "--check"]).run().exit, 0);
    assert_eq!(world.sayso(["setup", "codex", "--undo", "--yes"]).run().exit, 0);
    assert_eq!(read(&world, CODEX), before);
}

#[test]
fn every_host_is_checked_and_undone() {
    for host in ["claude-code", "codex", "copilot", "opencode", "gemini", "cursor", "vscode", "pi"] {
        let world = TestWorld::new();
        assert_eq!(world.sayso(["setup", host, "--yes"]).run().exit, 0, "{host}");
        assert_eq!(world.sayso(["setup", host, "--check"]).run().exit, 0, "{host}");
        assert_eq!(world.sayso(["setup", host, "--undo", "--yes"]).run().exit, 0, "{host}");
        assert_eq!(world.sayso(["setup", host, "--check"]).run().exit, 1, "{host}");
    }
}

/// Entry of ours in a host's file, with what its user has put into it.
struct UserEntry {
    host: &'static str,
    file: &'static str,
    ours: &'static str,
    with_theirs: &'static str,
}

const USER_ENTRIES: [UserEntry; 5] = [
    UserEntry {
        host: "claude-code",
        file: "home/.claude.json",
        ours: "\"args\": [\"mcp\"]",
        with_theirs: "\"args\": [\"mcp\", \"--hold\", \"5m\"], \"env\": { \"MINE\": \"1\" }",
    },
    UserEntry { host: "claude-code", file: SETTINGS, ours: "86400", with_theirs: "60" },
    UserEntry { host: "codex", file: CODEX, ours: "timeout = 600", with_theirs: "timeout = 60" },
    UserEntry {
        host: "codex",
        file: CODEX,
        ours: "tool_timeout_sec = 120",
        with_theirs: "tool_timeout_sec = 7\nenv = { MINE = \"1\" }",
    },
    UserEntry {
        host: "opencode",
        file: "config/opencode/opencode.json",
        ours: "\"timeout\": 120000",
        with_theirs: "\"timeout\": 7, \"environment\": { \"MINE\": \"1\" }",
    },
];

#[test]
fn what_a_user_adds_to_our_entry_stays() {
    for entry in &USER_ENTRIES {
        let world = TestWorld::new();
        let setup = |more: &str| world.sayso(["setup", entry.host, more]).run().exit;
        assert_eq!(setup("--yes"), 0, "{}", entry.file);
        let written = read(&world, entry.file);
        assert!(written.contains(entry.ours), "{} in {written}", entry.ours);
        let theirs = written.replace(entry.ours, entry.with_theirs);
        world.write(entry.file, &theirs);
        assert_eq!(setup("--check"), 0, "{theirs}");
        // Also if the entry is outdated.
        let program = env!("CARGO_BIN_EXE_sayso");
        world.write(entry.file, theirs.replace(program, "/old/sayso"));
        assert_eq!(setup("--check"), 1, "{theirs}");
        assert_eq!(setup("--yes"), 0, "{theirs}");
        let again = read(&world, entry.file);
        assert!(again.contains(program) && !again.contains("/old/sayso"), "{again}");
        let kept = if entry.with_theirs.contains("MINE") { "MINE" } else { entry.with_theirs };
        assert!(again.contains(kept) && !again.contains(entry.ours), "{again}");
        assert_eq!(setup("--undo"), 2, "needs a yes");
    }
}

/// Group of hooks in which a user has put a command of their own next to ours: a text of the file without it, and with
/// it.
struct SharedGroup {
    host: &'static str,
    file: &'static str,
    before: &'static str,
    after_setup: [&'static str; 2],
}

const SHARED_GROUPS: [SharedGroup; 3] = [
    SharedGroup {
        host: "claude-code",
        file: SETTINGS,
        before: "{}\n",
        after_setup: [
            "\"matcher\": \"*\",\n        \"hooks\": [",
            "\"matcher\": \"*\",\n        \"hooks\": [{ \"type\": \"command\", \"command\": \"mine\" }, ",
        ],
    },
    SharedGroup {
        host: "codex",
        file: CODEX,
        before: "",
        after_setup: [
            "[[hooks.PermissionRequest.hooks]]\n",
            "[[hooks.PermissionRequest.hooks]]\ntype = \"command\"\ncommand = \"mine\"\n\n[[hooks.PermissionRequest.hooks]]\n",
        ],
    },
    SharedGroup {
        host: "codex",
        file: CODEX,
        before: "hooks = { PermissionRequest = [] }\n",
        after_setup: ["hooks = [{", "hooks = [{ type = \"command\", command = \"mine\" }, {"],
    },
];

#[test]
fn our_command_in_a_shared_group_is_found() {
    for group in &SHARED_GROUPS {
        let world = TestWorld::new();
        world.write(group.file, group.before);
        let setup = |more: &[&str]| world.sayso(["setup", group.host].iter().chain(more)).run().exit;
        assert_eq!(setup(&["--yes"]), 0, "{}", group.file);
        let [ours, shared] = group.after_setup;
        let written = read(&world, group.file);
        assert!(written.contains(ours), "{ours} in {written}");
        let shared = written.replacen(ours, shared, 1);
        let count = |text: &str| text.matches(&format!("hook {}", group.host)).count();
        world.write(group.file, &shared);
        assert_eq!(setup(&["--check"]), 0, "{shared}");
        let program = env!("CARGO_BIN_EXE_sayso");
        world.write(group.file, shared.replace(program, "/old/sayso"));
        assert_eq!(setup(&["--check"]), 1, "{shared}");
        assert_eq!(setup(&["--yes"]), 0, "{shared}");
        let again = read(&world, group.file);
        assert!(again.contains("mine") && !again.contains("/old/sayso"), "{again}");
        assert_eq!(count(&again), count(&written), "{again}");
        assert_eq!(setup(&["--check"]), 0, "{again}");
        // No longer as setup wrote it.
        world.write(group.file, again.clone() + "\n");
        assert_eq!(setup(&["--undo", "--yes"]), 0, "{again}");
        let left = read(&world, group.file);
        assert!(left.contains("mine") && count(&left) == 0, "{left}");
    }
}
