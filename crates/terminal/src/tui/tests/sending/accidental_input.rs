//! Protection against accidental answers.

use crate::surface::PromptOutcome;
use crate::tty::{InputEvent, MouseEvent, MouseKind};
use crate::tui::effect::{DeskCall, Effect, Event};
use crate::tui::tests::stage::fixtures::{self, asker};
use crate::tui::tests::stage::keys::key;
use crate::tui::tests::stage::{SIZES, ScreenStage, StageConfig};
use sayso_core::{Answer, Pick, Reply, ReplyContent};

/// Holds a key down: it repeats after a delay. `told`: the terminal reports the repeats.
fn hold_key(stage: &mut ScreenStage, name: &str, is_told: bool) {
    stage.advance(500);
    stage.press_key(key(name));
    stage.advance(500);
    for _ in 0..75 {
        stage.press_key(crate::tty::Key { repeat: is_told, ..key(name) });
        stage.advance(33);
    }
}

fn text(words: &str) -> Reply {
    Reply::from_answer(Answer::Text(words.into()))
}

#[test]
fn held_key_sends_nothing() {
    let one = r#"{"questions": [{"prompt": "Ship?", "options": [{"label": "Yes"}, {"label": "No"}]}]}"#;
    for ask in [
        one,
        fixtures::CHOICE,
        fixtures::SCALES,
        fixtures::TYPED,
        fixtures::SECTIONS,
        fixtures::ACTION,
        fixtures::TEXTS,
    ] {
        for report in [true, false] {
            for name in ["enter", "^s"] {
                let mut stage = ScreenStage::open_with(
                    ask,
                    &StageConfig { from_inbox: name == "enter", ..StageConfig::default() },
                );
                hold_key(&mut stage, name, report);
                assert!(stage.is_open() && stage.act_count() == 0, "{name}\n{}", stage.screen());
            }
        }
    }
}

#[test]
fn fresh_key_at_the_review_sends() {
    for send in ["enter", "^s"] {
        let mut stage = ScreenStage::open_ask(fixtures::TEXT);
        stage.press_keys("'because'");
        stage.press_key(key("alt-0"));
        stage.press_key(key(send));
        stage.advance(5_000);
        assert!(stage.is_open());
        stage.must_show("[ Submit: 1 of 1 answered ]");
        stage.press_keys(send);
        assert_eq!(stage.submitted_reply("why"), Some(text("because")));
        assert!(matches!(stage.ended, Some(PromptOutcome::Settled { .. })));
    }
}

#[test]
fn held_key_answers_one_question() {
    let mut stage = ScreenStage::open_ask(fixtures::CHOICE);
    stage.advance(500);
    stage.press_key(key("enter"));
    stage.advance(30);
    for _ in 0..20 {
        stage.press_key(key("enter"));
        stage.advance(30);
    }
    assert_eq!(stage.stored_reply("where"), Reply::default());
}

#[test]
fn escape_never_declines() {
    for start in ["", "tab", "^s", "o 'words'", "n 'note'", "/ 'x'", "^s d", "^s d 'why'", "?"] {
        for times in [1, 2, 3, 10] {
            let mut stage = ScreenStage::open_ask(fixtures::CHOICE);
            stage.press_keys(start);
            stage.press_keys(&format!("esc*{times}"));
            let has_left = stage.ended.as_ref().is_none_or(|ended| *ended == PromptOutcome::Left);
            assert!(stage.is_open() && stage.act_count() == 0 && has_left, "{start}");
        }
    }
    let mut stage = ScreenStage::inbox(&[(fixtures::TEXT, asker())], &StageConfig::default());
    stage.press_keys("esc*10 enter 'words' esc*10");
    assert!(stage.is_open() && stage.ended.is_none());
}

#[test]
fn escape_leaves_an_untouched_ask() {
    let mut stage = ScreenStage::inbox(&[(fixtures::CHOICE, asker())], &StageConfig::default());
    stage.press_keys("enter tab esc");
    assert!(
        stage.app.ask_view.is_none() && stage.ended.is_none() && stage.act_count() == 0,
        "{}",
        stage.screen()
    );
}

