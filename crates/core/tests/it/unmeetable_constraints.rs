//! Constraints that no answer can meet are rejected when a request in our own format is read.

use proptest::prelude::*;
use sayso_core::pattern::StepBudget;
use sayso_core::rules::validator;
use sayso_core::wire::questionnaire;
use sayso_core::{Answer, Pick};
use serde_json::{Value, json};

/// Returns the problems of a question with these members, each with its path.
fn problems_with_paths(members: &Value) -> Vec<String> {
    let mut question = members.clone();
    question["prompt"] = json!("?");
    let text = json!({ "questions": [question] }).to_string();
    let problems = questionnaire::read(&text).err().unwrap_or_default();
    problems
        .iter()
        .map(|problem| {
            let hint = problem.hint.as_ref().map(|hint| format!(" {hint}")).unwrap_or_default();
            format!("{}: {}{hint}", problem.path.to_js_path(), problem.message)
        })
        .collect()
}

#[test]
fn contradictory_bounds_name_both_sides() {
    let table = [
        (
            json!({"multi": true, "options": ["a", "b"], "constraints": [{"min_picks": 3}]}),
            "[0].min_picks: 3 picks are required, but the question has only 2 options.",
        ),
        (
            json!({"multi": true, "other": true, "options": ["a", "b"], "constraints": [{"min_picks": 4}]}),
            "[0].min_picks: 4 picks are required, but at most 3 are possible.",
        ),
        (
            json!({"options": ["a", "b"], "constraints": [{"min_picks": 2}]}),
            "[0].min_picks: 2 picks are required, but only 1 is possible. \
             To allow several picks, write \"multi\": true for the question.",
        ),
        (
            json!({"multi": true, "options": ["a", "b"], "constraints": [{"max_picks": 1}, {"min_picks": 2}]}),
            "[1].min_picks: No answer can satisfy both max_picks 1 and min_picks 2.",
        ),
        (
            json!({"options": ["a"], "constraints": [{"max_picks": 0}]}),
            "[0].max_picks: max_picks 0 allows no answer at all.",
        ),
        (
            json!({"constraints": [{"min_length": 5}, {"max_length": 2}]}),
            "[1].max_length: No answer can satisfy both min_length 5 and max_length 2.",
        ),
        (
            json!({"constraints": [{"max_length": 0}]}),
            "[0].max_length: max_length 0 allows no answer at all.",
        ),
        (
            json!({"constraints": [{"min_length": 4_000_000}]}),
            "[0].min_length: No answer can be 4000000 characters long.",
        ),
        (
            json!({"kind": "number", "constraints": [{"min": 5}, {"max": 9}, {"max": 1}]}),
            "[2].max: No answer can satisfy both min 5 and max 1.",
        ),
        (
            json!({"kind": "number", "constraints": [{"min": "5.01", "max": 5}]}),
            "[0].max: No answer can satisfy both min 5.01 and max 5.",
        ),
        (
            json!({"kind": "rating", "constraints": [{"min": 9}]}),
            "[0].min: No answer can satisfy min 9: the scale goes from 1 to 5.",
        ),
        (
            json!({"kind": "rating", "min": 2, "constraints": [{"max": 1}]}),
            "[0].max: No answer can satisfy max 1: the scale goes from 2 to 5.",
        ),
        (
            json!({"kind": "date", "constraints": [{"min": "2026-03-02"}, {"max": "2026-03-01"}]}),
            "[1].max: No answer can satisfy both min 2026-03-02 and max 2026-03-01.",
        ),
        (
            json!({"kind": "time", "constraints": [{"min": "14:30"}, {"max": "9:00"}]}),
            "[1].max: No answer can satisfy both min 14:30 and max 9:00.",
        ),
        (
            json!({"kind": "datetime", "constraints": [{"min": "2026-03-01T14:30"}, {"max": "2026-03-01T14:29"}]}),
            "[1].max: No answer can satisfy both min 2026-03-01T14:30 and max 2026-03-01T14:29.",
        ),
    ];
    for (members, wanted) in table {
        assert_eq!(problems_with_paths(&members), [format!("questions[0].constraints{wanted}")], "{members}");
    }
}

