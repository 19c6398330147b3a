//! Tests of files of every shape: what setup adds, leaves, refuses and brings back.

use crate::support::test_world::TestWorld;
use std::os::unix::fs::{PermissionsExt, symlink};

const SETTINGS: &str = "home/.claude/settings.json";

fn read(world: &TestWorld, name: &str) -> String {
    std::fs::read_to_string(world.path(name)).unwrap()
}

#[test]
fn every_shape_is_undone_exactly() {
    let shapes = [
        "",
        "{}",
        "{\n}\n",
        "{\"model\":\"opus\",\"hooks\":{\"PermissionRequest\":[{\"matcher\":\"Bash\",\"hooks\":[{\"type\":\"command\",\"command\":\"mine\"}]}]}}",
        "{\r\n\t\"permissions\": { \"allow\": [\"Bash(ls)\"] },\r\n}\r\n",
        "// mine\n{\n  \"hooks\": {}, // none yet\n  /* and */ \"model\": \"opus\"\n}\n",
    ];
    for shape in shapes {
        let world = TestWorld::new();
        world.write(SETTINGS, shape);
        assert_eq!(world.sayso(["setup", "claude-code", "--yes"]).run().exit, 0, "{shape}");
        let written = read(&world, SETTINGS);
        assert!(written.contains("hook claude-code") && written.contains("mcp__sayso"), "{written}");
        for kept in ["mine", "opus", "Bash(ls)", "// none yet", "/* and */"] {
            assert_eq!(written.contains(kept), shape.contains(kept), "{kept} in {written}");
        }
        // A second run changes nothing, and keeps the first original.
        assert_eq!(world.sayso(["setup", "claude-code", "--yes"]).run().exit, 0);
        assert_eq!(read(&world, SETTINGS), written);
        assert_eq!(world.sayso(["setup", "claude-code", "--undo", "--yes"]).run().exit, 0);
        assert_eq!(read(&world, SETTINGS), shape);
        assert!(!world.path("home/.claude.json").exists());
    }
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
    let world = TestWorld::new();
    world.write("home/.codex/config.toml", "[mcp_servers\n");
    assert_eq!(world.sayso(["setup", "codex", "--yes"]).run().exit, 1);
    assert_eq!(read(&world, "home/.codex/config.toml"), "[mcp_servers\n");
}

#[test]
fn links_and_permissions_stay() {
    let world = TestWorld::new();
    let real = world.write("home/dotfiles/claude.json", "{}");
    std::fs::set_permissions(&real, PermissionsExt::from_mode(0o640)).unwrap();
    std::fs::create_dir_all(world.path("home/.claude")).unwrap();
    symlink(&real, world.path(SETTINGS)).unwrap();
    assert_eq!(world.sayso(["setup", "claude-code", "--yes"]).run().exit, 0);
    assert!(world.path(SETTINGS).is_symlink());
    assert!(read(&world, "home/dotfiles/claude.json").contains("hook claude-code"));
    assert_eq!(std::fs::metadata(&real).unwrap().permissions().mode() & 0o777, 0o640);
    assert_eq!(world.sayso(["setup", "claude-code", "--undo", "--yes"]).run().exit, 0);
    assert_eq!(read(&world, SETTINGS), "{}");
    std::fs::set_permissions(&real, PermissionsExt::from_mode(0o440)).unwrap();
    let refused = world.sayso(["setup", "claude-code", "--yes"]).run();
    assert_eq!(refused.exit, 1, "{refused:?}");
    assert_eq!(read(&world, SETTINGS), "{}");
}

#[test]
fn toml_comments_stay() {
    let world = TestWorld::new();
    let before = "# mine\nmodel = \"o\" # small\n\n[mcp_servers.other]\ncommand = \"x\"\n\n[[hooks.Stop]]\n[[hooks.Stop.hooks]]\ntype = \"command\"\ncommand = \"mine\"\n";
    world.write("home/.codex/config.toml", before);
    assert_eq!(world.sayso(["setup", "codex", "--yes"]).run().exit, 0);
    let written = read(&world, "home/.codex/config.toml");
    assert!(written.starts_with("# mine\nmodel = \"o\" # small\n"), "{written}");
    for added in ["[mcp_servers.sayso]", "[[hooks.PermissionRequest]]", "[[hooks.PermissionRequest.hooks]]"] {
        assert!(written.contains(added), "{written}");
    }
    assert_eq!(written.matches("[[hooks.Stop]]").count(), 2, "{written}");
    assert_eq!(world.sayso(["setup", "codex", "--check"]).run().exit, 0);
    assert_eq!(world.sayso(["setup", "codex", "--undo", "--yes"]).run().exit, 0);
    assert_eq!(read(&world, "home/.codex/config.toml"), before);
}

#[test]
fn every_host_is_checked_and_undone() {
    for host in ["claude-code", "codex", "copilot", "opencode", "gemini", "cursor", "vscode"] {
        let world = TestWorld::new();
        assert_eq!(world.sayso(["setup", host, "--yes"]).run().exit, 0, "{host}");
        assert_eq!(world.sayso(["setup", host, "--check"]).run().exit, 0, "{host}");
        assert_eq!(world.sayso(["setup", host, "--undo", "--yes"]).run().exit, 0, "{host}");
        assert_eq!(world.sayso(["setup", host, "--check"]).run().exit, 1, "{host}");
    }
}
