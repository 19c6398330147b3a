//! Page of a question: text, possible answers and current reply.

use super::confirm_words;
use super::read;
use crate::asked::{self, Demanded, Looks};
use crate::manner::Scene;
use crate::recap;
use crate::wrap::{GUTTER, push_cut, push_wrapped};
use sayso_core::{
    Answer, Choice, ConsentQuestions, Constraint, Kind, Lang, Message, Offer, Opt, Question, Rating, Reply,
    Rules, Sheet, display, words,
};
use std::borrow::Cow;
use textwrap::core::display_width;

/// Prefix of continuations if every space counts.
const GUTTER_ON: &str = "|>";

/// Maximum number of steps of a scale that is listed in full.
const STEPS_LISTED: i32 = 11;

/// Buffer of screen lines.
pub(super) struct Page {
    pub(super) lang: Lang,
    columns: Option<usize>,
    /// True for an approval: escapes everything in agent text that could look like our own drawing.
    is_approval: bool,
    consent: ConsentQuestions,
    pub(super) text: String,
}

impl Page {
    pub(super) fn new(lang: Lang, scene: &Scene<'_>) -> Self {
        let is_approval = scene.sheet.questionnaire().action.is_some();
        let consent = ConsentQuestions::of(scene.sheet.questionnaire());
        Self { lang, columns: scene.columns, is_approval, consent, text: String::new() }
    }

    /// Appends a line of our own.
    pub(super) fn line(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
    }

    /// Appends a message of the catalogue.
    pub(super) fn say(&mut self, message: Message) {
        self.line(message.plain(self.lang));
    }

    /// Appends foreign text, possibly Markdown, each line behind the gutter.
    pub(super) fn foreign(&mut self, text: &str) {
        display::markdown_lines(text).iter().for_each(|line| self.put(GUTTER, GUTTER, line));
    }

    /// Appends foreign text unchanged, each line behind the gutter.
    pub(super) fn verbatim(&mut self, text: &str) {
        display::lines(text).for_each(|line| self.put(GUTTER, GUTTER, &line));
    }

    /// Appends data of an action with every space.
    pub(super) fn exact(&mut self, text: &str) {
        for line in display::lines(text) {
            push_cut(&mut self.text, self.columns, GUTTER, GUTTER_ON, &display::undrawn(&line));
        }
    }

    /// Appends an escaped foreign line behind our own prefix.
    fn put(&mut self, first: &str, then: &str, line: &str) {
        let line = if self.is_approval { Cow::Owned(display::undrawn(line)) } else { Cow::Borrowed(line) };
        push_wrapped(&mut self.text, self.columns, first, then, &line);
    }

    /// Appends the question's number, its kind and its requirement.
    pub(super) fn head(&mut self, sheet: &Sheet, index: usize, question: &Question) {
        let place = [sheet.number(index), sheet.progress().total];
        let place = Message::QuestionPlace.say(self.lang, place);
        let kind = asked::kind(question, self.lang);
        let need = asked::need(sheet, index, question);
        let follow_up = if question.parent.is_some() { Message::FollowUp.plain(self.lang) } else { "" };
        let parts = [place.as_str(), follow_up, &kind, need.plain(self.lang)];
        let parts: Vec<_> = parts.into_iter().filter(|part| !part.is_empty()).collect();
        self.line(&parts.join(recap::between(self.lang)));
    }

    /// Appends the possible answers and the constraints.
    pub(super) fn answerable(&mut self, question: &Question, looks: &Looks, rules: &Rules) {
        match &question.kind {
            Kind::Choice(choice) => self.options(question, choice, looks),
            Kind::Confirm(_) => {
                for (number, (_, words)) in confirm_words(question, self.lang).iter().enumerate() {
                    self.numbered(number + 1, words, "");
                }
            }
            Kind::Rating(rating) => self.rating(question, rating),
            Kind::Text(_) | Kind::Number(_) | Kind::Date | Kind::Time | Kind::Datetime => {}
        }
        if rules.must_be_true && question.required && matches!(question.kind, Kind::Confirm(_)) {
            self.say(Message::OnlyYesCounts);
        }
        self.constraints(&question.constraints);
        if let Some(example) = &question.placeholder {
            self.say(Message::ForExample);
            self.verbatim(example);
        }
    }

    /// Appends a numbered line with an agent's text, followed by our own mark.
    fn numbered(&mut self, number: usize, words: &str, mark: &str) {
        let first = format!("  {number}. ");
        let words = display::line(words);
        let line = format!("{words}{mark}");
        let fits = self.columns.is_none_or(|columns| display_width(&first) + display_width(&line) <= columns);
        let then = format!("     {GUTTER}");
        if fits || mark.is_empty() {
            self.put(&first, &then, &line);
        } else {
            // A mark of our own is never behind the gutter.
            self.put(&first, &then, &words);
            self.line(&format!("     {}", mark.trim_start()));
        }
    }

