//! Tests of asking without a terminal: the ask waits at the desk until a person answers it elsewhere.

use crate::support::program::ProgramExit;
use crate::support::sample_requests::{one, question, release, request};
use crate::support::test_world::TestWorld;
use sayso_core::model::actor::{AssuranceLevel, Surface};
use sayso_core::{Person, QuestionId, Reply};
use sayso_desk::{Desk as _, DraftRev};
use serde_json::{Value, json};

/// Returns the output of another terminal in which a person types.
fn answer_elsewhere(world: &TestWorld, id: &str) {
    let mut terminal = world.sayso(["answer", id]).on_terminal();
    terminal.expect("Asked by \"it-").expect(" (a guess) in ").expect("1 question.\n");
    terminal.expect("Question 1 of 1. Choose one. Required.\n| Which H?\n");
    terminal
        .expect("Answer (number or label, or /help): ")
        .line("2")
        .expect("Recorded: \"B\".")
        .expect("Sent.");
    let seen = terminal.wait();
    assert_eq!(seen.exit, 0, "{seen:?}");
}

/// Returns the asks that `sayso list` shows.
fn listed(world: &TestWorld) -> Vec<Value> {
    world.json(&["list", "--json"])["asks"].as_array().unwrap().clone()
}

#[test]
fn ask_without_terminal_is_answered_elsewhere() {
    type StartFn = fn(crate::support::test_world::ProgramCall) -> crate::support::program::TestProgram;
    let nothing: StartFn = crate::support::test_world::ProgramCall::start;
    let idle_pipe: StartFn = crate::support::test_world::ProgramCall::start_piped;
    for start in [nothing, idle_pipe] {
        let world = TestWorld::new();
        let asking = start(world.ask_user_question([one("H")]));
        let (_, id) = world.first_ask();
        let rows = listed(&world);
        assert_eq!(rows.len(), 1);
        assert_eq!([&rows[0]["id"], &rows[0]["state"]], [&json!(id), &json!("open")]);
        assert_eq!(rows[0]["attached"], true);
        assert!(asking.is_running());
        answer_elsewhere(&world, &id);
        let ended = asking.wait();
        assert_eq!((ended.exit, ended.stdout.as_str()), (0, "{\"answers\":{\"H\":\"B\"}}\n"), "{ended:?}");
        assert_eq!(listed(&world), [Value::Null; 0]);
        let shown = world.show(&id);
        let receipt = &shown["phase"]["settled"]["receipt"];
        let how = [&receipt["by"], &receipt["surface"], &receipt["assurance"], &receipt["shown"]];
        assert_eq!(how, [&json!("ada"), &json!("prompter"), &json!("terminal"), &shown["digest"]], "{shown}");
        assert_eq!(shown["state"], "answered");
    }
}

#[test]
fn oldest_waiting_ask_is_first() {
    let world = TestWorld::new();
    let first = world.leave_ask(&one("H"), &[]);
    let second = world.leave_ask(&one("Later"), &[]);
    let mut terminal = world.sayso(["answer"]).on_terminal();
    terminal.expect("| Which H?\n").expect("/help): ").line("1").expect("Sent.");
    assert_eq!(terminal.wait().exit, 0);
    assert_eq!(world.show(&first)["state"], "answered");
    assert_eq!(world.show(&second)["state"], "open");
}

#[test]
fn waited_for_asks_come_first() {
    let world = TestWorld::new();
    let left = world.leave_ask(&one("H"), &[]);
    let waits = world.sayso(["ask", "--elsewhere", &one("Later")]).start();
    let second = world.wait_for_ask(|ask| ask.id.to_string() != left).id.to_string();
    let mut terminal = world.sayso(["answer"]).on_terminal();
    terminal.expect("| Which Later?\n").expect("/help): ").line("1").expect("Sent.");
    assert_eq!((terminal.wait().exit, waits.wait().exit), (0, 0));
    assert_eq!(world.show(&second)["state"], "answered");
    assert_eq!(world.show(&left)["state"], "open");
}

