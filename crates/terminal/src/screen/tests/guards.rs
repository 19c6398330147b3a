//! Protection against accidental answers.

use super::asks::{self, asker};
use super::keys::key;
use super::stage::{Look, SIZES, Stage};
use crate::prompter::Ended;
use crate::screen::effect::{Action, Call, Effect};
use crate::screen::input::{Input, Mouse, MouseKind};
use sayso_core::{Answer, Pick, Reply, Said};

/// Holds a key down: it repeats after a delay. `told`: the terminal reports the repeats.
fn hold(stage: &mut Stage, name: &str, told: bool) {
    stage.wait(500);
    stage.key(key(name));
    stage.wait(500);
    for _ in 0..75 {
        stage.key(crate::screen::Key { repeat: told, ..key(name) });
        stage.wait(33);
    }
}

fn text(words: &str) -> Reply {
    Reply::of(Answer::Text(words.into()))
}

#[test]
fn held_key_sends_nothing() {
    let one = r#"{"questions": [{"prompt": "Ship?", "options": [{"label": "Yes"}, {"label": "No"}]}]}"#;
    for ask in [one, asks::CHOICE, asks::SCALES, asks::TYPED, asks::SECTIONS, asks::ACTION, asks::TEXTS] {
        for told in [true, false] {
            for name in ["enter", "^s"] {
                let mut stage = Stage::with(ask, &Look { from_inbox: name == "enter", ..Look::default() });
                hold(&mut stage, name, told);
                assert!(stage.is_open() && stage.acts() == 0, "{name}\n{}", stage.screen());
            }
        }
    }
}

#[test]
fn fresh_key_at_the_review_sends() {
    for send in ["enter", "^s"] {
        let mut stage = Stage::of(asks::TEXT);
        stage.keys("'because' enter");
        stage.must_show("[ Submit: 1 of 1 answered ]");
        stage.key(key(send));
        assert!(stage.is_open());
        stage.must_show("Pressing it once more sends.");
        stage.keys(send);
        assert_eq!(stage.sent("why"), Some(text("because")));
        assert!(matches!(stage.ended, Some(Ended::Settled { .. })));
    }
}

#[test]
fn held_key_answers_one_question() {
    let mut stage = Stage::of(asks::CHOICE);
    stage.wait(500);
    stage.key(key("enter"));
    stage.wait(30);
    for _ in 0..20 {
        stage.key(key("enter"));
        stage.wait(30);
    }
    assert_eq!(stage.draft("where"), Reply::default());
}

#[test]
fn escape_never_declines() {
    for start in ["", "tab", "^s", "o 'words'", "n 'note'", "/ 'x'", "^s d", "^s d 'why'", "?"] {
        for times in [1, 2, 3, 10] {
            let mut stage = Stage::of(asks::CHOICE);
            stage.keys(start);
            stage.keys(&format!("esc*{times}"));
            assert!(stage.is_open() && stage.acts() == 0 && stage.ended.is_none(), "{start}");
        }
    }
    let mut stage = Stage::inbox(&[(asks::TEXT, asker())], &Look::default());
    stage.keys("esc*10 enter 'words' esc*10");
    assert!(stage.is_open() && stage.ended.is_none());
}

#[test]
fn escape_leaves_an_untouched_ask() {
    let mut stage = Stage::inbox(&[(asks::CHOICE, asker())], &Look::default());
    stage.keys("enter tab esc");
    assert!(
        stage.app.answering.is_none() && stage.ended.is_none() && stage.acts() == 0,
        "{}",
        stage.screen()
    );
    for said in ["1", "n 'a note'", "o 'words'"] {
        let mut stage = Stage::inbox(&[(asks::CHOICE, asker())], &Look::default());
        stage.keys(&format!("enter {said} esc esc"));
        assert!(stage.app.answering.is_some(), "{said}");
    }
}

#[test]
fn leaving_and_declining_need_a_choice() {
    let mut stage = Stage::of(asks::TEXT);
    stage.keys("'half' esc esc enter");
    assert!(stage.ended.is_none());
    stage.keys("esc down enter");
    assert_eq!(stage.ended, Some(Ended::Left));
    assert_eq!(stage.draft("why"), text("half"));
    let mut stage = Stage::of(asks::TEXT);
    stage.keys("esc esc down down enter enter");
    assert!(stage.is_open());
    stage.keys("esc down down enter 'not mine' enter down enter");
    assert!(!stage.is_open());
    assert!(matches!(stage.ended, Some(Ended::Settled { .. })));
}

#[test]
fn new_ask_never_takes_the_focus() {
    let mut stage = Stage::inbox(&[(asks::TEXT, asker())], &Look::default());
    stage.keys("enter 'in the middle of '");
    let new = asks::asked(asks::CHOICE, &Look::default(), asker());
    stage.elsewhere(|desk, _| {
        sayso_desk::Desk::open(desk, None, new).unwrap();
    });
    assert!(matches!(stage.others.last(), Some(Effect::Notify { new: 1 })));
    stage.keys("'a sentence'");
    assert_eq!(stage.draft("why"), text("in the middle of a sentence"));
}

