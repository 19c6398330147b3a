//! Prompt of the program when called as `AskUserQuestion`: exactly that of the spec.

use sayso_core::{Pick, Question, Reply, Rules};
use sayso_dialects::ask_user_question::{
    AskUserQuestionChoice as Spec, CUSTOM_PROMPT, default_choice_notice, parse_answer, render_question,
};
use sayso_terminal::{ParsedLine, PartialAnswer, PromptContext, PromptStyle};

/// Prompt of the spec; `strict` asks again if the spec takes the first option.
#[derive(Debug)]
pub(crate) struct SpecPromptStyle {
    pub(crate) strict: bool,
}

impl PromptStyle for SpecPromptStyle {
    fn intro(&self, _scene: &PromptContext<'_>) -> String {
        String::new()
    }

    fn render(&self, scene: &PromptContext<'_>, index: usize) -> String {
        scene.sheet.questions().get(index).map(render_question).unwrap_or_default()
    }

    fn preview(&self, _: &PromptContext<'_>, _: usize, _: Option<usize>) -> Option<String> {
        None
    }

    fn read_line(&self, question: &Question, _: &Rules, partial: PartialAnswer, line: &str) -> ParsedLine {
        let Some(choice) = question.choice() else {
            return ParsedLine::Reply { reply: Reply::from_text(line), notice: None };
        };
        if let PartialAnswer::OtherText { .. } = partial {
            return ParsedLine::Reply {
                reply: Reply::from_picks([Pick::Other(line.to_owned())]),
                notice: None,
            };
        }
        match parse_answer(choice, line) {
            Spec::Custom => ParsedLine::More {
                partial: PartialAnswer::OtherText { picks: Vec::new(), at: 0 },
                prompt: CUSTOM_PROMPT.to_owned(),
            },
            Spec::Picked(picks) => ParsedLine::Reply { reply: Reply::from_picks(picks), notice: None },
            Spec::FirstByDefault(_) if self.strict => ParsedLine::Invalid { notice: String::new() },
            Spec::FirstByDefault(pick) => ParsedLine::Reply {
                reply: Reply::from_picks([pick]),
                notice: Some(default_choice_notice(choice)),
            },
        }
    }

    fn has_review(&self) -> bool {
        false
    }

    fn announces_replies(&self) -> bool {
        false
    }

    fn has_strict_commands(&self) -> bool {
        true
    }
}