#[test]
fn piped_lines_answer_with_receipt() {
    let world = TestWorld::new();
    let mut asking = world.ask_user_question([one("H")]).start_piped();
    let (_, id) = world.first_ask();
    asking.write(b"3\n");
    let ended = asking.wait();
    assert_eq!((ended.exit, ended.stdout.as_str()), (0, "{\"answers\":{\"H\":\"C\"}}\n"), "{ended:?}");
    let receipt = &world.show(&id)["phase"]["settled"]["receipt"];
    assert_eq!([&receipt["surface"], &receipt["assurance"]], [&json!("pipe"), &json!("scripted")]);
}

#[test]
fn partial_lines_are_joined() {
    let world = TestWorld::new();
    let questions = [question("H", &["A", "B"], false), question("M", &["A", "B"], true)];
    let mut asking = world.ask_user_question([request(&questions)]).start_piped();
    let (id, _) = world.first_ask();
    asking.write(b"0\nm");
    asking.write(b"i");
    asking.write(b"ne\n2");
    world.wait_for_draft(id, 1);
    asking.write(b",1\n");
    assert_eq!(asking.wait().stdout, "{\"answers\":{\"H\":\"Other (custom: mine)\",\"M\":\"B, A\"}}\n");
}

#[test]
fn first_answer_wins_over_pipe() {
    let world = TestWorld::new();
    let questions = [question("H", &["A", "B"], false), question("M", &["C", "D"], false)];
    let mut asking = world.ask_user_question([request(&questions)]).start_piped();
    let (id, text) = world.first_ask();
    asking.write(b"1\n");
    world.wait_for_draft(id, 1);
    let mut terminal = world.sayso(["answer", &text]).on_terminal();
    // A person is asked again after a program's answer.
    terminal.expect("| Which H?\n").expect(": ").line("B").expect("| Which M?\n").expect(": ").line("2");
    terminal.expect("Review> ").line("/submit");
    assert_eq!(terminal.wait().exit, 0);
    let ended = asking.wait();
    assert_eq!(
        (ended.exit, ended.stdout.as_str()),
        (0, "{\"answers\":{\"H\":\"B\",\"M\":\"D\"}}\n"),
        "{ended:?}"
    );
    assert!(ended.stderr.contains("\nAnswered elsewhere by ada at "), "{ended:?}");
}

#[test]
fn program_answer_is_not_persons() {
    let world = TestWorld::new();
    let questions = [question("Delete", &["Yes", "No"], false), question("Colour", &["Red", "Blue"], false)];
    let piped = world.ask_user_question([request(&questions)]).run_with("1\n");
    assert_eq!((piped.exit, piped.stdout.as_str()), (130, ""));
    let mut terminal = world.ask_user_question([request(&questions)]).on_terminal();
    terminal.expect("│ Which Delete?").expect("custom: ").line("2");
    terminal.expect("│ Which Colour?").expect("custom: ").line("2");
    let seen = terminal.wait();
    assert!(seen.screen.ends_with("{\"answers\":{\"Delete\":\"No\",\"Colour\":\"Blue\"}}\r\n"), "{seen:?}");
}

