//! Hints that show valid alternatives for an invalid member or value.

use crate::samples::read_both;
use sayso_core::Lang;
use sayso_core::wire::questionnaire;

/// Returns the problems of a request, each with its hint.
fn problems_with_hints(request: &str) -> Vec<String> {
    let problems = read_both(request).map_or_else(|problems| problems, |read| read.ignored);
    let line = |problem: sayso_core::Problem| {
        let hint = problem.hint.map(|hint| format!(" {hint}")).unwrap_or_default();
        format!("{}: {}{hint}", problem.path.to_js_path(), problem.message)
    };
    problems.into_iter().map(line).collect()
}

fn problems_of_question(members: &str) -> Vec<String> {
    problems_with_hints(&format!(r#"{{"questions":[{{"prompt":"?",{members}}}]}}"#))
}

#[test]
fn wrong_action_shape_gets_example() {
    let whole = r#"Write it like this: {"tool":"bash","act":{"shell":{"command":"…"}}}."#;
    let act = r#"Write it like this: "act":{"shell":{"command":"…"}}."#;
    let run = r#"Write it like this: "act":{"run":{"argv":["…","…"]}}."#;
    let inside = r#"Move it into act: "act":{"run":{"argv":["…","…"]}}."#;
    for (action, hint) in [
        (r#""rm -rf x""#, whole),
        (r#"{"tool":"bash","act":{"shell":"rm -rf x"}}"#, act),
        (r#"{"tool":"bash","act":"rm -rf x"}"#, act),
        (r#"{"tool":"bash","act":{"run":{"argv":"rm"}}}"#, run),
        (r#"{"tool":"bash","act":{"run":"rm"}}"#, run),
        (r#"{"run":"rm"}"#, inside),
        (r#"{"tool":"bash","run":{"argv":["rm"]}}"#, inside),
    ] {
        let problems =
            problems_with_hints(&format!(r#"{{"action":{action},"questions":[{{"prompt":"?"}}]}}"#));
        assert!(problems.iter().any(|text| text.ends_with(hint)), "{action}: {problems:?}");
    }
}

#[test]
fn shorthand_condition_gets_example() {
    let after = |show_if: &str| {
        problems_with_hints(&format!(
            r#"{{"questions":[{{"id":"lang","prompt":"?","options":["go"]}},{{"prompt":"?","show_if":{show_if}}}]}}"#
        ))
    };
    let place = "questions[1].show_if";
    for (name, value, hint) in [
        ("lang", r#""go""#, r#" Write {"question":"lang","is":"go"} instead."#),
        ("lang", r#"["go"]"#, r#" Write {"question":"lang","any_of":["go"]} instead."#),
        // Close to a member of questions, but not of conditions.
        ("lonk", "true", ""),
        ("anyof", r#"["go"]"#, " Did you mean any_of?"),
    ] {
        let problems = after(&format!(r#"{{"{name}":{value}}}"#));
        let unknown = format!("{place}.{name}: Unknown member \"{name}\".{hint}");
        assert!(problems.contains(&unknown), "{name}: {problems:?}");
    }
    let own = after(r#"{"question":"lang","own_answer":true}"#);
    let wanted = "\"lang\" accepts no answers of the person's own, so this has no effect: write \"other\": true for that question.";
    assert_eq!(own, [format!("{place}.own_answer: {wanted}")]);
}

#[test]
fn hint_names_only_allowed_members() {
    for (members, hint) in [
        (r#""options":[{"label":"a","recomended":true}]"#, " Did you mean recommended?"),
        // `sections` belongs to the questionnaire, and `message` to a constraint.
        (r#""section":"a""#, ""),
        (r#""mesage":"a""#, ""),
        (r#""constraints":[{"max_length":4,"mesage":"a"}]"#, " Did you mean message?"),
    ] {
        let problems = problems_of_question(members);
        assert!(
            problems.len() == 1 && problems[0].ends_with(&format!("it is ignored.{hint}")),
            "{members}: {problems:?}"
        );
    }
}

#[test]
fn refused_request_reports_no_ignored_member() {
    let refused = problems_with_hints(r#"{"questions":[{"promt":"x"}],"titel":"x"}"#);
    assert!(refused.len() == 2 && refused.iter().all(|text| !text.contains("ignored")), "{refused:?}");
    let refused = problems_with_hints(r#"{"questions":[{"prompt":"","promt":"x"}]}"#);
    assert!(refused.len() == 2 && refused.iter().all(|text| !text.contains("ignored")), "{refused:?}");
    let taken = problems_with_hints(r#"{"questions":[{"prompt":"x"}],"titel":"x"}"#);
    assert_eq!(taken, ["titel: Unknown member \"titel\"; it is ignored. Did you mean title?"]);
}

#[test]
fn wrong_type_gets_valid_example() {
    for (members, hint) in [
        (
            r#""constraints":{"fits":true}"#,
            r#""constraints":[{"max_length":40},{"pattern":"^v","message":"…"}]"#,
        ),
        (r#""constraints":[{"fits":"Digits please"}]"#, r#"{"fits":true,"message":"…"}"#),
        (r#""constraints":[{"required":"Please"}]"#, r#"{"required":true,"message":"…"}"#),
        (r#""kind":"date","constraints":[{"min":"01/02/2026"}]"#, r#""2026-03-01""#),
        (r#""kind":"time","constraints":[{"max":"2pm"}]"#, r#""14:30""#),
        (r#""kind":"datetime","constraints":[{"max":1}]"#, r#""2026-03-01T14:30", "2026-03-01T14:30+02:00""#),
        (r#""kind":"number","constraints":[{"max":"a"}]"#, r#"4, "0.25""#),
        (r#""constraints":[{"min_length":-1}]"#, r#"{"min_length":3,"max_length":40}"#),
        (r#""show_if":{"question":"q0","any_of":"a"}"#, r#""any_of":["go","rust"]"#),
        (r#""options":"a""#, r#""options":["red",{"id":"b","label":"blue"}]"#),
        (r#""children":{"prompt":"?"}"#, r#""children":[{"prompt":"…"}]"#),
        (r#""show_if":"go""#, r#"{"question":"lang","is":"go"}"#),
        (r#""kind":"rating","annotations":["a"]"#, r#""annotations":{"1":"bad","5":"good"}"#),
    ] {
        let problems = problems_of_question(members);
        assert!(
            problems.len() == 1 && problems[0].ends_with(&format!(" Write it like this: {hint}.")),
            "{members}: {problems:?}"
        );
    }
    let problem =
        questionnaire::read(r#"{"questions":[{"prompt":"?","options":"a"}]}"#).unwrap_err().remove(0);
    assert!(problem.hint.unwrap().render(Lang::Zh).starts_with("写法示例："));
    assert_eq!(problem.message.render(Lang::Zh), "类型不对：string \"a\"，此处应为数组");
}
