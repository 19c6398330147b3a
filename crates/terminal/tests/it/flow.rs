//! Tests of answering, navigating, sending, declining, leaving, and the end of the input.

use crate::fixture::{FOUR_QUESTIONS, ONE_CHOICE, PromptFixture, PromptSetup};
use sayso_core::{Outcome, Question, Questionnaire, Rules};
use sayso_terminal::{ParsedLine, PartialAnswer, PlainStyle, PromptContext, PromptOutcome, PromptStyle};

#[test]
fn all_kinds_are_answered_and_sent() {
    let stage = PromptFixture::new(FOUR_QUESTIONS);
    let (ended, out) = stage.type_all("2\n1,4\nthe moon\nsam\nbecause\n\n//done\n/done\n/submit\n");
    assert!(matches!(&ended, PromptOutcome::Settled { ask, .. } if *ask == stage.ask()), "{ended:?}\n{out}");
    let expected = concat!(
        r#"{"when":{"state":"answered","answer":{"picks":[{"option":"o2"}]}},"#,
        r#""where":{"state":"answered","answer":{"picks":[{"option":"o1"},{"other":"the moon"}]}},"#,
        r#""who":{"state":"answered","answer":{"text":"sam"}},"#,
        r#""why":{"state":"answered","answer":{"text":"because\n\n/done"}}}"#
    );
    assert_eq!(stage.answers(), expected);
    for notice in [
        "Recorded: \"Tonight\".",
        "Your own answer: ",
        "Recorded: \"EU\", own answer: \"the moon\".",
        "Recorded: \"sam\".",
        "Recorded: 3 lines, 14 characters.",
        "Review. 4 of 4 answered.",
        "  2. Where? EU, own answer: \"the moon\"",
        "Sent.",
    ] {
        assert!(out.contains(notice), "{notice:?} in\n{out}");
    }
    let receipt = stage.ask().outcome().unwrap().receipt().unwrap().clone();
    assert_eq!((receipt.by.as_str(), receipt.shown), ("me", stage.ask().request.digest));
}

#[test]
fn nothing_is_sent_without_confirmation() {
    let stage = PromptFixture::new(FOUR_QUESTIONS);
    let (ended, out) = stage.type_all("1\n1\nsam\n/skip\n\n\n\n\n9\nyes\n");
    assert_eq!(ended, PromptOutcome::InputEnded { any_line: true });
    assert!(stage.ask().outcome().is_none());
    assert!(out.contains("Type a number from 1 to 4, /submit, /quit or /help."), "{out}");
}

#[test]
fn single_question_is_sent_directly() {
    let stage = PromptFixture::new(ONE_CHOICE);
    let (ended, out) = stage.type_all("\n7\nnope\n2\n");
    assert!(matches!(ended, PromptOutcome::Settled { .. }), "{out}");
    assert_eq!(out.matches("| When?").count(), 2, "the question is repeated for an empty line:\n{out}");
    assert!(stage.answers().contains("o2"));
}

#[test]
fn eof_never_answers_any_prompt() {
    let lines = ["3", "my own", "1,4", "own", "sam", "one", "/done", "4", "/clear", "/decline"];
    for count in 0..=lines.len() {
        let stage = PromptFixture::new(FOUR_QUESTIONS);
        let typed: String = lines[..count].iter().map(|line| format!("{line}\n")).collect();
        let (ended, out) = stage.type_all(&typed);
        assert_eq!(ended, PromptOutcome::InputEnded { any_line: count > 0 }, "{count}\n{out}");
        assert!(stage.ask().outcome().is_none());
        assert!(out.ends_with('\n'), "{out:?}");
    }
}

#[test]
fn unterminated_last_line_counts() {
    let stage = PromptFixture::new(ONE_CHOICE);
    assert!(matches!(stage.type_all("1").0, PromptOutcome::Settled { .. }));
}

