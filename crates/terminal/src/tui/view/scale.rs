//! Confirmations and ratings.

use super::super::answer::AskView;
use super::super::widgets::authored_text::{AuthoredSpan, Margins};
use super::super::widgets::line_builder::{HitTarget, LineBuilder, StyledSpan, display_width};
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
    let refused = view.ask.refused_submission();
    let is_suggested = |confirmed| consent.suggests_confirm(question, confirmed, refused);
    let key = if unread.is_some() { "Y" } else { "y" };
    let yes = ConfirmChoice { yes: true, key, unread, is_suggested: is_suggested(true) };
    let no = ConfirmChoice { yes: false, key: "n", unread: None, is_suggested: is_suggested(false) };
    let items =
        [yes, no].map(|choice| confirm_item(cx, confirm, &choice, answer == Some(choice.yes), builder));
    let columns = items
        .each_ref()
        .map(|(before, words)| width_of(before) + words.iter().map(AuthoredSpan::width).sum::<usize>());
    if columns[0] + CONFIRM_GAP + columns[1] <= builder.columns {
        let [(mut row, words), no] = items;
        row.extend(words.into_iter().map(AuthoredSpan::into_span));
        row.push((" ".repeat(CONFIRM_GAP), Style::new()));
        row.extend(no.0.into_iter().chain(no.1.into_iter().map(AuthoredSpan::into_span)));
        builder.hit_target = Some(HitTarget::YesNo { no_from: columns[0] + CONFIRM_GAP });
        builder.push_row(row);
    } else {
        for (number, (before, words)) in items.into_iter().enumerate() {
            builder.hit_target = Some(HitTarget::Item(number));
            builder.push_authored(&before, Margins::hanging(9), &words);
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
    is_suggested: bool,
}

/// Returns yes or no: its pointer, mark and key, and its words.
fn confirm_item(
    cx: &ViewContext<'_>,
    confirm: &ConfirmQuestion,
    choice: &ConfirmChoice,
    picked: bool,
    builder: &LineBuilder<'_>,
) -> (Vec<StyledSpan>, Vec<AuthoredSpan>) {
    let (lang, signs) = (cx.lang, cx.theme.symbols);
    let mark = if picked { signs.picked } else { signs.unpicked };
    let pointer = if picked { signs.pointer } else { " " };
    let own = answer_words::yes_or_no(choice.yes, lang);
    let quoted = confirm.describe(choice.yes, lang);
    let quoted = display::escape_composed(quoted.strip_prefix(own).unwrap_or_default()).into_owned();
    let before = vec![
        builder.span(format!("{pointer} "), StyleRole::Accent),
        builder.span(format!("{mark} "), if picked { StyleRole::Completed } else { StyleRole::Plain }),
        builder.span(format!("{}  ", choice.key), StyleRole::Key),
    ];
    let suggested = match choice.is_suggested {
        true => format!("  {} {}", signs.star, Message::Suggested.plain(lang)),
        false => String::new(),
    };
    let role = |other: StyleRole| if picked { StyleRole::Focus } else { other };
    let words = vec![
        match choice.unread {
            Some(counts) => {
                builder.own_span(Message::YesUnread.render_with(lang, counts), role(StyleRole::Warning))
            }
            None => builder.own_span(own, role(StyleRole::Plain)),
        },
        builder.own_span(quoted, role(StyleRole::Agent)),
        builder.own_span(suggested, role(StyleRole::Suggestion)),
    ];
    (before, words)
}

fn width_of(spans: &[StyledSpan]) -> usize {
    spans.iter().map(|(words, _)| display_width(words)).sum()
}

pub(super) fn push_rating(
    cx: &ViewContext<'_>,
    view: &AskView,
    place: usize,
    rating: &RatingQuestion,
    page: &mut PageBuilder<'_>,
) {
    let lang = cx.lang;
    let rated = view.form.rating_at(place);
    let steps = i64::from(rating.max) - i64::from(rating.min) + 1;
    let start = page.builder.rows.len();
    if steps <= MAX_SHOWN_STEPS {
        push_steps(cx, rating, rated, &mut page.builder);
    } else {
        push_track(cx, rating, rated, &mut page.builder);
    }
    let Some(step) = rated else {
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
    rated: Option<i32>,
    builder: &mut LineBuilder<'_>,
) {
    let signs = cx.theme.symbols;
    let count = usize::try_from(i64::from(rating.max) - i64::from(rating.min) + 1).unwrap_or(1);
    let wide = ((builder.columns.saturating_sub(6)) / count).clamp(3, 9);
    let cell = |words: &str| {
        let fill = wide.saturating_sub(display_width(words));
        format!("{}{words}{}", " ".repeat(fill / 2), " ".repeat(fill - fill / 2))
    };
    let pad = || "  ".to_owned();
    let mut numbers = vec![(pad(), Style::new())];
    for step in rating.min..=rating.max {
        let words = cell(&step.to_string());
        if rated != Some(step) {
            numbers.push(builder.span(words, StyleRole::Plain));
            continue;
        }
        // The focus is as wide as the number with a space on each side.
        let (before, after) = (words.len() - words.trim_start().len(), words.len() - words.trim_end().len());
        let (before, after) = (before.saturating_sub(1), after.saturating_sub(1));
        numbers.push(builder.span(" ".repeat(before), StyleRole::Plain));
        numbers
            .push(builder.span(words.get(before..words.len() - after).unwrap_or_default(), StyleRole::Focus));
        numbers.push(builder.span(" ".repeat(after), StyleRole::Plain));
    }
    builder.push_row(numbers);
    if rating.emoji && !cx.theme.is_ascii() {
        let faces = (rating.min..=rating.max).map(|step| cell(rating.face(step).unwrap_or(" ")));
        let faces: Vec<StyledSpan> = faces.map(|face| builder.span(face, StyleRole::Plain)).collect();
        builder.push_row([(pad(), Style::new())].into_iter().chain(faces).collect());
    }
    let mut track = vec![(pad(), Style::new())];
    for step in rating.min..=rating.max {
        let sign = if rated == Some(step) { signs.thumb } else { signs.empty_step };
        let fill = wide.saturating_sub(1);
        let before = if step == rating.min { " " } else { signs.track };
        let after = if step == rating.max { " " } else { signs.track };
        // The track is filled up to the step.
        let role = |is_filled: bool| if is_filled { StyleRole::Completed } else { StyleRole::Faint };
        let up_to = rated.is_some_and(|rated| step <= rated);
        let beyond = rated.is_some_and(|rated| step < rated);
        track.push(builder.span(format!("{}{sign}", before.repeat(fill / 2)), role(up_to)));
        track.push(builder.span(after.repeat(fill - fill / 2), role(beyond)));
    }
    builder.push_row(track);
}

/// Adds a long scale as a track.
fn push_track(
    cx: &ViewContext<'_>,
    rating: &RatingQuestion,
    rated: Option<i32>,
    builder: &mut LineBuilder<'_>,
) {
    let signs = cx.theme.symbols;
    let (min, max) = (rating.min.to_string(), rating.max.to_string());
    let long = builder.columns.saturating_sub(display_width(&min) + display_width(&max) + 8).clamp(8, 60);
    let spread = (i64::from(rating.max) - i64::from(rating.min)).max(1);
    let at = rated.and_then(|step| {
        let along = (i64::from(step) - i64::from(rating.min)) * (i64::try_from(long).ok()? - 1) / spread;
        usize::try_from(along).ok()
    });
    let filled = at.map_or_else(String::new, |cell| format!("{}{}", signs.track.repeat(cell), signs.thumb));
    let rest = signs.track.repeat(long - at.map_or(0, |cell| cell + 1));
    builder.push_row(vec![
        builder.span(format!("   {min} "), StyleRole::Plain),
        builder.span(filled, StyleRole::Completed),
        builder.span(rest, StyleRole::Faint),
        builder.span(format!(" {max}"), StyleRole::Plain),
    ]);
}

fn push_annotations(rating: &RatingQuestion, builder: &mut LineBuilder<'_>) {
    if !rating.annotations.is_empty() {
        builder.push_blank();
    }
    for step in rating.annotations.keys().filter(|step| (rating.min..=rating.max).contains(step)) {
        let Some(note) = rating.label(*step) else { continue };
        let before = [builder.span(format!("   {step}  "), StyleRole::Faint)];
        builder.push_agent_after(&before, note, StyleRole::Agent);
    }
}
