//! Confirmations and ratings.

use super::super::answer::AskView;
use super::super::widgets::authored_text::{AuthoredSpan, Margins};
use super::super::widgets::line_builder::{HitTarget, LineBuilder, StyledSpan, display_width, spans_width};
use super::super::widgets::theme::StyleRole;
use super::ViewContext;
use super::question::PageBuilder;
use ratatui::style::Style;
use sayso_core::{
    Answer, ConfirmQuestion, ConsentQuestions, Message, Question, RatingQuestion, display, i18n::answer_words,
};

/// Maximum number of steps that are shown one by one.
const MAX_SHOWN_STEPS: i64 = 11;

/// Columns between yes and no on a row that they share.
const CONFIRM_GAP: usize = 3;

/// Adds yes and no: on one row, so that none of them is off the screen alone, or below each other if they are too wide.
pub(super) fn push_confirm(
    cx: &ViewContext<'_>,
    view: &AskView,
    place: usize,
    question: &Question,
    confirm: &ConfirmQuestion,
    page: &mut PageBuilder<'_>,
) {
    let answer = match view.form.sheet.reply_at(place).answer() {
        Some(Answer::Confirm(yes)) => Some(*yes),
        _ => None,
    };
    let builder = &mut page.builder;
    let start = builder.rows.len();
    let unread = view.unread_lines(place);
    let consent = ConsentQuestions::for_questionnaire(view.form.sheet.questionnaire());
    let submission = view.ask.refused_submission();
    let yes_choice = ConfirmChoice {
        yes: true,
        key: if unread.is_some() { "Y" } else { "y" },
        unread,
        is_picked: answer == Some(true),
        is_suggested: consent.suggests_confirm(question, true, submission),
    };
    let no_choice = ConfirmChoice {
        yes: false,
        key: "n",
        unread: None,
        is_picked: answer == Some(false),
        is_suggested: consent.suggests_confirm(question, false, submission),
    };
    let yes = ConfirmItem::new(cx, confirm, &yes_choice, builder);
    let no = ConfirmItem::new(cx, confirm, &no_choice, builder);
    let no_from = yes.width() + CONFIRM_GAP;
    if no_from + no.width() <= builder.columns {
        let mut row = yes.into_spans();
        row.push((" ".repeat(CONFIRM_GAP), Style::new()));
        row.extend(no.into_spans());
        builder.hit_target = Some(HitTarget::YesNo { no_from });
        builder.push_row(row);
    } else {
        for (index, item) in [yes, no].into_iter().enumerate() {
            builder.hit_target = Some(HitTarget::Item(index));
            builder.push_authored(&item.prefix, Margins::hanging(9), &item.words);
        }
    }
    builder.hit_target = None;
    page.focus_from(start);
    page.is_focus_unsplit = true;
}

/// Yes or no.
struct ConfirmChoice {
    yes: bool,
    key: &'static str,
    /// Number of the lines above that were not drawn, and of all.
    unread: Option<[u32; 2]>,
    is_picked: bool,
    is_suggested: bool,
}

/// Yes or no as it is drawn.
struct ConfirmItem {
    /// Its pointer, mark and key.
    prefix: Vec<StyledSpan>,
    words: Vec<AuthoredSpan>,
}

