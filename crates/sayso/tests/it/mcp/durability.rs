//! Tests that a question survives any call, request, host or process, and that its answer is repeated until the asker
//! acknowledges it.

use crate::mcp::host::{LEGACY, McpHost, answer, release, server, text_of};
use crate::support::test_world::TestWorld;
use serde_json::{Value, json};
use std::time::{Duration, Instant};

fn asks(world: &TestWorld) -> usize {
    world.json(&["list", "--state", "all", "--json"])["asks"].as_array().unwrap().len()
}

#[test]
fn answer_repeats_until_acknowledged() {
    let world = TestWorld::new();
    let mut host = McpHost::without_forms(&world);
    let id = host.leave_ask(&release());
    answer(&world, &id);
    let first = host.text("ask", &release());
    assert_eq!(host.text("ask", &release()), first);
    assert_eq!(host.text("wait_for_answer", &json!({})), first);
    assert_eq!(host.text("wait_for_answer", &json!({ "ask_id": id })), first);
    host.end();
    let mut later = McpHost::without_forms(&world);
    assert_eq!(later.text("ask", &release()), first, "a later process gives the same bytes");
    assert_eq!(world.json(&["list", "--state", "all", "--json"])["asks"][0]["delivered"], false);
    assert_eq!(asks(&world), 1);

    let mut again = release();
    again["received"] = json!([id]);
    again["max_wait_s"] = json!(0);
    let anew = later.call("ask", &again)["structuredContent"].clone();
    assert_eq!(anew["status"], "pending", "the same question is asked anew");
    assert_ne!(anew["ask_id"], id.as_str());
    let both = world.json(&["list", "--state", "all", "--json"])["asks"].clone();
    let delivered = |ask: &Value| ask["id"] == id.as_str() && ask["delivered"] == true;
    assert!(both.as_array().unwrap().iter().any(delivered), "{both}");
    assert_eq!(later.text("wait_for_answer", &json!({ "ask_id": id })), first, "it can still be looked at");
}

#[test]
fn cancelled_request_changes_nothing() {
    let world = TestWorld::new();
    let mut host = McpHost::without_forms(&world);
    let call = host.begin("ask", &release());
    let (_, id) = world.first_ask();
    host.cancel(call);
    // A later request gets its response, and the cancelled one does not.
    assert_eq!(host.call("list_asks", &json!({}))["structuredContent"]["asks"][0]["ask_id"], id.as_str());
    assert!(host.seen.iter().all(|line| line["id"] != call), "{:?}", host.seen);
    assert_eq!(world.show(&id)["state"], "open");
    answer(&world, &id);
    let result = host.call("ask", &release())["structuredContent"].clone();
    assert_eq!([&result["status"], &result["ask_id"]], ["answered", id.as_str()]);
    host.cancel(call);
    assert_eq!(host.call("ask", &release())["structuredContent"], result, "late cancels are harmless");
}

#[test]
fn input_end_stops_server_only() {
    let world = TestWorld::new();
    let mut host = McpHost::without_forms(&world);
    host.begin("ask", &release());
    let (_, id) = world.first_ask();
    let begun = Instant::now();
    let ended = host.end();
    assert_eq!((ended.exit, ended.stderr.as_str()), (0, ""));
    assert!(begun.elapsed() < Duration::from_secs(20), "it does not wait for calls to give up");
    assert_eq!(world.show(&id)["state"], "open");
    answer(&world, &id);
    assert_eq!(
        McpHost::without_forms(&world).call("ask", &release())["structuredContent"]["ask_id"],
        id.as_str()
    );
}

