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
    /// Asks that a search has yet to index; they are missing from the rows. One call indexes for a third of a second
    /// at most: repeat it until this is 0. Always 0 without a search.
    pub unindexed: u64,
}

impl AskPage {
    /// Repeats a search until all asks are indexed, and reports after each call how many are left.
    ///
    /// # Errors
    /// If the desk cannot be read.
    pub fn list_when_indexed(
        desk: &dyn crate::Desk,
        query: &AskQuery,
        report: &mut dyn FnMut(u64),
    ) -> Result<Self, sayso_core::Problem> {
        loop {
            let page = desk.list(query)?;
            if page.unindexed == 0 {
                return Ok(page);
            }
            report(page.unindexed);
        }
    }
}

/// Splits a search into words. A search expression ends at the first NUL, so a NUL separates words too.
pub(crate) fn search_words(search: &str) -> impl Iterator<Item = &str> {
    search.split(|c: char| c.is_whitespace() || c == '\0').filter(|word| !word.is_empty())
}
