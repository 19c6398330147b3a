//! Tests of other people's agents in threads.

mod bridge;
mod langgraph;
