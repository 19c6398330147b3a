//! Tests of every dialect from the command line: the example of its page is detected, asked, answered, declined and
//! cancelled, and the output matches the page.

use crate::support::program::{ProgramExit, TestProgram};
use crate::support::test_world::TestWorld;
use serde_json::Value;

pub(crate) const DIALECTS: [&str; 6] =
    ["sayso", "questionnaire", "ask_user_question", "auq", "interaction", "interrupt"];

/// Example of a dialect's page.
pub(crate) struct DialectExample {
    pub(crate) request: String,
    pub(crate) answers: String,
    pub(crate) reply: String,
}

impl DialectExample {
    pub(crate) fn from_page(dialect: &str) -> Self {
        let page = format!("{}/../../docs/formats/{dialect}.md", env!("CARGO_MANIFEST_DIR"));
        let page = std::fs::read_to_string(page).unwrap();
        let block = |info: &str| {
            let (_, rest) = page.split_once(&format!("```{info}\n")).unwrap();
            rest.split_once("\n```").unwrap().0.to_owned()
        };
        Self { request: block("json request"), answers: block("json answers"), reply: block("text reply") }
    }

    /// Starts a program that asks the example and waits.
    fn start_asker(&self, dialect: &str) -> (TestWorld, TestProgram, String) {
        let world = TestWorld::new();
        world.allow_scripted_answers();
        let asking = world.sayso(["ask", "--elsewhere", &self.request]).start();
        let ask = world.wait_for_ask(|_| true);
        assert_eq!(ask.request.dialect, dialect);
        (world, asking, ask.id.to_string())
    }
}

/// Returns the output at the end of an ask, after the line that it waits.
fn final_output(ended: &ProgramExit) -> &str {
    let (first, rest) = ended.stderr.split_once('\n').unwrap();
    assert!(first.starts_with("The question is waiting at the desk "), "{ended:?}");
    let (second, rest) = rest.split_once('\n').unwrap();
    assert!(second.starts_with("Ctrl-C only stops waiting."), "{ended:?}");
    rest
}

/// Returns the output without the parts that vary: person, time and id.
pub(crate) fn mask_varying(text: &str) -> String {
    match serde_json::from_str::<Value>(text) {
        Ok(Value::Object(mut members)) => {
            for member in ["ask", "receipt", "at", "submittedAt"] {
                members.remove(member);
            }
            Value::Object(members).to_string()
        }
        _ => text.to_owned(),
    }
}

#[test]
fn documented_examples_round_trip() {
    for dialect in DIALECTS {
        let example = DialectExample::from_page(dialect);
        let (world, asking, id) = example.start_asker(dialect);
        let answered = world.sayso(["answer", &id, "--answers", &example.answers]).run();
        assert!(answered.exit == 0 && answered.stderr.contains("Sent."), "{dialect}: {answered:?}");
        let ended = asking.wait();
        assert_eq!((ended.exit, final_output(&ended)), (0, ""), "{dialect}");
        assert_eq!(mask_varying(ended.stdout.trim_end()), mask_varying(&example.reply), "{dialect}");
        let checked = world.write("answers.json", &example.answers).into_os_string().into_string().unwrap();
        let found = world.json(&["check", "--json", &example.request, "--answers", &checked]);
        assert_eq!(
            mask_varying(found["reply"]["stdout"].as_str().unwrap()),
            mask_varying(&example.reply),
            "{dialect}"
        );
    }
}