#[test]
fn early_input_answers_nothing() {
    let mut stage = Stage::made(&[(asks::CHOICE, asker())], &Look::default(), |_, _| ());
    // A stage waits for a second; this app is new.
    let (mut app, effects) = crate::screen::App::new(stage.app.setup.clone(), (80, 24), stage.now());
    std::mem::swap(&mut app, &mut stage.app);
    stage.perform(effects);
    stage.draw();
    for name in ["1", "enter", "y", "space"] {
        stage.key(key(name));
    }
    stage.happen(Action::Input(Input::Paste("pasted".into())));
    let (column, row) = stage.find("Tonight").unwrap();
    stage.happen(Action::Input(Input::Mouse(Mouse { kind: MouseKind::Press, column, row })));
    assert_eq!(stage.drafted(), "{}");
    stage.wait(450);
    stage.press("Tonight");
    assert_ne!(stage.drafted(), "{}");
}

#[test]
fn suggestion_is_not_an_answer() {
    let mut stage = Stage::of(asks::CHOICE);
    stage.keys("tab tab");
    assert_eq!(stage.drafted(), "{}");
    stage.keys("s-tab R");
    stage.must_show("2 suggestions taken over; check them before you send.");
    assert!(stage.is_open());
    stage.must_show("Window: Tonight 22:00 UTC [value: tonight]  [suggested]");
    stage.keys("alt-1 3 ^s");
    stage.must_not_show("Tonight 22:00 UTC [value: tonight]  [suggested]");
    stage.keys("R");
    stage.must_show("Tomorrow");
}

#[test]
fn equal_labels_are_two_options() {
    let same = r#"{"questions": [{"id": "q", "prompt": "Which?", "options": [{"id": "a", "label": "Same"}, {"id": "b", "label": "Same"}]}]}"#;
    let mut stage = Stage::of(same);
    stage.keys("2");
    stage.must_show("value: b");
    assert_eq!(stage.draft("q").said, Said::Answer(Answer::Picks(Pick::Option("b".into()).into())));
}

#[test]
fn near_deadline_is_shown() {
    let look = Look { time_limit_ms: Some(190_000), from_inbox: true, ..Look::default() };
    let mut stage = Stage::with(asks::TEXTS, &look);
    stage.keys("enter 'half'");
    stage.wait(5_000);
    stage.must_show("Ends in 0:");
    assert_eq!(stage.draft("one"), text("half"));
    assert!(stage.is_open());
}

#[test]
fn click_does_what_its_key_does() {
    let mut stage = Stage::of(asks::CHOICE);
    stage.keys("o 'words'");
    stage.press("Tonight");
    let reply = stage.draft("when");
    assert_eq!(reply.said, Said::Answer(Answer::Picks(Pick::Option("tonight".into()).into())));
    assert_eq!(reply.aside.as_deref(), Some("words"));
    stage.press("Review");
    stage.press("Decline…");
    stage.press("Decline…");
    stage.must_show("Decline this request?");
    assert!(stage.is_open());
    let mut stage = Stage::of(asks::TEXT);
    stage.keys("'one two'");
    let (column, row) = stage.find("two").unwrap();
    stage.mouse(MouseKind::Press, (column, row));
    stage.keys("'x'");
    assert_eq!(stage.draft("why"), text("one xtwo"));
}

#[test]
fn wheel_scrolls_the_top_layer() {
    let mut stage = Stage::with(asks::TEXT, &Look { size: (40, 12), ..Look::default() });
    stage.keys("f1");
    stage.must_show("1-8 of");
    stage.mouse(MouseKind::WheelDown, (5, 5));
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
    let mut stage = Stage::with(&many, &Look { size: SIZES[1], ..Look::default() });
    stage.must_show("word1 word2");
    stage.keys("esc");
    // The focused option scrolls into view row by row; keys do nothing to it before.
    for _ in 0..40 {
        if !stage.shows(" 1  Option 1 with") {
            stage.keys("down");
        }
    }
    for number in 1..=30 {
        stage.must_show(&format!(" {number}  Option {number} with"));
        stage.keys("down");
    }
    stage.keys("home pgup*20");
    for number in 1..=40 {
        while !stage.shows(&format!("word{number}")) {
            assert_ne!(stage.app.answering.as_ref().unwrap().sight.from, 40, "word{number}");
            stage.keys("pgdn");
        }
    }
    stage.keys("1 ^s end up");
    stage.must_show("▸ [ Submit:");
}

#[test]
fn modified_keys_are_other_keys() {
    for keys in ["^d", "^k", "alt-d", "alt-enter", "^v", "^j"] {
        let mut stage = Stage::of(asks::TEXT);
        stage.keys("'x' alt-0");
        let screen = stage.screen();
        stage.keys(keys);
        assert_eq!(stage.screen(), screen, "{keys}");
        assert!(stage.is_open());
    }
    for keys in ["^x", "alt-x", "^q", "^h", "^d"] {
        let mut stage = Stage::inbox(&[(asks::TEXT, asker())], &Look::default());
        let screen = stage.screen();
        stage.keys(keys);
        assert_eq!(stage.screen(), screen, "{keys}");
        assert!(stage.ended.is_none());
    }
}

