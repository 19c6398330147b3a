//! Reading of a consent: the lines above its answer that frames have drawn. A line is a row of the page.

use super::{AskView, UpdateContext};
use sayso_core::model::outcome::SeenLines;
use sayso_core::{Answer, ConsentQuestions, Message, Reply};
use std::ops::Range;

/// Lines above the answer that one frame drew.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct DrawnLines {
    /// Columns at which the lines were broken.
    pub(crate) columns: u16,
    /// Number of all lines above the answer.
    pub(crate) total: usize,
    /// The lines that were drawn.
    pub(crate) drawn: Range<usize>,
}

/// Lines above the answer of one page, and those of them that frames have drawn.
#[derive(Debug, Default)]
pub(super) struct ReadingProgress {
    columns: u16,
    is_drawn: Vec<bool>,
    /// The person agrees without the other lines.
    is_waived: bool,
}

impl ReadingProgress {
    fn unread(&self) -> usize {
        self.is_drawn.iter().filter(|is_drawn| !**is_drawn).count()
    }

    fn is_complete(&self) -> bool {
        !self.is_drawn.is_empty() && self.unread() == 0
    }

    /// Records a frame. Lines that are broken at another width are other lines, unless all of them were drawn.
    fn record(&mut self, frame: &DrawnLines) {
        let is_complete = self.is_complete();
        if self.columns != frame.columns && !is_complete {
            self.is_drawn.clear();
        }
        self.columns = frame.columns;
        self.is_drawn.resize(frame.total, is_complete);
        if let Some(drawn) = self.is_drawn.get_mut(frame.drawn.clone()) {
            drawn.fill(true);
        }
    }
}

impl AskView {
    /// Returns whether the lines above the answer of a page are what a person agrees to: it takes consent, or shows the
    /// action.
    pub(crate) fn must_read(&self, place: usize) -> bool {
        self.form.is_consent(place) || self.form.action_place() == Some(place)
    }

    /// Records the lines of the current page that a frame drew. Returns whether it drew new ones.
    pub(super) fn record_reading(&mut self, frame: &DrawnLines) -> bool {
        let Some(place) = self.tab.question_place() else { return false };
        let progress = self.reading.entry(place).or_default();
        let earlier_counts = (progress.is_drawn.len(), progress.unread());
        progress.record(frame);
        earlier_counts != (progress.is_drawn.len(), progress.unread())
    }

    /// Returns whether all lines of a page were drawn, or the person agrees without the others.
    fn is_read(&self, place: usize) -> bool {
        match self.reading.get(&place) {
            Some(progress) => progress.is_complete() || progress.is_waived,
            None => false,
        }
    }

    /// Returns whether a page has lines that the person must read, or agree without.
    pub(crate) fn is_unread(&self, place: usize) -> bool {
        self.must_read(place) && !self.is_read(place)
    }

    /// Returns whether a reply waits until its page is read. A no waits for nothing.
    pub(super) fn waits_for_reading(&self, place: usize, reply: Option<&Reply>) -> bool {
        self.is_unread(place) && !reply.is_some_and(is_no)
    }

    /// Returns the pages that a person who sends the replies agrees to.
    fn approved_places(&self) -> Vec<usize> {
        let consent = ConsentQuestions::for_questionnaire(self.form.sheet.questionnaire());
        let action = self.form.action_place();
        let mut places = Vec::new();
        for (place, question) in self.form.sheet.asked_questions() {
            let reply = self.form.sheet.reply_at(place);
            let gives_consent = consent.includes(question) && reply.answer().is_some();
            if (gives_consent || action == Some(place)) && !is_no(reply) {
                places.push(place);
            }
        }
        places
    }

    /// Returns the first page to read before the replies are sent.
    pub(crate) fn first_unread(&self) -> Option<usize> {
        self.approved_places().into_iter().find(|place| !self.is_read(*place))
    }

    /// Agrees without the lines of a page that were not drawn; the receipt counts them.
    pub(super) fn waive_reading(&mut self, place: usize) {
        self.reading.entry(place).or_default().is_waived = true;
    }

    /// Returns the number of lines of a page that were not drawn, and of all, if any was not.
    pub(crate) fn unread_lines(&self, place: usize) -> Option<[u32; 2]> {
        let progress = self.reading.get(&place)?;
        if progress.is_complete() || !self.must_read(place) {
            return None;
        }
        Some([count(progress.unread()), count(progress.is_drawn.len())])
    }

    /// Shows the next lines of a page that were not drawn.
    pub(super) fn read_on(&mut self, place: usize, cx: &UpdateContext) {
        let mut line = 0;
        if let Some(progress) = self.reading.get(&place) {
            line = progress.is_drawn.iter().position(|is_drawn| !is_drawn).unwrap_or_default();
        }
        // The line above it stays visible.
        self.scroll.show_row(line.saturating_sub(1));
        self.notice = Some(Message::LinesUnread.plain(cx.lang).to_owned());
    }

    /// Returns the number of lines that were drawn of what is approved, and of all.
    pub(super) fn seen_lines(&self) -> SeenLines {
        let mut total = 0;
        let mut unread = 0;
        for place in self.approved_places() {
            if let Some(progress) = self.reading.get(&place) {
                total += progress.is_drawn.len();
                unread += progress.unread();
            }
        }
        SeenLines { shown: count(total - unread), total: count(total) }
    }

    /// Returns the number of the lines that were not drawn of what is approved, and of all, if any was not.
    pub(crate) fn unseen_lines(&self) -> Option<[u32; 2]> {
        let lines = self.seen_lines();
        if lines.shown < lines.total { Some([lines.total - lines.shown, lines.total]) } else { None }
    }
}

/// Returns whether a reply says no.
pub(super) fn is_no(reply: &Reply) -> bool {
    matches!(reply.answer(), Some(Answer::Confirm(false)))
}

fn count(lines: usize) -> u32 {
    u32::try_from(lines).unwrap_or(u32::MAX)
}
