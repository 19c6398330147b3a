//! Keys typed while an ask ends elsewhere.

use crate::surface::PromptOutcome;
use crate::tty::Key;
use crate::tty::KeyCode;
use crate::tui::effect::Event;
use crate::tui::tests::stage::fixtures::{self, decline_elsewhere};
use crate::tui::tests::stage::keys::key;
use crate::tui::tests::stage::{SIZES, ScreenStage, StageConfig};
use sayso_core::{Answer, Reply};

fn text(words: &str) -> Reply {
    Reply::from_answer(Answer::Text(words.into()))
}

fn type_letters(stage: &mut ScreenStage, letters: &str) {
    for letter in letters.chars() {
        stage.press_key(if letter == '\n' { key("enter") } else { Key::plain(KeyCode::Char(letter)) });
        stage.advance(150);
    }
}

fn from_inbox() -> StageConfig {
    StageConfig { from_inbox: true, ..StageConfig::default() }
}

#[test]
fn end_is_shown_and_letters_ignored() {
    for size in SIZES {
        let mut stage = ScreenStage::open_with(fixtures::TEXTS, &StageConfig { size, ..from_inbox() });
        stage.press_keys("enter 'half a wo'");
        stage.change_elsewhere(decline_elsewhere);
        // These letters are commands of the list; they do nothing.
        type_letters(&mut stage, "q\nx/hd\n?y");
        stage.handle_event(Event::Input(crate::tty::InputEvent::Paste("pasted\nq\n".into())));
        let handle = stage.id.unwrap().short_id();
        for shown in ["This ask has ended", "Declined elsewhere", "half a wo", "any other key", &handle] {
            stage.must_show(shown);
        }
        assert!(stage.ended.is_none());
        assert_eq!((stage.stored_reply("one"), stage.act_count()), (text("half a wo"), 0));
        // After a pause a key closes it, and what follows that key at once is for no one.
        stage.advance(5_000);
        type_letters(&mut stage, "q\nx/hd\n?y");
        stage.must_not_show("This ask has ended");
        stage.must_show("Declined elsewhere");
        stage.press_keys("q");
        assert_eq!(stage.ended, Some(PromptOutcome::Left));
    }
}

#[test]
fn note_and_reason_survive_the_end() {
    let mut stage = ScreenStage::open_with(fixtures::CHOICE, &from_inbox());
    stage.press_keys("enter n 'half a note'");
    stage.change_elsewhere(decline_elsewhere);
    stage.must_show("half a note");
    assert_eq!(stage.stored_reply("when").note.as_deref(), Some("half a note"));
    let mut stage = ScreenStage::open_with(fixtures::TEXT, &from_inbox());
    stage.press_keys("enter esc d 'half a reason'");
    stage.change_elsewhere(decline_elsewhere);
    stage.must_show("This ask has ended");
    stage.must_show("half a reason");
    stage.must_show(&format!("sayso show {} prints it.", stage.id.unwrap().short_id()));
}

#[test]
fn single_ask_closes_after_a_lull() {
    let mut stage = ScreenStage::open_ask(fixtures::TEXTS);
    stage.press_keys("'half a wo'");
    stage.press_key(key("r"));
    stage.change_elsewhere(decline_elsewhere);
    for _ in 0..20 {
        assert!(stage.ended.is_none(), "{}", stage.screen());
        stage.must_show("Declined elsewhere by grace");
        stage.must_show("half a wor");
        type_letters(&mut stage, "d\nq");
        stage.advance(200);
    }
    stage.advance(400);
    assert!(stage.ended.is_none());
    stage.advance(400);
    assert!(matches!(stage.ended, Some(PromptOutcome::SettledElsewhere(_))), "{:?}", stage.ended);
    assert_eq!(stage.stored_reply("one"), text("half a wor"));
}

#[test]
fn pause_in_typing_keeps_the_end() {
    let mut stage = ScreenStage::open_ask(fixtures::TEXTS);
    stage.press_keys("'half a word'");
    stage.advance(20_000);
    stage.change_elsewhere(decline_elsewhere);
    stage.advance(9_500);
    stage.must_show("Declined elsewhere by grace");
    assert!(stage.ended.is_none(), "{}", stage.screen());
    stage.press_key(key("t"));
    assert!(matches!(stage.ended, Some(PromptOutcome::SettledElsewhere(_))), "{:?}", stage.ended);
    assert_eq!(stage.stored_reply("one"), text("half a word"));
}

#[test]
fn idle_single_ask_closes_immediately() {
    for (ask, keys) in [(fixtures::TEXTS, ""), (fixtures::CHOICE, "down")] {
        let mut stage = ScreenStage::open_ask(ask);
        stage.press_keys(keys);
        stage.advance(2_000);
        stage.change_elsewhere(decline_elsewhere);
        assert!(matches!(stage.ended, Some(PromptOutcome::SettledElsewhere(_))), "{:?}", stage.ended);
    }
}

#[test]
fn shown_end_still_returns_its_outcome() {
    for event in [Event::Hangup, Event::Input(crate::tty::InputEvent::Key(key("^c")))] {
        let mut stage = ScreenStage::open_ask(fixtures::TEXTS);
        stage.press_keys("'half'");
        stage.press_key(key("!"));
        stage.change_elsewhere(decline_elsewhere);
        assert!(stage.ended.is_none());
        stage.handle_event(event);
        assert!(matches!(stage.ended, Some(PromptOutcome::SettledElsewhere(_))), "{:?}", stage.ended);
    }
}
