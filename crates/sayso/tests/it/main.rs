//! End-to-end tests of the program: what askers, people and interrupters observe. Terminals, signals and limits are
//! simulated as on Unix.
#![cfg(unix)]

#[cfg(test)]
mod ask_user_question;
#[cfg(test)]
mod auq;
#[cfg(test)]
mod cli;
#[cfg(test)]
mod desk;
#[cfg(test)]
mod docs;
#[cfg(test)]
mod hooks;
#[cfg(test)]
mod http;
#[cfg(test)]
mod inbox;
#[cfg(test)]
mod mcp;
#[cfg(test)]
mod prompter;
#[cfg(test)]
mod support;
#[cfg(test)]
mod threads;
#[cfg(test)]
mod web;
#[cfg(test)]
mod websocket;
