//! The whole state of the screen, and the one function that changes it. It does nothing by itself: what is to be done
//! it returns, and what became of that it is told.

mod outcome;
mod setup;

use super::answering::{Answering, Moment, SETTLE, Spot, Then};
use super::dialog::{Dialog, Pager, Said, Theirs};
use super::draw::{self, Drawn};
use super::effect::{Action, Call, Done, Effect};
use super::inbox::{Inbox, Wants};
use super::input::{Input, Key, KeyCode, Mouse, MouseKind};
use super::paper::Hit;
use super::theme::Theme;
use crate::prompter::Ended;
use crate::{recap, sending};
use jiff::{SignedDuration, Timestamp, Zoned};
use sayso_core::{AskId, Command, Message};
use std::time::Duration;

pub use setup::{Explain, Rephrase, Setup};

/// How soon a second ^C must follow the first.
const TWICE: Duration = Duration::from_secs(2);

/// The state of the screen.
#[derive(Debug)]
pub struct App {
    pub(super) setup: Setup,
    pub(super) inbox: Inbox,
    pub(super) answering: Option<Answering>,
    /// An ask that is being opened.
    pub(super) opening: Option<AskId>,
    /// What is shown over the inbox.
    pub(super) over: Option<(Option<AskId>, Dialog)>,
    /// What is said at the bottom until the next key.
    pub(super) told: Option<String>,
    pub(super) size: (u16, u16),
    pub(super) drawn: Drawn,
    interrupted: Option<Timestamp>,
    pub(super) now: Zoned,
    leaving: Option<Ended>,
    /// When what a person was typing at ended elsewhere, or they typed on without seeing it.
    taken_away: Option<Timestamp>,
    /// The program is to stop as soon as what was typed is stored.
    suspending: bool,
    /// The ask that was declined in the list, until the desk has it.
    declining: Option<AskId>,
}

impl App {
    /// A screen that has not been drawn, and what it wants first.
    pub fn new(setup: Setup, size: (u16, u16), now: Zoned) -> (Self, Vec<Effect>) {
        let mut app = Self {
            inbox: Inbox::new(),
            answering: None,
            opening: setup.only,
            over: None,
            told: None,
            size,
            drawn: Drawn::default(),
            interrupted: None,
            now,
            leaving: None,
            taken_away: None,
            suspending: false,
            declining: None,
            setup,
        };
        let effects = match app.setup.only {
            Some(id) => vec![Effect::Call(Call::Open(id))],
            None => app.inbox.list(),
        };
        (app, effects)
    }

    fn moment(&self) -> Moment {
        Moment {
            now: self.now.clone(),
            lang: self.setup.lang,
            explain: self.setup.explain,
            rephrase: self.setup.rephrase,
        }
    }

    /// Takes in what happened, and says what is to be done.
    pub fn update(&mut self, now: Zoned, action: Action) -> Vec<Effect> {
        self.now = now;
        let mut effects = match action {
            Action::Input(input) => self.input(input),
            Action::Heard(ids) => self.heard(&ids),
            Action::Done(done) => self.done(*done),
            Action::Edited(edited) => {
                let moment = self.moment();
                if let Some(answering) = &mut self.answering {
                    answering.edited(edited, &moment);
                }
                Vec::new()
            }
            Action::Tick => Vec::new(),
            Action::Hangup => self.hang_up(),
        };
        let moment = self.moment();
        if let Some(answering) = &mut self.answering {
            // First, for what else is to be done may take as long as an editor is open.
            effects.splice(0..0, answering.due(&moment));
            let due = answering.ask.due_at().filter(|due| *due <= moment.at());
            if due.is_some() && std::mem::replace(&mut answering.passed, due) != due {
                effects.push(Effect::Call(Call::Tick(answering.ask.id)));
            }
        }
        if let Some(ended) =
            self.leaving.take_if(|_| self.answering.as_ref().is_none_or(Answering::is_stored))
        {
            effects.extend(self.left(ended));
        }
        let is_safe = self
            .answering
            .as_ref()
            .is_none_or(|answering| answering.is_stored() || answering.is_stuck(moment.at()));
        if is_safe && std::mem::take(&mut self.suspending) {
            effects.push(Effect::Suspend);
        }
        effects
    }

