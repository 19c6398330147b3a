//! Tests of answering, navigating, sending, declining, leaving, and the end of the input.

use crate::stage::{FOUR, ONE, Setup, Stage};
use sayso_core::{Outcome, Question, Questionnaire, Rules};
use sayso_terminal::{Ended, Heard, Manner, Partial, Plain, Scene};

#[test]
fn all_kinds_are_answered_and_sent() {
    let stage = Stage::new(FOUR);
    let (ended, out) = stage.typed("2\n1,4\nthe moon\nsam\nbecause\n\n//done\n/done\n/submit\n");
    assert!(matches!(&ended, Ended::Settled { ask, .. } if *ask == stage.ask()), "{ended:?}\n{out}");
    let expected = concat!(
        r#"{"when":{"state":"answered","answer":{"picks":[{"option":"o2"}]}},"#,
        r#""where":{"state":"answered","answer":{"picks":[{"option":"o1"},{"other":"the moon"}]}},"#,
        r#""who":{"state":"answered","answer":{"text":"sam"}},"#,
        r#""why":{"state":"answered","answer":{"text":"because\n\n/done"}}}"#
    );
    assert_eq!(stage.answers(), expected);
    for said in [
        "Recorded: Tonight.",
        "Your own answer: ",
        "Recorded: EU, own answer: the moon.",
        "Recorded: sam.",
        "Recorded: 3 lines, 14 characters.",
        "Review. 4 of 4 answered.",
        "  2. Where? EU, own answer: the moon",
        "Sent.",
    ] {
        assert!(out.contains(said), "{said:?} in\n{out}");
    }
    let receipt = stage.ask().outcome().unwrap().receipt().unwrap().clone();
    assert_eq!((receipt.by.as_str(), receipt.shown), ("me", stage.ask().request.digest));
}

#[test]
fn nothing_is_sent_without_confirmation() {
    let stage = Stage::new(FOUR);
    let (ended, out) = stage.typed("1\n1\nsam\n/skip\n\n\n\n\n9\nyes\n");
    assert_eq!(ended, Ended::InputEnded { any_line: true });
    assert!(stage.ask().outcome().is_none());
    assert!(out.contains("Type a number from 1 to 4, /submit, /quit or /help."), "{out}");
}

#[test]
fn single_question_is_sent_directly() {
    let stage = Stage::new(ONE);
    let (ended, out) = stage.typed("\n7\nnope\n2\n");
    assert!(matches!(ended, Ended::Settled { .. }), "{out}");
    assert_eq!(out.matches("| When?").count(), 2, "the question is repeated for an empty line:\n{out}");
    assert!(stage.answers().contains("o2"));
}

#[test]
fn eof_never_answers_any_prompt() {
    let lines = ["3", "my own", "1,4", "own", "sam", "one", "/done", "4", "/clear", "/decline"];
    for count in 0..=lines.len() {
        let stage = Stage::new(FOUR);
        let typed: String = lines[..count].iter().map(|line| format!("{line}\n")).collect();
        let (ended, out) = stage.typed(&typed);
        assert_eq!(ended, Ended::InputEnded { any_line: count > 0 }, "{count}\n{out}");
        assert!(stage.ask().outcome().is_none());
        assert!(out.ends_with('\n'), "{out:?}");
    }
}

#[test]
fn unterminated_last_line_counts() {
    let stage = Stage::new(ONE);
    assert!(matches!(stage.typed("1").0, Ended::Settled { .. }));
}

