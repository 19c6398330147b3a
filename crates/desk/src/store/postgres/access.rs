//! Rows of those who may use the desk: tokens, signed-in browsers, groups, and the rates of their requests.

mod browser_sessions;
mod groups;
mod rates;
mod tokens;
