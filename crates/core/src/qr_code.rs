//! QR codes, as modules to print in a terminal or to draw.

use crate::i18n::Message;
use crate::problem::{Problem, ProblemCode};
use qrcodegen::{QrCode, QrCodeEcc};
use std::fmt::Write as _;

/// Width of the light border that readers need (ISO/IEC 18004), in modules.
const QUIET_ZONE: i32 = 4;

/// Matrix of a QR code's dark and light modules.
#[derive(Clone)]
pub struct QrMatrix(QrCode);

impl std::fmt::Debug for QrMatrix {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("QrMatrix").field(&self.0.size()).finish()
    }
}

impl QrMatrix {
    /// Encodes a text.
    ///
    /// # Errors
    /// Fails if the text is longer than a code can hold.
    pub fn encode(text: &str) -> Result<Self, Problem> {
        let code = QrCode::encode_text(text, QrCodeEcc::Low);
        code.map(Self).map_err(|_| Problem::new(ProblemCode::TooLarge, Message::QrTooLong))
    }

    /// Returns the width and height with the quiet zone, in modules.
    pub fn width(&self) -> usize {
        usize::try_from(self.0.size() + 2 * QUIET_ZONE).unwrap_or_default()
    }

    fn is_dark(&self, x: i32, y: i32) -> bool {
        // Outside the code, modules are light.
        self.0.get_module(x - QUIET_ZONE, y - QUIET_ZONE)
    }

    /// Returns the code as lines of half blocks, two modules a character. The ink is the light modules, so that a
    /// terminal with light text on dark shows it in the right colors; most readers take the other one too.
    pub fn to_half_blocks(&self) -> Vec<String> {
        let width = self.0.size() + 2 * QUIET_ZONE;
        let symbol = |x: i32, y: i32| match (self.is_dark(x, y), self.is_dark(x, y + 1)) {
            (false, false) => '█',
            (false, true) => '▀',
            (true, false) => '▄',
            (true, true) => ' ',
        };
        (0..width).step_by(2).map(|y| (0..width).map(|x| symbol(x, y)).collect()).collect()
    }

    /// Returns the dark modules as the `d` of an SVG path, in a square of [`width`](Self::width).
    pub fn to_svg_path(&self) -> String {
        let width = self.0.size() + 2 * QUIET_ZONE;
        let mut path = String::new();
        for y in 0..width {
            for x in (0..width).filter(|x| self.is_dark(*x, y)) {
                // Writing to a String cannot fail.
                let _ = write!(path, "M{x} {y}h1v1h-1z");
            }
        }
        path
    }
}
