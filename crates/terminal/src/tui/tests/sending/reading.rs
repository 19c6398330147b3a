//! Consent: what a person agrees to is drawn line by line before a yes, and yes is never visible without no.

use crate::tui::tests::stage::looks::looks;
use crate::tui::tests::stage::{ScreenStage, StageConfig};
use sayso_core::model::outcome::SeenLines;
use sayso_core::{Answer, Reply};

/// The approval of the README.
const APPROVAL: &str = include_str!("../../../../../../examples/approve-command.json");

const COMMAND: &str = r#"{"action": {"tool": "shell", "act": {"shell": {"command": "LINES"}}},
    "questions": [{"id": "may", "kind": "confirm", "prompt": "Run it?"}]}"#;

const PLAN: &str = r#"{"title": "Approve the plan?", "context": "LINES",
    "questions": [{"id": "may", "kind": "confirm", "prompt": "Go ahead?"}]}"#;

const DETAIL: &str =
    r#"{"questions": [{"id": "may", "kind": "confirm", "prompt": "Go ahead?", "detail": "LINES"}]}"#;

/// Consents over this many lines.
fn long_consents(lines: usize) -> [String; 3] {
    let lines: Vec<_> = (1..=lines).map(|line| format!("- step {line}.")).collect();
    [COMMAND, PLAN, DETAIL].map(|ask| ask.replace("LINES", &lines.join("\\n")))
}

fn confirmed(yes: bool) -> Option<Reply> {
    Some(Reply::from_answer(Answer::Confirm(yes)))
}

fn seen_lines(stage: &ScreenStage) -> Option<SeenLines> {
    stage.ask().outcome().unwrap().receipt().unwrap().seen
}

/// Returns whether the choice with this key is on the screen, and not picked.
fn shows_choice(stage: &ScreenStage, look: &StageConfig, key: &str) -> bool {
    stage.shows(&format!("{} {key}  ", look.theme.symbols.unpicked))
}

#[test]
fn cut_option_is_opened_before_it_is_sent() {
    let long: Vec<_> = (1..=9).map(|line| format!("Line {line}.")).collect();
    let ask = format!(
        r#"{{"questions": [{{"id": "q", "prompt": "Which?", "options": [{{"id": "a", "label": "Ada", "description": "{}"}}, {{"id": "b", "label": "Bo", "description": "Short."}}]}}]}}"#,
        long.join("\\n\\n")
    );
    let mut stage = ScreenStage::open_ask(&ask);
    stage.must_show("Line 2. … (p)");
    stage.press_keys("1 enter");
    stage.must_show("Line 7.");
    assert!(stage.ask().outcome().is_none(), "{}", stage.screen());
    stage.press_keys("esc enter");
    assert!(stage.ask().outcome().is_some(), "{}", stage.screen());
    let mut stage = ScreenStage::open_ask(&ask);
    stage.press_keys("1 p esc enter");
    assert!(stage.ask().outcome().is_some(), "{}", stage.screen());
    let mut stage = ScreenStage::open_ask(&ask);
    stage.press_keys("2 enter");
    assert!(stage.ask().outcome().is_some(), "{}", stage.screen());
}

#[test]
fn each_line_is_drawn_before_yes() {
    for ask in long_consents(61) {
        let mut stage = ScreenStage::open_ask(&ask);
        stage.press_keys("y enter");
        assert_eq!(stage.stored_reply("may"), Reply::default(), "{}", stage.screen());
        stage.press_keys("n y");
        assert_eq!(stage.stored_reply("may"), confirmed(false).unwrap(), "{}", stage.screen());
        for _ in 0..20 {
            stage.press_keys("pgdn");
        }
        stage.must_show("step 61.");
        stage.press_keys("y enter");
        assert_eq!(stage.submitted_reply("may"), confirmed(true), "{}", stage.screen());
        assert_eq!(seen_lines(&stage), None);
    }
}

