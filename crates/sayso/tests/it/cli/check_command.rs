//! Tests of `sayso check`: validity of a request, and the asker's outcome. Tools rely on the shape of `--json`.

use crate::support::sample_requests::{one, question, request};
use crate::support::test_world::TestWorld;
use serde_json::{Value, json};

/// Returns the findings and the exit code.
fn findings(world: &TestWorld, args: &[&str]) -> (i32, Value) {
    let ended = world.sayso([&["check", "--json"], args].concat()).run();
    assert_eq!(ended.stderr, "", "{args:?}");
    (ended.exit, serde_json::from_str(&ended.stdout).unwrap())
}

#[test]
fn valid_request_passes() {
    let world = TestWorld::new();
    let findings = findings(&world, &[&one("H")]);
    let valid =
        json!({ "ok": true, "dialect": "ask_user_question", "problems": [], "warnings": [], "reply": null });
    assert_eq!(findings, (0, valid));
    let words = world.sayso(["check", &one("H")]).run();
    assert_eq!(words.parts(), (0, "", "This is a valid ask_user_question request.\n"));
    assert!(!world.desk_file().exists(), "nothing is asked");
}

#[test]
fn invalid_request_lists_all_problems() {
    let world = TestWorld::new();
    let mut wrong: Value = serde_json::from_str(&one("A header of 13")).unwrap();
    wrong["questions"][0]["multiSelect"] = "no".into();
    let (exit, findings) = findings(&world, &[&wrong.to_string()]);
    let words = ["String must contain at most 12 character(s)", "Expected boolean, received string"];
    let expected = json!({
        "ok": false,
        "dialect": "ask_user_question",
        "problems": [
            { "path": ["questions", 0, "header"], "code": "too_big", "message": words[0] },
            { "path": ["questions", 0, "multiSelect"], "code": "invalid_type", "message": words[1] },
        ],
        "warnings": [],
        "reply": {
            "stdout": "",
            "stderr": format!(
                "Error: Validation failed\n- questions[0].header: {}\n- questions[0].multiSelect: {}",
                words[0], words[1]
            ),
            "exit": 1,
        },
    });
    assert_eq!((exit, findings), (1, expected));
    let output = world.sayso(["check", &wrong.to_string()]).run();
    assert_eq!((output.exit, output.stdout.as_str()), (1, ""));
    assert!(output.stderr.starts_with(
        "sayso: The request has 2 problems (read as ask_user_question).\n  - questions[0].header: "
    ));
}

