//! Tests of races and unexpected orders: nothing is lost, duplicated or delivered twice.

use crate::mcp::host::{LEGACY, McpHost, answer, release, server};
use crate::support::program::program_output::LIMIT;
use crate::support::program::python_program::change_desk;
use crate::support::test_world::TestWorld;
use serde_json::{Value, json};
use std::time::Duration;

fn forms() -> Value {
    json!({ "elicitation": { "form": {} } })
}

fn filled_in() -> Value {
    json!({ "action": "accept", "content": { "q01": "now" } })
}

fn asks(world: &TestWorld) -> Vec<Value> {
    world.json(&["list", "--state", "all", "--json"])["asks"].as_array().unwrap().clone()
}

/// Repeats a call with the person's response to its form.
fn return_form(host: &mut McpHost, tool: &str, arguments: &Value, form: &Value, reply: &Value) -> Value {
    assert_eq!(form["resultType"], "input_required", "{form}");
    let params = json!({
        "name": tool, "arguments": arguments, "requestState": form["requestState"], "inputResponses": { "form": reply },
    });
    host.request("tools/call", params)["result"].clone()
}

#[test]
fn late_form_makes_no_duplicate() {
    let world = TestWorld::new();
    world.allow_host_features();
    world.allow_scripted_answers();
    let mut host = McpHost::sessionless(server(&world), &forms());
    let form = host.call("ask", &release());
    let (_, id) = world.first_ask();
    answer(&world, &id);
    host.call("list_asks", &json!({ "received": [id] }));
    let late = return_form(&mut host, "ask", &release(), &form, &filled_in());
    assert_eq!(late["structuredContent"]["ask_id"], id.as_str(), "{late}");
    assert_eq!(late["structuredContent"]["status"], "answered");

    let mut short = release();
    short["title"] = json!("Short");
    short["timeout"] = json!("1ms");
    let form = host.call("ask", &short);
    let late = return_form(&mut host, "ask", &short, &form, &filled_in());
    assert_eq!(late["structuredContent"]["status"], "expired", "{late}");
    assert_eq!(asks(&world).len(), 2);
}

#[test]
fn form_answers_its_own_ask() {
    let world = TestWorld::new();
    world.allow_host_features();
    world.allow_scripted_answers();
    let mut host = McpHost::sessionless(server(&world), &forms());
    let first = host.leave_ask(&release());
    let form = host.call("wait_for_answer", &json!({}));
    let second = host.leave_ask(&json!({ "questions": [{ "id": "when", "prompt": "And then?" }] }));
    let result = return_form(&mut host, "wait_for_answer", &json!({}), &form, &filled_in());
    assert_eq!(result["structuredContent"]["ask_id"], first.as_str(), "another one is open by now: {result}");

    host.call("list_asks", &json!({ "received": [first] }));
    let form = host.call("wait_for_answer", &json!({}));
    let third = host.leave_ask(&release());
    answer(&world, &third);
    let reply = json!({ "action": "accept", "content": { "q01": "home" } });
    let result = return_form(&mut host, "wait_for_answer", &json!({}), &form, &reply);
    assert_eq!(
        result["structuredContent"]["ask_id"],
        second.as_str(),
        "another one is answered by now: {result}"
    );
}

#[test]
fn form_counts_after_round_limit() {
    let world = TestWorld::new();
    world.allow_host_features();
    let mut host = McpHost::sessionless(world.sayso(["mcp", "--hold", "1ms"]), &forms());
    let other = json!({ "questions": [{ "prompt": "Another?" }] });
    let (form, others) = (host.call("ask", &release()), host.call("ask", &other));
    return_form(&mut host, "ask", &other, &others, &json!({ "action": "decline" }));
    assert!(host.is_silent_for(Duration::from_millis(1_100)), "as long as a person needs");
    let result = return_form(&mut host, "ask", &release(), &form, &filled_in());
    assert_eq!(result["structuredContent"]["status"], "answered", "{result}");
}

