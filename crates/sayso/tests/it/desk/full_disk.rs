//! Tests of a full disk, simulated by a limit on file size: the person sees an error, stored data stays, and programs
//! work again once space is free.

use crate::mcp::auq::{ASK, arguments_of};
use crate::mcp::host::{LEGACY, McpHost};
use crate::support::sample_requests::{one, text};
use crate::support::test_world::{ProgramCall, TestWorld};
use serde_json::json;

/// Returns the size of the desk's largest file, in bytes.
fn largest_file_bytes(world: &TestWorld) -> u64 {
    let folder = world.desk_file().parent().unwrap().to_owned();
    let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap());
    let grow = files.filter(|file| !file.path().ends_with("desk.db.reserve"));
    grow.map(|file| file.metadata().unwrap().len()).max().unwrap()
}

/// Limits the size of files. (The unit is 512 bytes in some shells and 1,024 in others.)
fn with_file_limit(call: ProgramCall, bytes: u64) -> ProgramCall {
    let blocks = bytes.div_ceil(512);
    call.by_shell(&format!("ulimit -f {blocks}; exec \"$0\" \"$@\""))
}

#[test]
fn full_disk_keeps_stored_lines() {
    let world = TestWorld::new();
    let questions = json!([
        { "id": "first", "prompt": "First?" },
        { "id": "notes", "prompt": "Notes?", "long": true },
    ]);
    let id = world.leave_ask(&json!({ "sayso": 1, "questions": questions }).to_string(), &[]);
    let room = largest_file_bytes(&world) + (64 << 10);
    let mut terminal = with_file_limit(world.sayso(["answer", &id]), room).on_terminal();
    terminal.expect("/help): ").line("stored while there was room").expect("Recorded: \"stored");
    terminal.expect("End with /done").expect("> ");
    // Each line is stored with all before it, so the space is used up before these lines are.
    for _ in 0..12 {
        terminal.line(&"x".repeat(3000)).expect("\n> ");
    }
    terminal.line("/quit");
    let seen = terminal.wait();
    let words = "The disk is full, so this change was not stored. Everything stored before is safe.\r\n";
    assert!(seen.screen.contains(words) && !seen.screen.contains("panicked"), "{}", seen.screen);
    let lost = "The desk cannot store these answers; they are lost when you leave:\r\n- Notes? xxx";
    assert!(seen.screen.contains(lost), "{}", seen.screen);
    assert!(!seen.screen.contains("so far are kept"), "{}", seen.screen);
    assert_eq!(seen.exit, 7);

    let shown = world.show(&id);
    assert_eq!(shown["state"], "open");
    assert_eq!(shown["draft"]["replies"]["first"]["answer"]["text"], "stored while there was room");
    let mut terminal = world.sayso(["answer", &id]).on_terminal();
    terminal.expect("Draft found: ");
    terminal.expect("> ").line("/review").expect("Review> ").line("2").expect("> ").line("/clear");
    terminal.expect("Cleared.").expect("> ").line("short").expect("> ").line("/done");
    terminal.expect("Review> ").line("/submit").expect("Sent.");
    assert_eq!(terminal.wait().exit, 0);
    let settled = &world.show(&id)["phase"]["settled"]["replies"];
    assert_eq!(settled["first"]["answer"]["text"], "stored while there was room");
    assert_eq!(settled["notes"]["answer"]["text"], "short");
}

#[test]
fn failed_ask_succeeds_after_space_returns() {
    let world = TestWorld::new();
    let stored = world.leave_ask(&one("H"), &[]);
    let room = largest_file_bytes(&world);
    let large = text(&"long ".repeat(80_000));
    let file = world.write("request.json", &large).into_os_string().into_string().unwrap();
    let ask = || world.sayso(["ask", "--no-wait", "--key", "K", &file]);
    let full = with_file_limit(ask(), room).run();
    let words = "sayso: The disk is full, so this change was not stored. Everything stored before is safe.\n  \
                 Free some space and try again. A repeated request with the same key takes effect only once.\n";
    assert_eq!(full.parts(), (7, "", words));
    assert_eq!(world.json(&["list", "--json"])["asks"][0]["id"], stored.as_str());
    let asked = ask().run();
    assert_eq!((asked.exit, asked.stderr.as_str()), (0, ""));
    assert_eq!(ask().run().stdout, asked.stdout);
    assert_eq!(world.json(&["list", "--json"])["asks"].as_array().unwrap().len(), 2);
}

