//! Footer: status line, state of the draft, and key hints.

use super::super::answer::{AskTab, AskView, FieldFocus, ReviewItem, review};
use super::super::editor::LineMode;
use super::super::widgets::line_builder::{LineBuilder, StyledRow, display_width, truncate_to_width};
use super::super::widgets::theme::StyleRole;
use super::{FrameCanvas, ViewContext, push_rule};
use ratatui::layout::Rect;
use sayso_core::i18n::own;
use sayso_core::model::ask::{AskPhase, AskRequest};
use sayso_core::{ChoiceQuestion, LineFormat, Message, Question, QuestionInput};

/// Number of questions from which on the footer shows the key to go to one.
const MANY_QUESTIONS: usize = 10;

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
    let words = |hint: &Message| cx.theme.adapt_text(hint.plain(cx.lang)).into_owned();
    let is_help = |hint: &&Message| matches!(hint, Message::KeyHelp | Message::KeyHelpTyping);
    let help = hints.iter().find(is_help).map(words);
    let mut rows: Vec<Vec<String>> = vec![Vec::new()];
    let mut taken = indent;
    for hint in hints.iter().filter(|hint| !is_help(hint)).map(words) {
        let is_last = rows.len() == lines;
        let reserved = help.as_deref().filter(|_| is_last).map_or(0, |help| display_width(help) + 2);
        let wide = display_width(&hint) + 2;
        if taken + wide + reserved <= columns + 1 {
            taken += wide;
        } else if is_last {
            continue;
        } else {
            rows.push(Vec::new());
            taken = indent + wide;
        }
        if let Some(row) = rows.last_mut() {
            row.push(hint);
        }
    }
    let wide = help.as_deref().map_or(0, display_width);
    if taken + wide > columns && rows.len() < lines {
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
        let help = hints.iter().position(|hint| hint.starts_with(['?', '？']) || hint.starts_with("F1"));
        let Some(last) = help.unwrap_or(hints.len()).checked_sub(1) else { break };
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
    let (lang, view) = (cx.lang, footer.view);
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
    if let Some(due) = view.ask.due_at() {
        let left = due.duration_since(cx.now.timestamp());
        if left.as_secs() <= 600 {
            let seconds = left.as_secs().max(0);
            let left = format!("{}:{:02}", seconds / 60, seconds % 60);
            return (Message::EndsIn.render_with(lang, [own(left)]), StyleRole::Warning);
        }
    }
    let saved = match view.form.autosave.saved_at {
        Some(at) => {
            let at = at.to_zoned(cx.now.time_zone().clone());
            let saved = if is_narrow { Message::DraftSavedAt } else { Message::DraftSaved };
            saved.render_with(lang, [own(at.strftime("%H:%M:%S"))])
        }
        None if is_narrow => Message::NothingSentBrief.plain(lang).to_owned(),
        None => Message::NothingSentYet.plain(lang).to_owned(),
    };
    (saved, StyleRole::Faint)
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
        let is_many = view.form.sheet.progress().total >= MANY_QUESTIONS;
        hints.extend(is_many.then_some(Message::KeyJump));
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
    let items = view.form.review_items();
    hints.push(match review::focused_item(view) {
        Some(ReviewItem::Submit) => Message::KeyEnterSubmit,
        Some(ReviewItem::Decline) => Message::KeyEnterDecline,
        Some(ReviewItem::Dormant(_) | ReviewItem::Aside(_)) => Message::KeyEnterView,
        _ => Message::KeyChange,
    });
    let is_at_submit = matches!(review::focused_item(view), Some(ReviewItem::Submit));
    let is_blocked = items.iter().any(|item| matches!(item, ReviewItem::Problem { .. }));
    hints.extend((!is_at_submit && !is_blocked).then_some(Message::KeySubmit));
    let has_aside = items.iter().any(|item| matches!(item, ReviewItem::Aside(_)));
    if has_aside || items.iter().any(|item| matches!(item, ReviewItem::Dormant(_))) {
        hints.extend([Message::KeyView, Message::KeyCopy]);
    }
    hints.extend(has_aside.then_some(Message::KeyPickOwn));
    hints.extend(view.form.sheet.questionnaire().action.is_some().then_some(Message::KeyAction));
    hints
}