#[test]
fn form_counts_after_cancellation() {
    let world = TestWorld::new();
    world.allow_scripted_answers();
    let mut host = McpHost::with_session(server(&world), LEGACY[1], &forms());
    let call = host.begin("ask", &release());
    let form = host.next_matching(|line| line["method"] == "elicitation/create");
    let (_, id) = world.first_ask();
    let reply = json!({ "jsonrpc": "2.0", "id": form["id"], "result": filled_in() });
    let cancel =
        json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": call } });
    host.write_line(&format!("{reply}\n{cancel}"));
    let result = host.call("wait_for_answer", &json!({ "ask_id": id, "max_wait_s": 5 }));
    assert_eq!(result["structuredContent"]["status"], "answered", "{result}");
}

#[test]
fn progress_is_monotonic() {
    let world = TestWorld::new();
    world.allow_scripted_answers();
    let mut host = McpHost::with_session(server(&world), LEGACY[1], &forms());
    let meta = json!({ "progressToken": "p" });
    let call = host.send("tools/call", json!({ "name": "ask", "arguments": release(), "_meta": meta }));
    for reply in [json!({ "action": "accept", "content": {} }), json!({ "action": "decline" })] {
        let form = host.next_matching(|line| line["method"] == "elicitation/create");
        host.reply(&form, &reply);
    }
    let (_, id) = world.first_ask();
    answer(&world, &id);
    host.response(call);
    let value = host.seen.iter().filter(|line| line["method"] == "notifications/progress");
    let value: Vec<_> = value.map(|line| line["params"]["progress"].as_f64().unwrap()).collect();
    assert_eq!(value, [1.0]);
}

#[test]
fn form_time_counts_as_call_time() {
    let world = TestWorld::new();
    let mut host = McpHost::with_session(world.sayso(["mcp", "--hold", "2s"]), LEGACY[1], &forms());
    let call = host.begin("ask", &release());
    let form = host.next_matching(|line| line["method"] == "elicitation/create");
    assert!(host.is_silent_for(Duration::from_millis(1_300)));
    host.reply(&form, &json!({ "action": "cancel" }));
    assert!(!host.is_silent_for(Duration::from_millis(1_300)), "a whole hold does not begin anew");
    assert_eq!(host.response(call)["result"]["structuredContent"]["status"], "pending");
}

#[test]
fn any_wait_length_is_accepted() {
    let world = TestWorld::new();
    let mut host = McpHost::with_name("claude-code", server(&world), LEGACY[1], &forms());
    let mut arguments = release();
    arguments["max_wait_s"] = json!(1e19);
    let call = host.begin("ask", &arguments);
    host.next_matching(|line| line["method"] == "elicitation/create");
    let (_, id) = world.first_ask();
    answer(&world, &id);
    assert_eq!(host.response(call)["result"]["structuredContent"]["status"], "answered");
}

#[test]
fn waiter_is_visible() {
    let world = TestWorld::new();
    let mut host = McpHost::without_forms(&world);
    let id = host.leave_ask(&release());
    host.kill_9();
    assert_eq!(asks(&world)[0]["attached"], false);
    let mut next = McpHost::without_forms(&world);
    let wait = json!({ "ask_id": id, "max_wait_s": 0 });
    assert_eq!(next.call("wait_for_answer", &wait)["structuredContent"]["status"], "pending");
    assert_eq!(asks(&world)[0]["attached"], true);
}

#[test]
fn failed_call_acknowledges_nothing() {
    let world = TestWorld::new();
    let mut host = McpHost::without_forms(&world);
    let id = host.leave_ask(&release());
    answer(&world, &id);
    let wrong = host.text("ask", &json!({ "questions": [{}], "received": [id] }));
    assert!(wrong.starts_with("The call did nothing"), "{wrong}");
    assert!(host.text("cancel_ask", &json!({ "received": [id] })).starts_with("The call did nothing"));
    assert_eq!(asks(&world)[0]["delivered"], false);
}

