//! End-to-end tests of the program: what askers, people and interrupters observe. Terminals, signals and limits are
//! simulated as on Unix.
#![cfg(unix)]

#[cfg(test)]
mod ask_user_question;
#[cfg(test)]
mod ask_user_question_vectors;
#[cfg(test)]
mod asker_names;
#[cfg(test)]
mod auq;
#[cfg(test)]
mod auq_sessions;
#[cfg(test)]
mod bad_desks;
#[cfg(test)]
mod bad_requests;
#[cfg(test)]
mod checking;
#[cfg(test)]
mod chinese_help;
#[cfg(test)]
#[cfg(target_os = "linux")]
mod clock_set;
#[cfg(test)]
mod command_line;
#[cfg(test)]
mod consent;
#[cfg(test)]
mod consent_labels;
#[cfg(test)]
mod days;
#[cfg(test)]
mod desk_care;
#[cfg(test)]
mod desk_location;
#[cfg(test)]
mod dialects;
#[cfg(test)]
mod emulated;
#[cfg(test)]
mod ends;
#[cfg(test)]
mod escapes;
#[cfg(test)]
#[cfg(target_os = "linux")]
mod faults;
#[cfg(test)]
mod finding;
#[cfg(test)]
mod first_steps;
#[cfg(test)]
mod full_disk;
#[cfg(test)]
mod honest;
#[cfg(test)]
mod hostile;
#[cfg(test)]
mod inbox_accidents;
#[cfg(test)]
mod inbox_drafts;
#[cfg(test)]
mod inbox_ended;
#[cfg(test)]
mod inbox_hostile;
#[cfg(test)]
mod inbox_kinds;
#[cfg(test)]
mod inbox_life;
#[cfg(test)]
mod inbox_many;
#[cfg(test)]
mod inbox_notices;
#[cfg(test)]
mod inbox_person;
#[cfg(test)]
mod inbox_plain;
#[cfg(test)]
mod inbox_together;
#[cfg(test)]
mod interaction_as_asked;
#[cfg(test)]
mod interaction_client;
#[cfg(test)]
mod interaction_doors;
#[cfg(test)]
mod interaction_frames;
#[cfg(test)]
mod interaction_stock;
#[cfg(test)]
mod interaction_vectors;
#[cfg(test)]
mod interaction_wire;
#[cfg(test)]
mod interrupted;
#[cfg(test)]
mod killed;
#[cfg(test)]
mod kinds;
#[cfg(test)]
mod kinds_children;
#[cfg(test)]
mod kinds_commands;
#[cfg(test)]
mod listing;
#[cfg(test)]
mod many_waiters;
#[cfg(test)]
mod mcp_ask_user;
#[cfg(test)]
mod mcp_auq;
#[cfg(test)]
mod mcp_auq_vectors;
#[cfg(test)]
mod mcp_corners;
#[cfg(test)]
mod mcp_dialogs;
#[cfg(test)]
mod mcp_eras;
#[cfg(test)]
mod mcp_flood;
#[cfg(test)]
mod mcp_host;
#[cfg(test)]
mod mcp_mending;
#[cfg(test)]
mod mcp_never_lost;
#[cfg(test)]
mod mcp_official;
#[cfg(test)]
mod mcp_official_forms;
#[cfg(test)]
mod mcp_official_host;
#[cfg(test)]
mod mcp_official_killed;
#[cfg(test)]
mod mcp_official_many;
#[cfg(test)]
mod mcp_outcomes;
#[cfg(test)]
mod mcp_rmcp;
#[cfg(test)]
mod mcp_rounds;
#[cfg(test)]
mod network;
#[cfg(test)]
mod node;
#[cfg(test)]
mod output;
#[cfg(test)]
mod pattern_costs;
#[cfg(test)]
mod piped_lines;
#[cfg(test)]
mod program;
#[cfg(test)]
mod python;
#[cfg(test)]
mod readme;
#[cfg(test)]
mod remote;
#[cfg(test)]
mod remote_contract;
#[cfg(test)]
mod remote_restart;
#[cfg(test)]
mod removed_desk;
#[cfg(test)]
mod sample;
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
mod serve_ends;
#[cfg(test)]
mod serve_events;
#[cfg(test)]
mod serve_followed;
#[cfg(test)]
mod serve_fuzzed;
#[cfg(test)]
mod serve_gate;
#[cfg(test)]
mod serve_hostile;
#[cfg(test)]
mod serve_limits;
#[cfg(test)]
mod serve_many;
#[cfg(test)]
mod serve_questionnaire;
#[cfg(test)]
mod serve_questionnaire_vectors;
#[cfg(test)]
mod serve_quotas;
#[cfg(test)]
mod serve_refusals;
#[cfg(test)]
mod serve_roles;
#[cfg(test)]
mod serve_routes;
#[cfg(test)]
mod serve_sites;
#[cfg(test)]
mod serve_slow;
#[cfg(test)]
mod serve_waits;
#[cfg(test)]
mod served;
#[cfg(test)]
mod settings;
#[cfg(test)]
#[cfg(target_os = "linux")]
mod slips;
#[cfg(test)]
mod small_disk;
#[cfg(test)]
mod speaking;
#[cfg(test)]
mod spec_cases;
#[cfg(test)]
mod terminal;
#[cfg(test)]
mod themes;
#[cfg(test)]
mod threads;
#[cfg(test)]
mod threads_client;
#[cfg(test)]
mod threads_ends;
#[cfg(test)]
mod threads_keyed;
#[cfg(test)]
mod threads_killed;
#[cfg(test)]
mod threads_langgraph;
#[cfg(test)]
mod threads_page;
#[cfg(test)]
mod threads_purged;
#[cfg(test)]
mod threads_read;
#[cfg(test)]
mod threads_refused;
#[cfg(test)]
mod threads_shown;
#[cfg(test)]
mod threads_silent;
#[cfg(test)]
mod threads_vectors;
#[cfg(test)]
mod tokens;
#[cfg(test)]
mod vector;
#[cfg(test)]
mod waiting;
#[cfg(test)]
mod world;
