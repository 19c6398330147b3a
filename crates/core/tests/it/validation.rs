//! Validation of answers: every requirement on every kind at its boundary, the message reported, and the answer sent.

use crate::conditions::{read, sheet};
use sayso_core::{Answer, Pick, QuestionId, Replies, Reply, ReplyContent, Sheet, limits};

/// The rules, a question, an answer, and the codes of its problems.
type ValidationCase<'r> = (&'r str, &'r str, &'r str, &'r str);

/// Returns the codes that block the submission of one answer, separated by spaces.
fn submission_codes(rules: &str, question: &str, answer: &str) -> String {
    let made = read(&format!(
        r#"{{"as_is":true,"rules":{{{rules}}},"questions":[{{"id":"q","prompt":"?",{question}}}]}}"#
    ));
    let problems = sheet(&made, &format!(r#""q":{answer}"#)).problems();
    assert!(problems.iter().all(|problem| problem.path.to_json_pointer() == "/answers/q"), "{problems:?}");
    problems.iter().map(|problem| problem.code.as_str()).collect::<Vec<_>>().join(" ")
}

fn judged(table: &[ValidationCase<'_>]) {
    for (rules, question, answer, wanted) in table {
        assert_eq!(submission_codes(rules, question, answer), *wanted, "{rules} {question} {answer}");
    }
}

const MULTI: &str = r#""multi":true,"other":true,"options":[{"id":"a","label":"A"},{"id":"b","label":"B"},{"id":"c","label":"C"}]"#;
const UTF16: &str = r#""length_unit":"utf16""#;

#[test]
fn lengths_count_trimmed_text() {
    let three = r#""constraints":[{"min_length":3},{"max_length":4}]"#;
    let untrimmed = r#""trim_text":false"#;
    judged(&[
        ("", three, r#""ab""#, "too_small"),
        ("", three, r#""abc""#, ""),
        ("", three, r#""abcd""#, ""),
        ("", three, r#""abcde""#, "too_big"),
        ("", three, r#"" ab \n""#, "too_small"),
        ("", three, r#""\u3000abcd  ""#, ""),
        (untrimmed, three, r#"" ab""#, ""),
        (untrimmed, three, r#"" abcd""#, "too_big"),
        ("", three, r#""字字""#, "too_small"),
        ("", three, r#""字字字""#, ""),
        (UTF16, three, r#""字字""#, "too_small"),
        (UTF16, three, r#""字字字""#, ""),
        ("", three, r#""🦀🦀""#, "too_small"),
        (UTF16, three, r#""🦀🦀""#, ""),
        ("", three, r#""🦀🦀🦀""#, ""),
        (UTF16, three, r#""🦀🦀🦀""#, "too_big"),
        (UTF16, three, r#""🦀a""#, ""),
        // An emoji of a family of three is five scalar values and eight UTF-16 units.
        ("", three, r#""👨‍👩‍👧""#, "too_big"),
        ("", r#""constraints":[{"max_length":5}]"#, r#""👨‍👩‍👧""#, ""),
        (UTF16, r#""constraints":[{"max_length":8}]"#, r#""👨‍👩‍👧""#, ""),
        (UTF16, r#""constraints":[{"max_length":7}]"#, r#""👨‍👩‍👧""#, "too_big"),
        ("", r#""constraints":[{"max_length":0}]"#, r#""a""#, "too_big"),
        ("", r#""constraints":[{"min_length":0}]"#, r#""a""#, ""),
    ]);
}

#[test]
fn pick_count_includes_own_answer() {
    let some = &format!(r#"{MULTI},"constraints":[{{"min_picks":2}},{{"max_picks":3}}]"#);
    let single = r#""options":[{"id":"a","label":"A"}],"constraints":[{"min_picks":2}]"#;
    let repeated = r#""repeated_picks":true"#;
    let alone = r#""other_alone":true"#;
    let reserved = r#""reserved":["b"]"#;
    judged(&[
        ("", some, r#"["a"]"#, "too_small"),
        ("", some, r#"["a","b"]"#, ""),
        ("", some, r#"["a",{"other":"x"}]"#, ""),
        ("", some, r#"["a","b","c"]"#, ""),
        ("", some, r#"["a","b","c",{"other":"x"}]"#, "too_big"),
        ("", some, r#"["a","a"]"#, "invalid_value"),
        (repeated, some, r#"["a","a"]"#, ""),
        (repeated, some, r#"["a","a","a","a"]"#, "too_big"),
        (repeated, some, r#"[{"other":"x"},{"other":"x"}]"#, "invalid_value"),
        (alone, MULTI, r#"["a",{"other":"x"}]"#, "invalid_value"),
        (alone, MULTI, r#"[{"other":"x"},"a"]"#, "invalid_value"),
        (alone, MULTI, r#"[{"other":"x"}]"#, ""),
        ("", MULTI, r#"["a",{"other":" "}]"#, "needs_answer"),
        ("", MULTI, r#"[{"other":" "}]"#, "needs_answer"),
        (r#""empty_other":true"#, MULTI, r#"[{"other":" "}]"#, ""),
        (reserved, MULTI, r#"["a",{"other":" b\n"}]"#, "invalid_value"),
        (reserved, MULTI, r#"["b",{"other":"B"}]"#, ""),
        ("", MULTI, "[]", "needs_answer"),
        ("", single, r#""a""#, "too_small"),
        ("", r#""options":[{"id":"a","label":"A"}]"#, r#"{"other":"x"}"#, "invalid_value"),
        ("", r#""options":[{"id":"a","label":"A"},{"id":"b","label":"B"}]"#, r#"["a","b"]"#, "too_big"),
    ]);
}

#[test]
fn numbers_are_compared_exactly() {
    let range = r#""kind":"number","constraints":[{"min":0.1},{"max":0.3}]"#;
    let tenths = r#""kind":"number","constraints":[{"multiple_of":0.1}]"#;
    let large = r#""kind":"number","constraints":[{"max":"9007199254740993"}]"#;
    let rating = r#""kind":"rating","constraints":[{"min":2},{"max":3.5}]"#;
    judged(&[
        ("", range, "0.1", ""),
        ("", range, r#""0.10""#, ""),
        ("", range, r#""0.09999999999999999""#, "too_small"),
        ("", range, "0.3", ""),
        ("", range, r#""0.30000000000000004""#, "too_big"),
        ("", range, "-0.2", "too_small"),
        ("", tenths, "0.3", ""),
        ("", tenths, "0.7", ""),
        ("", tenths, "-1.2", ""),
        ("", tenths, "0", ""),
        ("", tenths, "0.35", "invalid_value"),
        ("", large, "9007199254740993", ""),
        ("", large, "9007199254740994", "too_big"),
        ("", rating, "1", "too_small"),
        ("", rating, "2", ""),
        ("", rating, "3", ""),
        ("", rating, "4", "too_big"),
        // A rating off the scale is not of the kind, so constraints do not apply.
        ("", rating, "6", "invalid_type"),
        ("", rating, "0", "invalid_type"),
    ]);
}

#[test]
fn dates_and_times_compare_chronologically() {
    let date = r#""kind":"date","constraints":[{"min":"2026-02-28"},{"max":"2026-03-01"}]"#;
    let time = r#""kind":"time","constraints":[{"min":"09:00"},{"max":"17:30"}]"#;
    let zoned =
        r#""kind":"datetime","constraints":[{"min":"2026-03-01T00:00+09:00"},{"max":"2026-03-01T00:00Z"}]"#;
    let local = r#""kind":"datetime","constraints":[{"min":"2026-03-01T09:00"}]"#;
    judged(&[
        ("", date, r#""2026-02-27""#, "too_small"),
        ("", date, r#""2026-02-28""#, ""),
        ("", date, r#""2026-03-01""#, ""),
        ("", date, r#""2026-03-02""#, "too_big"),
        ("", time, r#""8:59:59""#, "too_small"),
        ("", time, r#""9:00""#, ""),
        ("", time, r#""17:30:00""#, ""),
        ("", time, r#""17:30:01""#, "too_big"),
        ("", zoned, r#""2026-02-28T15:00Z""#, ""),
        ("", zoned, r#""2026-02-28T14:59:59Z""#, "too_small"),
        ("", zoned, r#""2026-03-01T01:00+01:00""#, ""),
        ("", zoned, r#""2026-03-01T00:00-00:01""#, "too_big"),
        // Without an offset on either side, civil times are compared.
        ("", zoned, r#""2026-03-01T00:00""#, ""),
        ("", local, r#""2026-03-01T09:00Z""#, ""),
        ("", local, r#""2026-03-01T08:59+05:00""#, "too_small"),
    ]);
}

#[test]
fn first_failed_requirement_is_reported() {
    let words = |question: &str, answer: &str| -> Vec<String> {
        let made = read(&format!(r#"{{"questions":[{{"id":"q","prompt":"?",{question}}}]}}"#));
        sheet(&made, &format!(r#""q":{answer}"#))
            .problems()
            .iter()
            .map(|problem| problem.message.to_string())
            .collect()
    };
    let ordered = r#""constraints":[{"pattern":"^[a-z]+$","message":"small letters"},{"min_length":4},{"max_length":6,"message":"short"},{"required":true,"message":"say it"}]"#;
    assert_eq!(words(ordered, r#""A""#), ["small letters"]);
    assert_eq!(words(ordered, r#""abc""#), ["Write at least 4 characters."]);
    assert_eq!(words(ordered, r#""abcdefg""#), ["short"]);
    assert_eq!(words(ordered, r#"" abcd ""#), [""; 0]);
    // The message for a missing answer is used for that only, at any position.
    assert_eq!(words(ordered, r#""  ""#), ["say it"]);
    assert_eq!(words(ordered, "null"), ["say it"]);
    assert_eq!(
        words(r#""prompt_":1,"constraints":[{"min_length":2}]"#, "null"),
        ["This question needs an answer"]
    );
    // A message for a missing answer does not make a question required.
    assert_eq!(
        words(r#""required":false,"constraints":[{"required":true,"message":"say it"}]"#, "null"),
        [""; 0]
    );
    assert_eq!(
        words(
            &format!(r#"{MULTI},"constraints":[{{"min_picks":1}},{{"required":true,"message":"pick"}}]"#),
            "[]"
        ),
        ["pick"]
    );
}

#[test]
fn skipped_required_question_is_refused() {
    judged(&[
        ("", r#""kind":"confirm""#, r#"{"state":"skipped"}"#, "needs_answer"),
        ("", r#""kind":"confirm","required":false"#, r#"{"state":"skipped"}"#, ""),
        ("", r#""kind":"confirm""#, "false", ""),
        ("", r#""kind":"number""#, "0", ""),
    ]);
}

#[test]
fn required_confirm_refuses_no() {
    let rule = r#""must_be_true":true"#;
    judged(&[
        (rule, r#""kind":"confirm""#, "false", "needs_answer"),
        (rule, r#""kind":"confirm""#, "true", ""),
        (rule, r#""kind":"confirm","required":false"#, "false", ""),
        (rule, r#""kind":"confirm","constraints":[{"required":true,"message":"!"}]"#, "null", "needs_answer"),
    ]);
    let made = read(
        r#"{"rules":{"must_be_true":true},"questions":[{"id":"q","prompt":"?","kind":"confirm","required":false}]}"#,
    );
    assert_eq!(
        sheet(&made, r#""q":false"#).submission().unwrap().replies[&QuestionId::new("q")],
        Reply::from_answer(Answer::Confirm(false))
    );
}

#[test]
fn optional_section_is_all_or_nothing() {
    let made = |rules: &str| {
        read(&format!(
            r#"{{"rules":{{{rules}}},"sections":[{{"id":"s","optional":true,"questions":[
                {{"id":"name","prompt":"?"}},{{"id":"ok","prompt":"?","kind":"confirm"}},{{"id":"tags","prompt":"?",{MULTI},"required":false}}]}},
                {{"id":"t","questions":[{{"id":"end","prompt":"?","required":false}}]}}]}}"#
        ))
    };
    let missing = |rules: &str, given: &str| -> String {
        let problems = sheet(&made(rules), given).problems();
        problems
            .iter()
            .map(|problem| problem.path.to_json_pointer().replace("/answers/", ""))
            .collect::<Vec<_>>()
            .join(" ")
    };
    let must = r#""must_be_true":true"#;
    let table = [
        ("", "", ""),
        ("", r#""name":" ","tags":[],"ok":null"#, ""),
        ("", r#""name":{"state":"skipped"}"#, ""),
        ("", r#""end":"x""#, ""),
        ("", r#""tags":["a"]"#, "name ok"),
        ("", r#""name":"x""#, "ok"),
        ("", r#""ok":false"#, "name"),
        (must, r#""ok":false"#, ""),
        (must, r#""ok":false,"tags":["a"]"#, "name ok"),
        (must, r#""ok":true"#, "name"),
    ];
    for (rules, given, wanted) in table {
        assert_eq!(missing(rules, given), wanted, "{rules} {given}");
        assert_eq!(
            sheet(&made(rules), given).is_required(0),
            !missing(rules, given).is_empty() || given.contains("name\":\"x"),
            "{given}"
        );
    }
}

/// An optional answer is sent too.
#[test]
fn no_in_omitted_section_is_sent() {
    let made = read(
        r#"{"rules":{"must_be_true":true},"sections":[{"optional":true,"questions":[{"id":"ok","prompt":"?","kind":"confirm"}]}]}"#,
    );
    let sent = sheet(&made, r#""ok":false"#).submission().unwrap();
    assert_eq!(sent.replies[&QuestionId::new("ok")], Reply::from_answer(Answer::Confirm(false)));
}

#[test]
fn unchecked_answer_is_validated_on_submission() {
    let made = read(
        r#"{"questions":[{"id":"q","prompt":"?","unchecked":true,"constraints":[{"min_length":9}]},
            {"id":"n","prompt":"?","kind":"rating","unchecked":true}]}"#,
    );
    let mut sheet = Sheet::new(made, Replies::new());
    sheet.set_reply(&QuestionId::new("q"), Reply::from_text("x"));
    sheet.set_reply(&QuestionId::new("n"), Reply::from_answer(Answer::Rating(9)));
    assert_eq!((sheet.problems_at(0), sheet.problems_at(1).len()), (Vec::new(), 1));
    let codes: Vec<_> = sheet.problems().iter().map(|problem| problem.code.as_str()).collect();
    assert_eq!(codes, ["too_small", "invalid_type"]);
}

#[test]
fn unjudged_rules_accept_anything() {
    let unjudged = r#""unjudged":true"#;
    let must = r#""unjudged":true,"must_be_true":true"#;
    judged(&[
        (unjudged, r#""constraints":[{"min_length":9}]"#, r#""x""#, ""),
        (unjudged, r#""kind":"number","constraints":[{"max":1}]"#, "7", ""),
        (unjudged, r#""kind":"rating""#, "9", ""),
        (unjudged, MULTI, "null", ""),
        (must, r#""kind":"confirm""#, "false", ""),
    ]);
}

#[test]
fn rules_define_blank_answers() {
    let none = r#"{"picks":[]}"#;
    let single = r#""options":[{"id":"a","label":"A"},{"id":"b","label":"B"}]"#;
    judged(&[
        ("", MULTI, none, "needs_answer"),
        (r#""empty_picks":true"#, MULTI, none, ""),
        ("", single, r#"["a","b"]"#, "too_big"),
        (r#""loose_single":true"#, single, r#"["a","b"]"#, ""),
        ("", MULTI, r#"{"other":" "}"#, "needs_answer"),
        (r#""blank_text":true"#, MULTI, r#"{"other":" "}"#, ""),
        (r#""blank_text":true"#, MULTI, r#"{"other":""}"#, "needs_answer"),
    ]);
}

#[test]
fn loose_dates_accept_any_text() {
    for kind in ["date", "time", "datetime"] {
        let set = |rules: &str, text: &str| {
            let made = read(&format!(
                r#"{{"rules":{{{rules}}},"questions":[{{"id":"q","prompt":"?","kind":"{kind}"}}]}}"#
            ));
            let mut sheet = Sheet::new(made, Replies::new());
            sheet.set_reply(&QuestionId::new("q"), Reply::from_text(text));
            sheet.submission().map(|sent| sent.replies[&QuestionId::new("q")].content.clone()).ok()
        };
        let loose = r#""loose_dates":true"#;
        assert_eq!(set("", "next week"), None);
        assert_eq!(
            set(loose, "next week "),
            Some(ReplyContent::Answered(Answer::Text("next week".to_owned())))
        );
        assert_eq!(set(loose, "  "), None);
    }
}

#[test]
fn costly_pattern_is_marked_unchecked() {
    let pattern = r#""constraints":[{"pattern":"(a*)*\\1b"},{"max_length":3000}]"#;
    let made = read(&format!(r#"{{"as_is":true,"questions":[{{"id":"q","prompt":"?",{pattern}}}]}}"#));
    let answered = |text: &str| {
        let mut sheet = Sheet::new(made.clone(), Replies::new());
        sheet.set_reply(&QuestionId::new("q"), Reply::from_text(text));
        (
            sheet.problems_at(0).len(),
            sheet.submission().ok().map(|sent| sent.replies[&QuestionId::new("q")].clone()),
        )
    };
    let costly = "a".repeat(2_000);
    let wanted = Reply { pattern_not_checked: true, ..Reply::from_text(costly.clone()) };
    assert_eq!(answered(&costly), (0, Some(wanted)));
    assert_eq!(answered("aab"), (0, Some(Reply::from_text("aab"))));
    // The requirements after it are checked all the same.
    assert_eq!(answered(&"a".repeat(3_001)), (1, None));
}

#[test]
fn pattern_matches_anywhere_in_text() {
    judged(&[
        ("", r#""constraints":[{"pattern":"b"}]"#, r#""abc""#, ""),
        ("", r#""constraints":[{"pattern":"^b$"}]"#, r#"" b ""#, ""),
        (r#""trim_text":false"#, r#""constraints":[{"pattern":"^b$"}]"#, r#"" b ""#, "pattern_unmet"),
        ("", r#""constraints":[{"pattern":"^.$"}]"#, r#""🦀""#, ""),
        ("", r#""constraints":[{"pattern":"^\\w+$"}]"#, r#""é""#, "pattern_unmet"),
    ]);
}

#[test]
fn text_and_note_size_is_limited() {
    let made = read(r#"{"questions":[{"id":"q","prompt":"?"}]}"#);
    let id = QuestionId::new("q");
    let codes = |reply: Reply| -> Vec<&str> {
        let mut sheet = Sheet::new(made.clone(), Replies::new());
        sheet.set_reply(&id, reply);
        sheet.problems_at(0).iter().map(|problem| problem.code.as_str()).collect()
    };
    let full = "x".repeat(limits::TEXT_ANSWER_BYTES);
    assert!(codes(Reply::from_text(full.clone())).is_empty());
    assert_eq!(codes(Reply::from_text(full.clone() + "x")), ["too_large"]);
    assert!(codes(Reply::from_text("x").with_note(Some(full.clone()))).is_empty());
    assert_eq!(codes(Reply::from_text("x").with_note(Some(full + "x"))), ["too_large"]);
}

#[test]
fn answer_of_wrong_kind_is_refused() {
    let answers = [
        Answer::Picks(Pick::Other("x".to_owned()).into()),
        Answer::Text("x".to_owned()),
        Answer::Confirm(true),
        Answer::Rating(1),
        Answer::Number(1.into()),
        Answer::Date(sayso_core::model::value::datetime::parse_date("2026-03-01").unwrap()),
        Answer::Time(sayso_core::model::value::datetime::parse_time("14:00").unwrap()),
        Answer::Datetime(sayso_core::DatetimeValue::parse("2026-03-01T14:00").unwrap()),
    ];
    let kinds =
        [r#""kind":"choice","other":true"#, r#""kind":"text""#, r#""kind":"confirm""#, r#""kind":"rating""#]
            .into_iter()
            .chain([r#""kind":"number""#, r#""kind":"date""#, r#""kind":"time""#, r#""kind":"datetime""#]);
    for (at, kind) in kinds.enumerate() {
        let made = read(&format!(r#"{{"questions":[{{"id":"q","prompt":"?",{kind}}}]}}"#));
        for (other, answer) in answers.iter().enumerate() {
            let mut sheet = Sheet::new(made.clone(), Replies::new());
            sheet.set_reply(&QuestionId::new("q"), Reply::from_answer(answer.clone()));
            let problem = sheet.submission().err().map(|problem| problem.causes[0].code.as_str());
            assert_eq!(problem, (at != other).then_some("invalid_type"), "{kind} {answer:?}");
        }
    }
}
