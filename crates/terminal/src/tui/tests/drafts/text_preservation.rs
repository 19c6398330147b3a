//! Protection against losing typed text.

use crate::surface::PromptOutcome;
use crate::tui::effect::{Effect, Event};
use crate::tui::tests::stage::fixtures::{self, asker, decline_elsewhere, save_elsewhere};
use crate::tui::tests::stage::keys::key;
use crate::tui::tests::stage::{SIZES, ScreenStage, StageConfig};
use sayso_core::{Answer, Pick, Reply, ReplyContent};

fn own_answer(text: &str) -> ReplyContent {
    ReplyContent::Answered(Answer::Picks(Pick::Other(text.into()).into()))
}

fn text(words: &str) -> Reply {
    Reply::from_answer(Answer::Text(words.into()))
}

#[test]
fn own_answer_is_unpicked_like_an_option() {
    let ask = r#"{"questions": [{"id": "q", "prompt": "Who?", "multi": true, "other": true, "options": [{"id": "a", "label": "Ada"}, {"id": "b", "label": "Bo"}]}]}"#;
    for unpick in ["3", "space"] {
        let mut stage = ScreenStage::open_ask(ask);
        stage.press_keys("1 o 'Cy' esc");
        let picked = |stage: &ScreenStage| stage.stored_reply("q").answer().cloned();
        let ada = Pick::Option("a".into());
        let both = Answer::Picks([ada.clone(), Pick::Other("Cy".into())].into_iter().collect());
        assert_eq!(picked(&stage), Some(both.clone()), "{}", stage.screen());
        stage.press_keys(unpick);
        assert_eq!(picked(&stage), Some(Answer::Picks(ada.into())), "{unpick}: {}", stage.screen());
        stage.must_show("typed but not picked: \"Cy\"");
        stage.press_keys(&format!("{unpick} esc"));
        assert_eq!(picked(&stage), Some(both), "{unpick}: {}", stage.screen());
    }
}

#[test]
fn own_answer_survives_another_pick() {
    let mut stage = ScreenStage::open_ask(fixtures::CHOICE);
    stage.press_keys("o 'my own way' up up space");
    let reply = stage.stored_reply("when");
    assert_eq!(reply.content, ReplyContent::Answered(Answer::Picks(Pick::Option("tonight".into()).into())));
    assert_eq!(reply.unused_other.as_deref(), Some("my own way"));
    stage.press_keys("pgdn");
    stage.must_show("typed but not picked: \"my");
    stage.press_keys("^s");
    stage.must_show("Window: typed but not picked: \"my own way\"");
    stage.press_keys("alt-1 o");
    assert_eq!(stage.stored_reply("when").content, own_answer("my own way"));
}

#[test]
fn empty_own_answer_changes_nothing() {
    let mut stage = ScreenStage::open_ask(fixtures::CHOICE);
    stage.press_keys("o enter");
    assert!(stage.stored_reply("when").is_unanswered());
    stage.must_show("This question needs an answer");
    stage.press_keys("esc 2 o enter");
    assert_eq!(
        stage.stored_reply("when").content,
        ReplyContent::Answered(Answer::Picks(Pick::Option("tonight".into()).into()))
    );
}

#[test]
fn text_stays_at_its_question() {
    let mut stage = ScreenStage::open_ask(fixtures::TEXTS);
    stage.press_keys("'first' tab 'second' tab 'third' s-tab s-tab '!' tab '?'");
    assert_eq!(stage.stored_reply("one"), text("first!"));
    assert_eq!(stage.stored_reply("two"), text("second?"));
    assert_eq!(stage.stored_reply("three"), text("third"));
}

