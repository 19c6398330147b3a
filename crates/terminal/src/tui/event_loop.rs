//! Event loop of the screen: connects a terminal, a desk and a clock to the state.

use super::app::{App, ScreenSetup};
use super::clock::ClockReading;
use super::effect::{Effect, Event};
use super::worker::{DeskWorker, spawn_channels};
use crate::surface::{EditorFn, PromptOutcome};
use crate::tty::InputEvent;
use crate::tty::{LoopWaker, TerminalEmulator, TerminalModes, Tty, TtyEvent};
use jiff::{Timestamp, Zoned};
use sayso_core::i18n::foreign;
use sayso_core::{AskId, Message, Person, Problem, ProblemCode};
use sayso_desk::{Desk, Interest, Watch, WatchEvent};
use std::fmt;
use std::fs::File;
use std::io::Write as _;
use std::time::{Duration, Instant};

/// Parts that the screen runs with.
pub struct ScreenContext<'a> {
    /// The desk.
    pub desk: &'a dyn Desk,
    /// The person who answers.
    pub person: Person,
    /// Configuration.
    pub setup: ScreenSetup,
    /// Terminal input.
    pub input: &'a File,
    /// Terminal output.
    pub output: &'a File,
    /// Terminal modes to use.
    pub modes: TerminalModes,
    /// Terminal emulator, as far as it was detected.
    pub emulator: TerminalEmulator,
    /// Wall clock in the person's time zone.
    pub clock: &'a dyn Fn() -> Zoned,
    /// Editor of the person, for long texts.
    pub editor: Option<&'a EditorFn>,
    /// Returns the address of the desk's pages, without a slash at its end.
    pub page_address: &'a dyn Fn() -> Result<String, Problem>,
    /// The person's own notifier, called with the number of new asks.
    pub notifier: Option<&'a dyn Fn(usize)>,
}

impl fmt::Debug for ScreenContext<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ScreenContext").field("person", &self.person).finish_non_exhaustive()
    }
}

/// Shows the screen until the person leaves it. All typed text is at the desk then.
///
/// # Errors
/// Fails if the terminal or the desk does.
pub fn run(screen: &ScreenContext<'_>) -> Result<PromptOutcome, Problem> {
    let interest = screen.setup.only_ask.map_or(Interest::All, Interest::Ask);
    // Watch first, then read, so that no change in between is missed.
    let watch = screen.desk.watch(interest, None)?;
    let waker = LoopWaker::new()?;
    let (worker, call_runner) = spawn_channels();
    std::thread::scope(|scope| {
        // The thread takes only what it needs: the clock of the screen must not leave its thread.
        let desk = screen.desk;
        let person = &screen.person;
        let list_scope = &screen.setup.scope;
        let waker = &waker;
        scope.spawn(move || call_runner.run(desk, person, list_scope, &|| waker.notify()));
        // The worker ends after it has made all calls, and the scope joins it: typed text is stored.
        let mut running_screen = RunningScreen::open(screen, waker, worker)?;
        let result = running_screen.run(watch);
        running_screen.discard_stray_keys();
        let unsent_reasons = running_screen.app.unsent_reasons();
        // Dropping restores the terminal.
        drop(running_screen);
        print_unsent(screen, &unsent_reasons);
        result
    })
}

/// Monotonic clock.
#[derive(Debug, Clone, Copy)]
struct MonotonicClock {
    started: Instant,
    /// Timestamp at `started`.
    origin: Timestamp,
}

impl MonotonicClock {
    fn start(screen: &ScreenContext<'_>) -> Self {
        Self { started: Instant::now(), origin: (screen.clock)().timestamp() }
    }

    fn now(&self, screen: &ScreenContext<'_>) -> ClockReading {
        let monotonic = self.origin.checked_add(self.started.elapsed()).unwrap_or(Timestamp::MAX);
        ClockReading { wall: (screen.clock)(), monotonic }
    }
}

