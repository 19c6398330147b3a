//! Keys of the inbox.

use super::super::cursor_move::CursorMove;
use super::super::editor::KeyResult;
use super::super::effect::Effect;
use super::{Inbox, InboxRequest};
use crate::tty::{Key, KeyCode};
use sayso_core::model::ask_summary::AskStatus;

impl Inbox {
    /// Handles a key: of the filter while it is edited, else of the list.
    pub(in crate::tui) fn handle_key(&mut self, key: Key) -> (InboxRequest, Vec<Effect>) {
        if self.is_filtering {
            match self.filter.handle_key(key) {
                KeyResult::Changed => return (InboxRequest::Nothing, self.apply_filter()),
                KeyResult::Moved | KeyResult::Full => return (InboxRequest::Nothing, Vec::new()),
                KeyResult::Ignored => {}
            }
            match key.code {
                KeyCode::Tab => {
                    self.is_filtering = false;
                    return (InboxRequest::Nothing, Vec::new());
                }
                KeyCode::Esc | KeyCode::Enter => self.is_filtering = false,
                _ => {}
            }
        }
        if !(key.is_unmodified() || key.ctrl && matches!(key.code, KeyCode::Char('n' | 'p'))) {
            return (InboxRequest::Nothing, Vec::new());
        }
        let page = self.extent.asks.saturating_sub(1).max(1);
        let effects = match key.code {
            KeyCode::Up | KeyCode::Char('k') => self.move_selection(CursorMove::Up(1)),
            KeyCode::Down | KeyCode::Char('j') => self.move_selection(CursorMove::Down(1)),
            KeyCode::Char('p') if key.ctrl => self.move_selection(CursorMove::Up(1)),
            KeyCode::Char('n') if key.ctrl => self.move_selection(CursorMove::Down(1)),
            KeyCode::PageUp => self.move_selection(CursorMove::Up(page)),
            KeyCode::PageDown => self.move_selection(CursorMove::Down(page)),
            KeyCode::Home | KeyCode::Char('g') => self.move_selection(CursorMove::First),
            KeyCode::End | KeyCode::Char('G') => self.move_selection(CursorMove::Last),
            KeyCode::Enter => {
                let request = self.selected_ask().map_or(InboxRequest::Nothing, InboxRequest::Open);
                return (request, Vec::new());
            }
            KeyCode::Char('/') => {
                self.is_filtering = true;
                Vec::new()
            }
            KeyCode::Char('s') => {
                self.sort_order = self.sort_order.next();
                self.sort_and_filter();
                self.restore_selection();
                self.request_preview()
            }
            KeyCode::Char('h') | KeyCode::Tab | KeyCode::BackTab => self.toggle_state_filter(),
            KeyCode::Char('d') => {
                let request = match self.selected() {
                    Some(row) if row.state == AskStatus::Open => InboxRequest::Decline(row.id),
                    _ => InboxRequest::Nothing,
                };
                return (request, Vec::new());
            }
            KeyCode::Char('b') => {
                let request = self.selected_ask().map_or(InboxRequest::Nothing, InboxRequest::Link);
                return (request, Vec::new());
            }
            // Esc clears a filter and leaves nothing else.
            KeyCode::Esc if !self.filter.is_empty() => self.clear_filter(),
            KeyCode::Char('q') => return (InboxRequest::Quit, Vec::new()),
            _ => Vec::new(),
        };
        (InboxRequest::Nothing, effects)
    }
}
