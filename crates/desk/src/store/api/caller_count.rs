//! Number of concurrent callers of a desk, which decides how many connections it opens.

/// Concurrency of the calls to a desk in this process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CallerCount {
    /// One caller at a time, as in a command. One connection is enough; each further one would read the schema again.
    One,
    /// Several concurrent callers: none waits while another reads a long list.
    Many,
}
