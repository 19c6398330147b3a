//! Tests of disks that fail to sync: after the first failure nothing is acknowledged, the program exits, and a retry
//! finds one outcome. strace injects the faults.

use crate::inbox::person::press_until;
use crate::mcp::host::{LEGACY, McpHost, text_of};
use crate::support::emulated_terminal::EmulatedTerminal;
use crate::support::program::TestProgram;
use crate::support::sample_requests::text;
use crate::support::served_desk::{ServedDesk, new_token, text as network_text};
use crate::support::test_world::{ProgramCall, TestWorld};
use sayso_core::model::ask_summary::AskStatus;
use sayso_desk::token::TokenRole;
use sayso_desk::{AskQuery, Desk as _};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::process::Command;
use std::time::{Duration, Instant};

/// Upper bound between the fault and the exit.
const STOPS_WITHIN: Duration = Duration::from_secs(10);
/// Enough requests to reach the sixth sync of any thread.
const ASKS: usize = 500;

/// Fails a thread's n-th sync of the desk's files, as on a disk with bad blocks. A sync of their folder does not
/// count: SQLite takes its failure for a file system without one.
fn with_failing_sync(world: &TestWorld, mut call: ProgramCall, n: u32) -> ProgramCall {
    must_trace();
    let desk = world.desk_file().into_os_string();
    let mut log = desk.clone();
    log.push("-wal");
    let inject = format!("inject=fsync,fdatasync:error=EIO:when={n}");
    let words =
        ["strace", "-f", "-qq", "-e", "trace=fsync,fdatasync", "-e", &inject, "-o", "/dev/null", "-P"];
    let line = words.into_iter().map(OsString::from).chain([desk, "-P".into(), log]);
    call.line.splice(0..0, line);
    call
}

fn must_trace() {
    let output = Command::new("strace").args(["-qq", "-o", "/dev/null", "true"]).output();
    let output = output.unwrap_or_else(|error| panic!("no strace ({error}): run `cargo xtask setup`"));
    assert!(
        output.status.success(),
        "strace may not trace here: {}",
        String::from_utf8_lossy(&output.stderr)
    );
}

fn asks_by_title(title: &str) -> Value {
    json!({ "title": title, "key": title, "max_wait_s": 0, "questions": [{ "id": "text", "prompt": "Say it." }] })
}

/// Returns the number of asks under each title.
fn titles(world: &TestWorld) -> BTreeMap<String, usize> {
    let desk = world.desk();
    let mut query = AskQuery { states: AskStatus::ALL.to_vec(), ..AskQuery::default() };
    let mut titles = BTreeMap::new();
    loop {
        let page = desk.list(&query).unwrap();
        page.rows.into_iter().for_each(|row| *titles.entry(row.title).or_default() += 1);
        query.after = page.next;
        if query.after.is_none() {
            return titles;
        }
    }
}

/// Sends requests to an MCP server until its n-th sync fails.
fn fail_mcp_server_at(n: u32) {
    let world = TestWorld::new();
    drop(world.desk());
    let call = with_failing_sync(&world, world.sayso(["mcp"]), n);
    let mut host = McpHost::with_session(call, LEGACY[1], &json!({}));
    let mut acknowledged = Vec::new();
    let refused = loop {
        let title = format!("ask {}", acknowledged.len());
        assert!(acknowledged.len() < ASKS, "no sync has failed");
        let result = host.call("ask", &asks_by_title(&title));
        if result["isError"] == true {
            assert!(text_of(&result).starts_with("desk_failed: "), "{result}");
            break title;
        }
        acknowledged.push(title);
    };
    let failed_at = Instant::now();
    // Later requests are not acknowledged either.
    let late = host.begin("ask", &asks_by_title("after the fault"));
    let ended = host.wait_for_end();
    assert!(failed_at.elapsed() < STOPS_WITHIN, "{n}: it ran on for {:?}", failed_at.elapsed());
    assert_eq!(ended.exit, 7, "{ended:?}");
    assert!(ended.stderr.contains("The disk did not confirm a write, so this program ends"), "{ended:?}");
    let lines = ended.stdout.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let after = lines.filter(|line| line["id"] == late && line["result"]["isError"] != true).count();
    assert_eq!(after, 0, "{ended:?}");

    let at_desk = titles(&world);
    assert!(acknowledged.iter().all(|title| at_desk.get(title) == Some(&1)), "{n}: {at_desk:?}");
    let mut again = McpHost::without_forms(&world);
    let ids: Vec<_> = (0..2).map(|_| again.leave_ask(&asks_by_title(&refused))).collect();
    assert_eq!(ids[0], ids[1]);
    assert_eq!(titles(&world).get(&refused), Some(&1));
}