#[test]
fn satisfiable_constraints_are_read() {
    for members in [
        json!({"multi": true, "options": ["a", "b"], "constraints": [{"min_picks": 2, "max_picks": 2}]}),
        json!({"multi": true, "other": true, "options": ["a", "b"], "constraints": [{"min_picks": 3}]}),
        json!({"options": ["a", "b"], "constraints": [{"min_picks": 1}]}),
        json!({"constraints": [{"min_length": 2}, {"max_length": 2}]}),
        json!({"kind": "number", "constraints": [{"min": 5}, {"max": "5.0"}]}),
        json!({"kind": "rating", "constraints": [{"min": 5}]}),
        json!({"kind": "date", "constraints": [{"min": "2026-03-01", "max": "2026-03-01"}]}),
        // In civil time 13:30 is between these, though the first instant is later.
        json!({"kind": "datetime", "constraints": [
            {"min": "2026-03-01T13:00Z"}, {"max": "2026-03-01T14:00+02:00"},
        ]}),
        json!({"kind": "datetime", "constraints": [{"min": "2026-03-01T13:00Z"}, {"max": "2026-03-01T12:00"}]}),
    ] {
        assert_eq!(problems_with_paths(&members), [""; 0], "{members}");
    }
}

#[test]
fn as_is_flag_allows_unmeetable_constraints() {
    let text = r#"{"as_is": true, "questions": [{"prompt": "?", "options": ["a"], "constraints": [{"min_picks": 2}]}]}"#;
    assert!(questionnaire::read(text).is_ok());
}

/// Returns all picks of two options and an own answer, each up to twice.
fn all_picks() -> Vec<Answer> {
    let offers = [Pick::Option("a".into()), Pick::Option("b".into()), Pick::Other("own".to_owned())];
    let mut picked: Vec<Vec<Pick>> = vec![Vec::new()];
    let mut begin = 0;
    for _ in 0..4 {
        let longer: Vec<Vec<Pick>> = picked[begin..]
            .iter()
            .flat_map(|picks| {
                offers.iter().map(|offer| [picks.as_slice(), std::slice::from_ref(offer)].concat())
            })
            .collect();
        begin = picked.len();
        picked.extend(longer);
    }
    picked.into_iter().map(|picks| Answer::Picks(picks.into())).collect()
}

proptest! {
    /// A bound that some answer meets is accepted; a bound on picks that none meets is rejected.
    #[test]
    fn unmeetable_pick_bounds_are_refused(
        (multi, other, loose, alone, repeated, empty) in any::<(bool, bool, bool, bool, bool, bool)>(),
        (least, most) in (0_u32..6, 0_u32..4),
    ) {
        let text = json!({
            "rules": {"loose_single": loose, "other_alone": alone, "repeated_picks": repeated, "empty_picks": empty},
            "as_is": true,
            "questions": [{"prompt": "?", "options": ["a", "b"], "multi": multi, "other": other,
                "constraints": [{"min_picks": least}, {"max_picks": most}]}],
        });
        let questionnaire = questionnaire::read(&text.to_string()).unwrap().questionnaire;
        let question = &questionnaire.questions[0];
        let is_taken = |answer: &Answer| validator::validate(question, &questionnaire.rules, answer, &mut StepBudget::default()).problems.is_empty();
        let slips = questionnaire::lint_problems(&questionnaire);
        prop_assert_eq!(slips.is_empty(), all_picks().iter().any(is_taken), "{:?}", slips);
    }

    #[test]
    fn unmeetable_number_bounds_are_refused(least in -5_i64..5, most in -5_i64..5) {
        let members = json!({"kind": "number", "constraints": [{"max": most}, {"min": least}]});
        prop_assert_eq!(problems_with_paths(&members).is_empty(), least <= most);
    }

    #[test]
    fn meetable_time_bounds_are_read(
        offsets in prop::array::uniform3(prop::sample::select(vec!["", "Z", "+02:00", "-11:00"])),
        hours in prop::array::uniform3(0..24),
    ) {
        let at = |n: usize| format!("2026-03-01T{:02}:00{}", hours[n], offsets[n]);
        let text = json!({"as_is": true, "questions": [{"prompt": "?", "kind": "datetime",
            "constraints": [{"min": at(0)}, {"max": at(1)}]}]});
        let questionnaire = questionnaire::read(&text.to_string()).unwrap().questionnaire;
        let answer: Answer = serde_json::from_value(json!({ "datetime": at(2) })).unwrap();
        let verdict = validator::validate(&questionnaire.questions[0], &questionnaire.rules, &answer, &mut StepBudget::default());
        prop_assert!(!verdict.problems.is_empty() || questionnaire::lint_problems(&questionnaire).is_empty());
    }
}