#[test]
fn navigation_commands_go_as_named() {
    let stage = Stage::new(FOUR);
    let mut talk = stage.talk(Setup::default());
    talk.hears("Question 1 of 4. Choose one. Required.")
        .types("/back\n")
        .hears("This is the first question.");
    talk.types("/skip\n").hears("cannot be skipped").types("/next\n").hears("Question 2 of 4.");
    talk.types("1\n").hears("Recorded: EU.").hears("Question 3 of 4.").types("/BACK\n");
    talk.hears("Question 2 of 4.").hears("Your answer so far: EU").types("/clear\n").hears("Cleared.");
    talk.hears("Question 2 of 4.").types("none\n").hears("Nothing is chosen now.").hears("Question 2 of 4.");
    talk.types("all\n").hears("Recorded: EU, US, Asia.").types("sam\n").hears("Question 4 of 4.");
    talk.types("/skip\n").hears("Skipped.").hears("Review. 2 of 4 answered. 1 problem: question 1, When?: ");
    talk.hears("  4. Why? skipped").hears("Review> ").types("/submit\n");
    talk.hears("1 answer needs attention.").hears("- question 1, When?: This question needs an answer");
    talk.hears("Question 1 of 4.")
        .types("now\n")
        .hears("Understood: 1. Now")
        .hears("Review. 3 of 4 answered.");
    talk.types("3\n").hears("Question 3 of 4.").types("kim\n").hears("Recorded: kim.").hears("Review.");
    talk.types("/back\n").hears("Question 4 of 4.").types("/review\n").hears("Review> ");
    talk.types("/help\n").hears("/decline REASON").hears("Review> ").types("/submit\n").hears("Sent.");
    assert!(matches!(talk.ends().0, Ended::Settled { .. }));
    assert!(stage.answers().contains("kim") && stage.answers().contains("skipped"));
}

