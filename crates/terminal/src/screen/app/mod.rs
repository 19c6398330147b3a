//! Whole state of the screen, and its one update function. The function has no side effects: it returns effects, and
//! receives their results as events.

mod closing;
mod outcome;
mod person;
mod setup;

use super::answering::{Answering, Moment, Spot};
use super::dialog::Dialog;
use super::draw::Drawn;
use super::effect::{Action, Call, Done, Effect};
use super::inbox::Inbox;
use super::laid::Laid;
use super::now::Now;
use super::reasons::Reasons;
use super::theme::Theme;
use crate::prompter::Ended;
use closing::Closing;
use jiff::{SignedDuration, Timestamp, Zoned};
use sayso_core::{AskId, Message};
use std::cell::RefCell;
use std::collections::BTreeSet;

pub use setup::Setup;

/// State of the screen.
#[derive(Debug)]
pub struct App {
    pub(super) setup: Setup,
    pub(super) inbox: Inbox,
    pub(super) answering: Option<Answering>,
    /// Ask that is being opened.
    pub(super) opening: Option<AskId>,
    /// Number of open calls in flight: the person may have left an ask and opened it again.
    opens: u32,
    /// Dialog over the inbox, with the ask that it is about.
    pub(super) over: Option<(Option<AskId>, Dialog)>,
    /// Time since which the desk is unreachable.
    pub(super) away_since: Option<Zoned>,
    /// Status line at the bottom, shown until the next key.
    pub(super) told: Option<String>,
    pub(super) size: (u16, u16),
    pub(super) drawn: Drawn,
    /// The last key was ^C.
    interrupted: bool,
    pub(super) now: Zoned,
    /// Monotonic time of the same update.
    pub(super) steady: Timestamp,
    leaving: Option<Ended>,
    /// Time at which the open ask ended elsewhere, or of the last key typed after that.
    taken_away: Option<Timestamp>,
    /// End of the open ask that is being shown.
    closing: Option<Closing>,
    /// Time of the last key while an ask was open.
    busy_at: Option<Timestamp>,
    /// The program suspends as soon as all typed text is stored.
    suspending: bool,
    /// Asks that were declined in the list and whose call is in flight.
    declining: BTreeSet<AskId>,
    /// Ask that was submitted last and still awaits its asker's verdict.
    unjudged: Option<AskId>,
    /// Layout cache for agents' long texts.
    pub(super) laid: RefCell<Laid>,
    /// Reasons to decline that were typed and not sent.
    reasons: Reasons,
}

impl App {
    /// Returns a screen that has not been drawn, and its first effects.
    pub fn new(setup: Setup, size: (u16, u16), now: Now) -> (Self, Vec<Effect>) {
        let mut app = Self {
            inbox: Inbox::new(),
            answering: None,
            opening: setup.only,
            opens: u32::from(setup.only.is_some()),
            over: None,
            away_since: None,
            told: None,
            size,
            drawn: Drawn::default(),
            interrupted: false,
            now: now.wall,
            steady: now.steady,
            leaving: None,
            taken_away: None,
            closing: None,
            busy_at: None,
            suspending: false,
            declining: BTreeSet::new(),
            unjudged: None,
            laid: RefCell::default(),
            reasons: Reasons::default(),
            setup,
        };
        let effects = match app.setup.only {
            Some(id) => vec![Effect::Call(Call::Open(id))],
            None => app.inbox.list(),
        };
        (app, effects)
    }

    fn moment(&self) -> Moment {
        let Setup { lang, wishing, runs, .. } = self.setup;
        Moment { now: self.now.clone(), steady: self.steady, lang, wishing, runs }
    }

    /// Applies an event and returns the effects to carry out.
    pub fn update(&mut self, now: Now, event: Action) -> Vec<Effect> {
        self.set_now(now);
        let is_time = matches!(event, Action::Input(_) | Action::Tick);
        let mut effects = match event {
            Action::Input(input) => self.input(input),
            Action::Heard(ids) => self.heard(&ids),
            Action::Away(is_away) => self.away(is_away),
            Action::Done(done) => self.done(*done),
            Action::Edited(edited) => {
                let cx = self.moment();
                if let Some(view) = &mut self.answering {
                    view.edited(edited, &cx);
                }
                Vec::new()
            }
            Action::Tick => Vec::new(),
            Action::Hangup => self.hang_up(),
        };
        let cx = self.moment();
        if let Some(view) = &mut self.answering {
            // Saves come first, because another effect may block for as long as an editor is open.
            effects.splice(0..0, view.due(&cx));
            if is_time && std::mem::take(&mut view.is_unread) {
                effects.push(Effect::Call(Call::Read(view.ask.id)));
            }
            let due = view.ask.due_at().filter(|due| *due <= cx.now.timestamp());
            if due.is_some() && std::mem::replace(&mut view.passed, due) != due {
                effects.push(Effect::Call(Call::Tick(view.ask.id)));
            }
        }
        if let Some(ended) =
            self.leaving.take_if(|_| self.answering.as_ref().is_none_or(Answering::is_stored))
        {
            effects.extend(self.left(ended));
        }
        if self.closes_at().is_some_and(|at| at <= cx.at()) {
            effects.extend(self.finish());
        }
        let is_safe = self.answering.as_ref().is_none_or(|view| view.is_stored() || view.is_stuck(cx.at()));
        if is_safe && std::mem::take(&mut self.suspending) {
            effects.push(Effect::Suspend);
        }
        effects
    }

