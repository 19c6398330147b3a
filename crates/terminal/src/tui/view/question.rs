//! Page of one question: prompt, answer, note and problems.

use super::super::answer::{AskView, FieldFocus, FieldState};
use super::super::app::App;
use super::super::editor::TextBox;
use super::super::widgets::box_edge;
use super::super::widgets::line_builder::{HitTarget, LineBuilder, StyledRow, display_width};
use super::super::widgets::theme::StyleRole;
use super::{PageContent, TextBoxSlot, action, choice, scale};
use crate::describe::{self, ConstraintText, SpoofingCheck};
use ratatui::layout::Rect;
use sayso_core::{LocalizedText, Message, Question, QuestionKind};
use std::rc::Rc;

/// Minimum height of a page that shows the context above a question.
const LOW_HEIGHT: u16 = 12;

/// Page under construction.
pub(super) struct PageBuilder<'a> {
    pub(super) builder: LineBuilder<'a>,
    pub(super) focus: Option<(usize, usize)>,
    pub(super) caret: Option<(usize, usize)>,
    /// Row at which the prompt begins.
    pub(super) prompt_row: usize,
    /// Number of visible rows of the page.
    pub(super) height: usize,
    /// Display hints of the question.
    pub(super) display_hints: Rc<SpoofingCheck>,
    /// Widths of the text boxes so far.
    pub(super) text_widths: Vec<(TextBoxSlot, usize)>,
}

/// Frame of a text box.
pub(super) struct TextBoxFrame<'a> {
    /// Margin in columns on each side.
    pub(super) indent: usize,
    pub(super) title: &'a str,
    /// Length of the text, as shown.
    pub(super) count: &'a str,
    /// Minimum number of inner rows.
    pub(super) min_rows: usize,
    /// The text is the note, not the answer.
    pub(super) is_note: bool,
}

impl App {
    pub(super) fn question_page(&self, view: &AskView, place: usize, body: Rect) -> PageContent {
        let (Some(question), Some(field)) = (view.question(place), view.field(place)) else {
            return PageContent::default();
        };
        let cx = self.view_context();
        let theme = &self.setup.theme;
        let mut page = PageBuilder {
            builder: LineBuilder::new(theme, usize::from(body.width)).with_cache(&self.layout_cache),
            prompt_row: 0,
            focus: None,
            caret: None,
            height: usize::from(body.height),
            display_hints: field.display_hints(question, self.setup.lang),
            text_widths: Vec::new(),
        };
        let action_end = self.put_action(view, place, &mut page);
        self.put_prompt(view, place, question, &mut page);
        page.builder.push_blank();
        match &question.kind {
            QuestionKind::Choice(choice) => choice::push_choice(&cx, view, place, choice, field, &mut page),
            QuestionKind::Confirm(_) => scale::push_confirm(&cx, view, place, question, &mut page),
            QuestionKind::Rating(rating) => scale::push_rating(&cx, view, place, question, rating, &mut page),
            QuestionKind::Text(_)
            | QuestionKind::Number(_)
            | QuestionKind::Date
            | QuestionKind::Time
            | QuestionKind::Datetime => {
                self.put_typed_answer(view, question, field, &mut page);
            }
        }
        self.put_problems(view, place, question, &mut page.builder);
        self.put_note(field, &mut page);
        // On a low page the context scrolls away in favour of the question; an action does not.
        let is_low = body.height < LOW_HEIGHT && action_end.is_none();
        let beginning = if is_low { page.prompt_row } else { 0 };
        PageContent {
            rows: page.builder.rows,
            content_start: beginning,
            action_end,
            focus: page.focus,
            caret: page.caret,
            text_widths: page.text_widths,
        }
    }

    /// Adds the action above the question that takes consent to it, and what the agent says about it. Returns the last
    /// row of the action.
    fn put_action(&self, view: &AskView, place: usize, page: &mut PageBuilder<'_>) -> Option<usize> {
        let questionnaire = view.sheet.questionnaire();
        let action = questionnaire.action.as_ref().filter(|_| view.action_place() == Some(place))?;
        action::push_action(&self.view_context(), action, &mut page.builder);
        let end = page.builder.rows.len().checked_sub(1);
        if let Some(context) = &questionnaire.context {
            page.builder.push_own(1, Message::AgentSays.plain(self.setup.lang), StyleRole::Faint);
            page.builder.push_markdown(1, context);
        }
        page.builder.push_blank();
        end
    }

