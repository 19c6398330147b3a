//! Prompt of the program when called as `AskUserQuestion`: exactly that of the spec.

use sayso_core::{Kind, Pick, Question, Reply, Rules};
use sayso_dialects::ask_user_question::{CUSTOM_PROMPT, Heard as Spec, hear, no_valid_choice, screen};
use sayso_terminal::{Heard, Manner, Partial, Scene};

/// Prompt of the spec; `strict` asks again if the spec takes the first option.
#[derive(Debug)]
pub(crate) struct SpecManner {
    pub(crate) strict: bool,
}

impl Manner for SpecManner {
    fn intro(&self, _scene: &Scene<'_>) -> String {
        String::new()
    }

    fn render(&self, scene: &Scene<'_>, index: usize) -> String {
        scene.sheet.questions().get(index).map(screen).unwrap_or_default()
    }

    fn preview(&self, _: &Scene<'_>, _: usize, _: Option<usize>) -> Option<String> {
        None
    }

    fn read_line(&self, question: &Question, _: &Rules, partial: Partial, line: &str) -> Heard {
        let Kind::Choice(choice) = &question.kind else {
            return Heard::Reply { reply: Reply::text(line), said: None };
        };
        if let Partial::OwnAnswer { .. } = partial {
            return Heard::Reply { reply: Reply::picks([Pick::Other(line.to_owned())]), said: None };
        }
        match hear(choice, line) {
            Spec::Custom => Heard::More {
                partial: Partial::OwnAnswer { picks: Vec::new(), at: 0 },
                prompt: CUSTOM_PROMPT.to_owned(),
            },
            Spec::Picked(picks) => Heard::Reply { reply: Reply::picks(picks), said: None },
            Spec::FirstByDefault(_) if self.strict => Heard::Again { said: String::new() },
            Spec::FirstByDefault(pick) => {
                Heard::Reply { reply: Reply::picks([pick]), said: Some(no_valid_choice(choice)) }
            }
        }
    }

    fn reviews(&self) -> bool {
        false
    }

    fn announces(&self) -> bool {
        false
    }

    fn strict_commands(&self) -> bool {
        true
    }
}
