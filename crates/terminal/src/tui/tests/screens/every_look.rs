//! Content that a person must see and reach in every size, language and theme.

use crate::surface::PromptOutcome;
use crate::tui::tests::stage::fixtures::{self, asker, decline_elsewhere};
use crate::tui::tests::stage::keys::key;
use crate::tui::tests::stage::looks::looks;
use crate::tui::tests::stage::{ScreenStage, StageConfig};
use ratatui::style::Modifier;
use sayso_core::i18n::quote;
use sayso_core::{Answer, Asker, Message, Reply};
use sayso_desk::Desk as _;

/// One of two options, with a context.
const ONE: &str = r#"{"title": "Rollout", "context": "Some context.", "questions": [
    {"id": "q", "label": "Pick", "prompt": "Which one?", "options": [{"id": "a", "label": "Alpha"}, {"id": "b", "label": "Beta"}]},
    {"id": "w", "prompt": "Now or\nlater?", "required": false}]}"#;

/// A text with a rule, and another text.
const RULES: &str = r#"{"questions": [
    {"id": "a", "label": "Note", "prompt": "Anything?", "required": false, "constraints": [{"min_length": 3}]},
    {"id": "b", "prompt": "Why?"}]}"#;

fn text(words: &str) -> Reply {
    Reply::from_answer(Answer::Text(words.into()))
}

fn from_inbox(look: StageConfig) -> StageConfig {
    StageConfig { from_inbox: true, ..look }
}

/// An inbox of this many asks, each in a folder of its own.
fn inbox(count: usize, look: &StageConfig) -> ScreenStage {
    let title =
        |number| format!(r#"{{"title": "Ask number {number:02}", "questions": [{{"prompt": "Why?"}}]}}"#);
    let asks: Vec<_> = (1..=count).map(title).collect();
    let folder = |number| format!("/home/ada/work/customers/acme/backend/services/bill{number}");
    let asks: Vec<_> = (1..)
        .zip(&asks)
        .map(|(number, json)| (json.as_str(), Asker { folder: Some(folder(number)), ..asker() }))
        .collect();
    ScreenStage::inbox(&asks, look)
}

#[test]
fn inbox_lists_enough_asks() {
    for look in looks() {
        let mut stage = inbox(20, &look);
        let least = match look.size {
            (120, _) => 20,
            (80, _) => 15,
            _ => 8,
        };
        let listed = |stage: &ScreenStage| stage.screen().matches("Ask number").count();
        assert!(listed(&stage) >= least, "{}", stage.screen());
        stage.must_show(&look.words_with(Message::FilterShows, ["1", "20"]));
        // The selected ask has its folder, cut from the left, and the one who waits.
        stage.must_show("bill1");
        let waits = look.words(Message::RowBlocks);
        let rows = if look.size.0 >= 120 { 20 } else { 1 };
        assert_eq!(stage.screen().matches(&waits).count(), rows, "{}", stage.screen());
        assert!(stage.find(look.theme.symbols.current).is_some());
        if !look.is_narrow() {
            stage.must_show("claude");
            stage.must_show(&look.words_with(Message::QuestionsShort, ["1"]));
        }
        stage.press_keys("end");
        stage.must_show("Ask number 20");
        stage.must_show(&look.words_with(Message::FilterShows, ["20", "20"]));
        stage.must_show("bill20");
    }
}

#[test]
fn decline_and_answer_name_the_ask() {
    for look in looks() {
        let mut stage = inbox(2, &look);
        let first = stage.app.inbox.rows().next().unwrap().id;
        stage.press_keys("d");
        stage.must_show(&look.words(Message::DeclineTitle));
        stage.must_show("Ask number 01");
        stage.must_show(&look.words(Message::KeyKeepAnswering));
        stage.press_keys("'no' enter");
        assert!(stage.desk.get(first).unwrap().outcome().is_some(), "{}", stage.screen());
        let quoted = Message::Quoted.render_with(look.lang, ["claude"]);
        let to = look.words_with(Message::SentTo, [&quoted, &quote("Ask number 01", look.lang)]);
        stage.must_show(to.trim_end_matches(['"', '”']));
        stage.must_show("Ask number 01");
        stage.press_keys("enter 'because' enter");
        stage.advance(1_000);
        stage.must_show("Ask number 02");
        stage.must_show("because");
    }
}

#[test]
fn question_stands_out_from_its_context() {
    for look in looks() {
        let mut stage = ScreenStage::open_with(ONE, &look);
        let is_bold = |stage: &ScreenStage, words: &str| {
            let at = stage.find(words).unwrap_or_else(|| panic!("{words:?} is not on\n{}", stage.screen()));
            stage.buffer[at].modifier.contains(Modifier::BOLD)
        };
        assert!(is_bold(&stage, "Which one?"));
        assert!(!is_bold(&stage, "Some context."));
        let move_hint = look.words(Message::KeyMove);
        if stage.shows(&move_hint) {
            let (move_key, _) = move_hint.split_once(' ').unwrap();
            assert!(is_bold(&stage, move_key));
            let (x, y) = stage.find(move_key).unwrap();
            let words = (x + u16::try_from(move_key.chars().count()).unwrap() + 1, y);
            assert!(!stage.buffer[words].modifier.contains(Modifier::BOLD));
        }
        // An answer is bold on the review; no answer has its own sign and is not.
        stage.press_keys("2 alt-0");
        assert!(is_bold(&stage, "Beta"));
        let sign = look.theme.symbols.skipped;
        stage.must_show(&format!("{sign} {}", look.words(Message::NotAnswered)));
        assert!(look.theme.is_ascii() || !is_bold(&stage, sign));
        stage.must_not_show("U+000A");
        stage.must_show("Now or later?");
    }
}

#[test]
fn broken_rule_is_not_counted() {
    for look in looks() {
        let mut stage = ScreenStage::open_with(RULES, &look);
        let wrong = look.theme.symbols.wrong;
        let header = |stage: &ScreenStage| stage.screen().lines().take(2).collect::<String>();
        let error = look.words_with(Message::MinLength, ["3"]);
        stage.press_keys("'x'");
        stage.must_not_show(&format!("{wrong} {error}"));
        stage.press_keys("enter");
        assert!(header(&stage).contains(wrong) && header(&stage).contains("0/2"), "{}", stage.screen());
        stage.press_keys("bs tab");
        assert!(!header(&stage).contains(wrong) && header(&stage).contains("0/2"), "{}", stage.screen());
        stage.press_keys("s-tab 'xyz' tab");
        assert!(header(&stage).contains("1/2"), "{}", stage.screen());
    }
}

#[test]
fn pick_that_is_too_many_says_so() {
    let ask = r#"{"questions": [{"id": "m", "prompt": "Which?", "multi": true, "options": ["Ada", "Bo", "Cy"],
        "constraints": [{"max_picks": 2}]}]}"#;
    for look in looks() {
        let mut stage = ScreenStage::open_with(ask, &look);
        let message = look.words_with(Message::MaxPicks, ["2"]);
        stage.press_keys("1 2");
        let (picked, before) = (stage.draft_json(), stage.screen().matches(&message).count());
        stage.press_keys("3");
        assert_eq!(stage.draft_json(), picked);
        assert_eq!(stage.screen().matches(&message).count(), before + 1, "{}", stage.screen());
    }
}

