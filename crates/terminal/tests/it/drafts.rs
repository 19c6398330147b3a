//! Tests that typed text is in the draft and comes back.

use crate::fixture::{FOUR_QUESTIONS, ONE_CHOICE, PromptFixture, PromptSetup, person};
use sayso_core::{QuestionId, Reply};
use sayso_desk::{Desk, DraftRev};
use sayso_terminal::PromptOutcome;

#[test]
fn answer_is_durable_before_announcement() {
    let stage = PromptFixture::new(FOUR_QUESTIONS);
    let mut talk = stage.start_conversation(PromptSetup::default());
    talk.expect_output("Question 1").type_text("1\n").expect_output("Recorded: \"Now\".");
    assert!(stage.draft().contains("o1"));
    talk.expect_output("Question 2").type_text("2\n").expect_output("Recorded: \"US\".");
    assert!(stage.draft().contains("where"));
    talk.hang_up();
}

#[test]
fn draft_resumes_at_first_open_question() {
    let stage = PromptFixture::new(FOUR_QUESTIONS);
    stage.type_all("1\n2\n");
    let (ended, out) = stage.type_all("sam\n/skip\n/submit\n");
    assert!(
        out.contains("Draft found: 2 of 4 answered. Continuing with question 3. /review shows them."),
        "{out}"
    );
    assert!(matches!(ended, PromptOutcome::Settled { .. }), "{out}");
    assert!(stage.answers().contains("sam"));
}

#[test]
fn complete_draft_opens_review_unsent() {
    let stage = PromptFixture::new(ONE_CHOICE);
    let save = (QuestionId::new("when"), Reply::from_picks([sayso_core::Pick::Other("at noon".into())]));
    stage.desk.save(&person("me"), stage.id, DraftRev(0), vec![save]).unwrap();
    let (ended, out) = stage.type_all("");
    assert_eq!(ended, PromptOutcome::InputEnded { any_line: false });
    assert!(out.contains("  1. When? own answer: \"at noon\""), "{out}");
    let (ended, _) = stage.type_all("/submit\n");
    assert!(matches!(ended, PromptOutcome::Settled { .. }));
}

#[test]
fn note_on_the_whole_form_is_reviewed() {
    let stage = PromptFixture::new(FOUR_QUESTIONS);
    let (_, out) = stage.type_all("1\n2\nsam\n/skip\n/note only this week\n");
    assert!(out.contains("  Note on the whole form: \"only this week\"\n"), "{out}");
    assert!(stage.draft().contains("only this week"), "{}", stage.draft());
    let (_, out) = stage.type_all("/note\n\n");
    assert!(out.contains("The note is removed."), "{out}");
    let mut talk = stage.start_conversation(PromptSetup::default());
    talk.expect_output("Review> ");
    let theirs = (QuestionId::FORM, Reply::unanswered().with_note(Some("from elsewhere".into())));
    stage.desk.save(&person("ada"), stage.id, stage.desk.draft(stage.id).unwrap().rev, vec![theirs]).unwrap();
    talk.expect_output("The note on the whole form was changed elsewhere: \"from elsewhere\"");
    talk.type_text("/submit\n").expect_output("Sent.");
    talk.wait_for_end();
    assert!(stage.answers().contains("from elsewhere"), "{}", stage.answers());
}

/// A lone question is sent without a review, so that a note from elsewhere is shown first.
#[test]
fn note_at_a_lone_question_is_reviewed() {
    let stage = PromptFixture::new(ONE_CHOICE);
    let theirs = (QuestionId::FORM, Reply::unanswered().with_note(Some("from elsewhere".into())));
    stage.desk.save(&person("ada"), stage.id, DraftRev(0), vec![theirs]).unwrap();
    let (ended, out) = stage.type_all("1\n");
    assert_eq!(ended, PromptOutcome::InputEnded { any_line: true }, "{out}");
    assert!(out.contains("  Note on the whole form: \"from elsewhere\"\n"), "{out}");
}

