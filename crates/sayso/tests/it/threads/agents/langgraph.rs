//! Tests of an agent in a third-party framework: a graph of LangGraph, whose `interrupt()` is answered in its thread.

use crate::support::network_desk::NetworkDesk;
use crate::support::program::TestProgram;
use crate::support::program::python_program::{program, python};
use crate::threads::client::{TurnStream, new_thread};
use crate::threads::turns::{end, read_and_resume, rest, send_message, start_parties, text};
use serde_json::{Value, json};

type GraphEvents = Vec<(String, Value)>;

fn start_graph(served: &NetworkDesk) -> TestProgram {
    start_program(served, concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/langgraph_agent.py"))
}

fn start_program(served: &NetworkDesk, program: &str) -> TestProgram {
    let bot = served.token("asker", "bot");
    python(&served.world, &[program]).env("SAYSO_DESK", &served.address).env("SAYSO_TOKEN_FILE", &bot).start()
}

/// Reads to the end, which must follow an interrupt with these words.
fn read_interrupt(stream: TurnStream, info: &str, action: &str) -> Value {
    let events: GraphEvents = rest(stream);
    let [(name, data), last] = events.as_slice() else { panic!("{events:?}") };
    assert_eq!((name.as_str(), &data["info"], last), ("interrupt", &json!(info), &end(action)));
    data.clone()
}

fn ran_commands(command: &str) -> GraphEvents {
    let tool = |name: &str, status: &str| (name.to_owned(), json!({ "tool": "execute", "status": status }));
    vec![
        tool("tool/start", "running"),
        tool("tool/end", "completed"),
        text(&format!("Ran (after lunch): {command}\n")),
    ]
}

#[test]
fn graph_interrupt_survives_crashes() {
    let (mut served, ada, _) = start_parties();
    let agent = start_graph(&served);
    let id = new_thread(&ada);
    let asked =
        read_interrupt(send_message(&ada, &id, "make\nrm -r build\nmake test"), "Agent 提出了 1 个问题", "");
    assert_eq!(asked["questions"][0]["options"][2]["allow_custom"], true);
    let after_lunch = json!({ "action": "answer", "answers": ["after lunch"] });
    read_interrupt(read_and_resume(&ada, &id, &after_lunch), "正在执行命令: make", "answer");
    assert!(agent.kill_9());
    // The first is approved while no agent runs, the second is rejected: both decisions wait at the desk.
    let on = json!({ "action": "continue" });
    read_interrupt(read_and_resume(&ada, &id, &on), "正在执行命令: rm -r build", "continue");
    served.kill_9();
    served.restart();
    read_interrupt(
        read_and_resume(&ada, &id, &json!({ "action": "cancel" })),
        "正在执行命令: make test",
        "cancel",
    );
    let agent = start_graph(&served);
    let events = rest(read_and_resume(&ada, &id, &on));
    let no = vec![text("Not run: rm -r build\n")];
    assert_eq!(events, [ran_commands("make"), no, ran_commands("make test"), vec![end("continue")]].concat());
    // A declined question is distinguishable, with the reason.
    read_interrupt(send_message(&ada, &id, "ls"), "Agent 提出了 1 个问题", "");
    let next = send_message(&ada, &id, "not today");
    read_interrupt(next, "Agent 提出了 1 个问题", "");
    let history = ada.get(&format!("/api/history/{id}")).value();
    assert_eq!(history["messages"][5]["content"], "User declined to answer: not today", "{history}");
    assert!(agent.is_running(), "{}", agent.stderr.last_part());
}

#[test]
fn edit_only_action_gets_edit() {
    let (served, ada, _) = start_parties();
    let _agent = start_graph(&served);
    let id = new_thread(&ada);
    read_interrupt(send_message(&ada, &id, "sudo make"), "Agent 提出了 1 个问题", "");
    let after_lunch = json!({ "action": "answer", "answers": ["after lunch"] });
    let asked = read_interrupt(read_and_resume(&ada, &id, &after_lunch), "Agent 提出了 1 个问题", "answer");
    let now = &asked["questions"][0]["options"][0]["value"];
    assert_eq!(now, r#"{"command": "sudo make"}"#, "{asked}");
    let edit = json!({ "action": "answer", "answers": [r#"{"command": "make"}"#] });
    assert_eq!(rest(read_and_resume(&ada, &id, &edit)), [ran_commands("make"), vec![end("answer")]].concat());
}

#[test]
fn middleware_gets_each_decision() {
    let (served, ada, _) = start_parties();
    let agent = start_program(&served, &program("middleware_agent.py"));
    let id = new_thread(&ada);
    let message = "make\nrm -r build\nsudo make\nask Which port?";
    read_interrupt(send_message(&ada, &id, message), "正在执行操作", "");
    let on = json!({ "action": "continue" });
    read_interrupt(read_and_resume(&ada, &id, &on), "正在执行操作", "continue");
    let cancel = json!({ "action": "cancel" });
    let asked = read_interrupt(read_and_resume(&ada, &id, &cancel), "Agent 提出了 1 个问题", "cancel");
    assert_eq!(asked["questions"][0]["options"][0]["value"], r#"{"command": "sudo make"}"#, "{asked}");
    let edit = json!({ "action": "answer", "answers": [r#"{"command": "sudo make install"}"#] });
    let asked = read_interrupt(read_and_resume(&ada, &id, &edit), "Agent 提出了 1 个问题", "answer");
    assert_eq!(asked["questions"][0]["question"], "Which port?", "{asked}");
    let events: GraphEvents =
        rest(read_and_resume(&ada, &id, &json!({ "action": "answer", "answers": ["8080"] })));
    let [(name, reply), last] = events.as_slice() else { panic!("{events:?}") };
    assert_eq!((name.as_str(), last), ("messages/partial", &end("answer")));
    let lines: Vec<_> = reply["content"].as_str().unwrap().lines().collect();
    let [approved, rejected, .., edited, responded] = lines.as_slice() else { panic!("{reply}") };
    assert_eq!([*approved, *edited, *responded], ["ran make", "ran as root sudo make install", "8080"]);
    assert!(rejected.starts_with("User rejected the tool call for `run`"), "{rejected}");
    assert!(agent.is_running(), "{}", agent.stderr.last_part());
}