impl ConfirmItem {
    fn new(
        cx: &ViewContext<'_>,
        confirm: &ConfirmQuestion,
        choice: &ConfirmChoice,
        builder: &LineBuilder<'_>,
    ) -> Self {
        let lang = cx.lang;
        let signs = cx.theme.symbols;
        let pointer = if choice.is_picked { signs.pointer } else { " " };
        let (mark, mark_role) = match choice.is_picked {
            true => (signs.picked, StyleRole::Completed),
            false => (signs.unpicked, StyleRole::Plain),
        };
        let prefix = vec![
            builder.span(format!("{pointer} "), StyleRole::Accent),
            builder.span(format!("{mark} "), mark_role),
            builder.span(format!("{}  ", choice.key), StyleRole::Key),
        ];
        // Yes and no are our own words; the asker's label follows as a quotation.
        let own_word = answer_words::yes_or_no(choice.yes, lang);
        let description = confirm.describe(choice.yes, lang);
        let label = display::escape_composed(description.strip_prefix(own_word).unwrap_or_default());
        let mut words = vec![
            match choice.unread {
                Some(counts) => {
                    let role = StyleRole::Warning.focused_if(choice.is_picked);
                    builder.own_span(Message::YesUnread.render_with(lang, counts), role)
                }
                None => builder.own_span(own_word, StyleRole::Plain.focused_if(choice.is_picked)),
            },
            builder.own_span(label, StyleRole::Agent.focused_if(choice.is_picked)),
        ];
        if choice.is_suggested {
            let star = format!("  {} {}", signs.star, Message::Suggested.plain(lang));
            words.push(builder.own_span(star, StyleRole::Suggestion.focused_if(choice.is_picked)));
        }
        Self { prefix, words }
    }

    fn width(&self) -> usize {
        spans_width(&self.prefix) + self.words.iter().map(AuthoredSpan::width).sum::<usize>()
    }

    fn into_spans(self) -> Vec<StyledSpan> {
        let mut spans = self.prefix;
        spans.extend(self.words.into_iter().map(AuthoredSpan::into_span));
        spans
    }
}

pub(super) fn push_rating(
    cx: &ViewContext<'_>,
    view: &AskView,
    place: usize,
    rating: &RatingQuestion,
    page: &mut PageBuilder<'_>,
) {
    let lang = cx.lang;
    let answer = view.form.rating_at(place);
    let steps = i64::from(rating.max) - i64::from(rating.min) + 1;
    let start = page.builder.rows.len();
    if steps <= MAX_SHOWN_STEPS {
        push_steps(cx, rating, answer, &mut page.builder);
    } else {
        push_track(cx, rating, answer, &mut page.builder);
    }
    let Some(step) = answer else {
        let message = Message::RatingHow.render_with(lang, [rating.min, rating.max]);
        page.builder.push_own(3, &message, StyleRole::Faint);
        page.focus_from(start);
        return push_annotations(rating, &mut page.builder);
    };
    let message = Message::RatedOf.render_with(lang, [step, rating.max]);
    let mut spans = vec![page.builder.own_span(message, StyleRole::Strong)];
    if let Some(note) = rating.label(step) {
        spans.push(page.builder.agent_span(format!("  {}", display::escape_line(note)), StyleRole::Agent));
    }
    let pad = [("   ".to_owned(), Style::new())];
    page.builder.push_authored(&pad, Margins { ours: 3, mark: 3 }, &spans);
    page.focus_from(start);
    push_annotations(rating, &mut page.builder);
}

