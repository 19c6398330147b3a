//! Tests that the claims of commands are true: wait times, recipients, and existing asks.

use crate::support::sample_requests::{one, text};
use crate::support::test_world::TestWorld;
use sayso_core::Ask;

#[test]
fn timeout_leaves_question_open() {
    let world = TestWorld::new();
    let id = world.leave_ask(&text("T"), &[]);
    let ended = world.sayso(["ask", &text("T"), "--elsewhere", "--timeout", "1s"]).run();
    assert_eq!((ended.exit, &*ended.stdout), (4, ""), "{ended:?}");
    for words in ["open without a time limit", "stops waiting after 1s", "is still open at the desk"] {
        assert!(ended.stderr.contains(words), "{words}: {ended:?}");
    }
    let shown = world.show(&id);
    assert!(shown["state"] == "open" && shown["presence"].get("detached").is_some(), "{shown}");
    let left = world.sayso(["ask", &text("T"), "--no-wait", "--timeout", "1s"]).run();
    assert!(left.exit == 0 && !left.stderr.contains("gives up"), "{left:?}");
}

#[test]
fn wait_stops_on_timeout_or_poll() {
    let world = TestWorld::new();
    let id = world.leave_ask(&one("Ship?"), &[]);
    for patience in ["0s", "50ms"] {
        let ended = world.sayso(["wait", &id, "--timeout", patience]).run();
        assert_eq!((ended.exit, &*ended.stdout), (4, ""), "{ended:?}");
        assert!(ended.stderr.contains("The question is still open at the desk "), "{ended:?}");
    }
    // No one waits for it any more.
    let shown = world.show(&id);
    assert!(shown["state"] == "open" && shown["presence"].get("detached").is_some(), "{shown}");
    let wrong = world.sayso(["wait", &id, "--timeout", "soon"]).run();
    assert_eq!(wrong.exit, 2, "{wrong:?}");
    world.allow_scripted_answers();
    assert_eq!(world.sayso(["answer", &id, "--decline"]).run().exit, 3);
    let output = world.sayso(["wait", &id, "--timeout", "0s"]).run();
    assert!(output.exit == 3 && output.stderr.contains("declined"), "{output:?}");
}

#[test]
fn reading_does_not_create_desk() {
    let world = TestWorld::new();
    let doctor = world.sayso(["doctor"]).run();
    assert!(doctor.exit == 0 && doctor.stdout.contains("✓ There is no desk yet."), "{doctor:?}");
    assert_eq!(world.json(&["doctor", "--json"])["desk"]["made"], false);
    // A desk named in this call that does not exist is a usage error.
    let named = format!("sqlite:{}", world.path("dseks.db").display());
    let slip = world.sayso(["doctor", "--desk", &named]).run();
    assert!(slip.exit == 7 && slip.stdout.contains("✗ There is no desk at"), "{slip:?}");
    assert!(!world.path("dseks.db").exists());
    world.leave_ask(&one("H"), &[]);
    assert_eq!(world.json(&["doctor", "--json"])["desk"]["made"], true);
}

#[test]
fn cancel_names_remaining_waiters() {
    let world = TestWorld::new();
    let id = world.leave_ask(&text("T"), &[]);
    let output_of = || world.sayso(["cancel", &id]).run();
    let first = output_of();
    assert!(
        first.exit == 0 && first.stderr.ends_with("is withdrawn. No program was waiting for it.\n"),
        "{first:?}"
    );
    let second = output_of();
    assert!(second.exit == 0 && second.stderr.ends_with("was already withdrawn.\n"), "{second:?}");
    let waiting = world.sayso(["ask", &text("U"), "--elsewhere"]).start();
    waiting.stderr.wait_for("is waiting at the desk", 0);
    let id = world.first_ask().0.to_string();
    let output = world.sayso(["cancel", &id]).run();
    assert!(output.stderr.ends_with("its asker is notified.\n"), "{output:?}");
    assert_eq!(waiting.wait().exit, 6);
}

#[test]
fn empty_list_explains_itself() {
    let world = TestWorld::new();
    let output_of = |args: &[&str]| world.sayso(["list"].iter().chain(args)).run().stderr;
    assert!(output_of(&[]).starts_with("No questions are waiting.\nThis is the desk "), "{}", output_of(&[]));
    let all = output_of(&["--state", "all"]);
    assert!(all.starts_with("This desk has no questions yet.\nThis is the desk "), "{all}");
    assert_eq!(output_of(&["--state", "all", "--search", "x"]), "No matching questions.\n");
    assert!(output_of(&["--search", "x"]).contains("--state all"));
}

