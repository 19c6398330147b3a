//! Input of the person: keys, pastes and the mouse.

use super::super::answering::{Answering, SETTLE, Then};
use super::super::dialog::{Dialog, Pager, Said, Theirs};
use super::super::draw;
use super::super::effect::{Call, Effect};
use super::super::inbox::Wants;
use super::super::input::{Input, Key, KeyCode, Mouse, MouseKind};
use super::super::paper::Hit;
use super::App;
use crate::prompter::Ended;
use crate::{recap, sending};
use sayso_core::{AskId, Command, Message};

impl App {
    pub(super) fn input(&mut self, input: Input) -> Vec<Effect> {
        match input {
            Input::Key(key) => {
                self.busy();
                self.key(key)
            }
            Input::Paste(pasted) => {
                self.busy();
                self.paste(&pasted)
            }
            Input::Mouse(mouse) => self.mouse(mouse),
            Input::Resize(columns, rows) => {
                self.size = (columns, rows);
                Vec::new()
            }
            Input::Focus(_) => Vec::new(),
        }
    }

    fn key(&mut self, key: Key) -> Vec<Effect> {
        let cx = self.moment();
        if key.ctrl {
            match key.code {
                KeyCode::Char('c') => return self.interrupt(),
                KeyCode::Char('z') => return self.suspend(),
                KeyCode::Char('l') => return vec![Effect::Redraw],
                _ => {}
            }
        }
        self.interrupted = false;
        if self.closing.is_some() {
            return self.key_at_end(key);
        }
        let is_just_gone = self.taken_away.take().is_some_and(|then| cx.since(then) < SETTLE);
        if is_just_gone && key.code != KeyCode::Esc {
            // Keys typed for the ask that just closed do not apply to the view behind it.
            self.taken_away = Some(cx.at());
            return Vec::new();
        }
        self.told = None;
        // On a screen too small to show anything, only letters of a text count.
        let is_typing = self.answering.as_ref().map_or(self.inbox.is_filtering, Answering::is_typing);
        let types = is_typing && (key.typed().is_some() || key.code == KeyCode::Backspace);
        if draw::is_too_small(self.size) && !types {
            return Vec::new();
        }
        if let Some((id, dialog)) = &mut self.over {
            let (id, said) = (*id, dialog.key(key));
            if let (Some(id), Dialog::Decline { reason, .. }) = (id, &*dialog) {
                self.reasons.keep(id, reason.text());
            }
            return self.over_said(id, said);
        }
        let is_help = key.code == KeyCode::F(1) || key.typed() == Some('?');
        if is_help && (key.code == KeyCode::F(1) || !is_typing) {
            let help = Pager::new(Message::HelpTitle, self.help(), Theirs::Nothing);
            self.over = Some((None, Dialog::Pager(help)));
            return Vec::new();
        }
        if self.answering.is_none() && self.opening.is_some() {
            // Keys typed before the ask appears go neither to the list nor to the ask.
            self.opening.take_if(|_| key.code == KeyCode::Esc && self.setup.only.is_none());
            return Vec::new();
        }
        if let Some(view) = &mut self.answering {
            // Esc leaves an untouched ask without a dialog: there is nothing to decide.
            if key.code == KeyCode::Esc && self.setup.only.is_none() && view.is_untouched() {
                return self.leave(Ended::Left);
            }
            let (then, mut effects) = view.key(key, &cx);
            if then == Then::Leave {
                effects.extend(self.leave(Ended::Left));
            }
            return effects;
        }
        let (wants, mut effects) = self.inbox.key(key);
        match wants {
            Wants::Nothing => {}
            Wants::Open(id) => effects.extend(self.open(id)),
            Wants::Decline(id) => self.over = Some((Some(id), Dialog::decline(self.reasons.of(id)))),
            Wants::Quit => effects.push(Effect::End(Ended::Left)),
        }
        effects
    }

    fn over_said(&mut self, id: Option<AskId>, said: Said) -> Vec<Effect> {
        match (said, id) {
            (Said::Stay, _) => return Vec::new(),
            (Said::Decline(reason), Some(id)) => {
                self.over = None;
                let Some(ask) = self.inbox.peeked.as_ref().filter(|ask| ask.id == id) else {
                    self.told = Some(Message::DeclinedNothing.plain(self.setup.lang).to_owned());
                    return Vec::new();
                };
                let key = sending::key(ask, "decline", reason.as_deref().unwrap_or_default());
                let command = Command::Decline { reason, shown: ask.request.digest };
                self.declining.insert(id);
                return vec![Effect::Call(Call::Act { id, key, command })];
            }
            _ => self.over = None,
        }
        Vec::new()
    }

