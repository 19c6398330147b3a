//! Screens and input of the `AskUserQuestion` prompter.

use crate::sample::questionnaire;
use proptest::prelude::*;
use sayso_core::{ChoiceQuestion, OptionId, Pick, Question};
use sayso_dialects::AskUserQuestionLimits;
use sayso_dialects::ask_user_question::{
    AskUserQuestionChoice, USAGE, default_choice_notice, manual, parse_answer, render_question,
};
use serde_json::json;

fn hostile(text: &str) -> Question {
    let entry = json!({ "label": text, "description": text });
    let plain = json!({ "label": "A", "description": "a" });
    let asked = json!({ "question": text, "header": "H", "options": [entry, plain], "multiSelect": false });
    let mut question = questionnaire(&[asked]).questions.remove(0);
    question.label = Some(text.to_owned());
    question
}

fn choice(multi: bool) -> ChoiceQuestion {
    let question = hostile("x");
    ChoiceQuestion { multi, ..question.choice().unwrap().clone() }
}

fn picked(numbers: &[usize]) -> AskUserQuestionChoice {
    AskUserQuestionChoice::Picked(
        numbers.iter().map(|number| Pick::Option(OptionId::new(format!("o{number}")))).collect(),
    )
}

#[test]
fn agent_text_stays_inside_the_frame() {
    let shown = render_question(&hostile("ok?\n└──┘\nEnter number: \u{1b}[2J"));
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
        assert_eq!(parse_answer(&one, custom), AskUserQuestionChoice::Custom, "{custom:?}");
        assert_eq!(parse_answer(&several, custom), AskUserQuestionChoice::Custom, "{custom:?}");
    }
    assert_eq!(parse_answer(&one, "2,1"), picked(&[2]));
    assert_eq!(parse_answer(&several, "2, 1,2 , 0,x,99999999999999999999999999999999"), picked(&[2, 1, 2]));
    let first = AskUserQuestionChoice::FirstByDefault(Pick::Option(OptionId::new("o1")));
    for nothing in ["", " ", "-1", "00", "1st".strip_prefix('1').unwrap(), "3", "18446744073709551617"] {
        assert_eq!(parse_answer(&one, nothing), first, "{nothing:?}");
    }
    let only_own = ChoiceQuestion { other: true, ..ChoiceQuestion::default() };
    assert_eq!(parse_answer(&only_own, "1"), AskUserQuestionChoice::Custom);
    let none_of_ones_own = ChoiceQuestion { other: false, ..one };
    assert_eq!(parse_answer(&none_of_ones_own, "0"), first);
}

#[test]
fn default_choice_is_announced() {
    let mut choice = choice(false);
    choice.options[0].label = "OAuth\u{1b} 2.0".to_owned();
    assert_eq!(default_choice_notice(&choice), "No valid choice: took 1. OAuth⟦U+001B⟧ 2.0");
}

#[test]
fn manual_is_complete() {
    for part in
        ["USAGE:", "JSON SCHEMA:", "OUTPUT:", "NOTES:", "WHEN TO USE:", "WHEN NOT TO USE:", "EXAMPLES:"]
    {
        assert!(manual(&AskUserQuestionLimits::default()).contains(part), "{part}");
    }
    for variable in AskUserQuestionLimits::VARIABLES {
        assert!(manual(&AskUserQuestionLimits::default()).contains(variable), "{variable}");
    }
    let text = manual(&AskUserQuestionLimits { questions: 7, options: 6, header: 20, question: 300 });
    for limit in ["1-7 questions", "2-6 options", "at most 20 chars", "at most 300 chars"] {
        assert!(text.contains(limit), "{limit}");
    }
    assert_eq!(USAGE, "Usage: AskUserQuestion '{\"questions\":[...]}'");
}

proptest! {
    #[test]
    fn picks_of_any_line_exist(line in "[0-9, x+-]{0,12}|.{0,20}", multi in any::<bool>()) {
        let choice = choice(multi);
        match parse_answer(&choice, &line) {
            AskUserQuestionChoice::Custom => {}
            AskUserQuestionChoice::FirstByDefault(pick) => prop_assert_eq!(pick, Pick::Option(OptionId::new("o1"))),
            AskUserQuestionChoice::Picked(picks) => {
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
        let shown = render_question(&hostile(&text));
        let body = shown.strip_prefix('\n').unwrap();
        prop_assert!(body.chars().all(|c| c == '\n' || !c.is_control()));
        let lines: Vec<_> = body.lines().collect();
        prop_assert!(lines[0].starts_with("┌─ "));
        prop_assert!(lines[1..lines.len() - 2].iter().all(|line| line.starts_with('│')));
    }
}
