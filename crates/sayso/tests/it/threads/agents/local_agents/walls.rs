//! Tests of the wall around an agent: it sees its thread's folder, its program and the network, and nothing else.

use super::{AgentDesk, agent_text};
use crate::support::program::program_output::LIMIT;
use crate::support::served_desk::new_token;
use crate::support::test_world::TestWorld;
use crate::threads::client::new_thread;
use crate::threads::turns::rest;
use sayso_desk::token::TokenRole;
use serde_json::{Value, json};
use std::time::Instant;

#[test]
fn agent_sees_its_folder_alone() {
    let mut world = TestWorld::new();
    world.set_var("SAYSO_TEST_SECRET", "hidden");
    world.set_var("MODEL_KEY", "key");
    let desk = AgentDesk::start_in(world, "", &["--agent-env", "MODEL_KEY"]);
    let token = desk.world.write("ada.token", "a token");
    let (first, second) = (new_thread(&desk.ada), new_thread(&desk.ada));
    let run = |thread: &str, steps: Value| agent_text(&rest(desk.send(thread, &steps)));
    assert_eq!(run(&first, json!([{ "write": "mine" }, { "read": "mine" }])), "[written][mine]");
    let home: Value = serde_json::from_str(&run(&first, json!([{ "environment": true }]))).unwrap();
    let names: Vec<_> = home.as_object().unwrap().keys().map(String::as_str).collect();
    let known = ["HOME", "LANG", "LC_ALL", "LC_CTYPE", "MODEL_KEY", "PATH", "TMPDIR", "TZ"];
    assert!(names.iter().all(|name| known.contains(name)) && names.contains(&"MODEL_KEY"), "{names:?}");
    let own = home["HOME"].as_str().unwrap();
    assert_eq!(run(&first, json!([{ "write": format!("{own}/a") }])), "[written]");
    let other = own.replace(&first, &second);
    let desk_file = desk.world.desk_file().display().to_string();
    let server = format!("/proc/{}", desk.served.program.pid);
    let steps = json!([
        { "read": desk_file }, { "read": format!("{desk_file}-wal") }, { "write": desk_file },
        { "list": desk.world.desk_file().parent() }, { "read": token }, { "list": format!("{other}/..") },
        { "write": format!("{other}/a") }, { "list": format!("{own}/../..") }, { "read": format!("{own}/../../session") },
        { "read": format!("{server}/environ") }, { "list": format!("{server}/root") }, { "list": "/root" },
        { "list": "/home" }, { "list": "/tmp" }, { "read": "/etc/shadow" }, { "write": "/etc/hosts" },
    ]);
    run(&second, json!("begin"));
    let count = steps.as_array().unwrap().len();
    assert_eq!(run(&first, steps), "[PermissionError]".repeat(count));
}

#[test]
fn memory_is_limited() {
    let world = TestWorld::new();
    world.write("config/sayso/config.toml", "[server]\nagent_memory_mib = 256\n");
    let desk = AgentDesk::start_in(world, "", &[]);
    assert_eq!(agent_text(&desk.run(&json!([{ "allocate": 600_000_000 }]))), "[MemoryError]");
}

#[test]
fn open_agent_needs_desk_of_one() {
    let world = TestWorld::new();
    let args = ["serve", "--agent", "bot=cat", "--agent-wall", "none", "--listen"];
    let open = world.sayso(args.iter().chain(&["0.0.0.0:0"])).run();
    assert_eq!(open.exit, 2, "{open:?}");
    new_token(&world, TokenRole::Person, "ada");
    new_token(&world, TokenRole::Person, "bob");
    let shared = world.sayso(args.iter().chain(&["127.0.0.1:0"])).run();
    assert_eq!(shared.exit, 2, "{shared:?}");
    assert!(shared.stderr.contains("only on a desk with one account"), "{shared:?}");
    // A second account ends it while it runs.
    let desk = AgentDesk::start("", &["--agent-wall", "none"]);
    assert_eq!(agent_text(&desk.run(&json!("hello"))), "You said: \"hello\"");
    new_token(&desk.world, TokenRole::Person, "bob");
    let events = desk.run(&json!("hello"));
    assert!(events[0].1["message"].as_str().unwrap().contains("one account"), "{events:?}");
}

#[test]
fn deleted_thread_leaves_nothing() {
    let desk = AgentDesk::start("", &[]);
    let thread = new_thread(&desk.ada);
    let steps = json!([{ "write": "mine" }, { "environment": true }]);
    let output = agent_text(&rest(desk.send(&thread, &steps)));
    let home: Value = serde_json::from_str(output.strip_prefix("[written]").unwrap()).unwrap();
    let folder = std::path::PathBuf::from(home["HOME"].as_str().unwrap());
    assert!(folder.join("../work/mine").exists());
    assert_eq!(desk.ada.send("DELETE", &format!("/api/sessions/{thread}"), None).status, 200);
    let until = Instant::now() + LIMIT;
    while folder.exists() {
        assert!(Instant::now() < until, "{}", folder.display());
        desk.ada.get("/api/sessions");
    }
}
