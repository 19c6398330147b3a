//! Tests of a first encounter: waits, mistakes, and commands that are meant for programs.

use crate::support::sample_requests::one;
use crate::support::test_world::TestWorld;
use sayso_core::{Lang, Message};

#[test]
fn waiter_learns_how_to_return() {
    let world = TestWorld::new();
    world.allow_scripted_answers();
    let mut asking = world.sayso(["ask", "--elsewhere", &one("H")]).on_terminal_with_stdout_file();
    let (_, id) = world.first_ask();
    let words = format!(
        "Ctrl-C only stops waiting. To resume: run the same command, or sayso wait {}\n",
        &id[id.len() - 8..]
    );
    asking.expect("sayso answer ").expect(&words).keys("\u{3}");
    assert!(asking.wait().stdout.is_empty());
    let mut waiting = world.sayso(["wait", &id]).on_terminal_with_stdout_file();
    waiting.expect("sayso answer ").expect(&words);
    let answered = world.sayso(["answer", &id, "--answers", r#"{"answers":{"H":"C"}}"#]).run();
    assert_eq!(answered.exit, 0, "{answered:?}");
    let seen = waiting.wait();
    assert_eq!((seen.exit, seen.stdout.as_str()), (0, "{\"answers\":{\"H\":\"C\"}}\n"), "{seen:?}");
}

#[test]
fn server_introduces_itself_to_person() {
    let world = TestWorld::new();
    let mut terminal = world.sayso(["mcp"]).on_terminal();
    terminal
        .expect("An agent's program starts this")
        .expect("claude mcp add --scope user sayso -- sayso mcp\n");
    terminal.keys("\u{4}");
    assert_eq!(terminal.wait().exit, 0);
    assert_eq!(world.sayso(["mcp"]).without_terminal().run().parts(), (0, "", ""));
    let mut serving = world.sayso(["serve", "--listen", "127.0.0.1:0"]).on_terminal();
    serving
        .expect("http://127.0.0.1:")
        .expect("Ctrl-C stops the server; waiting questions stay at the desk.\n");
    serving.kill_9();
}

#[test]
fn shown_examples_are_valid_requests() {
    let world = TestWorld::new();
    let missing = world.sayso(["ask"]).run();
    assert_eq!((missing.exit, missing.stdout.as_str()), (1, ""), "{missing:?}");
    let inbox = [Lang::En, Lang::Zh].map(|lang| Message::InboxEmpty.plain(lang));
    for shown in [missing.stderr.as_str()].into_iter().chain(inbox) {
        let example = shown.split('\'').nth(1).unwrap();
        assert_eq!(
            world.sayso(["check", example]).run().parts(),
            (0, "", "This is a valid sayso request.\n"),
            "{shown}"
        );
        let whole = |line: &str| !line.contains('{') || line.chars().count() <= 78;
        assert!(shown.lines().all(whole), "it fits on a line, to be copied: {shown}");
    }
}

#[test]
fn list_and_settings_are_in_chinese() {
    let world = TestWorld::new();
    world.leave_ask(&one("H"), &[]);
    let list = world.sayso(["list", "--lang", "zh"]).run().stdout;
    assert!(list.contains("  待答\u{3000}  ") && list.contains(" 1 题  "), "{list}");
    let doctor = world.sayso(["doctor", "--lang", "zh"]).run().stdout;
    for words in ["retention.settled_days   90  (默认)", "未设置  (默认)", "config.toml  (不存在)"]
    {
        assert!(doctor.contains(words), "{words}: {doctor}");
    }
    let doctor = world.sayso(["doctor"]).run().stdout;
    assert!(doctor.contains("not set  (default)") && doctor.contains("(missing)"), "{doctor}");
}

#[test]
fn help_word_prints_help() {
    let world = TestWorld::new();
    let help = world.sayso(["help", "wait"]).run();
    assert!(help.exit == 0 && help.stdout.contains("Usage: sayso wait"), "{help:?}");
}

#[test]
fn late_cancel_claims_nothing_typed() {
    let world = TestWorld::new();
    world.allow_scripted_answers();
    let id = world.leave_ask(&one("H"), &[]);
    world.sayso(["answer", &id, "--answers", r#"{"answers":{"H":"C"}}"#]).run();
    let late = world.sayso(["cancel", &id]).run();
    assert!(late.stderr.starts_with("sayso: ada already answered this, at 20"), "{late:?}");
    assert!(late.stderr.ends_with(" UTC.\n"), "{late:?}");
    let late = world.sayso(["answer", &id, "--answers", r#"{"answers":{"H":"C"}}"#]).run();
    assert!(late.stderr.contains(" UTC.\n  Everything you typed is kept"), "{late:?}");
}
