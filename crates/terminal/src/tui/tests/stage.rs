//! Test harness: the screen's state, a real desk, and a clock that advances with each key.

pub(super) mod fixtures;
mod inspection;
pub(super) mod keys;
pub(super) mod looks;

use crate::surface::{Clarification, PromptOutcome};
use crate::tty::{InputEvent, Key, MouseEvent, MouseKind};
use crate::tui::app::{App, ScreenSetup};
use crate::tui::clock::ClockReading;
use crate::tui::effect::{DeskCall, Effect, Event};
use crate::tui::widgets::theme::Theme;
use crate::tui::worker;
use fixtures::{asker, new_ask, person};
use jiff::tz::{Offset, TimeZone};
use jiff::{SignedDuration, Timestamp, Zoned};
use keys::KeyStroke;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use sayso_core::{AskId, Asker, Lang, Person, Problem};
use sayso_desk::{Desk, ListScope, StoreDesk};
use tempfile::TempDir;

/// Time of day at the start of the screen, in seconds: 09:41:07.
const WALL: i64 = 9 * 3_600 + 41 * 60 + 7;

/// Age of the ask at the start of the screen.
const ASK_AGE: SignedDuration = SignedDuration::from_secs(130);

/// Time between two keys.
const KEY_INTERVAL: SignedDuration = SignedDuration::from_millis(500);

/// Sizes of the golden screens.
pub(super) const SIZES: [(u16, u16); 3] = [(80, 24), (40, 12), (120, 40)];

/// Configuration of a stage.
#[derive(Clone)]
pub(super) struct StageConfig {
    pub(super) size: (u16, u16),
    pub(super) theme: Theme,
    pub(super) lang: Lang,
    /// The asker judges each submission.
    pub(super) judged: bool,
    pub(super) dialect: &'static str,
    pub(super) time_limit_ms: Option<i64>,
    /// The ask is opened from the inbox; otherwise it is the only one.
    pub(super) from_inbox: bool,
    /// Also a lone question is reviewed.
    pub(super) always_reviews: bool,
}

impl Default for StageConfig {
    fn default() -> Self {
        Self {
            size: (80, 24),
            theme: Theme::MONO,
            lang: Lang::En,
            judged: false,
            dialect: "sayso",
            time_limit_ms: None,
            from_inbox: false,
            always_reviews: false,
        }
    }
}

pub(super) struct ScreenStage {
    _folder: TempDir,
    pub(super) desk: StoreDesk,
    /// The first ask.
    pub(super) id: Option<AskId>,
    pub(super) app: App,
    pub(super) buffer: Buffer,
    pub(super) cursor: Option<Position>,
    pub(super) ended: Option<PromptOutcome>,
    /// The calls so far, the newest last.
    pub(super) calls: Vec<DeskCall>,
    /// All other effects.
    pub(super) other_effects: Vec<Effect>,
    /// Predicate of the calls to hold back.
    holds: fn(&DeskCall) -> bool,
    held_calls: Vec<DeskCall>,
    person: Person,
    now: Zoned,
    /// Monotonic time of the same moment.
    monotonic: Timestamp,
    size: (u16, u16),
}

/// Returns a clock with the same time of day in every run.
fn fixed_wall_clock(at: Timestamp) -> Zoned {
    let day = at.as_second().rem_euclid(86_400);
    let ahead = (WALL - day + 43_200).rem_euclid(86_400) - 43_200;
    let offset = Offset::from_seconds(i32::try_from(ahead).unwrap()).unwrap();
    at.to_zoned(TimeZone::fixed(offset))
}

impl ScreenStage {
    /// One ask, open on the screen.
    pub(super) fn open_ask(json: &str) -> Self {
        Self::open_with(json, &StageConfig::default())
    }

    pub(super) fn open_with(json: &str, look: &StageConfig) -> Self {
        Self::new(&[(json, asker())], look, |_, _| ())
    }

    /// One ask with earlier changes.
    pub(super) fn open_after(
        json: &str,
        look: &StageConfig,
        happened: impl FnOnce(&StoreDesk, AskId),
    ) -> Self {
        Self::new(&[(json, asker())], look, |desk, ids| happened(desk, ids[0]))
    }

