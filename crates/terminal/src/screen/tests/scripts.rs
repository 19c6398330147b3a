//! Golden screens: a file of `tests/golden/screen` per script and size, with the reversed text and the cursor. To
//! regenerate one, delete it and run the tests once with `SAYSO_GOLDEN=write`, which writes missing files only; then
//! read it.

use super::asks::{self, asker, decline, save};
use super::stage::{Look, SIZES, Stage};
use crate::screen::theme::Theme;
use sayso_core::ask::Feedback;
use sayso_core::{Answer, Asker, Command, Lang, Reply, Who};
use sayso_desk::Desk;
use std::fmt::Write as _;
use std::path::PathBuf;

fn path(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(format!("tests/golden/screen/{name}.txt"))
}

/// Compares a text with its golden file.
fn check(name: &str, shown: &str) {
    let path = path(name);
    if option_env!("SAYSO_GOLDEN") == Some("write") && !path.exists() {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, shown).unwrap();
    }
    let golden = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    assert!(golden == shown, "{name} shows something else now:\n{shown}\nit showed:\n{golden}");
}

/// Replaces the dates and times of the run, even if a line breaks between the two.
fn timeless(stage: &Stage, shown: &str) -> String {
    let at = stage.ask().request.created_at;
    let mut shown = shown.to_owned();
    for hours in [-24, 0, 24] {
        let day = (at + jiff::SignedDuration::from_hours(hours)).strftime("%Y-%m-%d").to_string();
        let mut parts = shown.split(&day).map(str::to_owned);
        let mut timeless = parts.next().unwrap();
        for part in parts {
            let rest = part.trim_start_matches([' ', '\n', '│', '─']);
            let gap = &part[..part.len() - rest.len()];
            let is_time = rest.get(2..3) == Some(":") && rest.starts_with(|c: char| c.is_ascii_digit());
            let is_to_the_second = is_time && rest.get(5..6) == Some(":");
            let (time, rest) = match (is_time, is_to_the_second) {
                (true, true) => ("09:41:00", &rest[8..]),
                (true, false) => ("09:41", &rest[5..]),
                _ => ("", rest),
            };
            let _ = write!(timeless, "2026-11-22{gap}{time}{rest}");
        }
        shown = timeless;
    }
    shown
}

/// Plays a script in every size: the first screen, and the screen after each line of keys.
fn play(name: &str, look: &Look, stage: impl Fn(&Look) -> Stage, script: &[&str]) {
    for size in SIZES {
        let look = Look { size, ..look.clone() };
        let mut stage = stage(&look);
        let mut shown = picture(&stage);
        for keys in script {
            stage.keys(keys);
            let _ = write!(shown, "=== {keys}\n{}", picture(&stage));
        }
        check(&format!("{name}-{}x{}", size.0, size.1), &timeless(&stage, &shown));
    }
}

fn picture(stage: &Stage) -> String {
    let mut shown = format!("{}\n", stage.screen());
    let reversed = stage.reversed();
    if !reversed.is_empty() {
        let _ = writeln!(shown, "--- reversed: {}", reversed.join(" | "));
    }
    if let Some(cursor) = stage.cursor {
        let _ = writeln!(shown, "--- cursor: {}, {}", cursor.x, cursor.y);
    }
    shown
}

#[test]
fn options() {
    play(
        "options",
        &Look::default(),
        |look| Stage::with(asks::CHOICE, look),
        &["down", "space", "o 'my own way'", "esc k 1", "tab", "tab space down space", "tab", "n 'a word'"],
    );
}

#[test]
fn options_in_chinese() {
    let look = Look { lang: Lang::Zh, ..Look::default() };
    play("options-zh", &look, |look| Stage::with(asks::CHOICE, look), &["down", "o '自己的办法'", "^s"]);
}

#[test]
fn scales() {
    play(
        "scales",
        &Look::default(),
        |look| Stage::with(asks::SCALES, look),
        &["y", "enter", "right*4", "tab 5", "0", "u", "tab"],
    );
}

