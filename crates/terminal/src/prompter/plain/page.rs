//! Page of a question: text, possible answers and current reply.

use super::confirm_words;
use super::line_parser;
use crate::describe::{self, ConstraintText, SpoofingCheck};
use crate::prompter::prompt_style::PromptContext;
use crate::wrap::{GUTTER, push_cut, push_wrapped};
use sayso_core::i18n::{exact_lines, foreign, own};
use sayso_core::model::ask::Submission;
use sayso_core::{
    Answer, ChoiceItem, ChoiceOption, ChoiceQuestion, ConsentQuestions, Constraint, Lang, Message, Question,
    QuestionInput, RatingQuestion, Reply, Rules, Sheet, display,
};
use textwrap::core::display_width;

/// Prefix of continuations if every space counts.
const CONTINUATION_GUTTER: &str = "|>";

/// Maximum number of steps of a scale that is listed in full.
const MAX_LISTED_STEPS: i32 = 11;

/// Buffer of screen lines.
pub(super) struct PlainPage<'a> {
    pub(super) lang: Lang,
    columns: Option<usize>,
    consent: ConsentQuestions,
    refused: Option<&'a Submission>,
    pub(super) text: String,
}

impl<'a> PlainPage<'a> {
    pub(super) fn new(lang: Lang, scene: &PromptContext<'a>) -> Self {
        let consent = ConsentQuestions::for_questionnaire(scene.sheet.questionnaire());
        let refused = scene.ask.refused_submission();
        Self { lang, columns: scene.columns, consent, refused, text: String::new() }
    }

    /// Appends a line of our own.
    pub(super) fn push_line(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
    }

    /// Appends a message of the catalogue.
    pub(super) fn push_message(&mut self, message: Message) {
        self.push_line(message.plain(self.lang));
    }

    /// Appends foreign text, possibly Markdown, each line behind the gutter.
    pub(super) fn push_foreign(&mut self, text: &str) {
        for line in display::markdown_lines(text) {
            self.push_prefixed(GUTTER, GUTTER, &line);
        }
    }

    /// Appends foreign text unchanged, each line behind the gutter.
    pub(super) fn push_verbatim(&mut self, text: &str) {
        for line in display::escape_lines(text) {
            self.push_prefixed(GUTTER, GUTTER, &line);
        }
    }

    /// Appends data of an action with every space.
    pub(super) fn push_exact(&mut self, text: &str) {
        for line in exact_lines(text, self.lang) {
            push_cut(&mut self.text, self.columns, GUTTER, CONTINUATION_GUTTER, &line);
        }
    }

    /// Appends an escaped foreign line behind our own prefix.
    fn push_prefixed(&mut self, first_prefix: &str, other_prefix: &str, line: &str) {
        push_wrapped(&mut self.text, self.columns, first_prefix, other_prefix, line);
    }

    /// Appends the question's number, its kind and its requirement.
    pub(super) fn push_head(&mut self, sheet: &Sheet, index: usize, question: &Question) {
        let place = [sheet.number_of(index), sheet.progress().total];
        let place = Message::QuestionPlace.render_with(self.lang, place);
        let kind = question.kind.answer_words().render(self.lang);
        let requirement = describe::requirement(sheet, index, question);
        let follow_up = if question.parent.is_some() { Message::FollowUp.plain(self.lang) } else { "" };
        let mut parts = vec![place.as_str(), follow_up, &kind, requirement.plain(self.lang)];
        parts.retain(|part| !part.is_empty());
        self.push_line(&parts.join(describe::sentence_separator(self.lang)));
    }

    /// Appends the possible answers and the constraints.
    pub(super) fn push_answers(&mut self, question: &Question, looks: &SpoofingCheck, rules: &Rules) {
        match question.input() {
            QuestionInput::Options(choice) => self.push_options(question, choice, looks, rules),
            QuestionInput::Toggle(confirm) => {
                for (number, (confirmed, words)) in confirm_words(confirm, self.lang).iter().enumerate() {
                    let is_suggested = self.consent.suggests_confirm(question, *confirmed, self.refused);
                    self.push_numbered(number + 1, words, &self.marks(is_suggested, None));
                }
            }
            QuestionInput::Scale(rating) => self.push_rating(rating),
            QuestionInput::Line(_) => {}
        }
        if rules.must_be_true && question.required && matches!(question.input(), QuestionInput::Toggle(_)) {
            self.push_message(Message::OnlyYesCounts);
        }
        self.push_constraints(&question.constraints);
        if let Some(example) = &question.placeholder {
            self.push_message(Message::ForExample);
            self.push_verbatim(example);
        }
    }

    /// Appends a numbered line that is escaped already and may quote an agent, followed by our own mark.
    fn push_numbered(&mut self, number: usize, words: &str, mark: &str) {
        let first_prefix = format!("  {number}. ");
        let other_prefix = format!("     {GUTTER}");
        let words = display::escape_composed(words);
        let line = format!("{words}{mark}");
        let width = display_width(&first_prefix) + display_width(&line);
        let fits = self.columns.is_none_or(|columns| width <= columns);
        if fits || mark.is_empty() {
            self.push_prefixed(&first_prefix, &other_prefix, &line);
        } else {
            // A mark of our own is never behind the gutter.
            self.push_prefixed(&first_prefix, &other_prefix, &words);
            self.push_line(&format!("     {}", mark.trim_start()));
        }
    }

