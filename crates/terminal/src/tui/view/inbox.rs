//! The list of asks, and a preview of the selected one.

use super::super::app::App;
use super::super::inbox::{SortOrder, StateFilter};
use super::super::widgets::line_builder::{HitTarget, LineBuilder, display_width, truncate_to_width};
use super::super::widgets::theme::StyleRole;
use super::{FrameCanvas, NARROW_COLUMNS, TextBoxSlot, footer, push_rule};
use crate::describe::{self, short_form};
use ratatui::layout::Rect;
use sayso_core::Message;
use sayso_core::{AskSummary, model::ask_summary::AskStatus};

/// Minimum height of a screen with a preview.
const PREVIEW_MIN_HEIGHT: u16 = 18;

impl App {
    pub(super) fn draw_inbox(&self, area: Rect, canvas: &mut FrameCanvas<'_>) {
        let columns = usize::from(area.width);
        let theme = &self.setup.theme;
        let mut above = LineBuilder::new(theme, columns);
        self.put_inbox_header(&mut above);
        let caret = self.put_filter_line(&mut above, canvas);
        push_rule(&mut above);
        let mut below = LineBuilder::new(theme, columns);
        if area.height >= PREVIEW_MIN_HEIGHT {
            push_rule(&mut below);
            self.put_preview(&mut below);
        }
        push_rule(&mut below);
        self.put_inbox_footer(area, &mut below);
        let (top, bottom) = (rows(above.rows.len()), rows(below.rows.len()));
        canvas.draw_rows(area, &above.rows);
        canvas
            .draw_rows(Rect { y: area.bottom().saturating_sub(bottom), height: bottom, ..area }, &below.rows);
        let list = Rect { y: area.y + top, height: area.height.saturating_sub(top + bottom), ..area };
        self.draw_list(list, canvas);
        if let Some((row, column)) = caret {
            canvas.set_cursor(area.x + rows(column), area.y + rows(row));
        }
    }

    fn put_inbox_header(&self, builder: &mut LineBuilder<'_>) {
        let lang = self.setup.lang;
        let (waiting, drafts) = self.inbox.counts();
        let dot = format!(" {} ", builder.theme.symbols.dot);
        let counts = match self.inbox.state_filter {
            _ if self.inbox.unindexed > 0 => Message::StillIndexing.render_with(lang, [self.inbox.unindexed]),
            StateFilter::Pending => {
                let more = if self.inbox.has_more { "+" } else { "" };
                let waiting = Message::WaitingCount.render_with(lang, [format!("{waiting}{more}")]);
                let drafts = (drafts > 0).then(|| Message::DraftCount.render_with(lang, [drafts]));
                [Some(waiting), drafts].into_iter().flatten().collect::<Vec<_>>().join(&dot)
            }
            StateFilter::Ended => Message::HistoryTitle.plain(lang).to_owned(),
        };
        let name = Message::InboxTitle.plain(lang);
        let gap = " "
            .repeat(builder.columns.saturating_sub(display_width(name) + display_width(&counts) + 2).max(1));
        builder.push_row(vec![
            builder.span(format!(" {name}"), StyleRole::Strong),
            builder.span(format!("{gap}{counts}"), StyleRole::Plain),
        ]);
        push_rule(builder);
    }

