//! Members of formats that shape a page: names, rules that are checked on submit, and the view after an answer.

use super::stage::fixtures::{asker, decline_elsewhere, person, save_elsewhere};
use super::stage::{ScreenStage, StageConfig};
use crate::tui::widgets::theme::{StyleRole, Theme};
use sayso_core::{Actor, Answer, AskCommand, AskId, Lang, Reply};
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
fn refused_answer_is_named_as_on_the_review() {
    let mut stage = ScreenStage::open_ask(UNCHECKED);
    stage.press_keys("'abc' enter 'because' enter");
    stage.advance(1_000);
    stage.press_keys("^s");
    stage.must_show("1 answer needs attention.");
    stage.must_not_show("answers.code");
}

#[test]
fn hidden_answers_are_not_in_the_summary_of_what_was_sent() {
    let json = r#"{"completed": {"answers": false, "summary": "Thank you."}, "questions": [{"id": "one", "prompt": "Secret?"}]}"#;
    let look = StageConfig { from_inbox: true, ..StageConfig::default() };
    let mut stage = ScreenStage::open_with(json, &look);
    stage.press_keys("enter 'abc' enter");
    assert_eq!(stage.submitted_reply("one"), Some(text("abc")));
    stage.must_show("Sent.");
    stage.must_not_show("abc");
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
    stage.must_not_show("Nothing is sent until");
}

#[test]
fn own_answer_has_the_name_of_its_format() {
    let json = |rules: &str| {
        format!(
            r#"{{"rules": {{{rules}}}, "questions": [{{"prompt": "Which?", "other": true, "options": ["A", "B"]}}]}}"#
        )
    };
    let custom = r#""own_answers_are_custom": true"#;
    for (rules, lang, name) in [
        (custom, Lang::En, "3  Custom"),
        (custom, Lang::Zh, "3  自定义"),
        ("", Lang::En, "3  Other, type your own."),
    ] {
        let stage = ScreenStage::open_with(&json(rules), &StageConfig { lang, ..StageConfig::default() });
        stage.must_show(name);
    }
}

#[test]
fn placeholder_is_in_the_empty_box() {
    for size in [(120, 40), (80, 24), (40, 15)] {
        for lang in Lang::ALL {
            let json = r#"{"questions": [{"id": "a", "prompt": "Name?", "placeholder": "e.g. Falcon"}]}"#;
            let look = StageConfig { size, lang, theme: Theme::DARK, ..StageConfig::default() };
            let mut stage = ScreenStage::open_with(json, &look);
            let (x, y) = stage.find("e.g. Falcon").unwrap();
            assert_eq!(stage.buffer[(x, y)].style().fg, Theme::DARK.style(StyleRole::Faint).fg);
            let screen = stage.screen();
            let row = screen.lines().nth(usize::from(y)).unwrap();
            assert!(row.trim().starts_with('│') && row.ends_with('│'), "{screen}");
            stage.press_keys("'x'");
            stage.must_not_show("Falcon");
            stage.press_keys("bs");
            stage.must_show("e.g. Falcon");
            assert_eq!(stage.stored_reply("a"), Reply::unanswered());
        }
    }
    // A text wider than the box is shown below it as a whole.
    let long = "a name that nobody has used for any other release";
    let json = format!(r#"{{"questions": [{{"prompt": "Name?", "placeholder": "{long}"}}]}}"#);
    let stage = ScreenStage::open_with(&json, &StageConfig { size: (40, 20), ..StageConfig::default() });
    stage.must_show("a name that nobody has used");
    stage.must_show("Example: ");
    stage.must_show("release");
}

#[test]
fn short_prompt_names_its_tab() {
    let json = r#"{"questions": [{"id": "a", "prompt": "Email"}, {"id": "b", "prompt": "Subscribe to\nupdates?"},
        {"id": "c", "prompt": "Which of these two databases should the service use?"}, {"id": "d", "label": "Owner", "prompt": "Who?"}]}"#;
    let mut stage = ScreenStage::open_with(json, &StageConfig { size: (120, 40), ..StageConfig::default() });
    stage.press_keys("tab");
    stage.must_show("○ Email │ ● Subscribe to updates? │ ○ 3. Which of these two d… │ ○ Owner │ Review");
}

