//! Golden screens: a file of `tests/golden/screen` per script and size, with the reversed text and the cursor. To
//! regenerate one, delete it and run the tests once with `SAYSO_GOLDEN=write`, which writes missing files only; then
//! read it.

use crate::tui::tests::stage::fixtures::{self, asker, decline_elsewhere, save_elsewhere};
use crate::tui::tests::stage::{SIZES, ScreenStage, StageConfig};
use crate::tui::widgets::theme::Theme;
use sayso_core::model::ask::RoundFeedback;
use sayso_core::{Actor, Answer, AskCommand, Asker, Lang, Reply};
use sayso_desk::Desk;
use std::fmt::Write as _;
use std::path::PathBuf;

fn path(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(format!("tests/golden/screen/{name}.txt"))
}

/// Compares a text with its golden file.
fn check_golden(name: &str, shown: &str) {
    let path = path(name);
    if option_env!("SAYSO_GOLDEN") == Some("write") && !path.exists() {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, shown).unwrap();
    }
    let golden = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    assert!(golden == shown, "{name} shows something else now:\n{shown}\nit showed:\n{golden}");
}

/// Replaces the dates and times of the run, even if a line breaks between the two.
fn without_times(stage: &ScreenStage, shown: &str) -> String {
    let at = stage.ask().request.created_at;
    let mut shown = shown.to_owned();
    for hours in [-24, 0, 24] {
        let day = (at + jiff::SignedDuration::from_hours(hours)).strftime("%Y-%m-%d").to_string();
        let mut parts = shown.split(&day).map(str::to_owned);
        let mut timeless = parts.next().unwrap();
        for part in parts {
            let rest = part.trim_start_matches([' ', '\n', '│', '─', '▸']);
            let gap = &part[..part.len() - rest.len()];
            let is_time = rest.get(2..3) == Some(":") && rest.starts_with(|c: char| c.is_ascii_digit());
            let is_to_the_second = is_time && rest.get(5..6) == Some(":");
            let (time, rest) = match (is_time, is_to_the_second) {
                (true, true) => ("09:41:00", &rest[8..]),
                (true, false) => ("09:41", &rest[5..]),
                _ => ("", rest),
            };
            write!(timeless, "2026-11-22{gap}{time}{rest}").unwrap();
        }
        shown = timeless;
    }
    shown
}

/// Plays a script in every size: the first screen, and the screen after each line of keys.
fn play_script(name: &str, look: &StageConfig, stage: impl Fn(&StageConfig) -> ScreenStage, script: &[&str]) {
    for size in SIZES {
        let look = StageConfig { size, ..look.clone() };
        let mut stage = stage(&look);
        let mut shown = render_stage(&stage);
        for keys in script {
            stage.press_keys(keys);
            write!(shown, "=== {keys}\n{}", render_stage(&stage)).unwrap();
        }
        check_golden(&format!("{name}-{}x{}", size.0, size.1), &without_times(&stage, &shown));
    }
}

fn render_stage(stage: &ScreenStage) -> String {
    let mut shown = format!("{}\n", stage.screen());
    let reversed = stage.reversed_text();
    if !reversed.is_empty() {
        writeln!(shown, "--- reversed: {}", reversed.join(" | ")).unwrap();
    }
    if let Some(cursor) = stage.cursor {
        writeln!(shown, "--- cursor: {}, {}", cursor.x, cursor.y).unwrap();
    }
    shown
}

#[test]
fn options() {
    play_script(
        "options",
        &StageConfig::default(),
        |look| ScreenStage::open_with(fixtures::CHOICE, look),
        &["down", "space", "o 'my own way'", "esc k 1", "tab", "tab space down space", "tab", "n 'a word'"],
    );
}

#[test]
fn options_in_chinese() {
    let look = StageConfig { lang: Lang::Zh, ..StageConfig::default() };
    play_script(
        "options-zh",
        &look,
        |look| ScreenStage::open_with(fixtures::CHOICE, look),
        &["down", "o '自己的办法'", "^s"],
    );
}

#[test]
fn scales() {
    play_script(
        "scales",
        &StageConfig::default(),
        |look| ScreenStage::open_with(fixtures::SCALES, look),
        &["y", "enter", "right*4", "tab 5", "0", "u", "tab"],
    );
}

#[test]
fn typed_answers() {
    play_script(
        "typed",
        &StageConfig::default(),
        |look| ScreenStage::open_with(fixtures::TYPED, look),
        &[
            "'ab' enter",
            "'c'",
            "enter 'Two words' enter '고객 👩‍💻 e\u{301}'",
            "tab '12' enter",
            "bs bs '3' up",
            "enter '2026-03-01'",
            "enter '9am'",
            "enter 'soon'",
            "esc",
        ],
    );
}

#[test]
fn sections_and_follow_ups() {
    play_script(
        "sections",
        &StageConfig::default(),
        |look| ScreenStage::open_with(fixtures::SECTIONS, look),
        &["2 enter", "1 enter 'a'", "enter", "enter", "enter"],
    );
}

#[test]
fn the_review() {
    play_script(
        "review",
        &StageConfig::default(),
        |look| ScreenStage::open_with(fixtures::SECTIONS, look),
        &["^s", "enter 2 enter 1 enter 'zone a' enter", "home enter 1 enter", "down*9", "up*3 v", "esc ^s"],
    );
}

#[test]
fn the_review_in_chinese() {
    let look = StageConfig { lang: Lang::Zh, ..StageConfig::default() };
    play_script("review-zh", &look, |look| ScreenStage::open_with(fixtures::SECTIONS, look), &["^s", "esc"]);
}

