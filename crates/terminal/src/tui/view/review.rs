//! Page of the review.

use super::super::answer::{AskView, ReviewItem, is_unsent};
use super::super::widgets::authored_text::{AuthoredSpan, Margins};
use super::super::widgets::line_builder::{HitTarget, LineBuilder, StyledSpan, display_width};
use super::super::widgets::theme::StyleRole;
use super::{PageContent, ViewContext, action};
use crate::describe::{self, Author, AuthoredText};
use ratatui::layout::Rect;
use ratatui::style::Style;
use sayso_core::i18n::{foreign, own, own_prompt};
use sayso_core::{Lang, LocalizedText, Message, Question, ReplyContent};

/// Maximum number of columns of the names of questions; a longer name has a row of its own.
const NAME_COLUMNS: usize = 28;

/// Review under construction.
struct ReviewPage<'a, 'c> {
    cx: &'c ViewContext<'a>,
    view: &'c AskView,
    builder: LineBuilder<'a>,
    items: Vec<ReviewItem>,
    /// Index of the focused item.
    focused: usize,
    /// Columns of the names of questions.
    name_columns: usize,
    /// Columns of the numbers of questions, with the sign of a follow-up.
    number_columns: usize,
}

/// Returns the page of the review: problems, answers, what will not be sent, the action and the buttons.
pub(super) fn page(cx: &ViewContext<'_>, view: &AskView, body: Rect) -> PageContent {
    let columns = usize::from(body.width);
    let mut builder = cx.builder(columns);
    builder.push_own(1, Message::CheckHead.plain(cx.lang), StyleRole::Strong);
    if let Some(feedback) = view.ask.feedback()
        && let Some(summary) = &feedback.summary
    {
        let heading = describe::changes_heading(&view.ask, &view.form.sheet, cx.lang);
        builder.push_own(1, &heading, StyleRole::Warning);
        builder.push_markdown(1, summary);
    }
    let room = NAME_COLUMNS.min(columns / 3);
    let mut name_columns = 0;
    let mut number_columns = view.form.sheet.progress().total.to_string().len() + 2;
    let mut has_follow_up = false;
    for (_, question) in view.form.sheet.asked_questions() {
        let width = display_width(&question_name(question));
        if width <= room {
            name_columns = name_columns.max(width);
        }
        has_follow_up |= question.parent.is_some();
    }
    if has_follow_up {
        number_columns += 2;
    }
    let items = view.form.review_items();
    let focused = view.review.row(items.len());
    let mut review = ReviewPage { cx, view, builder, focused, items, name_columns, number_columns };
    review.push_items()
}

impl ReviewPage<'_, '_> {
    fn push_items(&mut self) -> PageContent {
        let mut page = PageContent::default();
        let mut last_item = None;
        for (row, item) in self.items.clone().into_iter().enumerate() {
            self.push_heading(last_item.as_ref(), &item);
            if item == ReviewItem::Submit {
                self.push_action();
            }
            let start = self.builder.rows.len();
            self.builder.hit_target = Some(HitTarget::Item(row));
            self.push_item(&item, row == self.focused);
            self.builder.hit_target = None;
            if row == self.focused {
                page.focus = Some((start, self.builder.rows.len()));
            }
            last_item = Some(item);
        }
        page.rows = std::mem::take(&mut self.builder.rows);
        page
    }

    /// Repeats the action above the button.
    fn push_action(&mut self) {
        if let Some(action) = &self.view.form.sheet.questionnaire().action {
            action::push_action_summary(self.cx, action, &mut self.builder);
            self.builder.push_blank();
        }
    }

    /// Adds the heading above the first row of each kind.
    fn push_heading(&mut self, last: Option<&ReviewItem>, item: &ReviewItem) {
        let lang = self.cx.lang;
        if let Some(last) = last
            && std::mem::discriminant(last) == std::mem::discriminant(item)
        {
            return;
        }
        match item {
            ReviewItem::Problem { .. } => {
                let problems = self.items.iter().filter(|item| matches!(item, ReviewItem::Problem { .. }));
                let one = Message::ProblemCountOne;
                let many = Message::ProblemCount;
                let message = describe::count_message(one, many, problems.count() as u64, lang);
                self.builder.push_own(1, &message, StyleRole::Failure);
            }
            // Both kinds of answers that will not be sent share a heading.
            ReviewItem::Dormant(_) | ReviewItem::Aside(_) if !last.is_some_and(is_unsent) => {
                let count = self.items.iter().filter(|item| is_unsent(item)).count();
                self.builder.push_blank();
                let message = Message::NotSentCount.render_with(lang, [count]);
                self.builder.push_own(1, &message, StyleRole::Warning);
            }
            ReviewItem::Submit if last == Some(&ReviewItem::Note) => {}
            ReviewItem::Decline | ReviewItem::Dormant(_) | ReviewItem::Aside(_) => {}
            ReviewItem::Question(_) | ReviewItem::Note | ReviewItem::Submit => self.builder.push_blank(),
        }
    }

