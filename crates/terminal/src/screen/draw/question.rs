//! Page of one question: prompt, answer, note and problems.

use super::super::answering::{Answering, Field, Focus};
use super::super::app::App;
use super::super::paper::{Hit, Paper, Row, width};
use super::super::text::TextBox;
use super::super::theme::Role;
use super::{Page, edge};
use crate::asked::{self, Demanded, Looks};
use crate::recap;
use ratatui::layout::Rect;
use sayso_core::{Kind, Message, Question, Text};
use std::rc::Rc;

/// Minimum height of a page that shows the context above a question.
const LOW: u16 = 12;

/// Page under construction.
pub(super) struct Sketch<'a> {
    pub(super) builder: Paper<'a>,
    pub(super) focus: Option<(usize, usize)>,
    pub(super) caret: Option<(usize, usize)>,
    /// Row at which the prompt begins.
    pub(super) prompt: usize,
    /// Number of visible rows of the page.
    pub(super) height: usize,
    /// Display hints of the question.
    pub(super) looks: Rc<Looks>,
}

/// Frame of a text box.
pub(super) struct Frame<'a> {
    /// Margin in columns on each side.
    pub(super) indent: usize,
    pub(super) title: &'a str,
    /// Length of the text, as shown.
    pub(super) count: &'a str,
    /// Minimum number of inner rows.
    pub(super) least: usize,
    /// The text is the note, not the answer.
    pub(super) note: bool,
}

impl App {
    pub(super) fn question_page(&self, view: &mut Answering, place: usize, body: Rect) -> Page {
        let Some(mut field) = view.take_field(place) else { return Page::default() };
        let page = self.page_of(view, place, &mut field, body);
        view.put_field(place, field);
        page
    }

    fn page_of(&self, view: &Answering, place: usize, field: &mut Field, body: Rect) -> Page {
        let Some(question) = view.question(place) else { return Page::default() };
        let theme = &self.setup.theme;
        let mut page = Sketch {
            builder: Paper::new(theme, usize::from(body.width)).keeping(&self.laid),
            prompt: 0,
            focus: None,
            caret: None,
            height: usize::from(body.height),
            looks: field.looks(question, self.setup.lang),
        };
        self.put_head(view, place, question, &mut page);
        page.builder.blank();
        match &question.kind {
            Kind::Choice(choice) => self.put_choice(view, place, choice, field, &mut page),
            Kind::Confirm(_) => self.put_confirm(view, place, question, &mut page),
            Kind::Rating(rating) => self.put_rating(view, place, question, rating, &mut page),
            Kind::Text(_) | Kind::Number(_) | Kind::Date | Kind::Time | Kind::Datetime => {
                self.put_typed(view, question, field, &mut page);
            }
        }
        self.put_problems(view, place, question, &mut page.builder);
        self.put_note(field, &mut page);
        // On a low page the context scrolls away in favour of the question.
        let beginning = if body.height < LOW { page.prompt } else { 0 };
        Page { rows: page.builder.rows, beginning, focus: page.focus, caret: page.caret }
    }

    /// Adds the prompt, and everything to know before answering.
    fn put_head(&self, view: &Answering, place: usize, question: &Question, page: &mut Sketch<'_>) {
        let lang = self.setup.lang;
        let builder = &mut page.builder;
        let sheet = &view.sheet;
        let is_first = sheet.asked().next().is_some_and(|(first, _)| first == place);
        if (is_first || view.to_mend() == Some(place))
            && let Some(feedback) = view.ask.feedback()
        {
            builder.quoting(1, &recap::wants_changes(&view.ask, sheet, lang), Role::Warn);
            feedback.summary.iter().for_each(|summary| builder.markdown(1, summary));
        }
        let questionnaire = sheet.questionnaire();
        if is_first
            && questionnaire.action.is_none()
            && let Some(context) = &questionnaire.context
        {
            builder.markdown(1, context);
            builder.blank();
        }
        if let Some(section) = asked::section(sheet, place, question, lang) {
            let role = if section.begins { Role::Strong } else { Role::Faint };
            builder.quoting(1, &section.line, role);
            if section.begins {
                section.detail.iter().for_each(|detail| builder.markdown(1, detail));
            }
            if section.begins && section.optional {
                builder.ours(1, Message::SectionMayStay.plain(lang), Role::Faint);
            }
        }
        let follow_up = if question.parent.is_some() { Message::FollowUp.plain(lang) } else { "" };
        let need = match asked::need(sheet, place, question) {
            Message::MaySkip => Message::Optional,
            need => need,
        };
        let need = need.plain(lang);
        let number = Message::QuestionPlace.say(lang, [sheet.number(place), sheet.progress().total]);
        let facts = [number.as_str(), follow_up, &asked::kind(question, lang), need];
        let facts: Vec<_> = facts.into_iter().filter(|fact| !fact.is_empty()).collect();
        builder.ours(1, &facts.join(recap::between(lang)), Role::Faint);
        page.prompt = builder.rows.len();
        builder.markdown(1, &question.prompt);
        if let Some(detail) = &question.detail {
            builder.row(builder.gutter(1));
            builder.markdown(1, detail);
        }
        for said in &page.looks.warnings {
            builder.quoting(1, said, Role::Warn);
        }
        self.put_demands(view, place, question, builder);
    }

