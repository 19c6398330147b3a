//! Answers given as data: results of the reader, and everything a person may type by hand.

use crate::conditions::read;
use crate::sheets::random::{edits, filled, questionnaire};
use proptest::prelude::*;
use sayso_core::sheet::SubmittedReplies;
use sayso_core::wire::{answers, json};
use sayso_core::{
    DatetimeValue, Number, PreparedQuestionnaire, QuestionId, Questionnaire, Replies, Reply, Sheet,
    model::value::datetime,
};
use std::sync::Arc;

/// Returns the form of a questionnaire with one question `q`.
fn form(question: &str) -> Arc<PreparedQuestionnaire> {
    Arc::new(PreparedQuestionnaire::new(read(&format!(
        r#"{{"questions":[{{"id":"q","prompt":"?",{question}}}]}}"#
    ))))
}

/// Returns the answer read, as outcomes write it, or the path and code of its problem.
fn read_result(form: &PreparedQuestionnaire, answer: &str) -> String {
    match answers::read(form, &format!(r#"{{"answers":{{"q":{answer}}}}}"#)) {
        Ok(replies) => replies.values().next().map_or("nothing".to_owned(), json::write),
        Err(problems) => {
            let paths =
                problems.iter().map(|problem| format!("{} {}", problem.path.to_json_pointer(), problem.code));
            paths.collect::<Vec<_>>().join(", ")
        }
    }
}

const WRONG: &str = "/answers/q invalid_type";

/// Checks the reading of answers to one kind of question; an empty text means that the answer cannot be read.
fn assert_reads(question: &str, table: &[(&str, &str)]) {
    let form = form(question);
    for (answer, wanted) in table {
        let wanted = match *wanted {
            "" => WRONG.to_owned(),
            answer if answer.starts_with('{') => format!(r#"{{"state":"answered","answer":{answer}}}"#),
            other => other.to_owned(),
        };
        assert_eq!(read_result(&form, answer), wanted, "{question} {answer}");
    }
}

#[test]
fn choice_answers_are_read() {
    let two = r#""options":[{"id":"a","label":"b"},{"id":"b","label":"B"},{"id":"c","label":"C"},{"id":"d","label":"C"}]"#;
    let (a, b) = (r#"{"picks":[{"option":"a"}]}"#, r#"{"picks":[{"option":"b"}]}"#);
    assert_reads(
        two,
        &[
            (r#""a""#, a),
            // An id takes precedence over a label.
            (r#""b""#, b),
            (r#""B""#, b),
            (r#"["b"]"#, b),
            (r#"{"option":"a"}"#, a),
            (r#"{"option":"B"}"#, b),
            (r#"{"picks":["a"]}"#, a),
            (r#"{"picks":"a"}"#, a),
            (r#"{"answer":"a"}"#, a),
            (r#"{"answer":{"picks":[{"option":"a"}]},"state":"answered"}"#, a),
            (r#"{"other":" own "}"#, r#"{"picks":[{"other":" own "}]}"#),
            (r#"["zz",{"other":"x"},{"option":"a"}]"#, "/answers/q no_such_option"),
            (
                r#"["a",{"other":"x"},{"option":"b"}]"#,
                r#"{"picks":[{"option":"a"},{"other":"x"},{"option":"b"}]}"#,
            ),
            ("[]", r#"{"picks":[]}"#),
            (r#""C""#, "/answers/q invalid_value"),
            (r#"["C"]"#, "/answers/q invalid_value"),
            (r#""z""#, "/answers/q no_such_option"),
            (r#"["a","z"]"#, "/answers/q no_such_option"),
            (r#""A""#, "/answers/q no_such_option"),
            ("1", ""),
            ("[1]", ""),
            ("true", ""),
            (r#"{"text":"a"}"#, ""),
            (r#"{"other":5}"#, ""),
            (r#"[["a"]]"#, ""),
            ("[null]", ""),
        ],
    );
}

#[test]
fn text_and_confirm_answers_are_read() {
    assert_reads(
        r#""kind":"text""#,
        &[
            (r#""x""#, r#"{"text":"x"}"#),
            (r#""""#, r#"{"text":""}"#),
            (r#"{"text":" x "}"#, r#"{"text":" x "}"#),
            (r#"{"answer":"x"}"#, r#"{"text":"x"}"#),
            (r#""\ud83e\udd80""#, r#"{"text":"🦀"}"#),
            ("5", ""),
            ("true", ""),
            (r#"["x"]"#, ""),
            (r#"{"number":5}"#, ""),
        ],
    );
    assert_reads(
        r#""kind":"confirm""#,
        &[
            ("true", r#"{"confirm":true}"#),
            ("false", r#"{"confirm":false}"#),
            (r#"{"confirm":true}"#, r#"{"confirm":true}"#),
            (r#""yes""#, ""),
            (r#""true""#, ""),
            ("1", ""),
            ("[]", ""),
        ],
    );
}

#[test]
fn numbers_and_ratings_read_exactly() {
    assert_reads(
        r#""kind":"number""#,
        &[
            ("5", r#"{"number":5}"#),
            ("-0.10", r#"{"number":-0.1}"#),
            (r#""0.10""#, r#"{"number":0.1}"#),
            ("1e3", r#"{"number":1000}"#),
            (r#""123456789.123456789123456789""#, r#"{"number":"123456789.123456789123456789"}"#),
            ("18446744073709551615", r#"{"number":"18446744073709551615"}"#),
            (r#"{"number":"7"}"#, r#"{"number":7}"#),
            ("1e400", " invalid_json"),
            ("1e99", ""),
            (r#""five""#, ""),
            (r#""""#, ""),
            ("true", ""),
            (r#"{"rating":5}"#, ""),
        ],
    );
    assert_reads(
        r#""kind":"rating""#,
        &[
            ("3", r#"{"rating":3}"#),
            ("3.0", r#"{"rating":3}"#),
            ("99", r#"{"rating":99}"#),
            (r#"{"rating":3}"#, r#"{"rating":3}"#),
            ("3.5", ""),
            (r#""3""#, ""),
            ("4294967299", ""),
            (r#"{"number":3}"#, ""),
        ],
    );
}

#[test]
fn dates_and_times_read_from_iso() {
    let date = r#"{"date":"2026-03-01"}"#;
    assert_reads(
        r#""kind":"date""#,
        &[
            (r#""2026-03-01""#, date),
            (r#"" 2026-03-01 ""#, date),
            (r#"{"date":"2026-03-01"}"#, date),
            (r#"{"text":"2026-03-01"}"#, date),
            (r#""2026-02-29""#, ""),
            (r#""2026-W10-7""#, ""),
            (r#""1.3.2026""#, ""),
            (r#""""#, ""),
            ("20260301", ""),
        ],
    );
    let time = r#"{"time":"09:05:00"}"#;
    assert_reads(
        r#""kind":"time""#,
        &[
            (r#""9:05""#, time),
            (r#""09:05:00""#, time),
            (r#"{"time":"09:05"}"#, time),
            (r#"{"text":"9:05"}"#, time),
            (r#""24:00""#, ""),
            (r#""9.05""#, ""),
            (r#""9 am""#, ""),
            ("905", ""),
        ],
    );
    let at = r#"{"datetime":"2026-03-01T14:00:00"}"#;
    assert_reads(
        r#""kind":"datetime""#,
        &[
            (r#""2026-03-01 14:00""#, at),
            (r#""2026-03-01T14:00:00""#, at),
            (r#"{"datetime":"2026-03-01T14:00"}"#, at),
            (r#""2026-03-01T14:00+02:00""#, r#"{"datetime":"2026-03-01T14:00:00+02:00"}"#),
            (r#""2026-03-01T14:00Z""#, r#"{"datetime":"2026-03-01T14:00:00Z"}"#),
            (r#""2026-03-01""#, ""),
            (r#""2026-03-01T14:00[Europe/Zurich]""#, ""),
        ],
    );
}

#[test]
fn outcome_replies_are_read() {
    let form = form(r#""kind":"text""#);
    let unanswered = r#"{"state":"unanswered"}"#;
    let noted = r#"{"state":"answered","answer":{"text":"x"},"note":"n"}"#;
    let table = [
        ("null", unanswered),
        ("{}", unanswered),
        (r#"{"state":"unanswered"}"#, unanswered),
        (r#"{"state":"not_asked","because":"p"}"#, unanswered),
        (r#"{"state":"skipped"}"#, r#"{"state":"skipped"}"#),
        (r#"{"note":"n"}"#, r#"{"state":"unanswered","note":"n"}"#),
        (r#"{"answer":"x","note":"n"}"#, noted),
        (r#"{"note":"n","text":"x"}"#, noted),
        (r#"{"state":"answered","answer":{"text":"x"},"note":"n","pattern_not_checked":true}"#, noted),
        (r#"{"answer":"x","note":"  "}"#, r#"{"state":"answered","answer":{"text":"x"}}"#),
        (r#"{"answer":"x","note":null}"#, r#"{"state":"answered","answer":{"text":"x"}}"#),
        (r#"{"state":"answered"}"#, WRONG),
        (r#"{"foo":"x"}"#, WRONG),
    ];
    for (reply, wanted) in table {
        assert_eq!(read_result(&form, reply), wanted, "{reply}");
    }
}

#[test]
fn unreadable_answer_has_path() {
    let made = read(
        r#"{"questions":[{"id":"a/b","prompt":"?","kind":"number"},{"id":"c","prompt":"?"},{"id":"d","prompt":"?"}]}"#,
    );
    let form = PreparedQuestionnaire::new(made);
    let places = |text: &str| -> Vec<String> {
        let problems = answers::read(&form, text).err().unwrap_or_default();
        problems
            .iter()
            .map(|problem| format!("{} {}", problem.path.to_json_pointer(), problem.code))
            .collect()
    };
    assert_eq!(
        places(r#"{"answers":{"a/b":"x","e":[{"f":1}],"c":"fine","d":true}}"#),
        ["/answers/a~1b invalid_type", "/answers/e no_such_question", "/answers/d invalid_type"]
    );
    assert_eq!(places(r#"{"replies":{"c":7}}"#), ["/replies/c invalid_type"]);
    assert_eq!(places("{}"), ["/answers required"]);
    assert_eq!(places(r#"{"answers":{},"sayso":2}"#), ["/sayso invalid_value"]);
    assert_eq!(places(r#"{"answers":{},"outcome":"declined"}"#), ["/outcome invalid_value"]);
    assert_eq!(places(r#"{"answers":{"c":"x"}} trailing"#), [" invalid_json"]);
}

/// A note on the whole form stands beside the answers, or as an outcome has it.
#[test]
fn note_on_the_form_is_read() {
    let form = form(r#""kind":"text""#);
    let note = |text: &str| {
        let read = answers::read(&form, text).map_err(|problems| {
            let at = |problem: &sayso_core::Problem| {
                format!("{} {}", problem.path.to_json_pointer(), problem.code)
            };
            problems.iter().map(at).collect::<Vec<_>>().join(", ")
        });
        read.map(|replies| replies.get(&QuestionId::FORM).and_then(|reply| reply.note.clone()))
    };
    let table = [
        (r#"{"answers":{"q":"x"},"note":"n"}"#, Ok(Some("n"))),
        (r#"{"note":"n","answers":{"q":"x"}}"#, Ok(Some("n"))),
        (r#"{"replies":{"":{"state":"unanswered","note":"n"},"q":"x"}}"#, Ok(Some("n"))),
        (r#"{"answers":{"q":"x"},"note":null}"#, Ok(None)),
        (r#"{"answers":{"q":"x"},"note":"  "}"#, Ok(None)),
        (r#"{"answers":{"q":"x"}}"#, Ok(None)),
        (r#"{"answers":{"q":"x"},"note":5}"#, Err("/note invalid_type")),
        (r#"{"answers":{"q":"x","":{"answer":"n"}}}"#, Err("/answers/ invalid_type")),
        (r#"{"answers":{"":{"state":"answered","answer":{"text":"n"}}}}"#, Err("/answers/ invalid_type")),
        (r#"{"answers":{"":{"state":"unanswered","note":"n"}},"note":"m"}"#, Err("/note duplicate_id")),
    ];
    for (text, wanted) in table {
        let wanted = wanted.map(|note| note.map(str::to_owned)).map_err(str::to_owned);
        assert_eq!(note(text), wanted, "{text}");
    }
}

/// One invalid member of a reply does not remove the paths of the others.
#[test]
fn unreadable_note_or_state_has_path() {
    let text = form(r#""kind":"text""#);
    for reply in [
        r#"{"answer":"x","note":5}"#,
        r#"{"answer":"x","note":["n"]}"#,
        r#"{"state":5}"#,
        r#"{"state":"maybe"}"#,
        r#"{"state":"skipped","answer":"said all the same"}"#,
        r#"{"state":"unanswered","text":"x"}"#,
        r#"{"state":"not_asked","answer":"x"}"#,
    ] {
        assert_eq!(read_result(&text, reply), WRONG, "{reply}");
    }
}

/// A reader with loose dates reads what its writer sent.
#[test]
fn loose_date_round_trips() {
    let text = r#"{"rules":{"loose_dates":true},"questions":[{"id":"q","prompt":"?","kind":"date"}]}"#;
    let form = Arc::new(PreparedQuestionnaire::new(read(text)));
    let mut sheet = Sheet::from_prepared(form.clone(), Replies::new());
    sheet.set_reply_at(0, Reply::from_text("next week"));
    let sent = sheet.submission().unwrap();
    let read = answers::read(&form, &format!(r#"{{"replies":{}}}"#, json::write(&sent.replies)));
    assert_eq!(read, Ok(Replies::from([(QuestionId::new("q"), Reply::from_text("next week"))])));
}

#[test]
fn datetime_keeps_its_offset() {
    let moment = DatetimeValue::parse("2026-03-01T14:00:00.25-03:00").unwrap();
    assert_eq!(DatetimeValue::parse(&moment.to_string()), Some(moment));
    for odd in ["2026-03-01T14:00:00+05:30:15", "2026-03-01T14:00:00-00:00:30"] {
        assert_eq!(DatetimeValue::parse(odd), None, "{odd}");
    }
}

/// A reader keeps the last digit of an amount: this one is written as 1717.8248231566743.
#[test]
fn long_number_keeps_last_digit() {
    let number = Number::parse("1717.8248231566743").unwrap();
    let written = serde_json::to_string(&number).unwrap();
    assert_eq!(serde_json::from_str::<Number>(&written).unwrap(), number, "{written}");
}

/// Reads a sheet that was sent as JSON.
fn reread_sheet(made: &Arc<Questionnaire>, text: &str) -> Sheet {
    let form = Arc::new(PreparedQuestionnaire::new(made.clone()));
    let replies = answers::read(&form, text).unwrap_or_else(|problems| panic!("{text}: {problems:?}"));
    Sheet::from_prepared(form, replies)
}

proptest! {
    #[test]
    fn receiver_agrees_with_sheet(made in questionnaire(), edits in edits()) {
        let Ok(sent) = filled(&made, &edits).submission() else { return Ok(()) };
        let again = Ok(SubmittedReplies { dropped: Vec::new(), ..sent.clone() });
        prop_assert_eq!(&Sheet::new(made.clone(), sent.replies.clone()).submission(), &again);
        let written = json::write(&sent.replies);
        prop_assert_eq!(json::read::<Replies>(&written), Ok(sent.replies));
        for text in [
            format!(r#"{{"replies":{written}}}"#),
            format!(r#"{{"answers":{written}}}"#),
            format!(r#"{{"sayso":1,"outcome":"answered","replies":{written},"receipt":{{"by":"ada"}}}}"#),
        ] {
            prop_assert_eq!(&reread_sheet(&made, &text).submission(), &again);
        }
    }

    /// Drafts go through JSON as well, with everything hidden or invalid in them.
    #[test]
    fn draft_round_trips_through_json(made in questionnaire(), edits in edits()) {
        let sheet = filled(&made, &edits);
        let text = format!(r#"{{"replies":{}}}"#, json::write(&sheet.replies()));
        let back = reread_sheet(&made, &text);
        prop_assert_eq!(back.replies(), sheet.replies());
        prop_assert_eq!(back.submission(), sheet.submission());
    }

    /// A number is written as a JSON number only if every reader gets the same value.
    #[test]
    fn json_number_round_trips(
        digits in -99_999_999_999_999_999_i64..99_999_999_999_999_999, point in 0..25,
    ) {
        let number = Number::parse(&format!("{digits}e-{point}")).unwrap();
        let read = serde_json::from_str::<Number>(&serde_json::to_string(&number).unwrap()).unwrap();
        prop_assert_eq!(read, number);
    }

    /// Every reader of JSON numbers keeps fifteen digits.
    #[test]
    fn asker_number_is_read_exactly(digits in 0..=999_999_999_999_999_i64, point in 0..13) {
        let text = format!("{digits}e-{point}");
        prop_assert_eq!(serde_json::from_str::<Number>(&text).ok(), Number::parse(&text), "{}", text);
    }

    #[test]
    fn random_text_never_panics_reader(made in questionnaire(), text in ".*") {
        let _ = answers::read(&PreparedQuestionnaire::new(made), &text);
    }

    #[test]
    fn random_answer_never_panics_reader(
        made in questionnaire(),
        answers in prop::collection::vec((0..17_u8, r#"[\[\]{}":,a-c0-9.eE-]{0,9}|"(answer|state|note|picks|option|other|text|date)":|null|true"#), 0..9),
        damage in prop::collection::vec(any::<prop::sample::Index>(), 0..3),
    ) {
        let members: Vec<String> = answers.iter().map(|(id, answer)| format!(r#""q{id}":{answer}"#)).collect();
        let mut text: Vec<char> = format!(r#"{{"answers":{{{}}}}}"#, members.join(",")).chars().collect();
        for place in damage {
            text.remove(place.index(text.len()));
        }
        let form = Arc::new(PreparedQuestionnaire::new(made));
        let text: String = text.into_iter().collect();
        if let Ok(replies) = answers::read(&form, &text) {
            let _ = Sheet::from_prepared(form, replies).submission();
        }
    }

    #[test]
    fn dates_and_times_keep_typed_value(text in "[0-9]{4}[-0-9W]{6}|[0-9TWZ:+-]{10}|[0-9]{1,2}:[0-9:.]{2,8}") {
        if let Some(date) = datetime::parse_date(&text) {
            prop_assert_eq!(date.to_string(), text.trim());
        }
        if let Some(time) = datetime::parse_time(&text) {
            prop_assert_eq!(datetime::parse_time(&time.to_string()), Some(time));
        }
    }
}