#[test]
fn failed_answer_can_be_sent_again() {
    let world = TestWorld::new();
    let id = world.leave_ask(&text("T"), &[]);
    world.allow_scripted_answers();
    let answers = json!({ "answers": { "text": "y".repeat(100_000) } }).to_string();
    let answer = || world.sayso(["answer", &id, "--answers", &answers]);
    let full = with_file_limit(answer(), largest_file_bytes(&world)).run();
    assert_eq!((full.exit, full.stdout.as_str()), (7, ""), "{full:?}");
    assert!(full.stderr.starts_with("sayso: The disk is full, "), "{full:?}");
    assert_eq!(world.show(&id)["state"], "open");
    assert_eq!(answer().run().exit, 0);
    assert_eq!(world.show(&id)["state"], "answered");
}

#[test]
fn auq_agent_is_told_next_step() {
    let world = TestWorld::new();
    world.leave_ask(&one("H"), &[]);
    let host = |call| McpHost::with_session(call, LEGACY[1], &json!({}));
    let server = || world.sayso(["mcp", "--tools", "auq", "--hold", "1ms"]);
    let large = arguments_of(&"long ".repeat(80_000));
    let full = host(with_file_limit(server(), largest_file_bytes(&world))).call(ASK, &large);
    assert_eq!(full["isError"], true);
    let words = "Error in session: Error: The disk is full, so this change was not stored. Everything stored before is safe.\n\n\
                 What was asked before is kept. Make the same call again: it finds the same ask, and never makes a second one.";
    assert_eq!(full["content"][0]["text"], words);
    let asked = host(server()).call(ASK, &large)["content"][0]["text"].clone();
    assert!(asked.as_str().unwrap().starts_with("No answers yet."), "{asked}");
}

#[test]
fn failed_data_write_keeps_answer_waiting() {
    let world = TestWorld::new();
    let id = world.leave_ask(&one("H"), &[]);
    let full = |args: &[&str]| world.sayso(args).by_shell("exec \"$0\" \"$@\" > /dev/full").run();
    for args in [&["list"][..], &["doctor"], &["schema"], &["--help"], &["check", "--json", &one("H")]] {
        let ended = full(args);
        assert_eq!(ended.parts(), (4, "", "sayso: Cannot write standard output.\n"), "{args:?}");
    }
    world.allow_scripted_answers();
    assert_eq!(world.sayso(["answer", &id, "--answers", r#"{"answers":{"H":"A"}}"#]).run().exit, 0);
    assert_eq!(full(&["wait", &id]).exit, 4);
    assert_eq!(world.sayso(["wait", &id]).run().exit, 0, "nobody has read it yet");
}

#[test]
fn file_limit_is_reported() {
    let world = TestWorld::new();
    world.allow_scripted_answers();
    let id = world.leave_ask(&one("H"), &[]);
    let list = world.path("list.json").into_os_string().into_string().unwrap();
    let large = text(&"long ".repeat(20_000));
    let file = world.write("request.json", &large).into_os_string().into_string().unwrap();
    let note = "y".repeat(100_000);
    let decline = ["answer", &id, "--decline", "--reason", &note];
    for bytes in [512, 40 << 10, 96 << 10] {
        for args in [&["ask", "--no-wait", &file][..], &decline] {
            let ended = with_file_limit(world.sayso(args), bytes).run();
            assert_eq!((ended.exit, ended.stdout.as_str()), (7, ""), "within {bytes} bytes: {ended:?}");
            assert!(ended.stderr.starts_with("sayso: The disk is full, "), "{ended:?}");
        }
        for args in [&["list"][..], &["show", &id], &["doctor"]] {
            let ended = with_file_limit(world.sayso(args), bytes).run();
            let is_told = ended.exit > 0 && !(ended.stderr.is_empty() && ended.stdout.is_empty());
            assert!(ended.exit == 0 || is_told, "{args:?} within {bytes} bytes: {ended:?}");
        }
        let ended = world.sayso(["schema", "sayso"]).env("LIST", &list);
        let ended = with_file_limit(ended.by_shell("exec \"$0\" \"$@\" > \"$LIST\""), 512).run();
        assert_eq!(ended.parts(), (4, "", "sayso: Cannot write standard output.\n"));
    }
}
