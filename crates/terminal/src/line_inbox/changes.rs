//! Changes at the desk as the inbox says them: new asks, the end of the current one, and what is read next.

use super::reading::ReadAsk;
use super::{InboxSession, announcement};
use crate::describe;
use sayso_core::{Actor, AskCommand, AskId, Message, Problem};

impl InboxSession<'_> {
    /// Lets the desk end the current ask if its deadline has passed.
    pub(super) fn expire_current(&mut self) {
        let Some(current) = &self.current else { return };
        if !current.ask.is_due((self.inbox.clock)()) {
            return;
        }
        // The list shows the result; if the desk fails, reading the list reports it.
        let _ = self.inbox.desk.act(&Actor::Desk, current.ask.id, None, AskCommand::Tick);
        self.is_stale = true;
    }

    /// Prints what changed at the desk, unless the person has begun a line.
    pub(super) fn update(&mut self) -> Result<(), Problem> {
        let is_away = self.watch.is_disconnected();
        if !(self.is_stale || is_away != self.is_away) || self.input.is_typing()? {
            return Ok(());
        }
        self.output.columns = self.input.columns();
        if is_away != self.is_away {
            self.is_away = is_away;
            let message = if is_away { Message::InboxDeskAway } else { Message::InboxDeskBack };
            self.output.print_message(message)?;
        }
        if is_away {
            return Ok(());
        }
        self.is_stale = false;
        match self.read_changes() {
            Ok(()) => {
                self.failure = None;
                Ok(())
            }
            Err(problem) => self.print_failure(problem),
        }
    }

    fn read_changes(&mut self) -> Result<(), Problem> {
        let mut new = self.arrivals.read()?;
        let rows = &self.arrivals.rows;
        self.put_off.retain(|id| rows.iter().any(|row| row.id == *id));
        self.check_current()?;
        let had_greeted = std::mem::replace(&mut self.has_greeted, true);
        if !had_greeted {
            self.greet()?;
        }
        if self.current.is_none() {
            self.read_next()?;
        }
        if !had_greeted {
            return Ok(());
        }
        if let Some(current) = &self.current {
            // It has just been read.
            new.retain(|id| *id != current.ask.id);
        }
        for sentence in self.arrivals.sentences(&new)? {
            self.output.print(&sentence)?;
        }
        Ok(())
    }

    fn greet(&mut self) -> Result<(), Problem> {
        let count = self.arrivals.rows.len();
        if count > 0 {
            self.output.print(&Message::InboxGreeting.render_with(self.lang(), [count]))?;
        }
        self.output.print_message(Message::InboxHelpHow)
    }

    /// Says how the current ask ended, or reads it again if its asker wants changes since.
    fn check_current(&mut self) -> Result<(), Problem> {
        let Some(current) = &self.current else { return Ok(()) };
        let id = current.ask.id;
        if let Some(row) = self.arrivals.rows.iter().find(|row| row.id == id)
            && row.changed_at == current.ask.state.changed_at
        {
            return Ok(());
        }
        let ask = self.inbox.desk.get(id)?.localized(self.lang());
        if let Some(end) = describe::end_elsewhere(&ask, self.lang()) {
            self.current = None;
            return self.output.print(&announcement::ended(&ask, end, self.lang()));
        }
        if ask.state.phase != current.ask.state.phase {
            return self.read_out(id);
        }
        Ok(())
    }

    /// Reads the first ask that is not left for later, or says that there is none.
    pub(super) fn read_next(&mut self) -> Result<(), Problem> {
        if let Some(row) = self.arrivals.rows.iter().find(|row| !self.put_off.contains(&row.id)) {
            return self.read_out(row.id);
        }
        if self.is_idle {
            return Ok(());
        }
        self.is_idle = true;
        match self.put_off.len() {
            0 => self.output.print_message(Message::InboxWaits),
            count => self.output.print(&Message::InboxAllPutOff.render_with(self.lang(), [count])),
        }
    }

    /// Makes an ask the current one and reads it. What was typed before is not about it.
    pub(super) fn read_out(&mut self, id: AskId) -> Result<(), Problem> {
        self.current = None;
        self.is_idle = false;
        self.discard_typed_ahead()?;
        let ask = self.inbox.desk.get(id)?.localized(self.lang());
        let read_ask = ReadAsk::new(ask, self.inbox, self.input.columns());
        let others = self.arrivals.rows.len().saturating_sub(1);
        self.output.print(&read_ask.first_lines(self.inbox, others))?;
        let is_whole = read_ask.is_whole;
        self.current = Some(read_ask);
        if is_whole { self.mark_seen() } else { Ok(()) }
    }

    /// Tells the desk that the person knows all of the current ask.
    pub(super) fn mark_seen(&mut self) -> Result<(), Problem> {
        let Some(current) = &mut self.current else { return Ok(()) };
        current.is_whole = true;
        let person = Actor::Person(self.inbox.person.clone());
        let ask = self.inbox.desk.act(&person, current.ask.id, None, AskCommand::MarkSeen)?;
        current.ask = ask.localized(self.inbox.style.lang);
        Ok(())
    }

    pub(super) fn discard_typed_ahead(&mut self) -> Result<(), Problem> {
        let count = self.input.buffered_lines()?;
        for _ in 0..count {
            // No line of them does anything; the message gives their number.
            let _ = self.input.take_line();
        }
        if count == 0 {
            return Ok(());
        }
        self.output.record_line();
        let notice = describe::count_message(Message::TypedAheadOne, Message::TypedAhead, count, self.lang());
        self.output.print(&notice)
    }
}