#[test]
fn unknown_command_answers_nothing() {
    let stage = Stage::new(r#"{"questions": [{"id": "path", "prompt": "Path?"}]}"#);
    let (_, out) = stage.typed("/usr/bin\n/done\n//usr/bin\n");
    assert!(
        out.contains("There is no command /usr/bin: /help lists them, and // starts a literal slash."),
        "{out}"
    );
    assert!(out.contains("There is no command /done:"), "{out}");
    assert!(stage.answers().contains(r#""/usr/bin""#), "{}", stage.answers());
}

#[test]
fn decline_asks_for_reason_once() {
    let reason = |lines: &str| {
        let stage = Stage::new(FOUR);
        let (ended, out) = stage.typed(lines);
        match stage.ask().outcome() {
            Some(Outcome::Declined { reason, .. }) => {
                assert!(matches!(ended, Ended::Settled { .. }), "{out}");
                reason.clone().unwrap_or_default()
            }
            other => format!("{ended:?} {other:?}"),
        }
    };
    assert_eq!(reason("/decline not my call\n"), "not my call");
    assert_eq!(reason("1\n/decline\ntoo early\n"), "too early");
    assert_eq!(reason("/decline\n\n"), "");
    assert_eq!(reason("/decline\n/quit\n"), "Left None");
    assert_eq!(reason("/decline\n/back\n/quit\n"), "Left None");
}

#[test]
fn leaving_keeps_ask_and_draft() {
    let stage = Stage::new(FOUR);
    let (ended, _) = stage.typed("1\n/quit\n");
    assert_eq!(ended, Ended::Left);
    assert!(stage.ask().outcome().is_none());
    assert_eq!(stage.draft(), r#"{"when":{"state":"answered","answer":{"picks":[{"option":"o1"}]}}}"#);
}

/// Prompt style that accepts every line, as a spec might demand it.
struct Literal;

impl Manner for Literal {
    fn intro(&self, _: &Scene<'_>) -> String {
        String::new()
    }

    fn render(&self, _: &Scene<'_>, index: usize) -> String {
        format!("({index})? ")
    }

    fn preview(&self, _: &Scene<'_>, _: usize, _: Option<usize>) -> Option<String> {
        None
    }

    fn read_line(&self, question: &Question, rules: &Rules, partial: Partial, line: &str) -> Heard {
        let line = if line.starts_with('/') { "1" } else { line };
        match Plain::default().read_line(question, rules, partial, line) {
            Heard::Reply { reply, .. } => Heard::Reply { reply, said: Some(format!("took {line}")) },
            other => other,
        }
    }

    fn reviews(&self) -> bool {
        false
    }

    fn announces(&self) -> bool {
        false
    }

    fn strict_commands(&self) -> bool {
        true
    }
}

const TWO: &str = r#"{"questions": [{"id": "a", "prompt": "A?", "options": [{"label": "x"}, {"label": "y"}]},
    {"id": "b", "prompt": "B?", "options": [{"label": "x"}, {"label": "y"}]}]}"#;

#[test]
fn style_without_review_sends_directly() {
    let stage = Stage::new(TWO);
    let (ended, out) = stage.typed_to(&Literal, Setup::default(), "/foo\n2\n");
    assert!(matches!(ended, Ended::Settled { .. }));
    assert_eq!(out, "(0)? took 1\n(1)? took 2\n");
    let stage = Stage::new(TWO);
    let (ended, _) = stage.typed_to(&Literal, Setup::default(), "1\n/next\n/back\n/decline\n");
    assert!(matches!(ended, Ended::Settled { .. }));
    assert_eq!(stage.ask().outcome().unwrap().kind(), "declined");
}

#[test]
fn quiet_prompter_asks_from_first() {
    let stage = Stage::new(TWO);
    let quiet = Setup { quiet: true, ..Setup::default() };
    let (ended, out) = stage.typed_to(&Literal, quiet, "1\n");
    assert_eq!((ended, out.as_str()), (Ended::InputEnded { any_line: true }, "took 1\n"));
    let (ended, out) = stage.typed_to(&Literal, quiet, "2\n1\n");
    assert!(matches!(ended, Ended::Settled { .. }));
    assert_eq!(out, "took 2\ntook 1\n");
    assert!(stage.answers().starts_with(r#"{"a":{"state":"answered","answer":{"picks":[{"option":"o2"}]}}"#));
}

#[test]
fn script_ignores_persons_draft() {
    let stage = Stage::new(FOUR);
    stage.typed("1\n1\nsam\n/quit\n");
    let (ended, out) =
        stage.typed_to(&Plain::default(), Setup { quiet: true, ..Setup::default() }, "2\n/submit\n");
    assert_eq!(ended, Ended::InputEnded { any_line: true });
    assert!(out.contains("2 answers need attention."), "{out}");
}

#[test]
fn other_answer_keeps_askers_position() {
    let stage = Stage::new(
        r#"{"questions": [{"id": "a", "prompt": "A?", "multi": true, "other": true, "other_label": "My own", "other_at": 1,
            "options": [{"label": "x"}, {"label": "y"}]}]}"#,
    );
    let (_, out) = stage.typed("3, my, 1\nmine\n/submit\n");
    let line = out.lines().find(|line| line.contains("My own")).unwrap();
    assert!(line.contains('2'), "{out}");
    assert_eq!(
        stage.answers(),
        r#"{"a":{"state":"answered","answer":{"picks":[{"option":"o2"},{"other":"mine"},{"option":"o1"}]}}}"#
    );
}

/// Some formats can ask for a button only.
#[test]
fn form_without_questions_is_sent() {
    let questionnaire = Questionnaire { title: Some("Read this.".to_owned()), ..Questionnaire::default() };
    let stage = Stage::of(questionnaire, None, false);
    let (ended, out) = stage.typed("/submit\n");
    assert!(matches!(ended, Ended::Settled { .. }), "{out}");
    assert!(out.contains("Read this."), "{out}");
    assert_eq!(stage.answers(), "{}");
}

#[test]
fn review_accepts_full_width_digits() {
    let stage = Stage::new(FOUR);
    let (_, out) = stage.typed("１\n１\nsam\n/skip\n３\nbob\n/submit\n");
    assert!(!out.contains("Type a number from"), "{out}");
    assert!(stage.answers().contains(r#"{"text":"bob"}"#), "{out}");
}
