//! Tests of `kill -9` at every moment: asks, drafts and answers survive.

use crate::support::program::signal;
use crate::support::sample_requests::{one, release, two_questions};
use crate::support::test_world::TestWorld;
use serde_json::json;

/// Answers an ask of one question in another terminal.
fn answer(world: &TestWorld, id: &str, line: &str) {
    let mut terminal = world.sayso(["answer", id]).on_terminal();
    terminal.expect("/help): ").line(line).expect("Sent.");
    assert_eq!(terminal.wait().exit, 0);
}

#[test]
fn killed_asker_finds_ask_and_draft() {
    let world = TestWorld::new();
    let mut asking = world.ask_user_question([two_questions()]).on_terminal_with_stdout_file();
    asking.expect("Which One?").expect(": ").line("2").expect("Which Two?");
    let (_, id) = world.first_ask();
    asking.kill_9();
    let rows = world.json(&["list", "--json"])["asks"].clone();
    assert_eq!([&rows[0]["id"], &rows[0]["answered"]], [&json!(id), &json!(1)]);
    // Other systems cannot tell.
    if cfg!(target_os = "linux") {
        assert_eq!(rows[0]["attached"], false, "the killed asker is seen to be gone");
    }

    let mut again = world.ask_user_question([two_questions()]).on_terminal_with_stdout_file();
    again.expect("Draft found: 1 of 2 answered.").expect("Which Two?").expect(": ").line("1");
    let seen = again.wait();
    assert_eq!(
        (seen.exit, seen.stdout.as_str()),
        (0, "{\"answers\":{\"One\":\"B\",\"Two\":\"C\"}}\n"),
        "{seen:?}"
    );
    assert!(!seen.screen.contains("Which One?"), "{seen:?}");
    let all = world.json(&["list", "--state", "all", "--json"])["asks"].clone();
    assert_eq!(all.as_array().unwrap().len(), 1);
    assert_eq!(all[0]["id"], id.as_str());
}

#[test]
fn killed_desk_asker_matches_by_content() {
    let world = TestWorld::new();
    let asking = world.ask_user_question([one("H")]).start();
    let (_, id) = world.first_ask();
    asking.kill_9();
    let again = world.ask_user_question([one("H")]).start();
    let attached =
        world.wait_for_ask(|ask| format!("{:?}", ask.state.presence).contains(&again.pid.to_string()));
    assert_eq!(attached.id.to_string(), id);
    answer(&world, &id, "1");
    assert_eq!(again.wait().stdout, "{\"answers\":{\"H\":\"A\"}}\n");
}

#[test]
fn kill_before_delivery_keeps_answer() {
    let world = TestWorld::new();
    let asking = world.ask_user_question([one("H")]).start();
    let (_, id) = world.first_ask();
    signal(asking.pid, "STOP");
    let mut terminal = world.sayso(["answer", &id]).on_terminal();
    terminal
        .expect("/help): ")
        .line("4")
        .expect("Your own answer: ")
        .line("Ünïcode, \"own\" ")
        .expect("Sent.");
    assert_eq!(terminal.wait().exit, 0);
    asking.kill_9();
    assert_eq!(world.json(&["list", "--state", "answered", "--json"])["asks"][0]["delivered"], false);

    let again = world.ask_user_question([one("H")]).run();
    let json = "{\"answers\":{\"H\":\"Other (custom: Ünïcode, \\\"own\\\" )\"}}\n";
    assert_eq!(again.parts(), (0, json, ""));
    assert_eq!(world.json(&["list", "--state", "answered", "--json"])["asks"][0]["delivered"], true);
    for _ in 0..2 {
        let wait = world.sayso(["wait", &id]).run();
        assert_eq!(wait.parts(), again.parts());
    }
    assert_eq!(world.json(&["list", "--state", "all", "--json"])["asks"].as_array().unwrap().len(), 1);
}

#[test]
fn key_finds_ask_after_delivery() {
    let world = TestWorld::new();
    let request = one("H");
    let call = || world.sayso(["ask", &request, "--key", "release 1.0"]);
    let asking = call().start();
    let (_, id) = world.first_ask();
    asking.kill_9();
    let asking = call().start();
    world.wait_for_ask(|ask| format!("{:?}", ask.state.presence).contains(&asking.pid.to_string()));
    answer(&world, &id, "3");
    let first = asking.wait();
    assert_eq!((first.exit, first.stdout.as_str()), (0, "{\"answers\":{\"H\":\"C\"}}\n"), "{first:?}");
    for _ in 0..2 {
        assert_eq!(call().run().parts(), (0, first.stdout.as_str(), ""));
    }
    assert_eq!(world.leave_ask(&request, &["--key", "release 1.0"]), id);
    assert_eq!(world.json(&["list", "--state", "all", "--json"])["asks"].as_array().unwrap().len(), 1);
}

