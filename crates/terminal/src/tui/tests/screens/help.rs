//! Each key does what the help says.

use crate::tui::tests::stage::fixtures::{self, asker};
use crate::tui::tests::stage::{ScreenStage, StageConfig};
use crate::tui::widgets::theme::Theme;
use sayso_core::{Answer, Pick, Reply, ReplyContent};

fn text(words: &str) -> Reply {
    Reply::from_answer(Answer::Text(words.into()))
}

fn picked(id: &str) -> ReplyContent {
    ReplyContent::Answered(Answer::Picks(Pick::Option(id.into()).into()))
}

#[test]
fn rating_digits_form_a_number() {
    let ten = r#"{"questions": [{"id": "q", "kind": "rating", "prompt": "How?", "min": 1, "max": 10}]}"#;
    let rated = |stage: &ScreenStage| match stage.stored_reply("q").content {
        ReplyContent::Answered(Answer::Rating(step)) => Some(step),
        _ => None,
    };
    for (keys, step) in [
        ("1", Some(1)),
        ("1 0", Some(10)),
        ("1 5", Some(5)),
        ("7", Some(7)),
        ("7 0", None),
        ("0", None),
        ("7 right", Some(8)),
        ("left", Some(10)),
        ("right", Some(1)),
        ("end", Some(10)),
        ("home", Some(1)),
        ("3 bs", None),
        ("3 u", None),
    ] {
        let mut stage = ScreenStage::open_ask(ten);
        stage.press_keys(keys);
        assert_eq!(rated(&stage), step, "{keys}");
    }
}

