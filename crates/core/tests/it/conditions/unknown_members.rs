//! Unknown members of a questionnaire are noted at their path, and reject nothing.

use super::creation::format_problem;
use crate::samples::read_both;
use sayso_core::wire::questionnaire;

fn ignored(text: &str) -> Vec<String> {
    read_both(text).unwrap().ignored.iter().map(format_problem).collect()
}

#[test]
fn unknown_member_is_noted_with_path() {
    let text = r#"{"titel":"t","questions":[{"prompt":"?","children":[{"prompt":"?"},{"prompt":"?","reqired":true,
        "show_if":{"answered":true,"because":1},"options":[{"label":"A","descripton":"B"}],
        "constraints":[{"max_picks":1,"mesage":"m"}]}]}],"rules":{"trim":true},"x":1,"completed":{"sumary":"s"}}"#;
    let wanted = [
        "/titel unknown_member (Did you mean title?)",
        "/questions/0/children/1/reqired unknown_member (Did you mean required?)",
        "/questions/0/children/1/show_if/because unknown_member",
        "/questions/0/children/1/options/0/descripton unknown_member (Did you mean description?)",
        "/questions/0/children/1/constraints/0/mesage unknown_member (Did you mean message?)",
        "/rules/trim unknown_member",
        "/x unknown_member",
        "/completed/sumary unknown_member (Did you mean summary?)",
    ];
    assert_eq!(ignored(text), wanted);
    let sections = r#"{"sections":[{"questions":[{"prompt":"?"}]},{"questions":[{"prompt":"?","Label":"x"}],"optinal":true}]}"#;
    assert_eq!(
        ignored(sections),
        [
            "/sections/1/questions/0/Label unknown_member (Did you mean label?)",
            "/sections/1/optinal unknown_member (Did you mean optional?)"
        ]
    );
}

/// People approve an action from these bytes: a misspelled folder must not vanish silently.
#[test]
fn unknown_action_member_is_noted() {
    let text = r#"{"action":{"tool":"sh","act":{"run":{"argv":["ls"],"foldr":"/srv"}}},"questions":[{"prompt":"?"}]}"#;
    let ignored: Vec<String> =
        questionnaire::read(text).unwrap().ignored.iter().map(|found| found.path.to_json_pointer()).collect();
    assert_eq!(ignored, ["/action/act/foldr"]);
}

#[test]
fn escaped_member_name_is_decoded() {
    let text = r#"{"questions":[{"prompt":"?","kind":"rating","annotations":{"1":"bad","5":"good"},"l\u0061bell":1}]}"#;
    assert_eq!(ignored(text), ["/questions/0/labell unknown_member (Did you mean label?)"]);
}