#[test]
fn key_reuse_is_refused() {
    let world = TestWorld::new();
    let id = world.leave_ask(&one("H"), &["--key", "K"]);
    let ended = world.sayso(["ask", "--no-wait", "--key", "K", &one("Other")]).run();
    let words = format!(
        "sayso: The key \"K\" was already used for a different request: it belongs to the question {id}.\n  Use another key, or send the same request as before.\n"
    );
    assert_eq!(ended.parts(), (1, "", words.as_str()));
    assert_eq!(world.leave_ask(&one("H"), &["--key", "K"]), id);
    assert_ne!(world.leave_ask(&one("Other"), &["--key", "L"]), id);
    assert_eq!(world.json(&["list", "--json"])["asks"].as_array().unwrap().len(), 2);
}

#[test]
fn delivered_content_makes_new_ask() {
    let world = TestWorld::new();
    let mut ids = Vec::new();
    for line in ["1", "2"] {
        let ended = world.ask_user_question([one("H")]).run_with(format!("{line}\n"));
        assert_eq!(ended.exit, 0, "{ended:?}");
        ids.push(world.json(&["list", "--state", "answered", "--json"])["asks"][0]["id"].clone());
    }
    assert_ne!(ids[0], ids[1]);
    let replies = |id: &serde_json::Value| world.show(id.as_str().unwrap())["reply"]["stdout"].clone();
    assert_eq!(replies(&ids[0]), "{\"answers\":{\"H\":\"A\"}}");
    assert_eq!(replies(&ids[1]), "{\"answers\":{\"H\":\"B\"}}");
}

#[test]
fn other_asker_makes_new_ask() {
    let world = TestWorld::new();
    let here = world.leave_ask(&one("H"), &[]);
    assert_eq!(world.leave_ask(&one("H"), &[]), here);
    let named = world.leave_ask(&one("H"), &["--from", "somebody else"]);
    std::fs::create_dir(world.path("elsewhere")).unwrap();
    let ended = world.sayso(["ask", "--no-wait", &one("H")]).in_folder(&world.path("elsewhere")).run();
    assert_ne!(named, here);
    assert_ne!(ended.stdout.trim_end(), here);
    assert_eq!(world.json(&["list", "--json"])["asks"].as_array().unwrap().len(), 3);
}

#[test]
fn answer_survives_kill() {
    let world = TestWorld::new();
    let id = world.leave_ask(&release("1.0"), &[]);
    let mut terminal = world.sayso(["answer", &id]).on_terminal();
    terminal.expect("What is it called?").expect("/help): ").line("Heron");
    terminal.expect("What is new?").expect("/help): ").line("Everything, 都是新的");
    terminal.expect("When?");
    terminal.kill_9();
    let mut terminal = world.sayso(["answer", &id]).on_terminal();
    terminal.expect("Draft found: 2 of 3 answered.").expect("When?").expect("/help): ").line("1");
    terminal.expect("1. What is it called? Heron\n").expect("2. What is new? Everything, 都是新的\n");
    terminal.expect("3. When? Now\n").expect("Review> ").line("/submit").expect("Sent.");
    assert_eq!(terminal.wait().exit, 0);
}

#[test]
fn long_text_lines_survive_kill() {
    let world = TestWorld::new();
    let request = json!({ "questions": [{ "id": "why", "prompt": "Why?", "long": true }] }).to_string();
    let id = world.leave_ask(&request, &["--format", "sayso"]);
    let mut terminal = world.sayso(["answer", &id]).on_terminal();
    terminal.expect("End with /done").expect("> ").line("first").expect("> ").line("second").expect("> ");
    let text = || world.show(&id)["draft"]["replies"]["why"]["answer"]["text"].clone();
    world.wait_for_draft_where(&id, |draft| format!("{draft:?}").contains("first\\nsecond"));
    terminal.kill_9();
    assert_eq!(text(), "first\nsecond");
    let mut terminal = world.sayso(["answer", &id]).on_terminal();
    terminal
        .expect("Review> ")
        .line("1")
        .expect("| first\n| second\n")
        .expect("> ")
        .line("last")
        .expect("> ")
        .line("/done")
        .expect("Sent.");
    assert_eq!(terminal.wait().exit, 0);
    let sent = &world.show(&id)["phase"]["settled"]["replies"]["why"]["answer"]["text"];
    assert_eq!(*sent, "first\nsecond\nlast");
}
