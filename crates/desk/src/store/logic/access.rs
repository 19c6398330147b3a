//! Those who may use the desk: tokens, groups of accounts, and the sessions of browsers.

mod browser_sessions;
mod groups;
mod tokens;
