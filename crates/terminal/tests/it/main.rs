//! Tests of the prompter over a real desk in a temporary folder, with lines from a pipe.

#![cfg(unix)]

#[cfg(test)]
mod approvals;
mod drafts;
#[cfg(test)]
mod fixture;
#[cfg(test)]
mod flow;
#[cfg(test)]
mod formats;
#[cfg(test)]
mod guards;
#[cfg(test)]
mod line_inbox;
#[cfg(test)]
mod lines;
#[cfg(test)]
mod other_surfaces;
#[cfg(test)]
mod plain_output;
