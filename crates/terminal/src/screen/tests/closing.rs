//! Keys typed while an ask ends elsewhere.

use super::asks::{self, decline};
use super::keys::key;
use super::stage::{Look, SIZES, Stage};
use crate::prompter::Ended;
use crate::screen::KeyCode;
use crate::screen::effect::Action;
use crate::screen::input::Key;
use sayso_core::{Answer, Reply};

fn text(words: &str) -> Reply {
    Reply::of(Answer::Text(words.into()))
}

fn types(stage: &mut Stage, letters: &str) {
    for letter in letters.chars() {
        stage.key(if letter == '\n' { key("enter") } else { Key::plain(KeyCode::Char(letter)) });
        stage.wait(150);
    }
}

fn from_inbox() -> Look {
    Look { from_inbox: true, ..Look::default() }
}

#[test]
fn end_is_shown_and_letters_ignored() {
    for size in SIZES {
        let mut stage = Stage::with(asks::TEXTS, &Look { size, ..from_inbox() });
        stage.keys("enter 'half a wo'");
        stage.elsewhere(decline);
        // These letters are commands of the list; they do nothing, even after a pause.
        types(&mut stage, "q\nx/hd\n?y");
        stage.wait(5_000);
        types(&mut stage, "q\nx/hd\n?y");
        stage.keys("<pasted\nq\n> tab ^s");
        let handle = stage.id.unwrap().handle();
        for shown in ["This ask has ended", "Declined elsewhere", "half a wo", "Esc close", &handle] {
            stage.must_show(shown);
        }
        assert!(stage.ended.is_none());
        assert_eq!((stage.draft("one"), stage.acts()), (text("half a wo"), 0));
        stage.keys("esc");
        stage.must_not_show("This ask has ended");
        stage.must_show("Declined elsewhere");
        stage.keys("q");
        assert_eq!(stage.ended, Some(Ended::Left));
    }
}

#[test]
fn note_and_reason_survive_the_end() {
    let mut stage = Stage::with(asks::CHOICE, &from_inbox());
    stage.keys("enter n 'half a note'");
    stage.elsewhere(decline);
    stage.must_show("half a note");
    assert_eq!(stage.draft("when").note.as_deref(), Some("half a note"));
    let mut stage = Stage::with(asks::TEXT, &from_inbox());
    stage.keys("enter esc esc down down enter 'half a reason'");
    stage.elsewhere(decline);
    stage.must_show("This ask has ended");
    stage.must_show("half a reason");
    stage.must_show(&format!("sayso show {} prints it.", stage.id.unwrap().handle()));
}

#[test]
fn single_ask_closes_after_a_lull() {
    let mut stage = Stage::of(asks::TEXTS);
    stage.keys("'half a wo'");
    stage.key(key("r"));
    stage.elsewhere(decline);
    for _ in 0..20 {
        assert!(stage.ended.is_none(), "{}", stage.screen());
        stage.must_show("Declined elsewhere by grace");
        stage.must_show("half a wor");
        types(&mut stage, "d\nq");
        stage.wait(400);
    }
    stage.wait(300);
    assert!(stage.ended.is_none());
    stage.wait(300);
    assert!(matches!(stage.ended, Some(Ended::SettledElsewhere(_))), "{:?}", stage.ended);
    assert_eq!(stage.draft("one"), text("half a wor"));
}

#[test]
fn pause_in_typing_keeps_the_end() {
    let mut stage = Stage::of(asks::TEXTS);
    stage.keys("'half a word'");
    stage.wait(20_000);
    stage.elsewhere(decline);
    stage.wait(9_500);
    stage.must_show("Declined elsewhere by grace");
    types(&mut stage, "touch x\n");
    stage.wait(500);
    assert!(stage.ended.is_none(), "{}", stage.screen());
    stage.wait(600);
    assert!(matches!(stage.ended, Some(Ended::SettledElsewhere(_))), "{:?}", stage.ended);
    assert_eq!(stage.draft("one"), text("half a word"));
}

#[test]
fn idle_single_ask_closes_immediately() {
    for (ask, keys) in [(asks::TEXTS, ""), (asks::CHOICE, "down")] {
        let mut stage = Stage::of(ask);
        stage.keys(keys);
        stage.wait(2_000);
        stage.elsewhere(decline);
        assert!(matches!(stage.ended, Some(Ended::SettledElsewhere(_))), "{:?}", stage.ended);
    }
}

#[test]
fn shown_end_still_returns_its_outcome() {
    for event in [Action::Hangup, Action::Input(crate::screen::Input::Key(key("^c")))] {
        let mut stage = Stage::of(asks::TEXTS);
        stage.keys("'half'");
        stage.key(key("!"));
        stage.elsewhere(decline);
        assert!(stage.ended.is_none());
        stage.happen(event);
        assert!(matches!(stage.ended, Some(Ended::SettledElsewhere(_))), "{:?}", stage.ended);
    }
}
