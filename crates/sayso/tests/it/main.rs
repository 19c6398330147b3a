//! End-to-end tests of the program: what askers, people and interrupters observe. Terminals, signals and limits are
//! simulated as on Unix.
#![cfg(unix)]

#[cfg(test)]
mod ask_ends;
#[cfg(test)]
mod ask_user_question;
#[cfg(test)]
mod ask_user_question_vectors;
#[cfg(test)]
mod asker_names;
#[cfg(test)]
mod asks_without_terminal;
#[cfg(test)]
mod auq;
#[cfg(test)]
mod auq_sessions;
#[cfg(test)]
mod bad_desks;
#[cfg(test)]
mod bad_requests;
#[cfg(test)]
mod check_command;
#[cfg(test)]
mod chinese_help;
#[cfg(test)]
#[cfg(target_os = "linux")]
mod clock_changes;
#[cfg(test)]
mod command_claims;
#[cfg(test)]
mod command_line;
#[cfg(test)]
#[cfg(target_os = "linux")]
mod config_errors;
#[cfg(test)]
mod consent;
#[cfg(test)]
mod consent_labels;
#[cfg(test)]
mod crash_recovery;
#[cfg(test)]
mod desk_care;
#[cfg(test)]
mod desk_location;
#[cfg(test)]
mod dialects;
#[cfg(test)]
#[cfg(target_os = "linux")]
mod disk_faults;
#[cfg(test)]
mod emulated_terminal;
#[cfg(test)]
mod escape_sequences;
#[cfg(test)]
mod first_steps;
#[cfg(test)]
mod follow_up_questions;
#[cfg(test)]
mod full_disk;
#[cfg(test)]
mod hostile_text;
#[cfg(test)]
mod inbox_accidents;
#[cfg(test)]
mod inbox_ask_end;
#[cfg(test)]
mod inbox_concurrency;
#[cfg(test)]
mod inbox_drafts;
#[cfg(test)]
mod inbox_hostile;
#[cfg(test)]
mod inbox_kinds;
#[cfg(test)]
mod inbox_life;
#[cfg(test)]
mod inbox_load;
#[cfg(test)]
mod inbox_notices;
#[cfg(test)]
mod inbox_person;
#[cfg(test)]
mod inbox_plain;
#[cfg(test)]
mod interaction_auth;
#[cfg(test)]
mod interaction_client;
#[cfg(test)]
mod interaction_frames;
#[cfg(test)]
mod interaction_passthrough;
#[cfg(test)]
mod interaction_vectors;
#[cfg(test)]
mod interaction_wire;
#[cfg(test)]
mod interaction_ws_client;
#[cfg(test)]
mod interruptions;
#[cfg(test)]
mod languages;
#[cfg(test)]
mod list_command;
#[cfg(test)]
mod many_waiters;
#[cfg(test)]
mod mcp_ask_user;
#[cfg(test)]
mod mcp_auq;
#[cfg(test)]
mod mcp_auq_vectors;
#[cfg(test)]
mod mcp_dialogs;
#[cfg(test)]
mod mcp_durability;
#[cfg(test)]
mod mcp_host;
#[cfg(test)]
mod mcp_normalization;
#[cfg(test)]
mod mcp_outcomes;
#[cfg(test)]
mod mcp_oversize;
#[cfg(test)]
mod mcp_races;
#[cfg(test)]
mod mcp_rmcp;
#[cfg(test)]
mod mcp_rounds;
#[cfg(test)]
mod mcp_sdk;
#[cfg(test)]
mod mcp_sdk_crash;
#[cfg(test)]
mod mcp_sdk_forms;
#[cfg(test)]
mod mcp_sdk_host;
#[cfg(test)]
mod mcp_sdk_load;
#[cfg(test)]
mod mcp_versions;
#[cfg(test)]
mod network_desk;
#[cfg(test)]
mod node_program;
#[cfg(test)]
mod pattern_costs;
#[cfg(test)]
mod piped_lines;
#[cfg(test)]
mod program;
#[cfg(test)]
mod program_output;
#[cfg(test)]
mod prompt_commands;
#[cfg(test)]
mod python_program;
#[cfg(test)]
mod question_kinds;
#[cfg(test)]
mod readme;
#[cfg(test)]
mod relative_dates;
#[cfg(test)]
mod remote;
#[cfg(test)]
mod remote_contract;
#[cfg(test)]
mod remote_restart;
#[cfg(test)]
mod removed_desk;
#[cfg(test)]
mod sample_requests;
#[cfg(test)]
mod schemas;
#[cfg(test)]
mod screen_tty;
#[cfg(test)]
#[cfg(target_os = "linux")]
mod serve_bodies;
#[cfg(test)]
mod serve_browser;
#[cfg(test)]
mod serve_canary;
#[cfg(test)]
mod serve_client;
#[cfg(test)]
mod serve_concurrency;
#[cfg(test)]
mod serve_errors;
#[cfg(test)]
mod serve_events;
#[cfg(test)]
mod serve_hostile;
#[cfg(test)]
mod serve_isolation;
#[cfg(test)]
mod serve_limits;
#[cfg(test)]
mod serve_origins;
#[cfg(test)]
mod serve_questionnaire;
#[cfg(test)]
mod serve_questionnaire_vectors;
#[cfg(test)]
mod serve_quotas;
#[cfg(test)]
mod serve_roles;
#[cfg(test)]
mod serve_routes;
#[cfg(test)]
mod serve_schemathesis;
#[cfg(test)]
mod serve_shutdown;
#[cfg(test)]
mod serve_slow;
#[cfg(test)]
mod serve_sse_decoder;
#[cfg(test)]
mod serve_waits;
#[cfg(test)]
mod served_desk;
#[cfg(test)]
mod settings;
#[cfg(test)]
mod show_command;
#[cfg(test)]
mod small_disk;
#[cfg(test)]
mod spec_cases;
#[cfg(test)]
mod terminal;
#[cfg(test)]
mod test_vector;
#[cfg(test)]
mod test_world;
#[cfg(test)]
mod themes;
#[cfg(test)]
mod threads;
#[cfg(test)]
mod threads_client;
#[cfg(test)]
mod threads_crash;
#[cfg(test)]
mod threads_decisions;
#[cfg(test)]
mod threads_decoders;
#[cfg(test)]
mod threads_ends;
#[cfg(test)]
mod threads_errors;
#[cfg(test)]
mod threads_idempotency;
#[cfg(test)]
mod threads_langgraph;
#[cfg(test)]
mod threads_page;
#[cfg(test)]
mod threads_purge;
#[cfg(test)]
mod threads_timeouts;
#[cfg(test)]
mod threads_vectors;
#[cfg(test)]
mod tokens;
