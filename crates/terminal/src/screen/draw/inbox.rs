//! The list of asks, and a preview of the selected one.

use super::super::app::App;
use super::super::inbox::{Shown, Sort};
use super::super::paper::{Hit, Paper, fitted, width};
use super::super::theme::Role;
use super::{Canvas, NARROW, footer, rule};
use crate::{recap, short};
use ratatui::layout::Rect;
use sayso_core::Message;
use sayso_core::row::{Row, Standing};

/// Minimum height of a screen with a preview.
const TALL: u16 = 18;

impl App {
    pub(super) fn draw_inbox(&mut self, area: Rect, canvas: &mut Canvas<'_>) {
        let columns = usize::from(area.width);
        let theme = self.setup.theme.clone();
        let mut above = Paper::new(&theme, columns);
        self.put_top(&mut above);
        let caret = self.put_filter_line(&mut above);
        rule(&mut above);
        let mut below = Paper::new(&theme, columns);
        if area.height >= TALL {
            rule(&mut below);
            self.put_peek(&mut below);
        }
        rule(&mut below);
        self.put_bottom(area, &mut below);
        let (top, bottom) = (rows(above.rows.len()), rows(below.rows.len()));
        canvas.rows(area, &above.rows);
        canvas.rows(Rect { y: area.bottom().saturating_sub(bottom), height: bottom, ..area }, &below.rows);
        let list = Rect { y: area.y + top, height: area.height.saturating_sub(top + bottom), ..area };
        self.draw_list(list, canvas);
        if let Some((row, column)) = caret {
            canvas.set_cursor(area.x + rows(column), area.y + rows(row));
        }
    }

    fn put_top(&self, builder: &mut Paper<'_>) {
        let lang = self.setup.lang;
        let (waiting, drafts) = self.inbox.counts();
        let dot = format!(" {} ", builder.theme.signs.dot);
        let counts = match self.inbox.shown {
            _ if self.inbox.unindexed > 0 => Message::StillIndexing.say(lang, [self.inbox.unindexed]),
            Shown::Waiting => {
                let more = if self.inbox.more { "+" } else { "" };
                let waiting = Message::WaitingCount.say(lang, [format!("{waiting}{more}")]);
                let drafts = (drafts > 0).then(|| Message::DraftCount.say(lang, [drafts]));
                [Some(waiting), drafts].into_iter().flatten().collect::<Vec<_>>().join(&dot)
            }
            Shown::Ended => Message::HistoryTitle.plain(lang).to_owned(),
        };
        let name = Message::InboxTitle.plain(lang);
        let gap = " ".repeat(builder.columns.saturating_sub(width(name) + width(&counts) + 2).max(1));
        builder.row(vec![
            builder.span(format!(" {name}"), Role::Strong),
            builder.span(format!("{gap}{counts}"), Role::Plain),
        ]);
        rule(builder);
    }

    /// Adds the filter and the sort order. Returns the caret while the filter is edited.
    fn put_filter_line(&mut self, builder: &mut Paper<'_>) -> Option<(usize, usize)> {
        let lang = self.setup.lang;
        let sort = match (self.inbox.shown, self.inbox.sort) {
            (Shown::Ended, _) => Message::SortNewest,
            (_, Sort::Blocking) => Message::SortBlocking,
            (_, Sort::Oldest) => Message::SortOldest,
            (_, Sort::Newest) => Message::SortNewest,
            (_, Sort::Deadline) => Message::SortDeadline,
        };
        let sort = Message::SortedBy.say(lang, [sort.plain(lang)]);
        let room = builder.columns.saturating_sub(width(&sort) + 6).max(8);
        self.inbox.filter.fit(room);
        let words = self.inbox.filter.shown(0, 1).join("");
        let is_filtering = self.inbox.is_filtering;
        let shown = match (words.is_empty(), is_filtering) {
            (true, false) => Message::FilterHint.plain(lang).to_owned(),
            _ => format!("/{words}"),
        };
        let role = if is_filtering || !words.is_empty() { Role::Strong } else { Role::Faint };
        let shown = fitted(&shown, builder.columns.saturating_sub(width(&sort) + 4), builder.theme.signs.cut);
        let gap = " ".repeat(builder.columns.saturating_sub(width(&shown) + width(&sort) + 2).max(1));
        let caret = is_filtering.then(|| (builder.rows.len(), 2 + self.inbox.filter.caret().column));
        builder.row(vec![
            builder.span(format!(" {shown}"), role),
            builder.span(format!("{gap}{sort}"), Role::Faint),
        ]);
        caret
    }