    /// Adds the prompt, and everything to know before answering.
    fn put_prompt(&self, view: &AskView, place: usize, question: &Question, page: &mut PageBuilder<'_>) {
        let lang = self.setup.lang;
        let builder = &mut page.builder;
        let sheet = &view.sheet;
        let is_first = sheet.asked_questions().next().is_some_and(|(first, _)| first == place);
        if (is_first || view.first_correction() == Some(place))
            && let Some(feedback) = view.ask.feedback()
        {
            builder.push_own_with_quote(
                1,
                &describe::changes_heading(&view.ask, sheet, lang),
                StyleRole::Warning,
            );
            feedback.summary.iter().for_each(|summary| builder.push_markdown(1, summary));
        }
        let questionnaire = sheet.questionnaire();
        if is_first
            && questionnaire.action.is_none()
            && let Some(context) = &questionnaire.context
        {
            builder.push_markdown(1, context);
            builder.push_blank();
        }
        if let Some(section) = describe::section_heading(sheet, place, question, lang) {
            let role = if section.is_first { StyleRole::Strong } else { StyleRole::Faint };
            builder.push_own_with_quote(1, &section.line, role);
            if section.is_first {
                section.detail.iter().for_each(|detail| builder.push_markdown(1, detail));
            }
            if section.is_first && section.optional {
                builder.push_own(1, Message::SectionMayStay.plain(lang), StyleRole::Faint);
            }
        }
        let follow_up = if question.parent.is_some() { Message::FollowUp.plain(lang) } else { "" };
        let need = match describe::requirement(sheet, place, question) {
            Message::MaySkip => Message::Optional,
            need => need,
        };
        let need = need.plain(lang);
        let number =
            Message::QuestionPlace.render_with(lang, [sheet.number_of(place), sheet.progress().total]);
        let facts = [number.as_str(), follow_up, &describe::answer_kind(question, lang), need];
        let facts: Vec<_> = facts.into_iter().filter(|fact| !fact.is_empty()).collect();
        builder.push_own(1, &facts.join(describe::sentence_separator(lang)), StyleRole::Faint);
        page.prompt_row = builder.rows.len();
        builder.push_markdown(1, &question.prompt);
        if let Some(detail) = &question.detail {
            builder.push_row(builder.gutter(1));
            builder.push_markdown(1, detail);
        }
        for said in &page.display_hints.warnings {
            builder.push_own_with_quote(1, said, StyleRole::Warning);
        }
        self.put_constraints(view, place, question, builder);
    }

    /// Adds the constraints of the answer, before any of them fails.
    fn put_constraints(
        &self,
        view: &AskView,
        place: usize,
        question: &Question,
        builder: &mut LineBuilder<'_>,
    ) {
        let lang = self.setup.lang;
        let rules = &view.sheet.questionnaire().rules;
        if rules.must_be_true && question.required && matches!(question.kind, QuestionKind::Confirm(_)) {
            builder.push_own(1, Message::OnlyYesCounts.plain(lang), StyleRole::Faint);
        }
        let demanded = describe::constraint_texts(view.constraints(place), lang);
        if demanded.iter().any(|demanded| matches!(demanded, ConstraintText::FromAsker(_))) {
            builder.push_own(1, Message::WhatIsChecked.plain(lang), StyleRole::Faint);
        }
        for demanded in demanded {
            match demanded {
                ConstraintText::FromAsker(words) => builder.push_agent(1, words, StyleRole::Agent),
                ConstraintText::Own(words) => builder.push_own(1, &words, StyleRole::Faint),
            }
        }
    }

