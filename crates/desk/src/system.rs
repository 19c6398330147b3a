//! Services of the operating system: clocks, processes, randomness and private files.

pub(crate) mod clock;
pub mod own_file;
pub mod process;
pub mod random;