    fn draw_list(&mut self, area: Rect, canvas: &mut Canvas<'_>) {
        let lang = self.setup.lang;
        let per_row = if usize::from(area.width) < NARROW || area.height < 8 { 1 } else { 2 };
        let fit = (usize::from(area.height) / per_row).max(1);
        let cursor = self.inbox.cursor();
        let count = self.inbox.rows().count();
        let top =
            self.inbox.top.min(cursor).max((cursor + 1).saturating_sub(fit)).min(count.saturating_sub(1));
        self.inbox.top = top;
        let theme = self.setup.theme.clone();
        let mut builder = Paper::new(&theme, usize::from(area.width));
        for (at, row) in self.inbox.rows().enumerate().skip(top).take(fit) {
            builder.hit = Some(Hit::Item(at));
            self.put_row(row, at == cursor, per_row, &mut builder);
        }
        builder.hit = None;
        if count == 0 {
            builder.blank();
            let said = match (&self.inbox.problem, self.inbox.is_read, self.inbox.filter.is_empty()) {
                (Some(problem), ..) => problem.lines(lang).join(" "),
                (None, false, _) => Message::ReadingList.plain(lang).to_owned(),
                (None, true, false) => Message::FilterHidesAll.plain(lang).to_owned(),
                (None, true, true) if self.inbox.shown == Shown::Ended => {
                    Message::NothingEnded.plain(lang).to_owned()
                }
                (None, true, true) => Message::InboxEmpty.plain(lang).to_owned(),
            };
            for line in said.split('\n') {
                builder.ours(2, line, Role::Faint);
            }
        }
        canvas.rows(area, &builder.rows);
    }

    /// Adds one ask: title, progress, age and asker.
    fn put_row(&self, row: &Row, has_focus: bool, lines: usize, builder: &mut Paper<'_>) {
        let lang = self.setup.lang;
        let signs = builder.theme.signs;
        if row.damaged {
            let said = format!("{} {}", row.id.handle(), Message::RowDamaged.plain(lang));
            let said = fitted(&said, builder.columns.saturating_sub(4), signs.cut);
            let pointer = if has_focus { signs.pointer } else { " " };
            builder.row(vec![
                builder.span(format!("{pointer} "), Role::Strong),
                builder.span(format!("{} {said}", signs.skipped), Role::Wrong),
            ]);
            (1..lines).for_each(|_| builder.blank());
            return;
        }
        let (mark, role) = self.row_mark(row);
        let age = short::span(self.now.timestamp().duration_since(row.created_at));
        let draft = match row.answered {
            0 => String::new(),
            answered if row.state.is_pending() => format!("{} {answered}/{}", signs.typed, row.asked),
            _ => String::new(),
        };
        let who = self.who(&row.shown_asker());
        let room_of_who = builder.columns / 4;
        let who = fitted(&who, room_of_who, signs.cut);
        let who = format!("{who}{}", " ".repeat(room_of_who.saturating_sub(width(&who))));
        let behind = if builder.columns < NARROW {
            format!(" {age:>4}")
        } else {
            let count = Message::QuestionsShort.say(lang, [row.asked]);
            format!(" {count:>5} {age:>4}  {draft:<6} {who}")
        };
        let room = builder.columns.saturating_sub(width(&behind) + 6);
        let title = fitted(&recap::brief(&row.title), room, signs.cut);
        let fill = " ".repeat(room.saturating_sub(width(&title)));
        let pointer = if has_focus { signs.pointer } else { " " };
        builder.row(vec![
            builder.span(format!("{pointer} "), Role::Strong),
            builder.span(format!("{mark} "), role),
            builder.span(title, if has_focus { Role::Focus } else { Role::Agent }),
            builder.span(format!("{fill}{behind}"), Role::Plain),
        ]);
        if lines > 1 {
            let said = fitted(&self.row_state(row), builder.columns.saturating_sub(6), signs.cut);
            builder.row(vec![builder.span(format!("    {said}"), Role::Faint)]);
        }
    }

    fn row_mark(&self, row: &Row) -> (&'static str, Role) {
        let signs = self.setup.theme.signs;
        match row.state {
            Standing::Open if !row.waits(self.setup.runs) => (signs.gone, Role::Faint),
            Standing::Open if row.seen => (signs.untouched, Role::Plain),
            Standing::Open => (signs.current, Role::Warn),
            Standing::Submitted => (signs.typed, Role::Faint),
            Standing::Answered => (signs.answered, Role::Done),
            Standing::Declined | Standing::Cancelled | Standing::Expired => (signs.skipped, Role::Faint),
        }
    }