#[test]
fn failed_sync_ends_mcp_server() {
    (1..=6).for_each(fail_mcp_server_at);
}

#[test]
fn failed_sync_ends_server_and_waiters() {
    let world = TestWorld::new();
    let token = new_token(&world, TokenRole::Asker, "ci");
    let call = with_failing_sync(&world, world.sayso(["serve", "--listen", "127.0.0.1:0", "--rate", "0"]), 3);
    let served = ServedDesk::from_program(call.start());
    let caller = served.with_token(&token);
    let mut ids = Vec::new();
    let refused = loop {
        let reply = caller.post("/v1/asks", &network_text(&format!("ask {}", ids.len())));
        if reply.status != 201 {
            break reply;
        }
        ids.push(reply.json(201)["id"].as_str().unwrap().to_owned());
    };
    let failed_at = Instant::now();
    refused.problem(500, "desk_failed");
    let ended = served.program.wait();
    assert!(failed_at.elapsed() < STOPS_WITHIN, "it ran on for {:?}", failed_at.elapsed());
    assert_eq!(ended.exit, 7, "{ended:?}");
    assert!(ended.stderr.contains("The disk did not confirm a write, so this program ends"), "{ended:?}");
    ids.iter().for_each(|id| assert_eq!(world.show(id)["state"], "open"));
}

/// Runs a command whose first sync fails: it says so, and acknowledges nothing.
fn run_failing_command(world: &TestWorld, args: &[&str]) {
    let ended = TestProgram::start(&with_failing_sync(world, world.sayso(args), 1), None).wait();
    assert_eq!((ended.exit, ended.stdout.as_str()), (7, ""), "{args:?}: {ended:?}");
    assert!(ended.stderr.contains("safe to repeat"), "{args:?}: {ended:?}");
}