    fn help(&self) -> String {
        let message = if self.answering.is_some() { Message::HelpAnswering } else { Message::HelpInbox };
        message.plain(self.setup.lang).to_owned()
    }

    fn paste(&mut self, pasted: &str) -> Vec<Effect> {
        let cx = self.moment();
        if self.closing.is_some() {
            return Vec::new();
        }
        match (&mut self.over, &mut self.answering) {
            (Some((id, dialog)), _) => {
                if let Some(Err(problem)) = dialog.text().map(|text| text.paste(pasted)) {
                    self.told = Some(recap::problem(&problem, cx.lang));
                }
                if let (Some(id), Dialog::Decline { reason, .. }) = (id, &*dialog) {
                    self.reasons.keep(*id, reason.text());
                }
            }
            (None, Some(view)) => view.paste(pasted, &cx),
            (None, None) => return self.inbox.paste(pasted),
        }
        Vec::new()
    }

    fn interrupt(&mut self) -> Vec<Effect> {
        if self.setup.only.is_some() && self.closing.is_some() {
            return self.finish();
        }
        let now = self.steady;
        let is_stuck = self.answering.as_ref().is_some_and(|view| view.is_stuck(now));
        // A second ^C leaves only while the status line announces that it will; after another message it counts as the
        // first.
        let told = self.answering.as_ref().map_or(&self.told, |view| &view.told);
        let promises = [Message::NotStoredYet, Message::InterruptAgain, Message::InterruptList];
        let stands = promises.iter().any(|said| told.as_deref() == Some(said.plain(self.setup.lang)));
        let twice = std::mem::replace(&mut self.interrupted, true) && stands;
        if twice && is_stuck {
            return self.give_up();
        }
        if twice {
            return self.leave(Ended::Interrupted);
        }
        let say = |message: Message| Some(message.plain(self.setup.lang).to_owned());
        match &mut self.answering {
            Some(view) if is_stuck => view.told = say(Message::NotStoredYet),
            Some(view) => view.told = say(Message::InterruptAgain),
            None => self.told = say(Message::InterruptList),
        }
        Vec::new()
    }

    fn suspend(&mut self) -> Vec<Effect> {
        let cx = self.moment();
        if let Some(view) = &mut self.answering {
            view.settle_text(&cx);
        }
        self.suspending = true;
        Vec::new()
    }

    fn mouse(&mut self, mouse: Mouse) -> Vec<Effect> {
        let cx = self.moment();
        let rows = match mouse.kind {
            MouseKind::WheelUp => -3,
            MouseKind::WheelDown => 3,
            MouseKind::Press => 0,
        };
        if rows != 0 {
            if let Some((_, dialog)) = &mut self.over {
                dialog.scroll_by(rows);
                return Vec::new();
            }
            return match &mut self.answering {
                Some(Answering { dialog: Some(dialog), .. }) => {
                    dialog.scroll_by(rows);
                    Vec::new()
                }
                Some(view) => {
                    view.scroll_by(rows);
                    Vec::new()
                }
                None => self.inbox.go_to(|at, _| at.saturating_add_signed(rows)),
            };
        }
        let Some(hit) = self.drawn.hit(mouse.column, mouse.row) else { return Vec::new() };
        if draw::is_too_small(self.size) {
            return Vec::new();
        }
        if self.over.is_some() {
            return Vec::new();
        }
        match (&mut self.answering, hit) {
            (Some(view), hit) => view.pressed(hit, usize::from(mouse.column), &cx),
            (None, Hit::Item(row)) if row == self.inbox.cursor() => {
                self.inbox.selected().map(|row| row.id).map(|id| self.open(id)).unwrap_or_default()
            }
            (None, Hit::Item(row)) => self.inbox.go_to(|_, _| row),
            (None, _) => Vec::new(),
        }
    }

    fn open(&mut self, id: AskId) -> Vec<Effect> {
        self.opening = Some(id);
        self.opens += 1;
        vec![Effect::Call(Call::Open(id))]
    }
}
