//! Tests of the command `AskUserQuestion` beyond its spec's test cases: calling, manual, variables, `--strict`, and
//! the prompter's commands.

use crate::support::program::signal;
use crate::support::sample_requests::{one, question, request};
use crate::support::test_world::TestWorld;
use serde_json::{Value, json};

const USAGE: &str = "Usage: AskUserQuestion '{\"questions\":[...]}'\n";

#[test]
fn missing_argument_is_an_error() {
    let world = TestWorld::new();
    let words = format!("Error: Missing JSON parameter\n{USAGE}");
    for arguments in [&[][..], &[""], &["  "], &["''"], &["\"\""], &["", " "]] {
        let ended = world.ask_user_question(arguments).run();
        assert_eq!(ended.parts(), (1, "", words.as_str()), "{arguments:?}");
    }
    let ended = world.sayso(["AskUserQuestion"]).run();
    assert_eq!(ended.parts(), (1, "", words.as_str()));
}

#[test]
fn dash_h_is_usage_help_is_manual() {
    let world = TestWorld::new();
    for call in [world.ask_user_question(["-h"]), world.sayso(["AskUserQuestion", "-h"])] {
        assert_eq!(call.run().parts(), (0, USAGE, ""));
    }
    for call in [world.ask_user_question(["--help"]), world.sayso(["AskUserQuestion", "--help"])] {
        let ended = call.run();
        assert_eq!((ended.exit, ended.stderr.as_str()), (0, ""));
        let parts = ["USAGE:", "ARGUMENTS:", "JSON SCHEMA:", "OUTPUT:", "NOTES:", "WHEN TO USE:"];
        for part in parts.into_iter().chain(["WHEN NOT TO USE:", "EXAMPLES:", "multiSelect", "Other"]) {
            assert!(ended.stdout.contains(part), "{part}");
        }
    }
}

#[test]
fn manual_examples_are_valid() {
    let world = TestWorld::new();
    let manual = world.ask_user_question(["--help"]).run().stdout;
    let examples: Vec<_> =
        manual.lines().filter_map(|line| line.trim().strip_prefix("AskUserQuestion '{")).collect();
    assert!(examples.len() >= 2, "{manual}");
    for example in examples {
        let json = format!("{{{}", example.trim_end_matches('\''));
        let check = world.sayso(["check", "--format", "ask_user_question", &json]).run();
        assert_eq!(check.exit, 0, "{check:?}\n{json}");
    }
}

#[test]
fn help_inside_json_is_ignored() {
    let world = TestWorld::new();
    let mut asked = question("H", &["-h", "--help"], false);
    asked["question"] = "--help or -h?".into();
    let ended = world.ask_user_question([request(&[asked])]).run_with("2\n");
    assert_eq!(ended.stdout, "{\"answers\":{\"H\":\"--help\"}}\n");
}

#[test]
fn arguments_are_joined_and_unquoted() {
    let world = TestWorld::new();
    let json = one("H");
    let (start, end) = json.split_at(json.find(' ').unwrap());
    let quoted = format!(" '{json}' ");
    let double = format!("\"{json}\"");
    let lines: [&[&str]; 5] = [&[&json], &[&quoted], &[&double], &[start, &end[1..]], &["", &json, ""]];
    for arguments in lines {
        for call in
            [world.ask_user_question(arguments), world.sayso(["AskUserQuestion"].iter().chain(arguments))]
        {
            let ended = call.run_with("3\n");
            let stdout = "{\"answers\":{\"H\":\"C\"}}\n";
            assert_eq!((ended.exit, ended.stdout.as_str()), (0, stdout), "{arguments:?}");
        }
    }
}

