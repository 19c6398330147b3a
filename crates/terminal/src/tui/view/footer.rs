//! Footer: status line, state of the draft, and key hints.

use super::super::answer::{AskTab, AskView, FieldFocus, FieldState, ReviewItem, review};
use super::super::editor::LineMode;
use super::super::widgets::line_builder::{LineBuilder, StyledRow, display_width, truncate_to_width};
use super::super::widgets::theme::StyleRole;
use super::{FrameCanvas, ViewContext, push_rule};
use ratatui::layout::Rect;
use sayso_core::i18n::own;
use sayso_core::model::ask::{AskPhase, AskRequest};
use sayso_core::{ChoiceQuestion, LineFormat, Message, QuestionInput};

/// Number of questions from which on the footer shows the key to go to one.
const MANY_QUESTIONS: usize = 10;

/// Time before a deadline from which on its seconds are counted down.
const COUNTDOWN_SECONDS: i64 = 600;

/// Footer of an ask.
pub(super) struct AskFooter<'a> {
    pub(super) view: &'a AskView,
    /// A dialog is open: it shows its own keys, and those of the page do nothing.
    pub(super) has_dialog: bool,
    /// There is a list to go back to.
    pub(super) has_list: bool,
    /// Time since which the desk is unreachable.
    pub(super) unreachable_since: Option<String>,
}

/// Draws the footer and returns its height.
pub(super) fn draw(
    cx: &ViewContext<'_>,
    footer: &AskFooter<'_>,
    area: Rect,
    canvas: &mut FrameCanvas<'_>,
) -> u16 {
    let view = footer.view;
    let height = usize::from(footer_lines(area.height));
    let columns = usize::from(area.width);
    let is_narrow = columns < super::NARROW_COLUMNS;
    let mut builder = cx.builder(columns);
    push_rule(&mut builder);
    let has_news =
        footer.unreachable_since.is_some() || view.notice.is_some() || view.form.autosave.problem.is_some();
    if height > 1 || has_news {
        let (text, role) = status_line(cx, footer, is_narrow);
        builder.push_own(1, &text, role);
        // A long message is shown in full if the page keeps enough room.
        builder.rows.truncate(1 + (usize::from(area.height) / 6).max(1));
    }
    let lines = (height + 1).saturating_sub(builder.rows.len()).max(1);
    let hints = if footer.has_dialog { Vec::new() } else { key_hints(footer) };
    builder.rows.extend(hint_rows(cx, &hints, columns, lines, 1));
    let rows = u16::try_from(builder.rows.len()).unwrap_or(area.height);
    canvas.draw_rows(Rect { y: area.bottom().saturating_sub(rows), height: rows, ..area }, &builder.rows);
    rows
}

/// Returns rows of key hints, each key before its words: as many hints as fit. The hint for the help always stays.
pub(super) fn hint_rows(
    cx: &ViewContext<'_>,
    hints: &[Message],
    columns: usize,
    lines: usize,
    indent: usize,
) -> Vec<StyledRow> {
    let mut help = None;
    let mut other_hints = Vec::new();
    for hint in hints {
        let words = cx.theme.adapt_text(hint.plain(cx.lang)).into_owned();
        match hint {
            Message::KeyHelp | Message::KeyHelpTyping => help = Some(words),
            _ => other_hints.push(words),
        }
    }
    let help_width = help.as_deref().map(display_width).unwrap_or_default();
    let mut rows: Vec<Vec<String>> = vec![Vec::new()];
    let mut used = indent;
    for hint in other_hints {
        let is_last = rows.len() == lines;
        let reserve = if is_last && help.is_some() { help_width + 2 } else { 0 };
        let width = display_width(&hint) + 2;
        if used + width + reserve <= columns + 1 {
            used += width;
        } else if is_last {
            // A shorter hint after it may still fit.
            continue;
        } else {
            rows.push(Vec::new());
            used = indent + width;
        }
        if let Some(row) = rows.last_mut() {
            row.push(hint);
        }
    }
    if used + help_width > columns && rows.len() < lines {
        rows.push(Vec::new());
    }
    if let Some(row) = rows.last_mut() {
        row.extend(help);
    }
    rows.resize(lines, Vec::new());
    let mut builder = LineBuilder::new(cx.theme, columns);
    for row in rows {
        push_keys(&row.join("  "), indent, &mut builder);
    }
    builder.rows
}