fn question_hints(view: &AskView, place: usize) -> Vec<Message> {
    let field = view.form.field(place);
    let focus = field.map(|field| field.focus).unwrap_or_default();
    let breaks = field.is_some_and(|field| field.text.line_mode() == LineMode::Multiple);
    let input = view.form.question(place).map(Question::input);
    let is_choice = matches!(input, Some(QuestionInput::Options(_)));
    let next = match () {
        () if view.has_review() => Some(Message::KeyEnterNext),
        () if view.has_choice(place) => Some(Message::KeyEnterSubmit),
        () => is_choice.then_some(Message::KeyEnterPick),
    };
    let mut hints = Vec::new();
    match (focus, input) {
        (FieldFocus::Filter, _) => {
            return vec![Message::KeyMove, Message::KeyEnterPick, Message::KeyAllOptions, Message::KeyTab];
        }
        (FieldFocus::Note, _) => {
            return vec![Message::KeyEnterDone, Message::KeyNewLine, Message::KeyEditor, Message::KeyEscDone];
        }
        (FieldFocus::Text, input) => {
            let is_number = matches!(input, Some(QuestionInput::Line(LineFormat::Number { .. })));
            hints.extend(is_number.then_some(Message::KeyStep));
            hints.extend(if breaks { Some(Message::KeyEnterLine) } else { next });
            let is_text = matches!(input, Some(QuestionInput::Line(LineFormat::Text { .. })));
            hints.extend((view.tabs().len() > 1).then_some(Message::KeyTab));
            hints.extend((is_text || is_choice).then_some(Message::KeyEditor));
            let can_undo = field.is_some_and(|field| !field.text.is_untouched());
            hints.extend(can_undo.then_some(Message::KeyUndo));
            hints.push(Message::KeyLeaveBox);
            return hints;
        }
        (FieldFocus::Question, Some(QuestionInput::Options(choice))) => {
            push_choice_hints(view, place, choice, next, &mut hints);
        }
        (FieldFocus::Question, Some(QuestionInput::Toggle(_))) => {
            hints.extend((!view.is_unread(place)).then_some(Message::KeyYes));
            hints.push(Message::KeyNo);
            hints.extend(next);
            hints.push(Message::KeyNoteOfConfirm);
        }
        (FieldFocus::Question, Some(QuestionInput::Scale(_))) => {
            let is_rated = view.form.rating_at(place).is_some();
            hints.push(Message::KeyRate);
            hints.extend(is_rated.then_some(Message::KeyTakeBack));
            hints.extend(next);
            hints.push(Message::KeyNote);
        }
        (FieldFocus::Question, _) => {
            hints.extend([Message::KeyType, Message::KeyNote]);
        }
    }
    if view.is_unread(place) {
        hints.insert(0, Message::KeyScroll);
    }
    let is_open = view.form.sheet.reply_at(place).is_unanswered();
    // A rating has its own key that clears it, which works on the same reply.
    let is_rating = matches!(input, Some(QuestionInput::Scale(_)));
    hints.extend((!is_open && !is_rating).then_some(Message::KeyClear));
    hints.extend((is_open && !view.form.sheet.needs_input(place)).then_some(Message::KeySkip));
    hints.extend((view.tabs().len() > 1).then_some(Message::KeyTab));
    hints
}

fn push_choice_hints(
    view: &AskView,
    place: usize,
    choice: &ChoiceQuestion,
    next: Option<Message>,
    hints: &mut Vec<Message>,
) {
    hints.push(Message::KeyPick);
    hints.extend(view.form.focused_option(place).map(|_| Message::KeyPreview));
    hints.push(Message::KeyMove);
    let picks_next = !choice.multi && view.has_review();
    hints.extend(if picks_next { Some(Message::KeyEnterPickNext) } else { next });
    hints.extend(choice.multi.then_some(Message::KeyAllNone));
    hints.extend(choice.other.then_some(Message::KeyOwn));
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
