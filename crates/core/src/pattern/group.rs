//! Groups of a pattern, and items that a quantifier repeats, while they are translated.

/// A group whose closing parenthesis is not read yet; the whole pattern is one.
#[derive(Default)]
pub(super) struct OpenGroup {
    /// Start of the group in the pattern, in characters.
    pub(super) at: usize,
    pub(super) capture: Option<usize>,
    /// Set for lookarounds, which consume no characters.
    pub(super) is_lookaround: bool,
    pub(super) is_lookbehind: bool,
    /// Set if anything in it consumes characters.
    pub(super) consumes: bool,
    pub(super) weight: u64,
    /// Set if it contains a counted loop.
    pub(super) is_counted: bool,
    /// Start of the group in the output, in bytes.
    pub(super) start: usize,
    pub(super) branches: bool,
    /// Index of the first capture group inside it.
    pub(super) first: usize,
    /// Reference in it that in a second iteration finds the capture of the first.
    pub(super) back_reference: Option<String>,
}

/// Item that a following quantifier repeats.
pub(super) struct RepeatTarget {
    pub(super) start: usize,
    /// Index of the first capture group in it.
    pub(super) first: usize,
    pub(super) looks_back: Option<String>,
    pub(super) weight: u64,
    pub(super) takes: bool,
    /// Set for one character or set.
    pub(super) single: bool,
    pub(super) counts: bool,
}