/// Adds a line of key hints, which are two spaces apart; the first word of each is the key. Hints that do not fit are
/// left out, but not the one for the help and those after it.
pub(super) fn push_keys(line: &str, indent: usize, builder: &mut LineBuilder<'_>) {
    let theme = builder.theme;
    let room = builder.columns.saturating_sub(indent);
    let line = theme.adapt_text(line).into_owned();
    let mut hints: Vec<_> = line.split("  ").collect();
    while hints.len() > 1 && display_width(&hints.join("  ")) > room {
        let help_index =
            hints.iter().position(|hint| hint.starts_with(['?', '？']) || hint.starts_with("F1"));
        let Some(last) = help_index.unwrap_or(hints.len()).checked_sub(1) else { break };
        hints.remove(last);
    }
    let line = truncate_to_width(&hints.join("  "), room, theme.symbols.ellipsis);
    let mut spans = vec![builder.span(" ".repeat(indent), StyleRole::Plain)];
    for (at, hint) in line.split("  ").enumerate() {
        let gap = if at > 0 { "  " } else { "" };
        let (key, words) = hint.split_once(' ').unwrap_or((hint, ""));
        spans.push(builder.span(format!("{gap}{key}"), StyleRole::Key));
        if !words.is_empty() {
            spans.push(builder.span(format!(" {words}"), StyleRole::Faint));
        }
    }
    builder.push_row(spans);
}

fn status_line(cx: &ViewContext<'_>, footer: &AskFooter<'_>, is_narrow: bool) -> (String, StyleRole) {
    let lang = cx.lang;
    let view = footer.view;
    if view.form.autosave.is_slow(cx.monotonic) {
        return (Message::NotSavedSlow.plain(lang).to_owned(), StyleRole::Failure);
    }
    if let Some(report) = &view.notice {
        return (report.clone(), StyleRole::Warning);
    }
    if let Some(problem) = &view.form.autosave.problem {
        let message =
            Message::NotSaved.render_with(lang, [own(crate::describe::problem_text(problem, lang))]);
        return (message, StyleRole::Failure);
    }
    if !matches!(view.ask.state.phase, AskPhase::Open { .. }) {
        // The dialog about the end says what is kept.
        return (String::new(), StyleRole::Faint);
    }
    if let Some(since) = &footer.unreachable_since {
        return (Message::NotConnectedHere.render_with(lang, [own(since)]), StyleRole::Warning);
    }
    if let Some(deadline) = view.ask.due_at() {
        let seconds = deadline.duration_since(cx.now.timestamp()).as_secs().max(0);
        if seconds <= COUNTDOWN_SECONDS {
            let countdown = format!("{}:{:02}", seconds / 60, seconds % 60);
            return (Message::EndsIn.render_with(lang, [own(countdown)]), StyleRole::Warning);
        }
    }
    let text = match view.form.autosave.saved_at {
        Some(saved_at) => {
            let time = saved_at.to_zoned(cx.now.time_zone().clone());
            let message = if is_narrow { Message::DraftSavedAt } else { Message::DraftSaved };
            message.render_with(lang, [own(time.strftime("%H:%M:%S"))])
        }
        None if is_narrow => Message::NothingSentBrief.plain(lang).to_owned(),
        None => Message::NothingSentYet.plain(lang).to_owned(),
    };
    (text, StyleRole::Faint)
}

/// Returns the keys that work now, the most important first.
fn key_hints(footer: &AskFooter<'_>) -> Vec<Message> {
    let view = footer.view;
    let back = if footer.has_list { Message::KeyBack } else { Message::KeyLeave };
    let mut hints = match view.tab {
        AskTab::Review => review_hints(view),
        AskTab::Question(place) => question_hints(view, place),
    };
    let is_typing = view.is_typing();
    if !is_typing {
        if view.form.sheet.progress().total >= MANY_QUESTIONS {
            hints.push(Message::KeyJump);
        }
        // Its spec cancels by Esc, which leaves here.
        let is_questionnaire = view.ask.request.dialect == AskRequest::QUESTIONNAIRE_DIALECT;
        let decline = if is_questionnaire { Message::KeyDeclineQuestionnaire } else { Message::KeyDecline };
        hints.extend([decline, back]);
    }
    hints.push(if is_typing { Message::KeyHelpTyping } else { Message::KeyHelp });
    hints
}

fn review_hints(view: &AskView) -> Vec<Message> {
    let mut hints = vec![Message::KeyMove];
    let focused_item = review::focused_item(view);
    hints.push(match focused_item {
        Some(ReviewItem::Submit) => Message::KeyEnterSubmit,
        Some(ReviewItem::Decline) => Message::KeyEnterDecline,
        Some(ReviewItem::Dormant(_) | ReviewItem::Aside(_)) => Message::KeyEnterView,
        _ => Message::KeyChange,
    });
    let mut has_problem = false;
    let mut has_dormant = false;
    let mut has_aside = false;
    let mut has_note = false;
    for item in view.form.review_items() {
        has_problem |= matches!(item, ReviewItem::Problem { .. });
        has_dormant |= matches!(item, ReviewItem::Dormant(_));
        has_aside |= matches!(item, ReviewItem::Aside(_));
        has_note |= item == ReviewItem::Note;
    }
    if !has_problem && !matches!(focused_item, Some(ReviewItem::Submit)) {
        hints.push(Message::KeySubmit);
    }
    if has_note {
        hints.push(Message::KeyNote);
    }
    if has_aside || has_dormant {
        hints.extend([Message::KeyView, Message::KeyCopy]);
    }
    if has_aside {
        hints.push(Message::KeyPickOwn);
    }
    if view.form.sheet.questionnaire().action.is_some() {
        hints.push(Message::KeyAction);
    }
    hints
}

