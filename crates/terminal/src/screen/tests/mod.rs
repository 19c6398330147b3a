//! Screen tests: keys in, screen out, with a real desk behind the screen.

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
