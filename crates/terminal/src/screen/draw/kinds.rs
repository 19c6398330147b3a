//! What can be answered, by the kind of question.

use super::super::answering::{Answering, Field, Focus, is_picked};
use super::super::app::App;
use super::super::paper::{Hit, Paper, Row, Span, fitted, width};
use super::super::theme::Role;
use super::NARROW;
use super::question::Sketch;
use crate::{asked, recap};
use ratatui::style::Style;
use sayso_core::{
    Answer, Choice, Demand, Kind, Message, Offer, Opt, Question, Rating, Rules, display, words,
};

/// The fewest columns that options and a preview take beside each other.
const BESIDE: usize = 76;

/// The most steps of a scale that are shown one by one.
const STEPS: i64 = 11;

impl App {
    pub(super) fn put_choice(
        &self,
        answering: &Answering,
        place: usize,
        choice: &Choice,
        field: &mut Field,
        sketch: &mut Sketch<'_>,
    ) {
        let columns = sketch.paper.columns;
        if field.focus == Focus::Filter || !field.filter.is_empty() {
            self.put_filter(answering, place, choice, field, sketch);
        }
        let has_preview = choice.options.iter().any(|option| option.preview.is_some());
        let beside = has_preview && columns >= BESIDE;
        let start = sketch.paper.rows.len();
        if beside {
            sketch.paper.columns = columns / 2 - 2;
        }
        self.put_options(answering, place, choice, field, sketch);
        sketch.paper.columns = columns;
        if beside {
            self.put_preview_beside(choice, field, answering, place, start, sketch);
        } else if has_preview {
            sketch.paper.ours(1, Message::PreviewKey.plain(self.setup.lang), Role::Faint);
        }
    }

    fn put_filter(
        &self,
        answering: &Answering,
        place: usize,
        choice: &Choice,
        field: &mut Field,
        sketch: &mut Sketch<'_>,
    ) {
        let paper = &mut sketch.paper;
        field.filter.fit(paper.columns.saturating_sub(24).max(8));
        let words = field.filter.shown(0, 1).join("");
        let shown = field.offers(choice, answering.sheet.reply_at(place)).len();
        let lead = format!(" / {words}");
        if field.focus == Focus::Filter {
            sketch.caret = Some((paper.rows.len(), 3 + field.filter.caret().column));
        }
        let count = Message::FilterShows.say(self.setup.lang, [shown, choice.offered()]);
        let gap = " ".repeat(paper.columns.saturating_sub(width(&lead) + width(&count) + 2).max(1));
        paper.row(vec![paper.span(lead, Role::Strong), paper.span(format!("{gap}{count}"), Role::Faint)]);
    }

    fn put_options(
        &self,
        answering: &Answering,
        place: usize,
        choice: &Choice,
        field: &mut Field,
        sketch: &mut Sketch<'_>,
    ) {
        let reply = answering.sheet.reply_at(place).clone();
        let is_approval = answering.sheet.questionnaire().action.is_some();
        let alike = display::alike(choice.options.iter().map(|option| option.label.as_str()));
        let alike: std::collections::HashMap<_, _> = choice
            .options
            .iter()
            .map(|option| &option.id)
            .zip(alike)
            .filter(|(_, is_alike)| *is_alike)
            .collect();
        let offers = field.offers(choice, &reply);
        let at = field.at.min(offers.len().saturating_sub(1));
        for (row, offer_place) in offers.iter().enumerate() {
            let Some(offer) = choice.numbered(offer_place + 1) else { continue };
            let has_keys = row == at && field.focus != Focus::Note;
            let start = sketch.paper.rows.len();
            sketch.paper.hit = Some(Hit::Item(*offer_place));
            let before = self.before_offer(choice, offer_place + 1, has_keys, is_picked(&reply, &offer));
            match offer {
                Offer::Option(option) => {
                    let value = (alike.contains_key(&option.id)
                        || is_approval && option.label != option.sent())
                    .then(|| Message::ItsValue.say(self.setup.lang, [recap::brief(option.sent())]));
                    self.put_option(option, value, &before, has_keys, &mut sketch.paper);
                }
                Offer::Own => self.put_own(choice, &reply, field, &before, has_keys, sketch),
            }
            sketch.paper.hit = None;
            if has_keys {
                sketch.focus = Some((start, sketch.paper.rows.len()));
            }
        }
        if offers.is_empty() {
            sketch.paper.ours(3, Message::NothingFits.plain(self.setup.lang), Role::Faint);
        }
    }

