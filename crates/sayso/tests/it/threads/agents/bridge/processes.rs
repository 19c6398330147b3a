//! Tests of the processes of an agent: they end with their program, and with the bridge.

use super::{AgentDesk, agent_text, command};
use crate::threads::client::new_thread;
use crate::threads::turns::rest;
use serde_json::json;
use std::path::Path;

#[test]
fn program_starts_after_old_processes_ended() {
    let desk = AgentDesk::start("", &[]);
    let steps =
        json!([{ "alive": "started-by-agent" }, { "start": "started-by-agent" }, { "crash_once": 7 }]);
    // The process is in a group and a session of its own.
    assert_eq!(agent_text(&desk.run(&steps)), "0 of 0 alive. 0 of 1 alive. ");
}

#[test]
fn killed_bridge_leaves_no_process() {
    let mut desk = AgentDesk::start("", &[]);
    let thread = new_thread(&desk.ada);
    let steps =
        json!([{ "alive": "started-by-agent" }, { "start": "started-by-agent" }, { "run": command("make") }]);
    let mut stream = desk.send(&thread, &steps);
    assert_eq!(agent_text(&[stream.next().unwrap()]), "0 of 0 alive. ");
    rest(stream);
    let process = std::fs::read_to_string(desk.work("started-by-agent")).unwrap();
    desk.restart_bridge();
    // The program that goes on did not start before.
    let events = rest(desk.resume(&thread, &json!({ "action": "continue" })));
    assert_eq!(agent_text(&events), "0 of 1 alive. [allow_once]", "{events:?}");
    assert!(!Path::new("/proc").join(process.trim()).exists());
}