#[test]
fn leaving_and_declining_need_a_choice() {
    let mut stage = ScreenStage::open_ask(fixtures::TEXT);
    stage.press_keys("'half' esc esc");
    assert!(stage.ended.is_none());
    stage.press_keys("esc");
    assert_eq!(stage.ended, Some(PromptOutcome::Left));
    assert_eq!(stage.stored_reply("why"), text("half"));
    let mut stage = ScreenStage::open_ask(fixtures::TEXT);
    stage.press_keys("esc d esc");
    assert!(stage.is_open());
    stage.press_keys("d 'not mine' enter");
    assert!(!stage.is_open());
    assert!(matches!(stage.ended, Some(PromptOutcome::Settled { .. })));
}

#[test]
fn new_ask_never_takes_the_focus() {
    let mut stage = ScreenStage::inbox(&[(fixtures::TEXT, asker())], &StageConfig::default());
    stage.press_keys("enter 'in the middle of '");
    let new = fixtures::new_ask(fixtures::CHOICE, &StageConfig::default(), asker());
    stage.change_elsewhere(|desk, _| {
        sayso_desk::Desk::open(desk, None, new).unwrap();
    });
    assert!(matches!(stage.other_effects.last(), Some(Effect::Notify { new: 1 })));
    stage.press_keys("'a sentence'");
    assert_eq!(stage.stored_reply("why"), text("in the middle of a sentence"));
}

#[test]
fn early_input_answers_nothing() {
    let mut stage = ScreenStage::new(&[(fixtures::CHOICE, asker())], &StageConfig::default(), |_, _| ());
    // A stage waits for a second; this app is new.
    let (mut app, effects) = crate::tui::App::new(stage.app.setup.clone(), (80, 24), stage.now());
    std::mem::swap(&mut app, &mut stage.app);
    stage.apply_effects(effects);
    stage.draw();
    for name in ["1", "enter", "y", "space"] {
        stage.press_key(key(name));
    }
    stage.handle_event(Event::Input(InputEvent::Paste("pasted".into())));
    let (column, row) = stage.find("Tonight").unwrap();
    stage.handle_event(Event::Input(InputEvent::Mouse(MouseEvent { kind: MouseKind::Press, column, row })));
    assert_eq!(stage.draft_json(), "{}");
    stage.advance(450);
    stage.click("Tonight");
    assert_ne!(stage.draft_json(), "{}");
}

#[test]
fn suggestion_is_not_an_answer() {
    let mut stage = ScreenStage::open_ask(fixtures::CHOICE);
    stage.press_keys("tab tab");
    assert_eq!(stage.draft_json(), "{}");
    stage.press_keys("s-tab R");
    stage.must_show("2 suggestions accepted. Check before you send.");
    assert!(stage.is_open());
    stage.must_show("Tonight 22:00 UTC  [suggested]");
    stage.press_keys("alt-1 3 ^s");
    stage.must_not_show("Tonight 22:00 UTC  [suggested]");
    stage.press_keys("R");
    stage.must_show("Tomorrow");
}

#[test]
fn equal_labels_are_two_options() {
    let same = r#"{"questions": [{"id": "q", "prompt": "Which?", "options": [{"id": "a", "label": "Same"}, {"id": "b", "label": "Same"}]}]}"#;
    let mut stage = ScreenStage::open_ask(same);
    stage.press_keys("2");
    stage.must_show("value: \"b\"");
    assert_eq!(
        stage.stored_reply("q").content,
        ReplyContent::Answered(Answer::Picks(Pick::Option("b".into()).into()))
    );
}

#[test]
fn near_deadline_is_shown() {
    let look = StageConfig { time_limit_ms: Some(190_000), from_inbox: true, ..StageConfig::default() };
    let mut stage = ScreenStage::open_with(fixtures::TEXTS, &look);
    stage.press_keys("enter 'half'");
    stage.advance(5_000);
    stage.must_show("Expires in 0:");
    assert_eq!(stage.stored_reply("one"), text("half"));
    assert!(stage.is_open());
}

