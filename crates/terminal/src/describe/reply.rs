//! Descriptions of replies, in full or on one line.

use super::sentence::BRIEF_MAX_CHARS;
use super::{Author, AuthoredText, brief, excerpt, label_value};
use sayso_core::i18n::{MessageArg, own, quote};
use sayso_core::model::answer::Picks;
use sayso_core::{
    Answer, Lang, Message, Pick, Question, QuestionId, Questionnaire, Reply, ReplyContent, Rules, Sheet,
    ShownValues, i18n::answer_words,
};

/// Returns a reply in full, so that it can be copied if it could not be saved.
fn full_answer(asked: &Questionnaire, question: &Question, reply: &Reply, lang: Lang) -> String {
    let words = match reply.answer() {
        Some(Answer::Text(text)) => text.clone(),
        _ => reply_with_note(asked, question, reply, lang),
    };
    label_value(question.display_name(), &words)
}

/// Returns the reply to a question or to the whole form in full, so that it can be copied if it could not be saved.
/// `None` if there is no such question.
pub(crate) fn full_reply(
    asked: &Questionnaire,
    id: &QuestionId,
    reply: &Reply,
    lang: Lang,
) -> Option<String> {
    if *id == QuestionId::FORM {
        return Some(match reply.note.as_deref() {
            Some(note) => Message::FormNote.render_with(lang, [own(note)]),
            None => label_value(Message::FormNoteLabel.plain(lang), Message::NoteGone.plain(lang)),
        });
    }
    Some(full_answer(asked, asked.question(id)?, reply, lang))
}

/// Returns the note on the whole form on one line.
pub(crate) fn form_note(asked: &Questionnaire, note: &str, lang: Lang) -> AuthoredText {
    let text = Message::FormNote.render_with(lang, [own(quoted_excerpt(note, &asked.rules, lang))]);
    AuthoredText { quotes: Author::Person, ..AuthoredText::new(text, Author::Ours) }
}

/// Returns the sentence about a note on the whole form that was changed or removed elsewhere.
pub(crate) fn changed_form_note(asked: &Questionnaire, note: Option<&str>, lang: Lang) -> String {
    match note {
        Some(note) => {
            let words = own(quoted_excerpt(note, &asked.rules, lang));
            Message::FormNoteChanged.render_with(lang, [words])
        }
        None => Message::FormNoteRemoved.plain(lang).to_owned(),
    }
}

/// Returns a reply on one line, with its note.
pub(super) fn reply_with_note(
    asked: &Questionnaire,
    question: &Question,
    reply: &Reply,
    lang: Lang,
) -> String {
    join_parts(reply_parts(asked, question, reply, lang))
}

/// Returns a reply on one line, with its note, in parts by who wrote them.
fn reply_parts(asked: &Questionnaire, question: &Question, reply: &Reply, lang: Lang) -> Vec<AuthoredText> {
    let mut parts = match &reply.content {
        ReplyContent::Answered(Answer::Picks(picks)) => picks_parts(asked, question, picks, lang, brief),
        ReplyContent::Answered(Answer::Text(text)) => {
            vec![AuthoredText::new(text_excerpt(text, &asked.rules, lang), Author::Person)]
        }
        _ => vec![AuthoredText::new(reply_without_note(asked, question, reply, lang), Author::Ours)],
    };
    if let Some(note) = &reply.note {
        let note = own(quoted_excerpt(note, &asked.rules, lang));
        let text = Message::WithNote.render_with(lang, [own(""), note]);
        parts.push(AuthoredText { quotes: Author::Person, ..AuthoredText::new(text, Author::Ours) });
    }
    parts
}

pub(super) fn join_parts(parts: impl IntoIterator<Item = AuthoredText>) -> String {
    parts.into_iter().map(|part| part.text).collect()
}

fn with_note(words: String, asked: &Questionnaire, reply: &Reply, lang: Lang) -> String {
    match &reply.note {
        Some(note) => {
            Message::WithNote.render_with(lang, [own(words), own(quoted_excerpt(note, &asked.rules, lang))])
        }
        None => words,
    }
}

/// Returns the parts of [`reply_at`] by who wrote them.
pub(crate) fn reply_parts_at(
    sheet: &Sheet,
    place: usize,
    question: &Question,
    lang: Lang,
) -> Vec<AuthoredText> {
    reply_parts(sheet.questionnaire(), question, sheet.reply_at(place), lang)
}

/// Returns the sheet's reply to a question on one line, with its note.
pub(crate) fn reply_at(sheet: &Sheet, place: usize, question: &Question, lang: Lang) -> String {
    reply_with_note(sheet.questionnaire(), question, sheet.reply_at(place), lang)
}

/// Returns a reply on one line, without its note.
pub(crate) fn reply_without_note(
    asked: &Questionnaire,
    question: &Question,
    reply: &Reply,
    lang: Lang,
) -> String {
    match &reply.content {
        ReplyContent::Unanswered => Message::NotAnswered.plain(lang).to_owned(),
        ReplyContent::NotAsked { .. } => Message::WasNotAsked.plain(lang).to_owned(),
        ReplyContent::Skipped => Message::PassedOver.plain(lang).to_owned(),
        ReplyContent::Answered(Answer::Text(text)) => text_excerpt(text, &asked.rules, lang),
        ReplyContent::Answered(Answer::Picks(picks)) => {
            join_parts(picks_parts(asked, question, picks, lang, brief))
        }
        ReplyContent::Answered(answer) => excerpt(&answer.describe(question, lang)),
    }
}

