//! Confirmations and ratings.

use super::super::answering::Answering;
use super::super::app::App;
use super::super::paper::{Hit, Paper, Span, width};
use super::super::theme::Role;
use super::question::Sketch;
use crate::asked;
use ratatui::style::Style;
use sayso_core::{Answer, Message, Question, Rating, display, words};

/// Maximum number of steps that are shown one by one.
const STEPS: i64 = 11;

impl App {
    pub(super) fn put_confirm(
        &self,
        view: &Answering,
        place: usize,
        question: &Question,
        page: &mut Sketch<'_>,
    ) {
        let lang = self.setup.lang;
        let signs = self.setup.theme.signs;
        let said = match view.sheet.reply_at(place).answer() {
            Some(Answer::Confirm(yes)) => Some(*yes),
            _ => None,
        };
        let start = page.builder.rows.len();
        for (number, yes) in [(0, true), (1, false)] {
            let picked = said == Some(yes);
            let mark = if picked { signs.picked } else { signs.unpicked };
            let key = if yes { "y" } else { "n" };
            let pointer = if picked { signs.pointer } else { " " };
            page.builder.hit = Some(Hit::Item(number));
            let quoted = words::confirm(question, yes, lang);
            let quoted = quoted.strip_prefix(words::yes_or_no(yes, lang)).unwrap_or_default();
            let quoted = display::line(quoted).into_owned();
            let before = vec![
                page.builder.span(format!("{pointer} "), Role::Strong),
                page.builder.span(format!("{mark} "), if picked { Role::Done } else { Role::Plain }),
                page.builder.span(format!("{key}  "), Role::Key),
            ];
            let role = |other: Role| if picked { Role::Focus } else { other };
            let words = vec![
                page.builder.span(words::yes_or_no(yes, lang), role(Role::Plain)),
                page.builder.span(quoted, role(Role::Agent)),
            ];
            let then = page.builder.hang(9);
            page.builder.wrapped(&before, &then, words);
        }
        page.builder.hit = None;
        if said.is_none() {
            page.builder.ours(3, Message::NotAnsweredYet.plain(lang), Role::Faint);
        }
        page.focus_from(start);
    }

    pub(super) fn put_rating(
        &self,
        view: &Answering,
        place: usize,
        question: &Question,
        rating: &Rating,
        page: &mut Sketch<'_>,
    ) {
        let lang = self.setup.lang;
        let rated = view.rated(place);
        let steps = i64::from(rating.max) - i64::from(rating.min) + 1;
        let start = page.builder.rows.len();
        if steps <= STEPS {
            self.put_steps(rating, rated, &mut page.builder);
        } else {
            self.put_track(rating, rated, &mut page.builder);
        }
        let Some(step) = rated else {
            let said = Message::RatingHow.say(lang, [rating.min, rating.max]);
            page.builder.ours(3, &said, Role::Faint);
            page.focus_from(start);
            return Self::put_annotations(question, rating, &mut page.builder);
        };
        let said = Message::RatedOf.say(lang, [step, rating.max]);
        let mut spans = vec![page.builder.span(said, Role::Strong)];
        if let Some(note) = words::rating_note(question, step) {
            spans.push(page.builder.span(format!("  {}", display::line(note)), Role::Agent));
        }
        let pad = [("   ".to_owned(), Style::new())];
        let then = page.builder.hang(5);
        page.builder.wrapped(&pad, &then, spans);
        page.focus_from(start);
        Self::put_annotations(question, rating, &mut page.builder);
    }

    /// Adds each step of a scale: its number, its face, its mark on the track.
    fn put_steps(&self, rating: &Rating, rated: Option<i32>, builder: &mut Paper<'_>) {
        let signs = self.setup.theme.signs;
        let count = usize::try_from(i64::from(rating.max) - i64::from(rating.min) + 1).unwrap_or(1);
        let wide = ((builder.columns.saturating_sub(6)) / count).clamp(3, 9);
        let cell = |words: &str| {
            let fill = wide.saturating_sub(width(words));
            format!("{}{words}{}", " ".repeat(fill / 2), " ".repeat(fill - fill / 2))
        };
        let pad = || "  ".to_owned();
        let numbers: Vec<Span> = (rating.min..=rating.max)
            .map(|step| {
                let role = if rated == Some(step) { Role::Focus } else { Role::Plain };
                builder.span(cell(&step.to_string()), role)
            })
            .collect();
        builder.row([(pad(), Style::new())].into_iter().chain(numbers).collect());
        if rating.emoji && !self.setup.theme.is_ascii() {
            let faces = (rating.min..=rating.max).map(|step| cell(asked::face(rating, step).unwrap_or(" ")));
            let faces: Vec<Span> = faces.map(|face| builder.span(face, Role::Plain)).collect();
            builder.row([(pad(), Style::new())].into_iter().chain(faces).collect());
        }
        let mut track = vec![(pad(), Style::new())];
        for step in rating.min..=rating.max {
            let sign = if rated == Some(step) { signs.thumb } else { signs.hollow };
            let fill = wide.saturating_sub(1);
            let before = if step == rating.min { " " } else { signs.track };
            let after = if step == rating.max { " " } else { signs.track };
            let words = format!("{}{sign}{}", before.repeat(fill / 2), after.repeat(fill - fill / 2));
            track.push(builder.span(words, if rated == Some(step) { Role::Done } else { Role::Faint }));
        }
        builder.row(track);
    }

    /// Adds a long scale as a track.
    fn put_track(&self, rating: &Rating, rated: Option<i32>, builder: &mut Paper<'_>) {
        let signs = self.setup.theme.signs;
        let (min, max) = (rating.min.to_string(), rating.max.to_string());
        let long = builder.columns.saturating_sub(width(&min) + width(&max) + 8).clamp(8, 60);
        let spread = (i64::from(rating.max) - i64::from(rating.min)).max(1);
        let at = rated.and_then(|step| {
            let along = (i64::from(step) - i64::from(rating.min)) * (i64::try_from(long).ok()? - 1) / spread;
            usize::try_from(along).ok()
        });
        let track: String =
            (0..long).map(|cell| if at == Some(cell) { signs.thumb } else { signs.track }).collect();
        builder.row(vec![
            builder.span(format!("   {min} "), Role::Plain),
            builder.span(track, if at.is_some() { Role::Done } else { Role::Faint }),
            builder.span(format!(" {max}"), Role::Plain),
        ]);
    }

    fn put_annotations(question: &Question, rating: &Rating, builder: &mut Paper<'_>) {
        for step in rating.annotations.keys().filter(|step| (rating.min..=rating.max).contains(step)) {
            let Some(note) = words::rating_note(question, *step) else { continue };
            let before = [builder.span(format!("   {step}  "), Role::Faint)];
            let then = builder.hang(6);
            let note = builder.span(display::line(note), Role::Agent);
            builder.wrapped(&before, &then, vec![note]);
        }
    }
}
