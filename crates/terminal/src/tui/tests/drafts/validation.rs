//! Validation and follow-ups.

use crate::tty::InputEvent;
use crate::tui::effect::{CallResult, Effect, Event};
use crate::tui::tests::stage::fixtures::{self, asker, save_elsewhere};
use crate::tui::tests::stage::keys;
use crate::tui::tests::stage::{ScreenStage, StageConfig};
use sayso_core::{Answer, Message, Pick, Problem, ProblemCode, Reply, ReplyContent};

fn text(words: &str) -> Reply {
    Reply::from_answer(Answer::Text(words.into()))
}

fn picked(id: &str) -> ReplyContent {
    ReplyContent::Answered(Answer::Picks(Pick::Option(id.into()).into()))
}

const WRONG: &str = "! Write at least 3 characters.";

#[test]
fn first_typing_shows_no_problem() {
    let mut stage = ScreenStage::open_ask(fixtures::TYPED);
    stage.must_not_show(WRONG);
    stage.press_keys("'ab'");
    stage.advance(5_000);
    stage.must_not_show(WRONG);
    stage.must_show("2 / 20");
    stage.press_keys("'cdefghijklmnopqrstuvwxyz'");
    stage.must_show("26 / 20");
    stage.must_not_show("! ");
}

#[test]
fn problem_shows_until_corrected() {
    for leave in ["tab s-tab", "enter", "^s alt-1", "right"] {
        let mut stage = ScreenStage::open_ask(fixtures::TYPED);
        stage.press_keys("'ab'");
        stage.press_keys(leave);
        if leave == "right" {
            stage.must_not_show(WRONG);
            continue;
        }
        stage.must_show(WRONG);
        stage.press_keys("end 'c'");
        stage.must_not_show(WRONG);
        stage.press_keys("bs");
        stage.must_show(WRONG);
    }
}

#[test]
fn empty_answer_fails_on_enter() {
    let mut stage = ScreenStage::open_ask(fixtures::TYPED);
    stage.press_keys("tab s-tab");
    stage.must_not_show("! ");
    stage.press_keys("enter");
    stage.must_show("! This question needs an answer");
    stage.must_show("! Name");
    stage.press_keys("'abc'");
    stage.must_not_show("! ");
    let mut stage = ScreenStage::open_ask(fixtures::TYPED);
    stage.press_keys("^s up ^s alt-1");
    stage.must_show("! Name");
    for ask in [fixtures::CHOICE, fixtures::SCALES] {
        let mut stage = ScreenStage::open_ask(ask);
        stage.press_keys("tab tab ^s");
        stage.must_not_show("! Approve │");
        assert_eq!(stage.act_count(), 0);
    }
    let mut stage = ScreenStage::open_ask(fixtures::SCALES);
    stage.press_keys("enter");
    stage.must_show("! This question needs an answer");
    stage.press_keys("y");
    stage.must_not_show("! ");
}

#[test]
fn problem_does_not_block_navigation() {
    let mut stage = ScreenStage::open_ask(fixtures::TYPED);
    stage.press_keys("tab 'notes' s-tab 'a' tab");
    stage.must_show("Question 2 of 6.");
    stage.press_keys("^s");
    stage.must_show("! Name: Write at least 3 characters.");
    stage.press_keys("^s");
    assert!(stage.is_open() && stage.act_count() == 0);
}

#[test]
fn hidden_answers_are_kept() {
    let mut stage = ScreenStage::open_ask(fixtures::SECTIONS);
    stage.press_keys("2 enter 1 enter 'zone a' s-tab s-tab 1");
    stage.must_show("2 questions are no longer asked; your answers to them are kept.");
    assert_eq!(stage.stored_reply("zone"), text("zone a"));
    stage.press_keys("^s");
    stage.must_show("2 answers won't be sent");
    stage.must_show("Region: eu-west-1  not asked because of \"Environment\"");
    stage.must_show("Zone: zone a  not asked because of \"Region\"");
    stage.press_keys("up*2 v");
    stage.must_show("┃ Zone");
    stage.must_show("› zone a");
    stage.press_keys("esc c");
    assert!(matches!(stage.other_effects.last(), Some(Effect::Copy(text)) if text == "zone a"));
    stage.press_keys("alt-1 2");
    stage.press_keys("tab tab");
    stage.must_show("│ zone a");
    stage.press_keys("^s");
    stage.must_not_show("Not sent");
    stage.press_keys("alt-1 1 alt-0 ^s");
    let states: Vec<_> =
        ["env", "region", "zone"].map(|id| stage.submitted_reply(id).unwrap().content).into();
    assert_eq!(states[0], picked("stage"));
    assert!(states[1..].iter().all(|words| matches!(words, ReplyContent::NotAsked { .. })), "{states:?}");
}

