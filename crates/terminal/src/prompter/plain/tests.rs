//! Tests of the plain prompter: parsing of lines, and rendering.

mod fixture;
mod pages;
mod scalar_lines;

use super::*;
use sayso_core::{
    Answer, ChoiceOption, ChoiceQuestion, OptionId, Pick, QuestionKind, ReplyContent, TextQuestion,
};

fn choice(labels: &[&str], multi: bool, other: bool, required: bool) -> Question {
    let options = (1..).zip(labels).map(|(number, label)| ChoiceOption::new(format!("o{number}"), *label));
    question(
        required,
        ChoiceQuestion { options: options.collect(), multi, other, other_at: None, other_label: None },
    )
}

fn text(long: bool) -> Question {
    question(true, TextQuestion { long })
}

fn question(required: bool, kind: impl Into<QuestionKind>) -> Question {
    Question { required, ..Question::new("q", "Which?", kind) }
}

/// Returns the parse result of a line: picked numbers, `?` with the notice, `…` if more is needed.
fn parse_to_text(question: &Question, line: &str) -> String {
    summarize(PlainStyle { lang: Lang::En, now: None }.read_line(
        question,
        &Rules::default(),
        PartialAnswer::Nothing,
        line,
    ))
}

fn summarize(parsed: ParsedLine) -> String {
    match parsed {
        ParsedLine::Invalid { notice } => format!("?{notice}"),
        ParsedLine::More { partial: PartialAnswer::OtherText { picks, at }, .. } => {
            format!("{}…{at}", pick_names(&picks))
        }
        ParsedLine::More { partial: PartialAnswer::Lines(lines), .. } => format!("{lines:?}…"),
        ParsedLine::More { partial: PartialAnswer::Nothing, .. } => "…".to_owned(),
        ParsedLine::Reply { reply, .. } => match reply.content {
            ReplyContent::Answered(Answer::Picks(picks)) => pick_names(&picks),
            ReplyContent::Answered(Answer::Text(text)) => format!("{text:?}"),
            ReplyContent::Answered(answer) => format!("{answer:?}"),
            notice => format!("{notice:?}"),
        },
    }
}

fn pick_names(picks: &[Pick]) -> String {
    let names = picks.iter().map(|pick| match pick {
        Pick::Option(id) => id.as_str().to_owned(),
        Pick::Other(text) => format!("{text:?}"),
    });
    names.collect::<Vec<_>>().join(" ")
}

#[test]
fn single_choice_takes_number_or_prefix() {
    let question = choice(&["Now", "Tonight 22:00", "Tomorrow, maybe", "now or never"], false, true, true);
    let none = |typed: &str| {
        format!("?\"{typed}\" is not one of the options. Type a number from 1 to 5, or the start of a label.")
    };
    let cases = [
        ("1", "o1".to_owned()),
        (" 2 ", "o2".to_owned()),
        ("３", "o3".to_owned()),
        ("5", "…0".to_owned()),
        ("Other", "…0".to_owned()),
        ("NOW", "o1".to_owned()),
        ("toni", "o2".to_owned()),
        ("tomorrow, m", "o3".to_owned()),
        ("to", "?\"to\" matches several options: 2, 3. Type a number.".to_owned()),
        ("", "?".to_owned()),
        ("   ", "?".to_owned()),
        ("0", none("0")),
        ("6", none("6")),
        ("-1", none("-1")),
        ("99999999999999999999999", none("99999999999999999999999")),
        ("yes", none("yes")),
        ("1,2", "?Only one option can be picked. Type one number.".to_owned()),
        ("1-2", none("1-2")),
    ];
    for (line, means) in cases {
        assert_eq!(parse_to_text(&question, line), means, "{line:?}");
    }
}

