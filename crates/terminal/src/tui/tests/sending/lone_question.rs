//! A lone question, and an action with its question: one page shows them and sends the answer.

use crate::surface::PromptOutcome;
use crate::tty::InputEvent;
use crate::tui::effect::Event;
use crate::tui::tests::stage::fixtures::{self, save_elsewhere};
use crate::tui::tests::stage::keys::key;
use crate::tui::tests::stage::looks::looks;
use crate::tui::tests::stage::{ScreenStage, StageConfig};
use sayso_core::i18n::quote;
use sayso_core::{Answer, Lang, Message, Pick, Reply};

/// One of three options.
const THREE: &str = r#"{"title": "Pick", "questions": [{"id": "q", "prompt": "Which one?", "options": [
    {"id": "a", "label": "Alpha"}, {"id": "b", "label": "Beta"}, {"id": "c", "label": "Gamma"}]}]}"#;

/// Yes or no over an action.
const MAY: &str = r#"{"title": "May I?", "context": "It cleans up.", "action": {"tool": "shell", "act": {"shell": {"command": "rm -rf build", "folder": "/home/ada/api"}}},
    "questions": [{"id": "may", "kind": "confirm", "prompt": "Run it?"}]}"#;

/// An option with a value that its label hides.
const HIDDEN_VALUE: &str = r#"{"questions": [{"id": "q", "prompt": "Go on?", "options": [
    {"id": "x", "label": "Cancel", "value": "APPROVE_ALL"}, {"id": "y", "label": "Continue", "value": "no"}]}]}"#;

fn picked(id: &str) -> Reply {
    Reply::from_answer(Answer::Picks(Pick::Option(id.into()).into()))
}

fn is_unread(stage: &ScreenStage) -> bool {
    stage.app.ask_view.as_ref().unwrap().first_unread().is_some()
}

fn long_action() -> String {
    let lines: Vec<_> = (1..=60).map(|line| format!("echo step {line}")).collect();
    MAY.replace("rm -rf build", &lines.join("\\n"))
}

#[test]
fn choice_and_enter_send() {
    for look in looks() {
        for (keys, id) in
            [("2 enter", "b"), ("down enter", "b"), ("down down up enter", "b"), ("space enter", "a")]
        {
            let mut stage = ScreenStage::open_with(THREE, &look);
            stage.press_keys(keys);
            assert_eq!(stage.submitted_reply("q"), Some(picked(id)), "{keys}\n{}", stage.screen());
            assert!(matches!(stage.ended, Some(PromptOutcome::Settled { .. })));
        }
    }
}

#[test]
fn untouched_page_sends_nothing() {
    for look in looks() {
        let mut stage = ScreenStage::open_with(THREE, &look);
        stage.press_keys("enter");
        assert!(stage.is_open() && stage.act_count() == 0);
        assert_eq!(stage.stored_reply("q"), picked("a"));
        stage.press_keys("enter");
        assert_eq!(stage.submitted_reply("q"), Some(picked("a")));
    }
}

#[test]
fn drafted_answer_needs_a_choice() {
    for look in looks().map(|look| StageConfig { from_inbox: true, ..look }) {
        let mut stage =
            ScreenStage::open_after(THREE, &look, |desk, id| save_elsewhere(desk, id, "q", picked("c")));
        stage.press_keys("enter");
        stage.must_show(&look.lead(Message::EnterKeeps));
        assert_eq!(stage.screen().matches("Gamma").count(), 2, "{}", stage.screen());
        stage.press_keys("enter");
        assert!(stage.is_open() && stage.act_count() == 0);
        stage.must_show(&format!("[ {} ]  {}", look.words(Message::SubmitAlone), quote("Gamma", look.lang)));
        stage.press_keys("enter");
        assert_eq!(stage.submitted_reply("q"), Some(picked("c")));
    }
}