#[test]
fn failed_acknowledgement_asks_nothing() {
    let world = TestWorld::new();
    let mut host = McpHost::without_forms(&world);
    let id = host.leave_ask(&release());
    answer(&world, &id);
    change_desk(&world, "UPDATE ask SET status = 'x'");
    let another = json!({ "questions": [{ "prompt": "Another?" }], "received": [id], "max_wait_s": 0 });
    // The ask cannot be read, so its acknowledgement is unknown.
    assert!(host.text("ask", &another).starts_with("ask_damaged: "));
    assert_eq!(asks(&world).len(), 1);
}

#[test]
fn only_full_id_names_an_ask() {
    let world = TestWorld::new();
    let mut host = McpHost::without_forms(&world);
    let id = host.leave_ask(&release());
    answer(&world, &id);
    host.call("list_asks", &json!({ "received": [&id[..8], &id[..2]] }));
    assert_eq!(asks(&world)[0]["delivered"], false);
    let mut another = McpHost::with_name("another", server(&world), LEGACY[1], &json!({}));
    let others =
        ["A?", "B?"].map(|prompt| another.leave_ask(&json!({ "questions": [{ "prompt": prompt }] })));
    let refused = host.text("wait_for_answer", &json!({ "ask_id": &id[..2] }));
    assert!(refused.starts_with("ask_not_found:"), "{refused}");
    assert!(others.iter().all(|other| !refused.contains(other)), "{refused}");
}

#[test]
fn server_starts_without_its_desk() {
    let world = TestWorld::new();
    let folder = world.path("later");
    let desk = format!("sqlite:{}/desk.db", folder.display());
    std::fs::write(&folder, "not a folder").unwrap();
    let mut host = McpHost::with_name("x", server(&world).env("SAYSO_DESK", &desk), LEGACY[1], &json!({}));
    let refused = host.text("ask", &release());
    assert!(refused.contains("Cannot open the desk"), "{refused}");
    std::fs::remove_file(&folder).unwrap();
    std::fs::create_dir(&folder).unwrap();
    assert!(host.call("list_asks", &json!({}))["structuredContent"]["asks"].as_array().unwrap().is_empty());
}

/// Hosts written in JavaScript connect with sockets, which are read and written on threads.
#[cfg(unix)]
#[test]
fn slow_desk_does_not_block_host() {
    use std::io::{BufRead as _, BufReader, Write as _};
    use std::os::fd::OwnedFd;
    use std::os::unix::net::UnixStream;
    let world = TestWorld::new();
    let lock = std::fs::File::create(world.path("held.db.lock")).unwrap();
    lock.lock().unwrap(); // Held while a desk is created.
    let call = server(&world).env("SAYSO_DESK", format!("sqlite:{}", world.path("held.db").display()));
    let (ours, theirs) = UnixStream::pair().unwrap();
    let mut command = crate::support::program::in_own_session(&call);
    command.stdin(OwnedFd::from(theirs.try_clone().unwrap())).stdout(OwnedFd::from(theirs));
    let starting = crate::support::program::start_lock();
    let mut child = command.spawn().unwrap();
    drop((command, starting));
    ours.set_read_timeout(Some(LIMIT)).unwrap();
    let mut output = BufReader::new(ours.try_clone().unwrap()).lines();
    let mut next = || serde_json::from_str::<Value>(&output.next().unwrap().unwrap()).unwrap();
    let write = |id: u64, method: &str, params: Value| {
        let line = json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params });
        (&ours).write_all(format!("{line}\n").as_bytes()).unwrap();
    };
    let info = json!({ "name": "x", "version": "1" });
    write(0, "initialize", json!({ "protocolVersion": LEGACY[1], "capabilities": {}, "clientInfo": info }));
    assert_eq!(next()["id"], 0);
    for id in 1..=40 {
        write(id, "tools/call", json!({ "name": "list_asks", "arguments": {} }));
    }
    write(100, "ping", json!({}));
    assert_eq!(next()["id"], 100);
    lock.unlock().unwrap();
    let mut reply: Vec<_> = (1..=40).map(|_| next()["id"].as_u64().unwrap()).collect();
    reply.sort_unstable();
    assert_eq!(reply, (1..=40).collect::<Vec<_>>());
    ours.shutdown(std::net::Shutdown::Write).unwrap();
    assert!(child.wait().unwrap().success());
}