#[test]
fn question_keys_match_the_help() {
    let shows: &[(&str, &str, &str)] = &[
        (fixtures::CHOICE, "tab", "Question 2 of 2."),
        (fixtures::CHOICE, "tab s-tab", "Question 1 of 2."),
        (fixtures::CHOICE, "alt-2", "Question 2 of 2."),
        (fixtures::CHOICE, "alt-0", "Check your answers"),
        (fixtures::CHOICE, "^s", "Check your answers"),
        (fixtures::TEXT, "esc", "Enter type"),
        (fixtures::TEXT, "esc esc", "Press Esc again"),
        (fixtures::CHOICE, "^c", "Press ^C again"),
        (fixtures::CHOICE, "j 2", "(•) 2  Tonight"),
        (fixtures::CHOICE, "down space", "(•) 2  Tonight"),
        (fixtures::CHOICE, "down down up space", "(•) 2  Tonight"),
        (fixtures::CHOICE, "j j k space", "(•) 2  Tonight"),
        (fixtures::CHOICE, "tab 1 1", "[ ] 1  Europe"),
        (fixtures::CHOICE, "tab 1", "[x] 1  Europe"),
        (fixtures::CHOICE, "2 enter", "Question 2 of 2."),
        (fixtures::CHOICE, "tab enter", "Check your answers"),
        (fixtures::ANY, "a", "[x] 3  Cy"),
        (fixtures::ANY, "a a", "[ ] 3  Cy"),
        (fixtures::ANY, "end space", "[x] 3  Cy"),
        (fixtures::ANY, "end home space", "[x] 1  Ada"),
        (fixtures::CHOICE, "o", "your answer"),
        (fixtures::CHOICE, "/ 'tom'", "2 of 4"),
        (fixtures::CHOICE, "down p", "↑↓←→ scroll"),
        (fixtures::CHOICE, "tab n 'psst' enter", "psst"),
        (fixtures::CHOICE, "2 u", "( ) 2  Tonight"),
        (fixtures::CHOICE, "2 u ^_", "(•) 2  Tonight"),
        (fixtures::CHOICE, "2 u ^_ alt-_", "( ) 2  Tonight"),
        (fixtures::CHOICE, "tab - alt-2", "– Regions"),
        (fixtures::CHOICE, "-", "cannot be skipped"),
        (fixtures::CHOICE, "e", "will be asked to explain this"),
        (fixtures::CHOICE, "w", "will be asked to rephrase this"),
        (fixtures::CHOICE, "R", "Check your answers"),
        (fixtures::CHOICE, "?", "Keys"),
        (fixtures::SCALES, "y", "(•) y  Yes (\"Ship it\")"),
        (fixtures::SCALES, "n", "(•) n  No (\"Hold it\")"),
        (fixtures::SCALES, "right", "(•) n  No (\"Hold it\")"),
        (fixtures::SCALES, "right left", "(•) y  Yes (\"Ship it\")"),
        (fixtures::SCALES, "N 'why' enter", "why"),
        (fixtures::SCALES, "tab 4", "4 of 5  Fairly confident"),
        (fixtures::SCALES, "tab 4 0", "not answered yet"),
        (fixtures::SCALES, "tab 4 bs", "not answered yet"),
        (fixtures::SCALES, "tab right right left", "1 of 5"),
        (fixtures::TYPED, "alt-3 '3' up", "│ 5 "),
        (fixtures::TYPED, "alt-3 '3' down", "│ 1 "),
        (fixtures::TYPED, "alt-2 'a' enter 'b'", "│ b"),
        (fixtures::TYPED, "alt-2 'a' ^j 'b'", "│ b"),
        (fixtures::TYPED, "'a' ^j 'b'", "│ b"),
        (fixtures::TYPED, "'a' alt-enter 'b'", "│ b"),
        (fixtures::TYPED, "'abc' enter", "Question 2 of 6."),
        (fixtures::TYPED, "'one two' ^a 'x'", "xone two"),
        (fixtures::TYPED, "'one two' ^a ^e 'x'", "one twox"),
        (fixtures::TYPED, "'one two' ^w", "│ one "),
        (fixtures::TYPED, "'one two' ^u ^y ^y", "one twoone two"),
        (fixtures::TYPED, "'one two' ^a ^k ^y", "one two"),
        (fixtures::TYPED, "'one two' alt-b 'x'", "one xtwo"),
        (fixtures::TYPED, "'one two' ^a alt-f 'x'", "onex two"),
        (fixtures::TYPED, "'one' ^w ^_", "│ one"),
        (fixtures::TYPED, "f1", "Keys"),
        (fixtures::SECTIONS, "^s enter", "Which environment?"),
        (fixtures::CHOICE, "d", "Decline this request?"),
        (fixtures::CHOICE, "g", "Go to a question"),
        (fixtures::CHOICE, "g 'reg' enter", "Question 2 of 2."),
        (fixtures::SECTIONS, "^s d", "Decline this request?"),
    ];
    for (ask, keys, shown) in shows {
        let mut stage = ScreenStage::open_ask(ask);
        stage.press_keys(keys);
        assert!(stage.shows(shown), "{keys} should show {shown:?}:\n{}", stage.screen());
    }
    for (keys, effect) in [("^z", "Suspend"), ("^l", "Redraw"), ("'my text' ^g", "Edit(\"my text\")")] {
        let mut stage = ScreenStage::open_ask(fixtures::TEXT);
        stage.press_keys(keys);
        assert_eq!(format!("{:?}", stage.other_effects.last().unwrap()), effect);
    }
}