#[test]
fn action() {
    play_script(
        "action",
        &StageConfig::default(),
        |look| ScreenStage::open_with(fixtures::ACTION, look),
        &["pgdn", "enter", "1", "alt-0"],
    );
}

#[test]
fn dialogs() {
    play_script(
        "dialogs",
        &StageConfig::default(),
        |look| ScreenStage::open_with(fixtures::CHOICE, look),
        &["d", "'not today'", "esc g", "'reg'", "esc ?", "pgdn", "esc down p", "esc esc"],
    );
}

#[test]
fn corrections() {
    let look = StageConfig { judged: true, ..StageConfig::default() };
    let stage = |look: &StageConfig| {
        ScreenStage::open_after(fixtures::TEXTS, look, |desk, id| {
            for question in ["one", "two"] {
                save_elsewhere(desk, id, question, Reply::from_answer(Answer::Text("x".into())));
            }
            let ask = desk.get(id).unwrap();
            let replies = desk.draft(id).unwrap().replies;
            let submit = AskCommand::Submit { replies, as_sent: None, shown: ask.request.digest.into() };
            desk.act(&Actor::Person(fixtures::person("ada")), id, None, submit).unwrap();
            let feedback = RoundFeedback {
                summary: Some("Nearly.".into()),
                errors: vec![("two".into(), "Say **more** about it.".into())],
            };
            let reprompt = AskCommand::Reprompt { round: 1, feedback };
            desk.act(&Actor::Asker(asker()), id, None, reprompt).unwrap();
        })
    };
    play_script("mended", &look, stage, &["' and more'", "^s"]);
}

fn askers() -> [(&'static str, Asker); 4] {
    let asker = |name: &str, folder: &str| Asker {
        name: name.into(),
        folder: Some(folder.into()),
        session: None,
        account: None,
    };
    [
        (fixtures::CHOICE, asker("claude", "/home/ada/api")),
        (fixtures::SECTIONS, asker("codex", "/home/ada/shop")),
        (fixtures::TYPED, asker("cron", "/srv/jobs")),
        (fixtures::ACTION, asker("claude", "/home/ada/api")),
    ]
}

#[test]
fn the_inbox() {
    let stage = |look: &StageConfig| {
        let look = StageConfig { from_inbox: true, time_limit_ms: Some(3_600_000), ..look.clone() };
        ScreenStage::new(&askers(), &look, |desk, ids| {
            save_elsewhere(desk, ids[0], "when", Reply::from_answer(Answer::Picks(vec![].into())));
            save_elsewhere(desk, ids[1], "owner", Reply::from_answer(Answer::Text("me".into())));
            decline_elsewhere(desk, ids[2]);
            desk.act(&Actor::Asker(askers()[0].1.clone()), ids[0], None, AskCommand::Detach).unwrap();
        })
    };
    play_script(
        "inbox",
        &StageConfig::default(),
        stage,
        &["down", "s", "/ 'shop'", "esc d", "esc tab", "enter", "esc tab ?"],
    );
}

#[test]
fn the_inbox_in_chinese() {
    let look = StageConfig { lang: Lang::Zh, ..StageConfig::default() };
    play_script("inbox-zh", &look, |look| ScreenStage::inbox(&askers(), look), &["down", "/ 'api'"]);
}

#[test]
fn an_empty_inbox() {
    for size in SIZES {
        let stage = ScreenStage::inbox(&[], &StageConfig { size, ..StageConfig::default() });
        check_golden(&format!("empty-{}x{}", size.0, size.1), &render_stage(&stage));
    }
}

#[test]
fn too_small_window_loses_nothing() {
    let mut stage = ScreenStage::open_ask(fixtures::TEXT);
    stage.press_keys("'kept'");
    stage.resize((31, 7));
    stage.must_show("too small");
    stage.press_keys("'!'");
    stage.resize((40, 12));
    stage.must_show("kept!");
}

#[test]
fn every_theme_shows_the_focus() {
    for ask in [fixtures::CHOICE, fixtures::SCALES, fixtures::SECTIONS, fixtures::ACTION, fixtures::TYPED] {
        for name in Theme::NAMES {
            for size in SIZES {
                let look =
                    StageConfig { size, theme: Theme::from_name(name).unwrap(), ..StageConfig::default() };
                let mut stage = ScreenStage::open_with(ask, &look);
                let ours = |stage: &ScreenStage| {
                    let screen = stage.screen();
                    let found: String = screen.chars().filter(|c| !c.is_ascii()).collect();
                    assert!(name != "ascii" || found.is_empty(), "{found}\n{screen}");
                };
                for keys in ["", "tab", "tab", "y", "tab", "^s", "d", "esc ?", "esc g", "esc"] {
                    stage.press_keys(keys);
                    ours(&stage);
                    let focus = look.theme.style(crate::tui::StyleRole::Focus);
                    let is_focus = |cell: &&ratatui::buffer::Cell| {
                        cell.modifier.contains(focus.add_modifier)
                            && (name == "high-contrast"
                                || cell.modifier.contains(ratatui::style::Modifier::REVERSED))
                            && focus.bg.is_none_or(|bg| cell.bg == bg)
                    };
                    let seen = stage.buffer.content.iter().any(|cell| is_focus(&cell));
                    let is_pager = stage.shows("Esc close");
                    assert!(
                        seen || stage.cursor.is_some() || is_pager || size.0 < 60,
                        "{name}, {keys}:\n{}",
                        stage.screen()
                    );
                }
            }
        }
    }
}
