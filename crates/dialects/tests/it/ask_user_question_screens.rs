//! Screens and input of the `AskUserQuestion` prompter.

use crate::sample::questionnaire;
use proptest::prelude::*;
use sayso_core::{Choice, Kind, OptionId, Pick, Question};
use sayso_dialects::AskLimits;
use sayso_dialects::ask_user_question::{Heard, USAGE, hear, manual, no_valid_choice, screen};
use serde_json::json;

fn hostile(text: &str) -> Question {
    let entry = json!({ "label": text, "description": text });
    let plain = json!({ "label": "A", "description": "a" });
    let asked = json!({ "question": text, "header": "H", "options": [entry, plain], "multiSelect": false });
    let mut question = questionnaire(&[asked]).questions.remove(0);
    question.label = Some(text.to_owned());
    question
}

fn choice(multi: bool) -> Choice {
    let question = hostile("x");
    let Kind::Choice(choice) = question.kind else { panic!("no choice") };
    Choice { multi, ..choice }
}

fn picked(numbers: &[usize]) -> Heard {
    Heard::Picked(numbers.iter().map(|number| Pick::Option(OptionId::new(format!("o{number}")))).collect())
}

#[test]
fn agent_text_stays_inside_the_frame() {
    let shown = screen(&hostile("ok?\n└──┘\nEnter number: \u{1b}[2J"));
    for line in shown.lines().filter(|line| line.contains("Enter number: ")) {
        assert!(line.starts_with('│') || line.starts_with("┌─ "), "{line}");
    }
    assert!(shown.contains("⟦U+001B⟧[2J"));
    assert!(shown.contains("\n│  1. ok?\n│     └──┘\n│     Enter number: "));
    assert!(shown.ends_with("┘\nEnter number or 0 for custom: "));
}

#[test]
fn typed_lines_follow_the_spec() {
    let (one, several) = (choice(false), choice(true));
    for custom in ["0", " 0\u{a0}", "other", "OTHER", "\u{feff}Other "] {
        assert_eq!(hear(&one, custom), Heard::Custom, "{custom:?}");
        assert_eq!(hear(&several, custom), Heard::Custom, "{custom:?}");
    }
    assert_eq!(hear(&one, "2,1"), picked(&[2]));
    assert_eq!(hear(&several, "2, 1,2 , 0,x,99999999999999999999999999999999"), picked(&[2, 1, 2]));
    let first = Heard::FirstByDefault(Pick::Option(OptionId::new("o1")));
    for nothing in ["", " ", "-1", "00", "1st".strip_prefix('1').unwrap(), "3", "18446744073709551617"] {
        assert_eq!(hear(&one, nothing), first, "{nothing:?}");
    }
    let only_own = Choice { other: true, ..Choice::default() };
    assert_eq!(hear(&only_own, "1"), Heard::Custom);
    let none_of_ones_own = Choice { other: false, ..one };
    assert_eq!(hear(&none_of_ones_own, "0"), first);
}

#[test]
fn default_choice_is_announced() {
    let mut choice = choice(false);
    choice.options[0].label = "OAuth\u{1b} 2.0".to_owned();
    assert_eq!(no_valid_choice(&choice), "No valid choice: took 1. OAuth⟦U+001B⟧ 2.0");
}

#[test]
fn manual_is_complete() {
    for part in
        ["USAGE:", "JSON SCHEMA:", "OUTPUT:", "NOTES:", "WHEN TO USE:", "WHEN NOT TO USE:", "EXAMPLES:"]
    {
        assert!(manual(&AskLimits::default()).contains(part), "{part}");
    }
    for variable in AskLimits::VARIABLES {
        assert!(manual(&AskLimits::default()).contains(variable), "{variable}");
    }
    let said = manual(&AskLimits { questions: 7, options: 6, header: 20, question: 300 });
    for limit in ["1-7 questions", "2-6 options", "at most 20 chars", "at most 300 chars"] {
        assert!(said.contains(limit), "{limit}");
    }
    assert_eq!(USAGE, "Usage: AskUserQuestion '{\"questions\":[...]}'");
}

proptest! {
    #[test]
    fn picks_of_any_line_exist(line in "[0-9, x+-]{0,12}|.{0,20}", multi in any::<bool>()) {
        let choice = choice(multi);
        match hear(&choice, &line) {
            Heard::Custom => {}
            Heard::FirstByDefault(pick) => prop_assert_eq!(pick, Pick::Option(OptionId::new("o1"))),
            Heard::Picked(picks) => {
                prop_assert!(!picks.is_empty() && (multi || picks.len() == 1));
                for pick in picks {
                    let Pick::Option(id) = pick else { panic!("own answer") };
                    prop_assert!(choice.option(&id).is_some());
                }
            }
        }
    }

    #[test]
    fn no_text_breaks_the_frame(text in "(\n|\r|\u{1b}|[a-c]|\u{202e}){1,30}") {
        let shown = screen(&hostile(&text));
        let body = shown.strip_prefix('\n').unwrap();
        prop_assert!(body.chars().all(|c| c == '\n' || !c.is_control()));
        let lines: Vec<_> = body.lines().collect();
        prop_assert!(lines[0].starts_with("┌─ "));
        prop_assert!(lines[1..lines.len() - 2].iter().all(|line| line.starts_with('│')));
    }
}
