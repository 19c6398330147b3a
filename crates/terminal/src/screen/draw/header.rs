//! Header of a questionnaire: title, asker, and tabs.

use super::super::answering::{Answering, Spot};
use super::super::app::App;
use super::super::paper::{Hit, Paper, Span, fitted, width};
use super::super::theme::Role;
use super::{Canvas, NARROW, rule};
use crate::recap;
use ratatui::layout::Rect;
use sayso_core::who::ShownAsker;
use sayso_core::{Message, Said};
use std::time::Duration;

/// Maximum number of columns of a tab's name.
const TAB_COLUMNS: usize = 12;

/// Maximum number of columns of an asker's self-chosen name.
const NAME_COLUMNS: usize = 24;

impl App {
    /// Draws the header and returns its height.
    pub(super) fn draw_header(&self, view: &Answering, area: Rect, canvas: &mut Canvas<'_>) -> u16 {
        let columns = usize::from(area.width);
        let mut builder = Paper::new(&self.setup.theme, columns);
        let is_narrow = columns < NARROW;
        let age = self.now.timestamp().duration_since(view.ask.request.created_at);
        // A clock that is behind the asker's counts as age 0.
        let age = recap::age(Duration::try_from(age).unwrap_or_default(), self.setup.lang);
        let dot = format!(" {} ", self.setup.theme.signs.dot);
        let behind = format!("{dot}{age}");
        let who = |columns: usize| {
            let room = columns.saturating_sub(width(&behind));
            let who = fitted(&self.who(&view.ask.request.shown_asker()), room, self.setup.theme.signs.cut);
            format!("{who}{behind}")
        };
        let title = recap::brief(view.ask.request.questionnaire.name());
        if is_narrow {
            let marks = self.marks(view, columns / 2);
            let taken: usize = marks.iter().map(|(mark, _)| width(mark)).sum();
            let title = fitted(&title, columns.saturating_sub(taken + 3), self.setup.theme.signs.cut);
            let gap = " ".repeat(columns.saturating_sub(width(&title) + taken + 2));
            let mut row = vec![
                builder.span(" ", Role::Plain),
                builder.span(title, Role::Strong),
                builder.span(gap, Role::Plain),
            ];
            row.extend(marks);
            builder.row(row);
            builder.row(vec![builder.span(format!(" {}", who(columns.saturating_sub(1))), Role::Faint)]);
            canvas.rows(area, &builder.rows);
            return 2;
        }
        // The asker's identity comes from us, so the title never takes its place.
        let who = who(columns * 3 / 5);
        let title = fitted(&title, columns.saturating_sub(width(&who) + 4), self.setup.theme.signs.cut);
        let gap = " ".repeat(columns.saturating_sub(width(&title) + width(&who) + 2));
        builder.row(vec![
            builder.span(" ", Role::Plain),
            builder.span(title, Role::Strong),
            builder.span(gap, Role::Plain),
            builder.span(who, Role::Faint),
        ]);
        builder.blank();
        rule(&mut builder);
        canvas.rows(area, &builder.rows);
        self.draw_tabs(view, Rect { y: area.y + 1, height: 1, ..area }, canvas);
        3
    }

    /// Describes the asker and its folder.
    pub(super) fn who(&self, asker: &ShownAsker<'_>) -> String {
        // A self-chosen name leaves room for the verified facts.
        let short = |name: &str| fitted(name, NAME_COLUMNS, self.setup.theme.signs.cut);
        let name = recap::asker(asker, short, self.setup.lang);
        match recap::folder(asker, &self.setup.home) {
            Some(folder) => format!("{name} {} {folder}", self.setup.theme.signs.dot),
            None => name,
        }
    }

    fn draw_tabs(&self, view: &Answering, area: Rect, canvas: &mut Canvas<'_>) {
        let signs = self.setup.theme.signs;
        let progress = view.sheet.progress();
        let count = format!("{}/{}", progress.answered, progress.total);
        let columns = usize::from(area.width);
        let room = columns.saturating_sub(width(&count) + 2);
        let tabs = view.tabs();
        let at = tabs.iter().position(|spot| *spot == view.spot).unwrap_or_default();
        let (first, cells) = self.tabs_in_sight(view, &tabs, at, room.saturating_sub(4));
        let builder = Paper::new(&self.setup.theme, columns);
        let faint = |words: &str| builder.span(words, Role::Faint);
        let mut x = area.x;
        let lead = if first > 0 { signs.left } else { " " };
        x = canvas.spans(x, area.y, &[faint(lead)], None);
        let last = first + cells.len();
        for (place, cell) in (first..).zip(cells) {
            if place > first {
                x = canvas.spans(x, area.y, &[faint(&format!(" {} ", signs.parting))], None);
            }
            x = canvas.spans(x, area.y, &cell, Some(Hit::Tab(place)));
        }
        if last < tabs.len() {
            canvas.spans(x, area.y, &[faint(&format!(" {}", signs.right))], None);
        }
        let at = area.right().saturating_sub(u16::try_from(width(&count)).unwrap_or_default() + 1);
        canvas.spans(at, area.y, &[builder.span(count, Role::Strong)], None);
    }