#[test]
fn mistyped_desk_is_not_created() {
    let world = TestWorld::new();
    let path = world.path("no/such/desk.db");
    let desk = format!("sqlite:{}", path.display());
    for args in [&["list"][..], &["show", "x"], &["wait", "x"], &["cancel", "x"], &["answer", "x"]] {
        let ended = world.sayso(args.iter().chain(&["--desk", &desk])).run();
        assert_eq!(ended.exit, 7, "{ended:?}");
        assert!(ended.stderr.contains("There is no desk at"), "{ended:?}");
        assert!(!world.path("no").exists(), "{args:?}");
    }
    assert_eq!(world.sayso(["ask", &text("T"), "--no-wait", "--desk", &desk]).run().exit, 0);
    assert_eq!(world.sayso(["list", "--desk", &desk]).run().exit, 0);
}

#[test]
fn answer_reports_gone_waiter() {
    let world = TestWorld::new();
    let ask = |header: &str| {
        let waiting = world.sayso(["ask", &one(header), "--elsewhere"]).start();
        waiting.stderr.wait_for("is waiting at the desk", 0);
        let is_it = |ask: &Ask| ask.outcome().is_none();
        (waiting, world.wait_for_ask(is_it).id.to_string())
    };
    let answer = |id: &str| {
        let mut terminal = world.sayso(["answer", id]).on_terminal();
        terminal.expect("/help): ").line("2").expect("Sent.");
        terminal.wait().screen
    };
    let (waiting, id) = ask("H");
    assert!(!answer(&id).contains("is not waiting"));
    assert_eq!(waiting.wait().exit, 0);
    let (waiting, id) = ask("I");
    assert!(waiting.kill_9());
    let text = answer(&id);
    assert!(text.contains("Sent. The agent is not waiting; your answer is held"), "{text}");
    let (waiting, id) = ask("J");
    assert!(waiting.kill_9());
    let output = world.sayso(["cancel", &id]).run();
    assert!(output.stderr.ends_with("is withdrawn. No program was waiting for it.\n"), "{output:?}");
}

#[test]
fn early_eof_promises_no_draft() {
    let world = TestWorld::new();
    world.allow_scripted_answers();
    let request = r#"{"questions": [{"prompt": "One?", "options": ["a", "b"]}, {"prompt": "Two?"}]}"#;
    let ended = world.sayso(["ask", request]).run_with("2\n");
    assert_eq!(ended.exit, 4, "{ended:?}");
    assert!(ended.stderr.contains("the input ended before /submit"), "{ended:?}");
    let one = world.sayso(["ask", &one("H")]).run_with("9\n");
    assert!(one.exit == 4 && one.stderr.contains("the input ended before all questions"), "{one:?}");
    assert!(!ended.stderr.contains("kept"), "{ended:?}");
    let listed = world.sayso(["list"]).run().stdout;
    assert!(listed.contains(" 2 q ") && !listed.contains("1/2"), "{listed}");
}

#[test]
fn bare_port_is_localhost() {
    let world = TestWorld::new();
    for address in ["0", "localhost:0"] {
        let mut serving = world.sayso(["serve", "--listen", address]).on_terminal();
        serving.expect("http://127.0.0.1:");
    }
    for wrong in [":7208", "example.org:7208", "70000"] {
        let ended = world.sayso(["serve", "--listen", wrong]).run();
        assert_eq!(ended.exit, 2, "{ended:?}");
        assert!(ended.stderr.contains("as 127.0.0.1:7207, or a port alone"), "{ended:?}");
    }
}

#[test]
fn consent_asker_learns_how_to_return() {
    let world = TestWorld::new();
    let request = r#"{"questions": [{"kind": "confirm", "prompt": "Deploy?"}]}"#;
    let waiting = world.sayso(["ask", request, "--elsewhere"]).start();
    waiting.stderr.wait_for("the same command asks again; to get this answer: sayso wait", 0);
    let id = world.first_ask().1;
    assert!(waiting.kill_9());
    let mut terminal = world.sayso(["answer", "--plain", &id]).on_terminal();
    terminal.expect("/help): ").line("y").expect("Sent.");
    assert_eq!(terminal.wait().exit, 0);
    let again = world.sayso(["ask", request, "--no-wait"]).run();
    assert_ne!(again.stdout.trim(), id, "it is asked anew");
    let came_back = world.sayso(["wait", &id]).run();
    assert!(came_back.exit == 0 && came_back.stdout.contains(r#""confirm":true"#), "{came_back:?}");
}

#[test]
fn conflicting_options_are_explained() {
    let world = TestWorld::new();
    let id = world.leave_ask(&text("T"), &["--timeout", "3 days"]);
    let waiting = world.sayso(["ask", &text("T"), "--elsewhere"]).start();
    waiting.stderr.wait_for("already asked with a time limit: it ends in 2", 0);
    assert_eq!(world.sayso(["cancel", &id]).run().exit, 0);
    assert_eq!(waiting.wait().exit, 6);
    let late = world.sayso(["answer", &id]).without_terminal().run();
    assert!(late.stderr.contains("withdrew this question") && !late.stderr.contains("Open one"), "{late:?}");
    let doctor = world.sayso(["doctor"]).without_terminal().run();
    assert!(doctor.stdout.contains("This process has no terminal"), "{doctor:?}");
}
