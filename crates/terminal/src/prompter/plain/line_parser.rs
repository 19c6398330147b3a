//! Line parser of the plain prompter. An empty line never picks anything.

use super::PlainStyle;
use super::choice::ChoiceParser;
use super::scalar;
use crate::prompter::line_input::unescape_slash;
use crate::prompter::prompt_style::{ParsedLine, PartialAnswer};
use sayso_core::{Lang, LineFormat, Message, Pick, Question, QuestionInput, Reply, Rules};

/// Prompt of each line of a long text.
pub(super) const LINE_PROMPT: &str = "> ";

/// Command that ends a long text.
const DONE: &str = "/done";

pub(super) fn parse_line(
    question: &Question,
    rules: &Rules,
    partial: PartialAnswer,
    line: &str,
    plain: PlainStyle,
) -> ParsedLine {
    let lang = plain.lang;
    match (question.input(), partial) {
        (QuestionInput::Options(_), PartialAnswer::OtherText { picks, at }) => {
            parse_other_text(rules, picks, at, line, lang)
        }
        (QuestionInput::Options(choice), _) => {
            ChoiceParser { choice, rules, required: question.required, lang }.parse(line)
        }
        (QuestionInput::Line(LineFormat::Text { long: true }), partial) => {
            parse_long_text(partial, line, lang)
        }
        _ if line.trim().is_empty() => invalid_line(String::new()),
        (QuestionInput::Line(LineFormat::Text { .. }), _) => {
            parsed_reply(Reply::from_text(unescape_slash(line)))
        }
        _ => scalar::parse_scalar(question, rules, line.trim(), plain),
    }
}

pub(super) fn parsed_reply(reply: Reply) -> ParsedLine {
    ParsedLine::Reply { reply, notice: None }
}

pub(super) fn invalid_line(notice: String) -> ParsedLine {
    ParsedLine::Invalid { notice }
}

fn parse_other_text(rules: &Rules, mut picks: Vec<Pick>, at: usize, line: &str, lang: Lang) -> ParsedLine {
    if line.trim().is_empty() && !rules.empty_other {
        return invalid_line(Message::OwnAnswerEmpty.plain(lang).to_owned());
    }
    picks.insert(at.min(picks.len()), Pick::Other(unescape_slash(line).to_owned()));
    parsed_reply(Reply::from_picks(picks))
}

fn parse_long_text(partial: PartialAnswer, line: &str, lang: Lang) -> ParsedLine {
    let mut lines = match partial {
        PartialAnswer::Lines(lines) => lines,
        PartialAnswer::Nothing | PartialAnswer::OtherText { .. } => Vec::new(),
    };
    if line.trim_end().eq_ignore_ascii_case(DONE) {
        if lines.iter().all(|line| line.trim().is_empty()) {
            return invalid_line(Message::NeedsAnswer.plain(lang).to_owned());
        }
        return parsed_reply(Reply::from_text(lines.join("\n")));
    }
    lines.push(unescape_slash(line).to_owned());
    ParsedLine::More { partial: PartialAnswer::Lines(lines), prompt: LINE_PROMPT.to_owned() }
}

/// Folds a label or input, so that case and outer spaces do not matter.
pub(super) fn fold_label(text: &str) -> String {
    text.trim().to_lowercase()
}
