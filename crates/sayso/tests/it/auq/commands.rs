//! Tests of AUQ's own commands: recorded inputs and outputs of the original, and what people or agents notice beyond
//! them.

use crate::support::program::{ProgramExit, TestProgram};
use crate::support::test_vector::{self, TestVector};
use crate::support::test_world::{ProgramCall, TestWorld};
use serde_json::{Value, json};

const TWO: &str = r#"{"questions":[{"prompt":"Which database?","title":"Database","options":[{"label":"PostgreSQL",
    "description":"Relational DB"},{"label":"MongoDB"}],"multiSelect":false},{"prompt":"Which checks?","title":"Checks",
    "options":[{"label":"Tests"},{"label":"Lint"}],"multiSelect":true}]}"#;

/// Returns a question with two options.
pub(crate) fn one_question(prompt: &str) -> String {
    let options = json!([{ "label": "Yes" }, { "label": "No" }]);
    json!({ "questions": [{ "prompt": prompt, "title": "T", "options": options }] }).to_string()
}

/// Returns a call of a command in one of its two forms.
fn call(world: &TestWorld, by_name: bool, args: &[&str]) -> ProgramCall {
    if by_name { world.auq(args) } else { world.sayso(["auq"].iter().chain(args)) }
}

/// Returns the result of a call in the vectors' format.
fn result_of(ended: &ProgramExit, id: &str) -> Value {
    let stdout = if id.is_empty() { ended.stdout.clone() } else { ended.stdout.replace(id, "<sessionId>") };
    json!({ "exitCode": ended.exit, "stdout": stdout, "stderr": ended.stderr })
}

fn strings(value: &Value) -> Vec<&str> {
    value.as_array().unwrap().iter().map(|arg| arg.as_str().unwrap()).collect()
}

fn single_answer(vector: &Value, by_name: bool) -> Value {
    let world = TestWorld::new();
    let input = &vector["input"];
    let call = call(&world, by_name, &strings(&input["args"]));
    let ended = match input["stdin"].as_str() {
        Some(typed) => call.run_with(typed),
        None => call.run(),
    };
    result_of(&ended, "")
}

fn flow(vector: &Value, by_name: bool) -> Value {
    let world = TestWorld::new();
    world.allow_scripted_answers();
    let input = &vector["input"];
    let request = input["ask"].to_string();
    let asking = if input["askVia"] == "stdin" {
        let mut asking = call(&world, by_name, &["ask"]).start_piped();
        asking.write(request.as_bytes());
        asking.end_input();
        asking
    } else {
        call(&world, by_name, &["ask", &request]).start()
    };
    let (_, id) = world.first_ask();
    let args: Vec<_> = ["answer", &id].into_iter().chain(strings(&input["answerArgs"])).collect();
    let answer = result_of(&call(&world, by_name, &args).run(), &id);
    let asked = if world.show(&id)["state"] == "open" {
        assert!(asking.is_running());
        asking.stderr.wait_for("To resume: run the same command, or sayso wait ", 0);
        let output = asking.stderr.last_part();
        let after_waiting: String = output.split_inclusive('\n').skip(2).collect();
        json!({
            "exitCode": "still waiting",
            "stdout": asking.stdout.last_part(),
            "stderr": after_waiting,
        })
    } else {
        result_of(&asking.wait().without_wait_lines(), &id)
    };
    json!({ "answer": answer, "ask": asked })
}

#[test]
fn command_vectors_pass_or_are_listed() {
    let vectors = test_vector::vectors_of("auq", "cli");
    assert_eq!(vectors.len(), 14);
    let differs = test_vector::known_deviations("auq");
    for TestVector { number, body: vector, .. } in &vectors {
        for by_name in [true, false] {
            let ours = if vector["input"].get("args").is_some() {
                single_answer(vector, by_name)
            } else {
                flow(vector, by_name)
            };
            let same = ours == vector["expect"];
            let reason = differs.get(number);
            assert_eq!(same, reason.is_none(), "{number}: {ours:#} {reason:?}");
        }
    }
}

#[test]
fn the_version_is_ours() {
    let world = TestWorld::new();
    for flag in ["--version", "-v"] {
        let line = format!("sayso {}\n", env!("CARGO_PKG_VERSION"));
        assert_eq!(world.auq([flag]).run().parts(), (0, line.as_str(), ""));
    }
}

/// Starts an asker at a desk that permits answers by argument.
fn start_asker(request: &str) -> (TestWorld, TestProgram, String) {
    let world = TestWorld::new();
    world.allow_scripted_answers();
    let asking = world.auq(["ask", request]).start();
    let (_, id) = world.first_ask();
    (world, asking, id)
}