/// The running screen.
struct RunningScreen<'a> {
    context: &'a ScreenContext<'a>,
    tty: Tty,
    app: App,
    worker: DeskWorker,
    waker: &'a LoopWaker,
    clock: MonotonicClock,
    /// Title and progress that the terminal was last sent.
    last_status: Option<(Option<usize>, Option<u8>)>,
    /// `None` until the terminal reports its focus.
    has_focus: Option<bool>,
    is_unreachable: bool,
    ended: Option<Result<PromptOutcome, Problem>>,
    /// The terminal is gone, or a signal arrived.
    is_hung_up: bool,
}

impl<'a> RunningScreen<'a> {
    fn open(
        screen: &'a ScreenContext<'a>,
        waker: &'a LoopWaker,
        worker: DeskWorker,
    ) -> Result<Self, Problem> {
        let tty = Tty::open(screen.input, screen.output, screen.modes)?;
        let clock = MonotonicClock::start(screen);
        let (app, effects) = App::new(screen.setup.clone(), tty.size(), clock.now(screen));
        let mut running_screen = Self {
            context: screen,
            tty,
            app,
            worker,
            waker,
            clock,
            last_status: None,
            has_focus: None,
            is_unreachable: false,
            ended: None,
            is_hung_up: false,
        };
        running_screen.apply_effects(effects)?;
        Ok(running_screen)
    }

    fn run(&mut self, mut watch: Box<dyn Watch>) -> Result<PromptOutcome, Problem> {
        loop {
            if let Some(result) = self.ended.take() {
                return result;
            }
            if let Err(problem) = self.step(watch.as_mut()) {
                // Typed text is saved if possible, and otherwise printed.
                let (save, problem) = self.app.abort(self.clock.now(self.context), problem);
                if let Some(call) = save {
                    self.worker.send(call);
                }
                // The caller gets the outcome, even if a lost terminal cannot show it.
                return self.app.take_shown_end().ok_or(problem);
            }
        }
    }

    /// Discards keys that the person still types for this screen, such as a second press: the shell would take them.
    fn discard_stray_keys(&mut self) {
        if !self.is_hung_up {
            self.tty.discard_stray_keys();
        }
    }

    fn step(&mut self, watch: &mut dyn Watch) -> Result<(), Problem> {
        self.draw()?;
        for event in self.wait_for_events(watch)? {
            if self.app.needs_draw() {
                self.draw()?;
            }
            self.handle_event(event, watch)?;
        }
        Ok(())
    }

    fn draw(&mut self) -> Result<(), Problem> {
        loop {
            let mut report = None;
            self.tty.draw(|frame| report = Some(self.app.draw(frame)))?;
            // The terminal is behind: the next frame has the newest state.
            let Some(report) = report else { return Ok(()) };
            if !self.app.apply_frame(report) {
                break;
            }
        }
        let pending_count = self.app.pending_count();
        let progress = self.app.progress();
        let status = Some((pending_count, progress));
        if self.last_status != status {
            self.last_status = status;
            let lang = self.context.setup.lang;
            let title = match pending_count {
                Some(count) => Message::WindowTitle.render_with(lang, [count]),
                None => Message::WindowTitleAlone.plain(lang).to_owned(),
            };
            self.tty.write_sequence(&self.context.emulator.title(&title))?;
            self.tty.write_sequence(&self.context.emulator.progress(progress))?;
        }
        Ok(())
    }

    fn wait_for_events(&mut self, watch: &dyn Watch) -> Result<Vec<TtyEvent>, Problem> {
        let mut limit = Duration::MAX;
        if let Some(wakeup) = self.app.next_wakeup() {
            let instant = self.clock.now(self.context).monotonic;
            // A time that is past is a negative duration: the wait ends at once.
            limit = Duration::try_from(wakeup.duration_since(instant)).unwrap_or_default();
        }
        self.tty.wait_for_events(Some(watch), Some(self.waker.handle()), limit)
    }

