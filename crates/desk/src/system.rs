//! Services of the operating system: clocks, processes, randomness, private files and the mark of a person.

pub(crate) mod clock;
pub mod local_files;
pub mod own_file;
pub mod person_mark;
pub mod process;
pub mod random;
