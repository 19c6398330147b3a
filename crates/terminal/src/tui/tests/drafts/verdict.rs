//! Verdicts of askers that judge, and asks that can only be read.

use crate::tui::tests::stage::fixtures::{self, asker, decline_elsewhere, person, save_elsewhere};
use crate::tui::tests::stage::{ScreenStage, StageConfig};
use sayso_core::model::ask::RoundFeedback;
use sayso_core::{Actor, Answer, AskCommand, Reply};
use sayso_desk::{Desk, StoreDesk};

fn text(words: &str) -> Reply {
    Reply::from_answer(Answer::Text(words.into()))
}

fn submit_elsewhere(desk: &StoreDesk, id: sayso_core::AskId) {
    for question in ["one", "two"] {
        save_elsewhere(desk, id, question, text("x"));
    }
    let submit = AskCommand::Submit {
        replies: desk.draft(id).unwrap().replies,
        as_sent: None,
        shown: desk.get(id).unwrap().request.digest.into(),
    };
    desk.act(&Actor::Person(person("grace")), id, None, submit).unwrap();
}

fn reprompt(desk: &StoreDesk, id: sayso_core::AskId) {
    submit_elsewhere(desk, id);
    let errors = vec![("two".into(), "Say **more**.".into())];
    let feedback = RoundFeedback { summary: Some("Nearly.".into()), errors };
    desk.act(&Actor::Asker(asker()), id, None, AskCommand::Reprompt { round: 1, feedback }).unwrap();
}

#[test]
fn correction_is_marked_until_changed() {
    let look = StageConfig { judged: true, ..StageConfig::default() };
    let mut stage = ScreenStage::open_after(fixtures::TEXTS, &look, reprompt);
    stage.must_show("Question 2 of 3.");
    stage.must_show("┃ Nearly.");
    stage.must_show("┃ Say more.");
    stage.must_show("! Two?");
    stage.press_keys("^s");
    stage.must_show("2. Two?    x  [the asker wants this changed]");
    stage.press_keys("alt-2 'y' ^s");
    stage.must_not_show("[the asker wants this changed]");
    stage.must_not_show("! Two?");
    stage.advance(1_000);
    stage.press_keys("^s");
    assert_eq!(stage.submitted_reply("two"), Some(text("xy")));
}

#[test]
fn submitted_ask_is_read_only() {
    let look = StageConfig { judged: true, from_inbox: true, ..StageConfig::default() };
    let mut stage = ScreenStage::open_after(fixtures::TEXTS, &look, submit_elsewhere);
    stage.press_keys("enter");
    stage.must_show("Submitted by grace");
    stage.must_show("┃ Two?");
    stage.must_show("› x");
    stage.press_keys("esc");
    assert!(stage.app.ask_view.is_none() && stage.act_count() == 0);
    stage.change_elsewhere(|desk, id| {
        desk.act(&Actor::Asker(asker()), id, None, AskCommand::Accept { round: 1 }).unwrap();
    });
    stage.press_keys("tab enter");
    stage.must_show("Answered by grace");
    stage.must_show("› x");
    stage.press_keys("'typed into nothing' esc");
    assert_eq!(stage.act_count(), 0);
    let mut stage = ScreenStage::open_after(
        fixtures::TEXTS,
        &StageConfig { from_inbox: true, ..look },
        decline_elsewhere,
    );
    stage.press_keys("tab / 'one' enter");
    stage.must_show("Declined by grace");
}

#[test]
fn verdict_replaces_its_announcement() {
    let look = StageConfig { judged: true, from_inbox: true, ..StageConfig::default() };
    let mut stage = ScreenStage::open_with(fixtures::TEXT, &look);
    stage.press_keys("enter 'x' ^s");
    stage.must_show("Sent. The asker has yet to accept it.");
    stage.change_elsewhere(|desk, id| {
        desk.act(&Actor::Asker(asker()), id, None, AskCommand::Accept { round: 1 }).unwrap();
    });
    stage.must_show("Sent. The asker accepted it.");
    stage.must_not_show("yet to accept");
}