#[test]
fn filter_keeps_picked_options() {
    let options: Vec<_> = (1..=20).map(|n| format!(r#"{{"id": "o{n}", "label": "Option {n}"}}"#)).collect();
    let many = format!(
        r#"{{"questions": [{{"id": "q", "prompt": "Which?", "multi": true, "options": [{}]}}]}}"#,
        options.join(",")
    );
    let mut stage = ScreenStage::open_ask(&many);
    stage.press_keys("'n 17' enter");
    stage.press_keys("/ bs bs '20' down");
    stage.must_show("[x] 17  Option 17");
    stage.must_not_show("Option 16");
    stage.must_show("20  Option 20");
    let at = |stage: &ScreenStage| stage.reversed_text().last().cloned();
    let was = at(&stage);
    stage.press_keys("esc");
    stage.must_show("16  Option 16");
    assert_eq!(at(&stage), was);
    // Digits pick by the number shown, with the filter and without.
    stage.press_keys("/ '1' esc 5");
    stage.must_show("[x]  5  Option 5");
}

#[test]
fn settled_elsewhere_keeps_typed_text() {
    let mut stage =
        ScreenStage::open_with(fixtures::TEXTS, &StageConfig { from_inbox: true, ..StageConfig::default() });
    stage.press_keys("enter 'half a wo'");
    stage.press_key(key("r"));
    stage.change_elsewhere(decline_elsewhere);
    stage.must_show("Declined elsewhere by grace");
    assert_eq!(stage.stored_reply("one"), text("half a wor"));
    assert!(stage.ended.is_none());
}

#[test]
fn settled_elsewhere_ignores_further_keys() {
    // A question without typed text closes immediately.
    let mut stage =
        ScreenStage::open_with(fixtures::CHOICE, &StageConfig { from_inbox: true, ..StageConfig::default() });
    stage.press_keys("enter down");
    stage.change_elsewhere(decline_elsewhere);
    stage.must_not_show("This ask has ended");
    // These letters are commands of the inbox; they do nothing.
    for letter in ["q", "x", "/", "h"] {
        stage.press_key(key(letter));
        stage.advance(150);
    }
    stage.must_show("Declined elsewhere by grace");
    assert!(stage.ended.is_none());
    stage.advance(500);
    stage.press_keys("q");
    assert_eq!(stage.ended, Some(PromptOutcome::Left));
}

#[test]
fn settled_elsewhere_keeps_pending_saves() {
    let mut stage =
        ScreenStage::open_with(fixtures::TEXTS, &StageConfig { from_inbox: true, ..StageConfig::default() });
    stage.press_keys("enter");
    stage.hold_saves(true);
    stage.press_keys("'first' tab 'second'");
    stage.press_key(key("!"));
    stage.hold_saves(false);
    stage.change_elsewhere(decline_elsewhere);
    stage.release_held();
    assert_eq!(stage.stored_reply("one"), text("first"));
    assert_eq!(stage.stored_reply("two"), text("second!"));
}

#[test]
fn paste_presses_no_key() {
    let pasted: String = (0..200).map(|n| format!("line {n}\u{1b}[2J\u{202e}x\r\n")).collect();
    for ask in [fixtures::TEXT, fixtures::TEXTS, fixtures::CHOICE] {
        let mut stage = ScreenStage::open_ask(ask);
        stage.press_keys(if ask == fixtures::CHOICE { "o" } else { "" });
        stage.handle_event(Event::Input(crate::tty::InputEvent::Paste(pasted.clone())));
        stage.advance(1_000);
        assert!(stage.is_open() && stage.act_count() == 0);
        stage.must_show("200 lines pasted unchanged. 200 control characters were removed.");
        let id = if ask == fixtures::CHOICE {
            "when"
        } else if ask == fixtures::TEXT {
            "why"
        } else {
            "one"
        };
        let words = match stage.stored_reply(id).content {
            ReplyContent::Answered(Answer::Text(text)) => text,
            ReplyContent::Answered(Answer::Picks(picks)) => match picks.as_slice() {
                [Pick::Other(text)] => text.clone(),
                other => panic!("{other:?}"),
            },
            other => panic!("{other:?}"),
        };
        assert_eq!(words.lines().count(), 200);
        let shown = stage.buffer.content.iter().map(ratatui::buffer::Cell::symbol).collect::<String>();
        assert!(!shown.contains('\u{1b}') && !shown.contains('\u{202e}'));
    }
}

#[test]
fn paste_is_never_a_command() {
    let mut stage = ScreenStage::open_ask(fixtures::SCALES);
    stage.press_keys("<y>");
    assert_eq!(stage.draft_json(), "{}");
    stage.must_show("nothing was pasted");
    stage.press_keys("^s <d>");
    assert!(stage.app.ask_view.as_ref().unwrap().dialog.is_none());
}

#[test]
fn two_screens_merge_answers() {
    let mut stage = ScreenStage::open_ask(fixtures::TEXTS);
    stage.press_keys("'mine' tab");
    stage.press_key(key("t"));
    stage.change_elsewhere(|desk, id| {
        save_elsewhere(desk, id, "three", text("theirs"));
        save_elsewhere(desk, id, "two", text("over mine"));
    });
    // Another person's answer does not replace text that is being typed.
    stage.press_keys("'yped' tab");
    stage.must_show("theirs");
    assert_eq!(stage.stored_reply("two"), text("typed"));
    stage.change_elsewhere(|desk, id| save_elsewhere(desk, id, "one", text("changed")));
    stage.must_show("changed");
    stage.press_keys("alt-1");
    stage.must_show("│ changed");
    // One undo restores the replaced text.
    stage.press_keys("^_");
    stage.must_show("│ mine");
}

#[test]
fn undo_keeps_typed_text() {
    let mut stage = ScreenStage::open_ask(fixtures::CHOICE);
    stage.press_keys("1 o 'typed' esc n 'a note' esc ^_");
    let reply = stage.stored_reply("when");
    assert!(reply.note.as_deref() == Some("a note"), "{reply:?}");
    assert!(format!("{reply:?}").contains("typed"), "{reply:?}");
    stage.press_keys("u");
    assert!(!format!("{:?}", stage.stored_reply("when")).contains("typed"));
    stage.press_keys("^_");
    assert!(format!("{:?}", stage.stored_reply("when")).contains("typed"));
}

#[test]
fn cursor_is_at_the_insertion_point() {
    let scripts: [(&str, &str, &str); 6] = [
        (fixtures::TEXT, "'한국어'", "한국어"),
        (fixtures::TEXTS, "tab '한국어'", "한국어"),
        (fixtures::CHOICE, "o '한국어'", "한국어"),
        (fixtures::CHOICE, "n '한국어'", "한국어"),
        (fixtures::CHOICE, "/ '한국어'", "한국어"),
        (fixtures::CHOICE, "^s d '한국어'", "한국어"),
    ];
    for (ask, keys, typed) in scripts {
        for size in SIZES {
            let mut stage = ScreenStage::open_with(ask, &StageConfig { size, ..StageConfig::default() });
            stage.press_keys(keys);
            let (column, row) =
                stage.find("한").unwrap_or_else(|| panic!("{typed} is not on\n{}", stage.screen()));
            let cursor = stage.cursor.unwrap_or_else(|| panic!("no cursor on\n{}", stage.screen()));
            assert_eq!((cursor.x, cursor.y), (column + 6, row), "{keys}\n{}", stage.screen());
        }
    }
    let mut inbox = ScreenStage::inbox(&[(fixtures::TEXT, asker())], &StageConfig::default());
    inbox.press_keys("/ '한국어'");
    assert_eq!(inbox.cursor.map(|at| at.x), inbox.find("한").map(|(x, _)| x + 6));
}

#[test]
fn no_key_loses_the_own_answer() {
    let words = "word ".repeat(500);
    let mut stage = ScreenStage::open_ask(fixtures::CHOICE);
    stage.press_keys("o");
    stage.handle_event(Event::Input(crate::tty::InputEvent::Paste(words.clone())));
    let keys = "tab s-tab alt-1 alt-2 alt-0 alt-1 ^s alt-1 pgup pgdn ? esc f1 esc up down j k home end g G space esc 1 2 3 4 esc \
                a n esc p esc esc esc - R alt-1 / esc esc esc y left right h l 0 bs v c d esc ^g ^l ^z enter alt-1 o";
    stage.press_keys(keys);
    assert!(stage.is_open());
    let reply = stage.stored_reply("when");
    let ReplyContent::Answered(Answer::Picks(picks)) = &reply.content else { panic!("{reply:?}") };
    assert_eq!(picks.as_slice(), [Pick::Other(words)]);
}

#[test]
fn looking_at_a_prefill_confirms_nothing() {
    let filled = r#"{"questions": [{"id": "why", "prompt": "Why?", "prefill": {"text": "because"}},
        {"id": "all", "prompt": "Delete all?", "kind": "confirm", "prefill": {"confirm": true}},
        {"id": "many", "prompt": "How many?", "kind": "number", "prefill": {"number": 3}}]}"#;
    for keys in ["tab tab tab", "tab s-tab tab tab tab", "esc tab esc tab esc", "tab tab esc esc"] {
        let mut stage = ScreenStage::open_ask(filled);
        stage.press_keys(keys);
        for id in ["why", "all", "many"] {
            assert!(stage.stored_reply(id).is_unanswered(), "{keys}: {id}");
        }
    }
    // Enter confirms a prefilled answer.
    let mut stage = ScreenStage::open_ask(filled);
    stage.press_keys("enter enter enter");
    assert_eq!(stage.stored_reply("why"), text("because"));
    assert_eq!(stage.stored_reply("all"), Reply::from_answer(Answer::Confirm(true)));
    assert!(!stage.stored_reply("many").is_unanswered());
}