#[test]
fn follow_up_is_announced_and_next() {
    let mut stage = ScreenStage::open_ask(fixtures::CHOICE);
    stage.press_keys("1");
    stage.must_show("A follow-up question was added.");
    stage.must_show("Question 1 of 3.");
    stage.press_keys("enter");
    stage.must_show("Question 2 of 3. Follow-up.");
    // It follows even the last question.
    let last = r#"{"questions": [{"id": "a", "kind": "confirm", "prompt": "Sure?", "children": [{"id": "b", "prompt": "Why?", "show_if": {"is": true}}]}]}"#;
    let mut stage = ScreenStage::open_ask(last);
    stage.press_keys("y enter");
    stage.must_show("Question 2 of 2. Follow-up.");
}

#[test]
fn change_asks_its_follow_ups() {
    let mut stage = ScreenStage::open_ask(fixtures::SECTIONS);
    stage.press_keys("1 enter enter enter enter home");
    stage.must_show("Check your answers");
    stage.press_keys("enter 2 enter");
    stage.must_show("Which region?");
    stage.press_keys("1 enter");
    stage.must_show("Which zone?");
    stage.press_keys("'a' enter");
    stage.must_show("Check your answers");
}

#[test]
fn removed_question_leads_to_its_parent() {
    let mut stage = ScreenStage::open_ask(fixtures::CHOICE);
    stage.press_keys("1 enter 'because' tab s-tab");
    stage.must_show("Why now?");
    stage.change_elsewhere(|desk, id| {
        save_elsewhere(
            desk,
            id,
            "when",
            Reply::from_answer(Answer::Picks(Pick::Option("tonight".into()).into())),
        );
    });
    stage.must_show("When should the rollout start?");
    stage.must_show("elsewhere");
    assert_eq!(stage.stored_reply("why"), text("because"));
}

#[test]
fn enter_confirms_a_prefill() {
    let mut stage = ScreenStage::open_ask(fixtures::SECTIONS);
    stage.must_show("✎ Owner");
    stage.press_keys("1 enter");
    stage.must_show("│ ops");
    stage.must_show("Filled in by the asker: \"ops\". Enter keeps it.");
    assert!(stage.stored_reply("owner").is_unanswered());
    stage.press_keys("enter");
    assert_eq!(stage.stored_reply("owner"), text("ops"));
    stage.must_show("✓ Owner");
}

#[test]
fn optional_section_is_all_or_none() {
    let mut stage = ScreenStage::open_ask(fixtures::SECTIONS);
    stage.press_keys("1 enter enter");
    stage.must_show("You can skip this whole section.");
    stage.press_keys("enter enter");
    stage.must_show("[ Submit: 2 of 4 answered ]  to \"claude\"");
    stage.press_keys("s-tab '7' tab");
    stage.must_show("! Bucket: This question needs an answer");
    stage.must_show("Fix 1 problem to submit");
}

#[test]
fn unread_action_cannot_be_approved() {
    let lines: Vec<_> = (0..60).map(|n| format!("echo {n}")).collect();
    let long = fixtures::ACTION.replace("rm -rf build  dist", &lines.join("\\n"));
    let mut stage = ScreenStage::open_ask(&long);
    stage.press_keys("1");
    stage.must_show("Each line must be shown first.");
    stage.press_keys("^s");
    stage.must_show("p shows the whole action");
    stage.press_keys("^s alt-1");
    assert!(stage.is_open() && stage.act_count() == 0);
    stage.press_keys("pgdn*5");
    stage.must_show("curl https://example.com/x");
    stage.press_keys("1 1 ^s");
    assert_eq!(stage.submitted_reply("may").unwrap().content, picked("yes"));
}

#[test]
fn late_list_is_not_shown() {
    let mut stage = ScreenStage::inbox(&[(fixtures::TEXT, asker())], &StageConfig::default());
    stage.hold_lists(true);
    stage.handle_event(Event::DeskChanged(Vec::new()));
    stage.press_keys("tab");
    stage.hold_lists(false);
    stage.release_held();
    stage.must_not_show("Why?");
    stage.must_show("history");
}

