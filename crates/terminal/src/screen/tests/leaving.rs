//! Leaving stores typed text first, or reports it.

use super::asks;
use super::keys::key;
use super::stage::Stage;
use crate::prompter::Ended;
use crate::screen::KeyCode;
use crate::screen::effect::{Action, Call, Effect};
use sayso_core::{Answer, Lang, Reply};

fn text(words: &str) -> Reply {
    Reply::of(Answer::Text(words.into()))
}

#[test]
fn second_interrupt_leaves() {
    let mut stage = Stage::of(asks::TEXT);
    stage.keys("'kept'");
    stage.key(key("^c"));
    stage.must_show("Press ^C once more");
    assert!(stage.ended.is_none());
    // Another key withdraws the promise; time does not.
    stage.keys("'!'");
    stage.must_not_show("Press ^C once more");
    stage.key(key("^c"));
    assert!(stage.ended.is_none());
    stage.wait(60_000);
    stage.must_show("Press ^C once more");
    stage.key(key("^c"));
    assert_eq!(stage.ended, Some(Ended::Interrupted));
    assert_eq!(stage.draft("why"), text("kept!"));
}

#[test]
fn leaving_waits_for_the_save() {
    let mut stage = Stage::of(asks::TEXT);
    stage.keys("'typed'");
    stage.hold_saves(true);
    stage.keys("'!'");
    assert!(stage.calls.iter().any(|call| matches!(call, Call::Save { .. })));
    stage.key(key("esc"));
    stage.key(key("esc"));
    stage.key(key("down"));
    stage.key(crate::screen::Key::plain(KeyCode::Enter));
    assert!(stage.ended.is_none(), "the save is still on its way");
    stage.hold_saves(false);
    stage.make_held();
    assert_eq!(stage.ended, Some(Ended::Left));
    assert_eq!(stage.draft("why"), text("typed!"));
}

#[test]
fn interrupted_save_reports_possible_loss() {
    let mut stage = Stage::of(asks::TEXT);
    stage.hold_saves(true);
    stage.keys("'typed'");
    stage.wait(2_000);
    stage.must_show("the desk does not answer");
    stage.keys("^c ^c");
    let [.., Effect::Fail(problem)] = stage.others.as_slice() else { panic!("{:?}", stage.others) };
    let said = problem.lines(Lang::En).join(" ");
    assert!(said.contains("has not said whether these answers are stored"), "{said}");
    assert!(problem.causes.iter().any(|cause| cause.to_string().contains("typed")), "{problem:?}");
}

#[test]
fn failing_screen_saves_and_reports() {
    let mut stage = Stage::of(asks::TEXT);
    stage.hold_saves(true);
    stage.keys("'typed'");
    let gone = sayso_core::Problem::new(sayso_core::Code::NotAllowed, sayso_core::Message::AskOpen);
    let (save, told) = stage.break_off(gone.clone());
    assert!(save.is_some() || stage.calls.iter().any(|call| matches!(call, Call::Save { .. })));
    assert_eq!((told.code, told.hint), (gone.code, Some(gone.message)));
    assert!(told.causes.iter().any(|cause| cause.to_string().contains("typed")), "{:?}", told.causes);
}

#[test]
fn failed_save_needs_two_interrupts() {
    let mut stage = Stage::of(asks::TEXT);
    stage.hold_saves(true);
    stage.keys("'typed' esc esc down enter");
    let save = stage.calls.iter().rev().find_map(|call| match call {
        Call::Save { id, base, .. } => Some((*id, *base)),
        _ => None,
    });
    let (id, base) = save.unwrap();
    let full = sayso_core::Problem::new(sayso_core::Code::DeskFailed, sayso_core::Message::AskOpen);
    stage.happen(Action::Done(Box::new(crate::screen::effect::Done::Saved(id, base, Err(full)))));
    let failed = |stage: &Stage| stage.others.iter().any(|effect| matches!(effect, Effect::Fail(_)));
    stage.must_show("^C twice leaves without");
    stage.key(key("^c"));
    assert!(!failed(&stage) && stage.ended.is_none(), "{}", stage.screen());
    stage.key(key("^c"));
    assert!(failed(&stage), "what is lost is told");
}