    /// An inbox with these asks.
    pub(super) fn inbox(asks: &[(&str, Asker)], look: &StageConfig) -> Self {
        Self::new(asks, &StageConfig { from_inbox: true, ..look.clone() }, |_, _| ())
    }

    pub(super) fn new(
        asks: &[(&str, Asker)],
        look: &StageConfig,
        happened: impl FnOnce(&StoreDesk, &[AskId]),
    ) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let desk = StoreDesk::open(&folder.path().join("desk.sqlite")).unwrap();
        let open =
            |(json, asker): &(&str, Asker)| desk.open(None, new_ask(json, look, asker.clone())).unwrap();
        let ids: Vec<_> = asks.iter().map(|ask| open(ask).ask().id).collect();
        let begun = ids.first().map(|id| desk.get(*id).unwrap().request.created_at);
        happened(&desk, &ids);
        // Whole seconds, so that rounding is the same in every run.
        let begun = Timestamp::from_second(begun.map_or(0, Timestamp::as_second)).unwrap();
        let now = fixed_wall_clock(begun + ASK_AGE);
        let setup = ScreenSetup {
            lang: look.lang,
            theme: look.theme.clone(),
            follows_background: false,
            home: "/home/ada".into(),
            clarification: |wish, _, place, note| match (wish, note) {
                (Clarification::Explanation, None) => Some("Please explain.".into()),
                (Clarification::Explanation, Some(note)) => Some(format!("Please explain: {note}")),
                (Clarification::Rephrasing, _) => Some(format!("Other words for question {place}, please.")),
            },
            carries_notes: |ask| ask.request.dialect == "sayso",
            only_ask: ids.first().copied().filter(|_| !look.from_inbox),
            scope: ListScope::default(),
            always_reviews: look.always_reviews,
            is_running: |_| true,
        };
        let (app, effects) = App::new(setup, look.size, ClockReading { wall: now.clone(), monotonic: begun });
        let mut stage = Self {
            _folder: folder,
            desk,
            id: ids.first().copied(),
            app,
            buffer: Buffer::default(),
            cursor: None,
            ended: None,
            calls: Vec::new(),
            other_effects: Vec::new(),
            holds: |_| false,
            held_calls: Vec::new(),
            person: person("ada"),
            now,
            monotonic: begun,
            size: look.size,
        };
        stage.apply_effects(effects);
        stage.draw();
        stage.advance(1_000);
        stage
    }

    pub(super) fn now(&self) -> ClockReading {
        ClockReading { wall: self.now.clone(), monotonic: self.monotonic }
    }

    /// Holds saves back, or stops doing so; [`make_held`](Self::make_held) makes the calls held so far.
    pub(super) fn hold_saves(&mut self, holds: bool) {
        self.holds = if holds { |call| matches!(call, DeskCall::Save { .. }) } else { |_| false };
    }

    /// Holds lists back.
    pub(super) fn hold_lists(&mut self, holds: bool) {
        self.holds = if holds { |call| matches!(call, DeskCall::List { .. }) } else { |_| false };
    }

    /// Holds acts and ticks back.
    pub(super) fn hold_acts(&mut self, holds: bool) {
        self.holds =
            if holds { |call| matches!(call, DeskCall::Act { .. } | DeskCall::Tick(_)) } else { |_| false };
    }

    /// Stops the screen as if its desk or terminal failed.
    pub(super) fn abort(&mut self, problem: Problem) -> (Option<DeskCall>, Problem) {
        self.app.abort(self.now(), problem)
    }

    pub(super) fn release_held(&mut self) {
        let held = std::mem::take(&mut self.held_calls).into_iter().map(Effect::Call).collect();
        self.apply_effects(held);
        self.draw();
    }

    /// Carries out effects.
    pub(super) fn apply_effects(&mut self, effects: Vec<Effect>) {
        for effect in effects {
            match effect {
                Effect::Call(call) if (self.holds)(&call) => {
                    self.calls.push(call.clone());
                    self.held_calls.push(call);
                }
                Effect::Call(call) => {
                    self.calls.push(call.clone());
                    let done = worker::make_call(call, &self.desk, &self.person, &self.app.setup.scope);
                    self.update(Event::CallFinished(Box::new(done)));
                }
                Effect::End(ended) => self.ended = Some(ended),
                other => self.other_effects.push(other),
            }
        }
    }

    pub(super) fn update(&mut self, event: Event) {
        let effects = self.app.update(self.now(), event);
        self.apply_effects(effects);
    }

    /// Sends an event and draws the screen.
    pub(super) fn handle_event(&mut self, event: Event) {
        self.update(event);
        self.draw();
    }

    pub(super) fn draw(&mut self) {
        let area = Rect { x: 0, y: 0, width: self.size.0, height: self.size.1 };
        let mut buffer = Buffer::empty(area);
        let report = self.app.render(area, &mut buffer);
        self.cursor = report.cursor;
        if self.app.apply_frame(report) {
            return self.draw();
        }
        assert!(self.cursor.is_none_or(|at| area.contains(at)), "{:?} is outside of {area:?}", self.cursor);
        self.buffer = buffer;
    }

    /// Advances the clocks and fires the timers that are due.
    pub(super) fn advance(&mut self, ms: i64) {
        let end = self.monotonic + SignedDuration::from_millis(ms);
        while let Some(at) = self.app.next_wakeup().filter(|at| *at <= end) {
            self.advance_clocks(at.duration_since(self.monotonic).max(SignedDuration::ZERO));
            self.handle_event(Event::Tick);
        }
        self.advance_clocks(end.duration_since(self.monotonic));
    }

    fn advance_clocks(&mut self, time: SignedDuration) {
        self.monotonic += time;
        self.now = &self.now + time;
    }

    /// Sets the wall clock.
    pub(super) fn set_clock(&mut self, by_ms: i64) {
        self.now = &self.now + SignedDuration::from_millis(by_ms);
    }

    /// Presses keys at a person's pace: see [`keys::read`].
    pub(super) fn press_keys(&mut self, keys: &str) {
        for stroke in keys::parse_script(keys) {
            match stroke {
                KeyStroke::Key(key) => {
                    self.advance(i64::try_from(KEY_INTERVAL.as_millis()).unwrap());
                    self.press_key(key);
                }
                KeyStroke::Typed(text) => {
                    for c in text.chars() {
                        self.advance(20);
                        self.press_key(Key::plain(crate::tty::KeyCode::Char(c)));
                    }
                }
                KeyStroke::Paste(text) => {
                    self.advance(i64::try_from(KEY_INTERVAL.as_millis()).unwrap());
                    self.handle_event(Event::Input(InputEvent::Paste(text)));
                }
            }
        }
        self.advance(i64::try_from(KEY_INTERVAL.as_millis()).unwrap());
    }

    /// Presses one key now.
    pub(super) fn press_key(&mut self, key: Key) {
        self.handle_event(Event::Input(InputEvent::Key(key)));
    }

    pub(super) fn send_mouse(&mut self, kind: MouseKind, (column, row): (u16, u16)) {
        self.advance(500);
        self.handle_event(Event::Input(InputEvent::Mouse(MouseEvent { kind, column, row })));
    }

    /// Clicks on the first cell of this text.
    pub(super) fn click(&mut self, words: &str) {
        let at = self.find(words).unwrap_or_else(|| panic!("{words:?} is not on\n{}", self.screen()));
        self.send_mouse(MouseKind::Press, at);
    }

    pub(super) fn resize(&mut self, size: (u16, u16)) {
        self.size = size;
        self.handle_event(Event::Input(InputEvent::Resize(size.0, size.1)));
    }

    /// Changes the ask at the desk and notifies the screen.
    pub(super) fn change_elsewhere(&mut self, act: impl FnOnce(&StoreDesk, AskId)) {
        act(&self.desk, self.id.unwrap());
        self.handle_event(Event::DeskChanged(self.id.into_iter().collect()));
    }
}
