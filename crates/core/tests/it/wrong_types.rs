//! A value of a wrong type is reported in terms of JSON, at any path.

use sayso_core::wire::questionnaire;
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// Collects the paths of all values in a document, as JSON pointers.
fn places(value: &Value, at: &str, found: &mut Vec<String>) {
    found.push(at.to_owned());
    match value {
        Value::Object(members) => {
            for (name, member) in members {
                places(member, &format!("{at}/{name}"), found);
            }
        }
        Value::Array(elements) => {
            for (index, element) in elements.iter().enumerate() {
                places(element, &format!("{at}/{index}"), found);
            }
        }
        _ => {}
    }
}

#[test]
fn internal_types_are_not_named() {
    let whole: Value = serde_json::from_str(include_str!("whole.json")).unwrap();
    let mut all = Vec::new();
    places(&whole, "", &mut all);
    let others = [
        json!(null),
        json!(true),
        json!(-1),
        json!(1.5),
        json!(99_999_999_999_u64),
        json!("word"),
        json!([]),
        json!([1]),
        json!({}),
        json!({ "is": 1 }),
        json!({ "run": [], "shell": 2 }),
        json!({ "shell": 1 }),
        json!({ "run": 1 }),
    ];
    let mut known_words = BTreeSet::new();
    for place in all {
        for other in &others {
            let mut document = whole.clone();
            *document.pointer_mut(&place).unwrap() = other.clone();
            let problems = questionnaire::read(&document.to_string()).err().unwrap_or_default();
            known_words.extend(problems.into_iter().map(|problem| problem.message.to_string()));
        }
    }
    assert!(known_words.len() > 50, "{known_words:?}");
    let ours = |known_words: &&String| {
        let is_number = |word: &str| {
            word.strip_prefix(['i', 'u', 'f'])
                .is_some_and(|bits| ["8", "16", "32", "64", "size"].contains(&bits))
        };
        let mut words = known_words.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
        let names =
            ["struct", "enum", "variant", "tuple", "sequence", "map", "identifier", "unit", "untagged"];
        known_words.contains("::") || words.any(|word| is_number(word) || names.contains(&word))
    };
    let left: Vec<_> = known_words.iter().filter(ours).collect();
    assert!(left.is_empty(), "{left:#?}");
}