#[test]
fn long_text_lines_are_kept() {
    let stage = PromptFixture::new(r#"{"questions": [{"id": "why", "prompt": "Why?", "long": true}]}"#);
    let mut talk = stage.start_conversation(PromptSetup::default());
    talk.expect_output("> ")
        .type_text("first\n")
        .expect_output("> ")
        .type_text("second\n")
        .expect_output("> ");
    let (ended, _) = talk.hang_up();
    assert_eq!(ended, PromptOutcome::InputEnded { any_line: true });
    assert!(stage.draft().contains(r#""first\nsecond""#), "{}", stage.draft());
    let mut talk = stage.start_conversation(PromptSetup::default());
    talk.expect_output("Review> ")
        .type_text("1\n")
        .expect_output("| first\n| second\n")
        .expect_output("> ")
        .type_text("third\n/done\n")
        .expect_output("Sent.");
    talk.wait_for_end();
    assert!(stage.answers().contains(r#""first\nsecond\nthird""#), "{}", stage.answers());
}

#[test]
fn commands_keep_long_text() {
    for command in ["/back", "/review", "/quit", "/decline\n/quit", "/next"] {
        let stage = PromptFixture::new(FOUR_QUESTIONS);
        stage.type_all(&format!("1\n1\nsam\nlong\ntext\n{command}\n"));
        assert!(stage.draft().contains(r#""long\ntext""#), "{command}: {}", stage.draft());
    }
    let stage = PromptFixture::new(FOUR_QUESTIONS);
    stage.type_all("1\n1\nsam\nlong\n/clear\n");
    assert!(!stage.draft().contains("long"), "{}", stage.draft());
}

#[test]
fn refused_text_is_kept() {
    let stage = PromptFixture::new(
        r#"{"questions": [{"id": "a", "prompt": "A?", "long": true}, {"id": "b", "prompt": "B?"}]}"#,
    );
    let half = "a".repeat(600 << 10);
    let (ended, out) = stage.type_all(&format!("{half}\n{half}\n/done\n"));
    assert_eq!(ended, PromptOutcome::InputEnded { any_line: true });
    assert!(out.contains("at most 1048576 are allowed"));
    assert!(stage.draft().len() > 1_200_000);
}

#[test]
fn other_surfaces_save_is_merged() {
    let stage = PromptFixture::new(FOUR_QUESTIONS);
    let mut talk = stage.start_conversation(PromptSetup::default());
    talk.expect_output("Question 1");
    let save = |rev: u64, id: &str, text: &str| {
        let reply = Reply::from_text(text);
        stage.desk.save(&person("kim"), stage.id, DraftRev(rev), vec![(QuestionId::new(id), reply)]).unwrap();
    };
    save(0, "who", "kim herself");
    talk.expect_output("Question 3 was changed elsewhere: \"kim herself\"")
        .expect_output("Answer (number or label, or /help): ");
    talk.type_text("1\n")
        .expect_output("Recorded: \"Now\".")
        .expect_output("Question 2")
        .type_text("1\n")
        .expect_output("Question 4");
    talk.type_text("/skip\n").expect_output("Review. 3 of 4").type_text("/submit\n").expect_output("Sent.");
    talk.wait_for_end();
    assert!(stage.answers().contains("kim herself"));
}

#[test]
fn foreign_text_change_is_shown_again() {
    let stage = PromptFixture::new(
        r#"{"questions": [{"id": "notes", "prompt": "Notes?", "long": true}, {"prompt": "End?"}]}"#,
    );
    let mut talk = stage.start_conversation(PromptSetup::default());
    talk.expect_output("Question 1").expect_output("> ").type_text("mine\n").expect_output("> ");
    // The line is in the draft before the other person writes: wait for it there.
    while !stage.draft().contains("mine") {
        std::thread::yield_now();
    }
    let theirs = (QuestionId::new("notes"), Reply::from_text("mine\nand theirs"));
    stage.desk.save(&person("kim"), stage.id, DraftRev(1), vec![theirs]).unwrap();
    talk.expect_output("Question 1 was changed elsewhere: \"mine…\" (2 lines")
        .expect_output("| and theirs")
        .expect_output("> ");
    talk.type_text("and mine again\n/done\n").expect_output("Recorded: 3 lines");
    talk.hang_up();
    assert!(stage.draft().contains(r"mine\nand theirs\nand mine again"), "{}", stage.draft());
}

#[test]
fn question_hidden_elsewhere_yields_to_parent() {
    let stage = PromptFixture::new(
        r#"{"questions": [{"id": "lang", "prompt": "Which?", "options": [{"id": "ts", "label": "TS"}, {"id": "rs", "label": "Rust"}],
            "children": [{"id": "frame", "prompt": "Framework?", "show_if": {"is": "ts"}}]}, {"prompt": "End?"}]}"#,
    );
    let mut talk = stage.start_conversation(PromptSetup::default());
    talk.expect_output("Which?")
        .expect_output("/help): ")
        .type_text("1\n")
        .expect_output("A follow-up question was added.");
    talk.expect_output("Framework?").expect_output("/help): ");
    let rust = (
        QuestionId::new("lang"),
        Reply::from_picks([sayso_core::Pick::Option(sayso_core::OptionId::new("rs"))]),
    );
    stage.desk.save(&person("kim"), stage.id, DraftRev(1), vec![rust]).unwrap();
    talk.expect_output("Question 1 was changed elsewhere: \"Rust\"")
        .expect_output("Question 1 of 2.")
        .expect_output("Your answer so far: \"Rust\"");
    talk.type_text("/next\n").expect_output("End?");
    talk.hang_up();
    assert!(!stage.draft().contains("frame"), "{}", stage.draft());
}