#[test]
fn environment_limits_apply_per_call() {
    let world = TestWorld::new();
    let five_questions = vec![question("H", &["A", "B"], false); 5];
    let five_options = [question("H", &["A", "B", "C", "D", "E"], false)];
    let long_header = [question("A header of 13", &["A", "B"], false)];
    let mut long_question = [question("H", &["A", "B"], false)];
    long_question[0]["question"] = "?".repeat(501).into();
    let cases = [
        ("ASK_MAX_QUESTIONS", request(&five_questions), "5", 4, "questions: Array"),
        ("ASK_MAX_OPTIONS", request(&five_options), "5", 4, "questions[0].options: Array"),
        ("ASK_HEADER_MAX_LENGTH", request(&long_header), "14", 12, "questions[0].header: String"),
        ("ASK_QUESTION_MAX_LENGTH", request(&long_question), "501", 500, "questions[0].question: String"),
    ];
    for (variable, request, enough, usual, place) in cases {
        let ask = || world.sayso(["check", "--json", "--format", "ask_user_question", &request]);
        let output_of = |ended: crate::support::program::ProgramExit| -> Value {
            serde_json::from_str::<Value>(&ended.stdout).unwrap()["reply"]["stderr"].take()
        };
        assert_eq!(output_of(ask().env(variable, enough).run()), Value::Null, "{variable}");
        for none in ["", "0", "-1", "abc", "4.5", "0x10"] {
            let stderr = output_of(ask().env(variable, none).run());
            let unit = if place.ends_with("Array") { "element(s)" } else { "character(s)" };
            let words = format!("Error: Validation failed\n- {place} must contain at most {usual} {unit}");
            assert_eq!(stderr, words, "{variable}={none}");
        }
        let less = world.ask_user_question([&request]).env(variable, "1").run();
        assert_eq!(less.exit, 1, "{variable}: {less:?}");
        assert!(less.stderr.contains(&format!("- {place} must contain at most 1 ")), "{less:?}");
    }
}

#[test]
fn strict_asks_again() {
    let world = TestWorld::new();
    let calls = [
        world.ask_user_question(["--strict", &one("H")]),
        world.sayso(["AskUserQuestion", "--strict", &one("H")]),
    ];
    for call in calls {
        let mut terminal = call.on_terminal_with_stdout_file();
        for nothing in ["", "9", "yes"] {
            terminal.expect("Enter number or 0 for custom: ").line(nothing);
        }
        terminal.expect("Enter number or 0 for custom: ").line("2");
        let seen = terminal.wait();
        assert_eq!((seen.exit, seen.stdout.as_str()), (0, "{\"answers\":{\"H\":\"B\"}}\n"), "{seen:?}");
        assert!(!seen.screen.contains("No valid choice"), "{seen:?}");
    }
}

#[test]
fn dash_reads_json_from_standard_input() {
    let world = TestWorld::new();
    for command in [world.ask_user_question(["-"]), world.sayso(["AskUserQuestion", "--strict", "-"])] {
        let ended = command.env("ASK_TIMEOUT", "50ms").run_with(one("H"));
        // The JSON is no answer: the question waited at the desk.
        assert_eq!((ended.exit, ended.stdout.as_str()), (5, ""), "{ended:?}");
        assert!(ended.stderr.contains("sayso answer "), "{ended:?}");
    }
    let empty = world.ask_user_question(["-"]).run_with("");
    assert_eq!(empty.parts(), (1, "", format!("Error: Missing JSON parameter\n{USAGE}").as_str()));
    let wrong = world.ask_user_question(["-"]).run_with("{");
    assert_eq!(wrong.parts(), (1, "", format!("Error: Invalid JSON format\n{USAGE}").as_str()));
}

#[test]
fn interrupt_without_terminal_prints_its_line() {
    let world = TestWorld::new();
    for asking in
        [world.ask_user_question([one("H")]).start(), world.ask_user_question([one("P")]).start_piped()]
    {
        asking.stderr.wait_for("sayso answer ", 0);
        signal(asking.pid, "INT");
        let ended = asking.wait();
        assert_eq!((ended.exit, ended.stdout.as_str()), (130, ""), "{ended:?}");
        assert!(ended.stderr.ends_with("Command execution interrupted.\n"), "{ended:?}");
    }
    let id = world.first_ask().1;
    assert_eq!(world.show(&id)["state"], "open");
}

#[test]
fn manual_lists_every_exit_code() {
    let manual = TestWorld::new().ask_user_question(["--help"]).run().stdout;
    let (_, codes) = manual.split_once("EXIT CODES:\n").unwrap();
    let listed: Vec<_> = codes.lines().map_while(|line| line.split_whitespace().next()).collect();
    assert_eq!(listed, ["0", "1", "2", "3", "4", "5", "6", "7", "130"]);
}