#[test]
fn too_small_screen_sends_nothing() {
    let mut stage = Stage::of(asks::CHOICE);
    stage.keys("2 alt-0");
    stage.resize((20, 5));
    stage.keys("enter ^s d enter");
    assert!(stage.is_open() && stage.acts() == 0);
    stage.resize((80, 24));
    stage.must_show("▸ [ Submit: 1 of 2 answered ]");
}

#[test]
fn our_button_labels_come_first() {
    let swapped = r#""submit": "Decline: do nothing ]", "cancel": "Submit", "#;
    let called = |ask: &str| ask.replacen('{', &format!("{{{swapped}"), 1);
    for look in SIZES.map(|size| Look { size, ..Look::default() }) {
        let mut stage = Stage::with(&called(asks::TEXT), &look);
        stage.keys("'because' enter");
        stage.must_show("▸ [ Submit: 1 of 1 answered ]  to");
        stage.must_show("claude  \"Decline: do nothing ]\"");
        stage.must_show("[ Decline… ]  \"Submit\"");
        stage.must_not_show("[ Submit ]");
        stage.must_not_show("[ Decline: do nothing");
    }
    let mut stage = Stage::of(&called(asks::ACTION));
    stage.keys("^s");
    stage.must_show("[ Submit: 0 of 1 answered ]");
    stage.must_show("[ Decline… ]");
    stage.must_not_show("do nothing");
    stage.must_not_show("\"Submit\"");
}

#[test]
fn submit_wins_over_a_deadline_tick() {
    // The person's clock is ahead of the desk's, which has not reached the deadline.
    let mut stage = Stage::with(asks::TEXT, &Look { time_limit_ms: Some(200_000), ..Look::default() });
    stage.keys("'because'");
    stage.hold_acts(true);
    stage.wait(100_000);
    stage.keys("^s");
    stage.wait(1_000);
    stage.keys("^s");
    let held = stage.calls.iter().filter(|call| matches!(call, Call::Act { .. } | Call::Tick(_)));
    assert_eq!(held.count(), 2, "{:?}\n{}", stage.calls, stage.screen());
    stage.hold_acts(false);
    stage.make_held();
    assert!(matches!(stage.ended, Some(Ended::Settled { .. })), "{:?}", stage.ended);
}

#[test]
fn unseen_answers_are_not_picked() {
    let words = (1..=400).map(|n| format!("word{n}")).collect::<Vec<_>>().join(" ");
    let of = |kind: &str| format!(r#"{{"questions": [{{"id": "q", "prompt": "{words}", {kind}}}]}}"#);
    let choice = r#""options": ["Yes", "No"]"#;
    for keys in ["enter", "'1'", "' '", "home", "'u'"] {
        let mut stage = Stage::of(&of(choice));
        stage.must_show("word1 word2");
        stage.must_not_show("1  Yes");
        stage.keys(keys);
        stage.must_show("1  Yes");
        assert_eq!(stage.draft("q"), Reply::default(), "{keys}");
        stage.keys("'1'");
        assert!(stage.draft("q").answer().is_some());
    }
    for (kind, keys, answers) in [
        ("confirm", ["'y'", "left", "right", "enter", "home"], "y  Yes"),
        ("rating", ["'3'", "left", "right", "bs", "end"], "press a digit from"),
    ] {
        for keys in keys {
            let mut stage = Stage::of(&of(&format!(r#""kind": "{kind}""#)));
            stage.must_show("word1 word2");
            stage.must_not_show(answers);
            stage.keys(keys);
            stage.must_show(answers);
            assert_eq!(stage.draft("q"), Reply::default(), "{kind} {keys}");
            stage.keys("right");
            assert!(stage.draft("q").answer().is_some(), "{kind} {keys}");
        }
    }
    let mut stage = Stage::of(&of(r#""kind": "confirm""#));
    stage.keys("pgup 'N' 'N' 'why'");
    stage.must_show("why");
    let mut stage = Stage::of(&of(choice));
    stage.keys("pgdn*9 '2'");
    assert!(stage.draft("q").answer().is_some(), "it was in sight");
    // Typed text scrolls into view.
    let mut stage = Stage::of(&of(r#""kind": "text""#));
    stage.must_show("word1 word2");
    stage.keys("enter");
    stage.must_show("your answer");
    stage.keys("pgup*9 'x'");
    stage.must_show("│ x");
    assert_eq!(stage.draft("q"), text("x"));
    // A first option taller than the screen keeps the prompt visible.
    let tall = format!(r#"{{"questions": [{{"prompt": "What now?", "options": ["{words}", "No"]}}]}}"#);
    Stage::of(&tall).must_show("What now?");
}