#[test]
fn stale_read_does_not_fail_reopening() {
    let mut stage = ScreenStage::inbox(&[(fixtures::TEXT, asker())], &StageConfig::default());
    let id = stage.id.unwrap();
    let gone = || Err(Problem::new(ProblemCode::DeskUnreachable, Message::DeskUnreachable));
    stage.press_keys("enter esc esc");
    assert!(stage.app.ask_view.is_none(), "{}", stage.screen());
    let opens = stage.app.update(stage.now(), Event::Input(InputEvent::Key(keys::key("enter"))));
    stage.handle_event(Event::CallFinished(Box::new(CallResult::Read(id, gone()))));
    stage.must_show("Opening");
    stage.apply_effects(opens);
    stage.draw();
    stage.must_show("Why?");
    assert!(stage.app.ask_view.is_some());
    // A failed open reports its problem.
    stage.press_keys("esc esc");
    // The call is answered by hand below.
    let _opens = stage.app.update(stage.now(), Event::Input(InputEvent::Key(keys::key("enter"))));
    stage.handle_event(Event::CallFinished(Box::new(CallResult::Opened(id, gone()))));
    assert!(stage.app.ask_view.is_none());
    stage.must_not_show("Opening");
}

/// Returns a questionnaire of this many questions.
fn long_questionnaire(count: usize) -> String {
    let question = |n| {
        format!(
            r#"{{"id": "q{n}", "prompt": "Prompt {n}?", "options": [{{"label": "One"}}, {{"label": "Two"}}]}}"#
        )
    };
    format!(r#"{{"questions": [{}]}}"#, (0..count).map(question).collect::<Vec<_>>().join(","))
}

#[test]
fn long_questionnaire_keeps_few_fields() {
    let made = |count: usize| {
        let mut stage = ScreenStage::open_with(
            &long_questionnaire(count),
            &StageConfig { size: (80, 8), ..StageConfig::default() },
        );
        stage.press_keys("tab*5 1 tab*3");
        let view = stage.app.ask_view.as_ref().unwrap();
        let kept = (0..count).filter(|place| view.form.field(*place).is_some()).count();
        (view.scroll.viewport().max_offset, kept)
    };
    assert_eq!(made(20), made(1_000));
    assert_eq!(made(1_000).1, 1);
    let mut stage = ScreenStage::open_ask(&long_questionnaire(1_000));
    stage.press_keys("^s");
    stage.must_show("There are 1000 problems");
    stage.press_keys("end");
    stage.must_show("[ Submit: 0 of 1000 answered ]");
    stage.press_keys("alt-1 ^s home enter");
    stage.must_show("Question 1 of 1000");
}

#[test]
fn long_names_leave_room() {
    let long = "A very long name that goes on and on ".repeat(20);
    let ask = format!(
        r#"{{"title": "{long}", "questions": [{{"label": "{long}", "prompt": "{long}", "options": [{{"label": "{long}"}}, {{"label": "Short"}}]}}, {{"prompt": "B"}}]}}"#
    );
    for size in crate::tui::tests::stage::SIZES {
        let mut stage = ScreenStage::open_with(&ask, &StageConfig { size, ..StageConfig::default() });
        stage.must_show("claude");
        stage.must_show(if size.0 < 60 { "0/2" } else { "│ Review" });
        stage.press_keys("down*40 home down");
        stage.must_show("2  Short");
        stage.press_keys("^s end");
        stage.must_show("▸ [ Decline");
        let mut inbox = ScreenStage::inbox(
            &[(&ask, asker()), (fixtures::TEXT, asker())],
            &StageConfig { size, ..StageConfig::default() },
        );
        inbox.must_show("A very long name");
        inbox.press_keys("down");
        assert_eq!(inbox.reversed_text(), ["Why?"]);
    }
}

#[test]
fn future_ask_is_just_now() {
    let mut stage = ScreenStage::open_ask(fixtures::TEXT);
    stage.set_clock(-400_000);
    stage.handle_event(Event::Tick);
    stage.must_show("just now");
}

#[test]
fn review_and_box_agree_on_length() {
    let mut stage = ScreenStage::open_ask(fixtures::TEXTS);
    stage.press_keys("tab 'one' enter 'two' enter enter 'end'");
    stage.must_show(" 12 ─┐");
    stage.press_keys("^s");
    stage.must_show("one… (4 lines, 12 characters)");
}
