//! Handlers of the native API, one file for each resource. Each has its rows of the table of routes.

pub(super) mod about;
pub(super) mod ack_on_complete;
pub(super) mod ask_state;
pub(super) mod asker;
pub(super) mod asks;
pub(super) mod events;
pub(super) mod mcp_endpoint;
pub(super) mod mcp_state;
pub(super) mod outcome;
pub(super) mod outcome_cache;
pub(super) mod outcome_waiter;
pub(super) mod person;
pub(super) mod questionnaire;
pub(super) mod review;
pub(super) mod tokens;
