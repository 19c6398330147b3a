//! Each key does what the help says.

use super::asks::{self, asker};
use super::stage::{Look, Stage};
use crate::screen::theme::Theme;
use sayso_core::{Answer, Pick, Reply, Said};

fn text(words: &str) -> Reply {
    Reply::of(Answer::Text(words.into()))
}

fn picked(id: &str) -> Said {
    Said::Answer(Answer::Picks(Pick::Option(id.into()).into()))
}

#[test]
fn rating_digits_form_a_number() {
    let ten = r#"{"questions": [{"id": "q", "kind": "rating", "prompt": "How?", "min": 1, "max": 10}]}"#;
    let rated = |stage: &Stage| match stage.draft("q").said {
        Said::Answer(Answer::Rating(step)) => Some(step),
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
        let mut stage = Stage::of(ten);
        stage.keys(keys);
        assert_eq!(rated(&stage), step, "{keys}");
    }
}

#[test]
fn question_keys_match_the_help() {
    let shows: &[(&str, &str, &str)] = &[
        (asks::CHOICE, "tab", "Question 2 of 2."),
        (asks::CHOICE, "tab s-tab", "Question 1 of 2."),
        (asks::CHOICE, "alt-2", "Question 2 of 2."),
        (asks::CHOICE, "alt-0", "Check your answers"),
        (asks::CHOICE, "^s", "Check your answers"),
        (asks::TEXT, "esc", "Enter type"),
        (asks::TEXT, "esc esc", "Leave these questions?"),
        (asks::CHOICE, "^c", "Press ^C once more"),
        (asks::CHOICE, "j 2", "(•) 2  Tonight"),
        (asks::CHOICE, "down space", "(•) 2  Tonight"),
        (asks::CHOICE, "down down up space", "(•) 2  Tonight"),
        (asks::CHOICE, "j j k space", "(•) 2  Tonight"),
        (asks::CHOICE, "tab 1 1", "[ ] 1  Europe"),
        (asks::CHOICE, "tab 1", "[x] 1  Europe"),
        (asks::CHOICE, "2 enter", "Question 2 of 2."),
        (asks::CHOICE, "tab enter", "Check your answers"),
        (asks::ANY, "a", "[x] 3  Cy"),
        (asks::ANY, "a a", "[ ] 3  Cy"),
        (asks::CHOICE, "o", "your answer"),
        (asks::CHOICE, "/ 'tom'", "2 of 4"),
        (asks::CHOICE, "down p", "┃  21:40"),
        (asks::CHOICE, "tab n 'psst' enter", "psst"),
        (asks::CHOICE, "2 u", "( ) 2  Tonight"),
        (asks::CHOICE, "2 u ^_", "(•) 2  Tonight"),
        (asks::CHOICE, "2 u ^_ alt-_", "( ) 2  Tonight"),
        (asks::CHOICE, "tab - alt-2", "– Regions"),
        (asks::CHOICE, "-", "cannot be skipped"),
        (asks::CHOICE, "e", "is asked to explain this"),
        (asks::CHOICE, "w", "is asked to put this in other words"),
        (asks::CHOICE, "R", "Check your answers"),
        (asks::CHOICE, "?", "Keys"),
        (asks::SCALES, "y", "(•) y  Yes (\"Ship it\")"),
        (asks::SCALES, "n", "(•) n  No (\"Hold it\")"),
        (asks::SCALES, "right", "(•) n  No (\"Hold it\")"),
        (asks::SCALES, "right left", "(•) y  Yes (\"Ship it\")"),
        (asks::SCALES, "N 'why' enter", "why"),
        (asks::SCALES, "tab 4", "4 of 5  Fairly confident"),
        (asks::SCALES, "tab 4 0", "not answered yet"),
        (asks::SCALES, "tab 4 bs", "not answered yet"),
        (asks::SCALES, "tab right right left", "1 of 5"),
        (asks::TYPED, "alt-3 '3' up", "│ 5 "),
        (asks::TYPED, "alt-3 '3' down", "│ 1 "),
        (asks::TYPED, "alt-2 'a' enter 'b'", "│ b"),
        (asks::TYPED, "alt-2 'a' ^j 'b'", "│ b"),
        (asks::TYPED, "'a' ^j 'b'", "│ b"),
        (asks::TYPED, "'a' alt-enter 'b'", "│ b"),
        (asks::TYPED, "'abc' enter", "Question 2 of 6."),
        (asks::TYPED, "'one two' ^a 'x'", "xone two"),
        (asks::TYPED, "'one two' ^a ^e 'x'", "one twox"),
        (asks::TYPED, "'one two' ^w", "│ one "),
        (asks::TYPED, "'one two' ^u ^y ^y", "one twoone two"),
        (asks::TYPED, "'one two' ^a ^k ^y", "one two"),
        (asks::TYPED, "'one two' alt-b 'x'", "one xtwo"),
        (asks::TYPED, "'one two' ^a alt-f 'x'", "onex two"),
        (asks::TYPED, "'one' ^w ^_", "│ one"),
        (asks::TYPED, "f1", "Keys"),
        (asks::SECTIONS, "^s down enter", "Which environment?"),
        (asks::SECTIONS, "^s d", "Decline this request?"),
    ];
    for (ask, keys, shown) in shows {
        let mut stage = Stage::of(ask);
        stage.keys(keys);
        assert!(stage.shows(shown), "{keys} should show {shown:?}:\n{}", stage.screen());
    }
    for (keys, effect) in [("^z", "Suspend"), ("^l", "Redraw"), ("'my text' ^g", "Edit(\"my text\")")] {
        let mut stage = Stage::of(asks::TEXT);
        stage.keys(keys);
        assert_eq!(format!("{:?}", stage.others.last().unwrap()), effect);
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
    let asks = [(asks::CHOICE, asker()), (asks::TEXT, asker())];
    for (keys, at) in shows {
        let mut stage = Stage::inbox(&asks, &Look::default());
        stage.keys(keys);
        assert_eq!(stage.reversed(), [at], "{keys}");
    }
    for (keys, shown) in [
        ("enter", "Question 1 of 2."),
        ("/ 'why' enter", "Question 1 of 1."),
        ("/ 'nothing like it'", "Nothing fits the filter. Esc shows all again."),
        ("/ 'why' esc esc", "Deploy plan"),
        ("s", "oldest first"),
        ("tab", "history"),
        ("h", "history"),
        ("h tab", "2 waiting"),
        ("x", "Decline this request?"),
        ("?", "Signs:"),
    ] {
        let mut stage = Stage::inbox(&asks, &Look::default());
        stage.keys(keys);
        stage.must_show(shown);
    }
    let mut stage = Stage::inbox(&asks, &Look::default());
    stage.keys("q");
    assert_eq!(stage.ended, Some(crate::prompter::Ended::Left));
    let mut stage = Stage::inbox(&asks, &Look::default());
    stage.keys("x 'not now' enter down enter");
    assert!(!stage.is_open());
    stage.must_show("1 waiting");
}

#[test]
fn arrows_stay_in_a_long_text() {
    let mut stage = Stage::of(asks::TEXTS);
    stage.keys("tab 'a' enter 'b' up*5 'x' down*5 'y'");
    assert_eq!(stage.draft("two"), text("ax\nby"));
    let mut stage = Stage::of(asks::CHOICE);
    stage.keys("down n 'a note' up*3 down*3 ^p ^n 'x' enter space");
    let reply = stage.draft("when");
    assert_eq!((reply.said, reply.note.as_deref()), (picked("tonight"), Some("a notex")));
}

/// Returns the rows that show the key for the help.
fn hints(stage: &Stage) -> Vec<String> {
    let screen = stage.screen();
    let rows = screen.lines().map(str::trim_end);
    rows.filter(|row| row.contains("? keys") || row.contains("F1 keys")).map(str::to_owned).collect()
}

#[test]
fn every_width_shows_the_help_key() {
    let kinds = [
        asks::CHOICE,
        asks::TEXT,
        r#"{"questions": [{"kind": "confirm", "prompt": "Ship?"}]}"#,
        r#"{"questions": [{"kind": "rating", "prompt": "How?"}]}"#,
        r#"{"questions": [{"kind": "date", "prompt": "When?"}]}"#,
    ];
    for theme in ["dark", "ascii"] {
        for columns in (40..=100).step_by(3) {
            let theme = Theme::named(theme).unwrap();
            let look = Look { size: (columns, 24), theme, ..Look::default() };
            let mut inbox = vec![Stage::inbox(&[(asks::CHOICE, asker())], &look)];
            inbox.extend(kinds.map(|json| Stage::with(json, &look)));
            for stage in inbox {
                let hints = hints(&stage);
                assert!(hints.len() == 1 && !hints[0].ends_with('…'), "{columns}\n{}", stage.screen());
            }
        }
    }
}
