//! Tests of invalid requests: one clear error, the right exit code, nothing left behind, and no panic.

use crate::support::program::ProgramExit;
use crate::support::sample_requests::{one, text};
use crate::support::test_world::TestWorld;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;

const USAGE: &str = "Usage: AskUserQuestion '{\"questions\":[...]}'\n";

/// Returns the output of both commands for a text, given in every way they take, and asserts that nothing was asked.
fn refusal_of(request: &[u8], ours: &str, theirs: &str) {
    let world = TestWorld::new();
    let file = world.write("request.json", request);
    let from_file = world.sayso([OsStr::new("ask"), file.as_os_str()]).run();
    let from_stdin = world.sayso(["ask", "-"]).run_with(request);
    for ended in [&from_file, &from_stdin] {
        assert_eq!(ended.parts(), (1, "", ours));
    }
    let fits = request.len() < 100_000 && !request.contains(&0);
    let argument = OsStr::from_bytes(request);
    if fits {
        let ended = world.ask_user_question([argument]).run();
        assert_eq!(ended.parts(), (1, "", theirs));
        let ended = world.sayso([OsStr::new("AskUserQuestion"), argument]).run();
        assert_eq!(ended.parts(), (1, "", theirs));
    }
    assert!(!world.desk_file().exists());
}

/// Returns a request in our own dialect with this JSON as its prompt.
fn with_prompt(json: &[u8]) -> Vec<u8> {
    [&b"{\"sayso\":1,\"questions\":[{\"prompt\":"[..], json, b"}]}"].concat()
}

fn invalid_json(ours: &str) -> (String, String) {
    (ours.to_owned(), format!("Error: Invalid JSON format\n{USAGE}"))
}

#[test]
fn invalid_json_is_refused() {
    for (request, words) in [
        ("{\"questions\":[}", "sayso: Not valid JSON: expected value (line 1, column 15).\n"),
        (
            "{\"questions\":\n[{}]\n",
            "sayso: Not valid JSON: EOF while parsing an object (line 3, column 0).\n",
        ),
        ("[1,]", "sayso: Not valid JSON: expected value (line 1, column 4).\n"),
        ("nonsense", "sayso: Not valid JSON: expected ident (line 1, column 2).\n"),
    ] {
        let (ours, theirs) = invalid_json(words);
        refusal_of(request.as_bytes(), &ours, &theirs);
    }
}

#[test]
fn deep_nesting_is_refused() {
    let words = "The request is nested more than 64 levels deep.\n";
    for depth in [65, 200_000] {
        let theirs = format!("Error: Validation failed\n- : {words}");
        refusal_of("[".repeat(depth).as_bytes(), &format!("sayso: {words}"), &theirs);
        let nested = [b"[".repeat(depth), b"]".repeat(depth)].concat();
        refusal_of(&with_prompt(&nested), &format!("sayso: {words}"), &theirs);
    }
}

#[test]
fn request_over_one_mebibyte_is_refused() {
    let large = with_prompt(format!("\"{}\"", "x".repeat(1 << 20)).as_bytes());
    let world = TestWorld::new();
    let file = world.write("request.json", &large).into_os_string();
    for ended in [
        world.sayso([OsStr::new("ask"), &file]).run(),
        world.sayso([OsStr::new("check"), &file]).run(),
        world.sayso(["ask", "-"]).run_with(&large),
    ] {
        assert_eq!((ended.exit, ended.stdout.as_str()), (1, ""));
        assert!(
            ended.stderr.contains(" is too large: at most 1048576 bytes are allowed.\n"),
            "{}",
            ended.stderr
        );
    }
    let endless = world.sayso(["ask", "/dev/zero"]).run();
    assert!(endless.exit == 1 && endless.stderr.contains("at most 1048576 bytes are allowed"), "{endless:?}");
    assert!(!world.desk_file().exists());
    let fits = with_prompt(format!("\"{}\"", "x".repeat((1 << 20) - 50)).as_bytes());
    let file = world.write("request.json", &fits).into_os_string();
    assert_eq!(world.sayso([OsStr::new("ask"), OsStr::new("--no-wait"), &file]).run().exit, 0);
}

#[test]
fn invalid_utf8_is_refused() {
    let (ours, theirs) = invalid_json("sayso: The request is not UTF-8 text.\n");
    refusal_of(&with_prompt(b"\"a\xff\xfe\""), &ours, &theirs);
    let world = TestWorld::new();
    let argument = with_prompt(b"\"a\xff\xfe\"");
    let ended = world.sayso([OsStr::new("ask"), OsStr::from_bytes(&argument)]).run();
    assert_eq!((ended.exit, ended.stdout.as_str()), (2, ""));
    assert!(ended.stderr.starts_with("sayso: An argument is not UTF-8.\n"), "{ended:?}");
}