#[test]
fn sent_answer_is_no_draft() {
    let world = TestWorld::new();
    world.allow_scripted_answers();
    let id = world.leave_ask(r#"{"questions":[{"id":"a","prompt":"A?","long":true}]}"#, &[]);
    let desk = world.desk();
    let ask = desk.find(&id).unwrap();
    let typed = Reply::from_text("words\n");
    let ada = Person {
        name: "ada".to_owned(),
        surface: Surface::Prompter,
        assurance: AssuranceLevel::Terminal,
        access: None,
    };
    desk.save(&ada, ask, DraftRev(0), vec![(QuestionId::new("a"), typed)]).unwrap();
    assert!(world.sayso(["show", &id]).run().stdout.contains("  (draft) words\n"));
    assert_eq!(world.sayso(["answer", &id, "--answers", r#"{"answers":{"a":"words\n"}}"#]).run().exit, 0);
    let shown = world.sayso(["show", &id]).run().stdout;
    assert!(shown.contains("  words\n") && !shown.contains("draft"), "{shown}");
}

#[test]
fn refused_script_keeps_persons_draft() {
    let world = TestWorld::new();
    world.allow_scripted_answers();
    let id = world
        .leave_ask(r#"{"sayso":1,"questions":[{"id":"a","prompt":"A?"},{"id":"b","prompt":"B?"}]}"#, &[]);
    let mut terminal = world.sayso(["answer", &id]).on_terminal();
    terminal.expect("/help): ").line("human words").expect("Recorded: \"human words\".");
    terminal.expect("| B?").expect("/help): ");
    let refused = world.sayso(["answer", &id, "--answers", r#"{"answers":{"a":"script"}}"#]).run();
    assert_eq!(refused.exit, 1);
    assert_eq!(world.show(&id)["draft"]["replies"]["a"]["answer"]["text"], "human words");
    let answers = r#"{"answers":{"a":"first","b":"first"}}"#;
    assert_eq!(world.sayso(["answer", &id, "--answers", answers]).run().exit, 0);
    terminal.expect("Answered elsewhere");
    terminal.wait();
    let shown = world.sayso(["show", &id]).run();
    assert!(shown.stdout.contains("  first\n  (draft, not sent) human words\n"), "{shown:?}");
}

#[test]
fn winning_lines_notify_other_terminal() {
    let world = TestWorld::new();
    let mut asking = world.ask_user_question([one("H")]).start_piped();
    let (_, id) = world.first_ask();
    let mut terminal = world.sayso(["answer", &id]).on_terminal();
    terminal.expect("/help): ");
    asking.write(b"1\n");
    assert_eq!(asking.wait().stdout, "{\"answers\":{\"H\":\"A\"}}\n");
    terminal.expect("Answered elsewhere by ada at ").expect("(piped lines).");
    let seen = terminal.wait();
    assert_eq!(seen.exit, 0, "{seen:?}");
}

#[test]
fn two_terminals_share_a_draft() {
    let world = TestWorld::new();
    let id = world.leave_ask(&release("1.0"), &[]);
    let mut one = world.sayso(["answer", &id]).on_terminal();
    let mut other = world.sayso(["answer", &id]).on_terminal();
    one.expect("/help): ");
    other.expect("/help): ");
    one.line("Heron").expect("Recorded: \"Heron\".").expect("What is new?");
    other.expect("Question 1 was changed elsewhere: \"Heron\"");
    other
        .line("/next")
        .expect("What is new?")
        .expect("/help): ")
        .line("faster")
        .expect("Recorded: \"faster\".")
        .expect("When?");
    one.expect("Question 2 was changed elsewhere: \"faster\"")
        .line("/next")
        .expect("When?")
        .expect(": ")
        .line("now");
    one.expect("Review. 3 of 3 answered.").expect("Review> ").line("/submit").expect("Sent.");
    other.expect("Answered elsewhere by ada");
    assert_eq!((one.wait().exit, other.wait().exit), (0, 0));
    let texts: Vec<_> = ["name", "notes"]
        .map(|id_of| world.show(&id)["phase"]["settled"]["replies"][id_of]["answer"]["text"].clone())
        .into();
    assert_eq!(texts, ["Heron", "faster"]);
}

/// A program that answered by itself would have exited by now: another person answers, and it prints that answer.
fn assert_only_person_answers(world: &TestWorld, asking: impl FnOnce() -> ProgramExit) {
    world.allow_scripted_answers();
    let (_, id) = world.first_ask();
    let shown = world.show(&id);
    assert_eq!([&shown["state"], &shown["draft"]["rev"]], [&json!("open"), &json!(0)]);
    let answered = world.sayso(["answer", &id, "--answers", r#"{"answers":{"H":"C"}}"#]).run();
    assert!(answered.exit == 0 && answered.stderr.ends_with(" Sent.\n"), "{answered:?}");
    let ended = asking();
    assert_eq!((ended.exit, ended.stdout.as_str()), (0, "{\"answers\":{\"H\":\"C\"}}\n"), "{ended:?}");
}

#[test]
fn agent_shell_pipe_answers_nothing() {
    for marker in ["CLAUDECODE", "CODEX_SANDBOX", "GEMINI_CLI", "AI_AGENT"] {
        let world = TestWorld::new();
        let mut asking = world.ask_user_question([one("H")]).env(marker, "1").start_piped();
        asking.write(b"1\n1\n1\n");
        asking.end_input();
        assert_only_person_answers(&world, || asking.wait());
    }
}

#[test]
fn agent_shell_pty_answers_nothing() {
    let commands: [&[&str]; 3] = [&["AskUserQuestion"], &["ask"], &["ask", "--here"]];
    for command in commands {
        let world = TestWorld::new();
        let json = one("H");
        let call = world.sayso(command.iter().copied().chain([json.as_str()])).env("CLAUDECODE", "1");
        let mut terminal = call.on_terminal_with_stdout_file();
        terminal.line("1").line("1");
        assert_only_person_answers(&world, || {
            terminal.expect("sayso answer ");
            let seen = terminal.wait();
            assert!(!seen.screen.contains("Which H?"), "{seen:?}");
            ProgramExit { stdout: seen.stdout, stderr: seen.screen, exit: seen.exit.cast_signed() }
        });
    }
}

#[test]
fn agent_shell_cannot_open_own_ask() {
    let world = TestWorld::new();
    let id = world.leave_ask(&one("H"), &[]);
    let seen = world.sayso(["answer", &id]).env("CLAUDECODE", "1").on_terminal().wait();
    assert_eq!(seen.exit, 1);
    assert!(seen.screen.starts_with("sayso: This shell belongs to an agent (claude)"), "{seen:?}");
    assert_eq!(world.show(&id)["state"], "open");
}

#[test]
fn answering_needs_a_terminal() {
    let world = TestWorld::new();
    let id = world.leave_ask(&one("H"), &[]);
    let call = world.sayso(["answer", &id]).by_shell("exec \"$0\" \"$@\" < /dev/null");
    let seen = call.without_terminal().on_terminal().wait();
    let handle = &id[id.len() - 8..];
    let words = format!(
        "sayso: Answering needs a terminal, but this process has none.\r\n  Open one and run: sayso answer {handle}\r\n"
    );
    assert_eq!((seen.exit, seen.screen), (2, words));
    assert_eq!(world.show(&id)["state"], "open");
}

#[test]
fn piped_request_is_asked_on_terminal() {
    let world = TestWorld::new();
    let file = world.write("request.json", one("H"));
    let script = "cat \"$REQUEST\" | \"$0\" \"$@\"";
    let call = world.sayso(["ask", "-"]).env("REQUEST", file).by_shell(script);
    let mut terminal = call.on_terminal();
    terminal.expect("| Which H?\n").expect("/help): ").line("2").expect("Sent.");
    let seen = terminal.wait();
    assert_eq!(seen.exit, 0, "{seen:?}");
    assert!(seen.screen.ends_with("\r\n{\"answers\":{\"H\":\"B\"}}\r\n"), "{seen:?}");
}

#[test]
fn elsewhere_and_here_choose_the_place() {
    let world = TestWorld::new();
    let elsewhere = world.sayso(["ask", "--elsewhere", &one("H")]).on_terminal();
    let (_, id) = world.first_ask();
    let here = world.sayso(["ask", "--here", &one("H")]).by_shell("\"$0\" \"$@\" < /dev/null");
    let mut here = here.on_terminal();
    here.expect("| Which H?\n").expect("/help): ").line("1").expect("Sent.");
    for seen in [here.wait(), elsewhere.wait()] {
        assert!(seen.exit == 0 && seen.screen.ends_with("{\"answers\":{\"H\":\"A\"}}\r\n"), "{seen:?}");
    }
    assert_eq!(world.show(&id)["state"], "answered");
}