/// Returns a reply as part of a sentence of ours: what others wrote in it is in quotation marks.
pub(crate) fn reply_in_sentence(
    asked: &Questionnaire,
    question: &Question,
    reply: &Reply,
    lang: Lang,
) -> MessageArg {
    match &reply.content {
        ReplyContent::Answered(Answer::Text(text)) => own(quoted_excerpt(text, &asked.rules, lang)),
        ReplyContent::Answered(Answer::Picks(picks)) => {
            let parts = picks_parts(asked, question, picks, lang, |label| quote(&excerpt(label), lang));
            own(join_parts(parts))
        }
        _ => own(reply_without_note(asked, question, reply, lang)),
    }
}

/// Returns a reply with its note as part of a sentence of ours.
pub(crate) fn noted_reply_in_sentence(
    asked: &Questionnaire,
    question: &Question,
    reply: &Reply,
    lang: Lang,
) -> MessageArg {
    let words = reply_in_sentence(asked, question, reply, lang).render(lang).into_owned();
    own(with_note(words, asked, reply, lang))
}

/// Returns the picks of a choice with the values that are shown next to their labels, separated by commas.
fn picks_parts(
    asked: &Questionnaire,
    question: &Question,
    picks: &Picks,
    lang: Lang,
    label_text: impl Fn(&str) -> String,
) -> Vec<AuthoredText> {
    let shown_values = ShownValues::for_question(asked, question);
    let mut parts = Vec::new();
    for pick in picks {
        if !parts.is_empty() {
            parts.push(AuthoredText::new(", ".to_owned(), Author::Ours));
        }
        match pick {
            Pick::Other(text) => {
                let text = own(quoted_excerpt(text, &asked.rules, lang));
                let text = Message::OwnAnswer.render_with(lang, [text]);
                parts.push(AuthoredText { quotes: Author::Person, ..AuthoredText::new(text, Author::Ours) });
            }
            Pick::Option(_) => {
                let label = label_text(answer_words::describe_pick(question, pick));
                parts.extend(label_parts(label, shown_values.get_for_pick(pick), lang));
            }
        }
    }
    parts
}

/// Returns an option's label, and its value if that is shown.
pub(super) fn label_parts(label: String, sent: Option<&str>, lang: Lang) -> [AuthoredText; 2] {
    let whole = answer_words::label_with_value(&label, sent, lang);
    let value = whole.strip_prefix(label.as_str()).unwrap_or_default().to_owned();
    [AuthoredText::new(label, Author::Asker), AuthoredText::new(value, Author::Ours)]
}

/// Returns a short text unchanged; of a longer one the beginning and the size.
fn text_excerpt(text: &str, rules: &Rules, lang: Lang) -> String {
    let (beginning, size) = excerpt_and_size(text, rules, lang);
    brief(&beginning) + &size
}

/// Returns a short text in quotation marks; of a longer one the beginning, and the size after the quotation.
pub(super) fn quoted_excerpt(text: &str, rules: &Rules, lang: Lang) -> String {
    let (beginning, size) = excerpt_and_size(text, rules, lang);
    quote(&beginning, lang) + &size
}

fn excerpt_and_size(text: &str, rules: &Rules, lang: Lang) -> (String, String) {
    let first = text.lines().next().unwrap_or_default();
    if first.len() == text.len() && text.chars().count() <= BRIEF_MAX_CHARS {
        return (text.to_owned(), String::new());
    }
    let first: String = first.chars().take(BRIEF_MAX_CHARS / 4).collect();
    (format!("{first}…"), format!(" ({})", text_size(text, rules, lang)))
}

/// Returns a text's size, counted as the asker's constraints count it, line breaks included.
fn text_size(text: &str, rules: &Rules, lang: Lang) -> String {
    let characters = text_length(text, rules);
    match rules.trimmed(text).split('\n').count() {
        1 => Message::LineCountOne.render_with(lang, [characters]),
        lines => Message::LineCount.render_with(lang, [lines, characters]),
    }
}

/// Returns a text's length as the constraints count it.
pub(crate) fn text_length(text: &str, rules: &Rules) -> usize {
    rules.length_unit.count(rules.trimmed(text))
}

/// Returns the announcement of a recorded reply.
pub(crate) fn recorded_notice(
    asked: &Questionnaire,
    question: &Question,
    reply: &Reply,
    lang: Lang,
) -> String {
    match &reply.content {
        ReplyContent::Unanswered | ReplyContent::NotAsked { .. } => {
            Message::ClearedNow.plain(lang).to_owned()
        }
        ReplyContent::Skipped => Message::SkippedNow.plain(lang).to_owned(),
        ReplyContent::Answered(Answer::Text(text)) if question.is_long_text() => {
            Message::Recorded.render_with(lang, [own(text_size(text, &asked.rules, lang))])
        }
        ReplyContent::Answered(_) => {
            Message::Recorded.render_with(lang, [reply_in_sentence(asked, question, reply, lang)])
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sayso_core::model::validation_rules::LengthUnit;

    #[test]
    fn long_text_is_cut_to_line() {
        let shown = brief(&"ab\n".repeat(1_000));
        assert!(shown.ends_with('…') && !shown.contains('\n'), "{shown}");
        assert_eq!(text_excerpt("one\ntwo", &Rules::default(), Lang::En), "one… (2 lines, 7 characters)");
        let utf16 = Rules { length_unit: LengthUnit::Utf16, ..Rules::default() };
        assert_eq!(text_excerpt("😀\n\n😀\n", &utf16, Lang::En), "😀… (3 lines, 6 characters)");
        assert_eq!(text_excerpt("one", &Rules::default(), Lang::En), "one");
    }
}
