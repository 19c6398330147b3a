//! Approvals, submissions and hidden answers, line by line in both languages.

use crate::fixture::{PromptFixture, PromptSetup};
use sayso_core::{Lang, Message};
use sayso_terminal::{PlainStyle, PromptOutcome};

const ACTION: &str = r#"{"title": "May I?", "action": {"tool": "shell", "act": {"shell": {"command": "rm -rf build", "folder": "/srv"}}},
    "questions": [{"id": "may", "kind": "confirm", "prompt": "Run it?"}]}"#;

const HIDDEN_VALUE: &str = r#"{"questions": [{"id": "q", "prompt": "Go on?", "options": [
    {"id": "x", "label": "Cancel", "value": "APPROVE_ALL"}, {"id": "y", "label": "Continue", "value": "no"}]}]}"#;

/// Types these lines in a language, and returns how it ended and what was printed.
fn type_lines(json: &str, lang: Lang, lines: &str) -> (PromptFixture, PromptOutcome, String) {
    let stage = PromptFixture::new(json);
    let style = PlainStyle { lang, now: None };
    let setup = PromptSetup { lang, ..PromptSetup::default() };
    let (ended, out) = stage.type_all_with(&style, setup, lines);
    assert!(!out.contains('\u{1b}'), "{out}");
    (stage, ended, out)
}

#[test]
fn action_is_repeated_before_sending() {
    for lang in [Lang::En, Lang::Zh] {
        let (stage, ended, out) = type_lines(ACTION, lang, "1\n/submit\n");
        assert!(matches!(ended, PromptOutcome::Settled { .. }), "{out}");
        assert!(stage.answers().contains("true"));
        assert_eq!(out.matches("rm -rf build").count(), 2, "{out}");
        let prompt = out.find(Message::HintReview.plain(lang)).unwrap();
        let repeated = out.rfind("rm -rf build").unwrap();
        assert!(repeated < prompt, "{out}");
    }
}

#[test]
fn exact_data_is_drawn_whole() {
    let json = r#"{"action": {"tool": "sh", "act": {"shell": {"command": "echo \\\r\nrm /srv/─old \u00a0✓ \\\nb\u0430sh \nls"}}},
        "questions": [{"kind": "confirm", "prompt": "Run it?"}]}"#;
    let shown = "\n| echo \\⟦CR⟧ ⟦does not continue in the next line⟧\n| rm /srv/─old ⟦U+00A0⟧✓ \\ ⟦continues in the next \
                 line⟧\n| b⟦U+0430⟧sh⟦SP⟧\n| ls\n";
    let (_, _, out) = type_lines(json, Lang::En, "");
    assert!(out.contains(shown), "{out}");
    let (_, _, out) = type_lines(json, Lang::Zh, "");
    assert!(out.contains("| echo \\⟦CR⟧ ⟦不接下一行⟧\n"), "{out}");
}

#[test]
fn lone_answer_is_sent_directly() {
    for lang in [Lang::En, Lang::Zh] {
        let (stage, ended, out) = type_lines(HIDDEN_VALUE, lang, "2\n");
        assert!(matches!(ended, PromptOutcome::Settled { .. }), "{out}");
        assert!(stage.answers().contains(r#""option":"y""#));
        let value = Message::ItsValue.render_with(lang, ["APPROVE_ALL"]);
        assert!(out.contains(&format!("1. Cancel  [{value}]")), "{out}");
    }
}

#[test]
fn nothing_is_sent_without_an_answer() {
    for lang in [Lang::En, Lang::Zh] {
        for lines in ["", "\n\n", "maybe\n"] {
            let (stage, ended, out) = type_lines(ACTION, lang, lines);
            assert!(matches!(ended, PromptOutcome::InputEnded { .. }), "{out}");
            assert!(stage.ask().outcome().is_none());
        }
    }
}