    /// Adds the constraints of the answer, before any of them fails.
    fn put_demands(&self, view: &Answering, place: usize, question: &Question, builder: &mut Paper<'_>) {
        let lang = self.setup.lang;
        let rules = &view.sheet.questionnaire().rules;
        if rules.must_be_true && question.required && matches!(question.kind, Kind::Confirm(_)) {
            builder.ours(1, Message::OnlyYesCounts.plain(lang), Role::Faint);
        }
        let demanded = asked::demanded(view.constraints(place), lang);
        if demanded.iter().any(|demanded| matches!(demanded, Demanded::Askers(_))) {
            builder.ours(1, Message::WhatIsChecked.plain(lang), Role::Faint);
        }
        for demanded in demanded {
            match demanded {
                Demanded::Askers(words) => builder.agent(1, words, Role::Agent),
                Demanded::Ours(words) => builder.ours(1, &words, Role::Faint),
            }
        }
    }

    /// Adds the problems, once the person left the question or tried to submit, and the asker's corrections.
    fn put_problems(&self, view: &Answering, place: usize, question: &Question, builder: &mut Paper<'_>) {
        let lang = self.setup.lang;
        let wrong = self.setup.theme.signs.wrong;
        let errors = view.ask.feedback().map(|feedback| feedback.errors.as_slice()).unwrap_or_default();
        for (_, error) in errors.iter().filter(|(id, _)| *id == question.id) {
            let said = recap::says_here(&view.ask, &view.sheet, place, lang);
            builder.quoting(1, &format!("{wrong} {said}"), Role::Wrong);
            builder.markdown(1, error);
        }
        if view.sheet.is_prefilled(place) {
            let words = recap::answered(
                question,
                view.sheet.reply_at(place),
                &view.sheet.questionnaire().rules,
                lang,
            );
            builder.quoting(1, &Message::FilledInStands.say(lang, [words]), Role::Warn);
        }
        if view.suggested.contains(&place) {
            builder.ours(1, Message::SuggestedTaken.plain(lang), Role::Warn);
        }
        if !view.flagged.contains(&place) {
            return;
        }
        for problem in view.sheet.lacks(place) {
            match &problem.message {
                Text::Verbatim(words) => {
                    builder.ours(1, wrong, Role::Wrong);
                    builder.agent(1, words, Role::Agent);
                }
                Text::Said(..) => {
                    builder.ours(1, &format!("{wrong} {}", problem.message.render(lang)), Role::Wrong);
                }
            }
        }
    }

    fn put_note(&self, field: &mut Field, page: &mut Sketch<'_>) {
        let lang = self.setup.lang;
        if field.focus == Focus::Note {
            page.builder.blank();
            let title = Message::YourNote.plain(lang).to_owned();
            let frame = Frame { indent: 1, title: &title, count: "", least: 4, note: true };
            page.text_box(&frame, &mut field.note, true);
        } else if !field.note.is_empty() {
            page.builder.blank();
            let words = recap::brief(field.note.text());
            page.builder.ours(1, &Message::NoteSoFar.say(lang, [words]), Role::Plain);
        }
    }
}

impl Sketch<'_> {
    /// Adds a text box, with the caret if it has the focus.
    pub(super) fn text_box(&mut self, frame: &Frame<'_>, text: &mut TextBox, has_focus: bool) {
        let Frame { indent, title, count, least, note } = *frame;
        let signs = self.builder.theme.signs;
        let columns = self.builder.columns.saturating_sub(indent * 2).min(100);
        let inner = columns.saturating_sub(4).max(4);
        text.fit(inner);
        let taken = self.builder.rows.len() + 4;
        let room = self.height.saturating_sub(taken).max(least.min(3)).max(1);
        let rows = text.rows().max(least).min(room);
        let caret = text.caret();
        let first = if has_focus { (caret.row + 1).saturating_sub(rows) } else { 0 };
        let pad = " ".repeat(indent);
        let frame = if has_focus { Role::Plain } else { Role::Faint };
        let top = self.builder.span(format!("{pad}{}", edge::upper(signs, columns, title, count)), frame);
        self.builder.row(vec![top]);
        let start = self.builder.rows.len();
        let mut shown = text.shown(first, rows);
        shown.resize(rows, String::new());
        for (row, words) in (first..).zip(shown) {
            let fill = " ".repeat(inner.saturating_sub(width(&words)));
            let bar = |builder: &Paper<'_>| builder.span(signs.parting, frame);
            let spans = vec![
                (pad.clone(), self.builder.theme.style(Role::Plain)),
                bar(&self.builder),
                self.builder.span(format!(" {words}{fill} "), Role::Plain),
                bar(&self.builder),
            ];
            self.builder
                .rows
                .push(Row { spans: spans.into(), hit: Some(Hit::Text { note, row, from: indent + 2 }) });
        }
        let (line, column) = text.line_and_column();
        let more = text.rows() > rows;
        let at = if more || line > 1 { format!("{line}:{column}") } else { String::new() };
        let bottom = self.builder.span(format!("{pad}{}", edge::lower(signs, columns, &at)), frame);
        self.builder.row(vec![bottom]);
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
