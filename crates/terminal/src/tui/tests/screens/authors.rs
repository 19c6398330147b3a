//! Gutter of agents: before each row of an agent's words, and never before words of ours, at every width.

use crate::tui::tests::stage::fixtures::{asker, decline_elsewhere};
use crate::tui::tests::stage::{ScreenStage, StageConfig};
use sayso_core::{Asker, Lang};

/// Letter of which all words of the test's agent consist; no word of ours has it.
const LETTER: char = 'ŧ';

/// Pages on which words of ours and of an agent mix, and the keys that lead through them.
const PAGES: [(&str, &str); 4] = [
    (
        r#"{"title": "AGENT", "context": "AGENT", "sections": [{"title": "ŧŧ-ŧŧŧŧŧŧ/ŧŧŧŧŧ", "detail": "AGENT", "questions": [
            {"id": "a", "label": "AGENT", "prompt": "AGENT", "detail": "AGENT", "other": true, "options": [
                {"id": "b", "label": "AGENT", "description": "AGENT", "recommended": true}, {"id": "c", "label": "ŧŧ"}],
             "children": [{"id": "d", "label": "AGENT", "prompt": "AGENT", "show_if": {"is": "b"}, "placeholder": "AGENT"}]}]},
          {"title": "AGENT", "optional": true, "questions": [
            {"id": "f", "label": "AGENT", "prompt": "AGENT", "constraints": [{"min_length": 3, "message": "AGENT"}], "prefill": {"text": "0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0"}},
            {"id": "g", "label": "AGENT", "kind": "rating", "prompt": "AGENT", "annotations": {"1": "AGENT", "2": "AGENT"}}]}]}"#,
        "1 enter tab '11' tab tab right alt-0 up up up d",
    ),
    (
        r#"{"context": "AGENT", "action": {"tool": "ŧŧŧŧ/ŧŧŧŧŧ/ŧŧŧŧŧ/ŧŧŧŧ", "act": {"shell": {"command": "AGENT\nŧŧ", "folder": "ŧŧŧŧ"}}},
            "questions": [{"id": "a", "kind": "confirm", "prompt": "AGENT", "yes": "AGENT", "no": "AGENT"}]}"#,
        "n tab y",
    ),
    (r#"{"questions": [{"id": "a", "prompt": "AGENT", "options": ["AGENT", "ŧŧ"]}]}"#, "1 ?"),
    (
        r#"{"questions": [{"id": "a", "prompt": "AGENT", "multi": true, "other": true, "options": ["AGENT", "ŧŧ"]}]}"#,
        "1 2",
    ),
];

fn agents_words(json: &str) -> String {
    json.replace("AGENT", "ŧŧŧ ŧŧŧŧŧŧŧŧŧŧŧ ŧŧŧŧ ŧŧŧŧŧŧŧ ŧŧ ŧŧŧŧŧŧŧŧŧŧŧŧŧŧŧŧŧŧŧ ŧŧŧŧŧ ŧŧŧŧŧŧ ŧŧŧŧŧŧŧŧŧŧ ŧŧŧ")
}

/// Fails if a row behind the gutter has a word of ours, or another has words of the agent only.
fn check_rows(stage: &ScreenStage, at: &str) {
    let is_agents = |text: &str| text.chars().filter(|c| c.is_alphabetic()).all(|c| c == LETTER);
    for row in stage.screen().lines() {
        // Columns of a screen, and edges of a dialog.
        let parts: Vec<_> = row.split(['│', '┌', '┐', '└', '┘']).collect();
        // A dialog covers parts of the rows next to it.
        let uncovered = if parts.len() > 2 { 1..parts.len() - 1 } else { 0..parts.len() };
        for part in &parts[uncovered] {
            let (before, quoted) = part.split_once('┃').unwrap_or((*part, ""));
            // The key that opens a cut text is at its end, in the look of keys.
            let quoted = quoted.trim_end().trim_end_matches("… (p)");
            assert!(is_agents(quoted), "{at}: {row}\n{}", stage.screen());
            let is_bare = before.contains(LETTER) && before.chars().all(|c| c == LETTER || c.is_whitespace());
            assert!(!is_bare, "{at}: {row}\n{}", stage.screen());
        }
    }
}

fn check_widths(stage: &mut ScreenStage, widths: &[u16], at: &str) {
    for &columns in widths {
        stage.resize((columns, 40));
        check_rows(stage, &format!("{at} {columns}"));
    }
    stage.resize((40, 15));
    check_rows(stage, at);
}

#[test]
fn gutter_is_before_agents_words_only() {
    check_pages(Lang::En, &[80]);
}

#[test]
fn gutter_holds_at_every_width() {
    let widths: Vec<u16> = (20..=120).collect();
    Lang::ALL.into_iter().for_each(|lang| check_pages(lang, &widths));
}

fn check_pages(lang: Lang, widths: &[u16]) {
    {
        let look = StageConfig { lang, ..StageConfig::default() };
        for (json, keys) in PAGES {
            let mut stage = ScreenStage::open_with(&agents_words(json), &look);
            check_widths(&mut stage, widths, json);
            for key in keys.split_inclusive(' ') {
                stage.press_keys(key.trim());
                check_widths(&mut stage, widths, &format!("{key}{json}"));
            }
            let mut stage = ScreenStage::open_with(&agents_words(json), &look);
            stage.change_elsewhere(decline_elsewhere);
            check_widths(&mut stage, widths, "end");
            let asker = || Asker { name: "ŧŧŧŧŧŧŧŧ ŧŧŧŧŧ".into(), ..asker() };
            let json = agents_words(json);
            let mut stage = ScreenStage::inbox(&[(&json, asker()), (&json, asker())], &look);
            check_widths(&mut stage, widths, "inbox");
            stage.press_keys("d");
            check_widths(&mut stage, widths, "decline");
        }
    }
}

#[test]
fn permission_is_ours_in_the_readers_language() {
    let ask = |prompt: &str| {
        format!(
            r#"{{"action": {{"tool": "Bash", "act": {{"shell": {{"command": "make"}}}}}}, "questions": [{{"kind": "confirm", "prompt": "{prompt}"}}]}}"#
        )
    };
    for (lang, sentence) in [(Lang::En, "Allow \"Bash\"?"), (Lang::Zh, "允许“Bash”吗？")] {
        let look = StageConfig { lang, ..StageConfig::default() };
        for stored in ["Allow \\\"Bash\\\"?", "允许“Bash”吗？"] {
            let stage = ScreenStage::open_with(&ask(stored), &look);
            stage.must_show(&format!("\n {sentence}"));
            let stage = ScreenStage::inbox(
                &[(&ask(stored), asker())],
                &StageConfig { size: (80, 40), ..look.clone() },
            );
            stage.must_show(&format!("\n {sentence}"));
            stage.must_not_show(&format!("┃ {sentence}"));
        }
        let stage = ScreenStage::open_with(&ask("Allow \\\"Write\\\"?"), &look);
        stage.must_show("┃ Allow \"Write\"?");
    }
}
