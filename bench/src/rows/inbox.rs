//! The inbox on a terminal, from its start to the first frame.

use crate::Run;
use crate::figures::Times;
use crate::floor;
use crate::rows::commands::home;
use crate::rows::lists::fill;
use crate::rows::prompt;
use crate::table::{Reference, Table};
use crate::terminal::{END_FRAME, command};

/// From its start to the frame with the first of 1,000 asks.
pub(crate) fn first_frame(run: &Run, table: &mut Table) -> anyhow::Result<()> {
    let home = home(run, "inbox")?;
    fill(&home.join("desk.db"), 1_000)?;
    let hello = floor::hello(run.folder.path())?;
    let floor = prompt::times(run, 100, |_| Ok(command(&hello, &home)), b"hello", b"\n")?;
    let times: Times =
        prompt::times(run, 100, |_| Ok(command(&run.sayso, &home)), b"Deploy plan", END_FRAME)?;
    table.times("inbox with 1,000 open painted", &times, vec![Reference::from_times("hello", &floor)]);
    Ok(())
}