#[test]
fn typed_answers() {
    play(
        "typed",
        &Look::default(),
        |look| Stage::with(asks::TYPED, look),
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
    play(
        "sections",
        &Look::default(),
        |look| Stage::with(asks::SECTIONS, look),
        &["2 enter", "1 enter 'a'", "enter", "enter", "enter"],
    );
}

#[test]
fn the_review() {
    play(
        "review",
        &Look::default(),
        |look| Stage::with(asks::SECTIONS, look),
        &["^s", "enter 2 enter 1 enter 'zone a' enter", "home enter 1 enter", "down*9", "up*3 v", "esc ^s"],
    );
}

#[test]
fn the_review_in_chinese() {
    let look = Look { lang: Lang::Zh, ..Look::default() };
    play("review-zh", &look, |look| Stage::with(asks::SECTIONS, look), &["^s", "esc"]);
}

#[test]
fn action() {
    play("action", &Look::default(), |look| Stage::with(asks::ACTION, look), &["pgdn", "enter", "1 enter"]);
}

#[test]
fn dialogs() {
    play(
        "dialogs",
        &Look::default(),
        |look| Stage::with(asks::CHOICE, look),
        &["esc", "down", "down enter", "'not today'", "tab", "esc ?", "pgdn", "esc down p"],
    );
}

#[test]
fn corrections() {
    let look = Look { judged: true, ..Look::default() };
    let stage = |look: &Look| {
        Stage::after(asks::TEXTS, look, |desk, id| {
            for question in ["one", "two"] {
                save(desk, id, question, Reply::of(Answer::Text("x".into())));
            }
            let ask = desk.get(id).unwrap();
            let replies = desk.draft(id).unwrap().replies;
            let submit = Command::Submit { replies, as_sent: None, shown: ask.request.digest };
            desk.act(&Who::Person(asks::person("ada")), id, None, submit).unwrap();
            let feedback = Feedback {
                summary: Some("Nearly.".into()),
                errors: vec![("two".into(), "Say **more** about it.".into())],
            };
            let reprompt = Command::Reprompt { round: 1, feedback };
            desk.act(&Who::Asker(asker()), id, None, reprompt).unwrap();
        })
    };
    play("mended", &look, stage, &["' and more'", "^s"]);
}

fn askers() -> [(&'static str, Asker); 4] {
    let asker = |name: &str, folder: &str| Asker {
        name: name.into(),
        folder: Some(folder.into()),
        session: None,
        account: None,
    };
    [
        (asks::CHOICE, asker("claude", "/home/ada/api")),
        (asks::SECTIONS, asker("codex", "/home/ada/shop")),
        (asks::TYPED, asker("cron", "/srv/jobs")),
        (asks::ACTION, asker("claude", "/home/ada/api")),
    ]
}

#[test]
fn the_inbox() {
    let stage = |look: &Look| {
        let look = Look { from_inbox: true, time_limit_ms: Some(3_600_000), ..look.clone() };
        Stage::made(&askers(), &look, |desk, ids| {
            save(desk, ids[0], "when", Reply::of(Answer::Picks(vec![].into())));
            save(desk, ids[1], "owner", Reply::of(Answer::Text("me".into())));
            decline(desk, ids[2]);
            desk.act(&Who::Asker(askers()[0].1.clone()), ids[0], None, Command::Detach).unwrap();
        })
    };
    play(
        "inbox",
        &Look::default(),
        stage,
        &["down", "s", "/ 'shop'", "esc esc x", "esc tab", "enter", "esc tab ?"],
    );
}

#[test]
fn the_inbox_in_chinese() {
    let look = Look { lang: Lang::Zh, ..Look::default() };
    play("inbox-zh", &look, |look| Stage::inbox(&askers(), look), &["down", "/ 'api'"]);
}

#[test]
fn an_empty_inbox() {
    for size in SIZES {
        let stage = Stage::inbox(&[], &Look { size, ..Look::default() });
        check(&format!("empty-{}x{}", size.0, size.1), &picture(&stage));
    }
}

#[test]
fn too_small_window_loses_nothing() {
    let mut stage = Stage::of(asks::TEXT);
    stage.keys("'kept'");
    stage.resize((31, 7));
    stage.must_show("too small");
    stage.keys("'!'");
    stage.resize((40, 12));
    stage.must_show("kept!");
}

#[test]
fn every_theme_shows_the_focus() {
    for ask in [asks::CHOICE, asks::SCALES, asks::SECTIONS, asks::ACTION, asks::TYPED] {
        for name in Theme::NAMES {
            for size in SIZES {
                let look = Look { size, theme: Theme::named(name).unwrap(), ..Look::default() };
                let mut stage = Stage::with(ask, &look);
                let ours = |stage: &Stage| {
                    let screen = stage.screen();
                    let found: String = screen.chars().filter(|c| !c.is_ascii()).collect();
                    assert!(name != "ascii" || found.is_empty(), "{found}\n{screen}");
                };
                for keys in ["", "tab", "tab", "y", "tab", "^s", "esc", "esc ?", "esc d", "esc"] {
                    stage.keys(keys);
                    ours(&stage);
                    let focus = look.theme.style(crate::screen::Role::Focus);
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