    /// When to say that time has passed, though nothing happens.
    pub fn wakes_at(&self) -> Option<Timestamp> {
        let now = self.now.timestamp();
        let typed = self.answering.as_ref().and_then(|answering| answering.wakes_at(now));
        // Ages are told in minutes.
        let minute = now.checked_add(SignedDuration::from_secs(60)).ok();
        let due = self.answering.as_ref().and_then(|answering| answering.ask.due_at());
        let second = due.filter(|due| due.duration_since(now) < SignedDuration::from_mins(11));
        let second = second.and_then(|_| now.checked_add(SignedDuration::from_secs(1)).ok());
        [typed, minute, second].into_iter().flatten().min()
    }

    /// What was drawn, so that the mouse and the keys that scroll know what is where.
    pub(super) fn set_drawn(&mut self, drawn: Drawn) {
        if let Some(answering) = &mut self.answering {
            answering.sight = drawn.sight;
            answering.action_seen |= answering.spot == Spot::Action && drawn.at_end;
        }
        self.drawn = drawn;
    }

    /// How many asks wait, for the title of the terminal's window.
    pub fn waiting(&self) -> usize {
        self.inbox.counts().0
    }

    /// The terminal has told its background: colours that were not chosen by the person fit it from now on.
    pub(super) fn background(&mut self, dark: bool) {
        if self.setup.follows_background {
            self.setup.theme = if dark { Theme::DARK } else { Theme::LIGHT };
        }
    }

    /// How far the questionnaire is that is open, in percent.
    pub fn progress(&self) -> Option<u8> {
        let progress = self.answering.as_ref()?.sheet.progress();
        u8::try_from(progress.answered * 100 / progress.total.max(1)).ok()
    }

    fn input(&mut self, input: Input) -> Vec<Effect> {
        match input {
            Input::Key(key) => self.key(key),
            Input::Paste(pasted) => self.paste(&pasted),
            Input::Mouse(mouse) => self.mouse(mouse),
            Input::Resize(columns, rows) => {
                self.size = (columns, rows);
                Vec::new()
            }
            Input::Focus(_) => Vec::new(),
        }
    }

