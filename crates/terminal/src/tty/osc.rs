//! Control sequences that are written outside of frames.

use sayso_core::display;
use unicode_segmentation::UnicodeSegmentation as _;
use unicode_width::UnicodeWidthStr as _;

/// Maximum width of a notification or a title.
const COLUMNS: usize = 100;
/// Maximum length in bytes.
const BYTES: usize = 1000;

/// Control sequence for [`Tty::write_sequence`](super::Tty::write_sequence). Only this module creates it, so that nothing else reaches the
/// terminal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ControlSequence(pub(super) Vec<u8>);

impl ControlSequence {
    /// Returns the bell, which every terminal has.
    pub fn bell() -> Self {
        Self(b"\x07".to_vec())
    }
}

/// Sanitizes a text, so that it can neither end its control sequence nor begin another parameter.
pub(super) fn sanitize(text: &str) -> String {
    let safe = display::escape_line(text).replace(';', ",");
    let mut cut = String::new();
    let mut columns = 0;
    for grapheme in safe.graphemes(true) {
        columns += grapheme.width();
        if columns > COLUMNS || cut.len() + grapheme.len() > BYTES {
            cut.push('…');
            break;
        }
        cut.push_str(grapheme);
    }
    cut
}
