//! Terminal backend for systems without `poll(2)`: polls the input and the desk in turn.

use super::Noticed;
use super::decoder::Told;
use crate::screen::{Input, Key, KeyCode, Mouse, MouseKind};
use crossterm::event::{self, Event, KeyEventKind, KeyModifiers, MouseButton, MouseEventKind};
use sayso_desk::Watch;
use std::fs::File;
use std::io::{self, Write as _};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Flag that a worker sets to end a wait.
pub type Wake<'w> = &'w AtomicBool;

const TICK: Duration = Duration::from_millis(20);

/// Opens the terminal's input.
///
/// # Errors
/// Fails if there is no terminal.
pub fn keyboard(_output: &File) -> io::Result<File> {
    File::open("CONIN$")
}

/// Crossterm keeps the settings.
pub(super) type Saved = ();

pub(super) fn save(_input: &File) -> io::Result<Saved> {
    Ok(())
}

pub(super) fn make_raw(_input: &File, _saved: &Saved) -> io::Result<()> {
    crossterm::terminal::enable_raw_mode()
}

pub(super) fn restore(_input: &File, _saved: &Saved) {
    // A lost terminal needs no restoration.
    let _ = crossterm::terminal::disable_raw_mode();
}

pub(super) fn size(_output: &File) -> (u16, u16) {
    crossterm::terminal::size().unwrap_or((80, 24))
}

pub(super) fn write(mut output: &File, bytes: &[u8]) -> io::Result<()> {
    output.write_all(bytes)
}

/// Source of terminal events.
#[derive(Debug)]
pub(super) struct Source;

impl Source {
    pub(super) fn new(_input: File) -> io::Result<Self> {
        Ok(Self)
    }

    /// Waits for the next events; returns none after the limit.
    pub(super) fn next(
        &mut self,
        watch: Option<&dyn Watch>,
        wake: Option<Wake<'_>>,
        limit: Duration,
    ) -> io::Result<Vec<Noticed>> {
        let mut left = limit.min(watch.map_or(limit, Watch::pace));
        loop {
            let tick = TICK.min(left);
            let mut noticed = Vec::new();
            let mut patience = tick;
            while event::poll(patience)? {
                noticed.extend(noticed_in(event::read()?));
                patience = Duration::ZERO;
            }
            if wake.is_some_and(|wake| wake.swap(false, Ordering::AcqRel)) {
                noticed.push(Noticed::Woken);
            }
            left = left.saturating_sub(tick);
            if noticed.is_empty() && left.is_zero() && watch.is_some() {
                noticed.push(Noticed::Bell);
            }
            if !noticed.is_empty() || left.is_zero() {
                return Ok(noticed);
            }
        }
    }

    pub(super) fn discard(&mut self) {
        while event::poll(Duration::ZERO).unwrap_or(false) && event::read().is_ok() {}
    }

    pub(super) fn forget_signals(&self) {}

    pub(super) fn drop_answers(&mut self) {}

    pub(super) fn stop(&self) -> io::Result<()> {
        Ok(())
    }
}

fn noticed_in(event: Event) -> Option<Noticed> {
    let input = match event {
        Event::Key(key) => Input::Key(pressed(key)?),
        Event::Paste(text) => Input::Paste(text),
        Event::FocusGained => Input::Focus(true),
        Event::FocusLost => Input::Focus(false),
        Event::Resize(..) => return Some(Noticed::Resized),
        Event::Mouse(mouse) => {
            let kind = match mouse.kind {
                MouseEventKind::Down(MouseButton::Left) => MouseKind::Press,
                MouseEventKind::ScrollUp => MouseKind::WheelUp,
                MouseEventKind::ScrollDown => MouseKind::WheelDown,
                _ => return None,
            };
            Input::Mouse(Mouse { kind, column: mouse.column, row: mouse.row })
        }
    };
    Some(Noticed::Told(Told::Input(input)))
}

fn pressed(key: event::KeyEvent) -> Option<Key> {
    use event::KeyCode as Theirs;
    let ctrl = key.modifiers.contains(KeyModifiers::CONTROL);
    let code = match key.code {
        Theirs::Char('h') if ctrl => return Some(Key::plain(KeyCode::Backspace)),
        Theirs::Char(c) if ctrl => KeyCode::Char(c.to_ascii_lowercase()),
        Theirs::Char(c) => KeyCode::Char(c),
        Theirs::Enter => KeyCode::Enter,
        Theirs::Tab => KeyCode::Tab,
        Theirs::BackTab => KeyCode::BackTab,
        Theirs::Esc => KeyCode::Esc,
        Theirs::Backspace => KeyCode::Backspace,
        Theirs::Delete => KeyCode::Delete,
        Theirs::Up => KeyCode::Up,
        Theirs::Down => KeyCode::Down,
        Theirs::Left => KeyCode::Left,
        Theirs::Right => KeyCode::Right,
        Theirs::Home => KeyCode::Home,
        Theirs::End => KeyCode::End,
        Theirs::PageUp => KeyCode::PageUp,
        Theirs::PageDown => KeyCode::PageDown,
        Theirs::F(number) => KeyCode::F(number),
        _ => return None,
    };
    let is_letter = matches!(code, KeyCode::Char(_) | KeyCode::BackTab);
    let shift = key.modifiers.contains(KeyModifiers::SHIFT) && !is_letter;
    let alt = key.modifiers.contains(KeyModifiers::ALT);
    (key.kind != KeyEventKind::Release).then(|| Key {
        code,
        ctrl,
        alt,
        shift,
        repeat: key.kind == KeyEventKind::Repeat,
    })
}
