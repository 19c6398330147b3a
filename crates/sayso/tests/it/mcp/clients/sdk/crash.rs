//! Tests of `kill -9` of the server and of the host with the official SDK, at each step: a new process asks the same
//! and gets the person's answer, and one ask exists.

use crate::mcp::clients::sdk::host::{SdkHosts, ask_from_new_process, kill_server, server_pid};
use crate::mcp::host::{answer, release, text_of};
use crate::support::program::signal;
use crate::support::test_world::TestWorld;
use sayso_core::model::ask::DeliveryState;
use serde_json::{Value, json};

/// Process to kill.
#[derive(Debug, Clone, Copy, PartialEq)]
enum KillTarget {
    Server,
    Host,
}

const EACH: [(KillTarget, &str); 4] = [
    (KillTarget::Server, "legacy"),
    (KillTarget::Server, "auto"),
    (KillTarget::Host, "legacy"),
    (KillTarget::Host, "auto"),
];

impl KillTarget {
    fn pid(self, official: &SdkHosts, met: &Value) -> u32 {
        if self == Self::Server { server_pid(met) } else { official.pid() }
    }

    /// Kills it like a crash. A surviving host sees its call fail.
    fn kill_9(self, mut official: SdkHosts, met: &Value, call: Option<u64>) {
        match self {
            Self::Host => official.kill_9(),
            Self::Server => {
                kill_server(met);
                official.line(|line| line["gone"] == true);
                if let Some(call) = call {
                    assert_eq!(official.result_of(call)["error"]["code"], "CONNECTION_CLOSED");
                }
            }
        }
    }
}

/// Asserts that a new process gets the answer, and that only this ask exists.
fn assert_answer_on_retry(world: &TestWorld, mode: &str, id: &str) -> String {
    let text = ask_from_new_process(world, mode);
    let value: Value = serde_json::from_str(&text).unwrap();
    assert_eq!([&value["status"], &value["ask_id"]], ["answered", id]);
    assert_eq!([&value["answers"][0]["value"], &value["answers"][0]["note"]], ["now", "before lunch"]);
    let asks = world.json(&["list", "--state", "all", "--json"])["asks"].clone();
    assert_eq!(asks.as_array().unwrap().len(), 1, "{asks}");
    text
}

#[test]
fn kill_before_ask_is_durable() {
    for (victim, mode) in EACH {
        let world = TestWorld::new();
        let (mut official, met) = SdkHosts::with_host(&world, mode);
        let server = server_pid(&met);
        signal(server, "STOP");
        let call = official.start_call("host", "ask", &release());
        // The SDK has written the call once it has run the next command.
        let (method, params) = ("notifications/cancelled", json!({ "requestId": "none" }));
        official.run_command("host", "notify", &json!({ "method": method, "params": params }));
        victim.kill_9(official, &met, Some(call));
        if victim == KillTarget::Host {
            signal(server, "CONT");
        }
        let (mut next, _) = SdkHosts::with_host(&world, mode);
        let call = next.start_call("host", "ask", &release());
        let (_, id) = world.first_ask();
        answer(&world, &id);
        let text = text_of(&next.outcome(call));
        // While a program is alive, the same question of another one is another ask.
        next.kill_9();
        assert_eq!(assert_answer_on_retry(&world, mode, &id), text, "{victim:?} {mode}");
    }
}

#[test]
fn kill_while_waiting() {
    for (victim, mode) in EACH {
        let world = TestWorld::new();
        let (mut official, met) = SdkHosts::with_host(&world, mode);
        let call = official.start_call("host", "ask", &release());
        let (_, id) = world.first_ask();
        victim.kill_9(official, &met, Some(call));
        assert_eq!(world.show(&id)["state"], "open", "{victim:?} {mode}");
        answer(&world, &id);
        assert_answer_on_retry(&world, mode, &id);
    }
}

#[test]
fn kill_before_delivery() {
    for (victim, mode) in EACH {
        let world = TestWorld::new();
        let (mut official, met) = SdkHosts::with_host(&world, mode);
        let call = official.start_call("host", "ask", &release());
        let (_, id) = world.first_ask();
        signal(victim.pid(&official, &met), "STOP");
        answer(&world, &id);
        if victim == KillTarget::Host {
            // The server has sent it, and no one has read it.
            world.wait_for_ask(|ask| matches!(ask.state.delivery, DeliveryState::Offered { .. }));
        }
        victim.kill_9(official, &met, Some(call));
        assert_answer_on_retry(&world, mode, &id);
    }
}

#[test]
fn kill_after_delivery() {
    for (victim, mode) in EACH {
        let world = TestWorld::new();
        let (mut official, met) = SdkHosts::with_host(&world, mode);
        let call = official.start_call("host", "ask", &release());
        let (_, id) = world.first_ask();
        answer(&world, &id);
        let first = text_of(&official.outcome(call));
        victim.kill_9(official, &met, None);
        assert_eq!(assert_answer_on_retry(&world, mode, &id), first, "{victim:?} {mode}");
    }
}