#[test]
fn typed_answer_is_not_skipped() {
    let number = r#"{"questions": [{"id": "n", "prompt": "How many?", "kind": "number", "required": false},
        {"id": "day", "prompt": "When?", "kind": "date", "required": false}]}"#;
    let mut stage = ScreenStage::open_ask(number);
    stage.press_keys("'42' esc -");
    stage.must_show("This question has an answer. u clears it, then - skips.");
    stage.press_keys("u -");
    stage.must_show("When?");
    stage.advance(1_000);
    assert_eq!(stage.stored_reply("n"), Reply::skipped());
}

#[test]
fn set_back_clock_blocks_no_key() {
    let mut stage =
        ScreenStage::open_with(fixtures::TEXT, &StageConfig { from_inbox: true, ..StageConfig::default() });
    stage.press_keys("enter");
    stage.advance(1_000);
    stage.set_clock(-300_000);
    stage.press_keys("'typed'");
    stage.advance(1_000);
    assert_eq!(stage.stored_reply("why"), text("typed"));
}

#[test]
fn overwriting_another_answer_is_reported() {
    let mut stage = ScreenStage::open_ask(fixtures::TEXTS);
    stage.press_keys("tab");
    stage.press_key(key("m"));
    stage.change_elsewhere(|desk, id| save_elsewhere(desk, id, "two", text("theirs")));
    stage.must_not_show("meanwhile");
    stage.advance(1_000);
    stage.must_show("Question 2 was changed elsewhere in the meantime; it now has your answer.");
    assert_eq!(stage.stored_reply("two"), text("m"));
    // A reply saved here before is no conflict.
    stage.press_key(key("i"));
    stage.change_elsewhere(|desk, id| save_elsewhere(desk, id, "one", text("theirs")));
    stage.must_show("Question 1 was changed elsewhere");
    stage.advance(1_000);
    stage.must_not_show("meanwhile");
    assert_eq!(stage.stored_reply("two"), text("mi"));
}

