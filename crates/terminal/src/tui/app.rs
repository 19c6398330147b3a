//! Whole state of the screen, and its one update function. The function has no side effects: it returns effects, and
//! receives their results as events.

mod decline_reasons;
mod end_notice;
mod frame;
mod opening;
mod person_input;
mod setup;
mod transitions;
mod typing_activity;

use super::answer::reply::text_input;
use super::answer::{AskView, InputHandler, UpdateContext, ending};
use super::clock::ClockReading;
use super::dialog::Dialog;
use super::effect::{CallResult, DeskCall, Effect, Event};
use super::inbox::Inbox;
use super::view::{FrameReport, shows_selected_ask};
use super::widgets::layout_cache::LayoutCache;
use super::widgets::theme::Theme;
use crate::surface::PromptOutcome;
use decline_reasons::DeclineReasons;
use end_notice::EndNotice;
use jiff::{SignedDuration, Timestamp, Zoned};
use opening::OpeningAsk;
use sayso_core::{AskId, Message, Problem};
use sayso_desk::{DraftRev, SaveReport};
use std::cell::RefCell;
use std::collections::BTreeSet;
use typing_activity::TypingActivity;

pub use setup::ScreenSetup;

/// State of the screen.
#[derive(Debug)]
pub struct App {
    pub(super) setup: ScreenSetup,
    pub(super) inbox: Inbox,
    pub(super) ask_view: Option<AskView>,
    pub(super) opening: OpeningAsk,
    /// Dialog over the inbox, with the ask that it is about.
    pub(super) overlay: Option<(Option<AskId>, Dialog)>,
    /// Time since which the desk is unreachable.
    pub(super) unreachable_since: Option<Zoned>,
    /// Status line at the bottom, shown until the next key.
    pub(super) notice: Option<String>,
    pub(super) size: (u16, u16),
    pub(super) last_frame: FrameReport,
    /// The last key was ^C.
    interrupted: bool,
    pub(super) now: Zoned,
    /// Monotonic time of the same update.
    pub(super) monotonic: Timestamp,
    exit_pending: Option<PromptOutcome>,
    typing: TypingActivity,
    /// End of the open ask that is being shown.
    end_notice: Option<EndNotice>,
    /// The program suspends as soon as all typed text is stored.
    suspend_pending: bool,
    /// Asks that were declined in the list and whose call is in flight.
    declines_in_flight: BTreeSet<AskId>,
    /// Ask that was submitted last and still awaits its asker's verdict.
    awaiting_verdict: Option<AskId>,
    /// Layout cache for agents' long texts. Drawing fills it, which changes no frame.
    pub(super) layout_cache: RefCell<LayoutCache>,
    /// Reasons to decline that were typed and not sent.
    decline_reasons: DeclineReasons,
}

impl App {
    /// Returns a screen that has not been drawn, and its first effects.
    pub fn new(setup: ScreenSetup, size: (u16, u16), now: ClockReading) -> (Self, Vec<Effect>) {
        let mut app = Self {
            inbox: Inbox::new(),
            ask_view: None,
            opening: OpeningAsk::default(),
            overlay: None,
            unreachable_since: None,
            notice: None,
            size,
            last_frame: FrameReport::default(),
            interrupted: false,
            now: now.wall,
            monotonic: now.monotonic,
            exit_pending: None,
            typing: TypingActivity::default(),
            end_notice: None,
            suspend_pending: false,
            declines_in_flight: BTreeSet::new(),
            awaiting_verdict: None,
            layout_cache: RefCell::default(),
            decline_reasons: DeclineReasons::default(),
            setup,
        };
        let effects = match app.setup.only_ask {
            Some(id) => vec![app.opening.begin(id)],
            None => app.inbox.request_list(),
        };
        (app, effects)
    }

    fn update_context(&self) -> UpdateContext {
        let ScreenSetup { lang, clarification, carries_notes, is_running, always_reviews, .. } = self.setup;
        UpdateContext {
            now: self.now.clone(),
            monotonic: self.monotonic,
            lang,
            clarification,
            carries_notes,
            is_running,
            always_reviews,
        }
    }

