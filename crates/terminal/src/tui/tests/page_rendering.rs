//! Pages of questions: hierarchy, long contexts, code, previews.

use super::stage::{ScreenStage, StageConfig};
use crate::tui::widgets::theme::{StyleRole, Theme};
use ratatui::style::Modifier;
use sayso_core::Lang;

const SIZES: [(u16, u16); 4] = [(120, 40), (80, 24), (40, 15), (140, 40)];

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

fn open(json: &str, size: (u16, u16), theme: Theme, lang: Lang) -> ScreenStage {
    ScreenStage::open_with(json, &StageConfig { size, theme, lang, ..StageConfig::default() })
}

fn style_at(stage: &ScreenStage, words: &str) -> ratatui::style::Style {
    let at = stage.find(words).unwrap_or_else(|| panic!("{words:?} is not on\n{}", stage.screen()));
    stage.buffer[at].style()
}

#[test]
fn long_context_leaves_the_question() {
    for size in SIZES {
        for (lang, more) in [(Lang::En, "more rows"), (Lang::Zh, "另有")] {
            let mut stage = open(&long_context(), size, Theme::MONO, lang);
            for words in ["Line 1 of the report.", more, "PgUp", "Which one?", "Ada", "Bo"] {
                stage.must_show(words);
            }
            stage.press_keys("pgup");
            stage.must_show("Line 2 of the report.");
            stage.press_keys("end");
            stage.must_show("Line 60 of the report.");
            stage.press_keys("esc 2");
            stage.must_show("(•) 2  Bo");
        }
    }
}

#[test]
fn options_keep_their_height() {
    for size in SIZES {
        let mut stage = open(DESCRIPTIONS, size, Theme::MONO, Lang::En);
        let rows = |stage: &ScreenStage| ["Ada", "Bo", "Cy"].map(|label| stage.find(label).map(|(_, y)| y));
        let before = rows(&stage);
        for keys in ["down", "down", "up"] {
            stage.press_keys(keys);
            if size != (40, 15) {
                assert_eq!(rows(&stage), before, "{size:?}, {keys}\n{}", stage.screen());
            }
        }
        stage.press_keys("down p end");
        stage.must_show("Five, the last.");
    }
}

#[test]
fn question_stands_out() {
    for theme in [Theme::DARK, Theme::LIGHT, Theme::MONO] {
        let stage = open(MARKED_UP, (80, 30), theme.clone(), Lang::En);
        assert!(style_at(&stage, "Which one?").add_modifier.contains(Modifier::BOLD));
        assert!(!style_at(&stage, "quoted").add_modifier.contains(Modifier::BOLD));
        assert!(style_at(&stage, "Space/1-9").add_modifier.contains(Modifier::BOLD));
        assert!(!style_at(&stage, "pick").add_modifier.contains(Modifier::BOLD));
    }
}

#[test]
fn code_and_diffs_have_colours() {
    for size in [(80, 40), (120, 40), (40, 40)] {
        let theme = Theme::DARK;
        let stage = open(MARKED_UP, size, theme.clone(), Lang::En);
        let role_colours =
            [("let", StyleRole::Keyword), ("-old", StyleRole::Removed), ("+new", StyleRole::Added)];
        for (words, role) in role_colours {
            assert_eq!(style_at(&stage, words).fg, theme.style(role).fg, "{words}");
        }
        for words in ["│ quoted", "cell │ code"] {
            stage.must_show(words);
        }
        for fence in ["```", "`code`"] {
            stage.must_not_show(fence);
        }
        // Without colours code in a sentence keeps its marks.
        open(MARKED_UP, size, Theme::MONO, Lang::En).must_show("`code`");
    }
    let action = r#"{"action": {"tool": "edit", "act": {"edit": {"path": "a.rs", "diff": "@@ -1 +1 @@\n-old\n+new"}}}, "questions": [{"kind": "confirm", "prompt": "Ok?"}]}"#;
    let stage = open(action, (80, 24), Theme::DARK, Lang::En);
    assert_eq!(style_at(&stage, "+new").fg, Theme::DARK.style(StyleRole::Added).fg);
}

#[test]
fn previews_scroll_sideways() {
    let drawing = format!("+{}+\\n|{}END|", "-".repeat(160), ".".repeat(157));
    let json = format!(
        r#"{{"questions": [{{"prompt": "Which?", "options": [{{"label": "Wide", "preview": "```\n{drawing}\n```"}}, {{"label": "None"}}]}}]}}"#
    );
    for size in [(120, 40), (80, 24), (140, 40), (40, 15)] {
        let mut stage = open(&json, size, Theme::MONO, Lang::En);
        stage.must_show("p preview");
        stage.must_not_show("```");
        stage.must_not_show("END");
        if size.0 >= 80 {
            // The preview takes more than half of the screen.
            let preview = stage.find("+---").unwrap();
            assert!(preview.0 < size.0 / 2, "{}", stage.screen());
            stage.must_show("›");
        }
        stage.press_keys("p right*30");
        stage.must_show("END|");
        stage.press_keys("left*30");
        stage.must_show("+---");
        stage.press_keys("esc down");
        stage.must_not_show("p preview");
    }
}
