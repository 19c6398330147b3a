//! Conditions: every kind of question with every check, and every way to have no value to compare.

mod constraints;
mod creation;
mod unknown_members;

use sayso_core::wire::{answers, questionnaire};
use sayso_core::{Answer, PreparedQuestionnaire, QuestionId, Questionnaire, Replies, Reply, Sheet};
use std::sync::Arc;

pub(crate) fn read(text: &str) -> Arc<Questionnaire> {
    Arc::new(
        questionnaire::read(text).unwrap_or_else(|problems| panic!("{text}: {problems:?}")).questionnaire,
    )
}

/// Builds a sheet with answers as a person would type them: `"a":1,"b":true`.
pub(crate) fn sheet(made: &Arc<Questionnaire>, given: &str) -> Sheet {
    let form = Arc::new(PreparedQuestionnaire::new(made.clone()));
    let text = format!(r#"{{"answers":{{{given}}}}}"#);
    let replies = answers::read(&form, &text).unwrap_or_else(|problems| panic!("{text}: {problems:?}"));
    Sheet::from_prepared(form, replies)
}

/// Returns the ids of the asked questions, separated by spaces.
fn asked(sheet: &Sheet) -> String {
    sheet.asked_questions().map(|(_, question)| question.id.to_string()).collect::<Vec<_>>().join(" ")
}

/// A kind of question, a check, answers that fulfil it, and answers that do not.
type CheckCase = (&'static str, &'static str, &'static [&'static str], &'static [&'static str]);

const SINGLE: &str = r#""options":[{"id":"a","label":"Apple"},{"id":"b","label":"a"}],"other":true"#;
const MULTI: &str = r#""multi":true,"other":true,"options":[{"id":"a","label":"A"},{"id":"b","label":"B"},{"id":"c","label":"C"}],
    "constraints":[{"max_picks":2}]"#;
const TEXT: &str = r#""kind":"text","constraints":[{"max_length":3}]"#;
const CONFIRM: &str = r#""kind":"confirm""#;
const RATING: &str = r#""kind":"rating","constraints":[{"max":3}]"#;
const NUMBER: &str = r#""kind":"number","constraints":[{"max":1},{"multiple_of":0.1}]"#;
const DATE: &str = r#""kind":"date","constraints":[{"max":"2026-12-31"}]"#;
const TIME: &str = r#""kind":"time","constraints":[{"min":"08:00"}]"#;
const DATETIME: &str = r#""kind":"datetime","constraints":[{"max":"2026-12-31T00:00Z"}]"#;