    /// Applies an event and returns the effects to carry out.
    pub fn update(&mut self, now: ClockReading, event: Event) -> Vec<Effect> {
        self.set_now(now);
        let is_time = matches!(event, Event::Input(_) | Event::Tick);
        let mut effects = match event {
            Event::Input(input) => self.handle_input(input),
            Event::DeskChanged(ids) => self.handle_change(&ids),
            Event::Unreachable(is_away) => self.set_unreachable(is_away),
            Event::CallFinished(result) => self.handle_result(*result),
            Event::Edited(result) => {
                let cx = self.update_context();
                if let Some(view) = &mut self.ask_view {
                    text_input::take_edited_text(view, result, &cx);
                }
                Vec::new()
            }
            Event::LinkFound(result) => self.handle_link(result),
            Event::Tick => Vec::new(),
            Event::Hangup => self.exit_now(),
        };
        effects.extend(self.take_due_presses());
        let cx = self.update_context();
        if let Some(view) = &mut self.ask_view {
            // Saves come first, because another effect may block for as long as an editor is open.
            effects.splice(0..0, view.take_due_calls(&cx));
            if is_time && std::mem::take(&mut view.has_unread_change) {
                effects.push(Effect::Call(DeskCall::Read(view.ask.id)));
            }
            if let Some(deadline) = view.ask.due_at()
                && deadline <= cx.now.timestamp()
                && view.reported_deadline != Some(deadline)
            {
                view.reported_deadline = Some(deadline);
                effects.push(Effect::Call(DeskCall::Tick(view.ask.id)));
            }
        }
        if self.ask_view.as_ref().is_none_or(AskView::is_stored)
            && let Some(outcome) = self.exit_pending.take()
        {
            effects.extend(self.close_view(outcome));
        }
        if let Some(closes_at) = self.end_closes_at()
            && closes_at <= cx.instant()
        {
            effects.extend(self.leave_shown_end());
        }
        let shows_list = self.ask_view.is_none() && self.overlay.is_none();
        let is_shown = shows_list && shows_selected_ask(self.size);
        effects.extend(self.inbox.track_reading(is_shown, cx.instant()));
        let is_safe = match &self.ask_view {
            Some(view) => view.is_stored() || view.is_stuck(cx.instant()),
            None => true,
        };
        if is_safe && std::mem::take(&mut self.suspend_pending) {
            effects.push(Effect::Suspend);
        }
        effects
    }

    pub(super) fn set_now(&mut self, reading: ClockReading) {
        self.now = reading.wall;
        self.monotonic = reading.monotonic;
    }

    /// Returns the monotonic time of the next tick.
    pub fn next_wakeup(&self) -> Option<Timestamp> {
        let cx = self.update_context();
        let mut times = Vec::new();
        // Ages are shown in minutes, and each has its own phase.
        times.extend(self.monotonic.checked_add(SignedDuration::from_secs(15)));
        if let Some(view) = &self.ask_view {
            times.extend(view.next_wakeup(&cx));
            // Shortly before the deadline its seconds are shown.
            if let Some(deadline) = view.ask.due_at()
                && deadline.duration_since(cx.now.timestamp()) < SignedDuration::from_mins(11)
            {
                times.extend(self.monotonic.checked_add(SignedDuration::from_secs(1)));
            }
        }
        if let Some((_, dialog)) = &self.overlay {
            times.extend(dialog.next_wakeup(cx.instant()));
        }
        times.extend(self.inbox.next_wakeup());
        times.extend(self.end_closes_at());
        times.into_iter().min()
    }

    /// Returns whether the person moved since the last frame: typed-ahead keys are judged by what is visible.
    pub fn needs_draw(&self) -> bool {
        self.ask_view.as_ref().is_some_and(|view| view.scroll.is_new_page())
    }

    /// Carries out presses of buttons that took effect in the meantime.
    fn take_due_presses(&mut self) -> Vec<Effect> {
        let cx = self.update_context();
        if let Some((id, dialog)) = &mut self.overlay {
            let id = *id;
            let result = dialog.take_due(cx.instant());
            if let (Some(id), Some(reason)) = (id, dialog.reason()) {
                self.decline_reasons.set(id, reason);
            }
            return match result {
                Some(result) => self.handle_overlay(id, result),
                None => Vec::new(),
            };
        }
        match &mut self.ask_view {
            Some(view) if self.end_notice.is_none() => InputHandler::new(view, &cx).take_due_press(),
            _ => Vec::new(),
        }
    }