    /// The signs before an offer: whether the keys are at it, whether it is picked, and its number.
    fn before_offer(&self, choice: &Choice, number: usize, has_keys: bool, picked: bool) -> Vec<Span> {
        let signs = self.setup.theme.signs;
        let paper = Paper::new(&self.setup.theme, 80);
        let pointer = if has_keys { signs.pointer } else { " " };
        let mark = match (choice.multi, picked) {
            (true, true) => signs.checked,
            (true, false) => signs.unchecked,
            (false, true) => signs.picked,
            (false, false) => signs.unpicked,
        };
        let wide = choice.offered().to_string().len();
        vec![
            paper.span(format!("{pointer} "), Role::Strong),
            paper.span(format!("{mark} "), if picked { Role::Done } else { Role::Plain }),
            paper.span(format!("{number:>wide$}  "), Role::Faint),
        ]
    }

    fn put_option(
        &self,
        option: &Opt,
        value: Option<String>,
        before: &[Span],
        has_keys: bool,
        paper: &mut Paper<'_>,
    ) {
        let lang = self.setup.lang;
        let indent = before.iter().map(|(words, _)| width(words)).sum::<usize>();
        let then = [(" ".repeat(indent), Style::new())];
        let label =
            paper.span(display::line(&option.label), if has_keys { Role::Focus } else { Role::Agent });
        paper.wrapped(before, &then, vec![label]);
        if option.recommended {
            let star = format!("{} {}", self.setup.theme.signs.star, Message::Suggested.plain(lang));
            paper.ours(indent, &star, Role::Star);
        }
        if let Some(value) = value {
            paper.ours(indent, &value, Role::Warn);
        }
        let Some(text) = &option.description else { return };
        if has_keys {
            paper.markdown(indent, text);
            return;
        }
        // Of those that the keys are not at, one line.
        let lines = display::markdown_lines(text);
        let first = lines.first().map(String::as_str).unwrap_or_default();
        let cut = self.setup.theme.signs.cut;
        let room = paper.columns.saturating_sub(indent + 3);
        let short = if lines.len() > 1 { format!("{first} {cut}") } else { first.to_owned() };
        let mut spans = paper.gutter(indent);
        spans.push(paper.span(fitted(&short, room, cut), Role::Faint));
        paper.row(spans);
    }

    /// The offer of an own answer, with what is typed there.
    fn put_own(
        &self,
        choice: &Choice,
        reply: &sayso_core::Reply,
        field: &mut Field,
        before: &[Span],
        has_keys: bool,
        sketch: &mut Sketch<'_>,
    ) {
        let lang = self.setup.lang;
        let indent = before.iter().map(|(words, _)| width(words)).sum::<usize>();
        let then = [(" ".repeat(indent), Style::new())];
        let words = display::line(words::other(choice, lang)).into_owned();
        let label = sketch.paper.span(words, if has_keys { Role::Focus } else { Role::Agent });
        sketch.paper.wrapped(before, &then, vec![label]);
        if field.focus == Focus::Text {
            let title = Message::YourAnswer.plain(lang).to_owned();
            sketch.text_box(indent.min(8), &title, "", &mut field.text, true, 1);
        } else if !field.text.is_empty() {
            let words = recap::brief(field.text.text());
            let is_own = is_picked(reply, &Offer::Own);
            let said = if is_own { Message::OwnAnswer } else { Message::OwnAside };
            let role = if is_own { Role::Plain } else { Role::Warn };
            sketch.paper.ours(indent, &said.say(lang, [words]), role);
        }
    }

    fn put_preview_beside(
        &self,
        choice: &Choice,
        field: &Field,
        answering: &Answering,
        place: usize,
        start: usize,
        sketch: &mut Sketch<'_>,
    ) {
        let lang = self.setup.lang;
        let left = sketch.paper.columns / 2 - 2;
        let mut right = Paper::new(&self.setup.theme, sketch.paper.columns - left - 4);
        let offers = field.offers(choice, answering.sheet.reply_at(place));
        let number = offers.get(field.at.min(offers.len().saturating_sub(1))).map(|offer| offer + 1);
        let preview = number.and_then(|number| match choice.numbered(number)? {
            Offer::Option(option) => option.preview.as_deref(),
            Offer::Own => None,
        });
        match (number, preview) {
            (Some(number), Some(preview)) => {
                right.ours(0, &Message::PreviewOfNumber.say(lang, [number]), Role::Faint);
                right.exact(0, preview);
            }
            _ => right.ours(0, Message::NoPreviewHere.plain(lang), Role::Faint),
        }
        let room = sketch.height.saturating_sub(start).max(6);
        if right.rows.len() > room {
            right.rows.truncate(room - 1);
            right.ours(0, Message::PreviewMore.plain(lang), Role::Faint);
        }
        let rows = sketch.paper.rows.len().max(start + right.rows.len());
        sketch.paper.rows.resize(rows, Row::default());
        let parting = format!("{} ", self.setup.theme.signs.parting);
        let faint = self.setup.theme.style(Role::Faint);
        for (at, row) in sketch.paper.rows.iter_mut().skip(start).enumerate() {
            let fill = (left + 1).saturating_sub(row.width());
            row.spans.push((" ".repeat(fill), Style::new()));
            row.spans.push((parting.clone(), faint));
            row.spans.extend(right.rows.get(at).map(|row| row.spans.clone()).unwrap_or_default());
        }
    }

