//! Dialogs: declining, going to a question, and leaving without one.

use crate::surface::PromptOutcome;
use crate::tui::effect::{DeskCall, Event};
use crate::tui::tests::stage::fixtures::{self, asker};
use crate::tui::tests::stage::keys::key;
use crate::tui::tests::stage::looks::looks;
use crate::tui::tests::stage::{ScreenStage, StageConfig};
use sayso_core::i18n::quote;
use sayso_core::{Answer, Message, Outcome, Reply};

/// Many questions.
fn many() -> String {
    let labels = ["Target", "Owner", "Backup", "Window", "Budget"];
    let questions: Vec<_> = (0..200)
        .map(|at| {
            let label = format!("{} {}", labels[at % 5], at + 1);
            format!(r#"{{"id": "q{at}", "label": "{label}", "kind": "confirm", "prompt": "?", "required": false}}"#)
        })
        .collect();
    format!(r#"{{"questions": [{}]}}"#, questions.join(","))
}

fn reason(stage: &ScreenStage) -> Option<String> {
    match stage.ask().outcome() {
        Some(Outcome::Declined { reason, .. }) => reason.clone(),
        outcome => panic!("{outcome:?}"),
    }
}

#[test]
fn decline_takes_a_key_and_enter() {
    for look in looks() {
        for (keys, given) in [("d enter", None), ("d 'not now' enter", Some("not now")), ("^s d enter", None)]
        {
            let mut stage = ScreenStage::open_with(fixtures::CHOICE, &look);
            stage.press_keys(keys);
            assert_eq!(reason(&stage).as_deref(), given, "{keys}");
            assert!(matches!(stage.ended, Some(PromptOutcome::Settled { .. })));
        }
    }
    let mut stage = ScreenStage::inbox(&[(fixtures::CHOICE, asker())], &StageConfig::default());
    stage.press_keys("d");
    stage.must_show("Deploy plan for api-gateway");
    stage.press_keys("'no' enter");
    assert_eq!(reason(&stage).as_deref(), Some("no"));
    stage.must_show("Declined.");
}

#[test]
fn dialogs_show_their_own_keys() {
    for look in looks() {
        let keep = look.words(Message::KeyKeepAnswering);
        let cancel = look.words(Message::KeyCancel);
        let close = look.words(Message::PagerKeys);
        let (_, close) = close.rsplit_once("  ").unwrap();
        for (keys, own) in [("d", keep.as_str()), ("g", &cancel), ("down p", close), ("?", close)] {
            let mut stage = ScreenStage::open_with(fixtures::CHOICE, &look);
            let title = stage.screen().lines().next().unwrap().to_owned();
            stage.press_keys(keys);
            stage.must_show_wrapped(own);
            stage.must_not_show(&look.words(Message::KeyPick));
            stage.press_keys("esc");
            stage.must_not_show_wrapped(own);
            assert_eq!(stage.screen().lines().next().unwrap(), title);
        }
        let mut inbox = ScreenStage::inbox(&[(fixtures::CHOICE, asker())], &look);
        inbox.press_keys("d");
        inbox.must_show(&keep);
        inbox.must_not_show(&look.words(Message::KeyOpen));
        inbox.press_keys("esc");
        inbox.must_not_show(&keep);
    }
}

#[test]
fn jump_finds_numbers_and_words() {
    for (keys, shown) in [
        ("g '150' enter", "Question 150 of 200."),
        ("g 'budget 35' enter", "Question 35 of 200."),
        ("g 'back' down enter", "Question 8 of 200."),
        ("^s g '7' enter", "Question 7 of 200."),
        ("g 'nothing like it'", "No matches."),
    ] {
        let mut stage = ScreenStage::open_ask(&many());
        stage.press_keys(keys);
        stage.must_show(shown);
    }
    let mut stage = ScreenStage::open_ask(&many());
    stage.press_keys("g '150' esc");
    stage.must_show("Question 1 of 200.");
    stage.must_show("g go to");
}

#[test]
fn escape_goes_back_to_the_list() {
    let look = StageConfig { from_inbox: true, ..StageConfig::default() };
    for size in [(120, 40), (80, 24), (40, 15)] {
        let mut stage = ScreenStage::open_with(fixtures::TEXTS, &StageConfig { size, ..look.clone() });
        stage.press_keys("enter 'half' esc esc");
        assert!(stage.app.ask_view.is_none() && stage.is_open() && stage.ended.is_none());
        stage.must_show("Your draft is kept:");
        assert_eq!(stage.stored_reply("one"), Reply::from_answer(Answer::Text("half".into())));
    }
    let mut stage = ScreenStage::open_with(fixtures::TEXTS, &look);
    stage.press_keys("enter esc esc");
    stage.must_not_show("Your draft is kept");
}

#[test]
fn questionnaire_names_the_key_that_cancels() {
    let look = StageConfig { dialect: "questionnaire", ..StageConfig::default() };
    let mut stage = ScreenStage::open_with(fixtures::CHOICE, &look);
    stage.must_show("d cancel (499)");
    stage.press_keys("esc");
    stage.must_show("Press Esc again to leave. Your draft is kept, and the caller still waits.");
}

#[test]
fn lone_screen_leaves_on_the_second_escape() {
    let mut stage = ScreenStage::open_ask(fixtures::CHOICE);
    stage.press_keys("1 esc");
    stage.must_show("Press Esc again to leave.");
    stage.press_keys("down");
    stage.must_not_show("Press Esc again");
    stage.press_keys("esc");
    assert!(stage.ended.is_none());
    stage.press_keys("esc");
    assert_eq!(stage.ended, Some(PromptOutcome::Left));
    assert!(stage.is_open());
}

#[test]
fn escape_waits_for_the_save() {
    let look = StageConfig { from_inbox: true, ..StageConfig::default() };
    let mut stage = ScreenStage::open_with(fixtures::TEXTS, &look);
    stage.press_keys("enter");
    stage.hold_saves(true);
    stage.press_keys("'half' esc esc");
    assert!(stage.app.ask_view.is_some());
    stage.hold_saves(false);
    stage.release_held();
    assert!(stage.app.ask_view.is_none());
    stage.must_show("Your draft is kept:");
}

#[test]
fn any_key_closes_a_shown_end() {
    let look = StageConfig { from_inbox: true, ..StageConfig::default() };
    for name in ["enter", "space", "q", "tab"] {
        let mut stage = ScreenStage::open_with(fixtures::TEXTS, &look);
        stage.press_keys("enter 'half a wo'");
        stage.press_key(key("r"));
        stage.change_elsewhere(fixtures::decline_elsewhere);
        for _ in 0..20 {
            stage.press_key(key("x"));
            stage.advance(150);
        }
        stage.must_show("This ask has ended");
        stage.advance(1_000);
        stage.press_key(key(name));
        stage.must_not_show("This ask has ended");
        assert!(stage.ended.is_none() && stage.app.overlay.is_none());
        assert_eq!(stage.stored_reply("one"), Reply::from_answer(Answer::Text("half a wor".into())));
    }
}

#[test]
fn review_lists_answers_before_the_rest() {
    // A small screen shows a part of it.
    for look in looks().filter(|look| !look.is_narrow()) {
        let mut stage = ScreenStage::open_with(fixtures::TYPED, &look);
        stage.press_keys("tab tab '3' alt-0");
        let screen = stage.screen();
        let row = |words: &str| {
            let at = screen.lines().position(|line| line.contains(words));
            at.unwrap_or_else(|| panic!("{words}\n{screen}"))
        };
        let problems = stage.app.ask_view.as_ref().unwrap().form.sheet.surface_problems().len().to_string();
        assert!(row(&look.words_with(Message::ProblemCount, [&problems])) < row("3. Replicas"));
        assert!(row("3. Replicas") < row("1. Name:"));
        assert!(row("1. Name:") < row("2. Notes:"));
        let unanswered = format!("{} {}", look.theme.symbols.skipped, look.words(Message::NotAnswered));
        assert!(screen.lines().nth(row("1. Name:")).unwrap().contains(&unanswered));
    }
}

#[test]
fn review_keys_act_on_unsent_text() {
    for look in looks() {
        let hints = [Message::KeyView, Message::KeyCopy, Message::KeyPickOwn].map(|hint| look.words(hint));
        let mut stage = ScreenStage::open_with(fixtures::CHOICE, &look);
        stage.press_keys("o 'my words' esc up 3 alt-0");
        // A narrow screen has no room for them; the help has all.
        let shown = if look.is_narrow() { 0 } else { hints.len() };
        hints.iter().take(shown).for_each(|hint| stage.must_show(hint));
        stage.press_keys("v");
        stage.must_show(&format!("{} my words", look.theme.symbols.right));
        stage.press_keys("esc c");
        assert_eq!(format!("{:?}", stage.other_effects.last().unwrap()), "Copy(\"my words\")");
        stage.press_keys("o");
        stage.must_show(&look.words_with(Message::OwnAnswer, [&quote("my words", look.lang)]));
        hints.iter().for_each(|hint| stage.must_not_show(hint));
        stage.must_not_show(&look.words(Message::UnsentTitle));
        assert!(stage.is_open());
        assert!(stage.calls.iter().all(|call| !matches!(call, DeskCall::Act { .. })));
        stage.handle_event(Event::Tick);
    }
}
