//! Tests of the full screen.

mod accidents;
mod ask_end;
mod concurrency;
mod drafts;
mod hostile;
mod kinds;
mod life;
mod load;
mod notices;
pub(crate) mod person;
mod plain;
mod screen_tty;
mod themes;
