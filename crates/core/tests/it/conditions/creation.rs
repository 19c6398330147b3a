//! Problems of conditions in a new questionnaire: each with its path as written, and its code.

use crate::samples::read_both;
use sayso_core::wire::questionnaire;
use sayso_core::{
    Answer, AnswerCheck, Condition, ConditionTest, Problem, ProblemCode, Question, QuestionId, Questionnaire,
    Section, SectionId, TextQuestion, limits,
};

pub(super) fn format_problem(problem: &Problem) -> String {
    let hint = problem.hint.as_ref().map_or(String::new(), |hint| format!(" ({hint})"));
    format!("{} {}{hint}", problem.path.to_json_pointer(), problem.code)
}

pub(super) fn problems(text: &str) -> Vec<String> {
    read_both(text).err().unwrap_or_default().iter().map(format_problem).collect()
}

/// Checks the problems of questions; `wanted` is the text between brackets.
#[track_caller]
pub(super) fn assert_problems(questions: &str, wanted: &[&str]) {
    let text = format!(r#"{{"questions":[{questions}]}}"#);
    assert_eq!(problems(&text), wanted, "{text}");
}

const FIRST: &str =
    r#"{"id":"lang","prompt":"?","options":[{"id":"rust","label":"Rust"},{"id":"go","label":"Golang"}]}"#;

/// Returns a question after the one above, with this condition.
fn question_after(condition: &str) -> String {
    format!(r#"{FIRST},{{"id":"next","prompt":"?","show_if":{condition}}}"#)
}

#[test]
fn condition_refers_to_earlier_questions() {
    let table = [
        (r#"{"question":"next","is":"x"}"#, "/questions/1/show_if/question bad_condition"),
        (r#"{"question":"last","is":"x"}"#, "/questions/1/show_if/question bad_condition"),
        (
            r#"{"question":"lamg","is":"rust"}"#,
            "/questions/1/show_if/question no_such_question (Did you mean \"lang\"?)",
        ),
        (r#"{"question":"whatever","is":"x"}"#, "/questions/1/show_if/question no_such_question"),
        (
            r#"{"question":"lang","is":"rsut"}"#,
            "/questions/1/show_if/is no_such_option (Did you mean \"rust\"?)",
        ),
        (
            r#"{"question":"lang","is":"rus"}"#,
            "/questions/1/show_if/is no_such_option (Did you mean \"rust\"?)",
        ),
        (
            r#"{"question":"lang","any_of":["go","ruts","rust"]}"#,
            "/questions/1/show_if/any_of no_such_option (Did you mean \"rust\"?)",
        ),
        (r#"{"question":"lang","is":true}"#, "/questions/1/show_if/is bad_condition"),
        (r#"{"question":"lang","is":["rust"]}"#, "/questions/1/show_if/is invalid_type"),
        (r#"{"is":"rust"}"#, "/questions/1/show_if required"),
        (r#"{"question":"lang"}"#, "/questions/1/show_if bad_condition"),
        (r#"{}"#, "/questions/1/show_if bad_condition"),
        (r#"{"question":"lang","is":"rust","answered":true}"#, "/questions/1/show_if bad_condition"),
        (r#"{"all":[],"any":[]}"#, "/questions/1/show_if bad_condition"),
        (
            r#"{"question":"lang","is":"rust","not":{"question":"lang","is":"go"}}"#,
            "/questions/1/show_if bad_condition",
        ),
        (
            r#"{"all":[{"question":"lang","is":"go"},{"any":[{"not":{"question":"lang","is":"java"}}]}]}"#,
            "/questions/1/show_if/all/1/any/0/not/is no_such_option",
        ),
        (r#"{"any":[{"question":"lang","is":"go"},{}]}"#, "/questions/1/show_if/any/1 bad_condition"),
    ];
    for (condition, wanted) in table {
        assert_problems(&format!(r#"{},{{"id":"last","prompt":"?"}}"#, question_after(condition)), &[wanted]);
    }
    assert_problems(
        &format!(r#"{{"id":"zero","prompt":"?","show_if":{{"question":"lang","is":"go"}}}},{FIRST}"#),
        &["/questions/0/show_if/question bad_condition"],
    );
}

/// A question next to `all` or `any` applies to none of the parts: a part without one would silently mean the parent.
#[test]
fn question_next_to_all_is_refused() {
    let text = format!(
        r#"{{"questions":[{FIRST},{{"prompt":"?","kind":"confirm","children":[
            {{"prompt":"?","show_if":{{"question":"lang","any":[{{"answered":true}}]}}}}]}}]}}"#
    );
    let is_told = questionnaire::read(&text).map_or(true, |read| !read.ignored.is_empty());
    assert!(is_told, "{text}");
}

#[test]
fn check_must_suit_question_kind() {
    let kinds = [
        r#""options":[{"id":"1a","label":"A"}]"#,
        r#""options":[{"id":"1a","label":"A"}],"multi":true,"other":true"#,
        r#""kind":"text""#,
        r#""kind":"confirm""#,
        r#""kind":"rating""#,
        r#""kind":"number""#,
        r#""kind":"date""#,
        r#""kind":"time""#,
        r#""kind":"datetime""#,
    ];
    // Checks that each kind above takes: single, several, text, confirm, rating, number, date, time, datetime.
    let table = [
        (r#""answered":true"#, "yyyyyyyyy"),
        (r#""is":"1a""#, "yyy......"),
        (r#""is":true"#, "...y....."),
        (r#""is":1"#, "....yy..."),
        (r#""is":"2026-03-01""#, "..y...y.."),
        (r#""is":"14:30""#, "..y....y."),
        (r#""is":"2026-03-01T14:30""#, "..y.....y"),
        (r#""any_of":["1a"]"#, "yyy......"),
        (r#""none_of":[1,2]"#, "....yy..."),
        (r#""all_of":["1a"]"#, ".y......."),
        (r#""own_answer":true"#, ".y......."),
        (r#""at_least":1"#, "....yy..."),
        (r#""at_most":"2026-03-01""#, "......y.."),
        (r#""at_most":"24:00""#, "........."),
        (r#""at_least":"2026-02-30""#, "........."),
    ];
    for (check, suits) in table {
        for (kind, suits) in kinds.into_iter().zip(suits.chars()) {
            let text = format!(
                r#"{{"questions":[{{"id":"p","prompt":"?",{kind}}},{{"prompt":"?","show_if":{{"question":"p",{check}}}}}]}}"#
            );
            let found = problems(&text);
            assert_eq!(found.is_empty(), suits == 'y', "{check} {kind} {found:?}");
            let member = check.split('"').nth(1).unwrap();
            let place = format!("/questions/1/show_if/{member} ");
            assert!(found.iter().all(|problem| problem.starts_with(&place)), "{found:?}");
        }
    }
    assert_problems(
        &question_after(r#"{"question":"lang","at_least":1}"#),
        &["/questions/1/show_if/at_least bad_condition"],
    );
    assert_problems(
        &question_after(r#"{"question":"lang","own_answer":true}"#),
        &["/questions/1/show_if/own_answer bad_condition"],
    );
}

#[test]
fn condition_size_is_limited() {
    let tests = |count: usize| {
        let one = r#"{"question":"lang","is":"go"}"#;
        format!(r#"{{"any":[{},{{"not":{one}}}]}}"#, vec![one; count - 1].join(","))
    };
    assert_problems(&question_after(&tests(limits::CONDITION_NODES - 2)), &[]);
    assert_problems(&question_after(&tests(limits::CONDITION_NODES - 1)), &["/questions/1/show_if too_big"]);
}

#[test]
fn follow_up_depth_is_limited() {
    let nested = |depth: usize| {
        (0..depth).fold(r#"{"prompt":"?"}"#.to_owned(), |inner, _| {
            format!(r#"{{"prompt":"?","children":[{inner}]}}"#)
        })
    };
    assert_problems(&nested(limits::NESTING), &[]);
    let place = format!("/questions/0{} too_deep", "/children/0".repeat(limits::NESTING + 1));
    assert_problems(&nested(limits::NESTING + 1), &[&place]);
}

#[test]
fn section_errors_are_reported() {
    let table = [
        (r#"{"sections":[{"questions":[]}]}"#, &["/sections/0/questions too_small"] as &[_]),
        (
            r#"{"sections":[{"questions":[{"prompt":"?"}]},{"questions":[]}]}"#,
            &["/sections/1/questions too_small"],
        ),
        (
            r#"{"sections":[{"id":"s","questions":[{"prompt":"?"}]},{"id":"s","questions":[{"prompt":"?"}]}]}"#,
            &["/sections/1/id duplicate_id"],
        ),
        (r#"{"sections":[{"id":"","questions":[{"prompt":"?"}]}]}"#, &["/sections/0/id too_small"]),
        (r#"{"sections":[{"title":"t"}]}"#, &["/sections/0/questions required"]),
        (
            r#"{"questions":[{"prompt":"?"}],"sections":[{"questions":[{"prompt":"?"}]}]}"#,
            &["/sections invalid_value"],
        ),
        (
            r#"{"sections":[{"show_if":{"question":"a","answered":true},"questions":[{"id":"a","prompt":"?"}]}]}"#,
            &["/sections/0/show_if/question bad_condition"],
        ),
        (
            r#"{"sections":[{"questions":[{"id":"a1","prompt":"?"}]},{"show_if":{"question":"a2","answered":true},"questions":[{"id":"b1","prompt":"?"}]}]}"#,
            &["/sections/1/show_if/question no_such_question (Did you mean \"a1\"?)"],
        ),
        (
            r#"{"sections":[{"show_if":{"answered":true},"questions":[{"prompt":"?"}]}]}"#,
            &["/sections/0/show_if required"],
        ),
        (
            r#"{"sections":[{"questions":[{"prompt":"?"}]},{"questions":[{"prompt":"?","children":[{"prompt":""}]}]}]}"#,
            &["/sections/1/questions/0/children/0/prompt required"],
        ),
    ];
    for (text, wanted) in table {
        assert_eq!(problems(text), wanted, "{text}");
    }
}

/// The schema limits the number of sections, and an excess is reported once, not for each of them.
#[test]
fn section_count_is_limited() {
    let sections = vec![r#"{"questions":[]}"#; limits::QUESTIONS + 1].join(",");
    let found = problems(&format!(r#"{{"sections":[{sections}]}}"#));
    assert!(
        found.contains(&"/sections too_big".to_owned()),
        "{} problems, first {:?}",
        found.len(),
        found.first()
    );
}

#[test]
fn member_of_other_kind_is_refused() {
    let table = [
        (r#""kind":"text","options":[{"label":"A"}]"#, "options"),
        (r#""multi":true"#, "multi"),
        (r#""kind":"number","other":true"#, "other"),
        (r#""kind":"confirm","other_label":"Else""#, "other_label"),
        (r#""options":[{"label":"A"}],"long":true"#, "long"),
        (r#""yes":"Sure""#, "yes"),
        (r#""kind":"date","no":"Never""#, "no"),
        (r#""kind":"confirm","min":1"#, "min"),
        (r#""kind":"confirm","max":5"#, "max"),
        (r#""kind":"text","emoji":true"#, "emoji"),
        (r#""kind":"choice","options":[{"label":"A"}],"annotations":{"1":"bad"}"#, "annotations"),
        (r#""kind":"rating","step":1"#, "step"),
    ];
    for (members, name) in table {
        assert_problems(
            &format!(r#"{{"prompt":"?",{members}}}"#),
            &[&format!("/questions/0/{name} invalid_value")],
        );
    }
    assert_problems(
        r#"{"prompt":"?","kind":"rating","min":0,"max":10,"emoji":true,"annotations":{"0":"bad"}}"#,
        &[],
    );
    assert_problems(r#"{"prompt":"?","kind":"rating","min":5}"#, &["/questions/0/max invalid_value"]);
    assert_problems(
        r#"{"prompt":"?","kind":"rating","min":-2147483648,"max":2147483647}"#,
        &["/questions/0/max invalid_value"],
    );
    assert_problems(r#"{"prompt":"?","kind":"number","step":0}"#, &["/questions/0/step invalid_value"]);
    assert_problems(r#"{"prompt":"?","kind":"number","step":-0.5}"#, &["/questions/0/step invalid_value"]);
}

fn plain(id: &str, parent: Option<&str>, section: Option<&str>) -> Question {
    let (parent, section) = (parent.map(QuestionId::new), section.map(SectionId::new));
    Question { parent, section, ..Question::new(id, "?", TextQuestion::default()) }
}

/// Dialects build questionnaires without our JSON, so a wrong order must be detected there as well.
#[test]
fn misplaced_question_is_reported() {
    let places = |sections: &[&str], questions: Vec<Question>| -> Vec<String> {
        let sections = sections.iter().map(|id| Section::new(*id)).collect();
        Questionnaire { sections, questions, ..Questionnaire::default() }
            .problems()
            .iter()
            .map(format_problem)
            .collect()
    };
    let none = Vec::<String>::new();
    let (a, b) = (plain("a", None, None), plain("b", Some("a"), None));
    assert_eq!(places(&[], vec![a.clone(), b.clone(), plain("c", Some("a"), None)]), none);
    assert_eq!(places(&[], vec![b.clone(), a.clone()]), ["/questions/0 invalid_value"]);
    assert_eq!(places(&[], vec![plain("a", Some("a"), None)]), ["/questions/0 invalid_value"]);
    assert_eq!(
        places(&[], vec![a.clone(), plain("x", None, None), b]),
        ["/questions/0/children/0 invalid_value"]
    );
    assert_eq!(
        places(&["s"], vec![plain("a", None, Some("s")), plain("b", None, None)]),
        ["/questions/0 invalid_value"]
    );
    assert_eq!(places(&[], vec![plain("a", None, Some("s"))]), ["/questions/0 invalid_value"]);
    let (s, t) = (Some("s"), Some("t"));
    let mixed = vec![plain("a", None, s), plain("b", None, t), plain("c", None, s)];
    assert_eq!(places(&["s", "t"], mixed), ["/sections/0/questions/1 invalid_value"]);
    assert_eq!(places(&["s", "t"], vec![plain("a", None, s), plain("b", Some("a"), t)]).len(), 1);
}

#[test]
fn invalid_questionnaire_asks_nothing_extra() {
    let ahead = Condition::Test(ConditionTest {
        question: QuestionId::new("b"),
        check: AnswerCheck::Answered(false),
    });
    let first = Question { show_if: Some(ahead), ..plain("a", None, None) };
    let made = Questionnaire { questions: vec![first, plain("b", None, None)], ..Questionnaire::default() };
    assert_eq!(made.problems()[0].code, ProblemCode::BadCondition);
    let replies =
        [(QuestionId::new("a"), sayso_core::Reply::from_answer(Answer::Text("x".to_owned())))].into();
    let sheet = sayso_core::Sheet::new(made.into(), replies);
    assert!(!sheet.is_asked(0) && sheet.is_asked(1));
}

#[test]
fn empty_section_condition_is_checked() {
    let text = |named: &str| {
        format!(
            r#"{{"as_is":true,"sections":[{{"id":"a","questions":[{{"id":"q","prompt":"?"}}]}},
                {{"id":"b","show_if":{{"question":"{named}","answered":true}},"questions":[]}}]}}"#
        )
    };
    assert!(questionnaire::read(&text("q")).is_ok());
    let problems = questionnaire::read(&text("nope")).unwrap_err();
    assert_eq!(problems[0].path.to_json_pointer(), "/sections/1/show_if/question", "{problems:?}");
}