    /// Returns as many tabs around the current one as fit, and the index of the first.
    fn tabs_in_sight(
        &self,
        view: &Answering,
        tabs: &[Spot],
        at: usize,
        room: usize,
    ) -> (usize, Vec<Vec<Span>>) {
        let cell = |place: usize| tabs.get(place).map(|spot| self.tab(view, *spot));
        let wide = |cell: &[Span]| cell.iter().map(|(words, _)| width(words)).sum::<usize>() + 3;
        let mut cells: std::collections::VecDeque<Vec<Span>> = cell(at).into_iter().collect();
        let mut taken: usize = cells.iter().map(|cell| wide(cell)).sum();
        let (mut first, mut end) = (at, at + 1);
        loop {
            let before = taken;
            if let Some(next) = cell(end).filter(|next| taken + wide(next) <= room + 3) {
                taken += wide(&next);
                cells.push_back(next);
                end += 1;
            }
            if let Some(next) =
                first.checked_sub(1).and_then(cell).filter(|next| taken + wide(next) <= room + 3)
            {
                taken += wide(&next);
                cells.push_front(next);
                first -= 1;
            }
            if taken == before {
                return (first, cells.into());
            }
        }
    }

    fn tab(&self, view: &Answering, spot: Spot) -> Vec<Span> {
        let builder = Paper::new(&self.setup.theme, 80);
        let (mark, role) = self.mark(view, spot);
        let name = match spot {
            Spot::Action => Message::TabAction.plain(self.setup.lang).to_owned(),
            Spot::Review => Message::TabReview.plain(self.setup.lang).to_owned(),
            Spot::Question(place) => {
                let question = view.question(place);
                let label = question.and_then(|question| question.label.as_deref());
                let name = label.map_or_else(
                    || Message::TabQuestion.say(self.setup.lang, [view.sheet.number(place)]),
                    recap::brief,
                );
                fitted(&name, TAB_COLUMNS, self.setup.theme.signs.cut)
            }
        };
        let name_role = if spot == view.spot { Role::Focus } else { Role::Plain };
        let mark = if mark.is_empty() { String::new() } else { format!("{mark} ") };
        vec![builder.span(mark, role), builder.span(name, name_role)]
    }

    /// Returns the symbol of a tab's state.
    fn mark(&self, view: &Answering, spot: Spot) -> (&'static str, Role) {
        let signs = self.setup.theme.signs;
        let Spot::Question(place) = spot else {
            let is_unread = spot == Spot::Action && !view.action_seen;
            return if is_unread { (signs.wrong, Role::Warn) } else { ("", Role::Plain) };
        };
        let reply = view.sheet.reply_at(place);
        let is_wrong = view.flagged.contains(&place) && view.sheet.is_open(place);
        let asks_for_more = view.is_to_mend(place);
        match (&reply.said, view.question(place).is_some_and(|question| question.parent.is_some())) {
            _ if is_wrong || asks_for_more => (signs.wrong, Role::Wrong),
            (Said::Answer(_), _) if view.sheet.is_open(place) => (signs.typed, Role::Warn),
            (Said::Answer(_), _) => (signs.answered, Role::Done),
            (Said::Skipped, _) => (signs.skipped, Role::Faint),
            _ if spot == view.spot => (signs.current, Role::Plain),
            (_, true) => (signs.follows, Role::Plain),
            (_, false) => (signs.untouched, Role::Faint),
        }
    }

    /// Returns all tabs as symbols, for narrow screens.
    fn marks(&self, view: &Answering, room: usize) -> Vec<Span> {
        let builder = Paper::new(&self.setup.theme, 80);
        let progress = view.sheet.progress();
        let count = format!("{}/{} ", progress.answered, progress.total);
        let tabs = view.tabs();
        let at = tabs.iter().position(|spot| *spot == view.spot).unwrap_or_default();
        let room = room.saturating_sub(width(&count) + 3).max(3);
        let first = at.saturating_sub(room / 2).min(tabs.len().saturating_sub(room));
        let signs = self.setup.theme.signs;
        let mut marks = vec![builder.span(count, Role::Strong)];
        if first > 0 {
            marks.push(builder.span(signs.left, Role::Faint));
        }
        for spot in tabs.iter().skip(first).take(room) {
            let is_here = *spot == view.spot;
            let (mark, role) = match spot {
                Spot::Review if is_here => ("[R]", Role::Plain),
                Spot::Review => ("R", Role::Plain),
                Spot::Action if is_here => ("[A]", Role::Plain),
                Spot::Action => ("A", Role::Plain),
                Spot::Question(_) => self.mark(view, *spot),
            };
            marks.push(builder.span(mark, if is_here { Role::Focus } else { role }));
        }
        if first + room < tabs.len() {
            marks.push(builder.span(signs.right, Role::Faint));
        }
        marks
    }
}
