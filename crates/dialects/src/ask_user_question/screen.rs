//! Terminal prompter: the screen of the spec's `TerminalPrompter` for a question, and the parser of the typed reply.
//!
//! **Invariant:** an agent's text is shown only sanitized, with every line of it inside the frame.

use super::messages::{self, CUSTOM_LINE, CUSTOM_PROMPT, HINT_ONE, HINT_SEVERAL};
use crate::javascript;
use sayso_core::{ChoiceQuestion, Pick, Question, display};

const HEAD_LINE: &str = "─────────────────────────────────────";
const FOOT_LINE: &str = "─────────────────────────────────────────────────";

/// Meaning of a line typed at a choice.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AskUserQuestionChoice {
    /// The person wants to type an own answer.
    Custom,
    /// These options, in the order typed.
    Picked(Vec<Pick>),
    /// Nothing valid: the spec takes the first option, and the person is informed.
    FirstByDefault(Pick),
}

/// Returns the screen of one question, with the prompt at its end (the spec's `renderQuestion`).
pub fn render_question(question: &Question) -> String {
    let mut screen = format!("\n┌─ {} {HEAD_LINE}┐\n", display::escape_line(question.display_name()));
    append_lines(&mut screen, "│ ", "│ ", &question.prompt);
    if let Some(detail) = &question.detail {
        append_lines(&mut screen, "│ ", "│ ", detail);
    }
    let hint = match question.choice() {
        Some(choice) => {
            append_options(&mut screen, choice);
            if choice.multi { HINT_SEVERAL } else { HINT_ONE }
        }
        // The spec has choices only.
        None => CUSTOM_PROMPT,
    };
    screen.push_str(&format!("└{FOOT_LINE}┘\n{hint}"));
    screen
}

fn append_options(shown: &mut String, choice: &ChoiceQuestion) {
    shown.push_str("│\n");
    for (index, option) in choice.options.iter().enumerate() {
        append_lines(shown, &format!("│  {}. ", index + 1), "│     ", &option.label);
        if let Some(description) = &option.description {
            append_lines(shown, "│     ", "│     ", description);
        }
    }
    if choice.other {
        shown.push_str(CUSTOM_LINE);
        shown.push('\n');
    }
}

/// Appends an agent's text: `first` precedes its first line, `then` the others.
fn append_lines(shown: &mut String, first: &str, then: &str, words: &str) {
    for (index, line) in display::escape_lines(words).enumerate() {
        shown.push_str(if index == 0 { first } else { then });
        shown.push_str(&line);
        shown.push('\n');
    }
}

/// Parses a line typed at a choice (the spec's `parseInput`). `0` or `other` asks for an own answer; else the line is
/// numbers between commas, each read as `parseInt` does. Numbers out of range are dropped; order and repetitions are
/// kept; a single choice takes the first. A line without a valid number picks the first option.
pub fn parse_answer(choice: &ChoiceQuestion, line: &str) -> AskUserQuestionChoice {
    let line = javascript::trim(line);
    if choice.other && (line == "0" || line.eq_ignore_ascii_case("other")) {
        return AskUserQuestionChoice::Custom;
    }
    let option = |part: &str| {
        let number = javascript::parse_int(part).and_then(|number| usize::try_from(number).ok())?;
        let at = number.checked_sub(1)?;
        choice.options.get(at).map(|option| Pick::Option(option.id.clone()))
    };
    let most = if choice.multi { usize::MAX } else { 1 };
    let picks: Vec<_> = line.split(',').filter_map(option).take(most).collect();
    match choice.options.first() {
        Some(first) if picks.is_empty() => {
            AskUserQuestionChoice::FirstByDefault(Pick::Option(first.id.clone()))
        }
        // Without options only an own answer is possible.
        None => AskUserQuestionChoice::Custom,
        Some(_) => AskUserQuestionChoice::Picked(picks),
    }
}

/// Returns the notice that the first option was taken for lack of valid input.
pub fn default_choice_notice(choice: &ChoiceQuestion) -> String {
    let first = choice.options.first().map(|option| display::escape_line(&option.label)).unwrap_or_default();
    messages::first_taken(&first)
}