#[test]
fn jump_reaches_a_far_question() {
    let question = |at| format!(r#"{{"label": "Label {at}", "kind": "confirm", "prompt": "Sure?"}}"#);
    let many: Vec<_> = (1..=200).map(question).collect();
    let many = format!(r#"{{"questions": [{}]}}"#, many.join(","));
    for look in looks() {
        for (keys, number) in [("g '150' enter", "150"), ("g 'label 35' enter", "35")] {
            let mut stage = ScreenStage::open_with(&many, &look);
            stage.press_keys(keys);
            stage.must_show(&look.words_with(Message::QuestionPlace, [number, "200"]));
        }
    }
}

#[test]
fn saved_draft_goes_back_immediately() {
    for look in looks() {
        let mut stage = ScreenStage::open_with(fixtures::TEXTS, &from_inbox(look.clone()));
        stage.press_keys("enter 'half' esc esc");
        assert!(stage.app.ask_view.is_none() && stage.is_open() && stage.ended.is_none());
        stage.must_show(&look.lead(Message::DraftKept));
        assert_eq!(stage.stored_reply("one"), text("half"));
    }
}

#[test]
fn shown_end_closes_by_any_key() {
    for look in looks() {
        let mut stage = ScreenStage::open_with(fixtures::TEXTS, &from_inbox(look.clone()));
        stage.press_keys("enter 'half a wo'");
        stage.press_key(key("r"));
        stage.change_elsewhere(decline_elsewhere);
        let title = look.words(Message::EndedTitle);
        stage.must_show(&title);
        stage.must_show("half a wor");
        stage.press_key(key("x"));
        stage.must_show(&title);
        stage.advance(5_000);
        stage.press_key(key("x"));
        stage.must_not_show(&title);
        assert_eq!(stage.stored_reply("one"), text("half a wor"));
    }
}

#[test]
fn guard_works_on_every_screen() {
    for look in looks() {
        for (keys, opening) in [("2 enter 'x'", "enter"), ("", "d")] {
            let mut stage = ScreenStage::open_with(ONE, &look);
            stage.press_keys(keys);
            stage.press_key(key(opening));
            stage.advance(700);
            for _ in 0..30 {
                stage.press_key(key("enter"));
                stage.advance(33);
            }
            stage.advance(5_000);
            // The repeats began after the guard; only the pause after the last one could let it through.
            assert!(stage.is_open() && stage.act_count() == 0, "{opening}\n{}", stage.screen());
            let mut stage = ScreenStage::open_with(ONE, &look);
            stage.press_keys(keys);
            stage.press_key(key(opening));
            for _ in 0..2 {
                stage.advance(300);
                stage.press_key(key("enter"));
            }
            stage.advance(120);
            assert_eq!(stage.act_count(), 1, "{opening}\n{}", stage.screen());
            assert!(matches!(stage.ended, Some(PromptOutcome::Settled { .. })));
        }
    }
}
