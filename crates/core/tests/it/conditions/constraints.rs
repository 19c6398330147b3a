//! Problems of constraints and prefills in a new questionnaire.

use super::creation::{assert_problems, problems};
use sayso_core::wire::questionnaire;

#[test]
fn constraint_must_suit_question_kind() {
    let table = [
        (r#""constraints":[{}]"#, "/questions/0/constraints/0 bad_constraint"),
        (r#""constraints":[{"message":"!"}]"#, "/questions/0/constraints/0 bad_constraint"),
        (r#""constraints":[{"required":false}]"#, "/questions/0/constraints/0 bad_constraint"),
        (
            r#""constraints":[{"required":true},{"min_picks":1}]"#,
            "/questions/0/constraints/1/min_picks bad_constraint",
        ),
        (r#""constraints":[{"max":3}]"#, "/questions/0/constraints/0/max bad_constraint"),
        (r#""kind":"confirm","constraints":[{"min":1}]"#, "/questions/0/constraints/0/min bad_constraint"),
        (
            r#""kind":"rating","constraints":[{"multiple_of":2}]"#,
            "/questions/0/constraints/0/multiple_of bad_constraint",
        ),
        (
            r#""kind":"number","constraints":[{"multiple_of":0}]"#,
            "/questions/0/constraints/0/multiple_of bad_constraint",
        ),
        (
            r#""kind":"number","constraints":[{"min":"soon"}]"#,
            r#"/questions/0/constraints/0/min invalid_value (Write it like this: 4, "0.25".)"#,
        ),
        (
            r#""kind":"date","constraints":[{"max":"2026-02-30"}]"#,
            r#"/questions/0/constraints/0/max invalid_value (Write it like this: "2026-03-01".)"#,
        ),
        (
            r#""kind":"time","constraints":[{"min":7}]"#,
            r#"/questions/0/constraints/0/min invalid_value (Write it like this: "14:30".)"#,
        ),
        (
            r#""kind":"number","constraints":[{"max_length":3}]"#,
            "/questions/0/constraints/0/max_length bad_constraint",
        ),
        (
            r#""kind":"date","constraints":[{"pattern":"x"}]"#,
            "/questions/0/constraints/0/pattern bad_constraint",
        ),
        (r#""constraints":[{"pattern":"(a"}]"#, "/questions/0/constraints/0/pattern bad_pattern"),
        (
            r#""constraints":[{"pattern":"(?i)a"}]"#,
            "/questions/0/constraints/0/pattern bad_pattern (Write [Aa] instead.)",
        ),
    ];
    for (members, wanted) in table {
        assert_problems(&format!(r#"{{"prompt":"?",{members}}}"#), &[wanted]);
    }
}

#[test]
fn broken_pattern_is_reported() {
    let text = r#"{"questions":[{"prompt":"?","constraints":[{"pattern":"^(ab$"}]}]}"#;
    let problems = questionnaire::read(text).unwrap_err();
    assert_eq!(problems[0].message.to_string(), "In the pattern, \"(\" at character 2 is never closed.");
}

/// One entry may contain several requirements; authors count entries.
#[test]
fn constraint_problem_has_entry_path() {
    assert_problems(
        r#"{"prompt":"?","constraints":[{"min_length":1,"max_length":9},{"min_picks":1}]}"#,
        &["/questions/0/constraints/1/min_picks bad_constraint"],
    );
}

#[test]
fn prefill_must_suit_question_kind() {
    let table = [
        (r#""kind":"text","prefill":{"number":1}"#, "/questions/0/prefill invalid_type"),
        (r#""kind":"number","prefill":{"text":"1"}"#, "/questions/0/prefill invalid_type"),
        (r#""kind":"rating","prefill":{"rating":6}"#, "/questions/0/prefill invalid_type"),
        (r#""kind":"date","prefill":{"text":"soon"}"#, "/questions/0/prefill invalid_type"),
        (
            r#""options":[{"id":"a","label":"A"}],"prefill":{"picks":[{"option":"b"}]}"#,
            "/questions/0/prefill no_such_option",
        ),
        (
            r#""options":[{"id":"a","label":"A"}],"prefill":{"picks":[{"other":"b"}]}"#,
            "/questions/0/prefill invalid_value",
        ),
    ];
    for (members, wanted) in table {
        let found = problems(&format!(r#"{{"questions":[{{"prompt":"?",{members}}}]}}"#));
        let hint = wanted.ends_with("invalid_type").then_some(" (Write it as in an outcome");
        let hint = hint.unwrap_or_default();
        assert!(matches!(&found[..], [one] if one.starts_with(&format!("{wanted}{hint}"))), "{found:?}");
    }
    assert_problems(r#"{"prompt":"?","kind":"date","prefill":{"date":"2026-03-01"}}"#, &[]);
    assert_problems(r#"{"prompt":"?","kind":"datetime","prefill":{"datetime":"2026-03-01 10:00"}}"#, &[]);
}