    /// Adds the filter and the sort order. Returns the caret while the filter is edited.
    fn put_filter_line(
        &self,
        builder: &mut LineBuilder<'_>,
        canvas: &mut FrameCanvas<'_>,
    ) -> Option<(usize, usize)> {
        let lang = self.setup.lang;
        let sort = match (self.inbox.state_filter, self.inbox.sort_order) {
            (StateFilter::Ended, _) => Message::SortNewest,
            (_, SortOrder::Blocking) => Message::SortBlocking,
            (_, SortOrder::Oldest) => Message::SortOldest,
            (_, SortOrder::Newest) => Message::SortNewest,
            (_, SortOrder::Deadline) => Message::SortDeadline,
        };
        let sort = Message::SortedBy.render_with(lang, [sort.plain(lang)]);
        let room = builder.columns.saturating_sub(display_width(&sort) + 6).max(8);
        canvas.report.text_widths.push((TextBoxSlot::InboxFilter, room));
        let filter = self.inbox.filter.at_width(room);
        let words = filter.visible_rows(0, 1).join("");
        let is_filtering = self.inbox.is_filtering;
        let shown = match (words.is_empty(), is_filtering) {
            (true, false) => Message::FilterHint.plain(lang).to_owned(),
            _ => format!("/{words}"),
        };
        let role = if is_filtering || !words.is_empty() { StyleRole::Strong } else { StyleRole::Faint };
        let shown = truncate_to_width(
            &shown,
            builder.columns.saturating_sub(display_width(&sort) + 4),
            builder.theme.symbols.ellipsis,
        );
        let gap = " "
            .repeat(builder.columns.saturating_sub(display_width(&shown) + display_width(&sort) + 2).max(1));
        let caret = is_filtering.then(|| (builder.rows.len(), 2 + filter.caret_cell().column));
        builder.push_row(vec![
            builder.span(format!(" {shown}"), role),
            builder.span(format!("{gap}{sort}"), StyleRole::Faint),
        ]);
        caret
    }

    fn draw_list(&self, area: Rect, canvas: &mut FrameCanvas<'_>) {
        let lang = self.setup.lang;
        let per_row = if usize::from(area.width) < NARROW_COLUMNS || area.height < 8 { 1 } else { 2 };
        let fit = (usize::from(area.height) / per_row).max(1);
        let cursor = self.inbox.selected_index();
        let count = self.inbox.rows().count();
        let top = self
            .inbox
            .first_visible
            .min(cursor)
            .max((cursor + 1).saturating_sub(fit))
            .min(count.saturating_sub(1));
        canvas.report.first_list_row = Some(top);
        let mut builder = LineBuilder::new(&self.setup.theme, usize::from(area.width));
        for (at, row) in self.inbox.rows().enumerate().skip(top).take(fit) {
            builder.hit_target = Some(HitTarget::Item(at));
            self.put_row(row, at == cursor, per_row, &mut builder);
        }
        builder.hit_target = None;
        if count == 0 {
            builder.push_blank();
            let said = match (&self.inbox.problem, self.inbox.is_read, self.inbox.filter.is_empty()) {
                (Some(problem), ..) => problem.render_lines(lang).join(" "),
                (None, false, _) => Message::ReadingList.plain(lang).to_owned(),
                (None, true, false) => Message::FilterHidesAll.plain(lang).to_owned(),
                (None, true, true) if self.inbox.state_filter == StateFilter::Ended => {
                    Message::NothingEnded.plain(lang).to_owned()
                }
                (None, true, true) => Message::InboxEmpty.plain(lang).to_owned(),
            };
            for line in said.split('\n') {
                builder.push_own(2, line, StyleRole::Faint);
            }
        }
        canvas.draw_rows(area, &builder.rows);
    }

