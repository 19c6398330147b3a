//! The open asks of the inbox, and which of them are new to the person.

use super::{LineInbox, announcement};
use crate::prompter::OtherAsks;
use crate::tui::{SortOrder, read_list};
use sayso_core::model::ask_summary::AskStatus;
use sayso_core::{AskId, AskSummary, Message, Problem};
use sayso_desk::{AskQuery, skip_damaged};
use std::collections::BTreeSet;

/// Maximum number of asks in memory.
const MAX_ROWS: usize = 2_000;

/// Maximum number of new asks that get a sentence each; more are counted.
const MAX_SENTENCES: usize = 3;

/// Open asks, in the order in which they are read.
pub(super) struct Arrivals<'a> {
    inbox: &'a LineInbox<'a>,
    pub(super) rows: Vec<AskSummary>,
    known: BTreeSet<AskId>,
}

impl<'a> Arrivals<'a> {
    pub(super) fn new(inbox: &'a LineInbox<'a>) -> Self {
        Self { inbox, rows: Vec::new(), known: BTreeSet::new() }
    }

    /// Reads the open asks. Returns those that are new since the last call.
    pub(super) fn read(&mut self) -> Result<Vec<AskId>, Problem> {
        let listing = read_list(self.inbox.desk, &self.inbox.scope, &AskQuery::default(), MAX_ROWS)?;
        let mut rows = listing.rows;
        rows.retain(|row| row.state == AskStatus::Open && !row.damaged);
        let mut order: Vec<usize> = (0..rows.len()).collect();
        SortOrder::Blocking.sort(&mut order, &rows);
        self.rows.clear();
        let mut new = Vec::new();
        for index in order {
            let Some(row) = rows.get(index) else { continue };
            if self.known.insert(row.id) {
                new.push(row.id);
            }
            self.rows.push(row.clone());
        }
        Ok(new)
    }

    /// Returns a sentence for each of these asks, or one for all if they are many.
    pub(super) fn sentences(&self, new: &[AskId]) -> Result<Vec<String>, Problem> {
        let LineInbox { desk, style, home, .. } = self.inbox;
        if new.len() > MAX_SENTENCES {
            return Ok(vec![Message::InboxNewMany.render_with(style.lang, [new.len()])]);
        }
        let mut sentences = Vec::new();
        for id in new {
            if let Some(ask) = skip_damaged(desk.get(*id))? {
                let sentence = announcement::announcement(&ask.localized(style.lang), home, style.lang);
                sentences.push(format!("{} {sentence}", Message::InboxNew.plain(style.lang)));
            }
        }
        Ok(sentences)
    }
}

impl OtherAsks for Arrivals<'_> {
    fn read_news(&mut self) -> Result<Vec<String>, Problem> {
        let new = self.read()?;
        self.sentences(&new)
    }
}