    fn key(&mut self, key: Key) -> Vec<Effect> {
        let moment = self.moment();
        if key.ctrl {
            match key.code {
                KeyCode::Char('c') => return self.interrupt(),
                KeyCode::Char('z') => return self.suspend(),
                KeyCode::Char('l') => return vec![Effect::Redraw],
                _ => {}
            }
        }
        let is_just_gone = self.taken_away.take().is_some_and(|then| moment.since(then) < SETTLE);
        if is_just_gone && key.code != KeyCode::Esc {
            // What is still typed to it is meant for nothing that shows now.
            self.taken_away = Some(moment.at());
            return Vec::new();
        }
        self.told = None;
        // Whoever cannot see what a key does means no more by it than letters of the text that they type.
        let is_typing = self.answering.as_ref().map_or(self.inbox.is_filtering, Answering::is_typing);
        let types = is_typing && (key.typed().is_some() || key.code == KeyCode::Backspace);
        if draw::is_too_small(self.size) && !types {
            return Vec::new();
        }
        if let Some((id, dialog)) = &mut self.over {
            let (id, said) = (*id, dialog.key(key));
            return self.over_said(id, said);
        }
        let is_help = key.code == KeyCode::F(1) || key.typed() == Some('?');
        if is_help && (key.code == KeyCode::F(1) || !is_typing) {
            let help = Pager::new(Message::HelpTitle, self.help(), Theirs::Nothing);
            self.over = Some((None, Dialog::Pager(help)));
            return Vec::new();
        }
        if self.answering.is_none() && self.opening.is_some() {
            // What is typed before an ask has come up is neither for the list any more nor for the ask yet.
            self.opening.take_if(|_| key.code == KeyCode::Esc && self.setup.only.is_none());
            return Vec::new();
        }
        if let Some(answering) = &mut self.answering {
            let (then, mut effects) = answering.key(key, &moment);
            if then == Then::Leave {
                effects.extend(self.leave(Ended::Left));
            }
            return effects;
        }
        let (wants, mut effects) = self.inbox.key(key);
        match wants {
            Wants::Nothing => {}
            Wants::Open(id) => effects.extend(self.open(id)),
            Wants::Decline(id) => self.over = Some((Some(id), Dialog::decline())),
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
                self.declining = Some(id);
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
        let moment = self.moment();
        match (&mut self.over, &mut self.answering) {
            (Some((_, dialog)), _) => {
                if let Some(Err(problem)) = dialog.text().map(|text| text.paste(pasted)) {
                    self.told = Some(recap::problem(&problem, moment.lang));
                }
            }
            (None, Some(answering)) => answering.paste(pasted, &moment),
            (None, None) => return self.inbox.paste(pasted),
        }
        Vec::new()
    }

    fn interrupt(&mut self) -> Vec<Effect> {
        let now = self.now.timestamp();
        let twice = self.interrupted.is_some_and(|then| now.duration_since(then).unsigned_abs() <= TWICE);
        let is_stuck = self.answering.as_ref().is_some_and(|answering| answering.is_stuck(now));
        if twice && is_stuck {
            return self.give_up();
        }
        if twice {
            return self.leave(Ended::Interrupted);
        }
        self.interrupted = Some(now);
        let said = if is_stuck { Message::NotStoredYet } else { Message::InterruptAgain };
        let said = said.plain(self.setup.lang).to_owned();
        match &mut self.answering {
            Some(answering) => answering.told = Some(said),
            None => self.told = Some(said),
        }
        Vec::new()
    }

    fn suspend(&mut self) -> Vec<Effect> {
        let moment = self.moment();
        if let Some(answering) = &mut self.answering {
            answering.settle_text(&moment);
        }
        self.suspending = true;
        Vec::new()
    }

    fn mouse(&mut self, mouse: Mouse) -> Vec<Effect> {
        let moment = self.moment();
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
                Some(answering) => {
                    answering.scroll_by(rows);
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
            (Some(answering), hit) => answering.pressed(hit, usize::from(mouse.column), &moment),
            (None, Hit::Item(row)) if row == self.inbox.cursor() => {
                self.inbox.selected().map(|row| row.id).map(|id| self.open(id)).unwrap_or_default()
            }
            (None, Hit::Item(row)) => self.inbox.go_to(|_, _| row),
            (None, _) => Vec::new(),
        }
    }

    fn open(&mut self, id: AskId) -> Vec<Effect> {
        self.opening = Some(id);
        vec![Effect::Call(Call::Open(id))]
    }

    /// Something happened at the desk.
    fn heard(&mut self, ids: &[AskId]) -> Vec<Effect> {
        let mut effects = if self.setup.only.is_none() { self.inbox.list() } else { Vec::new() };
        if let Some(answering) = &self.answering
            && (ids.is_empty() || ids.contains(&answering.ask.id))
        {
            effects.push(Effect::Call(Call::Read(answering.ask.id)));
        }
        effects
    }

    fn done(&mut self, done: Done) -> Vec<Effect> {
        let moment = self.moment();
        match done {
            Done::Listed(listed) => return self.inbox.listed(listed),
            Done::Peeked(peeked) => self.inbox.peeked(peeked),
            Done::Opened(id, opened) => return self.opened(id, opened),
            Done::Saved(id, base, saved) => {
                let Some(answering) = self.answering.as_mut().filter(|answering| answering.ask.id == id)
                else {
                    return Vec::new();
                };
                let failed = saved.is_err();
                let reread = answering.saved(base, saved, &moment);
                if failed && let Some(ended) = self.leaving.take() {
                    // Leaving now would lose what was typed: a second ^C does it all the same.
                    answering.told = Some(Message::NotStoredYet.plain(moment.lang).to_owned());
                    if ended == Ended::Interrupted && self.interrupted.is_some() {
                        return self.give_up();
                    }
                }
                return if reread { vec![Effect::Call(Call::Read(id))] } else { Vec::new() };
            }
            Done::Acted(id, acted) => return self.acted(id, acted),
        }
        Vec::new()
    }
}