#[test]
fn navigation_commands_go_as_named() {
    let stage = PromptFixture::new(FOUR_QUESTIONS);
    let mut talk = stage.start_conversation(PromptSetup::default());
    talk.expect_output("Question 1 of 4. Choose one. Required.")
        .type_text("/back\n")
        .expect_output("This is the first question.");
    talk.type_text("/skip\n")
        .expect_output("cannot be skipped")
        .type_text("/next\n")
        .expect_output("Question 2 of 4.");
    talk.type_text("1\n")
        .expect_output("Recorded: \"EU\".")
        .expect_output("Question 3 of 4.")
        .type_text("/BACK\n");
    talk.expect_output("Question 2 of 4.")
        .expect_output("Your answer so far: \"EU\"")
        .type_text("/clear\n")
        .expect_output("Cleared.");
    talk.expect_output("Question 2 of 4.")
        .type_text("none\n")
        .expect_output("Nothing is picked.")
        .expect_output("Question 2 of 4.");
    talk.type_text("all\n")
        .expect_output("Recorded: \"EU\", \"US\", \"Asia\".")
        .type_text("sam\n")
        .expect_output("Question 4 of 4.");
    talk.type_text("/skip\n")
        .expect_output("Skipped.")
        .expect_output("Review. 2 of 4 answered. 1 problem: question 1, \"When?\": ");
    talk.expect_output("  4. Why? skipped").expect_output("Review> ").type_text("/submit\n");
    talk.expect_output("1 answer needs attention.")
        .expect_output("- question 1, \"When?\": This question needs an answer");
    talk.expect_output("Question 1 of 4.")
        .type_text("now\n")
        .expect_output("Understood: 1. \"Now\"")
        .expect_output("Review. 3 of 4 answered.");
    talk.type_text("3\n")
        .expect_output("Question 3 of 4.")
        .type_text("kim\n")
        .expect_output("Recorded: \"kim\".")
        .expect_output("Review.");
    talk.type_text("/back\n")
        .expect_output("Question 4 of 4.")
        .type_text("/review\n")
        .expect_output("Review> ");
    talk.type_text("/help\n")
        .expect_output("/decline REASON")
        .expect_output("Review> ")
        .type_text("/submit\n")
        .expect_output("Sent.");
    assert!(matches!(talk.wait_for_end().0, PromptOutcome::Settled { .. }));
    assert!(stage.answers().contains("kim") && stage.answers().contains("skipped"));
}

