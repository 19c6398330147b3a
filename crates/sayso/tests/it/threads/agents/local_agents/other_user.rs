//! Test of agents that run as another user of the system, which root alone can start.

use super::{AgentDesk, agent_program, agent_text};
use crate::support::program::program_output::LIMIT;
use crate::support::served_desk::new_token;
use crate::support::test_world::TestWorld;
use crate::threads::client::new_thread;
use crate::threads::turns::rest;
use sayso_desk::token::TokenRole;
use serde_json::{Value, json};
use std::fs::{Permissions, metadata, set_permissions};
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

const USER: &str = "nobody";

/// Returns the number of the user that agents can run as, or why they cannot.
fn find_user() -> Result<u32, String> {
    if metadata("/proc/self").unwrap().uid() != 0 {
        return Err("it needs root".to_owned());
    }
    tempfile::tempfile_in("/var/lib").map_err(|error| format!("/var/lib: {error}"))?;
    let accounts = std::fs::read_to_string("/etc/passwd").unwrap_or_default();
    let line = accounts.lines().find_map(|line| line.strip_prefix(&format!("{USER}:")));
    let number = line.and_then(|line| line.split(':').nth(1)?.parse().ok());
    let number = number.ok_or_else(|| format!("there is no user {USER}"))?;
    let agent = agent_program();
    for (program, argument) in [(Path::new(env!("CARGO_BIN_EXE_sayso")), "--version"), (&agent, "acp")] {
        let mut command = Command::new(program);
        let command = command.arg(argument).uid(number).current_dir("/").stdin(Stdio::null());
        let ended = command.output().map_err(|error| format!("{}: {error}", program.display()))?;
        if !ended.status.success() {
            return Err(format!("{}: {ended:?}", program.display()));
        }
    }
    Ok(number)
}

#[expect(clippy::print_stderr, reason = "a test that is not run says why")]
#[test]
fn agent_runs_as_another_user() {
    let user = match find_user() {
        Ok(user) => user,
        Err(reason) => return eprintln!("not tried: {reason}"),
    };
    // Behind both walls, and with the other user alone.
    for wall in [&[][..], &["--agent-wall", "none"]] {
        let world = TestWorld::new();
        // Then the desk's own permissions keep others out, not those of the folder for temporary files.
        for folder in ["", "data"] {
            set_permissions(world.path(folder), Permissions::from_mode(0o755)).unwrap();
        }
        let desk = AgentDesk::start_in(world, "", &[&["--agent-user", USER][..], wall].concat());
        new_token(&desk.world, TokenRole::Person, "bob");
        let thread = new_thread(&desk.ada);
        let run = |steps: Value| agent_text(&rest(desk.send(&thread, &steps)));
        let own: Value = serde_json::from_str(&run(json!([{ "user": true }]))).unwrap();
        assert!(own["users"] == json!([user]) && !own["groups"].to_string().contains("[0"), "{wall:?} {own}");
        assert_eq!(run(json!([{ "write": "mine" }, { "read": "mine" }])), "[written][mine]", "{wall:?}");
        let home: Value = serde_json::from_str(&run(json!([{ "environment": true }]))).unwrap();
        let home = PathBuf::from(home["HOME"].as_str().unwrap());
        assert!(home.starts_with("/var/lib/sayso/agents") && home.exists(), "{}", home.display());
        let desk_file = desk.world.desk_file().display().to_string();
        let server = format!("/proc/{}", desk.served.program.pid);
        let steps = json!([
            { "read": desk_file }, { "read": format!("{desk_file}-wal") }, { "write": desk_file },
            { "list": desk.world.desk_file().parent() }, { "list": home.join("../../..") },
            { "read": home.join("../../session") }, { "write": home.join("../../session") },
            { "read": format!("{server}/environ") }, { "list": format!("{server}/root") },
        ]);
        let count = steps.as_array().unwrap().len();
        assert_eq!(run(steps), "[PermissionError]".repeat(count), "{wall:?}");
        assert_eq!(desk.ada.send("DELETE", &format!("/api/sessions/{thread}"), None).status, 200);
        let until = Instant::now() + LIMIT;
        while home.exists() {
            assert!(Instant::now() < until, "{}", home.display());
            desk.ada.get("/api/sessions");
        }
    }
}