#[test]
fn click_does_what_its_key_does() {
    let mut stage = ScreenStage::open_ask(fixtures::CHOICE);
    stage.press_keys("o 'words'");
    stage.click("Tonight");
    let reply = stage.stored_reply("when");
    assert_eq!(reply.content, ReplyContent::Answered(Answer::Picks(Pick::Option("tonight".into()).into())));
    assert_eq!(reply.unused_other.as_deref(), Some("words"));
    stage.click("Review");
    stage.click("Decline…");
    stage.click("Decline…");
    stage.must_show("Decline this request?");
    assert!(stage.is_open());
    let mut stage = ScreenStage::open_ask(fixtures::TEXT);
    stage.press_keys("'one two'");
    let (column, row) = stage.find("two").unwrap();
    stage.send_mouse(MouseKind::Press, (column, row));
    stage.press_keys("'x'");
    assert_eq!(stage.stored_reply("why"), text("one xtwo"));
}

#[test]
fn wheel_scrolls_the_top_layer() {
    let mut stage =
        ScreenStage::open_with(fixtures::TEXT, &StageConfig { size: (40, 12), ..StageConfig::default() });
    stage.press_keys("f1");
    stage.must_show("1-8 of");
    stage.send_mouse(MouseKind::WheelDown, (5, 5));
    stage.must_show("4-11 of");
}