    fn handle_event(&mut self, event: TtyEvent, watch: &mut dyn Watch) -> Result<(), Problem> {
        match event {
            TtyEvent::Input(input) => {
                if let InputEvent::Focus(has_focus) = input {
                    self.has_focus = Some(has_focus);
                }
                self.update(Event::Input(input))
            }
            TtyEvent::DeskWakeup => {
                let changes = watch.poll()?;
                let is_away = watch.is_disconnected();
                if std::mem::replace(&mut self.is_unreachable, is_away) != is_away {
                    self.update(Event::Unreachable(is_away))?;
                }
                if changes.is_empty() {
                    Ok(())
                } else {
                    self.update(Event::DeskChanged(changed_ids(changes)))
                }
            }
            TtyEvent::WorkerWakeup => {
                self.waker.clear();
                let results: Vec<_> = self.worker.take_results().collect();
                for result in results {
                    self.update(Event::CallFinished(Box::new(result)))?;
                }
                Ok(())
            }
            TtyEvent::Terminate => {
                self.is_hung_up = true;
                self.update(Event::Hangup)
            }
            TtyEvent::OutputReady => Ok(()),
            TtyEvent::TimedOut => self.update(Event::Tick),
            TtyEvent::Background { dark } => {
                self.app.set_background(dark);
                Ok(())
            }
        }
    }

    fn update(&mut self, event: Event) -> Result<(), Problem> {
        let effects = self.app.update(self.clock.now(self.context), event);
        self.apply_effects(effects)
    }

    fn apply_effects(&mut self, effects: Vec<Effect>) -> Result<(), Problem> {
        for effect in effects {
            match effect {
                Effect::Call(call) => self.worker.send(call),
                Effect::Edit(text) => {
                    let result = match self.context.editor {
                        Some(editor) => self.tty.run_outside(|| editor(&text))?,
                        None => Err(Problem::new(ProblemCode::UnreadableFile, Message::NoEditor)),
                    };
                    self.update(Event::Edited(result))?;
                }
                Effect::FindLink(id) => {
                    let link = (self.context.page_address)().map(|url| format!("{url}/a/{id}"));
                    self.update(Event::LinkFound(link))?;
                }
                Effect::Copy(text) => self.tty.write_sequence(&self.context.emulator.copy(&text))?,
                Effect::Notify { new } => self.notify(new)?,
                Effect::Suspend => self.tty.suspend()?,
                Effect::Redraw => self.tty.redraw()?,
                Effect::End(outcome) => self.ended = Some(Ok(outcome)),
                Effect::Fail(problem) => self.ended = Some(Err(problem)),
            }
        }
        Ok(())
    }

    /// Notifies a person whose focus is elsewhere of the number of new asks. Others may see the notice, so it has no
    /// content.
    fn notify(&mut self, new: usize) -> Result<(), Problem> {
        if self.has_focus.unwrap_or(!self.context.emulator.may_hide_focus()) {
            return Ok(());
        }
        let lang = self.context.setup.lang;
        let words = crate::describe::count_message(Message::NewAskOne, Message::NewAsks, new as u64, lang);
        if let Some(notify) = self.context.notifier {
            notify(new);
        }
        self.tty.write_sequence(&self.context.emulator.notice(&words))
    }
}

/// Prints typed text that is stored nowhere, so that the person can copy it.
fn print_unsent(screen: &ScreenContext<'_>, reasons: &[String]) {
    let mut output = screen.output;
    for reason in reasons {
        let message = Message::ReasonUnsent.render_with(screen.setup.lang, [foreign(reason)]);
        // A terminal that is gone shows nothing, and there is no other place for the text.
        let _ = writeln!(output, "{message}");
    }
}

/// Returns the changed asks; an empty list means any of them.
fn changed_ids(changes: Vec<WatchEvent>) -> Vec<AskId> {
    let mut ids = Vec::new();
    for event in changes {
        match event.into_change() {
            Some(change) => ids.push(change.id),
            None => return Vec::new(),
        }
    }
    ids
}