    /// Returns our marks of an offer: that the asker suggests it, and its value.
    fn marks(&self, is_suggested: bool, value: Option<&str>) -> String {
        let mut marks = String::new();
        if is_suggested {
            marks.push_str(&format!("  [{}]", Message::Suggested.plain(self.lang)));
        }
        if let Some(value) = value {
            let words = Message::ItsValue.render_with(self.lang, [foreign(value)]);
            marks.push_str(&format!("  [{words}]"));
        }
        marks
    }

    fn push_options(
        &mut self,
        question: &Question,
        choice: &ChoiceQuestion,
        looks: &SpoofingCheck,
        rules: &Rules,
    ) {
        for (number, offer) in (1..).zip(choice.items()) {
            let ChoiceItem::Option(option) = offer else {
                let words = choice.own_answer_row(rules, self.lang);
                self.push_numbered(number, &display::escape_line(words), "");
                continue;
            };
            let is_suggested = self.consent.suggests(question, option, self.refused);
            let marks = self.marks(is_suggested, looks.option_value(option));
            self.push_numbered(number, &display::escape_line(&option.label), &marks);
            if let Some(description) = &option.description {
                let prefix = format!("     {GUTTER}");
                for line in display::markdown_lines(description) {
                    self.push_prefixed(&prefix, &prefix, &line);
                }
            }
        }
        if choice.options.iter().any(|option| option.preview.is_some()) {
            self.push_message(Message::PreviewHow);
        }
    }

    /// Appends the preview of one option.
    pub(super) fn push_preview(&mut self, number: usize, option: &ChoiceOption) {
        let label = describe::excerpt(&option.label);
        match &option.preview {
            None => self.push_line(&Message::NoPreview.render_with(self.lang, [own(number), foreign(label)])),
            Some(preview) => {
                self.push_line(&Message::PreviewOf.render_with(self.lang, [own(number), foreign(label)]));
                self.push_verbatim(preview);
            }
        }
    }

    fn push_rating(&mut self, rating: &RatingQuestion) {
        let steps = i64::from(rating.max) - i64::from(rating.min) + 1;
        for step in rating.min..=rating.max {
            let note = rating.label(step);
            if note.is_none() && (steps > i64::from(MAX_LISTED_STEPS) || !rating.emoji) {
                continue;
            }
            let face = if rating.emoji { rating.face(step) } else { None };
            let words: Vec<_> = face.into_iter().chain(note).collect();
            let words = words.join(" ");
            let line = display::escape_line(&words);
            self.push_prefixed(&format!("  {step}. "), &format!("     {GUTTER}"), &line);
        }
    }

    /// Appends the constraints before an answer fails them, in the asker's words if it supplied some.
    fn push_constraints(&mut self, constraints: &[Constraint]) {
        let texts = describe::constraint_texts(constraints, self.lang);
        // An asker's message is often worded for a failed answer, so a line of our own introduces it.
        if texts.iter().any(|text| matches!(text, ConstraintText::FromAsker(_))) {
            self.push_message(Message::WhatIsChecked);
        }
        for text in texts {
            match text {
                ConstraintText::FromAsker(words) => self.push_verbatim(words),
                ConstraintText::Own(words) => self.push_line(&words),
            }
        }
    }

    /// Appends the current reply, and how to type a long text.
    pub(super) fn push_current_reply(&mut self, sheet: &Sheet, index: usize, question: &Question) {
        let reply = sheet.reply_at(index);
        if question.is_long_text() {
            if let Some(Answer::Text(text)) = reply.answer() {
                self.push_message(Message::TextSoFar);
                self.push_verbatim(text);
            }
            self.push_message(Message::LongTextHow);
        } else if sheet.is_prefilled(index) {
            let words = describe::reply_in_sentence(sheet.questionnaire(), question, reply, self.lang);
            self.push_line(&Message::FilledIn.render_with(self.lang, [words]));
        } else if !reply.is_unanswered() {
            let words = describe::reply_in_sentence(sheet.questionnaire(), question, reply, self.lang);
            self.push_line(&Message::ReplySoFar.render_with(self.lang, [words]));
        }
        self.push_note(reply);
    }

    fn push_note(&mut self, reply: &Reply) {
        if let Some(note) = &reply.note {
            self.push_line(&Message::NoteSoFar.render_with(self.lang, [foreign(describe::excerpt(note))]));
        }
    }
}

/// Returns the text in front of the cursor, which says how an answer of this kind is typed.
pub(super) fn input_hint(question: &Question, lang: Lang) -> &'static str {
    if question.is_long_text() {
        return line_parser::LINE_PROMPT;
    }
    question.kind.line_hint().plain(lang)
}