#[test]
fn unconfirmed_write_can_be_repeated() {
    let world = TestWorld::new();
    world.allow_scripted_answers();
    drop(world.desk());
    let request = text("T");
    run_failing_command(&world, &["ask", "--no-wait", "--key", "K", &request]);
    let id = world.leave_ask(&request, &["--key", "K"]);
    assert_eq!(titles(&world).get("T"), Some(&1));

    let answer = ["answer", &id, "--answers", r#"{"answers":{"text":"yes"}}"#];
    run_failing_command(&world, &answer);
    // It may or may not be stored; either way the ask has this one answer.
    let exit = world.sayso(answer).run().exit;
    assert!([0, 1].contains(&exit), "{exit}");
    assert_eq!(world.show(&id)["phase"]["settled"]["replies"]["text"]["answer"]["text"], "yes");

    let other = world.leave_ask(&text("U"), &[]);
    run_failing_command(&world, &["cancel", &other]);
    assert_eq!(world.sayso(["cancel", &other]).run().exit, 0);
    assert_eq!(world.show(&other)["state"], "cancelled");
}

#[test]
fn stored_answer_is_printed_despite_fault() {
    let world = TestWorld::new();
    world.allow_scripted_answers();
    let id = world.leave_ask(&text("T"), &[]);
    assert_eq!(world.sayso(["answer", &id, "--answers", r#"{"answers":{"text":"yes"}}"#]).run().exit, 0);
    let call = with_failing_sync(&world, world.sayso(["wait", &id]), 1);
    let first = TestProgram::start(&call, None).wait();
    assert!(first.exit == 0 && first.stdout.contains("yes"), "{first:?}");
    assert_eq!(world.sayso(["wait", &id]).run().stdout, first.stdout);
}

/// Two texts, each a draft of its own.
fn two_text_questions() -> String {
    let questions = json!([{ "id": "first", "prompt": "First?" }, { "id": "second", "prompt": "Second?" }]);
    json!({ "sayso": 1, "title": "Two", "questions": questions }).to_string()
}

/// Asserts that a retry after the fault finds what was acknowledged, and can answer.
fn assert_answerable_after(world: &TestWorld, id: &str) {
    let shown = world.show(id);
    assert_eq!(shown["state"], "open", "{shown}");
    assert_eq!(shown["draft"]["replies"]["first"]["answer"]["text"], "confirmed", "{shown}");
    let answers = r#"{"answers":{"first":"again","second":"and this"}}"#;
    assert_eq!(world.sayso(["answer", id, "--answers", answers]).run().exit, 0);
    assert_eq!(world.show(id)["state"], "answered");
}

#[test]
fn line_prompt_reports_unconfirmed_write() {
    let world = TestWorld::new();
    world.allow_scripted_answers();
    let id = world.leave_ask(&two_text_questions(), &[]);
    let call = with_failing_sync(&world, world.sayso(["answer", "--plain", &id]), 2);
    let mut terminal = call.on_terminal();
    terminal.expect("/help): ").line("confirmed").expect("Recorded: \"confirmed\"");
    terminal
        .expect("/help): ")
        .line("lost")
        .expect("The desk failed: ")
        .expect("so far: \"lost\"")
        .expect("/help): ");
    terminal.line("/quit").expect("they are lost when you leave:").expect("Second? lost");
    let seen = terminal.wait();
    assert_eq!(seen.exit, 7, "{seen:?}");
    assert!(!seen.screen.contains("Recorded: \"lost\""), "{}", seen.screen);
    assert_answerable_after(&world, &id);
}

#[test]
fn line_prompt_prints_lost_reason() {
    let world = TestWorld::new();
    let id = world.leave_ask(&two_text_questions(), &[]);
    let call = with_failing_sync(&world, world.sayso(["answer", "--plain", &id]), 1);
    let mut terminal = call.on_terminal();
    terminal.expect("/help): ").line("/decline").expect("Reason").line("not on a Friday");
    terminal.expect("The desk failed: ").expect("Review> ").line("/quit");
    terminal.expect("The desk has not accepted this reason to decline: \"not on a Friday\"");
    assert_eq!(terminal.wait().exit, 4);
}

#[test]
fn screen_reports_unconfirmed_write() {
    let world = TestWorld::new();
    world.allow_scripted_answers();
    let id = world.leave_ask(&two_text_questions(), &[]);
    let call = with_failing_sync(&world, world.sayso(["answer", &id]), 2);
    let mut screen = EmulatedTerminal::start(&call, 24, 80);
    screen.expect_text("First?");
    // Input before the terminal has replied answers nothing.
    press_until(&mut screen, "c", |screen| screen.contents().contains("│ c"));
    // A busy screen may have taken it twice: `^U` deletes all of them.
    screen.type_bytes("\x15confirmed");
    world.wait_for_draft_where(&id, |draft| format!("{draft:?}").contains("confirmed"));
    screen.type_bytes("\t").expect_text("Second?");
    screen.type_bytes("lost").expect_text("Not saved yet, retrying: The desk failed: disk I/O error");
    press_until(&mut screen, "\x03", |screen| !screen.alternate_screen());
    let (exit, contents) = screen.wait();
    assert_eq!(exit, 7, "{contents}");
    assert!(contents.contains("These answers could not be stored and are lost:"), "{contents}");
    assert!(contents.contains("- Second? lost") && !contents.contains("is kept"), "{contents}");
    assert_answerable_after(&world, &id);
}