    pub(super) fn set_now(&mut self, now: Now) {
        (self.now, self.steady) = (now.wall, now.steady);
    }

    /// Returns the monotonic time of the next tick.
    pub fn wakes_at(&self) -> Option<Timestamp> {
        let cx = self.moment();
        let typed = self.answering.as_ref().and_then(|view| view.wakes_at(&cx));
        // Ages are shown in minutes, and each has its own phase.
        let age = self.steady.checked_add(SignedDuration::from_secs(15)).ok();
        let due = self.answering.as_ref().and_then(|view| view.ask.due_at());
        let second = due.filter(|due| due.duration_since(cx.now.timestamp()) < SignedDuration::from_mins(11));
        let second = second.and_then(|_| self.steady.checked_add(SignedDuration::from_secs(1)).ok());
        [typed, age, second, self.closes_at()].into_iter().flatten().min()
    }

    /// Records what the last frame shows, for hit testing and scrolling.
    pub(super) fn set_drawn(&mut self, drawn: Drawn) {
        if let Some(view) = &mut self.answering {
            view.sight = drawn.sight;
            view.is_undrawn = false;
            view.action_seen |= view.spot == Spot::Action && drawn.at_end;
        }
        self.drawn = drawn;
    }

    /// Returns whether the person moved since the last frame: typed-ahead keys are judged by what is visible.
    pub fn is_undrawn(&self) -> bool {
        self.answering.as_ref().is_some_and(|view| view.is_undrawn)
    }

    /// Returns the number of pending asks for the window title; `None` if it is unknown or only one ask matters.
    pub fn waiting(&self) -> Option<usize> {
        self.inbox.waiting.count
    }

    /// Returns the reasons to decline that were typed and not sent; drafts do not store them.
    pub fn unsent(&self) -> Vec<String> {
        let mut reasons = self.reasons.clone();
        if let Some(view) = &self.answering {
            reasons.keep(view.ask.id, view.reason());
        }
        reasons.into_words()
    }

    /// Applies the terminal's background: a theme that the person did not choose follows it.
    pub(super) fn background(&mut self, dark: bool) {
        if self.setup.follows_background {
            self.setup.theme = if dark { Theme::DARK } else { Theme::LIGHT };
        }
    }

    /// Returns the time since which the desk is unreachable, as `HH:MM`.
    pub(super) fn away_since(&self) -> Option<String> {
        self.away_since.as_ref().map(|since| since.strftime("%H:%M").to_string())
    }

    /// Returns the progress of the open questionnaire, in percent.
    pub fn progress(&self) -> Option<u8> {
        let progress = self.answering.as_ref()?.sheet.progress();
        u8::try_from(progress.answered * 100 / progress.total.max(1)).ok()
    }

    /// Handles changes at the desk.
    fn heard(&mut self, ids: &[AskId]) -> Vec<Effect> {
        let mut effects = if self.setup.only.is_none() { self.inbox.list() } else { Vec::new() };
        if let Some(view) = &self.answering
            && (ids.is_empty() || ids.contains(&view.ask.id))
        {
            effects.push(Effect::Call(Call::Read(view.ask.id)));
        }
        let unjudged = self.unjudged.filter(|id| ids.is_empty() || ids.contains(id));
        effects.extend(unjudged.map(|id| Effect::Call(Call::Read(id))));
        effects
    }

    /// Handles the loss and return of the desk: on return, reads what changed meanwhile.
    fn away(&mut self, is_away: bool) -> Vec<Effect> {
        self.away_since = is_away.then(|| self.now.clone());
        if is_away { Vec::new() } else { self.heard(&[]) }
    }

    fn done(&mut self, done: Done) -> Vec<Effect> {
        let cx = self.moment();
        match done {
            Done::Listed(listed) => return self.inbox.listed(listed),
            Done::ListedWaiting(waiting) => return self.inbox.listed_waiting(waiting),
            Done::Peeked(peeked) => self.inbox.peeked(peeked),
            Done::Opened(id, opened) => return self.opened(id, opened),
            Done::Read(id, read) => return self.read(id, read),
            Done::Saved(id, base, saved) => {
                let Some(view) = self.answering.as_mut().filter(|view| view.ask.id == id) else {
                    return Vec::new();
                };
                let failed = saved.is_err();
                let reread = view.saved(base, saved, &cx);
                if failed && let Some(ended) = self.leaving.take() {
                    // Leaving now would lose typed text; a second ^C leaves anyway.
                    view.told = Some(Message::NotStoredYet.plain(cx.lang).to_owned());
                    if ended == Ended::Interrupted && self.interrupted {
                        return self.give_up();
                    }
                }
                return if reread { vec![Effect::Call(Call::Read(id))] } else { Vec::new() };
            }
            Done::Acted(id, acted) => return self.acted(id, acted),
            Done::Ticked(id, ticked) => return self.ticked(id, ticked),
        }
        Vec::new()
    }
}