#[test]
fn killed_server_loses_nothing() {
    let world = TestWorld::new();
    let mut host = McpHost::without_forms(&world);
    host.begin("ask", &release());
    let (_, id) = world.first_ask();
    host.kill_9();
    answer(&world, &id);
    let mut next = McpHost::without_forms(&world);
    let first = next.text("wait_for_answer", &json!({}));
    next.kill_9();
    let mut last = McpHost::without_forms(&world);
    assert_eq!(last.text("ask", &release()), first);
    assert_eq!(serde_json::from_str::<Value>(&first).unwrap()["ask_id"], id.as_str());
    assert_eq!(asks(&world), 1);
}

#[test]
fn concurrent_duplicates_share_one_ask() {
    let world = TestWorld::new();
    let (mut one, mut other) = (McpHost::without_forms(&world), McpHost::without_forms(&world));
    let calls: Vec<_> =
        (0..20).map(|_| (one.begin("ask", &release()), other.begin("ask", &release()))).collect();
    let (_, id) = world.first_ask();
    answer(&world, &id);
    let mut texts = Vec::new();
    for (host, mut wanted) in [
        (&mut one, calls.iter().map(|it| it.0).collect::<Vec<_>>()),
        (&mut other, calls.iter().map(|it| it.1).collect()),
    ] {
        while !wanted.is_empty() {
            let line = host.next();
            wanted.retain(|id| line["id"] != *id);
            texts.push(text_of(&line["result"]));
        }
    }
    assert_eq!(texts.len(), 40);
    texts.dedup();
    assert_eq!(texts.len(), 1, "{texts:?}");
    assert_eq!(asks(&world), 1);
}

#[test]
fn key_finds_ask_in_any_thread() {
    let world = TestWorld::new();
    let mut host = McpHost::without_forms(&world);
    let mut in_thread = |thread: &str, tool: &str, arguments: &Value| {
        let params = json!({ "name": tool, "arguments": arguments, "_meta": { "threadId": thread } });
        text_of(&host.request("tools/call", params)["result"])
    };
    let mut keyed = release();
    keyed["key"] = json!("release-7");
    keyed["max_wait_s"] = json!(0);
    let asked: Value = serde_json::from_str(&in_thread("one", "ask", &keyed)).unwrap();
    let first = in_thread("one", "cancel_ask", &json!({ "ask_id": asked["ask_id"] }));
    assert_eq!(in_thread("two", "ask", &keyed), first);
    keyed["questions"][0]["prompt"] = json!("Something else?");
    let refused = in_thread("two", "ask", &keyed);
    assert!(refused.starts_with("key_reused:") && refused.contains("Use another key"), "{refused}");
}

#[test]
fn restarted_program_takes_over_ask() {
    let world = TestWorld::new();
    let session = |name: &str| server(&world).env("CLAUDE_CODE_SESSION_ID", name);
    let mut host = McpHost::with_session(session("one"), LEGACY[1], &json!({}));
    let id = host.leave_ask(&release());
    answer(&world, &id);
    let mut beside = McpHost::with_session(session("two"), LEGACY[1], &json!({}));
    assert_eq!(beside.call("wait_for_answer", &json!({}))["isError"], true, "that one still runs");
    host.kill_9();
    assert_eq!(beside.call("wait_for_answer", &json!({}))["structuredContent"]["ask_id"], id.as_str());
    let mut anew = McpHost::with_session(session("three"), LEGACY[1], &json!({}));
    assert_eq!(anew.call("ask", &release())["structuredContent"]["ask_id"], id.as_str());
}

#[test]
fn repeated_call_finds_expired_ask() {
    let world = TestWorld::new();
    let mut host = McpHost::without_forms(&world);
    let mut arguments = release();
    arguments["timeout"] = json!("1ms");
    let mut call = |name: &str| {
        let meta = json!({ "claudecode/toolUseId": name });
        let params = json!({ "name": "ask", "arguments": arguments, "_meta": meta });
        host.request("tools/call", params)["result"]["structuredContent"].clone()
    };
    let first = call("toolu_1");
    assert_eq!(first["status"], "expired");
    assert_eq!(call("toolu_1"), first, "the host sent it twice");
    assert_ne!(call("toolu_2")["ask_id"], first["ask_id"], "the model asked again");
}