    pub(super) fn put_confirm(
        &self,
        answering: &Answering,
        place: usize,
        question: &Question,
        sketch: &mut Sketch<'_>,
    ) {
        let lang = self.setup.lang;
        let signs = self.setup.theme.signs;
        let said = match answering.sheet.reply_at(place).answer() {
            Some(Answer::Confirm(yes)) => Some(*yes),
            _ => None,
        };
        for (number, yes) in [(0, true), (1, false)] {
            let picked = said == Some(yes);
            let mark = if picked { signs.picked } else { signs.unpicked };
            let key = if yes { "y" } else { "n" };
            let pointer = if picked { signs.pointer } else { " " };
            sketch.paper.hit = Some(Hit::Item(number));
            let words = display::line(&words::confirm(question, yes, lang)).into_owned();
            let before = vec![
                sketch.paper.span(format!("{pointer} "), Role::Strong),
                sketch.paper.span(format!("{mark} "), if picked { Role::Done } else { Role::Plain }),
                sketch.paper.span(format!("{key}  "), Role::Key),
            ];
            let label = sketch.paper.span(words, if picked { Role::Focus } else { Role::Agent });
            sketch.paper.wrapped(&before, &[("         ".to_owned(), Style::new())], vec![label]);
        }
        sketch.paper.hit = None;
        if said.is_none() {
            sketch.paper.ours(3, Message::NotAnsweredYet.plain(lang), Role::Faint);
        }
    }

    pub(super) fn put_rating(
        &self,
        answering: &Answering,
        place: usize,
        question: &Question,
        rating: &Rating,
        sketch: &mut Sketch<'_>,
    ) {
        let lang = self.setup.lang;
        let rated = answering.rated(place);
        let steps = i64::from(rating.max) - i64::from(rating.min) + 1;
        if steps <= STEPS {
            self.put_steps(rating, rated, &mut sketch.paper);
        } else {
            self.put_track(rating, rated, &mut sketch.paper);
        }
        let Some(step) = rated else {
            let said = Message::RatingHow.say(lang, [rating.min, rating.max]);
            sketch.paper.ours(3, &said, Role::Faint);
            return Self::put_annotations(question, rating, &mut sketch.paper);
        };
        let said = Message::RatedOf.say(lang, [step, rating.max]);
        let mut spans = vec![sketch.paper.span(said, Role::Strong)];
        if let Some(note) = words::rating_note(question, step) {
            spans.push(sketch.paper.span(format!("  {}", display::line(note)), Role::Agent));
        }
        let pad = [("   ".to_owned(), Style::new())];
        sketch.paper.wrapped(&pad, &pad, spans);
        Self::put_annotations(question, rating, &mut sketch.paper);
    }

    /// Each step by itself: its number, its face, its place on the track.
    fn put_steps(&self, rating: &Rating, rated: Option<i32>, paper: &mut Paper<'_>) {
        let signs = self.setup.theme.signs;
        let count = usize::try_from(i64::from(rating.max) - i64::from(rating.min) + 1).unwrap_or(1);
        let wide = ((paper.columns.saturating_sub(6)) / count).clamp(3, 9);
        let cell = |words: &str| {
            let fill = wide.saturating_sub(width(words));
            format!("{}{words}{}", " ".repeat(fill / 2), " ".repeat(fill - fill / 2))
        };
        let pad = || "  ".to_owned();
        let numbers: Vec<Span> = (rating.min..=rating.max)
            .map(|step| {
                let role = if rated == Some(step) { Role::Focus } else { Role::Plain };
                paper.span(cell(&step.to_string()), role)
            })
            .collect();
        paper.row([(pad(), Style::new())].into_iter().chain(numbers).collect());
        if rating.emoji {
            let faces = (rating.min..=rating.max).map(|step| cell(asked::face(rating, step).unwrap_or(" ")));
            let faces: Vec<Span> = faces.map(|face| paper.span(face, Role::Plain)).collect();
            paper.row([(pad(), Style::new())].into_iter().chain(faces).collect());
        }
        let mut track = vec![(pad(), Style::new())];
        for step in rating.min..=rating.max {
            let sign = if rated == Some(step) { signs.thumb } else { signs.hollow };
            let fill = wide.saturating_sub(1);
            let before = if step == rating.min { " " } else { signs.track };
            let after = if step == rating.max { " " } else { signs.track };
            let words = format!("{}{sign}{}", before.repeat(fill / 2), after.repeat(fill - fill / 2));
            track.push(paper.span(words, if rated == Some(step) { Role::Done } else { Role::Faint }));
        }
        paper.row(track);
    }