#[test]
fn nul_and_lone_surrogates_are_handled() {
    let (ours, theirs) = invalid_json(
        "sayso: Not valid JSON: control character (\\u0000-\\u001F) found while parsing a string (line 1, column 36).\n",
    );
    refusal_of(&with_prompt(b"\"a\0b\""), &ours, &theirs);
    for surrogate in [&br#""\ud800""#[..], br#""\udc00 ""#, br#""\ud800\ud800""#, br#""\ud8""#] {
        let world = TestWorld::new();
        let request = with_prompt(surrogate);
        let ended = world.sayso(["ask", "-"]).run_with(&request);
        assert_eq!((ended.exit, ended.stdout.as_str()), (1, ""));
        assert!(ended.stderr.contains("Not valid JSON: "), "{ended:?}");
        let theirs = [b"{\"questions\":[{\"question\":", surrogate, b"}]}"].concat();
        let ended = world.ask_user_question([OsStr::from_bytes(&theirs)]).run();
        assert_eq!(ended.stderr, format!("Error: Invalid JSON format\n{USAGE}"));
    }
}

#[test]
fn wrong_types_are_reported_with_path() {
    let world = TestWorld::new();
    for (request, words) in [
        (
            r#"{"questions":[{"prompt":5}]}"#,
            "questions[0].prompt: invalid type: integer `5`, expected a string\n",
        ),
        (
            r#"{"sayso":1,"questions":"?"}"#,
            "questions: invalid type: string \"?\", expected an array. Write it like this: \"questions\":[{\"prompt\":\"…\"}].\n",
        ),
        (r#"{"sayso":1}"#, "questions: At least 1 question is required.\n"),
        (
            r#"{"sayso":2,"questions":[]}"#,
            "sayso: This is version 2 of the format; this program reads up to 1.\n",
        ),
        (r#"{"sayso":1,"questions":[]}"#, "questions: At least 1 question is required.\n"),
        (r#"{"questions":[{"prompt":""}]}"#, "questions[0].prompt: A question needs a prompt.\n"),
        (
            r#"{"questions":[{"id":"a","prompt":"A"},{"id":"a","prompt":"B"}]}"#,
            "questions[1].id: Duplicate id \"a\".\n",
        ),
        (
            r#"{"questions":[{"prompt":"A","options":[{"id":"x","label":"X"},{"id":"x","label":"Y"}]}]}"#,
            "questions[0].options[1].id: Duplicate id \"x\".\n",
        ),
    ] {
        let ended = world.sayso(["ask", request]).run();
        let words = format!("sayso: The request has 1 problem (read as sayso).\n  - {words}");
        assert_eq!(ended.parts(), (1, "", words.as_str()), "{request}");
    }
    assert!(!world.desk_file().exists());
}

#[test]
fn plain_text_question_gets_usage_hint() {
    let world = TestWorld::new();
    let ended = world.sayso(["check", "Isn't it \"done\"?"]).run();
    let hint = "To ask these words instead: sayso ask 'Isn'\\''t it \"done\"?'\n";
    assert_eq!((ended.exit, ended.stdout.as_str()), (1, ""), "{ended:?}");
    assert!(ended.stderr.ends_with(hint), "{ended:?}");
}

#[test]
fn unknown_word_suggests_nearest() {
    let world = TestWorld::new();
    let request = r#"{"questions":[{"kind":"chioce","prompt":"Which?","options":["a","b"]}]}"#;
    let kinds = "choice, text, confirm, rating, number, date, time, datetime";
    let ended = world.sayso(["check", request]).run();
    let problem =
        format!("questions[0].kind: Unknown value \"chioce\"; available: {kinds}. Did you mean choice?");
    let words = format!("sayso: The request has 1 problem (read as sayso).\n  - {problem}\n");
    assert_eq!(ended.parts(), (1, "", words.as_str()));
    let ended = world.sayso(["check", "--lang", "zh", request]).run();
    assert!(ended.stderr.contains("未知的值“chioce”；可用：choice, "), "{ended:?}");
}

#[test]
fn ambiguous_format_fails_like_invalid_request() {
    let world = TestWorld::new();
    for request in [
        r#"{"questions":[{"promt":"x"}]}"#,
        r#"{"questions":[]}"#,
        r#"{"questions":[{"foo":1}]}"#,
        r#"{"a":1}"#,
    ] {
        for command in ["ask", "check"] {
            let unclear = world.sayso([command, request]).run();
            assert_eq!((unclear.exit, unclear.stdout.as_str()), (1, ""), "{command} {request}: {unclear:?}");
            assert!(unclear.stderr.contains(" (read as sayso).\n  - "), "{unclear:?}");
            let last = unclear.stderr.lines().last().unwrap();
            assert!(last.starts_with("  For another format, use --format: "), "{unclear:?}");
            let clear = world.sayso([command, request, "--format", "sayso"]).run();
            assert_eq!(clear.exit, 1, "{command} {request}: {clear:?}");
        }
    }
    let slip = world.sayso(["ask", r#"{"questions":[{"promt":"x"}]}"#]).run();
    let text = "- questions[0].promt: Unknown member \"promt\". Did you mean prompt?\n";
    assert!(slip.stderr.contains(text), "{slip:?}");
    for (request, text) in [
        (r#"{"qestions":[{"prompt":"Which?"}]}"#, "- qestions: "),
        (r#"{"questions":[{"prompt":"?","kind":"text","type":"text"}]}"#, "- questions[0].type: "),
        (
            r#"{"qestions":[],"titel":"a","contxt":"b","actin":{}}"#,
            "- actin: Unknown member \"actin\". Did you mean action?\n",
        ),
    ] {
        let slip = world.sayso(["ask", request]).run();
        assert!(slip.stderr.contains(text), "{request}: {slip:?}");
    }
    let none = world.sayso(["ask", r#"{"questions":[]}"#]).run();
    assert!(none.stderr.contains("- questions: "), "{none:?}");
    assert!(!world.desk_file().exists());
}

#[test]
fn unreadable_files_are_reported() {
    let world = TestWorld::new();
    let folder = world.path("work").into_os_string().into_string().unwrap();
    for command in ["ask", "check"] {
        let none = world.sayso([command, "nothing.json"]).run();
        let words = "sayso: Cannot read nothing.json: No such file or directory (os error 2)\n  Check the name of the file. To ask these words instead: sayso ask 'nothing.json?'\n";
        assert_eq!(none.parts(), (1, "", words));
        let ended = world.sayso([command, &folder]).run();
        let words = format!("sayso: Cannot read {folder}: Is a directory (os error 21)\n");
        assert_eq!(ended.parts(), (1, "", words.as_str()));
        let empty = world.sayso([command, ""]).run();
        assert!(empty.exit == 1 && empty.stderr.starts_with("sayso: The request is missing: "), "{empty:?}");
        let nothing = world.sayso([command, "-"]).run();
        assert_eq!((nothing.exit, nothing.stdout.as_str()), (1, ""), "{nothing:?}");
    }
    let answers = world.sayso(["check", &one("H"), "--answers", "nothing.json"]).run();
    assert_eq!((answers.exit, answers.stdout.as_str()), (1, ""), "{answers:?}");
}

#[test]
fn overlong_names_and_keys_are_refused() {
    let world = TestWorld::new();
    let ask = |args: &[&str]| -> ProgramExit {
        world.sayso([&["ask", "--no-wait", &text("T")], args].concat()).run()
    };
    let name = ask(&["--from", &"n".repeat(201)]);
    assert_eq!(name.parts(), (1, "", "sayso: A name can have at most 200 characters.\n"));
    for key in [String::new(), "k".repeat(513)] {
        assert_eq!(ask(&["--key", &key]).parts(), (1, "", "sayso: A key must have 1 to 512 bytes.\n"));
    }
    assert_eq!(ask(&["--from", &"ñ".repeat(200), "--key", &"k".repeat(512)]).exit, 0);
}

#[test]
fn error_text_is_escaped() {
    let world = TestWorld::new();
    let request = r#"{"questions":[{"id":"\u001b[2J","prompt":"A"},{"id":"\u001b[2J","prompt":"B"}]}"#;
    for args in [vec!["ask", request], vec!["check", request], vec!["show", "\u{1b}[2J"]] {
        let seen = world.sayso(&args).on_terminal().wait();
        assert_eq!(seen.exit, 1, "{seen:?}");
        assert!(seen.screen.contains("⟦U+001B⟧[2J") && !seen.screen.contains('\u{1b}'), "{seen:?}");
    }
}

#[test]
fn count_errors_are_translated_to_chinese() {
    let world = TestWorld::new();
    let options: Vec<_> = (0..1001).map(|at| serde_json::json!({ "label": at.to_string() })).collect();
    let many = serde_json::json!({ "questions": [{ "prompt": "Q", "options": options }] }).to_string();
    for (request, words) in [
        (r#"{"sayso":1,"questions":[]}"#, "至少需要 1 个问题。"),
        (&many, "最多允许 1000 个选项，现有 1001 个。"),
    ] {
        let refused = world.sayso(["ask", "--lang", "zh", request]).run();
        assert!(refused.exit == 1 && refused.stderr.contains(words), "{refused:?}");
    }
}