#[test]
fn detected_format_is_reported() {
    let world = TestWorld::new();
    let taken = r#"{"questions":[{"question":"n?","options":[{"label":"a","value":"a"},{"label":"b"}]}]}"#;
    let text = "\n  For another format, use --format: sayso, questionnaire, \
                ask_user_question, auq, interaction\n";
    for command in ["ask", "check"] {
        let unnamed = world.sayso([command, taken]).run();
        let head =
            "sayso: The request has 1 problem (read as interrupt).\n  - questions[0].options[1].value: ";
        assert!(unnamed.exit == 1 && unnamed.stderr.starts_with(head), "{unnamed:?}");
        assert!(unnamed.stderr.ends_with(text), "{unnamed:?}");
        let named = world.sayso([command, "--format", "interrupt", taken]).run();
        assert!(named.exit == 1 && !named.stderr.contains("another format"), "{named:?}");
        let ours = world.sayso([command, r#"{"questions":[{"prompt":""}]}"#]).run();
        assert!(ours.exit == 1 && !ours.stderr.contains("another format"), "{ours:?}");
    }
}

#[test]
fn odd_but_valid_is_a_warning() {
    let world = TestWorld::new();
    let same = request(&[question("Same", &["A", "B"], false), question("Same", &["C", "D"], false)]);
    let (exit, findings) = findings(&world, &[&same]);
    assert_eq!((exit, &findings["ok"], &findings["problems"]), (0, &json!(true), &json!([])));
    let warning = &findings["warnings"][0];
    assert_eq!(
        [&warning["path"], &warning["code"]],
        [&json!(["questions", 1, "header"]), &json!("duplicate_id")]
    );
    assert!(warning["message"].as_str().unwrap().contains("Same"), "{warning}");
}

#[test]
fn answers_are_validated_and_shown() {
    let world = TestWorld::new();
    let file = |text: &str| world.write("answers.json", text).into_os_string().into_string().unwrap();
    let request = one("H");
    let judge = |answers: &str| findings(&world, &[&request, "--answers", &file(answers)]);
    let (exit, found) = judge(r#"{"answers":{"H":"B"}}"#);
    let reply = json!({ "stdout": "{\"answers\":{\"H\":\"B\"}}", "stderr": "", "exit": 0 });
    assert_eq!((exit, &found["ok"], &found["reply"]), (0, &json!(true), &reply), "{found}");
    for (answers, path, code) in [
        (r#"{"answers":{"H":"D"}}"#, json!(["answers", "H"]), "no_such_option"),
        (r#"{"answers":{"X":"A"}}"#, json!(["answers", "X"]), "no_such_question"),
        (r#"{"answers":{}}"#, json!(["answers", "q0"]), "needs_answer"),
        (r#"{"answers":[]}"#, json!(["answers"]), "invalid_type"),
        ("{", json!([]), "invalid_json"),
    ] {
        let (exit, found) = judge(answers);
        assert_eq!((exit, &found["ok"]), (1, &json!(false)), "{answers}");
        let problem = &found["problems"][0];
        assert_eq!([&problem["path"], &problem["code"]], [&path, &json!(code)], "{answers}: {found}");
        assert!(!problem["message"].as_str().unwrap().is_empty());
    }
    let ours = r#"{"questions":[{"id":"a","prompt":"A?"},{"id":"b","prompt":"B?","required":false}]}"#;
    let (exit, found) = findings(&world, &[ours, "--answers", &file(r#"{"answers":{"a":"yes"}}"#)]);
    assert_eq!(exit, 0, "{found}");
    let outcome: Value = serde_json::from_str(found["reply"]["stdout"].as_str().unwrap()).unwrap();
    assert_eq!([&outcome["sayso"], &outcome["outcome"]], [&json!(1), &json!("answered")]);
    assert_eq!(outcome["replies"]["a"], json!({ "state": "answered", "answer": { "text": "yes" } }));
}

#[test]
fn unknown_name_lists_known_ones() {
    let world = TestWorld::new();
    let request = r#"{"questions":[{"id":"colour","prompt":"Which?","options":["red","blue"]}]}"#;
    let judge = |answers: &str| {
        let file = world.write("answers.json", answers).into_os_string().into_string().unwrap();
        world.sayso(["check", request, "--answers", &file]).run().stderr
    };
    let output = judge(r#"{"answers":{"color":"red","size":"red"}}"#);
    let place = "- answers.color: There is no question \"color\". Did you mean \"colour\"?\n";
    assert!(output.contains(place) && output.ends_with(" Available: \"colour\".\n"), "{output}");
    let output = judge(r#"{"answers":{"colour":"green"}}"#);
    assert!(output.ends_with("There is no option \"green\". Available: \"red\", \"blue\".\n"), "{output}");
}

#[test]
fn request_is_read_from_any_source() {
    let world = TestWorld::new();
    let file = world.write("request.json", one("H"));
    let inside = world.write("work/a request.json", one("H"));
    for call in [
        world.sayso(["check".into(), file.into_os_string()]),
        world.sayso(["check".into(), inside.file_name().unwrap().to_owned()]),
        world.sayso(["check", &format!("\n {}", one("H"))]),
    ] {
        assert_eq!(call.run().parts(), (0, "", "This is a valid ask_user_question request.\n"));
    }
    let ended = world.sayso(["check", "-"]).run_with(one("H"));
    assert_eq!(ended.parts(), (0, "", "This is a valid ask_user_question request.\n"));
}

#[test]
fn ambiguous_request_is_checked_as_ours() {
    let world = TestWorld::new();
    let ours = r#"{"questions":[{"prompt":"Which?","options":["red","blue"]}]}"#;
    let ended = world.sayso(["check", ours]).run();
    assert_eq!(ended.parts(), (0, "", "This is a valid sayso request.\n"));
    let others = "questionnaire, ask_user_question, auq, interaction, interrupt";
    let last = format!("  For another format, use --format: {others}\n");
    let needed = format!("  - questions: At least 1 question is required. For example: '{ours}'\n");
    let cases = [
        (r#"{"a":1}"#, format!("2 problems (read as sayso).\n{needed}  - a: Unknown member \"a\".\n")),
        ("[]", "1 problem (read as sayso).\n  - invalid type: array, expected a questionnaire\n".to_owned()),
        (
            r#"{"questions":[{"prompt":"Which?","options":["a","b"],"multiSelect":true}]}"#,
            "1 problem (read as sayso).\n  - questions[0].multiSelect: Unknown member \"multiSelect\". \
             Did you mean multi?\n"
                .to_owned(),
        ),
    ];
    for (unclear, problems) in cases {
        let words = format!("sayso: The request has {problems}{last}");
        for command in [&["check"][..], &["ask", "--no-wait"]] {
            let ended = world.sayso(command.iter().chain(&[unclear])).run();
            assert_eq!(ended.parts(), (1, "", words.as_str()), "{command:?} {unclear}");
        }
    }
    // A request with all members of a format means that format.
    let whole = r#"{"questions":[{"question":"n?","header":"H","options":["a","b"],"multiSelect":false}]}"#;
    let ended = world.sayso(["check", whole]).run();
    assert!(ended.stderr.contains("(read as ask_user_question)"), "{ended:?}");
    let unknown = world.sayso(["check", "--format", "latin", &one("H")]).run();
    let words = format!("sayso: Unknown format \"latin\". Known: sayso, {others}.\n");
    assert_eq!(unknown.parts(), (2, "", words.as_str()));
}

#[test]
fn json_is_printed_despite_errors() {
    let world = TestWorld::new();
    let unreadable = world.write("work/bytes.json", [0xff, 0xfe]);
    let [request, bytes] = [one("H"), unreadable.to_str().unwrap().to_owned()];
    let cases: [(&[&str], i32, &str, Value); 9] = [
        (&["nope.json"], 1, "unreadable_file", Value::Null),
        (&["."], 1, "unreadable_file", Value::Null),
        (&[&bytes], 1, "not_text", Value::Null),
        (&[], 1, "missing_request", Value::Null),
        (&["{"], 1, "invalid_json", Value::Null),
        (&["--format", "sayso", "{"], 1, "invalid_json", json!("sayso")),
        (&["--format", "latin", "{}"], 2, "unknown_dialect", Value::Null),
        (&["{}"], 1, "too_small", json!("sayso")),
        (&[&request, "--answers", "nope.json"], 1, "unreadable_file", Value::Null),
    ];
    for (args, exit, code, dialect) in cases {
        let (ended, found) = findings(&world, args);
        assert_eq!((ended, &found["ok"], &found["dialect"]), (exit, &json!(false), &dialect), "{args:?}");
        assert_eq!(found["problems"][0]["code"], code, "{args:?}: {found}");
        assert!(found["warnings"].is_array() && found.get("reply").is_some(), "{found}");
    }
    let output = &findings(&world, &["{}"]).1["reply"]["stderr"];
    assert_eq!(*output, world.sayso(["check", "{}"]).run().stderr.trim_end());
    world.write("config/sayso/config.toml", "language = \n");
    let (exit, found) = findings(&world, &[&request]);
    assert_eq!((exit, &found["problems"][0]["code"]), (2, &json!("invalid_setting")), "{found}");
}

#[test]
fn inline_answers_print_the_outcome() {
    let world = TestWorld::new();
    let request = one("H");
    let given = world.sayso(["check", &request, "--answers", r#"{"answers":{"H":"B"}}"#]).run();
    let text = "These are valid ask_user_question answers. The asker would get:\n";
    assert_eq!(given.parts(), (0, "{\"answers\":{\"H\":\"B\"}}\n", text));
    let wrong = world.sayso(["check", &request, "--answers", r#"{"answers":{"H":"Z"}}"#]).run();
    assert_eq!((wrong.exit, wrong.stdout.as_str()), (1, ""));
    assert!(
        wrong.stderr.starts_with("sayso: The answers have 1 problem (read as ask_user_question).\n"),
        "{wrong:?}"
    );
}
