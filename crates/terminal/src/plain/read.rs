//! Line parser of the plain prompter. An empty line never picks anything.

use super::Plain;
use super::choice::Reading;
use super::scalar;
use crate::manner::{Heard, Partial};
use crate::typed::unslashed;
use sayso_core::{Kind, Lang, Message, Pick, Question, Reply, Rules};

/// Prompt of each line of a long text.
pub(super) const LINE_PROMPT: &str = "> ";

/// Command that ends a long text.
const DONE: &str = "/done";

pub(super) fn line(question: &Question, rules: &Rules, partial: Partial, line: &str, plain: Plain) -> Heard {
    let lang = plain.lang;
    match (&question.kind, partial) {
        (Kind::Choice(_), Partial::OwnAnswer { picks, at }) => own_answer(rules, picks, at, line, lang),
        (Kind::Choice(choice), _) => Reading { choice, required: question.required, lang }.line(line),
        (Kind::Text(entry), partial) if entry.long => long_text(partial, line, lang),
        _ if line.trim().is_empty() => again(String::new()),
        (Kind::Text(_), _) => reply(Reply::text(unslashed(line))),
        _ => scalar::line(question, rules, line.trim(), plain),
    }
}

pub(super) fn reply(reply: Reply) -> Heard {
    Heard::Reply { reply, said: None }
}

pub(super) fn again(said: String) -> Heard {
    Heard::Again { said }
}

fn own_answer(rules: &Rules, mut picks: Vec<Pick>, at: usize, line: &str, lang: Lang) -> Heard {
    if line.trim().is_empty() && !rules.empty_other {
        return again(Message::OwnAnswerEmpty.plain(lang).to_owned());
    }
    picks.insert(at.min(picks.len()), Pick::Other(unslashed(line).to_owned()));
    reply(Reply::picks(picks))
}

fn long_text(partial: Partial, line: &str, lang: Lang) -> Heard {
    let mut lines = match partial {
        Partial::Lines(lines) => lines,
        Partial::Nothing | Partial::OwnAnswer { .. } => Vec::new(),
    };
    if line.trim_end().eq_ignore_ascii_case(DONE) {
        if lines.iter().all(|line| line.trim().is_empty()) {
            return again(Message::NeedsAnswer.plain(lang).to_owned());
        }
        return reply(Reply::text(lines.join("\n")));
    }
    lines.push(unslashed(line).to_owned());
    Heard::More { partial: Partial::Lines(lines), prompt: LINE_PROMPT.to_owned() }
}

/// Folds a label or input, so that case and outer spaces do not matter.
pub(super) fn fold(text: &str) -> String {
    text.trim().to_lowercase()
}
