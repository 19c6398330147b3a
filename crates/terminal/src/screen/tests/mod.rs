//! The screen as a person has it: what is on it, what keys do to it, what is on it then. Behind it stands a real desk.

mod asks;
mod closing;
mod declining;
mod glass;
mod guards;
mod help;
mod keeping;
mod keys;
mod leaving;
mod pasting;
mod pick_limits;
mod returning;
mod rules;
mod scripts;
mod sharing;
mod slips;
mod stage;
