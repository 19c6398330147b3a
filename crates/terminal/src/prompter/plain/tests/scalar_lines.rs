//! Tests of lines for single values, in both languages.

use super::*;
use sayso_core::{
    ConfirmQuestion, DateQuestion, DatetimeQuestion, NumberQuestion, RatingQuestion, TimeQuestion,
};

/// Returns the parse result of a line: the value, `?` with the notice, or nothing if it asks again silently.
fn parse_to_value(question: &Question, lang: Lang, line: &str) -> String {
    match (PlainStyle { lang, now: None }).read_line(
        question,
        &Rules::default(),
        PartialAnswer::Nothing,
        line,
    ) {
        ParsedLine::Invalid { notice } => format!("?{notice}"),
        ParsedLine::More { .. } => "…".to_owned(),
        ParsedLine::Reply { reply, notice } => {
            // A reply matched by a prefix is echoed in full.
            assert!(notice.is_none_or(|notice| notice.contains(['1', '2'])));
            match reply.content {
                ReplyContent::Answered(Answer::Confirm(confirmed)) => confirmed.to_string(),
                ReplyContent::Answered(Answer::Rating(step)) => step.to_string(),
                ReplyContent::Answered(Answer::Number(number)) => number.to_string(),
                ReplyContent::Answered(Answer::Date(date)) => date.to_string(),
                ReplyContent::Answered(Answer::Time(time)) => time.to_string(),
                ReplyContent::Answered(Answer::Datetime(moment)) => moment.to_string(),
                notice => format!("{notice:?}"),
            }
        }
    }
}

/// Asserts the meaning of every line, in both languages.
fn assert_all_parse(question: &Question, cases: &[(&str, &str)]) {
    for (line, wanted) in cases {
        for lang in [Lang::En, Lang::Zh] {
            assert_eq!(parse_to_value(question, lang, line), *wanted, "{line:?} in {lang:?}");
        }
    }
}

/// Asserts that each line is refused with this notice, in English and in Chinese.
fn assert_none_parses(question: &Question, lines: &[&str], notice: [&str; 2]) {
    for line in lines {
        for (lang, notice) in [Lang::En, Lang::Zh].into_iter().zip(notice) {
            assert_eq!(parse_to_value(question, lang, line), format!("?{notice}"), "{line:?} in {lang:?}");
        }
    }
}

fn confirm(yes: Option<&str>, no: Option<&str>) -> Question {
    let (yes, no) = (yes.map(str::to_owned), no.map(str::to_owned));
    question(true, ConfirmQuestion { yes, no, consent: None })
}

#[test]
fn empty_line_means_nothing() {
    let questions = [
        question(true, RatingQuestion::default()),
        question(true, NumberQuestion::default()),
        question(true, DateQuestion),
        question(true, TimeQuestion),
        question(true, DatetimeQuestion),
        confirm(None, None),
    ];
    for question in questions {
        assert_all_parse(&question, &[("", "?"), ("   ", "?"), ("\u{3000}", "?")]);
    }
}

#[test]
fn yes_no_work_in_both_languages() {
    let question = confirm(None, None);
    let yes = ["1", "１", "yes", " YES ", "y", "是"].map(|line| (line, "true"));
    let no = ["2", "２", "no", "No", "n", "否"].map(|line| (line, "false"));
    assert_all_parse(&question, &yes);
    assert_all_parse(&question, &no);
    assert_eq!(parse_to_value(&question, Lang::En, "ye"), "true", "the beginning of what it is called");
    assert_eq!(parse_to_value(&question, Lang::Zh, "ye"), "?“ye”无法理解为是或否，请输入 1 或 2。");
    for line in ["0", "3", "12", "1,2", "yes!", "yes no", "no way", "ja", "true", "ok", "//yes", "是的"] {
        let notice = |notice: &str| format!("?{}", notice.replace("{}", line));
        assert_eq!(
            parse_to_value(&question, Lang::En, line),
            notice("\"{}\" is neither yes nor no here. Type 1 or 2."),
            "{line}"
        );
        assert_eq!(
            parse_to_value(&question, Lang::Zh, line),
            notice("“{}”无法理解为是或否，请输入 1 或 2。"),
            "{line}"
        );
    }
}

#[test]
fn yes_no_labels_match_by_prefix() {
    let question = confirm(Some("Delete both"), Some("Keep them"));
    let yes = ["delete both", "DEL", "d", "1", "yes", "y", "是"].map(|line| (line, "true"));
    let no = ["Keep them", "keep", "k", "2", "no", "n", "否"].map(|line| (line, "false"));
    assert_all_parse(&question, &yes);
    assert_all_parse(&question, &no);
    assert_eq!(
        parse_to_value(&question, Lang::En, "both"),
        "?\"both\" is neither yes nor no here. Type 1 or 2."
    );
}

#[test]
fn ambiguous_label_prefix_is_refused() {
    let question = confirm(Some("Delete"), Some("Destroy"));
    assert_eq!(parse_to_value(&question, Lang::En, "de"), "?\"de\" is neither yes nor no here. Type 1 or 2.");
    assert_all_parse(&question, &[("del", "true"), ("des", "false")]);
    let same = confirm(Some("Now"), Some("now"));
    assert_eq!(parse_to_value(&same, Lang::En, "now"), "?\"now\" is neither yes nor no here. Type 1 or 2.");
    assert_all_parse(&same, &[("1", "true"), ("2", "false"), ("yes", "true")]);
}