#[test]
fn every_kind_sends_from_its_page() {
    let of = |kind: &str| format!(r#"{{"questions": [{{"id": "q", "prompt": "?", {kind}}}]}}"#);
    for (kind, keys, answer) in [
        (r#""kind": "confirm""#, "n enter", Answer::Confirm(false)),
        (r#""kind": "rating""#, "4 enter", Answer::Rating(4)),
        (r#""kind": "text""#, "'ok' enter", Answer::Text("ok".into())),
        (r#""kind": "number""#, "'7' enter", Answer::Number(sayso_core::Number::parse("7").unwrap())),
        (
            r#""other": true, "options": ["A"]"#,
            "o 'mine' enter",
            Answer::Picks(Pick::Other("mine".into()).into()),
        ),
        (
            r#""other": true, "options": ["A"]"#,
            "down enter 'mine' enter",
            Answer::Picks(Pick::Other("mine".into()).into()),
        ),
    ] {
        for look in looks() {
            let mut stage = ScreenStage::open_with(&of(kind), &look);
            stage.press_keys(keys);
            let sent = Some(Reply::from_answer(answer.clone()));
            assert_eq!(stage.submitted_reply("q"), sent, "{kind}\n{}", stage.screen());
        }
    }
}

#[test]
fn other_parts_need_a_review() {
    let multi = r#"{"questions": [{"prompt": "Who?", "multi": true, "options": ["Ada", "Bo"]}]}"#;
    let long = r#"{"questions": [{"prompt": "Why?", "long": true}]}"#;
    let own = r#"{"questions": [{"prompt": "Which?", "other": true, "options": ["Ada", "Bo"]}]}"#;
    for (ask, keys) in [
        (multi, "1 2 enter"),
        (long, "'x' tab"),
        (fixtures::TEXT, "'one' ^j 'two' tab"),
        (THREE, "2 n 'a note' enter enter"),
        (own, "o 'mine' esc up enter"),
        (fixtures::TEXTS, "'one' enter 'two' tab enter"),
    ] {
        for look in looks() {
            let mut stage = ScreenStage::open_with(ask, &look);
            stage.press_keys(keys);
            assert!(stage.is_open() && stage.act_count() == 0, "{keys}");
            stage.must_show(&look.words(Message::CheckHead));
            stage.must_show(&format!("[ {}", look.lead(Message::SubmitButton)));
        }
    }
}

#[test]
fn setting_brings_the_review_back() {
    for look in looks().map(|look| StageConfig { always_reviews: true, ..look }) {
        for (ask, keys) in [(THREE, "2 enter"), (MAY, "pgdn*4 y enter"), (fixtures::TEXT, "'x' enter")] {
            let mut stage = ScreenStage::open_with(ask, &look);
            stage.press_keys(keys);
            assert!(stage.is_open() && stage.act_count() == 0);
            stage.must_show(&format!("[ {}", look.lead(Message::SubmitButton)));
            stage.press_keys("enter");
            assert!(!stage.is_open());
        }
    }
}

#[test]
fn action_and_question_share_a_page() {
    for look in looks() {
        let mut stage = ScreenStage::open_with(MAY, &look);
        stage.must_show("rm -rf build");
        let yes = if look.lang == Lang::En { "y  Yes" } else { "y  是" };
        assert!(look.size.1 < 24 || stage.shows(yes));
        stage.press_keys("enter");
        assert!(stage.is_open() && stage.stored_reply("may") == Reply::default());
        stage.press_keys("y");
        assert!(stage.is_open());
        stage.must_show(yes);
        stage.press_keys("enter");
        assert_eq!(stage.submitted_reply("may"), Some(Reply::from_answer(Answer::Confirm(true))));
    }
}

#[test]
fn long_action_is_shown_to_its_end() {
    for look in looks() {
        let mut stage = ScreenStage::open_with(&long_action(), &look);
        stage.must_show("echo step 1");
        for name in ["y", "left", "enter", "^s"] {
            stage.press_key(key(name));
            if is_unread(&stage) {
                assert_eq!(stage.stored_reply("may"), Reply::default());
            }
        }
        let mut stage = ScreenStage::open_with(&long_action(), &look);
        for _ in 0..40 {
            if !is_unread(&stage) {
                break;
            }
            let before = stage.screen();
            stage.press_keys("y");
            assert_ne!(before, stage.screen(), "a press reads on");
            assert_eq!(stage.stored_reply("may"), Reply::default());
        }
        stage.press_keys("y enter");
        assert_eq!(stage.submitted_reply("may"), Some(Reply::from_answer(Answer::Confirm(true))));
    }
}

#[test]
fn review_repeats_the_action() {
    for look in looks() {
        let look = StageConfig { always_reviews: true, ..look };
        let mut stage = ScreenStage::open_with(MAY, &look);
        stage.press_keys("pgdn*4 y enter");
        stage.must_show("rm -rf build");
        let mut stage = ScreenStage::open_with(&long_action(), &look);
        stage.press_keys("pgdn*20 y enter");
        stage.must_show("echo step 60");
        stage.must_show(if look.lang == Lang::En { "bytes in all" } else { "字节" });
        stage.press_keys("p");
        stage.must_show("echo step 3");
        stage.press_keys("esc enter");
        assert!(!stage.is_open());
    }
}

#[test]
fn consent_is_not_what_the_cursor_is_at() {
    let mut stage = ScreenStage::open_ask(fixtures::ACTION);
    stage.press_keys("enter enter");
    assert!(stage.is_open() && stage.stored_reply("may") == Reply::default());
    stage.must_show("Answer this first.");
    stage.press_keys("down enter");
    assert!(stage.is_open() && stage.act_count() == 0);
    stage.press_keys("enter");
    assert_eq!(stage.submitted_reply("may"), Some(picked("no")));
}

#[test]
fn hidden_value_is_beside_its_label() {
    for look in looks() {
        let mut stage = ScreenStage::open_with(HIDDEN_VALUE, &look);
        let value = if look.lang == Lang::En { "value: \"APPROVE_ALL\"" } else { "值：“APPROVE_ALL”" };
        stage.must_show(value);
        if !look.is_narrow() {
            let row = stage.screen().lines().find(|row| row.contains("Cancel")).unwrap().to_owned();
            assert!(row.contains("APPROVE_ALL"), "{row}");
        }
        stage.press_keys("1");
        assert_eq!(stage.screen().matches("APPROVE_ALL").count(), 2, "{}", stage.screen());
        stage.press_keys("alt-0");
        stage.must_show("APPROVE_ALL");
    }
    // A label that could imitate our mark never shares its row.
    let forged = HIDDEN_VALUE.replace("Cancel", "Cancel  [value: no]");
    let stage = ScreenStage::open_ask(&forged);
    let row = stage.screen().lines().find(|row| row.contains("Cancel")).unwrap().to_owned();
    assert!(!row.contains("APPROVE_ALL") && stage.shows("[value: \"APPROVE_ALL\"]"), "{}", stage.screen());
    for look in looks() {
        let star = r#"{"questions": [{"prompt": "Which?", "options": [{"label": "Ada", "recommended": true}, "Bo"]}]}"#;
        let stage = ScreenStage::open_with(star, &look);
        let row = stage.screen().lines().find(|row| row.contains("Ada")).unwrap().to_owned();
        assert!(row.contains(&look.words(Message::Suggested)), "{row}");
    }
}

#[test]
fn paste_never_sends() {
    for (ask, keys) in [(THREE, "2"), (fixtures::TEXT, "'x'"), (MAY, "y")] {
        let mut stage = ScreenStage::open_ask(ask);
        stage.press_keys(keys);
        stage.press_key(key("enter"));
        stage.handle_event(Event::Input(InputEvent::Paste("\r\n\r".into())));
        stage.advance(5_000);
        assert!(stage.is_open() && stage.act_count() == 0, "{keys}");
    }
}

#[test]
fn unseen_choice_is_not_sent() {
    let mut stage = ScreenStage::open_ask(THREE);
    // Both keys are handled before the next frame, as of an unbracketed paste.
    stage.advance(1_000);
    stage.update(Event::Input(InputEvent::Key(key("2"))));
    stage.update(Event::Input(InputEvent::Key(key("enter"))));
    stage.advance(5_000);
    assert!(stage.is_open() && stage.act_count() == 0);
    stage.draw();
    stage.press_keys("enter");
    assert_eq!(stage.submitted_reply("q"), Some(picked("b")));
}
