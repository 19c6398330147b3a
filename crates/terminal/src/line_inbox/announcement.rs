//! One sentence about an ask: who asks, for what, and how it is answered. Its text is a beginning and an end; what a
//! person agrees to is read as a whole.

use crate::describe::{self, short_form};
use sayso_core::i18n::{foreign, own, own_prompt, quote};
use sayso_core::model::action::{ActSummary, ActionKind, ProposedAction};
use sayso_core::{Ask, Lang, Message, Questionnaire, display};
use std::borrow::Cow;

/// Most characters of a text on one line that is quoted as a whole.
const WHOLE_CHARS: usize = 120;

/// Characters of the beginning and of the end of a longer one.
const END_CHARS: usize = 60;

/// Lines and bytes up to which no size is given.
const UNSIZED_LINES: usize = 12;
const UNSIZED_BYTES: usize = 800;

/// Returns the sentence that announces an ask.
pub(super) fn announcement(ask: &Ask, home: &str, lang: Lang) -> String {
    let asker = own(asker(ask, home, lang));
    let questionnaire = &ask.request.questionnaire;
    let subject = own(subject(questionnaire, lang));
    match questionnaire.questions.as_slice() {
        _ if questionnaire.action.is_some() => Message::InboxPermission.render_with(lang, [asker, subject]),
        [question] => {
            let kind = own(question.kind.answer_words().render(lang));
            Message::InboxQuestion.render_with(lang, [asker, subject, kind])
        }
        several => Message::InboxQuestions.render_with(lang, [asker, own(several.len()), subject]),
    }
}

/// Returns the sentence about an ask that has ended.
pub(super) fn ended(ask: &Ask, end: String, lang: Lang) -> String {
    Message::InboxEnded.render_with(lang, [own(subject(&ask.request.questionnaire, lang)), own(end)])
}

/// Returns what an ask is about: its act, its only question or its title.
fn subject(questionnaire: &Questionnaire, lang: Lang) -> String {
    if let Some(action) = &questionnaire.action {
        return act(action, lang);
    }
    let [question] = questionnaire.questions.as_slice() else {
        return quote_ends(questionnaire.display_name(), lang);
    };
    let prompt = match own_prompt(questionnaire, question, lang) {
        Some(prompt) => prompt,
        None => quote_ends(&question.prompt, lang),
    };
    let detail = question.detail.as_deref().unwrap_or_default();
    let context = questionnaire.context.as_deref().unwrap_or_default();
    with_size(prompt, &[&question.prompt, detail, context], lang)
}

/// Returns the heading above an ask that is read as a whole.
pub(super) fn heading(ask: &Ask, home: &str, lang: Lang) -> String {
    let has_action = ask.request.questionnaire.action.is_some();
    let heading = if has_action { Message::InboxPermissionHead } else { Message::InboxQuestionHead };
    heading.render_with(lang, [own(asker(ask, home, lang))])
}

fn asker(ask: &Ask, home: &str, lang: Lang) -> String {
    let asker = ask.request.shown_asker();
    let name = asker.name_in_sentence(lang);
    match describe::folder_in_sentence(&asker, home) {
        Some(folder) => Message::InboxAskerIn.render_with(lang, [own(name), foreign(folder.into_owned())]),
        None => name,
    }
}

/// Returns the verb of an act, with the beginning and the end of what it is about, and the size of its data.
fn act(action: &ProposedAction, lang: Lang) -> String {
    let ActSummary { verb, object, .. } = ActSummary::from(action);
    let (object, data) = match &action.act {
        ActionKind::Shell { command, .. } => (command.clone(), command.clone()),
        ActionKind::Run { argv, .. } => {
            let argv: Vec<_> = argv.iter().map(|argument| display::quote_argument(argument)).collect();
            (argv.join(" "), argv.join("\n"))
        }
        ActionKind::Write { content, .. } => (object, content.clone()),
        ActionKind::Edit { diff, .. } => (object, diff.clone()),
        ActionKind::Open { url } => (url.clone(), url.clone()),
        ActionKind::Call { arguments } => (object, display::indent_json(arguments).into_owned()),
    };
    let words = [own(verb.message().plain(lang)), own(quote_ends(&object, lang))];
    with_size(Message::InboxAct.render_with(lang, words), &[&data], lang)
}

/// Adds the size of texts that are long.
fn with_size(words: String, texts: &[&str], lang: Lang) -> String {
    let lines: usize = texts.iter().map(|text| text.lines().count()).sum();
    let bytes: usize = texts.iter().map(|text| text.len()).sum();
    if lines <= UNSIZED_LINES && bytes <= UNSIZED_BYTES {
        return words;
    }
    let size = match bytes {
        0..1_000 => Message::SizeBytes.render_with(lang, [bytes]),
        _ => Message::SizeKilobytes.render_with(lang, [bytes.div_ceil(1_000)]),
    };
    Message::InboxSized.render_with(lang, [own(words), own(lines), own(size)])
}

/// Returns a text in quotation marks, or the beginning and the end of a long one.
fn quote_ends(text: &str, lang: Lang) -> String {
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let first = lines.next().unwrap_or_default();
    let last = lines.next_back();
    if last.is_none() && first.chars().count() <= WHOLE_CHARS {
        return quote(first, lang);
    }
    let beginning: Cow<'_, str> = short_form::truncate_chars(first, END_CHARS);
    let last = last.unwrap_or(first);
    let end = match last.char_indices().rev().nth(END_CHARS - 1) {
        Some((start, _)) => last.get(start..).unwrap_or_default(),
        None => last,
    };
    format!("{} … {}", quote(beginning.trim_end_matches('…'), lang), quote(end, lang))
}
