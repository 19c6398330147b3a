//! Tests of other people's agents in threads.

mod langgraph;
mod local_agents;