    fn push_item(&mut self, item: &ReviewItem, has_focus: bool) {
        let pointer = if has_focus { self.cx.theme.symbols.pointer } else { " " };
        let lead = self.builder.span(format!(" {pointer} "), StyleRole::Accent);
        let mut spans = Vec::new();
        match item {
            ReviewItem::Problem { place, problem } => {
                let role = StyleRole::Failure.focused_if(has_focus);
                let wrong = format!("{} ", self.cx.theme.symbols.wrong);
                spans.push(self.builder.own_span(wrong, role));
                if let Some(question) = place.and_then(|place| self.view.form.question(place)) {
                    let name = describe::label_value(question.display_name(), "");
                    spans.push(self.builder.agent_span(name, role));
                }
                let text = describe::problem_text(problem, self.cx.lang);
                spans.push(match &problem.message {
                    LocalizedText::Verbatim(_) => {
                        let role = StyleRole::Agent.focused_if(has_focus);
                        self.builder.own_span(format!("\"{text}\""), role)
                    }
                    LocalizedText::Message(..) => self.builder.own_span(text, role),
                });
            }
            ReviewItem::Question(place) => return self.push_question(*place, has_focus, lead),
            ReviewItem::Note => self.describe_note(has_focus, &mut spans),
            ReviewItem::Dormant(place) | ReviewItem::Aside(place) => {
                let Some(question) = self.view.form.question(*place) else { return };
                let role = StyleRole::Faint.focused_if(has_focus);
                for part in self.describe_unsent(item, *place, question) {
                    spans.push(self.builder.authored_span(part, role));
                }
            }
            ReviewItem::Submit => return self.push_submit(has_focus),
            ReviewItem::Decline => {
                let words = format!("[ {} ]", Message::DeclineButton.plain(self.cx.lang));
                spans.push(self.builder.own_span(words, StyleRole::Plain.focused_if(has_focus)));
                spans.extend(askers_label(describe::decline_label(&self.view.form.sheet), &self.builder));
            }
        }
        self.builder.push_authored(&[lead], Margins::hanging(6), &spans);
    }

    /// Adds a question in columns: its number, its name, its answer. An answer never begins left of its column.
    fn push_question(&mut self, place: usize, has_focus: bool, lead: StyledSpan) {
        let Some(question) = self.view.form.question(place) else { return };
        let signs = self.cx.theme.symbols;
        let branch = if question.parent.is_some() { format!("{} ", signs.follow_up) } else { String::new() };
        let number = format!("{branch}{}.", self.view.form.sheet.number_of(place));
        let fill = self.number_columns.saturating_sub(display_width(&number) + 1);
        let number = self.builder.span(format!("{}{number} ", " ".repeat(fill)), StyleRole::Faint);
        let reply = self.reply_spans(place, question, has_focus);
        let name = question_name(question);
        let name_role = StyleRole::Plain.focused_if(has_focus);
        let indent = 3 + display_width(&number.0);
        let room = self.name_columns;
        let margins = Margins::hanging(indent + room + 2);
        if display_width(&name) <= room {
            let gap = " ".repeat(room - display_width(&name) + 2);
            let name = self.builder.span(name, name_role);
            self.builder.push_authored(&[lead, number, name, (gap, Style::new())], margins, &reply);
            return;
        }
        let questionnaire = self.view.form.sheet.questionnaire();
        let is_ours = question.label.is_none() && own_prompt(questionnaire, question, self.cx.lang).is_some();
        let author = if is_ours { Author::Ours } else { Author::Asker };
        let name = self.builder.authored_span(AuthoredText::new(name, author), name_role);
        self.builder.push_authored(&[lead, number], Margins::hanging(indent + 2), &[name]);
        // The mark tells the answer from a row of the agent's.
        let mark = self.builder.span(format!("{} ", signs.right), StyleRole::Faint);
        let prefix = [(" ".repeat(indent + room), Style::new()), mark];
        self.builder.push_authored(&prefix, margins, &reply);
    }

    /// Returns the reply to a question, and where it comes from if the person has not given it.
    fn reply_spans(&self, place: usize, question: &Question, has_focus: bool) -> Vec<AuthoredSpan> {
        let form = &self.view.form;
        let is_answered = matches!(form.sheet.reply_at(place).content, ReplyContent::Answered(_));
        let role = if is_answered { StyleRole::Strong } else { StyleRole::Faint };
        let role = role.focused_if(has_focus);
        let mut spans = Vec::new();
        if !is_answered {
            spans.push(self.builder.own_span(format!("{} ", self.cx.theme.symbols.skipped), role));
        }
        for part in describe::reply_parts_at(&form.sheet, place, question, self.cx.lang) {
            spans.push(self.builder.authored_span(part, role));
        }
        let mark = if self.view.needs_correction(place) {
            Message::MarkToMend
        } else if form.suggested.contains(&place) {
            Message::MarkSuggested
        } else if form.sheet.is_prefilled(place) {
            Message::MarkFilledIn
        } else {
            return spans;
        };
        let mark = format!("  [{}]", mark.plain(self.cx.lang));
        spans.push(self.builder.own_span(mark, StyleRole::Warning));
        spans
    }