/// Two steps with labels of their buttons, as an interaction form has them.
const STEPS: &str = r#"{"title": "Account", "submit": "Send", "sections": [
    {"title": "Who", "submit": "Continue to plan", "questions": [
        {"id": "name", "prompt": "Name"}, {"id": "mail", "prompt": "Email"}, {"id": "age", "kind": "number", "prompt": "Age", "required": false}]},
    {"title": "Plan", "submit": "Create it", "questions": [{"id": "plan", "prompt": "Plan"}, {"id": "seats", "kind": "number", "prompt": "Seats"}]}]}"#;

#[test]
fn section_is_one_page() {
    for size in [(120, 40), (80, 24)] {
        let mut stage = ScreenStage::open_with(STEPS, &StageConfig { size, ..StageConfig::default() });
        stage.press_keys("'Ada' enter");
        let screen = stage.screen();
        let row = |words: &str| {
            let at = screen.lines().skip(3).position(|line| line.contains(words));
            at.unwrap_or_else(|| panic!("{words}\n{screen}"))
        };
        assert!(row("✓ Name") < row("┃ Email") && row("┃ Email") < row("○ Age"), "{screen}");
        assert!(screen.lines().any(|line| line.contains("✓ Name  ") && line.contains("  Ada")), "{screen}");
        assert!(row("○ Age") < row("[ Next section ]  \"Continue to plan\""), "{screen}");
        stage.must_not_show("Seats  ");
        // A field of the page is a click away, like its tab.
        stage.click("○ Age  ");
        stage.must_show("▸ [ Next section ]");
        stage.press_keys("enter");
        stage.must_show("Section 2 of 2. Plan");
        stage.must_not_show("Next section");
    }
}

#[test]
fn section_button_leads_to_the_next_step() {
    for (size, lang, ours) in [
        ((40, 15), Lang::En, "[ Next section ]"),
        ((40, 15), Lang::Zh, "[ 下一部分 ]"),
        ((80, 24), Lang::Zh, "[ 下一部分 ]"),
        ((120, 40), Lang::En, "[ Next section ]"),
    ] {
        let mut stage = ScreenStage::open_with(STEPS, &StageConfig { size, lang, ..StageConfig::default() });
        stage.must_show(&format!("{ours}  \"Continue to plan"));
        stage.click("Continue");
        stage.must_not_show(ours);
        stage.must_show("┃ Plan");
        assert!(stage.is_open() && stage.act_count() == 0);
        // The label of the last section replaces that of the form.
        stage.press_keys("alt-0 end up");
        assert!(size.0 < 80 || stage.shows("\"Create it\""), "{}", stage.screen());
        stage.must_not_show("\"Send\"");
    }
}

#[test]
fn one_accent_marks_the_place() {
    for theme in [Theme::DARK, Theme::LIGHT, Theme::HIGH_CONTRAST] {
        let look = StageConfig { theme: theme.clone(), ..StageConfig::default() };
        let mut stage = ScreenStage::open_with(super::stage::fixtures::CHOICE, &look);
        let accent = theme.style(StyleRole::Accent).fg;
        let colour = |stage: &ScreenStage, words: &str| {
            let at = stage.find(words).unwrap_or_else(|| panic!("{words}\n{}", stage.screen()));
            stage.buffer[at].style().fg
        };
        for words in ["▸ ", "┃ When should", "Space/1-9"] {
            assert_eq!(colour(&stage, words), accent, "{words}");
        }
        stage.press_keys("o");
        assert_eq!(colour(&stage, "┌─ your answer"), accent);
        stage.press_keys("esc d");
        assert_eq!(colour(&stage, "┌─ Decline"), accent);
    }
}
