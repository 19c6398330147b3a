//! Who calls a desk, which decides how many connections it has.

/// Who calls a desk in this process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Callers {
    /// One after another, as in a command: one connection to the file is enough, and each more would read its tables anew.
    One,
    /// Several at once: nobody waits while another reads a long list.
    Many,
}
