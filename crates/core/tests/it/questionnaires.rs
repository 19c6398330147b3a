//! Reading of questionnaires: round trips, and problems with path and code.

use crate::samples::read_both;
use proptest::prelude::*;
use sayso_core::model::validation_rules::LengthUnit;
use sayso_core::pattern::budget;
use sayso_core::wire::questionnaire::ParsedQuestionnaire;
use sayso_core::wire::{json, questionnaire};
use sayso_core::{ChoiceOption, ChoiceQuestion, Question, QuestionKind, TextQuestion};
use sayso_core::{OptionId, Problem, QuestionId, Questionnaire, Rules, limits};

fn maybe() -> impl Strategy<Value = Option<String>> {
    prop::option::of(".{0,12}")
}

fn option() -> impl Strategy<Value = ChoiceOption> {
    (".{0,4}", ".{1,12}", maybe()).prop_map(|(id, label, description)| ChoiceOption {
        id: OptionId::new(id),
        value: None,
        label,
        description,
        preview: None,
        recommended: false,
    })
}

fn kind() -> impl Strategy<Value = QuestionKind> {
    let choice = (prop::collection::vec(option(), 0..4), any::<bool>(), any::<bool>());
    prop_oneof![
        choice.prop_map(|(options, multi, other)| ChoiceQuestion {
            options,
            multi,
            other,
            other_label: None,
            // At an index above the options, now and then.
            other_at: (multi && other).then_some(0),
        }
        .into()),
        any::<bool>().prop_map(|long| TextQuestion { long }.into()),
    ]
}

fn question() -> impl Strategy<Value = Question> {
    (".{0,4}", maybe(), ".{1,12}", maybe(), maybe(), any::<bool>(), kind()).prop_map(
        |(id, label, prompt, detail, placeholder, required, kind)| Question {
            label,
            detail,
            placeholder,
            required,
            ..Question::new(id, prompt, kind)
        },
    )
}

fn rules() -> impl Strategy<Value = Rules> {
    let unit = prop_oneof![Just(LengthUnit::Scalar), Just(LengthUnit::Utf16)];
    let reserved = prop::collection::btree_set(".{0,3}", 0..3);
    (unit, any::<[bool; 13]>(), reserved).prop_map(
        |(length_unit, [a, b, c, d, e, f, g, h, i, j, k, l, m], reserved)| Rules {
            length_unit,
            trim_text: a,
            repeated_picks: b,
            other_alone: c,
            empty_other: d,
            own_answers_match: e,
            must_be_true: f,
            loose_dates: g,
            empty_picks: h,
            loose_single: i,
            blank_text: j,
            unjudged: k,
            some_answer: l,
            own_answers_are_custom: m,
            reserved,
        },
    )
}

/// Returns a strategy for questionnaires, valid or not.
fn any_questionnaire() -> impl Strategy<Value = Questionnaire> {
    let questions = prop::collection::vec(question(), 0..4);
    (maybe(), maybe(), questions, rules()).prop_map(|(title, context, questions, rules)| Questionnaire {
        title,
        context,
        questions,
        rules,
        ..Questionnaire::default()
    })
}

/// Returns a strategy for valid questionnaires, repaired from random ones.
fn valid_questionnaire() -> impl Strategy<Value = Questionnaire> {
    (any_questionnaire(), question()).prop_map(|(mut questionnaire, one_more)| {
        questionnaire.questions.push(one_more);
        for (n, question) in questionnaire.questions.iter_mut().enumerate() {
            question.id = QuestionId::new(format!("{}{n}", question.id));
            question.prompt.push('?');
            let Some(choice) = question.kind.choice_mut() else { continue };
            choice.other |= choice.options.is_empty();
            for (n, option) in choice.options.iter_mut().enumerate() {
                option.id = OptionId::new(format!("{}{n}", option.id));
                option.label.push('.');
            }
        }
        questionnaire
    })
}

fn written(questionnaire: &Questionnaire) -> String {
    questionnaire::write(questionnaire)
}