#[test]
fn decline_with_and_without_reason() {
    for (line, words) in [
        ("/decline not before Monday", "User declined to answer: not before Monday\r\n"),
        ("/decline", "User declined to answer\r\n"),
    ] {
        let world = TestWorld::new();
        let mut terminal = world.ask_user_question([one("H")]).on_terminal_with_stdout_file();
        terminal.expect("0 for custom: ").line(line);
        let seen = terminal.wait();
        assert_eq!((seen.exit, seen.stdout.as_str()), (3, ""), "{seen:?}");
        assert!(seen.screen.ends_with(&format!("{line}\r\n{words}")), "{seen:?}");
        let (_, id) = world.first_ask();
        assert_eq!(world.show(&id)["state"], "declined");
    }
}

#[test]
fn back_and_quit_work() {
    let world = TestWorld::new();
    let two = request(&[question("One", &["A", "B"], false), question("Two", &["C", "D"], false)]);
    let mut terminal = world.ask_user_question([&two]).on_terminal_with_stdout_file();
    terminal.expect("Which One?").expect(": ").line("1");
    terminal.expect("Which Two?").expect(": ").line("/back");
    terminal.expect("Which One?").expect(": ").line("2");
    terminal.expect("Which Two?").expect(": ").line("/quit");
    let seen = terminal.wait();
    assert_eq!((seen.exit, seen.stdout.as_str()), (4, ""), "{seen:?}");
    let (_, id) = world.first_ask();
    assert!(seen.screen.ends_with(&format!("sayso answer {}\r\n", &id[id.len() - 8..])), "{seen:?}");
    let draft = json!({ "q0": { "state": "answered", "answer": { "picks": [{ "option": "o2" }] } } });
    assert_eq!(world.show(&id)["draft"]["replies"], draft);
}

/// A paste never answers the next question, with and without Enter at its end or the markers of a bracketed paste.
#[test]
fn paste_is_one_entry() {
    let two = request(&[question("One", &["A", "B"], false), question("Two", &["C", "D"], false)]);
    let one_of_two = "{\"answers\":{\"One\":\"Other (custom: 1\\n2)\",\"Two\":\"D\"}}\n";
    let refused = "{\"answers\":{\"One\":\"B\",\"Two\":\"D\"}}\n";
    for (paste, decision, stdout) in [
        ("1\r2", "yes", one_of_two),
        ("1\r2\r", "yes", one_of_two),
        ("\u{1b}[200~1\r2\u{1b}[201~", "yes", one_of_two),
        ("1\r2", "no", refused),
    ] {
        let world = TestWorld::new();
        let mut terminal = world.ask_user_question([&two]).on_terminal_with_stdout_file();
        terminal.expect("Which One?").expect("0 for custom: ").keys(paste);
        terminal.expect("\n2 lines were pasted. Send them as your own answer? yes or no: ").line(decision);
        if decision == "no" {
            terminal.expect("The pasted lines were ignored: 2.");
            terminal.expect("Which One?").expect("0 for custom: ").line("2");
        }
        terminal.expect("Which Two?").expect("0 for custom: ").line("2");
        let seen = terminal.wait();
        assert_eq!((seen.exit, seen.stdout.as_str()), (0, stdout), "{paste:?}: {seen:?}");
    }
}

#[test]
fn pasted_own_answer_keeps_its_lines() {
    let world = TestWorld::new();
    let mut terminal = world.ask_user_question([one("H")]).on_terminal_with_stdout_file();
    terminal.expect("0 for custom: ").line("0").expect("Enter your answer: ").keys("first\rlast");
    terminal.expect("1 more line was pasted. Keep it in this answer? yes or no: ").line("yes");
    let seen = terminal.wait();
    let stdout = "{\"answers\":{\"H\":\"Other (custom: first\\nlast)\"}}\n";
    assert_eq!((seen.exit, seen.stdout.as_str()), (0, stdout), "{seen:?}");
}

#[test]
fn version_is_ours() {
    let world = TestWorld::new();
    let line = format!("sayso {}\n", env!("CARGO_PKG_VERSION"));
    for call in [world.ask_user_question(["--version"]), world.sayso(["AskUserQuestion", "--version"])] {
        assert_eq!(call.run().parts(), (0, line.as_str(), ""));
    }
}

