//! Something that is said to a terminal beside its screen.

use sayso_core::display;
use unicode_segmentation::UnicodeSegmentation as _;
use unicode_width::UnicodeWidthStr as _;

/// How wide the text of a notice or a title may be.
const COLUMNS: usize = 100;
/// How long, whatever it is made of.
const BYTES: usize = 1000;

/// What [`Tty::say`](super::Tty::say) says. It is made in this module only, so that nothing else reaches the terminal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Saying(pub(super) Vec<u8>);

impl Saying {
    /// The bell.
    pub fn bell() -> Self {
        Self(b"\x07".to_vec())
    }
}

/// A text that cannot end the command it stands in, nor begin another part of it.
pub(super) fn cut(text: &str) -> String {
    let safe = display::line(text).replace(';', ",");
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