fn question_hints(view: &AskView, place: usize) -> Vec<Message> {
    let (Some(question), Some(field)) = (view.form.question(place), view.form.field(place)) else {
        return Vec::new();
    };
    let input = question.input();
    let next = if view.has_review() {
        Some(Message::KeyEnterNext)
    } else if view.has_choice(place) {
        Some(Message::KeyEnterSubmit)
    } else if matches!(input, QuestionInput::Options(_)) {
        Some(Message::KeyEnterPick)
    } else {
        None
    };
    let mut hints = Vec::new();
    match (field.focus, input) {
        (FieldFocus::Filter, _) => {
            return vec![Message::KeyMove, Message::KeyEnterPick, Message::KeyAllOptions, Message::KeyTab];
        }
        (FieldFocus::Note, _) => {
            return vec![Message::KeyEnterDone, Message::KeyNewLine, Message::KeyEditor, Message::KeyEscDone];
        }
        (FieldFocus::Text, input) => {
            push_text_hints(view, input, field, next, &mut hints);
            return hints;
        }
        (FieldFocus::Question, QuestionInput::Options(choice)) => {
            push_choice_hints(view, place, choice, next, &mut hints);
        }
        (FieldFocus::Question, QuestionInput::Toggle(_)) => {
            if !view.is_unread(place) {
                hints.push(Message::KeyYes);
            }
            hints.push(Message::KeyNo);
            hints.extend(next);
            hints.push(Message::KeyNoteOfConfirm);
        }
        (FieldFocus::Question, QuestionInput::Scale(_)) => {
            hints.push(Message::KeyRate);
            if view.form.rating_at(place).is_some() {
                hints.push(Message::KeyTakeBack);
            }
            hints.extend(next);
            hints.push(Message::KeyNote);
        }
        (FieldFocus::Question, QuestionInput::Line(_)) => {
            hints.extend([Message::KeyType, Message::KeyNote]);
        }
    }
    if view.is_unread(place) {
        hints.insert(0, Message::KeyScroll);
    }
    if !view.form.sheet.reply_at(place).is_unanswered() {
        // A rating has its own key that clears it, which works on the same reply.
        if !matches!(input, QuestionInput::Scale(_)) {
            hints.push(Message::KeyClear);
        }
    } else if !view.form.sheet.needs_input(place) {
        hints.push(Message::KeySkip);
    }
    if view.tabs().len() > 1 {
        hints.push(Message::KeyTab);
    }
    hints
}

/// Adds the keys of a text box that is the answer.
fn push_text_hints(
    view: &AskView,
    input: QuestionInput<'_>,
    field: &FieldState,
    next: Option<Message>,
    hints: &mut Vec<Message>,
) {
    if matches!(input, QuestionInput::Line(LineFormat::Number { .. })) {
        hints.push(Message::KeyStep);
    }
    if field.text.line_mode() == LineMode::Multiple {
        hints.push(Message::KeyEnterLine);
    } else {
        hints.extend(next);
    }
    if view.tabs().len() > 1 {
        hints.push(Message::KeyTab);
    }
    if matches!(input, QuestionInput::Line(LineFormat::Text { .. }) | QuestionInput::Options(_)) {
        hints.push(Message::KeyEditor);
    }
    if !field.text.is_untouched() {
        hints.push(Message::KeyUndo);
    }
    hints.push(Message::KeyLeaveBox);
}

fn push_choice_hints(
    view: &AskView,
    place: usize,
    choice: &ChoiceQuestion,
    next: Option<Message>,
    hints: &mut Vec<Message>,
) {
    hints.push(Message::KeyPick);
    if view.form.focused_option(place).is_some() {
        hints.push(Message::KeyPreview);
    }
    hints.push(Message::KeyMove);
    if !choice.multi && view.has_review() {
        hints.push(Message::KeyEnterPickNext);
    } else {
        hints.extend(next);
    }
    if choice.multi {
        hints.push(Message::KeyAllNone);
    }
    if choice.other {
        hints.push(Message::KeyOwn);
    }
    hints.push(Message::KeyNote);
}

/// Returns the number of footer lines below its rule.
pub(super) const fn footer_lines(height: u16) -> u16 {
    match height {
        0..=11 => 1,
        12..=19 => 2,
        _ => 3,
    }
}