#[test]
fn ask_without_terminal_prints_hint() {
    let world = TestWorld::new();
    let calls = [
        world.ask_user_question([one("H")]).start(),
        world.ask_user_question([one("H")]).start_piped(),
        world.auq(["ask", r#"{"questions":[{"prompt":"Q?","title":"T","options":[{"label":"A"},{"label":"B"}],"multiSelect":false}]}"#]).start(),
    ];
    for asking in calls {
        asking.stderr.wait_for("To resume: run the same command, or sayso wait ", 0);
        let output = asking.stderr.last_part();
        let handle = output.split("sayso answer ").nth(1).unwrap().split_whitespace().next().unwrap();
        assert_eq!(world.sayso(["cancel", handle]).run().exit, 0, "{output}");
        assert_eq!(asking.wait().exit, 6);
    }
}

#[test]
fn piped_lines_leave_question_on_stderr() {
    let world = TestWorld::new();
    let ended = world.ask_user_question([one("H")]).run_with("nonsense\n");
    assert_eq!((ended.exit, ended.stdout.as_str()), (0, "{\"answers\":{\"H\":\"A\"}}\n"));
    let place = |words: &str| ended.stderr.find(words).unwrap_or_else(|| panic!("{words}: {ended:?}"));
    assert!(place("Which H?") < place("1. A") && place("3. C") < place("No valid choice: took 1. A\n"));
    assert!(!ended.stderr.contains('\u{1b}'), "{ended:?}");
}

#[test]
fn environment_timeout_exits_with_five() {
    let world = TestWorld::new();
    let auq = r#"{"questions":[{"prompt":"Q?","title":"T","options":[{"label":"A"},{"label":"B"}],"multiSelect":false}]}"#;
    for limit in ["1", "1s", "200ms"] {
        let ended = world.ask_user_question([one(limit)]).env("ASK_TIMEOUT", limit).run();
        assert_eq!((ended.exit, ended.stdout.as_str()), (5, ""), "{ended:?}");
        assert!(ended.stderr.ends_with("No answer before the deadline\n"), "{ended:?}");
    }
    let piped = world.ask_user_question([one("P")]).env("ASK_TIMEOUT", "200ms").start_piped();
    assert_eq!(piped.wait().exit, 5, "a pipe on which no line comes");
    assert_eq!(world.auq(["ask", auq]).env("ASK_TIMEOUT", "200ms").run().exit, 5);
    for wrong in ["soon", "0", "-5s", "401 days"] {
        let calls =
            [(world.ask_user_question([one("Wrong")]), 2, "sayso"), (world.auq(["ask", auq]), 1, "Error")];
        for (call, exit, name) in calls {
            let ended = call.env("ASK_TIMEOUT", wrong).run();
            assert_eq!((ended.exit, ended.stdout.as_str()), (exit, ""), "{ended:?}");
            let words = format!("{name}: ASK_TIMEOUT is \"{wrong}\", which is not a time limit.");
            assert!(ended.stderr.starts_with(&words), "{ended:?}");
        }
    }
    let asking = world.ask_user_question([one("None")]).env("ASK_TIMEOUT", "").start();
    let ask = world.wait_for_ask(|ask| ask.outcome().is_none());
    assert_eq!(ask.due_at(), None);
    assert_eq!(world.sayso(["cancel", &ask.id.to_string()]).run().exit, 0);
    assert_eq!(asking.wait().exit, 6);
}

#[test]
fn own_timeout_of_open_ask_exits_with_five() {
    let world = TestWorld::new();
    let asking = world.ask_user_question([one("Deploy")]).start();
    let ask = world.wait_for_ask(|ask| ask.outcome().is_none());
    assert!(asking.kill_9());
    for limit in ["100ms", "1s"] {
        let ended = world.ask_user_question([one("Deploy")]).env("ASK_TIMEOUT", limit).run();
        assert_eq!((ended.exit, ended.stdout.as_str()), (5, ""), "{ended:?}");
        assert!(ended.stderr.contains("The question is still open at the desk "), "{ended:?}");
    }
    let shown = world.show(&ask.id.to_string());
    assert!(shown["state"] == "open" && shown["presence"].get("detached").is_some(), "{shown}");
}
