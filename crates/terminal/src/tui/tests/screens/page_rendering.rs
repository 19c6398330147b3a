//! Pages of questions: hierarchy, long contexts, code, previews.

use crate::tui::tests::stage::looks::looks;
use crate::tui::tests::stage::{ScreenStage, StageConfig};
use crate::tui::widgets::theme::{StyleRole, Theme};
use ratatui::style::Modifier;
use sayso_core::Message;

/// Returns every look, and a screen that also has room for the list.
fn wide_looks() -> impl Iterator<Item = StageConfig> {
    looks().chain([StageConfig { size: (140, 40), ..StageConfig::default() }])
}

/// A question with options below a context of 60 lines.
fn long_context() -> String {
    let lines: Vec<_> = (1..=60).map(|line| format!("Line {line} of the report.\\n\\n")).collect();
    let context = lines.concat();
    format!(
        r#"{{"title": "Report", "context": "{context}", "questions": [
        {{"prompt": "Which **one**?", "options": [{{"label": "Ada", "description": "The first."}}, {{"label": "Bo"}}]}},
        {{"prompt": "Why?", "long": true}}]}}"#
    )
}

const DESCRIPTIONS: &str = r#"{"questions": [{"prompt": "Which?", "options": [
    {"label": "Ada", "description": "A description that is long enough to take more than a single row on a screen of eighty columns, and then some more words to fill another."},
    {"label": "Bo", "description": "Short."},
    {"label": "Cy", "description": "One.\n\nTwo.\n\nThree.\n\nFour.\n\nFive, the last."}]}]}"#;

const MARKED_UP: &str = r#"{"context": "> quoted\n\n| a | b |\n|---|---|\n| cell | `code` |\n\n```rust\nlet x = 1;\n```\n\n```diff\n-old\n+new\n```", "questions": [{"prompt": "Which **one**?", "options": ["Ada", "Bo"]}]}"#;

fn style_at(stage: &ScreenStage, words: &str) -> ratatui::style::Style {
    let at = stage.find(words).unwrap_or_else(|| panic!("{words:?} is not on\n{}", stage.screen()));
    stage.buffer[at].style()
}

#[test]
fn long_context_leaves_the_question() {
    for look in wide_looks() {
        let mut stage = ScreenStage::open_with(&long_context(), &look);
        let more = look.words(Message::ContextMore);
        let (_, more) = more.split_once("{0}").unwrap();
        let (more, _) = more.split_once("PgUp").unwrap();
        for words in ["Line 1 of the report.", more.trim(), "PgUp", "Which one?", "Ada", "Bo"] {
            stage.must_show(words);
        }
        stage.press_keys("pgup");
        stage.must_show("Line 2 of the report.");
        stage.press_keys("end");
        stage.must_show("Line 60 of the report.");
        stage.press_keys("esc 2");
        stage.must_show(&format!("{} 2  Bo", look.theme.symbols.picked));
    }
}

#[test]
fn options_keep_their_height() {
    for look in wide_looks() {
        let mut stage = ScreenStage::open_with(DESCRIPTIONS, &look);
        let rows = |stage: &ScreenStage| ["Ada", "Bo", "Cy"].map(|label| stage.find(label).map(|(_, y)| y));
        let before = rows(&stage);
        for keys in ["down", "down", "up"] {
            stage.press_keys(keys);
            if !look.is_narrow() {
                assert_eq!(rows(&stage), before, "{keys}\n{}", stage.screen());
            }
        }
        stage.press_keys("down p end");
        stage.must_show("Five, the last.");
    }
}

#[test]
fn question_stands_out() {
    for theme in [Theme::DARK, Theme::LIGHT, Theme::MONO] {
        let look = StageConfig { size: (80, 30), theme, ..StageConfig::default() };
        let stage = ScreenStage::open_with(MARKED_UP, &look);
        assert!(style_at(&stage, "Which one?").add_modifier.contains(Modifier::BOLD));
        assert!(!style_at(&stage, "quoted").add_modifier.contains(Modifier::BOLD));
        assert!(style_at(&stage, "Space/1-9").add_modifier.contains(Modifier::BOLD));
        assert!(!style_at(&stage, "pick").add_modifier.contains(Modifier::BOLD));
    }
}

#[test]
fn only_diffs_have_colours() {
    for look in looks() {
        let theme = &look.theme;
        let has_colours = theme.style(StyleRole::Code).fg != theme.style(StyleRole::Plain).fg;
        // A small screen shows the context in parts.
        let mut stage = ScreenStage::open_with(MARKED_UP, &look);
        stage.press_keys("pgup");
        let quoted = format!("{} quoted", theme.symbols.separator);
        let cell =
            format!("cell {} {}", theme.symbols.separator, if has_colours { "code" } else { "`code`" });
        let mut awaited = vec![
            (quoted.as_str(), None),
            (cell.as_str(), None),
            ("let", Some(StyleRole::Agent)),
            ("-old", Some(StyleRole::Removed)),
            ("+new", Some(StyleRole::Added)),
        ];
        for _ in 0..12 {
            stage.must_not_show("```");
            awaited.retain(|(words, role)| {
                let Some(at) = stage.find(words) else { return true };
                let role = role.filter(|_| has_colours);
                assert!(
                    role.is_none_or(|role| stage.buffer[at].fg == theme.style(role).fg.unwrap_or_default()),
                    "{words}"
                );
                false
            });
            stage.press_keys("down");
        }
        assert!(awaited.is_empty(), "{awaited:?} is not on\n{}", stage.screen());
    }
}

#[test]
fn previews_scroll_sideways() {
    let drawing = format!("+{}+\\n|{}END|", "-".repeat(160), ".".repeat(157));
    let json = format!(
        r#"{{"questions": [{{"prompt": "Which?", "options": [{{"label": "Wide", "preview": "```\n{drawing}\n```"}}, {{"label": "None"}}]}}]}}"#
    );
    for look in wide_looks() {
        let mut stage = ScreenStage::open_with(&json, &look);
        stage.must_show(&look.words(Message::KeyPreview));
        stage.must_not_show("```");
        stage.must_not_show("END");
        if !look.is_narrow() {
            // The preview takes more than half of the screen.
            let preview = stage.find("+---").unwrap();
            assert!(preview.0 < look.size.0 / 2, "{}", stage.screen());
            stage.must_show(look.theme.symbols.right);
        }
        stage.press_keys("p right*30");
        stage.must_show("END|");
        stage.press_keys("left*30");
        stage.must_show("+---");
        stage.press_keys("esc down");
        stage.must_not_show(&look.words(Message::KeyPreview));
    }
}

#[test]
fn exact_data_is_drawn_whole() {
    let stage = ScreenStage::open_ask(
        r#"{"action": {"tool": "Sayso checked this", "act": {"shell": {"command": "echo \\\r\nrm /srv/─old\u00a0✓ b\u0430sh "}}},
            "questions": [{"kind": "confirm", "prompt": "Run it?"}]}"#,
    );
    stage.must_show("If you agree, this tool acts:");
    stage.must_show("┃  Sayso checked this");
    stage.must_show("┃  echo \\⟦CR⟧ ⟦does not continue in the next line⟧");
    stage.must_show("┃  rm /srv/─old⟦U+00A0⟧✓ b⟦U+0430⟧sh⟦SP⟧");
}