    /// A long scale as a track.
    fn put_track(&self, rating: &Rating, rated: Option<i32>, paper: &mut Paper<'_>) {
        let signs = self.setup.theme.signs;
        let (min, max) = (rating.min.to_string(), rating.max.to_string());
        let long = paper.columns.saturating_sub(width(&min) + width(&max) + 8).clamp(8, 60);
        let spread = (i64::from(rating.max) - i64::from(rating.min)).max(1);
        let at = rated.and_then(|step| {
            let along = (i64::from(step) - i64::from(rating.min)) * (i64::try_from(long).ok()? - 1) / spread;
            usize::try_from(along).ok()
        });
        let track: String =
            (0..long).map(|cell| if at == Some(cell) { signs.thumb } else { signs.track }).collect();
        paper.row(vec![
            paper.span(format!("   {min} "), Role::Plain),
            paper.span(track, if at.is_some() { Role::Done } else { Role::Faint }),
            paper.span(format!(" {max}"), Role::Plain),
        ]);
    }

    fn put_annotations(question: &Question, rating: &Rating, paper: &mut Paper<'_>) {
        for step in rating.annotations.keys().filter(|step| (rating.min..=rating.max).contains(step)) {
            let Some(note) = words::rating_note(question, *step) else { continue };
            let before = [paper.span(format!("   {step}  "), Role::Faint)];
            let then = [("      ".to_owned(), Style::new())];
            let note = paper.span(display::line(note), Role::Agent);
            paper.wrapped(&before, &then, vec![note]);
        }
    }

    /// An answer that is typed, in its box.
    pub(super) fn put_typed(
        &self,
        answering: &Answering,
        question: &Question,
        field: &mut Field,
        sketch: &mut Sketch<'_>,
    ) {
        let lang = self.setup.lang;
        let has_keys = field.focus == Focus::Text;
        let count = Self::length(question, &answering.sheet.questionnaire().rules, field.text.text());
        let least = if question.is_long_text() { 4 } else { 1 };
        let title = Message::YourAnswer.plain(lang).to_owned();
        let narrow = sketch.paper.columns < NARROW;
        let start = sketch.paper.rows.len();
        sketch.text_box(usize::from(!narrow), &title, &count, &mut field.text, has_keys, least);
        if let Some(example) = question.placeholder.as_deref().filter(|_| field.text.is_empty()) {
            let said = display::line(example.lines().next().unwrap_or_default()).into_owned();
            let said = Message::Example.say(lang, [said]);
            sketch.paper.ours(2, &said, Role::Faint);
        }
        if !has_keys {
            sketch.focus = Some((start, sketch.paper.rows.len()));
        }
        if matches!(question.kind, Kind::Text(_)) || field.text.is_empty() {
            if question.kind.is_date_or_time() && field.text.is_empty() {
                sketch.paper.ours(2, date_how(&question.kind).plain(lang), Role::Faint);
            }
            return;
        }
        let said = match field.typed(question, &self.now) {
            Some(Answer::Text(_)) | None => Message::NotUnderstood.plain(lang).to_owned(),
            Some(answer) => self.understood(question, &answer),
        };
        sketch.paper.ours(2, &said, Role::Faint);
    }

    /// How a typed date or number was understood.
    fn understood(&self, question: &Question, answer: &Answer) -> String {
        let lang = self.setup.lang;
        let words = words::answer(question, answer, lang).into_owned();
        let day = match answer {
            Answer::Date(date) => Some(*date),
            Answer::Datetime(moment) => Some(moment.at.date()),
            _ => None,
        };
        let words = match (day, lang) {
            (Some(day), sayso_core::Lang::En) => format!("{} {words}", day.strftime("%A")),
            _ => words,
        };
        match answer {
            Answer::Datetime(moment) if moment.offset.is_none() => Message::UnderstoodHere.say(lang, [words]),
            _ => Message::UnderstoodAs.say(lang, [words]),
        }
    }

    /// How long a text is, and how long it may be.
    fn length(question: &Question, rules: &Rules, text: &str) -> String {
        let most =
            question.constraints.iter().flat_map(|constraint| &constraint.demands).find_map(|demand| {
                match demand {
                    Demand::MaxLength(most) => Some(*most),
                    _ => None,
                }
            });
        let length = rules.length_unit.count(rules.clean(text));
        match most {
            Some(most) => format!("{length} / {most}"),
            None if length > 0 && matches!(question.kind, Kind::Text(_)) => length.to_string(),
            None => String::new(),
        }
    }
}

const fn date_how(kind: &Kind) -> Message {
    match kind {
        Kind::Date => Message::DateHow,
        Kind::Time => Message::TimeHow,
        _ => Message::DatetimeHow,
    }
}
