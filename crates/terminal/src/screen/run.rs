//! Event loop of the screen: connects a terminal, a desk and a clock to the state.

use super::app::{App, Setup};
use super::effect::{Action, Effect};
use super::input::Input;
use super::now::Now;
use super::tty::{Emulator, Happening, Modes, Tty, Waker};
use super::worker::{Worker, worker};
use crate::prompter::{Editor, Ended};
use jiff::{Timestamp, Zoned};
use sayso_core::{AskId, Code, Message, Person, Problem, display};
use sayso_desk::{Desk, Heard, Interest, Watch};
use std::fmt;
use std::fs::File;
use std::io::Write as _;
use std::time::{Duration, Instant};

/// Parts that the screen runs with.
pub struct Screen<'a> {
    /// The desk.
    pub desk: &'a dyn Desk,
    /// The person who answers.
    pub person: Person,
    /// Configuration.
    pub setup: Setup,
    /// Terminal input.
    pub input: &'a File,
    /// Terminal output.
    pub output: &'a File,
    /// Terminal modes to use.
    pub modes: Modes,
    /// Terminal emulator, as far as it was detected.
    pub emulator: Emulator,
    /// Wall clock in the person's time zone.
    pub clock: &'a dyn Fn() -> Zoned,
    /// Editor of the person, for long texts.
    pub editor: Option<&'a Editor>,
    /// The person's own notifier, called with the number of new asks.
    pub notify: Option<&'a dyn Fn(usize)>,
}

impl fmt::Debug for Screen<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ScreenContext").field("person", &self.person).finish_non_exhaustive()
    }
}

/// Shows the screen until the person leaves it. All typed text is at the desk then.
///
/// # Errors
/// Fails if the terminal or the desk does.
pub fn run(screen: &Screen<'_>) -> Result<Ended, Problem> {
    let interest = screen.setup.only.map_or(Interest::All, Interest::Ask);
    // Watch first, then read, so that no change in between is missed.
    let watch = screen.desk.watch(interest, None)?;
    let waker = Waker::new()?;
    let (worker, bench) = worker();
    std::thread::scope(|scope| {
        let (desk, person, ring) = (screen.desk, &screen.person, &waker);
        scope.spawn(move || bench.work(desk, person, &|| ring.ring()));
        // The worker ends after it has made all calls, and the scope joins it: typed text is stored.
        let mut shown = Shown::open(screen, &waker, worker)?;
        let ended = shown.run(watch);
        let unsent = shown.app.unsent();
        // Dropping restores the terminal.
        drop(shown);
        tell_unsent(screen, &unsent);
        ended
    })
}

/// Monotonic clock.
#[derive(Debug, Clone, Copy)]
struct Steady {
    begun: Instant,
    /// Timestamp at `begun`.
    at: Timestamp,
}

impl Steady {
    fn begin(screen: &Screen<'_>) -> Self {
        Self { begun: Instant::now(), at: (screen.clock)().timestamp() }
    }

    fn now(&self, screen: &Screen<'_>) -> Now {
        let steady = self.at.checked_add(self.begun.elapsed()).unwrap_or(Timestamp::MAX);
        Now { wall: (screen.clock)(), steady }
    }
}

/// The running screen.
struct Shown<'a> {
    screen: &'a Screen<'a>,
    tty: Tty,
    app: App,
    worker: Worker,
    waker: &'a Waker,
    steady: Steady,
    /// Title and progress that the terminal was last sent.
    said: Option<(Option<usize>, Option<u8>)>,
    /// `None` until the terminal reports its focus.
    has_focus: Option<bool>,
    is_away: bool,
    ended: Option<Result<Ended, Problem>>,
}

impl<'a> Shown<'a> {
    fn open(screen: &'a Screen<'a>, waker: &'a Waker, worker: Worker) -> Result<Self, Problem> {
        let tty = Tty::open(screen.input, screen.output, screen.modes)?;
        let steady = Steady::begin(screen);
        let (app, effects) = App::new(screen.setup.clone(), tty.size(), steady.now(screen));
        let mut shown = Self {
            screen,
            tty,
            app,
            worker,
            waker,
            steady,
            said: None,
            has_focus: None,
            is_away: false,
            ended: None,
        };
        shown.carry_out(effects)?;
        Ok(shown)
    }

    fn run(&mut self, mut watch: Box<dyn Watch>) -> Result<Ended, Problem> {
        loop {
            if let Some(ended) = self.ended.take() {
                return ended;
            }
            if let Err(problem) = self.step(watch.as_mut()) {
                // Typed text is saved if possible, and otherwise printed.
                let (saves, problem) = self.app.break_off(self.steady.now(self.screen), problem);
                saves.into_iter().for_each(|call| self.worker.call(call));
                // The caller gets the outcome, even if a lost terminal cannot show it.
                return self.app.closed().ok_or(problem);
            }
        }
    }

