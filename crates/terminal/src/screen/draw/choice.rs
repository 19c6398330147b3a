//! Options of a choice, the own answer among them, and their previews.

use super::super::answering::{Answering, Field, Focus, is_picked};
use super::super::app::App;
use super::super::laid::Way;
use super::super::paper::{Hit, Paper, Row, Span, fitted, width};
use super::super::theme::Role;
use super::question::{Frame, Sketch};
use crate::recap;
use ratatui::style::Style;
use sayso_core::{Choice, ConsentQuestions, Message, Offer, Opt, Reply, display, words};

/// Minimum number of columns for options and a preview side by side.
const BESIDE: usize = 76;

/// A choice with the state that its page needs.
struct Chosen<'a> {
    choice: &'a Choice,
    reply: &'a Reply,
    /// Offers that pass the filter, as indices into all offers, from 0.
    offers: Vec<usize>,
    /// Index of the focused offer in `offers`.
    at: usize,
    /// A pick is consent, so no option is marked as suggested.
    is_consent: bool,
}

/// Our own marks below an option's label.
struct Marks {
    /// The value that the option sends.
    value: Option<String>,
    suggested: bool,
}

impl App {
    pub(super) fn put_choice(
        &self,
        view: &Answering,
        place: usize,
        choice: &Choice,
        field: &mut Field,
        page: &mut Sketch<'_>,
    ) {
        let reply = view.sheet.reply_at(place);
        let offers = field.offers(choice, reply);
        let at = field.at.min(offers.len().saturating_sub(1));
        let consent = ConsentQuestions::of(view.sheet.questionnaire());
        let is_consent = view.question(place).is_some_and(|question| consent.include(question));
        let chosen = Chosen { choice, reply, offers, at, is_consent };
        let columns = page.builder.columns;
        if field.focus == Focus::Filter || !field.filter.is_empty() {
            self.put_filter(&chosen, field, page);
        }
        let has_preview = choice.options.iter().any(|option| option.preview.is_some());
        let beside = has_preview && columns >= BESIDE;
        let start = page.builder.rows.len();
        if beside {
            page.builder.columns = columns / 2 - 2;
        }
        self.put_options(&chosen, field, page);
        page.builder.columns = columns;
        if beside {
            self.put_preview_beside(&chosen, start, page);
        } else if has_preview {
            page.builder.ours(1, Message::PreviewKey.plain(self.setup.lang), Role::Faint);
        }
    }

    fn put_filter(&self, chosen: &Chosen<'_>, field: &mut Field, page: &mut Sketch<'_>) {
        let builder = &mut page.builder;
        field.filter.fit(builder.columns.saturating_sub(24).max(8));
        let words = field.filter.shown(0, 1).join("");
        let lead = format!(" / {words}");
        if field.focus == Focus::Filter {
            page.caret = Some((builder.rows.len(), 3 + field.filter.caret().column));
        }
        let counts = [chosen.offers.len(), chosen.choice.offered()];
        let count = Message::FilterShows.say(self.setup.lang, counts);
        let gap = " ".repeat(builder.columns.saturating_sub(width(&lead) + width(&count) + 2).max(1));
        builder
            .row(vec![builder.span(lead, Role::Strong), builder.span(format!("{gap}{count}"), Role::Faint)]);
    }

    fn put_options(&self, chosen: &Chosen<'_>, field: &mut Field, page: &mut Sketch<'_>) {
        let Chosen { choice, reply, offers, at, is_consent } = chosen;
        for (row, offer_place) in offers.iter().enumerate() {
            let Some(offer) = choice.numbered(offer_place + 1) else { continue };
            let has_focus = row == *at && field.focus != Focus::Note;
            let start = page.builder.rows.len();
            page.builder.hit = Some(Hit::Item(*offer_place));
            let before = self.before_offer(choice, offer_place + 1, has_focus, is_picked(reply, &offer));
            match offer {
                Offer::Option(option) => {
                    let value = page.looks.value(option, self.setup.lang);
                    let marks = Marks { value, suggested: option.recommended && !is_consent };
                    self.put_option(option, marks, &before, has_focus, &mut page.builder);
                }
                Offer::Own => self.put_own(chosen, field, &before, has_focus, page),
            }
            page.builder.hit = None;
            if has_focus {
                page.focus_from(start);
            }
        }
        if offers.is_empty() {
            page.builder.ours(3, Message::NothingFits.plain(self.setup.lang), Role::Faint);
        }
    }

