//! What to list.

use sayso_core::Asker;
use sayso_core::row::{Row, Standing};
use std::fmt;

/// Which asks to list.
#[derive(Debug, Clone, Default)]
pub struct Query {
    /// In one of these states; pending ones (open or submitted) where it is empty.
    pub states: Vec<Standing>,
    /// With these words in their title, questions, asker or folder, or as their id: a whole one, or its short form.
    pub search: Option<String>,
    /// Asked with this account's tokens. At a desk on the network the token that looks decides that.
    pub account: Option<String>,
    /// Asked under this name in this folder, in whatever session.
    pub asker: Option<Asker>,
    /// In this dialect.
    pub dialect: Option<String>,
    /// Only those whose outcome, if there is one, the asker has not acknowledged.
    pub undelivered: bool,
    /// From after this place on: the `next` of the page before.
    pub after: Option<Place>,
    /// At most so many rows; [`LIST_ROWS`](sayso_core::limits::LIST_ROWS) is the most and the usual.
    pub rows: Option<usize>,
}

/// A place in a list. Opaque: give back what a page said.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place(pub(crate) i64);

impl Place {
    /// Reads a place as it was written.
    pub fn parse(text: &str) -> Option<Self> {
        text.parse().ok().map(Self)
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// One page of a list: pending asks come the longest waiting first, others the newest first.
#[derive(Debug, Clone, Default)]
pub struct Page {
    /// The rows.
    pub rows: Vec<Row>,
    /// Where the next page begins, when there is one.
    pub next: Option<Place>,
    /// Asks that a search has yet to index; those are missing from the rows. A call indexes for a third of a second at
    /// most: repeat it until this is 0. Always 0 without a search.
    pub unindexed: u64,
}

impl Page {
    /// Repeats a search until all asks are indexed, and reports after each call how many are left.
    ///
    /// # Errors
    /// If the desk cannot be read.
    pub fn of_whole_index(
        desk: &dyn crate::Desk,
        query: &Query,
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

/// The words of a search. A search expression ends at a NUL, wherever that stands, so one parts words too.
pub(crate) fn words(search: &str) -> impl Iterator<Item = &str> {
    search.split(|c: char| c.is_whitespace() || c == '\0').filter(|word| !word.is_empty())
}