    /// Returns the number of pending asks for the window title; `None` if it is unknown or only one ask matters.
    pub fn pending_count(&self) -> Option<usize> {
        self.inbox.pending.count
    }

    /// Returns the number of pending asks beside the open one; 0 if only one ask matters.
    pub(super) fn other_pending_count(&self) -> usize {
        let mut count = self.pending_count().unwrap_or_default();
        if let Some(view) = &self.ask_view
            && view.ask.outcome().is_none()
        {
            count = count.saturating_sub(1);
        }
        count
    }

    /// Returns the reasons to decline that were typed and not sent; drafts do not store them.
    pub fn unsent_reasons(&self) -> Vec<String> {
        let mut reasons = self.decline_reasons.clone();
        if let Some(view) = &self.ask_view {
            reasons.set(view.ask.id, ending::typed_reason(view));
        }
        reasons.into_texts()
    }

    /// Applies the terminal's background: a theme that the person did not choose follows it.
    pub(super) fn set_background(&mut self, dark: bool) {
        if self.setup.follows_background {
            self.setup.theme = if dark { Theme::DARK } else { Theme::LIGHT };
        }
    }

    /// Returns the time since which the desk is unreachable, as `HH:MM`.
    pub(super) fn unreachable_since_text(&self) -> Option<String> {
        self.unreachable_since.as_ref().map(|since| since.strftime("%H:%M").to_string())
    }

    /// Returns the progress of the open questionnaire, in percent.
    pub fn progress(&self) -> Option<u8> {
        let progress = self.ask_view.as_ref()?.form.sheet.progress();
        u8::try_from(progress.answered * 100 / progress.total.max(1)).ok()
    }

    /// Handles changes of these asks at the desk; an empty list means any of them.
    fn handle_change(&mut self, ids: &[AskId]) -> Vec<Effect> {
        let mut effects = Vec::new();
        if self.setup.only_ask.is_none() {
            effects = self.inbox.request_list();
        }
        let open_ask = self.ask_view.as_ref().map(|view| view.ask.id);
        for id in [open_ask, self.awaiting_verdict].into_iter().flatten() {
            if ids.is_empty() || ids.contains(&id) {
                effects.push(Effect::Call(DeskCall::Read(id)));
            }
        }
        effects
    }

    /// Handles the loss and return of the desk: on return, reads what changed meanwhile.
    fn set_unreachable(&mut self, is_away: bool) -> Vec<Effect> {
        if is_away {
            self.unreachable_since = Some(self.now.clone());
            return Vec::new();
        }
        self.unreachable_since = None;
        self.handle_change(&[])
    }

    fn handle_result(&mut self, result: CallResult) -> Vec<Effect> {
        match result.localized(self.setup.lang) {
            CallResult::Listed(result) => self.inbox.handle_listing(result),
            CallResult::ListedPending(result) => Vec::from_iter(self.inbox.handle_pending(result)),
            CallResult::Peeked(result) => {
                self.inbox.set_preview(result);
                Vec::new()
            }
            CallResult::Opened(id, result) => self.handle_opened(id, result),
            CallResult::Read(id, result) => self.handle_read(id, result),
            CallResult::Saved(id, base, result) => self.handle_saved(id, base, result),
            CallResult::Acted(id, result) => self.handle_acted(id, result),
            CallResult::Ticked(id, result) => self.handle_ticked(id, result),
        }
    }

    fn handle_saved(
        &mut self,
        id: AskId,
        base: DraftRev,
        result: Result<SaveReport, Problem>,
    ) -> Vec<Effect> {
        let cx = self.update_context();
        let Some(view) = &mut self.ask_view else { return Vec::new() };
        if view.ask.id != id {
            return Vec::new();
        }
        let has_failed = result.is_err();
        let needs_read = view.handle_saved(base, result, &cx);
        if has_failed && let Some(outcome) = self.exit_pending.take() {
            // Leaving now would lose typed text; a second ^C leaves anyway.
            view.notice = Some(Message::NotStoredYet.plain(cx.lang).to_owned());
            if outcome == PromptOutcome::Interrupted && self.interrupted {
                return self.give_up();
            }
        }
        if needs_read { vec![Effect::Call(DeskCall::Read(id))] } else { Vec::new() }
    }
}
