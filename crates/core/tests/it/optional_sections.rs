//! Validation of one reply before it is sent: in an optional section, and with the asker's messages.

use crate::conditions::{read, sheet};
use sayso_core::{OptionId, Pick, QuestionId, Replies, Reply, Sheet, limits};

/// A question whose answer is removed does not itself make its section count as filled in.
#[test]
fn optional_section_can_be_emptied() {
    let made = read(
        r#"{"sections":[{"optional":true,"questions":[{"id":"q","prompt":"?"},{"id":"other","prompt":"?"}]}]}"#,
    );
    let mut filled = sheet(&made, r#""q":"x""#);
    assert_eq!(filled.validate_reply(0, &Reply::from_text(" ")), []);
    filled.set_reply(&QuestionId::new("other"), Reply::from_text("y"));
    assert_eq!(filled.validate_reply(0, &Reply::from_text(" ")).len(), 1);
}

#[test]
fn too_large_answer_keeps_own_message() {
    for (rules, wanted) in [("{}", "too_large no_such_option"), (r#"{"unjudged":true}"#, "too_large")] {
        let made = read(&format!(
            r#"{{"rules":{rules},"questions":[{{"id":"q","prompt":"?","options":["a"],"other":true,"multi":true,
            "constraints":[{{"fits":true,"message":"one of mine"}}]}}]}}"#
        ));
        let mut sheet = Sheet::new(made, Replies::new());
        let large = Pick::Other("x".repeat(limits::TEXT_ANSWER_BYTES + 1));
        sheet.set_reply(
            &QuestionId::new("q"),
            Reply::from_picks([Pick::Option(OptionId::new("none")), large]),
        );
        let problems = sheet.problems();
        let codes: Vec<_> = problems.iter().map(|problem| problem.code.as_str()).collect();
        assert_eq!(codes.join(" "), wanted);
        let in_own_words = problems.iter().filter(|problem| problem.message.to_string() == "one of mine");
        assert_eq!(in_own_words.count(), problems.len() - 1, "{problems:?}");
    }
}
