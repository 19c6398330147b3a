//! Leaving stores typed text first, or reports it.

use crate::surface::PromptOutcome;
use crate::tui::effect::{DeskCall, Effect, Event};
use crate::tui::tests::stage::ScreenStage;
use crate::tui::tests::stage::fixtures;
use crate::tui::tests::stage::keys::key;
use sayso_core::{Answer, Lang, Reply};

fn text(words: &str) -> Reply {
    Reply::from_answer(Answer::Text(words.into()))
}

#[test]
fn second_interrupt_leaves() {
    let mut stage = ScreenStage::open_ask(fixtures::TEXT);
    stage.press_keys("'kept'");
    stage.press_key(key("^c"));
    stage.must_show("Press ^C again");
    assert!(stage.ended.is_none());
    // Another key withdraws the promise; time does not.
    stage.press_keys("'!'");
    stage.must_not_show("Press ^C again");
    stage.press_key(key("^c"));
    assert!(stage.ended.is_none());
    stage.advance(60_000);
    stage.must_show("Press ^C again");
    stage.press_key(key("^c"));
    assert_eq!(stage.ended, Some(PromptOutcome::Interrupted));
    assert_eq!(stage.stored_reply("why"), text("kept!"));
}

#[test]
fn leaving_waits_for_the_save() {
    let mut stage = ScreenStage::open_ask(fixtures::TEXT);
    stage.press_keys("'typed'");
    stage.hold_saves(true);
    stage.press_keys("'!'");
    assert!(stage.calls.iter().any(|call| matches!(call, DeskCall::Save { .. })));
    for _ in 0..3 {
        stage.press_key(key("esc"));
    }
    assert!(stage.ended.is_none(), "the save is still on its way");
    stage.hold_saves(false);
    stage.release_held();
    assert_eq!(stage.ended, Some(PromptOutcome::Left));
    assert_eq!(stage.stored_reply("why"), text("typed!"));
}

#[test]
fn interrupted_save_reports_possible_loss() {
    let mut stage = ScreenStage::open_ask(fixtures::TEXT);
    stage.hold_saves(true);
    stage.press_keys("'typed'");
    stage.advance(2_000);
    stage.must_show("the desk is not responding");
    stage.press_keys("^c ^c");
    let [.., Effect::Fail(problem)] = stage.other_effects.as_slice() else {
        panic!("{:?}", stage.other_effects)
    };
    let message = problem.render_lines(Lang::En).join(" ");
    assert!(message.contains("has not confirmed that these answers are stored"), "{message}");
    assert!(problem.causes.iter().any(|cause| cause.to_string().contains("typed")), "{problem:?}");
}

#[test]
fn failing_screen_saves_and_reports() {
    let mut stage = ScreenStage::open_ask(fixtures::TEXT);
    stage.hold_saves(true);
    stage.press_keys("'typed'");
    let gone = sayso_core::Problem::new(sayso_core::ProblemCode::NotAllowed, sayso_core::Message::AskOpen);
    let (save, report) = stage.abort(gone.clone());
    assert!(save.is_some() || stage.calls.iter().any(|call| matches!(call, DeskCall::Save { .. })));
    assert_eq!((report.code, report.hint), (gone.code, Some(gone.message)));
    assert!(report.causes.iter().any(|cause| cause.to_string().contains("typed")), "{:?}", report.causes);
}

#[test]
fn failed_save_needs_two_interrupts() {
    let mut stage = ScreenStage::open_ask(fixtures::TEXT);
    stage.hold_saves(true);
    stage.press_keys("'typed' esc esc esc");
    let save = stage.calls.iter().rev().find_map(|call| match call {
        DeskCall::Save { id, base, .. } => Some((*id, *base)),
        _ => None,
    });
    let (id, base) = save.unwrap();
    let full = sayso_core::Problem::new(sayso_core::ProblemCode::DeskFailed, sayso_core::Message::AskOpen);
    stage.handle_event(Event::CallFinished(Box::new(crate::tui::effect::CallResult::Saved(
        id,
        base,
        Err(full),
    ))));
    let failed =
        |stage: &ScreenStage| stage.other_effects.iter().any(|effect| matches!(effect, Effect::Fail(_)));
    stage.must_show("^C twice leaves without");
    stage.press_key(key("^c"));
    assert!(!failed(&stage) && stage.ended.is_none(), "{}", stage.screen());
    stage.press_key(key("^c"));
    assert!(failed(&stage), "what is lost is told");
}