#[test]
fn decline_uses_the_askers_words() {
    let text = [
        (
            "questionnaire",
            r#"{"cancelled":true,"message":"User cancelled the questionnaire","reason":"not now"}"#,
        ),
        ("ask_user_question", ""),
        ("auq", "User rejected this question set.\n\nRejection reason: \"not now\"\n\n"),
        ("interaction", r#"{"ok":false,"cancelled":true,"reason":"not now"}"#),
        ("interrupt", r#"{"action":"cancel","reason":"not now"}"#),
    ];
    for (dialect, stdout) in text {
        let (world, asking, id) = DialectExample::from_page(dialect).start_asker(dialect);
        let declined = world.sayso(["answer", &id, "--decline", "--reason", "not now"]).run();
        assert_eq!(declined.exit, 3, "{dialect}: {declined:?}");
        let ended = asking.wait();
        assert_eq!(ended.exit, 3, "{dialect}: {ended:?}");
        assert_eq!(final_output(&ended), "User declined to answer: not now\n", "{dialect}");
        let (given, wanted) = (ended.stdout.trim_end(), stdout.trim_end());
        match serde_json::from_str::<Value>(wanted) {
            Ok(wanted) => assert_eq!(serde_json::from_str::<Value>(given).unwrap(), wanted, "{dialect}"),
            Err(_) => assert_eq!(given, wanted, "{dialect}"),
        }
    }
}

#[test]
fn cancel_exit_code_differs_per_dialect() {
    for dialect in DIALECTS {
        let (world, asking, id) = DialectExample::from_page(dialect).start_asker(dialect);
        assert_eq!(world.sayso(["cancel", &id]).run().exit, 0, "{dialect}");
        let ended = asking.wait();
        assert_eq!((ended.exit, final_output(&ended)), (6, "The question was cancelled\n"), "{dialect}");
    }
}

#[test]
fn ambiguous_shape_is_checked_as_ours() {
    let world = TestWorld::new();
    let ended = world.sayso(["check", r#"{"title":"T"}"#]).run();
    assert_eq!((ended.exit, ended.stdout.as_str()), (1, ""), "as every request that is wrong");
    assert!(ended.stderr.starts_with("sayso: The request has 1 problem (read as sayso).\n"), "{ended:?}");
    let last = "\n  For another format, use --format: interaction\n";
    assert!(ended.stderr.ends_with(last), "{ended:?}");
    let named = world.sayso(["check", "--format", "interaction", r#"{"title":"T"}"#]).run();
    assert!(named.stderr.contains("(read as interaction)"), "{named:?}");
}

/// The later generation of AUQ: more questions, and askers that do not wait.
#[test]
fn no_wait_tells_answer_location() {
    let world = TestWorld::new();
    let mut request: Value = serde_json::from_str(&DialectExample::from_page("auq").request).unwrap();
    request["nonBlocking"] = true.into();
    let five = vec![request["questions"][0].clone(); 5];
    request["questions"] = five.into();
    let refused = world.sayso(["check", &request.to_string()]).run();
    assert!(refused.stderr.contains("Too big: expected array to have <=4 items"), "{refused:?}");
    world.write("config/sayso/config.toml", "[auq]\ncompat = \"3.4\"\n");
    let ended = world.sayso(["ask", &request.to_string()]).run();
    assert_eq!((ended.exit, ended.stderr.as_str()), (0, ""), "{ended:?}");
    let (_, id) = world.first_ask();
    let line = format!("[Session: {} | Questions: 5 | Status: pending]\n", &id[..8]);
    assert!(ended.stdout.starts_with(&line), "{ended:?}");
}

/// A form may bring its own deadline.
#[test]
fn expired_form_ends_as_format_says() {
    let world = TestWorld::new();
    let request = r#"{"schema":{"fields":[{"id":"a","type":"text","label":"A"}]},"timeoutMs":50}"#;
    let ended = world.sayso(["ask", "--elsewhere", request]).run();
    assert_eq!(ended.exit, 5, "{ended:?}");
    let output: Value = serde_json::from_str(&ended.stdout).unwrap();
    assert_eq!(output, serde_json::json!({ "ok": false, "error": "Interaction timed out" }));
    assert_eq!(final_output(&ended), "No answer before the deadline\n");
}

/// Answers to inactive questions are not validated. The receiver is warned of answers that could not be checked.
#[test]
fn inactive_answer_and_costly_pattern_warn() {
    let world = TestWorld::new();
    let request = r#"{"questions":[{"id":"s","type":"select","maxSelect":1,"label":"S","prompt":"S?",
        "options":[{"value":"a","label":"A"},{"value":"b","label":"B"}],
        "children":[{"id":"x","type":"text","label":"X","prompt":"X?","showIf":{"value":"b"}}]}]}"#;
    let answers = r#"{"answers":{"s":{"value":"a"},"x":{"text":5}}}"#;
    let found = world.json(&["check", "--json", request, "--answers", answers]);
    assert_eq!(found["ok"], true, "{found}");
    assert!(!found["reply"]["stdout"].as_str().unwrap().contains("\"x\""), "{found}");
    let asked = answers.replace("\"a\"", "\"b\"");
    let found = world.json(&["check", "--json", request, "--answers", &asked]);
    assert_eq!(found["problems"][0]["path"], serde_json::json!(["answers", "x"]), "{found}");

    let costly = r#"{"questions":[{"id":"t","type":"text","label":"T","prompt":"T?",
        "constraints":[{"type":"pattern","value":"^(a|a)*(b)\\2$","message":"m"}]}]}"#;
    let answers = format!(r#"{{"answers":{{"t":{{"text":"{}"}}}}}}"#, "a".repeat(40));
    let found = world.json(&["check", "--json", costly, "--answers", &answers]);
    assert_eq!(
        [&found["ok"], &found["reply"]["stderr"]],
        [&Value::Bool(true), &Value::from("Pattern not checked: t")]
    );
}