    /// Describes the note on the whole form, or the place for one, and says where notes do not reach the asker.
    fn describe_note(&self, has_focus: bool, spans: &mut Vec<AuthoredSpan>) {
        let (sheet, lang) = (&self.view.form.sheet, self.cx.lang);
        if let Some(note) = sheet.note() {
            let role = StyleRole::Plain.focused_if(has_focus);
            spans.push(
                self.builder.authored_span(describe::form_note(sheet.questionnaire(), note, lang), role),
            );
        } else {
            let role = StyleRole::Faint.focused_if(has_focus);
            spans.push(self.builder.own_span(Message::AddFormNote.plain(lang), role));
        }
        if sheet.has_notes() && !self.view.carries_notes {
            let stays = format!("  {}", Message::NotesNotCarried.plain(lang));
            spans.push(self.builder.own_span(stays, StyleRole::Warning));
        }
    }

    /// Describes an answer that will not be sent: its question is no longer asked, or it is an own answer that is not
    /// picked.
    fn describe_unsent(&self, item: &ReviewItem, place: usize, question: &Question) -> Vec<AuthoredText> {
        let lang = self.cx.lang;
        let view = self.view;
        let name = describe::label_value(question.display_name(), "");
        let mut parts = vec![AuthoredText::new(name, Author::Asker)];
        if matches!(item, ReviewItem::Aside(_)) {
            let words = describe::excerpt(view.form.unpicked_own_answer(place).unwrap_or_default());
            let message =
                AuthoredText::new(Message::OwnAside.render_with(lang, [foreign(words)]), Author::Ours);
            parts.push(AuthoredText { quotes: Author::Person, ..message });
            return parts;
        }
        parts.extend(describe::reply_parts_at(&view.form.sheet, place, question, lang));
        if let Some(deciding_question) = view.form.sheet.deciding_question(place) {
            let name = describe::excerpt(deciding_question.display_name());
            let cause = Message::HiddenBy.render_with(lang, [foreign(name)]);
            parts.push(AuthoredText::new(format!("  {cause}"), Author::Ours));
        }
        parts
    }

    /// Adds the submit button, and what disables it.
    fn push_submit(&mut self, has_focus: bool) {
        let lang = self.cx.lang;
        let view = self.view;
        let progress = view.form.sheet.progress();
        let words = Message::SubmitButton.render_with(lang, [progress.answered, progress.total]);
        let problems = view.form.sheet.surface_problems().len() as u64;
        let has_unread = view.first_unread().is_some();
        let explanation = if view.is_sending {
            Message::SendingNow.plain(lang).to_owned()
        } else if problems > 0 {
            describe::count_message(Message::BlockedOne, Message::Blocked, problems, lang)
        } else if has_unread {
            Message::LinesUnread.plain(lang).to_owned()
        } else {
            let asker = view.ask.request.shown_asker().name_in_sentence(lang);
            Message::SubmitTo.render_with(lang, [own(asker)])
        };
        let is_live = view.is_button_live(self.cx.monotonic) && !view.is_sending;
        let (lead, mut spans) = button(&self.builder, &words, is_live, has_focus);
        let role = StyleRole::Plain.focused_if(has_focus && is_live);
        spans.push(self.builder.own_span(format!("  {explanation}"), role));
        if !has_unread {
            spans.extend(unread_mark(view.unseen_lines(), lang, &self.builder));
        }
        spans.extend(askers_label(describe::submit_label(&view.form.sheet), &self.builder));
        self.builder.push_authored(&[lead], Margins::hanging(6), &spans);
    }
}

/// Returns a button that sends, and what is before it. It has brackets only while a press counts.
pub(super) fn button(
    builder: &LineBuilder<'_>,
    words: &str,
    is_live: bool,
    has_focus: bool,
) -> (StyledSpan, Vec<AuthoredSpan>) {
    let pointer = if has_focus { builder.theme.symbols.pointer } else { " " };
    let lead = builder.span(format!(" {pointer} "), StyleRole::Accent);
    let role = match (is_live, has_focus) {
        (true, true) => StyleRole::Focus,
        (true, false) => StyleRole::Strong,
        (false, _) => StyleRole::Faint,
    };
    let words = if is_live { format!("[ {words} ]") } else { format!("  {words}  ") };
    (lead, vec![builder.own_span(words, role)])
}

/// Returns the number of the lines that were not drawn of what a button agrees to.
pub(super) fn unread_mark(
    unread: Option<[u32; 2]>,
    lang: Lang,
    builder: &LineBuilder<'_>,
) -> Option<AuthoredSpan> {
    let words = Message::LinesNotShown.render_with(lang, unread?);
    Some(builder.own_span(format!("  {words}"), StyleRole::Warning))
}

fn question_name(question: &Question) -> String {
    describe::label_value(question.display_name(), "").trim_end().to_owned()
}

/// Returns the asker's label of a button, shown after ours.
pub(super) fn askers_label(theirs: Option<&str>, builder: &LineBuilder<'_>) -> Option<AuthoredSpan> {
    Some(builder.own_span(format!("  \"{}\"", describe::brief(theirs?)), StyleRole::Agent))
}
