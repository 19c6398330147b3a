//! Tests of sending and declining: nothing goes out by accident.

mod accidental_input;
mod decline_reason;
mod exit;
mod held_keys;
mod lone_question;
mod paste;
mod reading;
mod send_guard;
mod slips;
