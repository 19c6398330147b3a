//! Page of the review.

use super::super::answer::{AskView, ReviewItem};
use super::super::widgets::authored_text::{AuthoredSpan, Margins};
use super::super::widgets::line_builder::{HitTarget, LineBuilder, StyledSpan, display_width};
use super::super::widgets::theme::StyleRole;
use super::{PageContent, ViewContext, action};
use crate::describe::{self, Author, AuthoredText};
use ratatui::layout::Rect;
use ratatui::style::Style;
use sayso_core::i18n::{foreign, own, own_prompt};
use sayso_core::{Lang, LocalizedText, Message, Problem, Question, ReplyContent};

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

/// Returns the page of the review.
pub(super) fn page(cx: &ViewContext<'_>, view: &AskView, body: Rect) -> PageContent {
    let columns = usize::from(body.width);
    let mut builder = cx.builder(columns);
    builder.push_own(1, Message::CheckHead.plain(cx.lang), StyleRole::Strong);
    if let Some(summary) = view.ask.feedback().and_then(|feedback| feedback.summary.as_deref()) {
        let heading = describe::changes_heading(&view.ask, &view.form.sheet, cx.lang);
        builder.push_own(1, &heading, StyleRole::Warning);
        builder.push_markdown(1, summary);
    }
    let items = view.form.review_items();
    let names =
        view.form.sheet.asked_questions().map(|(_, question)| display_width(&question_name(question)));
    let room = NAME_COLUMNS.min(columns / 3);
    let (total, has_follow_ups) = (
        view.form.sheet.progress().total,
        view.form.sheet.asked_questions().any(|(_, question)| question.parent.is_some()),
    );
    let mut review = ReviewPage {
        cx,
        view,
        builder,
        focused: view.review.row(items.len()),
        items,
        name_columns: names.filter(|wide| *wide <= room).max().unwrap_or_default(),
        number_columns: total.to_string().len() + 2 + if has_follow_ups { 2 } else { 0 },
    };
    review.push_items()
}