#[test]
fn expected_type_is_named() {
    let output_of = |request: &str| questionnaire::read(request).err().unwrap()[0].message.to_string();
    for (request, expected) in [
        (r#"{"questions":1}"#, "integer `1`, expected an array"),
        (r#"{"questions":{}}"#, "object, expected an array"),
        (r#"{"questions":[{"prompt":[]}]}"#, "array, expected a string"),
        (
            r#"{"questions":[{"kind":"rating","prompt":"x","min":"a"}]}"#,
            "string \"a\", expected a whole number",
        ),
        (
            r#"{"questions":[{"kind":"rating","prompt":"x","max":9999999999}]}"#,
            "integer `9999999999`, expected a whole number from -2147483648 to 2147483647",
        ),
        (
            r#"{"action":{"tool":"t","act":{"shell":1}},"questions":[{"prompt":"x"}]}"#,
            "integer `1`, expected an object",
        ),
        (
            r#"{"action":{"tool":"t","act":1},"questions":[{"prompt":"x"}]}"#,
            "expected a string, or an object with one member",
        ),
    ] {
        assert!(output_of(request).ends_with(expected), "{request}: {}", output_of(request));
    }
}

#[test]
fn wrong_prefill_gets_example() {
    for prefill in ["4", "\"x\"", r#"{"x":1}"#] {
        let request = format!(r#"{{"questions":[{{"prompt":"?","kind":"number","prefill":{prefill}}}]}}"#);
        let problem = questionnaire::read(&request).err().unwrap().remove(0);
        assert!(problem.hint.unwrap().to_string().contains(r#"{"number":4}"#), "{prefill}");
    }
}

#[test]
fn reversed_rating_scale_is_refused() {
    let output_of = |bounds: &str| {
        let request = format!(r#"{{"questions":[{{"prompt":"?","kind":"rating",{bounds}}}]}}"#);
        questionnaire::read(&request).err().unwrap()[0].message.to_string()
    };
    assert_eq!(output_of(r#""min":5,"max":1"#), "The highest step, 1, is not above the lowest, 5.");
    assert_eq!(output_of(r#""min":6"#), "The highest step, 5, is not above the lowest, 6.");
    assert_eq!(output_of(r#""min":0,"max":100"#), "A rating has 2 to 100 steps.");
}

/// Returns the hints for a request of one question with these members.
fn hints(members: &str) -> Vec<String> {
    let request = format!(r#"{{"questions":[{{{members}}}]}}"#);
    let problems = questionnaire::read(&request).map_or_else(|problems| problems, |read| read.ignored);
    problems.into_iter().filter_map(|problem| Some(problem.hint?.to_string())).collect()
}

#[test]
fn foreign_member_names_get_hints() {
    let at_a_rating =
        r#"For a rating it must be a whole number; otherwise write "constraints": [{"max": …}]."#;
    for (members, hint) in [
        (r#""prompt":"?","kind":"number","min":0"#, r#"Write "constraints": [{"min": …}] instead."#),
        (r#""prompt":"?","kind":"date","max":"2026-01-01""#, at_a_rating),
        (r#""prompt":"?","kind":"rating","max":"5""#, at_a_rating),
        (r#""prompt":"?","kind":"multiselect""#, r#"Write "kind": "choice", "multi": true instead."#),
        (r#""prompt":"?","maxLength":4"#, r#"Write "constraints": [{"max_length": …}] instead."#),
        (r#""prompt":"?","options":["a"],"multiSelect":true"#, "Did you mean multi?"),
        (r#""prompt":"?","options":["a"],"multiple":true"#, "Did you mean multi?"),
        (r#""prompt":"?","options":[{"label":"a","desc":"x"}]"#, "Did you mean description?"),
        (r#""prompt":"?","choices":["a"]"#, "Did you mean options?"),
        (r#""prompt":"?","type":"number""#, "Did you mean kind?"),
        (r#""prompt":"?","kind":"boolean""#, "Did you mean confirm?"),
        (r#""prompt":"?","number":{}"#, r#"Write "kind": "number" instead."#),
        (r#""prompt":"?","optional":true"#, r#"Write "required": false instead."#),
        (r#""prompt":"?","detial":"?""#, "Did you mean detail?"),
        (r#""text":"?""#, "Did you mean prompt?"),
    ] {
        assert_eq!(hints(members), [hint], "{members}");
    }
    let length = hints(r#""prompt":"?","type":"string","maxLength":4"#);
    assert_eq!(length, ["Did you mean kind?", r#"Write "constraints": [{"max_length": …}] instead."#]);
    let children = r#""prompt":"?","children":[{"prompt":"?","allow_other":true}]"#;
    assert_eq!(hints(children), ["Did you mean other?"]);
    assert_eq!(hints(r#""prompt":"?","kind":"confirm","emoji":true"#), [] as [&str; 0]);
    for members in [r#""kind":"number","default":4"#, r#""options":["a"],"prefill":{"picks":["a"]}"#] {
        let text = hints(&format!(r#""prompt":"?",{members}"#));
        assert!(text.iter().any(|hint| hint.contains(r#"{"number":4}"#)), "{members}: {text:?}");
    }
}

#[test]
fn hints_keep_valid_members() {
    for members in [
        r#""prompt":"?","text":"x""#,
        r#""prompt":"?","promt":"x""#,
        r#""prompt":"?","detail":"y","description":"x""#,
        r#""prompt":"?","options":["a"],"choices":["b"]"#,
        r#""prompt":"?","options":[{"label":"a","name":"b"}]"#,
        r#""prompt":"?","kind":"number","boolean":true"#,
        r#""prompt":"?","required":true,"optional":true"#,
        r#""prompt":"?","kind":"number","max_length":3"#,
        r#""prompt":"?","kind":"number","maxLength":3"#,
        r#""prompt":"?","kind":"confirm","pattern":"a""#,
        r#""prompt":"?","options":["a"],"min_length":3"#,
        r#""prompt":"?","min_picks":1"#,
    ] {
        assert_eq!(hints(members), [] as [&str; 0], "{members}");
    }
    let picks = r#""prompt":"?","type":"checkbox","choices":["a"],"minPicks":1"#;
    assert!(hints(picks).contains(&r#"Write "constraints": [{"min_picks": …}] instead."#.to_owned()));
}