    /// Returns the prefix of an offer: pointer, mark and number.
    fn before_offer(&self, choice: &Choice, number: usize, has_focus: bool, picked: bool) -> Vec<Span> {
        let signs = self.setup.theme.signs;
        let builder = Paper::new(&self.setup.theme, 80);
        let pointer = if has_focus { signs.pointer } else { " " };
        let mark = match (choice.multi, picked) {
            (true, true) => signs.checked,
            (true, false) => signs.unchecked,
            (false, true) => signs.picked,
            (false, false) => signs.unpicked,
        };
        let wide = choice.offered().to_string().len();
        vec![
            builder.span(format!("{pointer} "), Role::Strong),
            builder.span(format!("{mark} "), if picked { Role::Done } else { Role::Plain }),
            builder.span(format!("{number:>wide$}  "), Role::Faint),
        ]
    }

    fn put_option(
        &self,
        option: &Opt,
        marks: Marks,
        before: &[Span],
        has_focus: bool,
        builder: &mut Paper<'_>,
    ) {
        let lang = self.setup.lang;
        let indent = before.iter().map(|(words, _)| width(words)).sum::<usize>();
        builder.behind(before, &option.label, if has_focus { Role::Focus } else { Role::Agent });
        if marks.suggested {
            let star = format!("{} {}", self.setup.theme.signs.star, Message::Suggested.plain(lang));
            builder.ours(indent, &star, Role::Star);
        }
        if let Some(value) = marks.value {
            builder.quoting(indent, &value, Role::Warn);
        }
        let Some(text) = &option.description else { return };
        if has_focus {
            builder.markdown(indent, text);
            return;
        }
        // An unfocused option shows one line of its description.
        builder.lay(Way::Beginning, indent, text, |builder| {
            let lines = display::markdown_lines(text);
            let first = lines.first().map(String::as_str).unwrap_or_default();
            let cut = builder.theme.signs.cut;
            let room = builder.columns.saturating_sub(indent + 3);
            let short = if lines.len() > 1 { format!("{first} {cut}") } else { first.to_owned() };
            let mut spans = builder.gutter(indent);
            spans.push(builder.span(fitted(&short, room, cut), Role::Faint));
            builder.row(spans);
        });
    }

    /// Draws the own answer, with its text.
    fn put_own(
        &self,
        chosen: &Chosen<'_>,
        field: &mut Field,
        before: &[Span],
        has_focus: bool,
        page: &mut Sketch<'_>,
    ) {
        let lang = self.setup.lang;
        let indent = before.iter().map(|(words, _)| width(words)).sum::<usize>();
        let role = if has_focus { Role::Focus } else { Role::Agent };
        page.builder.behind(before, words::other(chosen.choice, lang), role);
        if field.focus == Focus::Text {
            let title = Message::YourAnswer.plain(lang).to_owned();
            let frame = Frame { indent: indent.min(8), title: &title, count: "", least: 1, note: false };
            page.text_box(&frame, &mut field.text, true);
        } else if !field.text.is_empty() {
            let words = recap::brief(field.text.text());
            let is_own = is_picked(chosen.reply, &Offer::Own);
            let said = if is_own { Message::OwnAnswer } else { Message::OwnAside };
            let role = if is_own { Role::Plain } else { Role::Warn };
            page.builder.ours(indent, &said.say(lang, [words]), role);
        }
    }

    fn put_preview_beside(&self, chosen: &Chosen<'_>, start: usize, page: &mut Sketch<'_>) {
        let lang = self.setup.lang;
        let left = page.builder.columns / 2 - 2;
        let mut right = Paper::new(&self.setup.theme, page.builder.columns - left - 4).keeping(&self.laid);
        let number = chosen.offers.get(chosen.at).map(|offer| offer + 1);
        let preview = number.and_then(|number| match chosen.choice.numbered(number)? {
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
        let room = page.height.saturating_sub(start).max(6);
        if right.rows.len() > room {
            right.rows.truncate(room - 1);
            right.ours(0, Message::PreviewMore.plain(lang), Role::Faint);
        }
        let rows = page.builder.rows.len().max(start + right.rows.len());
        page.builder.rows.resize(rows, Row::default());
        let parting = format!("{} ", self.setup.theme.signs.parting);
        let faint = self.setup.theme.style(Role::Faint);
        for (at, row) in page.builder.rows.iter_mut().skip(start).enumerate() {
            let fill = (left + 1).saturating_sub(row.width());
            let beside = right.rows.get(at).map(|row| row.spans.clone()).unwrap_or_default();
            let between = [(" ".repeat(fill), Style::new()), (parting.clone(), faint)];
            row.spans = row.spans.iter().cloned().chain(between).chain(beside.iter().cloned()).collect();
        }
    }
}
