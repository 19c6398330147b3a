//! Accessible mode: texts of agents, counts, and members of formats, in both languages.

use crate::fixture::{PromptFixture, PromptSetup};
use sayso_core::{Lang, Message};
use sayso_terminal::{PlainStyle, PromptOutcome};

/// Types all of this in a language, and returns the output.
fn run_in(lang: Lang, stage: &PromptFixture, typed: &str) -> (PromptOutcome, String) {
    let setup = PromptSetup { lang, ..PromptSetup::default() };
    stage.type_all_with(&PlainStyle { lang, now: None }, setup, typed)
}

#[track_caller]
fn assert_shows(out: &str, words: &str) {
    assert!(out.contains(words), "{words:?} is not in\n{out}");
}

#[test]
fn markdown_has_no_signs_left() {
    let json = r#"{"context": "> quoted\n\n| a | b |\n|---|---|\n| cell | other |\n\n```rust\nlet x = 1;\n```", "questions": [{"prompt": "Which **one**?", "options": ["Ada", "Bo"]}]}"#;
    for lang in Lang::ALL {
        let (_, out) = run_in(lang, &PromptFixture::new(json), "");
        for words in ["quoted", "cell", "let x = 1;", "| Which one?", "  1. Ada\n  2. Bo\n"] {
            assert_shows(&out, words);
        }
        assert!(!out.contains("```") && !out.contains("|---") && !out.contains("**"), "{out}");
        assert!(
            out.lines().filter(|line| line.contains("let x")).all(|line| line.starts_with("| ")),
            "{out}"
        );
    }
}

#[test]
fn counts_and_names_are_true() {
    let json = r#"{"questions": [
        {"id": "a", "label": "Note", "prompt": "Anything?", "required": false, "constraints": [{"min_length": 3}]},
        {"id": "b", "prompt": "Now or\nlater?"}]}"#;
    for lang in Lang::ALL {
        let stage = PromptFixture::new(json);
        let (_, out) = run_in(lang, &stage, "x\n/review\n");
        assert_shows(&out, &Message::MinLength.render_with(lang, ["3"]));
        assert_shows(&out, &Message::ReviewHead.render_with(lang, ["0", "2"]));
        assert_shows(&out, "Now or later?");
        assert!(!out.contains("U+000A"), "{out}");
        let (_, out) = run_in(lang, &stage, "/review\n");
        assert_shows(&out, Message::NotAnswered.plain(lang));
    }
}

#[test]
fn own_answer_has_the_name_of_its_format() {
    for (rules, name) in [
        (r#""rules": {"own_answers_are_custom": true}, "#, Message::CustomOption),
        ("", Message::OtherOption),
    ] {
        let json = format!(
            r#"{{{rules}"questions": [{{"prompt": "Which?", "other": true, "options": ["A", "B"]}}]}}"#
        );
        for lang in Lang::ALL {
            let (_, out) = run_in(lang, &PromptFixture::new(&json), "3\nZig\n");
            assert_shows(&out, &format!("  3. {}\n", name.plain(lang)));
            assert_shows(&out, Message::SentNow.plain(lang));
        }
    }
}

#[test]
fn placeholder_is_an_example() {
    let json = r#"{"questions": [{"prompt": "Name?", "placeholder": "e.g. Falcon"}]}"#;
    for lang in Lang::ALL {
        let (_, out) = run_in(lang, &PromptFixture::new(json), "");
        assert_shows(&out, &format!("{}\n| e.g. Falcon\n", Message::ForExample.plain(lang)));
    }
}

#[test]
fn section_labels_name_the_next_step() {
    let json = r#"{"title": "Account", "submit": "Send", "sections": [
        {"title": "Who", "submit": "Continue to plan", "questions": [{"id": "name", "prompt": "Name"}, {"id": "mail", "prompt": "Email"}]},
        {"title": "Plan", "submit": "Create it", "questions": [{"id": "plan", "prompt": "Plan"}]}]}"#;
    for lang in Lang::ALL {
        let stage = PromptFixture::new(json);
        let (ended, out) = run_in(lang, &stage, "Ada\nada@example.com\nsmall\n/submit\n");
        assert!(matches!(ended, PromptOutcome::Settled { .. }), "{out}");
        let next = Message::Quotes.render_with(lang, [Message::NextSection.plain(lang), "Continue to plan"]);
        let heading = Message::SectionNamed.render_with(lang, ["2", "2", "Plan"]);
        assert_shows(&out, &format!("\n{next}\n{heading}\n"));
        assert_eq!(out.matches("Continue to plan").count(), 1, "{out}");
        assert_shows(&out, &Message::SubmitNamed.render_with(lang, ["Create it"]));
        assert!(!out.contains("\"Send\"") && !out.contains("“Send”"), "{out}");
    }
}

#[test]
fn labels_of_an_action_are_ours() {
    let json = r#"{"submit": "Read more", "action": {"tool": "shell", "act": {"shell": {"command": "ls"}}}, "questions": [
        {"kind": "confirm", "prompt": "Run it?"}, {"prompt": "Why?"}]}"#;
    let (_, out) = run_in(Lang::En, &PromptFixture::new(json), "y\nbecause\n");
    assert!(!out.contains("Read more"), "{out}");
}

#[test]
fn unchecked_rules_come_with_the_submission() {
    let json = r#"{"questions": [
        {"id": "code", "prompt": "Code", "unchecked": true, "constraints": [{"min_length": 5}]},
        {"id": "why", "prompt": "Why?"}]}"#;
    for lang in Lang::ALL {
        let stage = PromptFixture::new(json);
        let (_, out) = run_in(lang, &stage, "abc\nbecause\n");
        assert_shows(&out, &Message::ReviewHead.render_with(lang, ["2", "2"]));
        assert!(!out.contains(Message::ReviewProblem.plain(lang)), "{out}");
        run_in(lang, &stage, "/submit\n");
        assert!(stage.ask().outcome().is_none());
        // An asker that judges gets it as it is.
        let stage = PromptFixture::from_json(json, None, true);
        let (_, out) = run_in(lang, &stage, "abc\nbecause\n/submit\n");
        assert_shows(&out, Message::SentForVerdict.plain(lang));
    }
}

#[test]
fn completed_view_follows_the_submission() {
    for (answers, lang) in [(true, Lang::En), (true, Lang::Zh), (false, Lang::En), (false, Lang::Zh)] {
        let json = format!(
            r#"{{"completed": {{"answers": {answers}, "summary": "Made {{{{one}}}}."}}, "questions": [{{"id": "one", "prompt": "Name"}}]}}"#
        );
        let (_, out) = run_in(lang, &PromptFixture::new(&json), "Falcon\n");
        let (_, after) = out.split_once(Message::SentNow.plain(lang)).unwrap_or_else(|| panic!("{out}"));
        assert_shows(after, "| Made Falcon.\n");
        assert_eq!(after.matches("Falcon").count(), if answers { 2 } else { 1 }, "{out}");
    }
}
