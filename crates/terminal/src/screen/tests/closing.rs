//! What becomes of keys when an ask ends under somebody's hands.

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
fn the_end_is_shown_where_somebody_types_and_no_letter_acts_until_they_leave_it() {
    for size in SIZES {
        let mut stage = Stage::with(asks::TEXTS, &Look { size, ..from_inbox() });
        stage.keys("enter 'half a wo'");
        stage.elsewhere(decline);
        // Commands of the list, for whoever looks at it; also after a pause.
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
fn a_note_and_a_reason_that_are_being_typed_are_shown_and_kept() {
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
fn one_ask_alone_ends_a_second_after_the_last_key_where_the_end_was_seen() {
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
fn whoever_thinks_about_the_next_word_does_not_type_it_to_the_shell() {
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
fn one_ask_alone_ends_at_once_where_nobody_types() {
    for (ask, keys) in [(asks::TEXTS, ""), (asks::CHOICE, "down")] {
        let mut stage = Stage::of(ask);
        stage.keys(keys);
        stage.wait(2_000);
        stage.elsewhere(decline);
        assert!(matches!(stage.ended, Some(Ended::SettledElsewhere(_))), "{:?}", stage.ended);
    }
}

#[test]
fn the_asker_gets_the_outcome_also_of_an_end_that_is_being_shown() {
    for action in [Action::Hangup, Action::Input(crate::screen::Input::Key(key("^c")))] {
        let mut stage = Stage::of(asks::TEXTS);
        stage.keys("'half'");
        stage.key(key("!"));
        stage.elsewhere(decline);
        assert!(stage.ended.is_none());
        stage.happen(action);
        assert!(matches!(stage.ended, Some(Ended::SettledElsewhere(_))), "{:?}", stage.ended);
    }
}