    /// Describes the state of an ask in a sentence.
    fn row_state(&self, row: &Row) -> String {
        let lang = self.setup.lang;
        let at = |time: jiff::Timestamp| {
            time.to_zoned(self.now.time_zone().clone()).strftime("%Y-%m-%d %H:%M").to_string()
        };
        let mut said = match row.state {
            Standing::Open if row.waits(self.setup.runs) => Message::RowBlocks.plain(lang).to_owned(),
            Standing::Open => Message::RowGone.plain(lang).to_owned(),
            Standing::Submitted => Message::RowSubmitted.plain(lang).to_owned(),
            Standing::Answered if row.delivered => Message::RowAnswered.say(lang, [at(row.changed_at)]),
            Standing::Answered => Message::RowAnsweredNotTaken.say(lang, [at(row.changed_at)]),
            Standing::Declined => Message::RowDeclined.say(lang, [at(row.changed_at)]),
            Standing::Cancelled => Message::RowCancelled.say(lang, [at(row.changed_at)]),
            Standing::Expired => Message::RowExpired.say(lang, [at(row.changed_at)]),
        };
        if let Some(deadline) = row.deadline.filter(|_| row.state.is_pending()) {
            let left = short::left(deadline.duration_since(self.now.timestamp()));
            said.push_str(&format!(
                " {} {}",
                self.setup.theme.signs.dot,
                Message::ExpiresIn.say(lang, [left])
            ));
        }
        said
    }

    /// Adds the preview: the context and the questions.
    fn put_peek(&self, builder: &mut Paper<'_>) {
        const ROWS: usize = 3;
        let lang = self.setup.lang;
        let mut about = Paper::new(&self.setup.theme, builder.columns).keeping(&self.laid);
        let peeked = self.inbox.peeked.as_ref();
        let ask = peeked.filter(|ask| self.inbox.selected().is_some_and(|row| row.id == ask.id));
        if let Some(ask) = ask {
            let questionnaire = &ask.request.questionnaire;
            if questionnaire.action.is_some() && ask.outcome().is_none() {
                about.ours(1, Message::WantsToAct.plain(lang), Role::Warn);
            }
            let names: Vec<_> = questionnaire
                .questions
                .iter()
                .filter(|question| question.parent.is_none())
                .take(12)
                .map(|question| recap::brief(question.name()))
                .collect();
            let names = names.join(&format!(" {} ", self.setup.theme.signs.dot));
            if let Some(context) = &questionnaire.context {
                about.markdown(1, context);
                about.rows.truncate(ROWS - 1);
            }
            let mut spans = about.gutter(1);
            spans.push(about.span(
                fitted(&names, builder.columns.saturating_sub(4), self.setup.theme.signs.cut),
                Role::Agent,
            ));
            about.row(spans);
        }
        about.rows.resize(ROWS, super::Row::default());
        builder.rows.append(&mut about.rows);
    }

    /// Returns the status line of the inbox.
    fn said_below(&self) -> Option<String> {
        let lang = self.setup.lang;
        if let Some(told) = &self.told {
            return Some(told.clone());
        }
        let away = self.away_since().map(|since| Message::NotConnected.say(lang, [since]));
        let is_opening = self.opening.is_some() && self.setup.only.is_none();
        let opening = is_opening.then(|| Message::Opening.plain(lang).to_owned());
        let said: Vec<_> = away.into_iter().chain(opening).collect();
        (!said.is_empty()).then(|| said.join(recap::between(lang)))
    }

    fn put_bottom(&self, area: Rect, builder: &mut Paper<'_>) {
        let lang = self.setup.lang;
        let lines = footer::lines(area.height);
        if let Some(told) = self.said_below() {
            let before = builder.rows.len();
            builder.ours(1, &told, Role::Warn);
            builder.rows.truncate(before + (usize::from(area.height) / 6).max(1));
        } else if lines > 2 {
            let whole = Message::NothingSentInbox.plain(lang);
            let fits = width(whole) < builder.columns;
            let said = if fits { whole } else { Message::NothingSentBrief.plain(lang) };
            builder.row(vec![builder.span(format!(" {said}"), Role::Faint)]);
        }
        let is_narrow = builder.columns < NARROW;
        let keys = match (self.inbox.is_filtering, self.inbox.shown) {
            (true, _) if is_narrow => Message::KeysNarrowInboxFilter,
            (true, _) => Message::KeysInboxFilter,
            (false, Shown::Waiting) if is_narrow => Message::KeysNarrowInbox,
            (false, Shown::Waiting) => Message::KeysInbox,
            (false, Shown::Ended) if is_narrow => Message::KeysNarrowHistory,
            (false, Shown::Ended) => Message::KeysHistory,
        };
        self.put_keys(keys.plain(lang), builder);
    }
}

fn rows(count: usize) -> u16 {
    u16::try_from(count).unwrap_or(u16::MAX)
}