    fn options(&mut self, question: &Question, choice: &Choice, looks: &Looks) {
        for (number, offer) in (1..).zip(choice.offers()) {
            let Offer::Option(option) = offer else {
                let words = words::other(choice, self.lang).to_owned();
                self.numbered(number, &words, "");
                continue;
            };
            let is_suggested = self.consent.suggests(question, option);
            let suggested = is_suggested.then(|| Message::Suggested.plain(self.lang).to_owned());
            let value = looks.value(option, self.lang);
            let marks: String =
                suggested.into_iter().chain(value).map(|mark| format!("  [{mark}]")).collect();
            self.numbered(number, &option.label, &marks);
            let indent = format!("     {GUTTER}");
            for line in option.description.iter().flat_map(|text| display::markdown_lines(text)) {
                self.put(&indent, &indent, &line);
            }
        }
        if choice.options.iter().any(|option| option.preview.is_some()) {
            self.say(Message::PreviewHow);
        }
    }

    /// Appends the preview of one option.
    pub(super) fn preview(&mut self, number: usize, option: &Opt) {
        let label = recap::brief(&option.label);
        match &option.preview {
            None => self.line(&Message::NoPreview.say(self.lang, [number.to_string(), label])),
            Some(preview) => {
                self.line(&Message::PreviewOf.say(self.lang, [number.to_string(), label]));
                self.verbatim(preview);
            }
        }
    }

    fn rating(&mut self, question: &Question, rating: &Rating) {
        let steps = i64::from(rating.max) - i64::from(rating.min) + 1;
        for step in rating.min..=rating.max {
            let note = words::rating_note(question, step);
            if note.is_none() && (steps > i64::from(STEPS_LISTED) || !rating.emoji) {
                continue;
            }
            let face = if rating.emoji { asked::face(rating, step) } else { None };
            let said: Vec<_> = face.into_iter().chain(note).collect();
            let first = format!("  {step}. ");
            let line = display::line(&said.join(" ")).into_owned();
            self.put(&first, &format!("     {GUTTER}"), &line);
        }
    }

    /// Appends the constraints before an answer fails them, in the asker's words if it supplied some.
    fn constraints(&mut self, constraints: &[Constraint]) {
        let demanded = asked::demanded(constraints, self.lang);
        // An asker's message is often worded for a failed answer, so a line of our own introduces it.
        if demanded.iter().any(|demanded| matches!(demanded, Demanded::Askers(_))) {
            self.say(Message::WhatIsChecked);
        }
        for demanded in demanded {
            match demanded {
                Demanded::Askers(words) => self.verbatim(words),
                Demanded::Ours(words) => self.line(&words),
            }
        }
    }

    /// Appends the current reply, and how to type a long text.
    pub(super) fn so_far(&mut self, sheet: &Sheet, index: usize, question: &Question) {
        let reply = sheet.reply_at(index);
        if question.is_long_text() {
            if let Some(Answer::Text(text)) = reply.answer() {
                self.say(Message::TextSoFar);
                self.verbatim(text);
            }
            self.say(Message::LongTextHow);
        } else if sheet.is_prefilled(index) {
            let words = recap::answered(question, reply, &sheet.questionnaire().rules, self.lang);
            self.line(&Message::FilledIn.say(self.lang, [words]));
        } else if !reply.is_unanswered() {
            let words = recap::answered(question, reply, &sheet.questionnaire().rules, self.lang);
            self.line(&Message::ReplySoFar.say(self.lang, [words]));
        }
        self.note(reply);
    }

    fn note(&mut self, reply: &Reply) {
        if let Some(note) = &reply.note {
            self.line(&Message::NoteSoFar.say(self.lang, [recap::brief(note)]));
        }
    }
}

/// Returns the hint in front of the input.
pub(super) fn hint(question: &Question, lang: Lang) -> &'static str {
    match &question.kind {
        Kind::Choice(choice) if choice.multi => Message::HintSeveral.plain(lang),
        Kind::Choice(_) => Message::HintChoice.plain(lang),
        Kind::Text(text) if text.long => read::LINE_PROMPT,
        Kind::Text(_) => Message::HintText.plain(lang),
        Kind::Confirm(_) => Message::HintConfirm.plain(lang),
        Kind::Rating(_) | Kind::Number(_) => Message::HintNumber.plain(lang),
        Kind::Date => Message::HintDate.plain(lang),
        Kind::Time => Message::HintTime.plain(lang),
        Kind::Datetime => Message::HintDatetime.plain(lang),
    }
}