#[test]
fn multiple_choice_takes_lists_and_ranges() {
    let question = choice(&["Red", "Green", "Blue, dark"], true, true, true);
    let cases = [
        ("1,3", "o1 o3"),
        ("3, 1", "o3 o1"),
        ("1-3", "o1 o2 o3"),
        ("2-3,1,2", "o2 o3 o1"),
        ("1，2、3", "o1 o2 o3"),
        ("green,red", "o2 o1"),
        ("blue, d", "o3"),
        ("All", "o1 o2 o3"),
        ("none", "Unanswered"),
        ("4", "…0"),
        ("1,4,2", "o1 o2…1"),
        ("1-4", "o1 o2 o3…3"),
        (",", "?\",\" is not one of the options. Type a number from 1 to 4, or the start of a label."),
        ("1,9", "?\"9\" is not one of the options. Type a number from 1 to 4, or the start of a label."),
        ("3-1", "?\"3-1\" is not one of the options. Type a number from 1 to 4, or the start of a label."),
        ("", "?"),
    ];
    for (line, means) in cases {
        assert_eq!(parse_to_text(&question, line), means, "{line:?}");
    }
    assert_eq!(parse_to_text(&choice(&["Red"], true, false, false), "none"), "Skipped");
    assert_eq!(parse_to_text(&choice(&["None", "All"], true, false, false), "none"), "o1");
    assert_eq!(parse_to_text(&choice(&["None", "All"], true, false, false), "all"), "o2");
}

#[test]
fn lookalike_labels_need_a_number() {
    let question = choice(&["Same", "same"], false, false, true);
    assert_eq!(parse_to_text(&question, "same"), "?\"same\" matches several options: 1, 2. Type a number.");
    assert_eq!(parse_to_text(&question, "2"), "o2");
}

#[test]
fn other_answer_keeps_its_position() {
    let plain = PlainStyle { lang: Lang::En, now: None };
    let question = choice(&["Red", "Green"], true, true, true);
    let pick = |id: &str| Pick::Option(OptionId::new(id));
    let partial = || PartialAnswer::OtherText { picks: vec![pick("o1"), pick("o2")], at: 1 };
    assert_eq!(
        summarize(plain.read_line(&question, &Rules::default(), partial(), "//opt")),
        "o1 \"/opt\" o2"
    );
    assert!(
        summarize(plain.read_line(&question, &Rules::default(), partial(), " "))
            .starts_with("?An answer of your own")
    );
}

#[test]
fn matched_label_is_echoed() {
    let question = choice(&["Now", "Later"], false, false, true);
    let parsed = PlainStyle { lang: Lang::En, now: None }.read_line(
        &question,
        &Rules::default(),
        PartialAnswer::Nothing,
        "la",
    );
    assert!(
        matches!(parsed, ParsedLine::Reply { notice: Some(notice), .. } if notice == "Understood: 2. \"Later\"")
    );
    let parsed = PlainStyle { lang: Lang::En, now: None }.read_line(
        &question,
        &Rules::default(),
        PartialAnswer::Nothing,
        "2",
    );
    assert!(matches!(parsed, ParsedLine::Reply { notice: None, .. }));
}

#[test]
fn short_text_is_one_nonempty_line() {
    assert_eq!(parse_to_text(&text(false), "  as typed "), "\"  as typed \"");
    assert_eq!(parse_to_text(&text(false), "//etc"), "\"/etc\"");
    assert_eq!(parse_to_text(&text(false), " "), "?");
}

#[test]
fn long_text_ends_with_done() {
    let plain = PlainStyle { lang: Lang::En, now: None };
    let mut partial = PartialAnswer::Nothing;
    for line in ["one", "", "//done", ". "] {
        let ParsedLine::More { partial: more, prompt } =
            plain.read_line(&text(true), &Rules::default(), partial, line)
        else {
            panic!("{line}")
        };
        assert_eq!(prompt, "> ");
        partial = more;
    }
    assert_eq!(
        summarize(plain.read_line(&text(true), &Rules::default(), partial, "/DONE ")),
        "\"one\\n\\n/done\\n. \""
    );
    let blank = PartialAnswer::Lines(vec![" ".into()]);
    assert_eq!(
        summarize(plain.read_line(&text(true), &Rules::default(), blank, "/done")),
        "?This question needs an answer"
    );
}