    fn step(&mut self, watch: &mut dyn Watch) -> Result<(), Problem> {
        self.draw()?;
        self.wait(watch)?.into_iter().try_for_each(|event| {
            if self.app.is_undrawn() {
                self.draw()?;
            }
            self.take(event, watch)
        })
    }

    fn draw(&mut self) -> Result<(), Problem> {
        let app = &mut self.app;
        self.tty.draw(|frame| app.draw(frame))?;
        let now = (self.app.waiting(), self.app.progress());
        if self.said.replace(now) != Some(now) {
            let lang = self.screen.setup.lang;
            let title = match now.0 {
                Some(waiting) => Message::WindowTitle.say(lang, [waiting]),
                None => Message::WindowTitleAlone.plain(lang).to_owned(),
            };
            self.tty.say(&self.screen.emulator.title(&title))?;
            self.tty.say(&self.screen.emulator.progress(now.1))?;
        }
        Ok(())
    }

    fn wait(&mut self, watch: &dyn Watch) -> Result<Vec<Happening>, Problem> {
        let now = self.steady.now(self.screen).steady;
        let left = self.app.wakes_at().map(|at| at.duration_since(now));
        let limit = left.map_or(Duration::MAX, |left| Duration::try_from(left).unwrap_or_default());
        self.tty.wait(Some(watch), Some(self.waker.wake()), limit)
    }

    fn take(&mut self, event: Happening, watch: &mut dyn Watch) -> Result<(), Problem> {
        match event {
            Happening::Input(input) => {
                if let Input::Focus(has_focus) = input {
                    self.has_focus = Some(has_focus);
                }
                self.update(Action::Input(input))
            }
            Happening::Bell => {
                let heard = watch.poll()?;
                let is_away = watch.is_away();
                if std::mem::replace(&mut self.is_away, is_away) != is_away {
                    self.update(Action::Away(is_away))?;
                }
                if heard.is_empty() { Ok(()) } else { self.update(Action::Heard(asks(heard))) }
            }
            Happening::Woken => {
                self.waker.hush();
                let done: Vec<_> = self.worker.done().collect();
                done.into_iter().try_for_each(|done| self.update(Action::Done(Box::new(done))))
            }
            Happening::Terminate => self.update(Action::Hangup),
            Happening::Idle => self.update(Action::Tick),
            Happening::Background { dark } => {
                self.app.background(dark);
                Ok(())
            }
        }
    }

    fn update(&mut self, event: Action) -> Result<(), Problem> {
        let effects = self.app.update(self.steady.now(self.screen), event);
        self.carry_out(effects)
    }

    fn carry_out(&mut self, effects: Vec<Effect>) -> Result<(), Problem> {
        for effect in effects {
            match effect {
                Effect::Call(call) => self.worker.call(call),
                Effect::Edit(text) => {
                    let edited = match self.screen.editor {
                        Some(editor) => self.tty.outside(|| editor(&text))?,
                        None => Err(Problem::new(Code::UnreadableFile, Message::NoEditor)),
                    };
                    self.update(Action::Edited(edited))?;
                }
                Effect::Copy(text) => self.tty.say(&self.screen.emulator.copy(&text))?,
                Effect::Notify { new } => self.notify(new)?,
                Effect::Suspend => self.tty.suspend()?,
                Effect::Redraw => self.tty.redraw()?,
                Effect::End(ended) => self.ended = Some(Ok(ended)),
                Effect::Fail(problem) => self.ended = Some(Err(problem)),
            }
        }
        Ok(())
    }

    /// Notifies a person whose focus is elsewhere of the number of new asks. Others may see the notice, so it has no
    /// content.
    fn notify(&self, new: usize) -> Result<(), Problem> {
        if self.has_focus.unwrap_or(!self.screen.emulator.may_hide_focus()) {
            return Ok(());
        }
        let lang = self.screen.setup.lang;
        let words = crate::recap::counted(Message::NewAskOne, Message::NewAsks, new as u64, lang);
        if let Some(notify) = self.screen.notify {
            notify(new);
        }
        self.tty.say(&self.screen.emulator.notice(&words))
    }
}

/// Prints typed text that is stored nowhere, so that the person can copy it.
fn tell_unsent(screen: &Screen<'_>, reasons: &[String]) {
    let mut output = screen.output;
    for reason in reasons {
        let said = Message::ReasonUnsent.say(screen.setup.lang, [display::line(reason)]);
        // A lost terminal shows nothing.
        let _ = writeln!(output, "{said}");
    }
}

/// Returns the changed asks; an empty list means any of them.
fn asks(heard: Vec<Heard>) -> Vec<AskId> {
    let mut ids = Vec::new();
    for heard in heard {
        match heard.changed() {
            Some(changed) => ids.push(changed.id),
            None => return Vec::new(),
        }
    }
    ids
}
