//! What was typed is in the draft, and comes back.

use crate::stage::{FOUR, ONE, Setup, Stage, person};
use sayso_core::{QuestionId, Reply};
use sayso_desk::{Desk, DraftRev};
use sayso_terminal::Ended;

#[test]
fn an_answer_is_durable_before_it_is_announced() {
    let stage = Stage::new(FOUR);
    let mut talk = stage.talk(Setup::default());
    talk.hears("Question 1").types("1\n").hears("Recorded: Now.");
    assert!(stage.draft().contains("o1"));
    talk.hears("Question 2").types("2\n").hears("Recorded: US.");
    assert!(stage.draft().contains("where"));
    talk.hangs_up();
}

#[test]
fn a_draft_goes_on_at_the_first_open_question() {
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
fn a_whole_draft_goes_to_the_review_and_is_not_sent_by_itself() {
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
fn lines_of_a_long_text_are_kept_as_they_come_and_go_on_later() {
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
fn a_long_text_is_kept_by_every_command_and_taken_back_by_one() {
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
fn a_refused_text_is_said_and_kept() {
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
fn what_another_surface_saves_comes_in() {
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
fn a_text_that_somebody_else_changes_is_shown_anew_and_goes_on_from_there() {
    let stage = Stage::new(
        r#"{"questions": [{"id": "notes", "prompt": "Notes?", "long": true}, {"prompt": "End?"}]}"#,
    );
    let mut talk = stage.talk(Setup::default());
    talk.hears("Question 1").hears("> ").types("mine\n").hears("> ");
    // The line is in the draft before the other one writes: wait for it there.
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
fn a_question_that_somebody_else_hides_while_it_is_asked_gives_way_to_the_one_that_decided() {
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