/// Answers that break a constraint are included: they count, so that nothing jumps while a person corrects them.
const CHECK_CASES: &[CheckCase] = &[
    (SINGLE, r#""answered":true"#, &[r#""a""#, r#"{"other":"x"}"#], &[]),
    (SINGLE, r#""answered":false"#, &[], &[r#""a""#, r#"{"other":"x"}"#]),
    (
        SINGLE,
        r#""is":"a""#,
        &[r#""a""#, r#"["Apple"]"#],
        &[r#""b""#, r#"{"other":"a"}"#, r#"{"other":"Apple"}"#],
    ),
    // A label names its option too, unless it is the id of another one.
    (SINGLE, r#""is":"Apple""#, &[r#""a""#], &[r#""b""#]),
    (SINGLE, r#""any_of":["a","b"]"#, &[r#""a""#, r#""b""#], &[r#"{"other":"a"}"#]),
    (SINGLE, r#""any_of":[]"#, &[], &[r#""a""#]),
    (SINGLE, r#""none_of":["a"]"#, &[r#""b""#, r#"{"other":"a"}"#], &[r#""a""#]),
    (SINGLE, r#""none_of":[]"#, &[r#""a""#], &[]),
    (SINGLE, r#""own_answer":true"#, &[r#"{"other":"a"}"#], &[r#""a""#]),
    (SINGLE, r#""own_answer":false"#, &[r#""a""#], &[r#"{"other":"a"}"#]),
    (MULTI, r#""answered":true"#, &[r#""a""#, r#"["a","b","c"]"#], &[]),
    (MULTI, r#""answered":false"#, &[], &[r#"["a","b"]"#]),
    (
        MULTI,
        r#""is":"a""#,
        &[r#"["a"]"#, r#"["c","b","a"]"#],
        &[r#"["b","c"]"#, r#"[{"other":"a"}]"#, r#"["b",{"other":"a"}]"#],
    ),
    (MULTI, r#""any_of":["a","b"]"#, &[r#"["c","b"]"#, r#"["a"]"#], &[r#"["c"]"#, r#"["c",{"other":"a"}]"#]),
    (
        MULTI,
        r#""all_of":["a","b"]"#,
        &[r#"["b","a"]"#, r#"["a","c","b"]"#],
        &[r#"["a","c"]"#, r#"["a",{"other":"b"}]"#],
    ),
    (MULTI, r#""all_of":["a","a"]"#, &[r#"["a"]"#], &[r#"["b"]"#]),
    (MULTI, r#""none_of":["a","b"]"#, &[r#"["c"]"#, r#"[{"other":"a"}]"#], &[r#"["a"]"#, r#"["c","b"]"#]),
    (MULTI, r#""own_answer":true"#, &[r#"["a",{"other":"x"}]"#], &[r#"["a","b"]"#]),
    (MULTI, r#""own_answer":false"#, &[r#"["a","b","c"]"#], &[r#"["a",{"other":"x"}]"#]),
    (TEXT, r#""answered":true"#, &[r#""x""#, r#""much too long""#], &[]),
    (TEXT, r#""answered":false"#, &[], &[r#""x""#]),
    (TEXT, r#""is":"yes!""#, &[r#""yes!""#, r#"" yes!\n""#], &[r#""Yes!""#, r#""yes""#, r#""yes! no""#]),
    (TEXT, r#""is":" a\r\nb ""#, &[r#""a\nb""#, r#""a\r\nb""#], &[r#""a b""#, r#""a\n\nb""#]),
    (TEXT, r#""any_of":["x","long text"]"#, &[r#""x ""#, r#""long text""#], &[r#""y""#]),
    (TEXT, r#""none_of":["x","y"]"#, &[r#""z""#, r#""X""#, r#""long text""#], &[r#""x""#, r#""\ty""#]),
    (CONFIRM, r#""answered":true"#, &["true", "false"], &[]),
    (CONFIRM, r#""answered":false"#, &[], &["true", "false"]),
    (CONFIRM, r#""is":true"#, &["true"], &["false"]),
    (CONFIRM, r#""is":false"#, &["false"], &["true"]),
    (CONFIRM, r#""any_of":[false]"#, &["false"], &["true"]),
    (CONFIRM, r#""none_of":[true]"#, &["false"], &["true"]),
    (RATING, r#""answered":true"#, &["1", "5"], &[]),
    (RATING, r#""answered":false"#, &[], &["1", "9"]),
    (RATING, r#""is":4"#, &["4", "4.0", r#"{"rating":4}"#], &["3", "9"]),
    (RATING, r#""any_of":[1,9]"#, &["1", "9"], &["2"]),
    (RATING, r#""none_of":[1,2]"#, &["3", "9"], &["2"]),
    (RATING, r#""at_least":2.5"#, &["3", "9"], &["2", "-1"]),
    (RATING, r#""at_most":3"#, &["3", "0"], &["4"]),
    (NUMBER, r#""answered":true"#, &["0", "99.99"], &[]),
    (NUMBER, r#""answered":false"#, &[], &["0"]),
    (NUMBER, r#""is":1.0"#, &["1", r#""1.000""#, "1e0"], &["1.0000000000000002", "0.1"]),
    (NUMBER, r#""is":0.3"#, &["0.3", "3e-1"], &["0.30000000000000004"]),
    (NUMBER, r#""any_of":[1,2.5]"#, &["2.5", "1.0"], &["2"]),
    (NUMBER, r#""none_of":[0]"#, &["0.05", "7"], &["0", "-0.0"]),
    (NUMBER, r#""at_least":0.3"#, &["0.3", "7"], &["0.29999999999", "-1"]),
    (NUMBER, r#""at_most":-2"#, &["-2", "-2.5"], &["-1.9", "2"]),
    (DATE, r#""answered":true"#, &[r#""2026-03-01""#, r#""2999-01-01""#], &[]),
    (DATE, r#""answered":false"#, &[], &[r#""2026-03-01""#]),
    (DATE, r#""is":"2027-03-01""#, &[r#""2027-03-01""#], &[r#""2026-03-01""#]),
    (DATE, r#""any_of":["2026-03-01","2026-03-02"]"#, &[r#""2026-03-02""#], &[r#""2026-03-03""#]),
    (DATE, r#""none_of":["2026-03-01"]"#, &[r#""2026-02-28""#], &[r#""2026-03-01""#]),
    (DATE, r#""at_least":"2026-03-01""#, &[r#""2026-03-01""#, r#""2999-01-01""#], &[r#""2026-02-28""#]),
    (DATE, r#""at_most":"2026-03-01""#, &[r#""2026-03-01""#, r#""0999-01-01""#], &[r#""2026-03-02""#]),
    (TIME, r#""answered":true"#, &[r#""07:59""#], &[]),
    (TIME, r#""answered":false"#, &[], &[r#""07:59""#]),
    (TIME, r#""is":"07:30""#, &[r#""7:30""#, r#""07:30:00""#], &[r#""07:30:01""#, r#""19:30""#]),
    (TIME, r#""any_of":["07:30","23:59"]"#, &[r#""23:59:00""#], &[r#""23:58""#]),
    (TIME, r#""none_of":["07:30"]"#, &[r#""07:31""#], &[r#""07:30""#]),
    (TIME, r#""at_least":"12:00""#, &[r#""12:00""#, r#""23:59:59""#], &[r#""11:59:59""#]),
    (TIME, r#""at_most":"12:00""#, &[r#""0:00""#, r#""12:00""#], &[r#""12:00:01""#]),
    (DATETIME, r#""answered":true"#, &[r#""2026-03-01 14:00""#], &[]),
    (DATETIME, r#""answered":false"#, &[], &[r#""2026-03-01 14:00""#]),
    (
        DATETIME,
        r#""is":"2027-03-01T14:00Z""#,
        &[r#""2027-03-01T15:00+01:00""#, r#""2027-03-01T14:00:00Z""#, r#""2027-03-01 14:00""#],
        &[r#""2027-03-01T14:00+01:00""#],
    ),
    (DATETIME, r#""any_of":["2026-03-01T14:00"]"#, &[r#""2026-03-01 14:00""#], &[r#""2026-03-01T14:00:01""#]),
    (
        DATETIME,
        r#""none_of":["2026-03-01T14:00Z"]"#,
        &[r#""2026-03-01T14:00-01:00""#],
        &[r#""2026-03-01T13:00-01:00""#],
    ),
    (
        DATETIME,
        r#""at_least":"2026-03-01T14:00+02:00""#,
        &[r#""2026-03-01T12:00Z""#, r#""2026-03-01T14:00""#],
        &[r#""2026-03-01T11:59:59Z""#, r#""2026-03-01T13:59""#],
    ),
    (DATETIME, r#""at_most":"2026-03-01T14:00""#, &[r#""2026-03-01T14:00""#], &[r#""2026-03-01T14:00:01""#]),
];

#[test]
fn check_decides_if_question_is_asked() {
    for (kind, check, matching, failing) in CHECK_CASES {
        let made = read(&format!(
            r#"{{"questions":[
                {{"id":"gate","prompt":"?","kind":"confirm"}},
                {{"id":"p","prompt":"?",{kind},"show_if":{{"question":"gate","is":true}}}},
                {{"id":"c","prompt":"?","show_if":{{"question":"p",{check}}}}},
                {{"id":"not","prompt":"?","show_if":{{"not":{{"question":"p",{check}}}}}}}]}}"#
        ));
        // The last question is asked if the check fails: a negation is a plain one.
        let is_asked = |given: &str, wanted: bool| {
            let sheet = sheet(&made, given);
            let found = (sheet.is_asked(2), sheet.is_asked(3));
            assert_eq!(found, (wanted, !wanted), "{kind} {check} {given}");
        };
        for answer in *matching {
            is_asked(&format!(r#""gate":true,"p":{answer}"#), true);
        }
        for answer in *failing {
            is_asked(&format!(r#""gate":true,"p":{answer}"#), false);
        }
        let holds_for_nothing = *check == r#""answered":false"#;
        is_asked(r#""gate":true"#, holds_for_nothing);
        for nothing in
            ["null", r#"{"state":"skipped"}"#, r#"{"note":"see there"}"#, r#"{"state":"unanswered"}"#]
        {
            is_asked(&format!(r#""gate":true,"p":{nothing}"#), holds_for_nothing);
        }
        let blanks: &[&str] = match *kind {
            SINGLE | MULTI => &["[]", r#"{"other":""}"#, r#"{"other":" \n"}"#],
            TEXT => &[r#""""#, r#"" \t\n""#],
            _ => &[],
        };
        for blank in blanks {
            is_asked(&format!(r#""gate":true,"p":{blank}"#), holds_for_nothing);
        }
        // A question that is not asked has no value, even if a person had answered it.
        for answer in matching.iter().chain(*failing) {
            is_asked(&format!(r#""gate":false,"p":{answer}"#), holds_for_nothing);
            is_asked(&format!(r#""p":{answer}"#), holds_for_nothing);
        }
    }
}

#[test]
fn own_answer_matches_only_by_rule() {
    let made = |rules: &str, named: &str| {
        read(&format!(
            r#"{{"rules":{{{rules}}},"questions":[{{"id":"p","prompt":"?",{SINGLE}}},{{"id":"c","prompt":"?","show_if":{{"question":"p",{named}}}}}]}}"#
        ))
    };
    let rule = r#""own_answers_match":true"#;
    let table = [
        ("", r#""is":"a""#, r#"{"other":"a"}"#, false),
        (rule, r#""is":"a""#, r#"{"other":" a "}"#, true),
        (rule, r#""is":"a""#, r#"{"other":"A"}"#, false),
        (rule, r#""is":"zig""#, r#"{"other":"zig"}"#, true),
        (rule, r#""none_of":["a"]"#, r#"{"other":"a"}"#, false),
        (rule, r#""is":"a""#, r#""a""#, true),
    ];
    for (rules, named, given, wanted) in table {
        let sheet = sheet(&made(rules, named), &format!(r#""p":{given}"#));
        assert_eq!(sheet.is_asked(1), wanted, "{rules} {named} {given}");
    }
}

/// Options are often numbered, and a number in quotes is a text.
#[test]
fn numeric_option_id_can_be_tested() {
    let text = r#"{"questions":[{"id":"p","prompt":"?","options":[{"id":"1","label":"One"},{"id":"2","label":"Two"}]},
        {"id":"t","prompt":"?"},
        {"id":"c","prompt":"?","show_if":{"question":"p","is":"1"}},
        {"id":"d","prompt":"?","show_if":{"question":"t","any_of":["42","1e3"]}}]}"#;
    let read = questionnaire::read(text).map(|read| Arc::new(read.questionnaire));
    let made = read.unwrap_or_else(|problems| panic!("{problems:?}"));
    assert_eq!(asked(&sheet(&made, r#""p":"1","t":"1e3""#)), "p t c d");
}

#[test]
fn all_any_not_combine_conditions() {
    let x = r#"{"question":"a","is":true}"#;
    let y = r#"{"question":"b","is":true}"#;
    // No answer, only a, only b, and both.
    let table = [
        (format!(r#"{{"all":[{x},{y}]}}"#), [false, false, false, true]),
        (format!(r#"{{"any":[{x},{y}]}}"#), [false, true, true, true]),
        (format!(r#"{{"not":{{"any":[{x},{y}]}}}}"#), [true, false, false, false]),
        (format!(r#"{{"all":[{x},{{"not":{y}}}]}}"#), [false, true, false, false]),
        (format!(r#"{{"not":{{"not":{x}}}}}"#), [false, true, false, true]),
        (r#"{"all":[]}"#.to_owned(), [true; 4]),
        (r#"{"any":[]}"#.to_owned(), [false; 4]),
    ];
    for (condition, wanted) in table {
        let made = read(&format!(
            r#"{{"questions":[{{"id":"a","prompt":"?","kind":"confirm"}},{{"id":"b","prompt":"?","kind":"confirm"}},{{"prompt":"?","show_if":{condition}}}]}}"#
        ));
        let given = ["", r#""a":true"#, r#""b":true"#, r#""a":true,"b":true"#];
        assert_eq!(given.map(|given| sheet(&made, given).is_asked(2)), wanted, "{condition}");
    }
}

fn three_levels() -> Arc<Questionnaire> {
    read(
        r#"{"questions":[
        {"id":"pet","prompt":"?","kind":"confirm","required":false,"children":[
            {"id":"name","prompt":"?","required":false,"children":[
                {"id":"age","prompt":"?","kind":"number","required":false,"show_if":{"is":"Rex"}},
                {"id":"why","prompt":"?","required":false,"show_if":{"answered":false}}]}]},
        {"id":"end","prompt":"?","required":false,"show_if":{"question":"why","answered":true}}]}"#,
    )
}

#[test]
fn nested_follow_ups_follow_ancestors() {
    let table = [
        ("", "pet"),
        (r#""pet":false"#, "pet name why"),
        (r#""pet":true,"name":"Rex""#, "pet name age"),
        (r#""pet":true,"name":"Tom""#, "pet name"),
        (r#""pet":true,"why":"no name""#, "pet name why end"),
        // Without the first answer nothing that depends on it counts.
        (r#""name":"Rex","age":3,"why":"no name""#, "pet"),
    ];
    for (given, wanted) in table {
        assert_eq!(asked(&sheet(&three_levels(), given)), wanted, "{given}");
    }
}

#[test]
fn hidden_children_keep_answers() {
    let mut sheet = sheet(&three_levels(), r#""pet":true,"name":"Rex","age":{"answer":3,"note":"about"}"#);
    let before = sheet.submission().unwrap();
    let pet = QuestionId::new("pet");
    let effect = sheet.set_reply(&pet, Reply::unanswered());
    assert_eq!((effect.appeared, effect.vanished), (vec![], vec![1, 2]));
    let without = sheet.submission().unwrap();
    assert_eq!(without.dropped, ["name", "age"].map(QuestionId::new));
    assert_eq!(sheet.deciding_question(2).unwrap().id.as_str(), "name");
    let effect = sheet.set_reply(&pet, Reply::from_answer(Answer::Confirm(true)));
    assert_eq!((effect.appeared, effect.vanished), (vec![1, 2], vec![]));
    assert_eq!(sheet.submission().unwrap(), before);
}

#[test]
fn hidden_section_hides_its_questions() {
    let made = read(
        r#"{"sections":[
        {"id":"one","questions":[{"id":"more","prompt":"?","kind":"confirm"}]},
        {"id":"two","show_if":{"question":"more","is":true},"questions":[
            {"id":"a","prompt":"?"},{"id":"b","prompt":"?","kind":"confirm","children":[{"id":"c","prompt":"?"}]},
            {"id":"d","prompt":"?","show_if":{"question":"a","answered":false}}]},
        {"id":"three","questions":[{"id":"e","prompt":"?","show_if":{"question":"b","answered":false}}]}]}"#,
    );
    let table = [
        (r#""more":false,"b":true"#, "more e"),
        (r#""b":true,"a":"x""#, "more e"),
        (r#""more":true,"b":true"#, "more a b c d"),
        (r#""more":true,"a":"x""#, "more a b e"),
    ];
    for (given, wanted) in table {
        assert_eq!(asked(&sheet(&made, given)), wanted, "{given}");
    }
    // A required question blocks nothing while it is hidden.
    let hidden = sheet(&made, r#""more":false,"a":"x","e":"y""#).submission().unwrap();
    assert_eq!(hidden.dropped, [QuestionId::new("a")]);
}

/// Many values and many picks use a hash set, with the same results.
#[test]
fn conditions_scale_to_many_options() {
    let list =
        |from: usize, to: usize| (from..to).map(|at| format!(r#""o{at}""#)).collect::<Vec<_>>().join(",");
    let options =
        (0..300).map(|at| format!(r#"{{"id":"o{at}","label":"{at}"}}"#)).collect::<Vec<_>>().join(",");
    let table = [
        (format!(r#""all_of":[{}]"#, list(10, 60)), true),
        (format!(r#""all_of":[{},{}]"#, list(10, 60), list(10, 60)), true),
        (format!(r#""all_of":[{}]"#, list(10, 101)), false),
        (format!(r#""any_of":[{}]"#, list(99, 200)), true),
        (format!(r#""any_of":[{}]"#, list(100, 200)), false),
        (format!(r#""none_of":[{}]"#, list(100, 200)), true),
        (format!(r#""none_of":[{}]"#, list(99, 200)), false),
    ];
    for (check, wanted) in table {
        let made = read(&format!(
            r#"{{"questions":[{{"id":"p","prompt":"?","multi":true,"other":true,"options":[{options}]}},
                {{"prompt":"?","show_if":{{"question":"p",{check}}}}}]}}"#
        ));
        // The own answer is no option, even with the same name.
        let sheet = sheet(&made, &format!(r#""p":[{},{{"other":"o100"}}]"#, list(0, 100)));
        assert_eq!(sheet.is_asked(1), wanted, "{check}");
    }
}

/// The outcome names the deciding answer, and an agent trusts that.
#[test]
fn because_names_deciding_question() {
    let made = read(
        r#"{"questions":[{"id":"a","prompt":"?","kind":"confirm"},{"id":"b","prompt":"?","kind":"confirm"},
        {"prompt":"?","show_if":{"all":[{"question":"a","is":true},{"question":"b","is":true}]}}]}"#,
    );
    let sheet = sheet(&made, r#""a":true,"b":false"#);
    assert_eq!(sheet.deciding_question(2).unwrap().id.as_str(), "b");
}

/// An answer of another kind has no value; an answer that breaks a constraint has one.
#[test]
fn answer_of_wrong_kind_has_no_value() {
    let made = read(
        r#"{"questions":[{"id":"n","prompt":"?","kind":"number"},
        {"id":"some","prompt":"?","show_if":{"question":"n","answered":true}},
        {"id":"other","prompt":"?","show_if":{"question":"n","none_of":[1]}}]}"#,
    );
    let mut sheet = Sheet::new(made, Replies::new());
    sheet.set_reply(&QuestionId::new("n"), Reply::from_text("a few"));
    assert_eq!(sheet.problems_at(0).len(), 1);
    assert_eq!((asked(&sheet).as_str(), sheet.progress().answered), ("n", 0));
}

/// A Mac types é as one character in one program and as two in another.
#[test]
fn accent_composition_is_ignored() {
    let made = read(
        "{\"questions\":[{\"id\":\"t\",\"prompt\":\"?\"},{\"prompt\":\"?\",\"show_if\":{\"question\":\"t\",\"is\":\"caf\u{e9}\"}}]}",
    );
    assert!(sheet(&made, "\"t\":\"cafe\u{301}\"").is_asked(1));
}