#[test]
fn unknown_command_answers_nothing() {
    let stage = PromptFixture::new(r#"{"questions": [{"id": "path", "prompt": "Path?"}]}"#);
    let (_, out) = stage.type_all("/usr/bin\n/done\n//usr/bin\n");
    assert!(
        out.contains("There is no command \"/usr/bin\": /help lists them, and // starts a literal slash."),
        "{out}"
    );
    assert!(out.contains("There is no command \"/done\":"), "{out}");
    assert!(stage.answers().contains(r#""/usr/bin""#), "{}", stage.answers());
}

#[test]
fn decline_asks_for_reason_once() {
    let reason = |lines: &str| {
        let stage = PromptFixture::new(FOUR_QUESTIONS);
        let (ended, out) = stage.type_all(lines);
        match stage.ask().outcome() {
            Some(Outcome::Declined { reason, .. }) => {
                assert!(matches!(ended, PromptOutcome::Settled { .. }), "{out}");
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
    let stage = PromptFixture::new(FOUR_QUESTIONS);
    let (ended, _) = stage.type_all("1\n/quit\n");
    assert_eq!(ended, PromptOutcome::Left);
    assert!(stage.ask().outcome().is_none());
    assert_eq!(stage.draft(), r#"{"when":{"state":"answered","answer":{"picks":[{"option":"o1"}]}}}"#);
}

/// Prompt style that accepts every line, as a spec might demand it.
struct LiteralStyle;

impl PromptStyle for LiteralStyle {
    fn intro(&self, _: &PromptContext<'_>) -> String {
        String::new()
    }

    fn render(&self, _: &PromptContext<'_>, index: usize) -> String {
        format!("({index})? ")
    }

    fn preview(&self, _: &PromptContext<'_>, _: usize, _: Option<usize>) -> Option<String> {
        None
    }

    fn read_line(
        &self,
        question: &Question,
        rules: &Rules,
        partial: PartialAnswer,
        line: &str,
    ) -> ParsedLine {
        let line = if line.starts_with('/') { "1" } else { line };
        match PlainStyle::default().read_line(question, rules, partial, line) {
            ParsedLine::Reply { reply, .. } => {
                ParsedLine::Reply { reply, notice: Some(format!("took {line}")) }
            }
            other => other,
        }
    }

    fn has_review(&self) -> bool {
        false
    }

    fn announces_replies(&self) -> bool {
        false
    }

    fn has_strict_commands(&self) -> bool {
        true
    }
}

const TWO_CHOICES: &str = r#"{"questions": [{"id": "a", "prompt": "A?", "options": [{"label": "x"}, {"label": "y"}]},
    {"id": "b", "prompt": "B?", "options": [{"label": "x"}, {"label": "y"}]}]}"#;

#[test]
fn style_without_review_sends_directly() {
    let stage = PromptFixture::new(TWO_CHOICES);
    let (ended, out) = stage.type_all_with(&LiteralStyle, PromptSetup::default(), "/foo\n2\n");
    assert!(matches!(ended, PromptOutcome::Settled { .. }));
    assert_eq!(out, "(0)? took 1\n(1)? took 2\n");
    let stage = PromptFixture::new(TWO_CHOICES);
    let (ended, _) =
        stage.type_all_with(&LiteralStyle, PromptSetup::default(), "1\n/next\n/back\n/decline\n");
    assert!(matches!(ended, PromptOutcome::Settled { .. }));
    assert_eq!(stage.ask().outcome().unwrap().kind(), "declined");
}

#[test]
fn quiet_prompter_asks_from_first() {
    let stage = PromptFixture::new(TWO_CHOICES);
    let quiet = PromptSetup { quiet: true, ..PromptSetup::default() };
    let (ended, out) = stage.type_all_with(&LiteralStyle, quiet, "1\n");
    assert_eq!((ended, out.as_str()), (PromptOutcome::InputEnded { any_line: true }, "took 1\n"));
    let (ended, out) = stage.type_all_with(&LiteralStyle, quiet, "2\n1\n");
    assert!(matches!(ended, PromptOutcome::Settled { .. }));
    assert_eq!(out, "took 2\ntook 1\n");
    assert!(stage.answers().starts_with(r#"{"a":{"state":"answered","answer":{"picks":[{"option":"o2"}]}}"#));
}

#[test]
fn script_ignores_persons_draft() {
    let stage = PromptFixture::new(FOUR_QUESTIONS);
    stage.type_all("1\n1\nsam\n/quit\n");
    let (ended, out) = stage.type_all_with(
        &PlainStyle::default(),
        PromptSetup { quiet: true, ..PromptSetup::default() },
        "2\n/submit\n",
    );
    assert_eq!(ended, PromptOutcome::InputEnded { any_line: true });
    assert!(out.contains("2 answers need attention."), "{out}");
}

#[test]
fn other_answer_keeps_askers_position() {
    let stage = PromptFixture::new(
        r#"{"questions": [{"id": "a", "prompt": "A?", "multi": true, "other": true, "other_label": "My own", "other_at": 1,
            "options": [{"label": "x"}, {"label": "y"}]}]}"#,
    );
    let (_, out) = stage.type_all("3, my, 1\nmine\n/submit\n");
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
    let stage = PromptFixture::from_questionnaire(questionnaire, None, false);
    let (ended, out) = stage.type_all("/submit\n");
    assert!(matches!(ended, PromptOutcome::Settled { .. }), "{out}");
    assert!(out.contains("Read this."), "{out}");
    assert_eq!(stage.answers(), "{}");
}

#[test]
fn review_accepts_full_width_digits() {
    let stage = PromptFixture::new(FOUR_QUESTIONS);
    let (_, out) = stage.type_all("１\n１\nsam\n/skip\n３\nbob\n/submit\n");
    assert!(!out.contains("Type a number from"), "{out}");
    assert!(stage.answers().contains(r#"{"text":"bob"}"#), "{out}");
}
