//! Terminal backend for systems without `poll(2)`: polls the input and the desk in turn.

use super::SystemEvent;
use super::decoder::DecodedEvent;
use crate::tty::{InputEvent, Key, KeyCode, MouseEvent, MouseKind};
use crossterm::event::{self, Event, KeyEventKind, KeyModifiers, MouseButton, MouseEventKind};
use sayso_desk::Watch;
use std::fs::File;
use std::io::{self, Write as _};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Flag that a worker sets to end a wait.
pub type WakeHandle<'w> = &'w AtomicBool;

const POLL_INTERVAL: Duration = Duration::from_millis(20);

/// Opens the terminal's input.
///
/// # Errors
/// Fails if there is no terminal.
pub fn open_keyboard(_output: &File) -> io::Result<File> {
    File::open("CONIN$")
}

/// Crossterm keeps the settings.
pub(super) type DriverSettings = ();

pub(super) fn read_settings(_input: &File) -> io::Result<DriverSettings> {
    Ok(())
}

pub(super) fn make_raw(_input: &File, _settings: &DriverSettings) -> io::Result<()> {
    crossterm::terminal::enable_raw_mode()
}

pub(super) fn restore_settings(_input: &File, _settings: &DriverSettings) {
    // A terminal that is gone needs no restoration.
    let _ = crossterm::terminal::disable_raw_mode();
}

pub(super) fn size(_output: &File) -> (u16, u16) {
    crossterm::terminal::size().unwrap_or((80, 24))
}

/// Output blocks here.
pub(super) const fn open_nonblocking(_output: &File) -> Option<File> {
    None
}

pub(super) fn write(mut output: &File, bytes: &[u8]) -> io::Result<()> {
    output.write_all(bytes)
}

/// Source of terminal events.
#[derive(Debug)]
pub(super) struct ConsoleSource;

pub(super) use self::ConsoleSource as EventSource;

impl ConsoleSource {
    pub(super) fn new(_input: File) -> io::Result<Self> {
        Ok(Self)
    }

    /// Waits for the next events; returns none after the limit.
    pub(super) fn wait_for_events(
        &mut self,
        watch: Option<&dyn Watch>,
        wake: Option<WakeHandle<'_>>,
        _busy: Option<&File>,
        limit: Duration,
    ) -> io::Result<Vec<SystemEvent>> {
        let mut rest = limit;
        if let Some(watch) = watch {
            rest = rest.min(watch.poll_interval());
        }
        loop {
            let tick = POLL_INTERVAL.min(rest);
            let mut events = Vec::new();
            let mut timeout = tick;
            while event::poll(timeout)? {
                events.extend(system_event(event::read()?));
                timeout = Duration::ZERO;
            }
            if wake.is_some_and(|wake| wake.swap(false, Ordering::AcqRel)) {
                events.push(SystemEvent::WorkerWakeup);
            }
            rest = rest.saturating_sub(tick);
            if events.is_empty() && rest.is_zero() && watch.is_some() {
                events.push(SystemEvent::DeskWakeup);
            }
            if !events.is_empty() || rest.is_zero() {
                return Ok(events);
            }
        }
    }

    pub(super) fn discard_input(&mut self) {
        while event::poll(Duration::ZERO).unwrap_or(false) && event::read().is_ok() {}
    }

    /// Discards input until none has come for a pause, or the limit has passed.
    pub(super) fn discard_until_quiet(&self, pause: Duration, limit: Duration) {
        let start = std::time::Instant::now();
        while start.elapsed() < limit && event::poll(pause).unwrap_or(false) && event::read().is_ok() {}
    }

    pub(super) fn forget_signals(&self) {}

    pub(super) fn drain_replies(&mut self) {}

    pub(super) fn suspend_process(&self) -> io::Result<()> {
        Ok(())
    }
}

fn system_event(event: Event) -> Option<SystemEvent> {
    let input = match event {
        Event::Key(key) => InputEvent::Key(to_key(key)?),
        Event::Paste(text) => InputEvent::Paste(text),
        Event::FocusGained => InputEvent::Focus(true),
        Event::FocusLost => InputEvent::Focus(false),
        Event::Resize(..) => return Some(SystemEvent::Resized),
        Event::Mouse(mouse) => {
            let kind = match mouse.kind {
                MouseEventKind::Down(MouseButton::Left) => MouseKind::Press,
                MouseEventKind::ScrollUp => MouseKind::WheelUp,
                MouseEventKind::ScrollDown => MouseKind::WheelDown,
                _ => return None,
            };
            InputEvent::Mouse(MouseEvent { kind, column: mouse.column, row: mouse.row })
        }
    };
    Some(SystemEvent::Decoded(DecodedEvent::Input(input)))
}

fn to_key(key: event::KeyEvent) -> Option<Key> {
    use event::KeyCode as CrosstermKey;
    let ctrl = key.modifiers.contains(KeyModifiers::CONTROL);
    let code = match key.code {
        CrosstermKey::Char('h') if ctrl => return Some(Key::plain(KeyCode::Backspace)),
        CrosstermKey::Char(c) if ctrl => KeyCode::Char(c.to_ascii_lowercase()),
        CrosstermKey::Char(c) => KeyCode::Char(c),
        CrosstermKey::Enter => KeyCode::Enter,
        CrosstermKey::Tab => KeyCode::Tab,
        CrosstermKey::BackTab => KeyCode::BackTab,
        CrosstermKey::Esc => KeyCode::Esc,
        CrosstermKey::Backspace => KeyCode::Backspace,
        CrosstermKey::Delete => KeyCode::Delete,
        CrosstermKey::Up => KeyCode::Up,
        CrosstermKey::Down => KeyCode::Down,
        CrosstermKey::Left => KeyCode::Left,
        CrosstermKey::Right => KeyCode::Right,
        CrosstermKey::Home => KeyCode::Home,
        CrosstermKey::End => KeyCode::End,
        CrosstermKey::PageUp => KeyCode::PageUp,
        CrosstermKey::PageDown => KeyCode::PageDown,
        CrosstermKey::F(number) => KeyCode::F(number),
        _ => return None,
    };
    let is_letter = matches!(code, KeyCode::Char(_) | KeyCode::BackTab);
    let shift = key.modifiers.contains(KeyModifiers::SHIFT) && !is_letter;
    let alt = key.modifiers.contains(KeyModifiers::ALT);
    if key.kind == KeyEventKind::Release {
        return None;
    }
    Some(Key { code, ctrl, alt, shift, repeat: key.kind == KeyEventKind::Repeat })
}
