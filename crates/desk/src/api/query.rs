//! Queries and pages of asks.

use sayso_core::{AskReader, Asker};
use sayso_core::{AskSummary, model::ask_summary::AskStatus};
use std::fmt;

/// Filter of a list of asks.
#[derive(Debug, Clone, Default)]
pub struct AskQuery {
    /// States to include; pending ones (open or submitted) if empty.
    pub states: Vec<AskStatus>,
    /// Words in their title, questions, asker or folder, or their id: full or short.
    pub search: Option<String>,
    /// Reader: only asks that it may see. At a desk on the network the caller's token decides it.
    pub reader: AskReader,
    /// At a desk on the network: also asks for others, which an admin alone may list.
    pub all: bool,
    /// Asker by name and folder, in any session.
    pub asker: Option<Asker>,
    /// Dialect.
    pub dialect: Option<String>,
    /// Only asks whose outcome, if any, the asker has not acknowledged.
    pub undelivered: bool,
    /// Position of the page: the `next` of the page before.
    pub after: Option<PageCursor>,
    /// Largest number of rows; at most, and by default, [`LIST_ROWS`](sayso_core::limits::LIST_ROWS).
    pub rows: Option<usize>,
}

/// Position in a list. Opaque: pass back the one from a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PageCursor(pub(crate) i64);

impl PageCursor {
    /// Parses a position.
    pub fn parse(text: &str) -> Option<Self> {
        text.parse().ok().map(Self)
    }
}

impl fmt::Display for PageCursor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Page of a list: pending asks come first, the longest waiting first; others newest first.
#[derive(Debug, Clone, Default)]
pub struct AskPage {
    /// Rows of the page.
    pub rows: Vec<AskSummary>,
    /// Position of the next page, if there is one.
    pub next: Option<PageCursor>,
    /// Rows that [`ListScope::filter`] left out, since they are for others.
    pub for_others: usize,
}

/// Asks that lists show to the person at a desk.
///
/// The rows are judged after they were read, not in the query: those for others are counted, and a damaged one is shown,
/// since no one knows whom it was for. It is no wall: a person who opened the desk's file may see all.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ListScope {
    /// Person. [`AskReader::Desk`] where the desk itself filters, as one on the network does.
    pub person: AskReader,
    /// True if asks for others are shown, too.
    pub all: bool,
}

impl ListScope {
    /// Returns whether an ask is for the person, or damaged.
    pub fn is_for_person(&self, row: &AskSummary) -> bool {
        row.damaged || self.person.may_see(row.account.as_deref(), row.audience.as_ref())
    }

    /// Leaves out and counts the rows of asks that are not shown.
    pub fn filter(&self, mut page: AskPage) -> AskPage {
        let row_count = page.rows.len();
        page.rows.retain(|row| self.all || self.is_for_person(row));
        page.for_others = row_count - page.rows.len();
        page
    }
}

/// Splits a search into words. A search expression ends at the first NUL, so a NUL separates words too.
pub(crate) fn search_words(search: &str) -> impl Iterator<Item = &str> {
    search.split(|c: char| c.is_whitespace() || c == '\0').filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use sayso_core::Audience;

    #[test]
    fn scope_keeps_damaged_rows() {
        let row = |audience: &str| {
            let row = AskSummary::damaged(crate::clock::new_id(true));
            AskSummary { audience: Some(Audience::of_account(audience)), damaged: false, ..row }
        };
        let damaged = AskSummary { damaged: true, ..row("bob") };
        let (hers, his) = (row("ada"), row("bob"));
        let page =
            || AskPage { rows: vec![hers.clone(), his.clone(), damaged.clone()], ..AskPage::default() };
        let person = AskReader::person("ada".to_owned(), [].into(), &Audience::members());
        let shown = ListScope { person: person.clone(), all: false }.filter(page());
        assert_eq!((shown.rows, shown.for_others), (vec![hers.clone(), damaged.clone()], 1));
        let all = ListScope { person, all: true }.filter(page());
        assert_eq!((all.rows.len(), all.for_others), (3, 0));
        assert_eq!(ListScope::default().filter(page()).for_others, 0);
    }
}
