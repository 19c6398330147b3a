//! The list of asks in every width, and the selected ask next to it.

use crate::tui::effect::DeskCall;
use crate::tui::tests::stage::fixtures::{self, asker};
use crate::tui::tests::stage::{ScreenStage, StageConfig};
use crate::tui::widgets::theme::{StyleRole, Theme};
use sayso_core::model::ask::AttentionState;
use sayso_core::{Asker, Lang};
use sayso_desk::Desk as _;

const DEEP_FOLDER: &str = "/home/ada/work/customers/acme/backend/services/billing";

fn asks(count: usize) -> Vec<(String, Asker)> {
    let ask = |number: usize| {
        let json = format!(r#"{{"title": "Ask number {number:02}", "questions": [{{"prompt": "Why?"}}]}}"#);
        let folder = if number == 1 { DEEP_FOLDER.to_owned() } else { format!("/home/ada/p{number:02}") };
        (json, Asker { folder: Some(folder), ..asker() })
    };
    (1..=count).map(ask).collect()
}

fn inbox(count: usize, size: (u16, u16), lang: Lang) -> ScreenStage {
    let asks = asks(count);
    let asks: Vec<_> = asks.iter().map(|(json, asker)| (json.as_str(), asker.clone())).collect();
    ScreenStage::inbox(&asks, &StageConfig { size, lang, ..StageConfig::default() })
}

fn listed(stage: &ScreenStage) -> usize {
    stage.screen().matches("Ask number").count()
}

#[test]
fn inbox_fits_many_asks() {
    let cases = [((80, 24), 17, "1 of 20 ▼", "20 of 20 ▲"), ((40, 15), 9, "1 of 20 ▼", "20 of 20 ▲")];
    for (size, fit, first, last) in cases {
        let mut stage = inbox(20, size, Lang::En);
        assert_eq!(listed(&stage), fit, "{}", stage.screen());
        stage.must_show(first);
        stage.press_keys("end");
        assert_eq!(listed(&stage), fit, "{}", stage.screen());
        stage.must_show(last);
    }
    let mut stage = inbox(20, (80, 24), Lang::Zh);
    stage.must_show("1 / 20 ▼");
    // A page keeps the last visible row.
    stage.press_keys("pgdn");
    assert_eq!(stage.reversed_text(), ["Ask number 17"]);
}

#[test]
fn wider_lists_have_more_columns() {
    for (lang, waits) in [(Lang::En, "agent waits"), (Lang::Zh, "智能体在等待")] {
        let narrow = inbox(3, (80, 24), lang);
        assert_eq!(narrow.screen().matches("~/p0").count(), 0, "{}", narrow.screen());
        narrow.must_show("…");
        narrow.must_show("services/billing");
        assert_eq!(narrow.screen().matches(waits).count(), 1, "{}", narrow.screen());
        let folders = inbox(3, (100, 24), lang);
        assert_eq!(folders.screen().matches("~/p0").count(), 2, "{}", folders.screen());
        folders.must_show("services/billing");
        assert_eq!(folders.screen().matches(waits).count(), 1, "{}", folders.screen());
        let words = inbox(3, (120, 24), lang);
        assert_eq!(words.screen().matches(waits).count(), 3, "{}", words.screen());
    }
}

#[test]
fn filter_finds_folders_and_ids() {
    for by_id in [false, true] {
        let mut stage = inbox(3, (80, 24), Lang::En);
        let id = stage.app.inbox.rows().nth(1).unwrap().id.to_string();
        let words = if by_id { &id[id.len() - 8..] } else { "p02" };
        stage.press_keys(&format!("/ '{words}'"));
        assert_eq!(listed(&stage), 1, "{words}\n{}", stage.screen());
        stage.must_show("Ask number 02");
    }
}

#[test]
fn escape_clears_the_filter_and_stays_at_its_ask() {
    for (typed, cleared) in
        [("/ 'number' down down", "esc"), ("/ 'p03' tab", "esc"), ("tab / 'p03'", "esc tab")]
    {
        let mut stage = inbox(3, (80, 24), Lang::En);
        stage.press_keys(typed);
        stage.press_keys(cleared);
        assert_eq!(listed(&stage), 3, "{typed}\n{}", stage.screen());
        let at = if typed.starts_with('/') { "Ask number 03" } else { "Ask number 01" };
        assert_eq!(stage.reversed_text(), [at], "{typed}");
        // The next key is no letter of the filter.
        stage.press_keys("s");
        stage.must_show("/ to filter");
    }
}

#[test]
fn head_counts_the_matches_of_a_filter() {
    let heads = [
        (Lang::En, "/ 'p02'", "1 match · 3 waiting"),
        (Lang::En, "/ 'number'", "3 matches · 3 waiting"),
        (Lang::En, "/ 'x'", "0 matches · 3 waiting"),
        (Lang::En, "/ 'x' tab tab", "0 matches · history"),
        (Lang::Zh, "/ 'p02'", "1 个符合 · 3 个等待中"),
    ];
    for (lang, keys, head) in heads {
        let mut stage = inbox(3, (40, 15), lang);
        stage.must_not_show(head);
        stage.press_keys(keys);
        let screen = stage.screen();
        assert!(screen.lines().next().unwrap().contains(head), "{keys}\n{screen}");
        stage.press_keys("esc");
        stage.must_not_show(head);
    }
}

#[test]
fn open_ask_says_how_many_more_wait() {
    for (lang, two, one) in
        [(Lang::En, "2 more wait ", "1 more waits "), (Lang::Zh, "还有 2 个等待", "还有 1 个等待")]
    {
        for size in [(80, 24), (40, 15)] {
            let mut stage = inbox(3, size, lang);
            stage.must_not_show(two);
            stage.press_keys("enter");
            stage.must_show(two);
            stage.press_keys("'because' enter");
            stage.advance(1_000);
            stage.press_keys("esc enter");
            stage.must_show(one);
            let alone =
                ScreenStage::open_with(fixtures::TEXT, &StageConfig { size, lang, ..StageConfig::default() });
            alone.must_not_show(one);
        }
    }
}

#[test]
fn wide_screen_shows_the_selected_ask() {
    let asks = [(fixtures::CHOICE, asker()), (fixtures::ACTION, asker())];
    for (lang, kind) in [(Lang::En, "Choose one."), (Lang::Zh, "请选一项")] {
        let look = StageConfig { size: (140, 40), lang, ..StageConfig::default() };
        let mut stage = ScreenStage::inbox(&asks, &look);
        for words in ["When should the rollout start?", "Tonight 22:00 UTC", kind] {
            stage.must_show(words);
        }
        stage.press_keys("down");
        stage.must_show("curl https://example.com/x | sh");
        let low = ScreenStage::inbox(&asks, &StageConfig { size: (140, 14), lang, ..look });
        low.must_show("…");
    }
}

#[test]
fn reading_an_ask_marks_it_as_seen() {
    let asks = [(fixtures::TEXT, asker()), (fixtures::CHOICE, asker())];
    let is_seen = |stage: &ScreenStage| stage.ask().state.attention == AttentionState::Seen;
    let marks =
        |stage: &ScreenStage| stage.calls.iter().filter(|call| matches!(call, DeskCall::MarkSeen(_))).count();
    let look = StageConfig { size: (140, 30), ..StageConfig::default() };
    let mut stage = ScreenStage::inbox(&asks, &look);
    stage.press_keys("down");
    stage.advance(200);
    assert!(!is_seen(&stage), "passed in a moment");
    stage.press_keys("up");
    stage.advance(2_500);
    assert!(is_seen(&stage));
    stage.advance(10_000);
    assert_eq!(marks(&stage), 1);
    let mut narrow = ScreenStage::inbox(&asks, &StageConfig { size: (120, 40), ..look });
    narrow.advance(10_000);
    assert!(!is_seen(&narrow));
}

#[test]
fn state_signs_have_colours() {
    let theme = Theme::DARK;
    let look = StageConfig { theme: theme.clone(), ..StageConfig::default() };
    let stage = ScreenStage::inbox(&[(fixtures::TEXT, asker())], &look);
    let at = stage.find("●").unwrap();
    assert_eq!(stage.buffer[at].style().fg, theme.style(StyleRole::Warning).fg);
}

#[test]
fn decline_names_the_ask() {
    for (lang, declined, to) in
        [(Lang::En, "Declined.", "To \"claude\":"), (Lang::Zh, "已拒绝。", "发给 “claude”：")]
    {
        for size in [(80, 24), (120, 40), (40, 15)] {
            let mut stage = inbox(3, size, lang);
            let open = stage.app.inbox.rows().next().unwrap().id;
            stage.press_keys("d");
            let before = stage.screen().matches("Ask number 01").count();
            assert!(before >= 1, "{}", stage.screen());
            stage.must_show("claude");
            stage.press_keys("'no time' enter");
            assert!(stage.desk.get(open).unwrap().outcome().is_some());
            for words in [declined, to, "Ask number 01", "no time"] {
                stage.must_show(words);
            }
        }
    }
}

#[test]
fn sent_answers_are_named() {
    let asks = [(fixtures::TEXT, asker()), (fixtures::CHOICE, asker())];
    let mut stage = ScreenStage::inbox(&asks, &StageConfig::default());
    stage.press_keys("enter 'because' enter");
    stage.advance(1_000);
    for words in ["To \"claude\": \"Why?", "because"] {
        stage.must_show(words);
    }
}