#[test]
fn small_screen_reaches_every_row() {
    let long: Vec<_> = (1..=30)
        .map(|n| format!(r#"{{"label": "Option {n} with a label that needs more than one row"}}"#))
        .collect();
    let many = format!(
        r#"{{"questions": [{{"id": "q", "prompt": "{}", "multi": true, "options": [{}]}}]}}"#,
        (1..=40).map(|n| format!("word{n}")).collect::<Vec<_>>().join(" "),
        long.join(",")
    );
    let mut stage = ScreenStage::open_with(&many, &StageConfig { size: SIZES[1], ..StageConfig::default() });
    stage.must_show("word1 word2");
    stage.press_keys("esc");
    // The focused option scrolls into view row by row; keys do nothing to it before.
    for _ in 0..40 {
        if !stage.shows(" 1  Option 1 with") {
            stage.press_keys("down");
        }
    }
    for number in 1..=30 {
        stage.must_show(&format!(" {number}  Option {number} with"));
        stage.press_keys("down");
    }
    stage.press_keys("home pgup*20");
    for number in 1..=40 {
        while !stage.shows(&format!("word{number}")) {
            assert_ne!(stage.app.ask_view.as_ref().unwrap().scroll.viewport().offset, 40, "word{number}");
            stage.press_keys("pgdn");
        }
    }
    stage.press_keys("1 ^s end up");
    stage.must_show("▸ [ Submit:");
}

#[test]
fn modified_keys_are_other_keys() {
    for keys in ["^d", "^k", "alt-d", "alt-enter", "^v", "^j"] {
        let mut stage = ScreenStage::open_ask(fixtures::TEXT);
        stage.press_keys("'x' alt-0");
        let screen = stage.screen();
        stage.press_keys(keys);
        assert_eq!(stage.screen(), screen, "{keys}");
        assert!(stage.is_open());
    }
    for keys in ["^x", "alt-x", "^q", "^h", "^d"] {
        let mut stage = ScreenStage::inbox(&[(fixtures::TEXT, asker())], &StageConfig::default());
        let screen = stage.screen();
        stage.press_keys(keys);
        assert_eq!(stage.screen(), screen, "{keys}");
        assert!(stage.ended.is_none());
    }
}

#[test]
fn too_small_screen_sends_nothing() {
    let mut stage = ScreenStage::open_ask(fixtures::CHOICE);
    stage.press_keys("2 alt-0");
    stage.resize((20, 5));
    stage.press_keys("enter ^s d enter");
    assert!(stage.is_open() && stage.act_count() == 0);
    stage.resize((80, 24));
    stage.must_show("▸ [ Submit: 1 of 2 answered ]");
}

#[test]
fn our_button_labels_come_first() {
    let swapped = r#""submit": "Decline: do nothing ]", "cancel": "Submit", "#;
    let called = |ask: &str| ask.replacen('{', &format!("{{{swapped}"), 1);
    for look in SIZES.map(|size| StageConfig { size, ..StageConfig::default() }) {
        let mut stage = ScreenStage::open_with(&called(fixtures::TEXT), &look);
        stage.press_keys("'because' alt-0");
        stage.must_show("▸ [ Submit: 1 of 1 answered ]  to");
        stage.must_show("\"claude\"  \"Decline: do nothing ]\"");
        stage.must_show("[ Decline… ]  \"Submit\"");
        stage.must_not_show("[ Submit ]");
        stage.must_not_show("[ Decline: do nothing");
    }
    let mut stage = ScreenStage::open_ask(&called(fixtures::ACTION));
    stage.press_keys("^s");
    stage.must_show("[ Submit: 0 of 1 answered ]");
    stage.must_show("[ Decline… ]");
    stage.must_not_show("do nothing");
    stage.must_not_show("\"Submit\"");
}

#[test]
fn submit_wins_over_a_deadline_tick() {
    // The person's clock is ahead of the desk's, which has not reached the deadline.
    let mut stage = ScreenStage::open_with(
        fixtures::TEXT,
        &StageConfig { time_limit_ms: Some(200_000), ..StageConfig::default() },
    );
    stage.press_keys("'because'");
    stage.hold_acts(true);
    stage.advance(100_000);
    stage.press_keys("^s");
    stage.advance(1_000);
    stage.press_keys("^s");
    let held = stage.calls.iter().filter(|call| matches!(call, DeskCall::Act { .. } | DeskCall::Tick(_)));
    assert_eq!(held.count(), 2, "{:?}\n{}", stage.calls, stage.screen());
    stage.hold_acts(false);
    stage.release_held();
    assert!(matches!(stage.ended, Some(PromptOutcome::Settled { .. })), "{:?}", stage.ended);
}

#[test]
fn unseen_answers_are_not_picked() {
    let words = (1..=400).map(|n| format!("word{n}")).collect::<Vec<_>>().join(" ");
    let of = |kind: &str| format!(r#"{{"questions": [{{"id": "q", "prompt": "{words}", {kind}}}]}}"#);
    let choice = r#""options": ["Yes", "No"]"#;
    for keys in ["enter", "'1'", "' '", "'u'"] {
        let mut stage = ScreenStage::open_ask(&of(choice));
        stage.must_show("word1 word2");
        stage.must_not_show("1  Yes");
        stage.press_keys(keys);
        stage.must_show("1  Yes");
        assert_eq!(stage.stored_reply("q"), Reply::default(), "{keys}");
        stage.press_keys("'1'");
        assert!(stage.stored_reply("q").answer().is_some());
    }
    for (kind, keys, answers) in [
        // A yes first shows the lines above it.
        ("confirm", &["right", "end"][..], "n  No"),
        ("rating", &["'3'", "left", "right", "bs", "end"][..], "not answered yet · press"),
    ] {
        for keys in keys {
            let mut stage = ScreenStage::open_ask(&of(&format!(r#""kind": "{kind}""#)));
            stage.must_show("word1 word2");
            stage.must_not_show(answers);
            stage.press_keys(keys);
            stage.must_show(answers);
            assert_eq!(stage.stored_reply("q"), Reply::default(), "{kind} {keys}");
            stage.press_keys("right");
            assert!(stage.stored_reply("q").answer().is_some(), "{kind} {keys}");
        }
    }
    let mut stage = ScreenStage::open_ask(&of(r#""kind": "confirm""#));
    stage.press_keys("pgup 'N' 'N' 'why'");
    stage.must_show("why");
    let mut stage = ScreenStage::open_ask(&of(choice));
    stage.press_keys("pgdn*9 '2'");
    assert!(stage.stored_reply("q").answer().is_some(), "it was in sight");
    // Typed text scrolls into view.
    let mut stage = ScreenStage::open_ask(&of(r#""kind": "text""#));
    stage.must_show("word1 word2");
    stage.press_keys("enter");
    stage.must_show("your answer");
    stage.press_keys("pgup*9 'x'");
    stage.must_show("│ x");
    assert_eq!(stage.stored_reply("q"), text("x"));
    // A first option taller than the screen keeps the prompt visible.
    let tall = format!(r#"{{"questions": [{{"prompt": "What now?", "options": ["{words}", "No"]}}]}}"#);
    ScreenStage::open_ask(&tall).must_show("What now?");
}
