//! Tests of questions in plain words, and of answers in plain forms.

use crate::support::program::TestProgram;
use crate::support::test_world::TestWorld;
use serde_json::{Value, json};

/// Starts an asker, answers its ask, and returns its exit code and standard output.
fn answered(world: &TestWorld, args: &[&str], answers: &Value) -> (i32, String) {
    let asking = start_asker(world, args);
    let (program, id) = asking;
    let given = json!({ "answers": answers }).to_string();
    assert_eq!(world.sayso(["answer", &id, "--answers", &given]).run().exit, 0, "{args:?}");
    let ended = program.wait();
    (ended.exit, ended.stdout)
}

fn start_asker(world: &TestWorld, args: &[&str]) -> (TestProgram, String) {
    let program = world.sayso([&["ask"], args].concat()).start();
    let pid = program.pid.to_string();
    let ask = world.wait_for_ask(|ask| format!("{:?}", ask.state.presence).contains(&pid));
    (program, ask.id.to_string())
}

#[test]
fn words_ask_and_print_the_answer() {
    let world = TestWorld::new();
    world.allow_scripted_answers();
    let envs = ["Which environment?", "staging", "production"];
    let with = |more: &[&'static str]| [&envs[..], more].concat();
    let rows: [(Vec<&str>, Value, i32, &str); 9] = [
        (vec!["Deploy now?"], json!(true), 0, "yes\n"),
        (vec!["Deploy now?"], json!(false), 3, "no\n"),
        (vec!["-q", "Deploy now?"], json!(true), 0, ""),
        (envs.to_vec(), json!("production"), 0, "production\n"),
        (with(&["--multi"]), json!(["staging", "production"]), 0, "staging\nproduction\n"),
        (with(&["--other"]), json!({ "other": "qa 1" }), 0, "qa 1\n"),
        (vec!["--text", "Which port?"], json!("80 81"), 0, "80 81\n"),
        (with(&["--output", "env"]), json!("staging"), 0, "ANSWER='staging'\n"),
        (with(&["--output", "answers"]), json!("staging"), 0, "{\"answer\":\"staging\"}\n"),
    ];
    for (args, answer, exit, stdout) in rows {
        let seen = answered(&world, &args, &json!({ "answer": answer }));
        assert_eq!((seen.0, seen.1.as_str()), (exit, stdout), "{args:?}");
    }
    let (_, json) = answered(&world, &with(&["--output", "json"]), &json!({ "answer": "staging" }));
    assert_eq!(serde_json::from_str::<Value>(&json).unwrap()["outcome"], "answered");
}

#[test]
fn person_answers_words_on_terminal() {
    let world = TestWorld::new();
    let mut terminal = world.sayso(["ask", "Which?", "staging", "production"]).on_terminal_with_stdout_file();
    terminal.expect("1. staging\n").expect("/help): ").line("2").expect("Sent.");
    let ended = terminal.wait();
    assert_eq!((ended.exit, ended.stdout.as_str()), (0, "production\n"), "{ended:?}");
}

#[test]
fn forms_print_plain_answers() {
    let world = TestWorld::new();
    world.allow_scripted_answers();
    let form = r#"{"questions":[{"id":"env","prompt":"Where?","options":[{"id":"s","label":"Staging"},"production"]},
        {"id":"path","prompt":"Path?"},{"id":"note","prompt":"Note?","required":false}]}"#;
    let answers = json!({ "env": "Staging", "path": "it's $HOME" });
    let rows = [
        ("answers", "{\"env\":\"s\",\"path\":\"it's $HOME\"}\n"),
        ("env", "ANSWER_ENV='s'\nANSWER_PATH='it'\\''s $HOME'\nANSWER_NOTE=''\n"),
    ];
    for (form_name, stdout) in rows {
        let seen = answered(&world, &["--output", form_name, form], &answers);
        assert_eq!((seen.0, seen.1.as_str()), (0, stdout), "{form_name}");
    }
    let same = r#"{"questions":[{"id":"a-b","prompt":"?"},{"id":"a.b","prompt":"?"}]}"#;
    for (args, words) in
        [(["value", form], "this request has 3"), (["env", same], "same variable: ANSWER_A_B")]
    {
        let ended = world.sayso(["ask", "--output"].iter().chain(&args)).run();
        assert!(ended.exit == 2 && ended.stderr.contains(words), "{ended:?}");
    }
}

#[test]
fn wait_returns_the_value_of_words() {
    let world = TestWorld::new();
    world.allow_scripted_answers();
    let id = world.leave_ask("Which?", &["staging", "production"]);
    let given = r#"{"answers":{"answer":"staging"}}"#;
    assert_eq!(world.sayso(["answer", &id, "--answers", given]).run().exit, 0);
    assert_eq!(world.sayso(["wait", &id]).run().stdout, "staging\n");
    assert_eq!(world.sayso(["wait", &id, "--output", "answers"]).run().stdout, "{\"answer\":\"staging\"}\n");
}

#[test]
fn unclear_arguments_get_remedies() {
    let world = TestWorld::new();
    world.write("work/Deploy", r#"{"questions":[]}"#);
    let rows: [(&[&str], i32, &str); 9] = [
        (&["nothing.json"], 1, "To ask these words instead: sayso ask 'nothing.json?'"),
        (&["my request.json"], 1, "To ask these words instead: sayso ask 'my request.json?'"),
        (&["deploy"], 1, "Check the name of the file."),
        (&["Deploy"], 1, "At least 1 question is required."),
        (&["'{\"questions\":[]}'"], 1, "JSON in single quotes"),
        (&["{'questions':[]}"], 1, "JSON in single quotes"),
        (&["--multi", "Which?"], 2, "--multi needs options after the question."),
        (&["{\"questions\":[]}", "red"], 2, "red is for a question in words"),
        (&["--format", "auq", "Which?"], 2, "--format is for a file or JSON"),
    ];
    for (args, exit, words) in rows {
        let ended = world.sayso(["ask"].iter().chain(args)).run();
        assert!(ended.exit == exit && ended.stderr.contains(words), "{args:?}: {ended:?}");
    }
    assert!(!world.desk_file().exists());
}
