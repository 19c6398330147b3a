//! Tests of a killed server that comes back: waiters and typists continue, and nothing is lost.

use crate::mcp::host::{self, McpHost};
use crate::support::network_desk::NetworkDesk;
use crate::support::sample_requests::{one, release};

#[test]
fn ask_survives_restart() {
    let mut served = NetworkDesk::new();
    let (agent, ada) = served.asker_and_person();
    let asking = agent.ask_user_question([one("H")]).start();
    let mut host = McpHost::without_forms(&agent);
    let (_, id) = served.world.first_ask();
    let call = host.begin("ask", &host::release());
    served.world.wait_for_ask(|ask| ask.id.to_string() != id);
    for _ in 0..2 {
        served.kill_9();
        served.restart();
    }
    let mut terminal = ada.sayso(["answer", &id]).on_terminal();
    terminal.expect("/help): ").line("2").expect("Sent.");
    assert_eq!(terminal.wait().exit, 0);
    assert_eq!(asking.wait().stdout, "{\"answers\":{\"H\":\"B\"}}\n");
    let other = served.world.wait_for_ask(|ask| ask.id.to_string() != id).id.to_string();
    let mut terminal = ada.sayso(["answer", &other]).on_terminal();
    terminal.expect("When?").expect("/help): ").line("1").expect("Why?").expect("/help): ").line("/skip");
    terminal.expect("Review> ").line("/submit").expect("Sent.");
    let text = host.response(call);
    assert_eq!(text["result"]["structuredContent"]["status"], "answered", "{text}");
}

#[test]
fn answer_during_downtime_is_delivered() {
    let mut served = NetworkDesk::new();
    let (agent, _) = served.asker_and_person();
    let asking = agent.ask_user_question([one("H")]).start();
    let (_, id) = served.world.first_ask();
    served.kill_9();
    // It is settled in the desk's own file while no server runs.
    let mut terminal = served.world.sayso(["answer", &id]).on_terminal();
    terminal.expect("/help): ").line("3").expect("Sent.");
    assert_eq!(terminal.wait().exit, 0);
    served.restart();
    assert_eq!(asking.wait().stdout, "{\"answers\":{\"H\":\"C\"}}\n");
}

#[test]
fn typing_survives_restart() {
    let mut served = NetworkDesk::new();
    let (agent, ada) = served.asker_and_person();
    let id = agent.leave_ask(&release("1.0"), &[]);
    let mut terminal = ada.sayso(["answer", &id]).on_terminal();
    terminal.expect("What is it called?").expect("/help): ").line("Heron").expect("What is new?");
    served.kill_9();
    // The line is typed while the server is down; the save waits for it.
    terminal.line("Everything, 都是新的");
    served.restart();
    terminal.expect("When?").expect("/help): ");
    served.kill_9();
    served.restart();
    terminal
        .line("1")
        .expect("1. What is it called? Heron\n")
        .expect("2. What is new? Everything, 都是新的\n");
    terminal.expect("Review> ").line("/submit").expect("Sent.");
    assert_eq!(terminal.wait().exit, 0);
    let shown = agent.show(&id);
    let replies = &shown["phase"]["settled"]["replies"];
    assert_eq!(replies["notes"]["answer"]["text"], "Everything, 都是新的", "{shown}");
}