impl ReviewPage<'_, '_> {
    fn push_items(&mut self) -> PageContent {
        let mut page = PageContent::default();
        for row in 0..self.items.len() {
            let Some(item) = self.items.get(row).cloned() else { break };
            let before = row.checked_sub(1).and_then(|row| self.items.get(row)).cloned();
            self.push_heading(before.as_ref(), &item);
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
        if last.is_some_and(|last| std::mem::discriminant(last) == std::mem::discriminant(item)) {
            return;
        }
        let is_unsent = |item: &ReviewItem| matches!(item, ReviewItem::Dormant(_) | ReviewItem::Aside(_));
        let is_problem = |item: &&ReviewItem| matches!(item, ReviewItem::Problem { .. });
        match (item, last) {
            (ReviewItem::Problem { .. }, _) => {
                let problems = self.items.iter().filter(is_problem).count() as u64;
                let (one, many) = (Message::ProblemCountOne, Message::ProblemCount);
                let message = describe::count_message(one, many, problems, lang);
                self.builder.push_own(1, &message, StyleRole::Failure);
            }
            (item, last) if is_unsent(item) && !last.is_some_and(is_unsent) => {
                let count = self.items.iter().filter(|item| is_unsent(item)).count();
                self.builder.push_blank();
                let message = Message::NotSentCount.render_with(lang, [count]);
                self.builder.push_own(1, &message, StyleRole::Warning);
            }
            (ReviewItem::Decline | ReviewItem::Dormant(_) | ReviewItem::Aside(_), _) => {}
            (ReviewItem::Question(_) | ReviewItem::Submit, _) => self.builder.push_blank(),
        }
    }

    fn push_item(&mut self, item: &ReviewItem, has_focus: bool) {
        let role = |other| if has_focus { StyleRole::Focus } else { other };
        let pointer = if has_focus { self.cx.theme.symbols.pointer } else { " " };
        let lead = self.builder.span(format!(" {pointer} "), StyleRole::Accent);
        let words = match item {
            ReviewItem::Problem { place, problem } => {
                let (name, text, voice) = self.describe_problem(*place, problem);
                let wrong = format!("{} ", self.cx.theme.symbols.wrong);
                vec![
                    self.builder.own_span(wrong, role(StyleRole::Failure)),
                    self.builder.agent_span(name, role(StyleRole::Failure)),
                    self.builder.own_span(text, role(voice)),
                ]
            }
            ReviewItem::Question(place) => return self.push_question(*place, has_focus, lead),
            ReviewItem::Dormant(place) | ReviewItem::Aside(place) => {
                let Some(question) = self.view.form.question(*place) else { return };
                let parts = self.describe_unsent(item, *place, question).into_iter();
                parts.map(|part| self.builder.authored_span(part, role(StyleRole::Faint))).collect()
            }
            ReviewItem::Submit => return self.push_submit(has_focus),
            ReviewItem::Decline => {
                let words = format!("[ {} ]", Message::DeclineButton.plain(self.cx.lang));
                let theirs = describe::decline_label(&self.view.form.sheet);
                let words = self.builder.own_span(words, role(StyleRole::Plain));
                [words].into_iter().chain(askers_label(theirs, &self.builder)).collect()
            }
        };
        self.builder.push_authored(&[lead], Margins::hanging(6), &words);
    }

    fn describe_problem(&self, place: Option<usize>, problem: &Problem) -> (String, String, StyleRole) {
        let question = place.and_then(|place| self.view.form.question(place));
        let name =
            question.map(|question| describe::label_value(question.display_name(), "")).unwrap_or_default();
        let message = describe::problem_text(problem, self.cx.lang);
        let (message, voice) = match &problem.message {
            LocalizedText::Verbatim(_) => (format!("\"{message}\""), StyleRole::Agent),
            LocalizedText::Message(..) => (message, StyleRole::Failure),
        };
        (name, message, voice)
    }

    /// Adds a question in columns: its number, its name, its answer. An answer never begins left of its column.
    fn push_question(&mut self, place: usize, has_focus: bool, lead: StyledSpan) {
        let (lang, view) = (self.cx.lang, self.view);
        let Some(question) = view.form.question(place) else { return };
        let role = |other| if has_focus { StyleRole::Focus } else { other };
        let signs = self.cx.theme.symbols;
        let follows = if question.parent.is_some() { format!("{} ", signs.follow_up) } else { String::new() };
        let number = format!("{follows}{}.", view.form.sheet.number_of(place));
        let fill = self.number_columns.saturating_sub(display_width(&number));
        let number =
            self.builder.span(format!("{}{number} ", " ".repeat(fill.saturating_sub(1))), StyleRole::Faint);
        let is_given = matches!(view.form.sheet.reply_at(place).content, ReplyContent::Answered(_));
        let reply_role = role(if is_given { StyleRole::Strong } else { StyleRole::Faint });
        let skipped = format!("{} ", signs.skipped);
        let mut words: Vec<_> =
            (!is_given).then(|| self.builder.own_span(skipped, reply_role)).into_iter().collect();
        let parts = describe::reply_parts_at(&view.form.sheet, place, question, lang).into_iter();
        words.extend(parts.map(|part| self.builder.authored_span(part, reply_role)));
        let mark = match () {
            () if view.needs_correction(place) => Some(Message::MarkToMend),
            () if view.form.suggested.contains(&place) => Some(Message::MarkSuggested),
            () if view.form.sheet.is_prefilled(place) => Some(Message::MarkFilledIn),
            () => None,
        };
        let mark = mark.map(|mark| format!("  [{}]", mark.plain(lang)));
        words.extend(mark.map(|mark| self.builder.own_span(mark, StyleRole::Warning)));
        let name = question_name(question);
        let indent = 3 + display_width(&number.0);
        let room = self.name_columns;
        let hang = Margins::hanging(indent + room + 2);
        if display_width(&name) <= room {
            let gap = " ".repeat(room - display_width(&name) + 2);
            let name = self.builder.span(name, role(StyleRole::Plain));
            self.builder.push_authored(&[lead, number, name, (gap, Style::new())], hang, &words);
            return;
        }
        let is_ours =
            question.label.is_none() && own_prompt(view.form.sheet.questionnaire(), question, lang).is_some();
        let author = if is_ours { Author::Ours } else { Author::Asker };
        let name = self.builder.authored_span(AuthoredText::new(name, author), role(StyleRole::Plain));
        self.builder.push_authored(&[lead, number], Margins::hanging(indent + 2), &[name]);
        // The mark tells the answer from a row of the agent's.
        let mark = self.builder.span(format!("{} ", signs.right), StyleRole::Faint);
        let before = [(" ".repeat(indent + room), Style::new()), mark];
        self.builder.push_authored(&before, hang, &words);
    }

    /// Describes an answer that will not be sent: its question is no longer asked, or it is an own answer that is not
    /// picked.
    fn describe_unsent(&self, item: &ReviewItem, place: usize, question: &Question) -> Vec<AuthoredText> {
        let (lang, view) = (self.cx.lang, self.view);
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
        let because = view
            .form
            .sheet
            .deciding_question(place)
            .map(|question| describe::excerpt(question.display_name()));
        let because =
            because.map(|name| Message::HiddenBy.render_with(lang, [foreign(name)])).unwrap_or_default();
        parts.push(AuthoredText::new(format!("  {because}"), Author::Ours));
        parts
    }

    /// Adds the submit button, and what disables it.
    fn push_submit(&mut self, has_focus: bool) {
        let (lang, view) = (self.cx.lang, self.view);
        let progress = view.form.sheet.progress();
        let words = Message::SubmitButton.render_with(lang, [progress.answered, progress.total]);
        let problems = view.form.sheet.surface_problems().len() as u64;
        let unread = view.first_unread();
        let behind = match (view.is_sending, problems, unread) {
            (true, ..) => Message::SendingNow.plain(lang).to_owned(),
            (false, 0, Some(_)) => Message::LinesUnread.plain(lang).to_owned(),
            (false, 0, None) => {
                let asker = view.ask.request.shown_asker().name_in_sentence(lang);
                Message::SubmitTo.render_with(lang, [own(asker)])
            }
            _ => describe::count_message(Message::BlockedOne, Message::Blocked, problems, lang),
        };
        let is_live = view.is_button_live(self.cx.monotonic) && !view.is_sending;
        let (lead, mut spans) = button(&self.builder, &words, is_live, has_focus);
        let role = if has_focus && is_live { StyleRole::Focus } else { StyleRole::Plain };
        spans.push(self.builder.own_span(format!("  {behind}"), role));
        if unread.is_none() {
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
