//! Record of an ask after its end: what was asked as it was shown, the asker's summary, and each answer by the origin
//! of its words.

use super::reply::{form_note, join_parts, label_parts, reply_with_note};
use super::request::{question_lines, request_lines, title_line};
use super::{Author, AuthoredText, brief, excerpt, label_value};
use crate::wrap::{GUTTER, wrap_foreign};
use sayso_core::i18n::{answer_words, completion_summary};
use sayso_core::i18n::{exact_lines, own};
use sayso_core::model::ask::AskPhase;
use sayso_core::{
    Answer, Ask, Lang, Message, Outcome, Pick, Question, Questionnaire, Replies, Reply, ReplyContent, Sheet,
    ShownValues, display,
};
use std::fmt::Display;

/// Line of the view, by the origin of its words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum EndedLine {
    /// Sentence of ours; an empty one is a blank line.
    Own(String),
    /// Sentence of ours that quotes what a question offers.
    Offers(String),
    /// Text of the asker.
    Asker(String),
    /// Text of the asker in Markdown.
    Markdown(String),
    /// Data of an action, to its last character; our notes on it have this language.
    Exact { text: String, lang: Lang },
    /// Picked option or step, or our word for yes or no.
    Picked(Vec<AuthoredText>),
    /// Text that a person typed.
    Person(String),
}

impl EndedLine {
    /// Returns a blank line.
    pub(crate) const fn blank() -> Self {
        Self::Own(String::new())
    }

    /// Returns a message of the catalogue.
    pub(super) fn message(message: Message, lang: Lang) -> Self {
        Self::Own(message.plain(lang).to_owned())
    }

    /// Returns the line as plain text: the asker's behind the gutter, an answer indented.
    pub(super) fn to_plain_text(&self) -> String {
        match self {
            Self::Own(words) => format!("{words}\n"),
            Self::Offers(words) => format!("  {words}\n"),
            Self::Asker(text) => prefix_lines(GUTTER, display::escape_lines(text)),
            Self::Markdown(text) => prefix_lines(GUTTER, display::markdown_lines(text)),
            Self::Exact { text, lang } => prefix_lines(GUTTER, exact_lines(text, *lang)),
            Self::Picked(parts) => {
                let words = join_parts(parts.iter().cloned());
                prefix_lines("  ", display::escape_composed_lines(&words))
            }
            Self::Person(words) => prefix_lines("  ", display::escape_lines(words)),
        }
    }
}

fn prefix_lines(prefix: &str, lines: impl IntoIterator<Item = impl Display>) -> String {
    lines.into_iter().map(|line| format!("{prefix}{line}\n")).collect()
}

/// Returns the view of an ask that has ended or was submitted. The asker's format decides about summary and answers.
pub(crate) fn ended_view(ask: &Ask, lang: Lang) -> Vec<EndedLine> {
    let questionnaire = &ask.request.questionnaire;
    let mut lines = vec![title_line(questionnaire, lang)];
    lines.extend(request_lines(questionnaire, lang));
    if let Some(receipt) = ask.outcome().and_then(Outcome::receipt)
        && let Some(seen_lines) = receipt.seen
    {
        let sentence = Message::LinesSeen.render_with(lang, [seen_lines.shown, seen_lines.total]);
        lines.extend([EndedLine::blank(), EndedLine::Own(sentence)]);
    }
    if let AskPhase::Settled(Outcome::Declined { reason: Some(reason), .. }) = &ask.state.phase {
        lines.extend([EndedLine::blank(), EndedLine::Person(reason.clone())]);
    }
    if let Some(summary) = ask_summary(ask, lang) {
        lines.extend([EndedLine::blank(), EndedLine::Asker(summary)]);
    }
    let replies = sent_replies(ask);
    if replies.is_some() && !shows_answers(questionnaire) {
        lines.extend([EndedLine::blank(), EndedLine::Own(answers_hidden(ask, lang))]);
        return lines;
    }
    let sheet = Sheet::new(questionnaire.clone(), replies.cloned().unwrap_or_default());
    for (place, question) in questionnaire.questions.iter().enumerate() {
        lines.push(EndedLine::blank());
        lines.extend(question_lines(question, questionnaire, lang));
        if let Some(replies) = replies
            && let Some(reply) = replies.get(&question.id)
        {
            push_reply(&mut lines, questionnaire, question, reply, lang);
        } else {
            let message = if sheet.is_asked(place) { Message::NotAnswered } else { Message::WasNotAsked };
            lines.push(EndedLine::message(message, lang));
        }
    }
    if let Some(note) = sheet.note() {
        let head = EndedLine::message(Message::FormNoteHead, lang);
        lines.extend([EndedLine::blank(), head, EndedLine::Person(note.to_owned())]);
    }
    lines
}

