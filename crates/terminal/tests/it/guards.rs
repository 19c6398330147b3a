//! Tests that pasted or early lines answer nothing by accident.

use crate::fixture::{FOUR_QUESTIONS, PromptFixture, PromptSetup};
use sayso_terminal::PromptOutcome;

const GUARDS: PromptSetup = PromptSetup { guards: true, quiet: false, lang: sayso_core::Lang::En };

/// Answers up to the short text of the four.
fn start_at_text(stage: &PromptFixture) -> crate::fixture::Conversation {
    let mut talk = stage.start_conversation(GUARDS);
    talk.expect_output("Question 1")
        .expect_output("/help): ")
        .type_text("1\n")
        .expect_output("Question 2")
        .expect_output("/help): ")
        .type_text("1\n");
    talk.expect_output("Question 3").expect_output("/help): ");
    talk
}

#[test]
fn accepted_paste_is_kept() {
    let stage = PromptFixture::new(FOUR_QUESTIONS);
    let mut talk = start_at_text(&stage);
    talk.type_text("one\ntwo\nthree\n")
        .expect_output("2 more lines were pasted. Keep them in this answer? yes or no: ");
    talk.type_text("four\n")
        .expect_output("3 more lines")
        .type_text("YES\n")
        .expect_output("Recorded: \"one…\" (4 lines, 18 characters).");
    talk.hang_up();
    assert!(stage.draft().contains(r#""one\ntwo\nthree\nfour""#), "{}", stage.draft());
}

#[test]
fn double_slash_escapes_a_slash() {
    let stage = PromptFixture::new(FOUR_QUESTIONS);
    let mut talk = start_at_text(&stage);
    talk.type_text("/note\n")
        .expect_output("Note")
        .expect_output(": ")
        .type_text("//etc/hosts\n")
        .expect_output("Note kept: \"/etc/hosts\"");
    talk.expect_output("Question 3")
        .expect_output("/help): ")
        .type_text("//one\n//two\n")
        .expect_output("yes or no: ");
    talk.type_text("//three\n").expect_output("yes or no: ").type_text("yes\n").expect_output("Recorded: ");
    talk.hang_up();
    assert!(stage.draft().contains(r#""/one\n/two\n/three""#), "{}", stage.draft());
    assert!(stage.draft().contains(r#""note":"/etc/hosts""#), "{}", stage.draft());
}

#[test]
fn declined_paste_is_dropped() {
    let stage = PromptFixture::new(FOUR_QUESTIONS);
    let mut talk = start_at_text(&stage);
    talk.type_text("one\n2\n")
        .expect_output("1 more line was pasted.")
        .type_text("no\n")
        .expect_output("ignored: 1.")
        .expect_output("Recorded: \"one\".");
    talk.expect_output("Question 4");
    talk.hang_up();
}

#[test]
fn paste_survives_other_command() {
    for (last, ended) in
        [("", PromptOutcome::InputEnded { any_line: true }), ("/quit\n", PromptOutcome::Left)]
    {
        let stage = PromptFixture::new(FOUR_QUESTIONS);
        let mut talk = start_at_text(&stage);
        talk.type_text("one\ntwo\n")
            .expect_output("yes or no: ")
            .type_text("/help\n")
            .expect_output("yes or no: ")
            .type_text(last);
        assert_eq!(talk.hang_up().0, ended);
        assert!(stage.draft().contains(r#""one\ntwo""#), "{}", stage.draft());
    }
}

#[test]
fn early_lines_answer_no_choice() {
    let stage = PromptFixture::new(FOUR_QUESTIONS);
    let mut talk = stage.start_conversation(GUARDS);
    talk.expect_output("/help): ").type_text("1\n2\n3\n").expect_output("Recorded: \"Now\".");
    talk.expect_output("2 lines typed before this was shown were ignored.").expect_output("Question 2");
    talk.hang_up();
    assert!(!stage.draft().contains("where"), "{}", stage.draft());
}

#[test]
fn command_inside_paste_is_text() {
    let stage = PromptFixture::new(FOUR_QUESTIONS);
    let mut talk = start_at_text(&stage);
    talk.type_text("sam\n")
        .expect_output("Question 4")
        .expect_output("> ")
        .type_text("one\n/decline no\ntwo\n");
    talk.expect_output("> ")
        .expect_output("> ")
        .expect_output("> ")
        .type_text("/done\n")
        .expect_output("Review> ");
    assert!(stage.ask().outcome().is_none());
    talk.type_text("/submit\n").expect_output("Sent.");
    talk.wait_for_end();
    assert!(stage.answers().contains(r#""one\n/decline no\ntwo""#), "{}", stage.answers());
}

#[test]
fn all_lines_count_without_guards() {
    let stage = PromptFixture::new(FOUR_QUESTIONS);
    let (ended, _) = stage.type_all("1\n1\nsam\n/skip\n/submit\n");
    assert!(matches!(ended, PromptOutcome::Settled { .. }));
}
