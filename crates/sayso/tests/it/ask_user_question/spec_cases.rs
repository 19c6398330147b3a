//! The eighteen test cases in the spec of `AskUserQuestion`, as the person and the agent see them.

use crate::support::sample_requests::{one, question, request};
use crate::support::test_world::TestWorld;
use serde_json::{Value, json};

/// Returns the agent's result when a person types these lines.
fn answer_with(questions: &[Value], lines: &[&str]) -> Value {
    let world = TestWorld::new();
    let mut terminal = world.ask_user_question([request(questions)]).on_terminal_with_stdout_file();
    for line in lines {
        terminal.expect(": ").line(line);
    }
    let seen = terminal.wait();
    assert_eq!(seen.exit, 0, "{seen:?}");
    serde_json::from_str::<Value>(&seen.stdout).unwrap()["answers"].take()
}

/// Asserts a refused request: exit code 1, nothing on stdout, and these words.
fn refusal_of(argument: &str) -> String {
    let world = TestWorld::new();
    let ended = world.ask_user_question([argument]).run();
    assert_eq!((ended.exit, ended.stdout.as_str()), (1, ""), "{ended:?}");
    ended.stderr
}

/// Returns the error for a change of an otherwise valid request.
fn issue(change: impl FnOnce(&mut Value)) -> String {
    let mut request: Value = serde_json::from_str(&one("H")).unwrap();
    change(&mut request);
    let words = refusal_of(&request.to_string());
    words.strip_prefix("Error: Validation failed\n").unwrap().trim_end().to_owned()
}

fn single() -> Value {
    question("H", &["A", "B", "C"], false)
}

fn several() -> Value {
    question("M", &["A", "B", "C"], true)
}

#[test]
fn case_1_single_choice() {
    assert_eq!(answer_with(&[single()], &["2"]), json!({ "H": "B" }));
}

#[test]
fn case_2_multiple_choice() {
    assert_eq!(answer_with(&[several()], &["1,2"]), json!({ "M": "A, B" }));
}

#[test]
fn case_3_mixed_questions_in_order() {
    let third = question("Last", &["X", "Y"], false);
    let answers = answer_with(&[single(), several(), third], &["3", "3,1", "2"]);
    assert_eq!(answers, json!({ "H": "C", "M": "C, A", "Last": "Y" }));
}

#[test]
fn case_4_other_answer() {
    let answers = answer_with(&[single(), several()], &["0", "  something else ", "0", "我的答案 🦀"]);
    assert_eq!(
        answers,
        json!({ "H": "Other (custom:   something else )", "M": "Other (custom: 我的答案 🦀)" })
    );
}

#[test]
fn case_5_invalid_json() {
    let words = "Error: Invalid JSON format\nUsage: AskUserQuestion '{\"questions\":[...]}'\n";
    for argument in ["{questions:[]}", "{\"questions\":[}", "nonsense", "'{\"questions\":[]}\"", "{} {}"] {
        assert_eq!(refusal_of(argument), words, "{argument}");
    }
}

#[test]
fn case_6_missing_fields() {
    for field in ["question", "header", "options", "multiSelect"] {
        let words = issue(|request| {
            request["questions"][0].as_object_mut().unwrap().remove(field);
        });
        assert_eq!(words, format!("- questions[0].{field}: Required"));
    }
    for field in ["label", "description"] {
        let words = issue(|request| {
            request["questions"][0]["options"][1].as_object_mut().unwrap().remove(field);
        });
        assert_eq!(words, format!("- questions[0].options[1].{field}: Required"));
    }
}

#[test]
fn case_7_8_question_count() {
    let none = issue(|request| request["questions"] = json!([]));
    assert_eq!(none, "- questions: Array must contain at least 1 element(s)");
    let five = issue(|request| request["questions"] = vec![single(); 5].into());
    assert_eq!(five, "- questions: Array must contain at most 4 element(s)");
}

#[test]
fn case_9_10_option_count() {
    let options = |count: usize| {
        let option = json!({ "label": "A", "description": "a" });
        issue(|request| request["questions"][0]["options"] = vec![option; count].into())
    };
    assert_eq!(options(1), "- questions[0].options: Array must contain at least 2 element(s)");
    assert_eq!(options(5), "- questions[0].options: Array must contain at most 4 element(s)");
}

#[test]
fn case_11_and_12_lengths() {
    let header = issue(|request| request["questions"][0]["header"] = "A header of 13".into());
    assert_eq!(header, "- questions[0].header: String must contain at most 12 character(s)");
    let prompt = issue(|request| request["questions"][0]["question"] = "?".repeat(501).into());
    assert_eq!(prompt, "- questions[0].question: String must contain at most 500 character(s)");
}

#[test]
fn case_13_14_invalid_takes_first() {
    for line in ["9", "-1", "yes", "", "   "] {
        let world = TestWorld::new();
        let mut terminal = world.ask_user_question([one("H")]).on_terminal_with_stdout_file();
        terminal.expect("0 for custom: ").line(line);
        let seen = terminal.wait();
        assert_eq!((seen.exit, seen.stdout.as_str()), (0, "{\"answers\":{\"H\":\"A\"}}\n"), "{line:?}");
        assert!(seen.screen.ends_with(&format!("{line}\r\nNo valid choice: took 1. A\r\n")), "{seen:?}");
    }
}

#[test]
fn case_15_number_selects() {
    for (line, label) in [("1", "A"), ("3", "C"), (" 2 ", "B")] {
        assert_eq!(answer_with(&[single()], &[line]), json!({ "H": label }));
    }
}

#[test]
fn case_16_numbers_select_several() {
    for (line, labels) in [("1,3", "A, C"), ("3, 1", "C, A"), ("2,9,x", "B")] {
        assert_eq!(answer_with(&[several()], &[line]), json!({ "M": labels }));
    }
}

#[test]
fn case_17_zero_asks_for_other() {
    for line in ["0", "other", "OTHER", " Other "] {
        let world = TestWorld::new();
        let mut terminal = world.ask_user_question([one("H")]).on_terminal_with_stdout_file();
        terminal.expect("0 for custom: ").line(line).expect("Enter your answer: ").line("mine");
        let seen = terminal.wait();
        assert_eq!(seen.stdout, "{\"answers\":{\"H\":\"Other (custom: mine)\"}}\n", "{line:?}");
    }
}

#[test]
fn case_18_empty_other() {
    assert_eq!(answer_with(&[single()], &["0", ""]), json!({ "H": "Other" }));
    assert_eq!(answer_with(&[several()], &["other", ""]), json!({ "M": "Other" }));
}