#[test]
fn inbox_keys_match_the_help() {
    let shows = [
        ("down", "Why?"),
        ("j", "Why?"),
        ("end", "Why?"),
        ("G", "Why?"),
        ("pgdn", "Why?"),
        ("down up", "Deploy plan for api-gateway"),
        ("down k", "Deploy plan for api-gateway"),
        ("end home", "Deploy plan for api-gateway"),
        ("end pgup", "Deploy plan for api-gateway"),
    ];
    let asks = [(fixtures::CHOICE, asker()), (fixtures::TEXT, asker())];
    for (keys, at) in shows {
        let mut stage = ScreenStage::inbox(&asks, &StageConfig::default());
        stage.press_keys(keys);
        assert_eq!(stage.reversed_text(), [at], "{keys}");
    }
    for (keys, shown) in [
        ("enter", "Question 1 of 2."),
        ("/ 'why' enter", "One line of text. Required."),
        ("/ 'nothing like it'", "Nothing matches the filter. Esc clears it."),
        ("/ 'why' esc", "Deploy plan"),
        ("s", "oldest first"),
        ("tab", "history"),
        ("h", "history"),
        ("h tab", "2 waiting"),
        ("d", "Decline this request?"),
        ("?", "Signs:"),
    ] {
        let mut stage = ScreenStage::inbox(&asks, &StageConfig::default());
        stage.press_keys(keys);
        stage.must_show(shown);
    }
    let mut stage = ScreenStage::inbox(&asks, &StageConfig::default());
    stage.press_keys("q");
    assert_eq!(stage.ended, Some(crate::surface::PromptOutcome::Left));
    let mut stage = ScreenStage::inbox(&asks, &StageConfig::default());
    stage.press_keys("d 'not now' enter");
    assert!(!stage.is_open());
    stage.must_show("1 waiting");
}

#[test]
fn help_shows_the_keys_of_the_page() {
    let sections = ["Options", "Yes or no", "Text", "Review", "Signs"];
    for (ask, keys, shown) in [
        (fixtures::CHOICE, "?", &["Options", "Text"][..]),
        (fixtures::SCALES, "?", &["Yes or no", "Text"]),
        (fixtures::TYPED, "f1", &["Text"]),
        (fixtures::TYPED, "^s ?", &["Review"]),
    ] {
        let mut stage =
            ScreenStage::open_with(ask, &StageConfig { size: (80, 60), ..StageConfig::default() });
        stage.press_keys(keys);
        stage.must_show("Tab, Shift-Tab: next question");
        let screen = stage.screen();
        let begins =
            |section: &&&str| screen.lines().any(|row| row.trim_start().starts_with(&format!("│ {section}")));
        let found: Vec<_> = sections.iter().filter(begins).copied().collect();
        assert_eq!(found, shown, "{keys}\n{screen}");
    }
}

#[test]
fn arrows_stay_in_a_long_text() {
    let mut stage = ScreenStage::open_ask(fixtures::TEXTS);
    stage.press_keys("tab 'a' enter 'b' up*5 'x' down*5 'y'");
    assert_eq!(stage.stored_reply("two"), text("ax\nby"));
    let mut stage = ScreenStage::open_ask(fixtures::CHOICE);
    stage.press_keys("down n 'a note' up*3 down*3 ^p ^n 'x' enter space");
    let reply = stage.stored_reply("when");
    assert_eq!((reply.content, reply.note.as_deref()), (picked("tonight"), Some("a notex")));
}

/// Returns the rows that show the key for the help.
fn help_hints(stage: &ScreenStage) -> Vec<String> {
    let screen = stage.screen();
    let rows = screen.lines().map(str::trim_end);
    rows.filter(|row| row.contains("? keys") || row.contains("F1 keys")).map(str::to_owned).collect()
}

#[test]
fn every_width_shows_the_help_key() {
    let kinds = [
        fixtures::CHOICE,
        fixtures::TEXT,
        r#"{"questions": [{"kind": "confirm", "prompt": "Ship?"}]}"#,
        r#"{"questions": [{"kind": "rating", "prompt": "How?"}]}"#,
        r#"{"questions": [{"kind": "date", "prompt": "When?"}]}"#,
    ];
    for theme in ["dark", "ascii"] {
        for columns in (40..=100).step_by(3) {
            let theme = Theme::from_name(theme).unwrap();
            let look = StageConfig { size: (columns, 24), theme, ..StageConfig::default() };
            let mut inbox = vec![ScreenStage::inbox(&[(fixtures::CHOICE, asker())], &look)];
            inbox.extend(kinds.map(|json| ScreenStage::open_with(json, &look)));
            for stage in inbox {
                let hints = help_hints(&stage);
                assert!(hints.len() == 1 && !hints[0].ends_with('…'), "{columns}\n{}", stage.screen());
            }
        }
    }
}