    /// Adds one ask: title, progress, age and asker.
    fn put_row(&self, row: &AskSummary, has_focus: bool, lines: usize, builder: &mut LineBuilder<'_>) {
        let lang = self.setup.lang;
        let signs = builder.theme.symbols;
        if row.damaged {
            let said = format!("{} {}", row.id.short_id(), Message::RowDamaged.plain(lang));
            let said = truncate_to_width(&said, builder.columns.saturating_sub(4), signs.ellipsis);
            let pointer = if has_focus { signs.pointer } else { " " };
            builder.push_row(vec![
                builder.span(format!("{pointer} "), StyleRole::Strong),
                builder.span(format!("{} {said}", signs.skipped), StyleRole::Failure),
            ]);
            (1..lines).for_each(|_| builder.push_blank());
            return;
        }
        let (mark, role) = self.row_symbol(row);
        let age = short_form::short_duration(self.now.timestamp().duration_since(row.created_at));
        let draft = match row.answered {
            0 => String::new(),
            answered if row.state.is_pending() => format!("{} {answered}/{}", signs.edited, row.asked),
            _ => String::new(),
        };
        let who = self.describe_asker(&row.shown_asker());
        let room_of_who = builder.columns / 4;
        let who = truncate_to_width(&who, room_of_who, signs.ellipsis);
        let who = format!("{who}{}", " ".repeat(room_of_who.saturating_sub(display_width(&who))));
        let behind = if builder.columns < NARROW_COLUMNS {
            format!(" {age:>4}")
        } else {
            let count = Message::QuestionsShort.render_with(lang, [row.asked]);
            format!(" {count:>5} {age:>4}  {draft:<6} {who}")
        };
        let room = builder.columns.saturating_sub(display_width(&behind) + 6);
        let title = truncate_to_width(&describe::brief(&row.title), room, signs.ellipsis);
        let fill = " ".repeat(room.saturating_sub(display_width(&title)));
        let pointer = if has_focus { signs.pointer } else { " " };
        builder.push_row(vec![
            builder.span(format!("{pointer} "), StyleRole::Strong),
            builder.span(format!("{mark} "), role),
            builder.span(title, if has_focus { StyleRole::Focus } else { StyleRole::Agent }),
            builder.span(format!("{fill}{behind}"), StyleRole::Plain),
        ]);
        if lines > 1 {
            let said = truncate_to_width(
                &self.describe_row_state(row),
                builder.columns.saturating_sub(6),
                signs.ellipsis,
            );
            builder.push_row(vec![builder.span(format!("    {said}"), StyleRole::Faint)]);
        }
    }

    fn row_symbol(&self, row: &AskSummary) -> (&'static str, StyleRole) {
        let signs = self.setup.theme.symbols;
        match row.state {
            AskStatus::Open if !row.is_waiting(self.setup.is_running) => (signs.detached, StyleRole::Faint),
            AskStatus::Open if row.seen => (signs.untouched, StyleRole::Plain),
            AskStatus::Open => (signs.current, StyleRole::Warning),
            AskStatus::Submitted => (signs.edited, StyleRole::Faint),
            AskStatus::Answered => (signs.answered, StyleRole::Completed),
            AskStatus::Declined | AskStatus::Cancelled | AskStatus::Expired => {
                (signs.skipped, StyleRole::Faint)
            }
        }
    }

    /// Describes the state of an ask in a sentence.
    fn describe_row_state(&self, row: &AskSummary) -> String {
        let lang = self.setup.lang;
        let at = |time: jiff::Timestamp| {
            time.to_zoned(self.now.time_zone().clone()).strftime("%Y-%m-%d %H:%M").to_string()
        };
        let mut said = match row.state {
            AskStatus::Open if row.is_waiting(self.setup.is_running) => {
                Message::RowBlocks.plain(lang).to_owned()
            }
            AskStatus::Open => Message::RowGone.plain(lang).to_owned(),
            AskStatus::Submitted => Message::RowSubmitted.plain(lang).to_owned(),
            AskStatus::Answered if row.delivered => {
                Message::RowAnswered.render_with(lang, [at(row.changed_at)])
            }
            AskStatus::Answered => Message::RowAnsweredNotTaken.render_with(lang, [at(row.changed_at)]),
            AskStatus::Declined => Message::RowDeclined.render_with(lang, [at(row.changed_at)]),
            AskStatus::Cancelled => Message::RowCancelled.render_with(lang, [at(row.changed_at)]),
            AskStatus::Expired => Message::RowExpired.render_with(lang, [at(row.changed_at)]),
        };
        if let Some(deadline) = row.deadline.filter(|_| row.state.is_pending()) {
            let left = short_form::short_remaining(deadline.duration_since(self.now.timestamp()));
            said.push_str(&format!(
                " {} {}",
                self.setup.theme.symbols.dot,
                Message::ExpiresIn.render_with(lang, [left])
            ));
        }
        said
    }