#[test]
fn unchanged_editor_text_changes_nothing() {
    for given_back in ["mine", "mine\n"] {
        let mut stage = ScreenStage::open_ask(fixtures::CHOICE);
        stage.press_keys("o 'mine' up up space ^g");
        let [.., Effect::Edit(text)] = stage.other_effects.as_slice() else {
            panic!("{:?}", stage.other_effects)
        };
        assert_eq!(text, "mine");
        stage.handle_event(Event::Edited(Ok(given_back.into())));
        stage.advance(1_000);
        let reply = stage.stored_reply("when");
        assert_eq!(
            reply.content,
            ReplyContent::Answered(Answer::Picks(Pick::Option("tonight".into()).into()))
        );
        // A text changed in the editor counts.
        stage.handle_event(Event::Edited(Ok("mine, changed\n".into())));
        stage.advance(1_000);
        assert_eq!(stage.stored_reply("when").content, own_answer("mine, changed"));
    }
}

#[test]
fn set_clock_delays_no_retry() {
    for by_ms in [-300_000, 300_000] {
        let mut stage = ScreenStage::open_ask(fixtures::TEXT);
        stage.hold_saves(true);
        stage.press_keys("'typed'");
        stage.set_clock(by_ms);
        stage.handle_event(Event::Tick);
        stage.must_not_show("the desk is not responding");
        stage.advance(1_500);
        stage.must_show("the desk is not responding");
        stage.hold_saves(false);
        stage.release_held();
        stage.press_key(key("!"));
        stage.set_clock(by_ms);
        stage.advance(300);
        assert_eq!(stage.stored_reply("why"), text("typed!"));
    }
}