    /// Adds the problems, once the person left the question or tried to submit, and the asker's corrections.
    fn put_problems(&self, view: &AskView, place: usize, question: &Question, builder: &mut LineBuilder<'_>) {
        let lang = self.setup.lang;
        let wrong = self.setup.theme.symbols.wrong;
        let errors = view.ask.feedback().map(|feedback| feedback.errors.as_slice()).unwrap_or_default();
        for (_, error) in errors.iter().filter(|(id, _)| *id == question.id) {
            let said = describe::objection_heading(&view.ask, &view.sheet, place, lang);
            builder.push_own_with_quote(1, &format!("{wrong} {said}"), StyleRole::Failure);
            builder.push_markdown(1, error);
        }
        if view.sheet.is_prefilled(place) {
            let words = describe::reply_without_note(
                question,
                view.sheet.reply_at(place),
                &view.sheet.questionnaire().rules,
                lang,
            );
            builder.push_own_with_quote(
                1,
                &Message::FilledInStands.render_with(lang, [words]),
                StyleRole::Warning,
            );
        }
        if view.suggested.contains(&place) {
            builder.push_own(1, Message::SuggestedTaken.plain(lang), StyleRole::Warning);
        }
        if !view.flagged.contains(&place) {
            return;
        }
        for problem in view.sheet.blocking_problems_at(place) {
            match &problem.message {
                LocalizedText::Verbatim(words) => {
                    builder.push_own(1, wrong, StyleRole::Failure);
                    builder.push_agent(1, words, StyleRole::Agent);
                }
                LocalizedText::Message(..) => {
                    builder.push_own(
                        1,
                        &format!("{wrong} {}", problem.message.render(lang)),
                        StyleRole::Failure,
                    );
                }
            }
        }
    }

    fn put_note(&self, field: &FieldState, page: &mut PageBuilder<'_>) {
        let lang = self.setup.lang;
        if field.focus == FieldFocus::Note {
            page.builder.push_blank();
            let title = Message::YourNote.plain(lang).to_owned();
            let frame = TextBoxFrame { indent: 1, title: &title, count: "", min_rows: 4, is_note: true };
            page.put_text_box(&frame, &field.note, true);
        } else if !field.note.is_empty() {
            page.builder.push_blank();
            let words = describe::brief(field.note.text());
            page.builder.push_own(1, &Message::NoteSoFar.render_with(lang, [words]), StyleRole::Plain);
        }
    }
}

impl PageBuilder<'_> {
    /// Adds a text box, with the caret if it has the focus.
    pub(super) fn put_text_box(&mut self, frame: &TextBoxFrame<'_>, text: &TextBox, has_focus: bool) {
        let TextBoxFrame { indent, title, count, min_rows: least, is_note: note } = *frame;
        let signs = self.builder.theme.symbols;
        let columns = self.builder.columns.saturating_sub(indent * 2).min(100);
        let inner = columns.saturating_sub(4).max(4);
        let slot = if note { TextBoxSlot::Note } else { TextBoxSlot::Answer };
        self.text_widths.push((slot, inner));
        let text = text.at_width(inner);
        let taken = self.builder.rows.len() + 4;
        let room = self.height.saturating_sub(taken).max(least.min(3)).max(1);
        let rows = text.rows().max(least).min(room);
        let caret = text.caret_cell();
        let first = if has_focus { (caret.row + 1).saturating_sub(rows) } else { 0 };
        let pad = " ".repeat(indent);
        let frame = if has_focus { StyleRole::Plain } else { StyleRole::Faint };
        let top =
            self.builder.span(format!("{pad}{}", box_edge::upper_edge(signs, columns, title, count)), frame);
        self.builder.push_row(vec![top]);
        let start = self.builder.rows.len();
        let mut shown = text.visible_rows(first, rows);
        shown.resize(rows, String::new());
        for (row, words) in (first..).zip(shown) {
            let fill = " ".repeat(inner.saturating_sub(display_width(&words)));
            let bar = |builder: &LineBuilder<'_>| builder.span(signs.separator, frame);
            let spans = vec![
                (pad.clone(), self.builder.theme.style(StyleRole::Plain)),
                bar(&self.builder),
                self.builder.span(format!(" {words}{fill} "), StyleRole::Plain),
                bar(&self.builder),
            ];
            self.builder.rows.push(StyledRow {
                spans: spans.into(),
                hit: Some(HitTarget::Text { note, row, from: indent + 2 }),
            });
        }
        let (line, column) = text.line_and_column();
        let more = text.rows() > rows;
        let at = if more || line > 1 { format!("{line}:{column}") } else { String::new() };
        let bottom = self.builder.span(format!("{pad}{}", box_edge::lower_edge(signs, columns, &at)), frame);
        self.builder.push_row(vec![bottom]);
        if has_focus {
            self.caret = Some((start + caret.row - first, indent + 2 + caret.column.min(inner)));
            self.focus_from(start);
        }
    }

    /// Marks the rows from this one on as focused.
    pub(super) fn focus_from(&mut self, start: usize) {
        self.focus = Some((start, self.builder.rows.len()));
    }
}