    /// Adds the preview: the context and the questions.
    fn put_preview(&self, builder: &mut LineBuilder<'_>) {
        const ROWS: usize = 3;
        let lang = self.setup.lang;
        let mut about = LineBuilder::new(&self.setup.theme, builder.columns).with_cache(&self.layout_cache);
        let peeked = self.inbox.preview.as_ref();
        let ask = peeked.filter(|ask| self.inbox.selected().is_some_and(|row| row.id == ask.id));
        if let Some(ask) = ask {
            let questionnaire = &ask.request.questionnaire;
            if questionnaire.action.is_some() && ask.outcome().is_none() {
                about.push_own(1, Message::WantsToAct.plain(lang), StyleRole::Warning);
            }
            let names: Vec<_> = questionnaire
                .questions
                .iter()
                .filter(|question| question.parent.is_none())
                .take(12)
                .map(|question| describe::brief(question.display_name()))
                .collect();
            let names = names.join(&format!(" {} ", self.setup.theme.symbols.dot));
            if let Some(context) = &questionnaire.context {
                about.push_markdown(1, context);
                about.rows.truncate(ROWS - 1);
            }
            let mut spans = about.gutter(1);
            spans.push(about.span(
                truncate_to_width(
                    &names,
                    builder.columns.saturating_sub(4),
                    self.setup.theme.symbols.ellipsis,
                ),
                StyleRole::Agent,
            ));
            about.push_row(spans);
        }
        about.rows.resize(ROWS, super::StyledRow::default());
        builder.rows.append(&mut about.rows);
    }

    /// Returns the status line of the inbox.
    fn inbox_status_line(&self) -> Option<String> {
        let lang = self.setup.lang;
        if let Some(told) = &self.notice {
            return Some(told.clone());
        }
        let away =
            self.unreachable_since_text().map(|since| Message::NotConnected.render_with(lang, [since]));
        let is_opening = self.opening.is_active() && self.setup.only_ask.is_none();
        let opening = is_opening.then(|| Message::Opening.plain(lang).to_owned());
        let said: Vec<_> = away.into_iter().chain(opening).collect();
        (!said.is_empty()).then(|| said.join(describe::sentence_separator(lang)))
    }

    fn put_inbox_footer(&self, area: Rect, builder: &mut LineBuilder<'_>) {
        let lang = self.setup.lang;
        let lines = footer::footer_lines(area.height);
        if let Some(told) = self.inbox_status_line() {
            let before = builder.rows.len();
            builder.push_own(1, &told, StyleRole::Warning);
            builder.rows.truncate(before + (usize::from(area.height) / 6).max(1));
        } else if lines > 2 {
            let whole = Message::NothingSentInbox.plain(lang);
            let fits = display_width(whole) < builder.columns;
            let said = if fits { whole } else { Message::NothingSentBrief.plain(lang) };
            builder.push_row(vec![builder.span(format!(" {said}"), StyleRole::Faint)]);
        }
        let is_narrow = builder.columns < NARROW_COLUMNS;
        let keys = match (self.inbox.is_filtering, self.inbox.state_filter) {
            (true, _) if is_narrow => Message::KeysNarrowInboxFilter,
            (true, _) => Message::KeysInboxFilter,
            (false, StateFilter::Pending) if is_narrow => Message::KeysNarrowInbox,
            (false, StateFilter::Pending) => Message::KeysInbox,
            (false, StateFilter::Ended) if is_narrow => Message::KeysNarrowHistory,
            (false, StateFilter::Ended) => Message::KeysHistory,
        };
        // A dialog over the list shows its own keys.
        match self.overlay {
            Some(_) => builder.push_blank(),
            None => footer::push_keys(keys.plain(lang), 1, builder),
        }
    }
}

fn rows(count: usize) -> u16 {
    u16::try_from(count).unwrap_or(u16::MAX)
}
