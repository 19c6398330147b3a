//! Tests that pasted or early lines answer nothing by accident.

use crate::stage::{FOUR, Setup, Stage};
use sayso_terminal::Ended;

const GUARDS: Setup = Setup { guards: true, quiet: false, lang: sayso_core::Lang::En };

/// Answers up to the short text of the four.
fn at_the_text(stage: &Stage) -> crate::stage::Talk {
    let mut talk = stage.talk(GUARDS);
    talk.hears("Question 1")
        .hears("/help): ")
        .types("1\n")
        .hears("Question 2")
        .hears("/help): ")
        .types("1\n");
    talk.hears("Question 3").hears("/help): ");
    talk
}

#[test]
fn accepted_paste_is_kept() {
    let stage = Stage::new(FOUR);
    let mut talk = at_the_text(&stage);
    talk.types("one\ntwo\nthree\n").hears("2 more lines were pasted. Keep them in this answer? yes or no: ");
    talk.types("four\n")
        .hears("3 more lines")
        .types("YES\n")
        .hears("Recorded: one… (4 lines, 18 characters).");
    talk.hangs_up();
    assert!(stage.draft().contains(r#""one\ntwo\nthree\nfour""#), "{}", stage.draft());
}

#[test]
fn double_slash_escapes_a_slash() {
    let stage = Stage::new(FOUR);
    let mut talk = at_the_text(&stage);
    talk.types("/note\n").hears("Note").hears(": ").types("//etc/hosts\n").hears("Note kept: /etc/hosts");
    talk.hears("Question 3").hears("/help): ").types("//one\n//two\n").hears("yes or no: ");
    talk.types("//three\n").hears("yes or no: ").types("yes\n").hears("Recorded: ");
    talk.hangs_up();
    assert!(stage.draft().contains(r#""/one\n/two\n/three""#), "{}", stage.draft());
    assert!(stage.draft().contains(r#""note":"/etc/hosts""#), "{}", stage.draft());
}

#[test]
fn declined_paste_is_dropped() {
    let stage = Stage::new(FOUR);
    let mut talk = at_the_text(&stage);
    talk.types("one\n2\n")
        .hears("1 more line was pasted.")
        .types("no\n")
        .hears("left out: 1.")
        .hears("Recorded: one.");
    talk.hears("Question 4");
    talk.hangs_up();
}

#[test]
fn paste_survives_other_command() {
    for (last, ended) in [("", Ended::InputEnded { any_line: true }), ("/quit\n", Ended::Left)] {
        let stage = Stage::new(FOUR);
        let mut talk = at_the_text(&stage);
        talk.types("one\ntwo\n").hears("yes or no: ").types("/help\n").hears("yes or no: ").types(last);
        assert_eq!(talk.hangs_up().0, ended);
        assert!(stage.draft().contains(r#""one\ntwo""#), "{}", stage.draft());
    }
}

#[test]
fn early_lines_answer_no_choice() {
    let stage = Stage::new(FOUR);
    let mut talk = stage.talk(GUARDS);
    talk.hears("/help): ").types("1\n2\n3\n").hears("Recorded: Now.");
    talk.hears("2 lines typed before this was shown were not used.").hears("Question 2");
    talk.hangs_up();
    assert!(!stage.draft().contains("where"), "{}", stage.draft());
}

#[test]
fn command_inside_paste_is_text() {
    let stage = Stage::new(FOUR);
    let mut talk = at_the_text(&stage);
    talk.types("sam\n").hears("Question 4").hears("> ").types("one\n/decline no\ntwo\n");
    talk.hears("> ").hears("> ").hears("> ").types("/done\n").hears("Review> ");
    assert!(stage.ask().outcome().is_none());
    talk.types("/submit\n").hears("Sent.");
    talk.ends();
    assert!(stage.answers().contains(r#""one\n/decline no\ntwo""#), "{}", stage.answers());
}

#[test]
fn all_lines_count_without_guards() {
    let stage = Stage::new(FOUR);
    let (ended, _) = stage.typed("1\n1\nsam\n/skip\n/submit\n");
    assert!(matches!(ended, Ended::Settled { .. }));
}
