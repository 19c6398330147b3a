//! A question on the page: what is asked, what can be answered, and what stands there already.

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

/// Stands in front of what goes on from the line before, where every space counts.
const GUTTER_ON: &str = "|>";

/// Scales of up to so many steps are listed step by step.
const STEPS_LISTED: i32 = 11;

/// Lines for the screen.
pub(super) struct Page {
    pub(super) lang: Lang,
    columns: Option<usize>,
    /// Something would be done: nothing in an agent's words may look as if it were drawn by us.
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

    /// A line of ours.
    pub(super) fn line(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
    }

    /// A sentence of the catalogue.
    pub(super) fn say(&mut self, message: Message) {
        self.line(message.plain(self.lang));
    }

    /// Words of others, which may be Markdown, each line behind the gutter.
    pub(super) fn foreign(&mut self, text: &str) {
        display::markdown_lines(text).iter().for_each(|line| self.put(GUTTER, GUTTER, line));
    }

    /// Words of others exactly as they are, each line behind the gutter.
    pub(super) fn verbatim(&mut self, text: &str) {
        display::lines(text).for_each(|line| self.put(GUTTER, GUTTER, &line));
    }

    /// What would be done, to the last space.
    pub(super) fn exact(&mut self, text: &str) {
        for line in display::lines(text) {
            push_cut(&mut self.text, self.columns, GUTTER, GUTTER_ON, &display::undrawn(&line));
        }
    }

    /// A line of somebody else's words, made safe before, behind a mark of ours.
    fn put(&mut self, first: &str, then: &str, line: &str) {
        let line = if self.is_approval { Cow::Owned(display::undrawn(line)) } else { Cow::Borrowed(line) };
        push_wrapped(&mut self.text, self.columns, first, then, &line);
    }

    /// Which question it is, of what kind, and whether it must be answered.
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

    /// What can be answered, and what an answer must be like.
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

    /// A numbered line with an agent's words, and with a mark of ours behind them.
    fn numbered(&mut self, number: usize, words: &str, mark: &str) {
        let first = format!("  {number}. ");
        let words = display::line(words);
        let line = format!("{words}{mark}");
        let fits = self.columns.is_none_or(|columns| display_width(&first) + display_width(&line) <= columns);
        let then = format!("     {GUTTER}");
        if fits || mark.is_empty() {
            self.put(&first, &then, &line);
        } else {
            // A mark of ours is never behind the gutter.
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

    /// What one option would look like.
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

    /// What an answer must be like, before it fails: in the asker's words where it has some.
    fn constraints(&mut self, constraints: &[Constraint]) {
        let demanded = asked::demanded(constraints, self.lang);
        // An asker's words are often those for an answer that failed: a line of ours says what they are.
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

    /// What stands there already, and how a long text is typed.
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

/// What stands in front of the input.
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
