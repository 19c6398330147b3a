//! Tests that typed text is in the draft and comes back.

use crate::stage::{FOUR, ONE, Setup, Stage, person};
use sayso_core::{QuestionId, Reply};
use sayso_desk::{Desk, DraftRev};
use sayso_terminal::Ended;

#[test]
fn answer_is_durable_before_announcement() {
    let stage = Stage::new(FOUR);
    let mut talk = stage.talk(Setup::default());
    talk.hears("Question 1").types("1\n").hears("Recorded: Now.");
    assert!(stage.draft().contains("o1"));
    talk.hears("Question 2").types("2\n").hears("Recorded: US.");
    assert!(stage.draft().contains("where"));
    talk.hangs_up();
}

#[test]
fn draft_resumes_at_first_open_question() {
    let stage = Stage::new(FOUR);
    stage.typed("1\n2\n");
    let (ended, out) = stage.typed("sam\n/skip\n/submit\n");
    assert!(
        out.contains("Draft found: 2 of 4 answered. Going on with question 3. /review shows them."),
        "{out}"
    );
    assert!(matches!(ended, Ended::Settled { .. }), "{out}");
    assert!(stage.answers().contains("sam"));
}

#[test]
fn complete_draft_opens_review_unsent() {
    let stage = Stage::new(ONE);
    let save = (QuestionId::new("when"), Reply::picks([sayso_core::Pick::Other("at noon".into())]));
    stage.desk.save(&person("me"), stage.id, DraftRev(0), vec![save]).unwrap();
    let (ended, out) = stage.typed("");
    assert_eq!(ended, Ended::InputEnded { any_line: false });
    assert!(out.contains("  1. When? own answer: at noon"), "{out}");
    let (ended, _) = stage.typed("/submit\n");
    assert!(matches!(ended, Ended::Settled { .. }));
}

#[test]
fn long_text_lines_are_kept() {
    let stage = Stage::new(r#"{"questions": [{"id": "why", "prompt": "Why?", "long": true}]}"#);
    let mut talk = stage.talk(Setup::default());
    talk.hears("> ").types("first\n").hears("> ").types("second\n").hears("> ");
    let (ended, _) = talk.hangs_up();
    assert_eq!(ended, Ended::InputEnded { any_line: true });
    assert!(stage.draft().contains(r#""first\nsecond""#), "{}", stage.draft());
    let mut talk = stage.talk(Setup::default());
    talk.hears("Review> ")
        .types("1\n")
        .hears("| first\n| second\n")
        .hears("> ")
        .types("third\n/done\n")
        .hears("Sent.");
    talk.ends();
    assert!(stage.answers().contains(r#""first\nsecond\nthird""#), "{}", stage.answers());
}

#[test]
fn commands_keep_long_text() {
    for command in ["/back", "/review", "/quit", "/decline\n/quit", "/next"] {
        let stage = Stage::new(FOUR);
        stage.typed(&format!("1\n1\nsam\nlong\ntext\n{command}\n"));
        assert!(stage.draft().contains(r#""long\ntext""#), "{command}: {}", stage.draft());
    }
    let stage = Stage::new(FOUR);
    stage.typed("1\n1\nsam\nlong\n/clear\n");
    assert!(!stage.draft().contains("long"), "{}", stage.draft());
}

#[test]
fn refused_text_is_kept() {
    let stage = Stage::new(
        r#"{"questions": [{"id": "a", "prompt": "A?", "long": true}, {"id": "b", "prompt": "B?"}]}"#,
    );
    let half = "a".repeat(600 << 10);
    let (ended, out) = stage.typed(&format!("{half}\n{half}\n/done\n"));
    assert_eq!(ended, Ended::InputEnded { any_line: true });
    assert!(out.contains("at most 1048576 are allowed"));
    assert!(stage.draft().len() > 1_200_000);
}

#[test]
fn other_surfaces_save_is_merged() {
    let stage = Stage::new(FOUR);
    let mut talk = stage.talk(Setup::default());
    talk.hears("Question 1");
    let save = |rev: u64, id: &str, text: &str| {
        let reply = Reply::text(text);
        stage.desk.save(&person("kim"), stage.id, DraftRev(rev), vec![(QuestionId::new(id), reply)]).unwrap();
    };
    save(0, "who", "kim herself");
    talk.hears("Question 3 was changed elsewhere: kim herself").hears("Answer (number or label, or /help): ");
    talk.types("1\n").hears("Recorded: Now.").hears("Question 2").types("1\n").hears("Question 4");
    talk.types("/skip\n").hears("Review. 3 of 4").types("/submit\n").hears("Sent.");
    talk.ends();
    assert!(stage.answers().contains("kim herself"));
}

#[test]
fn foreign_text_change_is_shown_again() {
    let stage = Stage::new(
        r#"{"questions": [{"id": "notes", "prompt": "Notes?", "long": true}, {"prompt": "End?"}]}"#,
    );
    let mut talk = stage.talk(Setup::default());
    talk.hears("Question 1").hears("> ").types("mine\n").hears("> ");
    // The line is in the draft before the other person writes: wait for it there.
    while !stage.draft().contains("mine") {
        std::thread::yield_now();
    }
    let theirs = (QuestionId::new("notes"), Reply::text("mine\nand theirs"));
    stage.desk.save(&person("kim"), stage.id, DraftRev(1), vec![theirs]).unwrap();
    talk.hears("Question 1 was changed elsewhere: mine… (2 lines").hears("| and theirs").hears("> ");
    talk.types("and mine again\n/done\n").hears("Recorded: 3 lines");
    talk.hangs_up();
    assert!(stage.draft().contains(r"mine\nand theirs\nand mine again"), "{}", stage.draft());
}

#[test]
fn question_hidden_elsewhere_yields_to_parent() {
    let stage = Stage::new(
        r#"{"questions": [{"id": "lang", "prompt": "Which?", "options": [{"id": "ts", "label": "TS"}, {"id": "rs", "label": "Rust"}],
            "children": [{"id": "frame", "prompt": "Framework?", "show_if": {"is": "ts"}}]}, {"prompt": "End?"}]}"#,
    );
    let mut talk = stage.talk(Setup::default());
    talk.hears("Which?").hears("/help): ").types("1\n").hears("A follow-up question was added.");
    talk.hears("Framework?").hears("/help): ");
    let rust =
        (QuestionId::new("lang"), Reply::picks([sayso_core::Pick::Option(sayso_core::OptionId::new("rs"))]));
    stage.desk.save(&person("kim"), stage.id, DraftRev(1), vec![rust]).unwrap();
    talk.hears("Question 1 was changed elsewhere: Rust")
        .hears("Question 1 of 2.")
        .hears("Your answer so far: Rust");
    talk.types("/next\n").hears("End?");
    talk.hangs_up();
    assert!(!stage.draft().contains("frame"), "{}", stage.draft());
}
