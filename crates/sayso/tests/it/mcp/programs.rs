//! Tests of several programs of a host at one desk: each that is alive has its own asks, and those of an ended one
//! go to the next.

use crate::mcp::host::{LEGACY, McpHost, answer, release};
use crate::support::test_world::TestWorld;
use serde_json::{Value, json};
use std::path::PathBuf;

/// Hosts by what tells their programs apart.
#[derive(Debug, Clone, Copy)]
enum HostKind {
    /// It tells the session in the server's environment, and an id with each call.
    ClaudeCode,
    /// It tells nothing: only its process differs.
    OpenCode,
    /// It tells the thread with each call.
    Codex,
}

const KINDS: [HostKind; 3] = [HostKind::ClaudeCode, HostKind::OpenCode, HostKind::Codex];

/// Returns a shell under the name of a host, which so counts as a program of its own.
fn shell_named(world: &TestWorld, name: &str) -> PathBuf {
    let path = world.path(name);
    if !path.exists() {
        std::os::unix::fs::symlink("/bin/sh", &path).unwrap();
    }
    path
}

/// Running program of a host, with its server.
struct HostProgram {
    host: McpHost,
    meta: Value,
}

impl HostProgram {
    fn start(world: &TestWorld, kind: HostKind, session: &str) -> Self {
        let call = world.sayso(["mcp", "--hold", "60s"]);
        let (name, call, meta) = match kind {
            HostKind::ClaudeCode => {
                let meta = json!({ "claudecode/toolUseId": format!("toolu_{session}") });
                ("claude-code", call.env("CLAUDE_CODE_SESSION_ID", session), meta)
            }
            HostKind::OpenCode => ("opencode", call.by_program(&shell_named(world, "opencode")), json!({})),
            HostKind::Codex => ("codex-mcp-client", call, json!({ "threadId": session })),
        };
        Self { host: McpHost::with_name(name, call, LEGACY[1], &json!({})), meta }
    }

    fn call(&mut self, tool: &str, arguments: &Value) -> Value {
        let params = json!({ "name": tool, "arguments": arguments, "_meta": self.meta });
        self.host.request("tools/call", params)["result"]["structuredContent"].clone()
    }

    fn ask(&mut self) -> Value {
        let mut arguments = release();
        arguments["max_wait_s"] = json!(0);
        self.call("ask", &arguments)
    }
}

fn asks(world: &TestWorld) -> usize {
    world.json(&["list", "--state", "all", "--json"])["asks"].as_array().unwrap().len()
}

#[test]
fn live_programs_have_own_asks() {
    for kind in KINDS {
        let world = TestWorld::new();
        let mut one = HostProgram::start(&world, kind, "one");
        let mut other = HostProgram::start(&world, kind, "two");
        let first = one.ask()["ask_id"].clone();
        let second = other.ask()["ask_id"].clone();
        assert_ne!(first, second, "{kind:?}");
        assert_eq!([one.ask()["ask_id"].clone(), other.ask()["ask_id"].clone()], [first.clone(), second]);
        answer(&world, first.as_str().unwrap());
        assert_eq!(other.call("wait_for_answer", &json!({ "max_wait_s": 0 }))["status"], "pending");
        assert_eq!(one.call("wait_for_answer", &json!({}))["ask_id"], first, "{kind:?}");
        assert_eq!(asks(&world), 2);
    }
}

#[test]
fn next_program_finds_ask_of_ended_one() {
    for kind in KINDS {
        let world = TestWorld::new();
        let mut one = HostProgram::start(&world, kind, "one");
        let id = one.ask()["ask_id"].clone();
        let mut beside = HostProgram::start(&world, kind, "two");
        let own = beside.ask()["ask_id"].clone();
        one.host.end();

        let mut next = HostProgram::start(&world, kind, "three");
        assert_eq!(next.ask()["ask_id"], id, "{kind:?}: it is open");
        answer(&world, id.as_str().unwrap());
        next.host.end();
        let mut last = HostProgram::start(&world, kind, "four");
        let found = last.ask();
        assert_eq!([&found["status"], &found["ask_id"]], [&json!("answered"), &id], "{kind:?}");
        assert_eq!(beside.ask()["ask_id"], own, "{kind:?}: a program keeps its own");
        assert_eq!(asks(&world), 2);
    }
}