#[test]
fn unread_lines_want_a_capital_letter() {
    for ask in long_consents(300) {
        let mut stage = ScreenStage::open_ask(&ask);
        stage.press_keys("end");
        let choice = stage.screen().lines().find(|row| row.contains("Y  Yes, ")).unwrap().to_owned();
        let counts: Vec<u32> = choice.split_whitespace().filter_map(|word| word.parse().ok()).collect();
        let [unread, total] = counts[..] else { panic!("{choice}") };
        assert!(unread > 250 && total > 300 && choice.contains(" lines not shown"), "{choice}");
        stage.press_keys("home");
        stage.must_show("step 1.");
        stage.press_keys("end y");
        assert_eq!(stage.stored_reply("may"), Reply::default());
        stage.must_show("Each line must be shown first.");
        stage.press_keys("end Y");
        stage.must_show("[ Submit ]  Yes  ");
        stage.press_keys("enter");
        assert_eq!(stage.submitted_reply("may"), confirmed(true), "{}", stage.screen());
        let seen = seen_lines(&stage).unwrap();
        assert!(seen.total == total && seen.shown >= total - unread && seen.shown < total, "{seen:?}");
    }
}

#[test]
fn next_unread_lines_are_shown() {
    for ask in long_consents(100) {
        let mut stage = ScreenStage::open_ask(&ask);
        stage.press_keys("end");
        while stage.stored_reply("may") == Reply::default() {
            let before = stage.screen();
            stage.press_keys("y");
            assert_ne!(before, stage.screen(), "a press reads on");
        }
        stage.must_not_show("not shown");
        stage.press_keys("enter");
        assert_eq!(seen_lines(&stage), None);
    }
}

#[test]
fn no_needs_no_reading() {
    let [command, ..] = long_consents(61);
    for look in looks() {
        let mut stage = ScreenStage::open_with(&command, &look);
        stage.press_keys("n");
        stage.must_show(&format!("{} n  ", look.theme.symbols.picked));
        stage.press_keys("enter");
        assert_eq!(stage.submitted_reply("may"), confirmed(false), "{}", stage.screen());
        assert_eq!(seen_lines(&stage), None);
    }
}

#[test]
fn other_width_is_read_again() {
    let [command, ..] = long_consents(61);
    for (keys, is_unread) in [("pgdn", true), ("pgdn*20", false)] {
        let mut stage = ScreenStage::open_ask(&command);
        stage.press_keys(keys);
        stage.resize((70, 24));
        stage.press_keys("end y");
        assert_eq!(stage.stored_reply("may") == Reply::default(), is_unread, "{keys}\n{}", stage.screen());
    }
}

#[test]
fn review_counts_unread_lines() {
    let ask = r#"{"context": "LINES", "questions": [{"id": "may", "kind": "confirm", "prompt": "Go ahead?"},
        {"id": "also", "kind": "confirm", "prompt": "And this?", "required": false}]}"#;
    let lines: Vec<_> = (1..=61).map(|line| format!("- step {line}.")).collect();
    let mut stage = ScreenStage::open_ask(&ask.replace("LINES", &lines.join("\\n")));
    stage.press_keys("Y alt-0");
    stage.must_show("lines not shown");
    stage.press_keys("enter");
    assert!(seen_lines(&stage).is_some());
}

#[test]
fn yes_is_never_visible_without_no() {
    for look in looks() {
        let mut stage = ScreenStage::open_with(APPROVAL, &look);
        for _ in 0..16 {
            assert_eq!(
                shows_choice(&stage, &look, "y"),
                shows_choice(&stage, &look, "n"),
                "{}",
                stage.screen()
            );
            stage.press_keys("down");
        }
        assert!(shows_choice(&stage, &look, "y"), "{}", stage.screen());
        for (keys, yes) in [("n", false), ("y", true), ("n", false)] {
            stage.press_keys("home");
            stage.press_keys(keys);
            assert_eq!(stage.stored_reply("go"), confirmed(yes).unwrap());
            stage.must_show(&format!("{} {keys}  ", look.theme.symbols.picked));
            assert!(shows_choice(&stage, &look, if yes { "n" } else { "y" }), "{}", stage.screen());
        }
    }
    let mut stage = ScreenStage::open_ask(APPROVAL);
    stage.must_show("( ) y  Yes (\"Delete both\")     ( ) n  No (\"Keep them\")");
    stage.click("n  No");
    assert_eq!(stage.stored_reply("go"), confirmed(false).unwrap());
    stage.click("y  Yes");
    assert_eq!(stage.stored_reply("go"), confirmed(true).unwrap());
}