proptest! {
    #[test]
    fn valid_questionnaire_round_trips(questionnaire in valid_questionnaire()) {
        let wanted = ParsedQuestionnaire { questionnaire: questionnaire.clone(), ignored: Vec::new() };
        prop_assert_eq!(questionnaire::read(&written(&questionnaire)), Ok(wanted));
    }

    #[test]
    fn invalid_questionnaire_round_trips_with_problems(questionnaire in any_questionnaire()) {
        let text = written(&questionnaire);
        let read: Questionnaire = json::read(&text).unwrap();
        prop_assert_eq!(&read, &questionnaire);
        prop_assert_eq!(read.digest(), questionnaire.digest());
        let mut problems = questionnaire.problems();
        problems.extend(questionnaire::lint_problems(&questionnaire));
        let wanted = if problems.is_empty() { Ok(ParsedQuestionnaire { questionnaire, ignored: Vec::new() }) } else { Err(problems) };
        prop_assert_eq!(questionnaire::read(&text), wanted);
    }

    #[test]
    fn as_is_flag_keeps_document_meaning(questionnaire in any_questionnaire()) {
        let text = match written(&questionnaire).as_str() {
            "{}" => "{\"as_is\":true}".to_owned(),
            text => text.replacen('{', "{\"as_is\":true,", 1),
        };
        let problems = questionnaire.problems();
        let wanted = if problems.is_empty() { Ok(questionnaire) } else { Err(problems) };
        prop_assert_eq!(questionnaire::read(&text).map(|read| read.questionnaire), wanted);
    }

    #[test]
    fn random_text_never_panics_reader(text in ".*") {
        let _ = questionnaire::read(&text);
    }

    #[test]
    fn damaged_json_never_panics_reader(
        questionnaire in valid_questionnaire(),
        damage in prop::collection::vec((any::<prop::sample::Index>(), "[\\[\\]{}\",:0-9a-z\\\\ ]{0,3}"), 1..4),
    ) {
        let mut text: Vec<char> = written(&questionnaire).chars().collect();
        for (place, patch) in damage {
            let place = place.index(text.len());
            text.splice(place..=place, patch.chars());
            text.push(' ');
        }
        if let Err(problems) = questionnaire::read(&text.into_iter().collect::<String>()) {
            prop_assert!(!problems.is_empty());
        }
    }
}

fn format_problem(problem: &Problem) -> String {
    format!("{} {}", problem.path.to_json_pointer(), problem.code)
}

/// Checks the problems of a request, each as its path and its code.
fn assert_problems(text: &str, wanted: &[&str]) {
    let problems = read_both(text).unwrap_err();
    assert_eq!(problems.iter().map(format_problem).collect::<Vec<_>>(), wanted, "{text}");
}