/// Adds each step of a scale: its number, its face, its mark on the track.
fn push_steps(
    cx: &ViewContext<'_>,
    rating: &RatingQuestion,
    answer: Option<i32>,
    builder: &mut LineBuilder<'_>,
) {
    let signs = cx.theme.symbols;
    let count = usize::try_from(i64::from(rating.max) - i64::from(rating.min) + 1).unwrap_or(1);
    let width = ((builder.columns.saturating_sub(6)) / count).clamp(3, 9);
    let pad = ("  ".to_owned(), Style::new());
    let mut numbers = vec![pad.clone()];
    for step in rating.min..=rating.max {
        let cell = centre(&step.to_string(), width);
        if answer != Some(step) {
            numbers.push(builder.span(cell, StyleRole::Plain));
            continue;
        }
        // The focus is as wide as the number with a space on each side.
        let left_fill = (cell.len() - cell.trim_start().len()).saturating_sub(1);
        let right_fill = (cell.len() - cell.trim_end().len()).saturating_sub(1);
        let focus = cell.get(left_fill..cell.len() - right_fill).unwrap_or_default();
        numbers.push(builder.span(" ".repeat(left_fill), StyleRole::Plain));
        numbers.push(builder.span(focus, StyleRole::Focus));
        numbers.push(builder.span(" ".repeat(right_fill), StyleRole::Plain));
    }
    builder.push_row(numbers);
    if rating.emoji && !cx.theme.is_ascii() {
        let mut faces = vec![pad.clone()];
        for step in rating.min..=rating.max {
            let face = centre(rating.face(step).unwrap_or(" "), width);
            faces.push(builder.span(face, StyleRole::Plain));
        }
        builder.push_row(faces);
    }
    let mut track = vec![pad];
    let fill = width.saturating_sub(1);
    for step in rating.min..=rating.max {
        let left_sign = if step == rating.min { " " } else { signs.track };
        let right_sign = if step == rating.max { " " } else { signs.track };
        let left_track = left_sign.repeat(fill / 2);
        let right_track = right_sign.repeat(fill - fill / 2);
        // The track is filled up to the step.
        let (sign, left_role, right_role) = match answer {
            Some(answer) if step < answer => (signs.empty_step, StyleRole::Completed, StyleRole::Completed),
            Some(answer) if step == answer => (signs.thumb, StyleRole::Completed, StyleRole::Faint),
            _ => (signs.empty_step, StyleRole::Faint, StyleRole::Faint),
        };
        track.push(builder.span(format!("{left_track}{sign}"), left_role));
        track.push(builder.span(right_track, right_role));
    }
    builder.push_row(track);
}

/// Returns words in the middle of a cell that is `width` columns wide.
fn centre(words: &str, width: usize) -> String {
    let fill = width.saturating_sub(display_width(words));
    format!("{}{words}{}", " ".repeat(fill / 2), " ".repeat(fill - fill / 2))
}

/// Adds a long scale as a track.
fn push_track(
    cx: &ViewContext<'_>,
    rating: &RatingQuestion,
    answer: Option<i32>,
    builder: &mut LineBuilder<'_>,
) {
    let signs = cx.theme.symbols;
    let min = rating.min.to_string();
    let max = rating.max.to_string();
    let length = builder.columns.saturating_sub(display_width(&min) + display_width(&max) + 8).clamp(8, 60);
    let mut filled_part = String::new();
    let mut rest_length = length;
    if let Some(step) = answer {
        let cell = track_cell(rating, step, length);
        filled_part = signs.track.repeat(cell) + signs.thumb;
        rest_length = length - cell - 1;
    }
    builder.push_row(vec![
        builder.span(format!("   {min} "), StyleRole::Plain),
        builder.span(filled_part, StyleRole::Completed),
        builder.span(signs.track.repeat(rest_length), StyleRole::Faint),
        builder.span(format!(" {max}"), StyleRole::Plain),
    ]);
}

/// Returns the cell of a step on a track of this length, from 0.
fn track_cell(rating: &RatingQuestion, step: i32, length: usize) -> usize {
    let last = length.saturating_sub(1);
    let spread = (i64::from(rating.max) - i64::from(rating.min)).max(1);
    let distance = i64::from(step) - i64::from(rating.min);
    let cell = distance.saturating_mul(i64::try_from(last).unwrap_or_default()) / spread;
    usize::try_from(cell).unwrap_or_default().min(last)
}

fn push_annotations(rating: &RatingQuestion, builder: &mut LineBuilder<'_>) {
    if !rating.annotations.is_empty() {
        builder.push_blank();
    }
    for step in rating.annotations.keys() {
        if (rating.min..=rating.max).contains(step)
            && let Some(note) = rating.label(*step)
        {
            let prefix = [builder.span(format!("   {step}  "), StyleRole::Faint)];
            builder.push_agent_after(&prefix, note, StyleRole::Agent);
        }
    }
}
