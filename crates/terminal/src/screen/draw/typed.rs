//! Typed answers: text box, length, and interpretation.

use super::super::answering::{Answering, Field, Focus};
use super::super::app::App;
use super::super::theme::Role;
use super::NARROW;
use super::question::{Frame, Sketch};
use crate::{recap, when};
use jiff::civil::Date;
use sayso_core::{Answer, Demand, Kind, Lang, Message, Question, Rules, display, words};

impl App {
    /// Adds a typed answer in its box.
    pub(super) fn put_typed(
        &self,
        view: &Answering,
        question: &Question,
        field: &mut Field,
        page: &mut Sketch<'_>,
    ) {
        let lang = self.setup.lang;
        let has_focus = field.focus == Focus::Text;
        let count = Self::length(question, &view.sheet.questionnaire().rules, field.text.text());
        let least = if question.is_long_text() { 4 } else { 1 };
        let title = Message::YourAnswer.plain(lang).to_owned();
        let narrow = page.builder.columns < NARROW;
        let start = page.builder.rows.len();
        let indent = usize::from(!narrow);
        let frame = Frame { indent, title: &title, count: &count, least, note: false };
        page.text_box(&frame, &mut field.text, has_focus);
        let example = question.placeholder.as_deref().filter(|_| field.text.is_empty());
        if let Some(example) = example.and_then(|text| text.lines().find(|line| !line.trim().is_empty())) {
            let said = display::line(example).into_owned();
            let said = Message::Example.say(lang, [said]);
            page.builder.quoting(2, &said, Role::Faint);
        }
        if !has_focus {
            page.focus_from(start);
        }
        if matches!(question.kind, Kind::Text(_)) || field.text.is_empty() {
            if question.kind.is_date_or_time() && field.text.is_empty() {
                page.builder.ours(2, date_how(&question.kind).plain(lang), Role::Faint);
            }
            return;
        }
        let said = match field.typed(question, &self.now) {
            Some(Answer::Text(_)) | None => {
                let typed = field.text.text();
                let day =
                    matches!(question.kind, Kind::Datetime).then(|| when::date(typed, &self.now)).flatten();
                match (when::impossible(&question.kind, typed), day) {
                    (Some(said), _) => said.say(lang, [display::line(typed.trim())]),
                    (None, Some(day)) => {
                        Message::TimeMissing.say(lang, [on_weekday(day, day.to_string(), lang)])
                    }
                    (None, None) if question.kind.is_date_or_time() => {
                        Message::NotUnderstoodLike.say(lang, [date_how(&question.kind).plain(lang)])
                    }
                    (None, None) => Message::NotUnderstood.plain(lang).to_owned(),
                }
            }
            Some(answer) => self.understood(question, &answer),
        };
        page.builder.ours(2, &said, Role::Faint);
    }

    /// Describes how a typed date or number was interpreted.
    fn understood(&self, question: &Question, answer: &Answer) -> String {
        let lang = self.setup.lang;
        let words = words::answer(question, answer, lang).into_owned();
        let day = match answer {
            Answer::Date(date) => Some(*date),
            Answer::Datetime(moment) => Some(moment.at.date()),
            _ => None,
        };
        let words = match day {
            Some(day) => on_weekday(day, words, lang),
            None => words,
        };
        match answer {
            Answer::Datetime(moment) if moment.offset.is_none() => Message::UnderstoodHere.say(lang, [words]),
            _ => Message::UnderstoodAs.say(lang, [words]),
        }
    }

    /// Describes the length of a text and its maximum.
    fn length(question: &Question, rules: &Rules, text: &str) -> String {
        let most = question.constraints.iter().flat_map(sayso_core::Constraint::demands).find_map(|demand| {
            match demand {
                Demand::MaxLength(most) => Some(*most),
                _ => None,
            }
        });
        let length = recap::length(text, rules);
        match most {
            Some(most) => format!("{length} / {most}"),
            None if length > 0 && matches!(question.kind, Kind::Text(_)) => length.to_string(),
            None => String::new(),
        }
    }
}

/// Prefixes a date with the name of its weekday.
fn on_weekday(day: Date, words: String, lang: Lang) -> String {
    match lang {
        Lang::En => format!("{} {words}", day.strftime("%A")),
        Lang::Zh => words,
    }
}

const fn date_how(kind: &Kind) -> Message {
    match kind {
        Kind::Date => Message::DateHow,
        Kind::Time => Message::TimeHow,
        _ => Message::DatetimeHow,
    }
}