#[test]
fn wrong_type_has_path() {
    let table = [
        ("[]", " invalid_type"),
        ("null", " invalid_type"),
        ("{}", "/questions too_small"),
        (r#"{"questions":null}"#, "/questions invalid_type"),
        (r#"{"questions":{"0":1}}"#, "/questions invalid_type"),
        (r#"{"questions":[1]}"#, "/questions/0 invalid_type"),
        (r#"{"questions":[{}]}"#, "/questions/0/prompt required"),
        (r#"{"title":7,"questions":[]}"#, "/title invalid_type"),
        (r#"{"questions":[{"prompt":"p"},{"prompt":["p"]}]}"#, "/questions/1/prompt invalid_type"),
        (r#"{"questions":[{"prompt":"p","id":7}]}"#, "/questions/0/id invalid_type"),
        (r#"{"questions":[{"prompt":"p","kind":"slider"}]}"#, "/questions/0/kind invalid_type"),
        (r#"{"questions":[{"prompt":"p","required":"yes"}]}"#, "/questions/0/required invalid_type"),
        (r#"{"questions":[{"prompt":"p","options":"a,b"}]}"#, "/questions/0/options invalid_type"),
        (
            r#"{"questions":[{"prompt":"p","options":[{"label":"a"},{"label":2}]}]}"#,
            "/questions/0/options/1/label invalid_type",
        ),
        (r#"{"questions":[{"prompt":"p","options":["a",2]}]}"#, "/questions/0/options/1 invalid_type"),
        (
            r#"{"questions":[{"prompt":"p"}],"rules":{"length_unit":"bytes"}}"#,
            "/rules/length_unit invalid_type",
        ),
        (r#"{"questions":[{"prompt":"p"}],"rules":{"trim_text":1}}"#, "/rules/trim_text invalid_type"),
    ];
    for (text, wanted) in table {
        assert_problems(text, &[wanted]);
    }
}

#[test]
fn bare_label_is_an_option() {
    let read = |options: &str| {
        let question = format!(r#"{{"prompt":"?","options":[{options}]}}"#);
        questionnaire::read(&format!(r#"{{"questions":[{question},{question}]}}"#)).unwrap()
    };
    let label = r"a \\ \u00fc".repeat(20);
    let long = "l".repeat(limits::ID_CHARS + 1);
    let short = read(&format!(r#""red",{{"label":"blue"}},"{label}","{long}""#));
    let members = format!(
        r#"{{"id":"red","label":"red"}},{{"id":"o2","label":"blue"}},{{"id":"{label}","label":"{label}"}},{{"label":"{long}"}}"#
    );
    assert_eq!(short, read(&members));
    assert_eq!(short.ignored, []);
    let refused = r#"{"questions":[{"prompt":"p","options":["a","","a"]}]}"#;
    assert_problems(
        refused,
        &["/questions/0/options/2/id duplicate_id", "/questions/0/options/1/label required"],
    );
}

#[test]
fn invalid_json_has_own_code() {
    for text in ["", " ", "{", "{]", "nul", r#"{"questions":[],}"#, r#"{"questions":[]} x"#, "\u{feff}{}"] {
        assert_problems(text, &[" invalid_json"]);
    }
    let place = questionnaire::read("{\n  \"title\": x").unwrap_err().remove(0).message.to_string();
    assert!(place.contains("line 2, column 12"), "{place}");
}

#[test]
fn all_problems_are_reported_together() {
    assert_problems(r#"{"questions":[]}"#, &["/questions too_small"]);
    assert_problems(
        r#"{"questions":[{"id":"a","prompt":""},{"id":"a","prompt":"p","options":[]},{"id":"","prompt":"p"}]}"#,
        &[
            "/questions/1/id duplicate_id",
            "/questions/1/options too_small",
            "/questions/2/id too_small",
            "/questions/0/prompt required",
        ],
    );
    assert_problems(
        r#"{"questions":[{"prompt":"p","options":[{"id":"a","label":""},{"id":"a","label":"b"}]}]}"#,
        &["/questions/0/options/1/id duplicate_id", "/questions/0/options/0/label required"],
    );
    assert_problems(
        r#"{"questions":[{"prompt":"p","id":"q1"},{"prompt":"p"}]}"#,
        &["/questions/1/id duplicate_id"],
    );
}

#[test]
fn limits_are_exact() {
    let questions = |count: usize| {
        let one = r#"{"prompt":"p"},"#.repeat(count);
        format!(r#"{{"questions":[{}]}}"#, one.trim_end_matches(','))
    };
    assert!(questionnaire::read(&questions(limits::QUESTIONS)).is_ok());
    assert_problems(&questions(limits::QUESTIONS + 1), &["/questions too_big"]);
    let options = |count: usize| {
        let one = r#"{"label":"l"},"#.repeat(count);
        format!(r#"{{"questions":[{{"prompt":"p","options":[{}]}}]}}"#, one.trim_end_matches(','))
    };
    assert!(questionnaire::read(&options(limits::OPTIONS)).is_ok());
    assert_problems(&options(limits::OPTIONS + 1), &["/questions/0/options too_big"]);
    let id = |count: usize| format!(r#"{{"questions":[{{"prompt":"p","id":"{}"}}]}}"#, "字".repeat(count));
    assert!(questionnaire::read(&id(limits::ID_CHARS)).is_ok());
    assert_problems(&id(limits::ID_CHARS + 1), &["/questions/0/id too_big"]);
    let patterns = |count: usize| {
        let one = r#"{"prompt":"p","constraints":[{"pattern":"a"}]},"#.repeat(count);
        format!(r#"{{"questions":[{}]}}"#, one.trim_end_matches(','))
    };
    assert!(questionnaire::read(&patterns(budget::PATTERNS)).is_ok());
    assert_problems(&patterns(budget::PATTERNS + 1), &["/questions/200/constraints too_big"]);
    assert_problems(&" ".repeat(limits::REQUEST_BYTES + 1), &[" too_large"]);
    assert_problems(&"[".repeat(limits::JSON_DEPTH + 1), &[" too_deep"]);
}