#[test]
fn contrary_labels_take_numbers_only() {
    for (yes, no) in [("No, go on", "Yes, stop"), ("No", "Yes"), ("Cancel", "Keep it"), ("Deploy", "OK")] {
        let question = confirm(Some(yes), Some(no));
        for line in ["yes", "no", "y", "n", yes, no, "是"] {
            let notice = "?The labels contradict their values. Type 1 for yes or 2 for no.";
            assert_eq!(parse_to_value(&question, Lang::En, line), notice, "{line} at {yes}");
        }
        assert_all_parse(&question, &[("1", "true"), ("2", "false")]);
    }
}

#[test]
fn rating_is_a_step_of_scale() {
    let scale = |min, max| question(true, RatingQuestion { min, max, ..RatingQuestion::default() });
    let five = scale(1, 5);
    assert_all_parse(&five, &[("1", "1"), (" 5 ", "5"), ("３", "3"), ("+4", "4"), ("＋4", "4"), ("05", "5")]);
    let lines = ["0", "6", "-1", "3.5", "5.0", "5 stars", "five", "😍", "1,2", "1-2", "99999999999999999999"];
    let notice = ["The answer must be a whole number from 1 to 5.", "答案须为 1 到 5 的整数。"];
    assert_none_parses(&five, &lines, notice);
    let around = scale(-2, 2);
    assert_all_parse(&around, &[("-2", "-2"), ("−2", "-2"), ("－２", "-2"), ("0", "0"), ("-0", "0")]);
    assert_none_parses(
        &around,
        &["3", "-3"],
        ["The answer must be a whole number from -2 to 2.", "答案须为 -2 到 2 的整数。"],
    );
}

#[test]
fn number_is_decimal_and_exact() {
    let number = question(true, NumberQuestion::default());
    let cases = [
        ("0.1", "0.1"),
        (" 12.50 ", "12.5"),
        ("-3", "-3"),
        ("−3", "-3"),
        ("+7", "7"),
        (".5", "0.5"),
        ("1e3", "1000"),
        ("-0", "0"),
        ("００７", "7"),
        ("１２．５", "12.5"),
        ("－１", "-1"),
        ("＋１", "1"),
        ("0.30000000000000004", "0.30000000000000004"),
    ];
    assert_all_parse(&number, &cases);
    let lines =
        ["four", "1,5", "1 000", "1'000", "12.5€", "50%", "0x10", "1/2", "--1", "1.2.3", "∞", "٣", "三"];
    assert_none_parses(
        &number,
        &lines,
        ["The answer must be a number, such as 12.5.", "答案须为数字，如 12.5。"],
    );
}

#[test]
fn date_follows_the_hint() {
    let date = question(true, DateQuestion);
    assert_all_parse(&date, &[("2026-03-01", "2026-03-01"), (" 2028-02-29 ", "2028-02-29")]);
    assert_all_parse(&date, &[("２０２６－０３－０１", "2026-03-01"), ("2026−03−01", "2026-03-01")]);
    let lines = ["2026-3-1", "01.03.2026", "2026/03/01", "20260301", "tomorrow", "2026-03-01 10:00"];
    assert_none_parses(
        &date,
        &lines,
        ["The answer must be a date, such as 2026-03-01.", "答案须为日期，如 2026-03-01。"],
    );
    let notice = ["This date does not exist: \"2026-02-29\"", "此日期不存在：“2026-02-29”"];
    assert_none_parses(&date, &["2026-02-29"], notice);
}

#[test]
fn time_follows_the_hint() {
    let time = question(true, TimeQuestion);
    assert_all_parse(&time, &[("14:30", "14:30:00"), (" 9:05 ", "09:05:00"), ("23:59:59", "23:59:59")]);
    assert_all_parse(&time, &[("１４：３０", "14:30:00"), ("14：30", "14:30:00"), ("00:00", "00:00:00")]);
    let lines = ["14.30", "1430", "14", "14:30Z", "下午2:30"];
    assert_all_parse(&time, &[("2pm", "14:00:00"), ("2:30 pm", "14:30:00"), ("noon", "12:00:00")]);
    for none in ["24:00", "12:60"] {
        let notice = [format!("This time does not exist: \"{none}\""), format!("此时间不存在：“{none}”")];
        assert_none_parses(&time, &[none], [&notice[0], &notice[1]]);
    }
    assert_none_parses(
        &time,
        &lines,
        ["The answer must be a time of day, such as 14:30.", "答案须为时间，如 14:30。"],
    );
}

#[test]
fn datetime_may_have_an_offset() {
    let datetime = question(true, DatetimeQuestion);
    let cases = [
        ("2026-03-01 14:30", "2026-03-01T14:30:00"),
        ("2026-03-01T14:30", "2026-03-01T14:30:00"),
        ("2026-03-01T14:30Z", "2026-03-01T14:30:00Z"),
        ("2026-03-01 14:30+08:00", "2026-03-01T14:30:00+08:00"),
        ("２０２６－０３－０１ １４：３０", "2026-03-01T14:30:00"),
    ];
    assert_all_parse(&datetime, &cases);
    let lines = ["2026-03-01", "14:30", "now", "2026-03-01 14:30[Asia/Shanghai]"];
    let notice = [
        "The answer must be a date with a time, such as 2026-03-01 14:30.",
        "答案须为日期加时间，如 2026-03-01 14:30。",
    ];
    assert_none_parses(&datetime, &lines, notice);
    let notice = ["This time does not exist: \"2026-03-01 25:00\"", "此时间不存在：“2026-03-01 25:00”"];
    assert_none_parses(&datetime, &["2026-03-01 25:00"], notice);
    let notice = ["This date does not exist: \"2026-02-30 10:00\"", "此日期不存在：“2026-02-30 10:00”"];
    assert_none_parses(&datetime, &["2026-02-30 10:00"], notice);
}