#[test]
fn threads_keep_their_own_answers() {
    let world = TestWorld::new();
    let mut host = McpHost::without_forms(&world);
    let mut in_thread = |thread: &str, tool: &str, arguments: Value| {
        let params = json!({ "name": tool, "arguments": arguments, "_meta": { "threadId": thread } });
        host.request("tools/call", params)["result"].clone()
    };
    let mut arguments = release();
    arguments["max_wait_s"] = json!(0);
    let ids: Vec<_> = ["a", "b"]
        .map(|thread| in_thread(thread, "ask", arguments.clone())["structuredContent"]["ask_id"].clone())
        .into();
    assert_ne!(ids[0], ids[1]);
    answer(&world, ids[0].as_str().unwrap());
    let wait = json!({ "max_wait_s": 0 });
    assert_eq!(in_thread("b", "wait_for_answer", wait.clone())["structuredContent"]["status"], "pending");
    assert_eq!(in_thread("a", "wait_for_answer", wait)["structuredContent"]["ask_id"], ids[0]);
}

#[test]
fn restarted_host_resumes_new_thread() {
    let world = TestWorld::new();
    let in_thread = |host: &mut McpHost, thread: &str, arguments: &Value| {
        let params = json!({ "name": "ask", "arguments": arguments, "_meta": { "threadId": thread } });
        host.request("tools/call", params)["result"]["structuredContent"].clone()
    };
    let mut awaited = release();
    awaited["questions"][0]["options"][1]["id"] = json!("later");
    awaited["questions"][0]["children"] =
        json!([{ "id": "then", "prompt": "When then?", "show_if": { "is": "later" } }]);
    let unawaited = {
        let mut unawaited = awaited.clone();
        unawaited["max_wait_s"] = json!(0);
        unawaited
    };
    let mut host = McpHost::without_forms(&world);
    let id = in_thread(&mut host, "a", &unawaited)["ask_id"].as_str().unwrap().to_owned();
    let mut beside = McpHost::without_forms(&world);
    let other = in_thread(&mut beside, "b", &unawaited)["ask_id"].clone();
    assert_ne!(other, id.as_str(), "the first one still runs");
    host.kill_9();

    let mut anew = McpHost::without_forms(&world);
    assert_eq!(in_thread(&mut anew, "c", &unawaited)["ask_id"], id.as_str(), "it is still open");
    anew.kill_9();
    answer(&world, &id);
    let mut last = McpHost::without_forms(&world);
    let text = in_thread(&mut last, "d", &awaited);
    assert_eq!([&text["status"], &text["ask_id"]], ["answered", id.as_str()], "it has been answered");
    assert_eq!(in_thread(&mut beside, "b", &unawaited)["ask_id"], other, "a thread keeps its own");
    assert_eq!(asks(&world), 2);
}

#[test]
fn thousand_calls_share_one_watch() {
    let world = TestWorld::new();
    let mut host = McpHost::without_forms(&world);
    let id = host.leave_ask(&release());
    let calls: Vec<_> = (0..1_000).map(|_| host.begin("wait_for_answer", &json!({ "ask_id": id }))).collect();
    // Requests are handled in order: once this one has its response, the others wait.
    host.call("list_asks", &json!({}));
    let instances = || {
        let folder = format!("/proc/{}/fd", host.pid());
        let links = std::fs::read_dir(folder)
            .unwrap()
            .filter_map(|entry| std::fs::read_link(entry.ok()?.path()).ok());
        links.filter(|link| link.to_string_lossy().contains("inotify")).count()
    };
    if cfg!(target_os = "linux") {
        assert!(instances() <= 1);
    }
    answer(&world, &id);
    for _ in &calls {
        assert_eq!(host.next()["result"]["structuredContent"]["status"], "answered");
    }
}