#[test]
fn questions_are_answered_by_number() {
    let (world, asking, id) = start_asker(TWO);
    let answers = r#"{"1":{"selectedOptions":["Lint","Tests"],"customText":"what's in CI"}}"#;
    assert_eq!(world.auq(["answer", &id[..8], "--answers", answers]).run().exit, 0);
    let text =
        "Here are the user's answers:\n\n2. Which checks?\n→ Lint\n→ Tests\n→ Other: 'what\\'s in CI'\n";
    assert_eq!(asking.wait().without_wait_lines().parts(), (0, text, ""));
}

#[test]
fn invalid_answer_leaves_ask_open() {
    let (world, asking, id) = start_asker(TWO);
    let cases = [
        ("{}", "No answers provided"),
        (
            r#"{"0":{"selectedOption":"Oracle"}}"#,
            "Answer for question 0 references non-existent option: Oracle",
        ),
        (r#"{"2":{"customText":"x"}}"#, "Answer references invalid question index: 2"),
        (r#"{"first":{"customText":"x"}}"#, "Answer references invalid question index: first"),
        (r#"{"1":{}}"#, "Answer for question 1 has neither selectedOption, selectedOptions, nor customText"),
        (
            r#"{"1":{"selectedOptions":["Lint",5]}}"#,
            "1.selectedOptions.1: Invalid input: expected string, received number",
        ),
        (r#"{"1":null}"#, "1: Invalid input: expected object, received null"),
    ];
    for (answers, error) in cases {
        let refused = world.auq(["answer", &id, "--answers", answers]).run();
        assert_eq!(refused.parts(), (1, "", format!("Error: {error}\n").as_str()), "{answers}");
        let as_json = world.auq(["answer", &id, "--json", "--answers", answers]).run();
        let output: Value = serde_json::from_str(&as_json.stdout).unwrap();
        assert_eq!((as_json.exit, output), (1, json!({ "success": false, "error": error })), "{answers}");
    }
    let no_json = world.auq(["answer", &id, "--json", "--answers", "{'0':1}"]).run();
    let error = "Invalid answers JSON: Expected property name or '}' in JSON at position 1";
    assert!(no_json.stdout.contains(error) && no_json.stderr.is_empty(), "{no_json:?}");
    let neither = world.auq(["answer", &id]).run();
    assert!(neither.stderr.starts_with("Error: Either --answers or --reject is required."), "{neither:?}");
    assert!(asking.is_running());
    assert_eq!(world.show(&id)["state"], "open");
}

#[test]
fn answered_ask_cannot_be_answered_again() {
    let (world, asking, id) = start_asker(&one_question("Again?"));
    let answer = |label: &str| {
        let answers = json!({ "0": { "selectedOption": label } }).to_string();
        world.auq(["answer", &id, "--force", "--answers", &answers]).run()
    };
    assert_eq!(answer("Yes").exit, 0);
    let late = answer("No");
    assert_eq!((late.exit, late.stdout.as_str()), (1, ""));
    assert!(late.stderr.starts_with("Error: ") && late.stderr.contains("ada"), "{late:?}");
    assert!(asking.wait().stdout.ends_with("→ Yes\n"));
}

#[test]
fn argument_answers_need_permission() {
    let world = TestWorld::new();
    let _asking = world.auq(["ask", &one_question("Really?")]).start();
    let (_, id) = world.first_ask();
    let ways: [(&[&str], &str); 2] = [
        (&["--reject"], "Declining by argument is not allowed."),
        (&["--answers", r#"{"0":{"selectedOption":"Yes"}}"#], "Answers by argument are not allowed."),
    ];
    for (way, text) in ways {
        let args = || ["answer", &id].into_iter().chain(way.iter().copied());
        let off = world.auq(args()).run();
        assert_eq!((off.exit, off.stdout.as_str()), (1, ""), "{off:?}");
        assert!(off.stderr.starts_with(&format!("Error: {text}")), "{off:?}");
        let agent = world.auq(args()).env("CLAUDECODE", "1").run();
        assert!(agent.stderr.contains("an agent must not answer for a person"), "{agent:?}");
    }
    assert_eq!(world.show(&id)["state"], "open");
}

#[test]
fn missing_arguments_use_auq_messages() {
    let world = TestWorld::new();
    let question = |members: Value| json!({ "questions": [members] }).to_string();
    let two = json!([{ "label": "A" }, { "label": "B" }]);
    let cases = [
        ("[]".to_owned(), "'questions' array is required and must not be empty."),
        (r#"{"questions":{}}"#.to_owned(), "'questions' array is required and must not be empty."),
        (r#"{"questions":[5]}"#.to_owned(), "Question 1 missing 'prompt' field."),
        (question(json!({ "prompt": "", "title": "T" })), "Question 1 missing 'prompt' field."),
        (question(json!({ "prompt": "P", "title": 5 })), "Question 1 missing 'title' field."),
        (
            question(json!({ "prompt": "P", "title": "T", "options": [{ "label": "A" }] })),
            "Question 1 requires 'options' array with at least 2 options.",
        ),
        (
            question(json!({ "prompt": "P", "title": "T", "options": two, "multiSelect": null })),
            "questions.0.multiSelect: Invalid input: expected boolean, received null",
        ),
    ];
    for (request, error) in cases {
        let ended = world.auq(["ask", &request]).run();
        assert_eq!(ended.parts(), (1, "", format!("Error: {error}\n").as_str()), "{request}");
    }
    for call in [world.auq(["ask"]), world.auq(["ask", "-"]), world.auq(["ask", ""])] {
        let ended = call.run_with(" \n");
        assert_eq!(ended.exit, 1);
        assert!(ended.stderr.starts_with("Error: Questions JSON required. Provide as argument"), "{ended:?}");
    }
    assert!(!world.desk_file().exists(), "a refused request leaves nothing");
}

#[test]
fn unknown_command_is_a_usage_error() {
    let world = TestWorld::new();
    let slips: [&[&str]; 6] = [
        &["server", "x"],
        &["answer", "abc", "--rejct"],
        &["history", "shwo"],
        &["ask", "{}", "{}"],
        &["config", "list"],
        &["update"],
    ];
    for args in slips {
        let ended = world.auq(args).run();
        assert_eq!((ended.exit, ended.stdout.as_str()), (2, ""), "{args:?}");
        assert!(ended.stderr.ends_with("See what there is with: auq --help\n"), "{ended:?}");
    }
    let commands: [&[&str]; 3] = [&["--help"], &["answer", "--help"], &["-h"]];
    for args in commands {
        let ended = world.auq(args).run();
        assert!(ended.exit == 0 && ended.stdout.contains("auq fetch-answers <id>"), "{ended:?}");
    }
}

#[test]
fn asker_hears_of_cancellation() {
    let (world, asking, id) = start_asker(&one_question("Still?"));
    let young = world.auq(["sessions", "dismiss", &id]).run();
    let words = "Error: Session is not stale. Use --force to dismiss anyway.\n";
    assert_eq!(young.parts(), (1, "", words));
    let dismissed = world.auq(["sessions", "dismiss", &id, "--force"]).run();
    let words = format!("sessionId = {id}\nSession {id} dismissed.\n");
    assert_eq!(dismissed.parts(), (0, words.as_str(), ""));
    let text = "Session cancelled by the asking agent.\n";
    assert_eq!(asking.wait().without_wait_lines().parts(), (6, text, "The question was cancelled\n"));
}

#[test]
fn terminal_user_is_asked_directly() {
    let world = TestWorld::new();
    let mut terminal = world.auq(["ask", &one_question("Here?")]).on_terminal_with_stdout_file();
    terminal.expect("Here?").expect("/help): ").line("2").expect("Sent.");
    let seen = terminal.wait();
    let text = "Here are the user's answers:\n\n1. Here?\n→ No\n";
    assert_eq!((seen.exit, seen.stdout.as_str()), (0, text), "{seen:?}");
}

#[test]
fn piped_questions_are_asked_on_terminal() {
    let world = TestWorld::new();
    let file = world.write("request.json", one_question("Piped?"));
    let call = world.auq(["ask"]).env("REQUEST", file).by_shell("cat \"$REQUEST\" | \"$0\" \"$@\"");
    let mut terminal = call.on_terminal();
    terminal.expect("Piped?").expect("/help): ").line("1").expect("Sent.");
    assert_eq!(terminal.wait().exit, 0);
    let mut asking = world.auq(["ask", &one_question("Lines?")]).start_piped();
    asking.write(b"1\n1\n");
    asking.end_input();
    let ask = world.wait_for_ask(|ask| ask.request.questionnaire.display_name() == "Lines?");
    assert_eq!(world.sayso(["cancel", &ask.id.to_string()]).run().exit, 0);
    assert_eq!(asking.wait().exit, 6, "nothing answered before it was taken back");
}

#[test]
fn killed_asker_gets_answer_on_retry() {
    let (world, asking, id) = start_asker(&one_question("Killed?"));
    assert!(asking.kill_9());
    assert_eq!(world.auq(["answer", &id, "--reject"]).run().exit, 0);
    let again = world.auq(["ask", &one_question("Killed?")]).run();
    let text = "User rejected this question set.\n\nNo reason provided.\n\n\n";
    assert_eq!(again.parts(), (0, text, ""));
}