/// Returns an answer that was typed or picked, by the origin of its words.
pub(crate) fn reply_lines(
    asked: &Questionnaire,
    question: &Question,
    reply: &Reply,
    lang: Lang,
) -> Vec<EndedLine> {
    let mut lines = Vec::new();
    push_reply(&mut lines, asked, question, reply, lang);
    lines
}

fn push_reply(
    lines: &mut Vec<EndedLine>,
    asked: &Questionnaire,
    question: &Question,
    reply: &Reply,
    lang: Lang,
) {
    match &reply.content {
        ReplyContent::Unanswered => lines.push(EndedLine::message(Message::NotAnswered, lang)),
        ReplyContent::NotAsked { .. } => lines.push(EndedLine::message(Message::WasNotAsked, lang)),
        ReplyContent::Skipped => lines.push(EndedLine::message(Message::PassedOver, lang)),
        ReplyContent::Answered(Answer::Text(text)) => lines.push(EndedLine::Person(text.clone())),
        ReplyContent::Answered(Answer::Picks(picks)) => {
            let shown_values = ShownValues::for_question(asked, question);
            for pick in picks.iter() {
                lines.push(match pick {
                    Pick::Other(text) => EndedLine::Person(text.clone()),
                    Pick::Option(_) => {
                        let label = brief(answer_words::describe_pick(question, pick));
                        let value = shown_values.get_for_pick(pick).map(excerpt);
                        EndedLine::Picked(label_parts(label, value.as_deref(), lang).into())
                    }
                });
            }
        }
        ReplyContent::Answered(answer @ (Answer::Confirm(_) | Answer::Rating(_))) => {
            let words = excerpt(&answer.describe(question, lang));
            lines.push(EndedLine::Picked(vec![AuthoredText::new(words, Author::Ours)]));
        }
        ReplyContent::Answered(answer) => {
            lines.push(EndedLine::Person(answer.describe(question, lang).into_owned()));
        }
    }
    if let Some(note) = &reply.note {
        lines.extend([EndedLine::message(Message::NoteHead, lang), EndedLine::Person(note.clone())]);
    }
}

/// Returns what the asker's format shows after an answer, as lines of plain text: its summary behind the gutter, and
/// the answers. Nothing if the format has no such view.
pub(crate) fn completion_lines(ask: &Ask, lang: Lang) -> Vec<String> {
    let questionnaire = &ask.request.questionnaire;
    let (Some(view), Some(replies)) = (&questionnaire.completed, sent_replies(ask)) else {
        return Vec::new();
    };
    let summary = wrap_foreign(&ask_summary(ask, lang).unwrap_or_default(), None);
    let mut lines: Vec<String> = summary.lines().map(str::to_owned).collect();
    if view.answers {
        for question in &questionnaire.questions {
            if let Some(reply) = replies.get(&question.id)
                && reply.has_input()
            {
                let words = reply_with_note(questionnaire, question, reply, lang);
                lines.push(format!("  {}", label_value(question.display_name(), &words)));
            }
        }
        if let Some(note) = sayso_core::form_note(replies) {
            lines.push(format!("  {}", form_note(questionnaire, note, lang).text));
        }
    }
    lines
}

/// Returns the asker's summary of an answered or submitted ask, as lines of plain text behind the gutter.
pub fn summary_lines(ask: &Ask, lang: Lang) -> Option<String> {
    let summary = ask_summary(ask, lang)?;
    Some(EndedLine::Asker(summary).to_plain_text())
}

/// Returns the sentence for answers that the asker's format hides, if it does.
pub fn hidden_answers(ask: &Ask, lang: Lang) -> Option<String> {
    let is_hidden = sent_replies(ask).is_some() && !shows_answers(&ask.request.questionnaire);
    if is_hidden { Some(answers_hidden(ask, lang)) } else { None }
}

fn answers_hidden(ask: &Ask, lang: Lang) -> String {
    Message::AnswersHidden.render_with(lang, [own(ask.id.short_id())])
}

fn ask_summary(ask: &Ask, lang: Lang) -> Option<String> {
    let as_sent = match &ask.state.phase {
        AskPhase::Settled(Outcome::Answered { as_sent, .. }) => as_sent.as_ref(),
        AskPhase::Submitted { submission, .. } => submission.as_sent.as_ref(),
        _ => None,
    };
    let summary =
        completion_summary::fill_summary(&ask.request.questionnaire, sent_replies(ask)?, as_sent, lang)?;
    if summary.trim().is_empty() { None } else { Some(summary) }
}

fn sent_replies(ask: &Ask) -> Option<&Replies> {
    match &ask.state.phase {
        AskPhase::Settled(Outcome::Answered { replies, .. }) => Some(replies),
        AskPhase::Submitted { submission, .. } => Some(&submission.replies),
        AskPhase::Open { .. } | AskPhase::Settled(_) => None,
    }
}

/// Returns whether the asker's format shows the answers afterwards.
pub(super) fn shows_answers(questionnaire: &Questionnaire) -> bool {
    questionnaire.completed.as_ref().is_none_or(|completed| completed.answers)
}
