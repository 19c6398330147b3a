//! Tests of the ends of an ask other than an answer: declined, cancelled, expired. Each asker hears of it in its
//! format's words.

use crate::support::program::TestProgram;
use crate::support::sample_requests::{one, text};
use crate::support::test_world::TestWorld;
use serde_json::json;

/// Starts an asker that waits, and returns it with the id of its ask.
fn start_waiter(world: &TestWorld, args: &[&str]) -> (TestProgram, String) {
    let asking = world.sayso(args).start();
    let (_, id) = world.first_ask();
    (asking, id)
}

#[test]
fn wait_gets_answer_of_no_wait() {
    let world = TestWorld::new();
    world.allow_scripted_answers();
    let ended = world.sayso(["ask", "--no-wait", &one("H")]).run();
    assert_eq!((ended.exit, ended.stderr.as_str()), (0, ""));
    let id = ended.stdout.strip_suffix('\n').unwrap();
    assert_eq!(id.len(), 36);
    let first = world.sayso(["wait", id]).start();
    world.wait_for_ask(|ask| format!("{:?}", ask.state.presence).contains(&first.pid.to_string()));
    let answered = world.sayso(["answer", id, "--answers", r#"{"answers":{"H":"A"}}"#]).run();
    assert_eq!(answered.parts(), (0, "", "Which H? Sent.\n"));
    let json = "{\"answers\":{\"H\":\"A\"}}\n";
    assert_eq!(first.wait().parts(), (0, json, ""));
    let (short, start) = (&id[id.len() - 8..], &id[..30]);
    for given in [id, short, start] {
        assert_eq!(world.sayso(["wait", given]).run().parts(), (0, json, ""), "{given}");
    }
}

#[test]
fn all_waiters_get_the_answer() {
    let world = TestWorld::new();
    let (asking, id) = start_waiter(&world, &["AskUserQuestion", &one("H")]);
    let waiters: Vec<_> = (0..3).map(|_| world.sayso(["wait", &id]).start()).collect();
    let mut terminal = world.sayso(["answer", &id]).on_terminal();
    terminal.expect("/help): ").line("2").expect("Sent.");
    assert_eq!(terminal.wait().exit, 0);
    for program in waiters.into_iter().chain([asking]) {
        assert_eq!(program.wait().parts().1, "{\"answers\":{\"H\":\"B\"}}\n");
    }
}

#[test]
fn asker_cancels() {
    let world = TestWorld::new();
    let (asking, id) = start_waiter(&world, &["AskUserQuestion", &one("H")]);
    let mut terminal = world.sayso(["answer", &id]).on_terminal();
    terminal.expect("/help): ");
    let cancelled = world.sayso(["cancel", &id]).run();
    let words = format!("{} is withdrawn; its asker is notified.\n", &id[id.len() - 8..]);
    assert_eq!(cancelled.parts(), (0, "", words.as_str()));
    let ended = asking.wait();
    assert_eq!((ended.exit, ended.stdout.as_str()), (6, ""));
    assert!(ended.stderr.ends_with("\nThe question was cancelled\n"), "{ended:?}");
    terminal.expect("The asker withdrew this question.");
    assert_eq!(terminal.wait().exit, 6);
    assert_eq!(world.show(&id)["state"], "cancelled");
    let late = world.sayso(["answer", &id]).on_terminal().wait();
    assert_eq!((late.exit, late.screen.as_str()), (6, "sayso: The asker withdrew this question.\r\n"));
    assert_eq!(world.sayso(["cancel", &id]).run().exit, 0, "taking it back again changes nothing");
}

#[test]
fn command_line_declines_with_permission() {
    let world = TestWorld::new();
    let (asking, id) = start_waiter(&world, &["AskUserQuestion", &one("H")]);
    let decline = || world.sayso(["answer", &id, "--decline", "--reason", "not before Monday"]);
    let refused = decline().run();
    let config = world.path("config/sayso/config.toml");
    let words = format!(
        "sayso: Declining by argument is not allowed.\n  A person can allow it with scripted_answers = true in {}, or answer on a terminal: sayso answer {}\n",
        config.display(),
        &id[id.len() - 8..]
    );
    assert_eq!(refused.parts(), (1, "", words.as_str()));
    assert_eq!(world.show(&id)["state"], "open");
    let help =
        world.sayso(["answer", "--help"]).run().stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(help.contains("a person must set scripted_answers = true in the user file"), "{help}");

    world.allow_scripted_answers();
    assert_eq!(decline().run().parts(), (3, "", "Which H? Declined.\n"));
    let lost = decline().run();
    assert_eq!(lost.exit, 1, "another decline was first: {lost:?}");
    assert!(lost.stderr.contains("already declined this"), "{lost:?}");
    let ended = asking.wait();
    assert_eq!((ended.exit, ended.stdout.as_str()), (3, ""));
    assert!(ended.stderr.ends_with("\nUser declined to answer: not before Monday\n"), "{ended:?}");
    let shown = world.show(&id);
    let settled = &shown["phase"]["settled"];
    assert_eq!([&settled["outcome"], &settled["reason"]], [&json!("declined"), &json!("not before Monday")]);
    let receipt = &settled["receipt"];
    assert_eq!([&receipt["surface"], &receipt["assurance"]], [&json!("command"), &json!("scripted")]);
}

#[test]
fn prompt_declines() {
    let world = TestWorld::new();
    let (asking, id) = start_waiter(&world, &["ask", &text("T")]);
    let mut terminal = world.sayso(["answer", &id]).on_terminal();
    terminal
        .expect("/help): ")
        .line("/decline")
        .expect("Reason")
        .line("none of your business")
        .expect("Declined.");
    assert_eq!(terminal.wait().exit, 3);
    let ended = asking.wait();
    assert_eq!(ended.exit, 3);
    let outcome: serde_json::Value = serde_json::from_str(&ended.stdout).unwrap();
    let value = [&outcome["outcome"], &outcome["reason"], &outcome["ask"]];
    assert_eq!(value, [&json!("declined"), &json!("none of your business"), &json!(id)], "{ended:?}");
}

#[test]
fn unpermitted_or_invalid_answers_are_refused() {
    let world = TestWorld::new();
    let id = world.leave_ask(&one("H"), &[]);
    let answer = |answers: &str| world.sayso(["answer", &id, "--answers", answers]);
    assert_eq!(answer(r#"{"answers":{"H":"A"}}"#).run().exit, 1);
    let in_agents_shell = answer(r#"{"answers":{"H":"A"}}"#).env("CLAUDECODE", "1").run();
    assert!(in_agents_shell.stderr.contains("belongs to an agent (claude)"), "{in_agents_shell:?}");
    world.allow_scripted_answers();
    for (answers, words) in [
        (r#"{"answers":{"H":"D"}}"#, "There is no option \"D\". Available: \"A\", \"B\""),
        (r#"{"answers":{"X":"A"}}"#, "There is no question \"X\". Available: \"H\"."),
        (r#"{"answers":{}}"#, "This question needs an answer"),
        ("{", "sayso: Not valid JSON"),
        ("", "sayso: Not valid JSON"),
    ] {
        let ended = answer(answers).run();
        assert_eq!((ended.exit, ended.stdout.as_str()), (1, ""), "{answers}: {ended:?}");
        assert!(ended.stderr.contains(words), "{answers}: {ended:?}");
    }
    assert_eq!(world.show(&id)["state"], "open");
    let first = answer(r#"{"answers":{"H":"B"}}"#).run();
    let text = "Which H? Sent. The agent is not waiting; your answer is held for it.\n";
    assert_eq!(first.parts(), (0, "", text));
    let second = answer(r#"{"answers":{"H":"A"}}"#).run();
    assert!(
        second.exit == 1 && second.stderr.starts_with("sayso: ada already answered this, at "),
        "{second:?}"
    );
}

#[test]
fn ask_expires_while_asker_waits() {
    let world = TestWorld::new();
    let ended = world.sayso(["ask", "--timeout", "100ms", &one("H")]).run();
    assert_eq!((ended.exit, ended.stdout.as_str()), (5, ""), "{ended:?}");
    assert!(ended.stderr.ends_with("No answer before the deadline\n"), "{ended:?}");
    let (_, id) = world.first_ask();
    assert_eq!(world.show(&id)["state"], "expired");
    assert_eq!(world.sayso(["wait", &id]).run().parts(), (5, "", "No answer before the deadline\n"));
}

#[test]
fn ask_expires_during_answering() {
    let world = TestWorld::new();
    let id = world.leave_ask(&one("H"), &["--timeout", "2s"]);
    let mut terminal = world.sayso(["answer", &id]).on_terminal();
    terminal.expect("/help): ").expect("The deadline of this question has passed.");
    assert_eq!(terminal.wait().exit, 5);
    let late = world.sayso(["answer", &id]).on_terminal().wait();
    assert_eq!(
        (late.exit, late.screen.as_str()),
        (5, "sayso: The deadline of this question has passed.\r\n")
    );
}

/// Asks, kills the asker before the deadline, and returns its remaining wait.
fn kill_before_deadline(world: &TestWorld) -> (String, &'static str) {
    for limit in ["200ms", "1s", "5s"] {
        let asking = world.sayso(["ask", "--timeout", limit, &one(limit)]).start();
        let ask =
            world.wait_for_ask(|ask| ask.request.questionnaire.display_name() == format!("Which {limit}?"));
        if asking.kill_9() {
            return (ask.id.to_string(), limit);
        }
    }
    panic!("it is always over before it can be killed");
}

#[test]
fn killed_askers_ask_expires_for_waiter() {
    let world = TestWorld::new();
    let (id, _) = kill_before_deadline(&world);
    assert_eq!(world.sayso(["wait", &id]).run().parts(), (5, "", "No answer before the deadline\n"));
    assert_eq!(world.show(&id)["state"], "expired");
}

#[test]
fn killed_askers_ask_expires_for_lister() {
    let world = TestWorld::new();
    let (id, limit) = kill_before_deadline(&world);
    // A later ask with the same time limit expires later.
    assert_eq!(world.sayso(["ask", "--timeout", limit, &one("Later")]).run().exit, 5);
    let rows = |state: &str| world.json(&["list", "--json", "--state", state])["asks"].clone();
    assert_eq!(rows("pending"), json!([]));
    assert!(rows("expired").as_array().unwrap().iter().any(|row| row["id"] == id.as_str()));
}

#[test]
fn ended_ask_can_be_asked_again() {
    let world = TestWorld::new();
    let ended = world.sayso(["ask", "--timeout", "1ms", &one("H")]).run();
    assert_eq!(ended.exit, 5, "{ended:?}");
    let first = world.first_ask().1;
    let second = world.leave_ask(&one("H"), &[]);
    assert_eq!(world.sayso(["cancel", &second]).run().exit, 0);
    let third = world.leave_ask(&one("H"), &[]);
    assert!(first != second && second != third, "{first} {second} {third}");
}

#[test]
fn invalid_time_limit_is_usage_error() {
    let world = TestWorld::new();
    for limit in ["soon", "5"] {
        let ended = world.sayso(["ask", &format!("--timeout={limit}"), &one("H")]).run();
        let words = format!("sayso: {limit} is not a duration; write 90s, 2h or 3 days.\n");
        assert_eq!(ended.parts(), (2, "", words.as_str()));
    }
    for limit in ["0s", "-5s", "401 days"] {
        let ended = world.sayso(["ask", &format!("--timeout={limit}"), &one("H")]).run();
        assert_eq!(
            ended.parts(),
            (2, "", "sayso: A time limit must be at least 1 ms and at most 400 days.\n")
        );
    }
    assert_eq!(world.json(&["list", "--state", "all", "--json"])["asks"], json!([]));
}
