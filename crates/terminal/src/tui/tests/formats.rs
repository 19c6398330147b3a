//! Members of formats that shape a page: names, rules that are checked on submit, and the view after an answer.

use super::stage::fixtures::{asker, decline_elsewhere, person, save_elsewhere};
use super::stage::{ScreenStage, StageConfig};
use sayso_core::{Actor, Answer, AskCommand, AskId, Reply};
use sayso_desk::{Desk, LocalDesk};

const UNCHECKED: &str = r#"{"questions": [
    {"id": "code", "prompt": "Code", "unchecked": true, "constraints": [{"min_length": 5}]},
    {"id": "why", "prompt": "Why?"}]}"#;

fn text(words: &str) -> Reply {
    Reply::from_answer(Answer::Text(words.into()))
}

#[test]
fn line_break_in_a_name_is_a_space() {
    let mut stage = ScreenStage::open_ask(
        r#"{"questions": [{"id": "a", "prompt": "Now or\nlater?"}, {"id": "b", "prompt": "Why?"}]}"#,
    );
    stage.press_keys("alt-0");
    stage.must_show("Now or later?");
    stage.must_not_show("U+000A");
}

#[test]
fn emptied_optional_field_loses_its_mark() {
    let json = r#"{"questions": [
        {"id": "a", "label": "Note", "prompt": "Anything?", "required": false, "constraints": [{"min_length": 3}]},
        {"id": "b", "prompt": "Why?"}]}"#;
    let mut stage = ScreenStage::open_ask(json);
    stage.press_keys("'x' enter");
    stage.must_show("! Note");
    stage.must_show("0/2");
    stage.press_keys("bs tab");
    stage.must_not_show("! Note");
    stage.press_keys("s-tab 'xyz' tab");
    stage.must_show("1/2");
}

#[test]
fn submit_rules_show_at_the_field() {
    let mut stage = ScreenStage::open_ask(UNCHECKED);
    stage.press_keys("'abc' enter 'because' enter");
    stage.must_show("2 of 2 answered");
    stage.must_not_show("problem");
    stage.advance(1_000);
    stage.press_keys("^s");
    assert_eq!(stage.act_count(), 1);
    assert!(stage.is_open());
    stage.must_show("! Code: Write at least 5 characters.");
    stage.press_keys("alt-1");
    stage.must_show("! Write at least 5 characters.");
    stage.press_keys("'de' ^s");
    stage.must_not_show("Write at least 5");
    stage.advance(1_000);
    stage.press_keys("^s");
    assert_eq!(stage.submitted_reply("code"), Some(text("abcde")));
}

#[test]
fn asker_judges_what_it_leaves_unchecked() {
    let look = StageConfig { judged: true, ..StageConfig::default() };
    let mut stage = ScreenStage::open_with(UNCHECKED, &look);
    stage.press_keys("'abc' enter 'because' enter");
    stage.advance(1_000);
    stage.press_keys("^s");
    assert_eq!(stage.submitted_reply("code"), Some(text("abc")));
}

fn answer_elsewhere(desk: &LocalDesk, id: AskId) {
    save_elsewhere(desk, id, "one", text("first line\nsecond line"));
    let replies = desk.draft(id).unwrap().replies;
    let shown = desk.get(id).unwrap().request.digest;
    let submit = AskCommand::Submit { replies, as_sent: None, shown };
    desk.act(&Actor::Person(person("grace")), id, None, submit).unwrap();
}

#[test]
fn history_marks_whose_words_are_whose() {
    let json = r#"{"questions": [{"id": "one", "kind": "text", "long": true, "prompt": "Say\nwhy"}]}"#;
    let look = StageConfig { from_inbox: true, ..StageConfig::default() };
    let mut stage = ScreenStage::open_after(json, &look, answer_elsewhere);
    stage.press_keys("h enter");
    for row in ["┃ Say why", "› first line", "› second line"] {
        stage.must_show(row);
    }
    stage.must_not_show("┃ first line");
}

#[test]
fn completed_view_follows_the_asker() {
    let shown = |completed: &str| {
        let json =
            format!(r#"{{"completed": {completed}, "questions": [{{"id": "one", "prompt": "Name"}}]}}"#);
        let look = StageConfig { from_inbox: true, ..StageConfig::default() };
        let mut stage = ScreenStage::open_after(&json, &look, answer_elsewhere);
        stage.press_keys("h enter");
        stage.screen()
    };
    let both = shown(r#"{"answers": true, "summary": "Made {{one}}."}"#);
    assert!(both.contains("┃ Made first line") && both.contains("› first line"), "{both}");
    let hidden = shown(r#"{"answers": false, "summary": "Thank you."}"#);
    assert!(hidden.contains("┃ Thank you.") && hidden.contains("does not show the answers"), "{hidden}");
    assert!(!hidden.contains("first line"), "{hidden}");
}

#[test]
fn ended_notice_marks_typed_text() {
    let json = r#"{"questions": [{"id": "one", "prompt": "Why?"}, {"id": "two", "prompt": "Who?"}]}"#;
    let look = StageConfig { from_inbox: true, ..StageConfig::default() };
    let mut stage = ScreenStage::new(&[(json, asker())], &look, |_, _| ());
    stage.press_keys("enter 'half a wo'");
    stage.change_elsewhere(decline_elsewhere);
    stage.must_show("› half a wo");
}
