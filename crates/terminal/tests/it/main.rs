//! Tests of the prompter over a real desk in a temporary folder, with lines from a pipe.

#![cfg(unix)]

#[cfg(test)]
mod drafts;
#[cfg(test)]
mod elsewhere;
#[cfg(test)]
mod flow;
#[cfg(test)]
mod guards;
#[cfg(test)]
mod lines;
#[cfg(test)]
mod look;
#[cfg(test)]
mod stage;
