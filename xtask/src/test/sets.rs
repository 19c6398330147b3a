//! The long set, and what else is known about single tests. Each row begins the names of its tests.

/// Tests that run with `--all` alone, with the tests that keep their promise in the short set.
pub(super) const LONG: &[(&str, &str)] = &[
    (
        "sayso/it::web::looks::chinese_screens_are_accessible",
        "web::looks::english_screens_are_accessible, docs::languages",
    ),
    ("sayso/it::web::looks::large_letters_fit", "web::looks::english_screens_are_accessible"),
    ("sayso/it::web::browsers::firefox::", "web::browsers::firefox_answers"),
    ("sayso/it::web::browsers::firefox_alone::", "web::browsers::firefox_answers"),
    ("sayso/it::web::browsers::webkit::", "web::browsers::firefox_answers"),
    ("sayso/it::web::element::interaction_forms_follow_spec", "web::element::element_follows_shared_cases"),
    (
        "sayso/it::web::element::keyboard_and_frames_suffice",
        "web::element::mouse_answers_every_kind, web::ways::keyboard_answers_everything",
    ),
    ("sayso/it::web::element::harmful_texts_stay_text", "web::forgery::harmful_texts_stay_text"),
    (
        "sayso/it::web::element::assistive_technology_reads_element",
        "web::looks::english_screens_are_accessible",
    ),
    ("sayso/it::web::element::every_way_answers_every_kind", "web::element::mouse_answers_every_kind"),
    ("sayso/it::web::element::element_fits_small_screens", "web::element::mouse_answers_every_kind"),
    ("sayso/it::web::ways::finger_answers_everything", "web::ways::keyboard_answers_everything"),
    ("sayso/it::web::ways::mouse_answers_everything", "web::ways::keyboard_answers_everything"),
    ("sayso/it::web::forgery::many_asks_take_no_focus", "web::forgery::ask_presses_no_answer"),
    (
        "sayso/it::web::first_visit::rows_are_read_while_modules_load",
        "web::first_visit::sign_in_to_receipt_fits",
    ),
    (
        "sayso/it::web::first_visit::link_from_other_site_opens_ask",
        "web::first_visit::sign_in_to_receipt_fits",
    ),
    (
        "sayso/it::web::shared_drafts::restart_in_mid_word_loses_nothing",
        "web::shared_drafts::browsers_and_terminal_share_draft",
    ),
    (
        "sayso/it::web::service_entry::address_replaces_no_member",
        "web::service_entry::address_opens_the_users_ask",
    ),
    ("sayso/it::web::safety::no_word_leaves_page", "web::safety::parts_load_under_policy"),
    ("sayso/it::mcp::apps::page_answers_in_sandbox", "mcp::apps::waiting_call_brings_the_answer"),
    ("sayso/it::mcp::apps::network_page_needs_operator", "mcp::apps::waiting_call_brings_the_answer"),
    ("sayso/it::mcp::apps::typed_answers_outlive_the_page", "mcp::apps::waiting_call_brings_the_answer"),
    ("sayso/it::mcp::apps::refusal_reaches_the_agent", "mcp::apps::consent_leads_to_desk"),
    ("sayso/it::mcp::clients::sdk::crash::", "mcp::durability, threads::crash"),
    ("sayso/it::mcp::clients::sdk::load::", "mcp::clients::sdk::session"),
    ("sayso/it::http::schemathesis::accounts_keep_to_the_document", "http::access::walls"),
    ("sayso/it::http::schemathesis::questionnaire_conforms_to_its_document", "http::questionnaire_vectors"),
    (
        "sayso/it::http::load::slow::slow_clients_are_dropped_waiters_kept",
        "server: http::net::tests::load::slow_clients_do_not_block_others",
    ),
    (
        "sayso/it::http::load::bodies::memory_returns_after_flood",
        "http::load::bodies::partial_bodies_are_bounded_and_freed",
    ),
    (
        "sayso/it::http::load::quotas::cancelled_asks_keep_desk_small",
        "desk: store::sqlite, the tests of quotas",
    ),
    (
        "desk::store::sqlite::tests::power_cut::power_cut_loses_nothing_acknowledged",
        "desk: store::sqlite::tests::sync_trace",
    ),
    ("sayso/it::desk::database::hidden_reads::", "http::access::walls::every_route_keeps_the_wall"),
    (
        "sayso/it::desk::database::race::",
        "desk: lives::random_asks_end_exactly_once, desk: store::postgres::tests::database_desk_passes_contract",
    ),
    (
        "sayso/it::desk::database::example::",
        "desk::database::failover::killed_primary_loses_nothing_confirmed",
    ),
    (
        "sayso/it::desk::database::small_disk::",
        "desk::small_disk, desk::database::failover::killed_primary_loses_nothing_confirmed",
    ),
    (
        "sayso/it::desk::database::failover::stopped_node_loses_its_lock",
        "desk::database::failover::killed_primary_loses_nothing_confirmed",
    ),
    (
        "sayso/it::desk::database::failover::stopped_primary_is_left_within_seconds",
        "desk::database::failover::killed_primary_loses_nothing_confirmed",
    ),
    (
        "sayso/it::desk::database::failover::primary_behind_a_cut_link_is_left_within_seconds",
        "desk::database::failover::killed_primary_loses_nothing_confirmed",
    ),
    (
        "sayso/it::desk::database::failover::frozen_link_holds_no_other_node",
        "desk::database::failover::killed_primary_loses_nothing_confirmed",
    ),
    (
        "sayso/it::desk::database::lagging::",
        "desk::database::failover::killed_primary_loses_nothing_confirmed",
    ),
    (
        "sayso/it::desk::database::care::doctor_warns_of_nodes_without_standby",
        "desk::database::care::doctor_warns_of_another_clock",
    ),
    ("sayso/it::desk::copy::killed_copy_leaves_both_desks", "desk::copy::no_confirmed_write_is_left_behind"),
    (
        "desk::store::sqlite::tests::sync_failure::failed_sync_loses_no_acknowledged_ask",
        "sayso: desk::disk_faults::failed_sync_ends_mcp_server",
    ),
    (
        "sayso/it::threads::page::page_streams_and_survives_restart",
        "threads::page::person_chats_and_decides_on_page, threads::crash",
    ),
    (
        "sayso/it::threads::page::every_refusal_keeps_filled_form",
        "threads::page::person_chats_and_decides_on_page",
    ),
    (
        "sayso/it::threads::page::blank_own_answer_is_not_sent",
        "threads::page::person_chats_and_decides_on_page",
    ),
    (
        "sayso/it::threads::page::refused_decision_keeps_filled_form",
        "threads::page::person_chats_and_decides_on_page",
    ),
    ("sayso/it::inbox::load::", "inbox::life, terminal: tui::tests"),
    (
        "dialects::schema::tests::verdicts::zod_and_json_schema_agree",
        "schema::tests::verdicts::zod_and_reader_agree",
    ),
    (
        "terminal::tui::tests::screens::authors::gutter_holds_at_every_width",
        "terminal::tui::tests::screens::authors::gutter_is_before_agents_words_only",
    ),
    (
        "terminal::tui::widgets::authored_text::tests::every_message_wraps_by_author",
        "terminal::tui::widgets::authored_text::tests::quotation_is_behind_the_gutter_only",
    ),
    (
        "terminal::tui::tests::screens::help::every_width_shows_the_help_key",
        "tui::tests::screens::advertised_keys::shown_keys_have_an_effect",
    ),
    (
        "sayso/it::desk::database::nodes::events_go_on_at_other_node",
        "desk::database::nodes::wait_goes_on_at_other_node",
    ),
    (
        "sayso/it::desk::database::limits::statement_ends_after_its_time",
        "desk::database::limits::exhausted_pool_refuses_and_recovers",
    ),
    (
        "sayso/it::desk::disk_faults::screen_reports_unconfirmed_write",
        "desk::disk_faults::failed_sync_ends_mcp_server",
    ),
    (
        "sayso/it::web::forgery::short_deadline_chooses_nothing",
        "inbox::hostile::passing_deadline_picks_nothing",
    ),
    (
        "terminal::tui::tests::sending::send_guard::held_key_never_sends",
        "tui::tests::sending::accidental_input::held_key_sends_nothing",
    ),
    ("sayso/it::web::first_visit::whole_page_stays_small", "web::first_visit::sign_in_to_receipt_fits"),
    ("sayso/it::websocket::page::example_client_shows_ends", "websocket::page::example_client_follows_spec"),
    (
        "sayso/it::threads::agents::bridge::failures::random_agent_ends_once",
        "threads::agents::bridge::failures::crashed_agent_continues_with_session",
    ),
    (
        "sayso/it::inbox::concurrency::remote_inbox_survives_server_restart",
        "inbox::concurrency::leaving_during_outage_lists_unsaved",
    ),
    (
        "sayso/it::threads::streams::ends::two_hundred_threads_at_once",
        "threads::streams::ends::end_is_last_and_unique",
    ),
    (
        "desk::store::maintenance::tests::coverage::every_column_of_a_database_moves",
        "store::maintenance::tests::every_row_moves_and_comes_back",
    ),
];

/// Tests of the short set that take more than three seconds, and why they are in it.
pub(super) const SHORT_BUT_SLOW: &[(&str, &str)] = &[
    ("sayso/it::web::looks::english_screens_are_accessible", "each screen is read by axe once"),
    ("sayso/it::web::element::mouse_answers_every_kind", "the element in a browser"),
    ("sayso/it::web::ways::keyboard_answers_everything", "the page without a mouse"),
    ("sayso/it::web::browsers::firefox_answers", "the page in another browser"),
    ("sayso/it::web::forgery::", "hostile texts on the page"),
    ("sayso/it::web::phone::", "a phone signs in by the picture of a code"),
    ("sayso/it::web::answering::", "the page in a browser"),
    ("sayso/it::web::first_visit::", "sizes and order of what a page loads"),
    ("sayso/it::web::shared_drafts::", "page and terminal on one draft"),
    ("sayso/it::web::service_entry::", "a service's user on the page"),
    ("sayso/it::web::safety::", "the page's policy"),
    ("sayso/it::mcp::apps::", "a form in a conversation"),
    ("sayso/it::http::schemathesis::server_conforms_to_its_document", "some random requests to each route"),
    (
        "sayso/it::desk::database::failover::killed_primary_loses_nothing_confirmed",
        "a desk in a database loses nothing",
    ),
    ("sayso/it::desk::remote_contract::", "the contract of a desk on the network"),
    ("desk::store::postgres::tests::database_desk_passes_contract", "the contract of a desk in a database"),
    ("desk::store::maintenance::tests::every_row_moves_and_comes_back", "each table of both stores"),
    ("desk::store::sqlite::tests::bit_flips::flipped_bit_is_always_detected", "each bit of a row"),
    ("dialects::schema::tests::verdicts::zod_and_reader_agree", "Zod runs in Node"),
    ("terminal::tui::tests::screens::advertised_keys::shown_keys_have_an_effect", "each key of each screen"),
    ("sayso/it::threads::page::person_chats_and_decides_on_page", "threads in a browser"),
    ("sayso/it::threads::streams::", "streams read by other programs"),
    ("sayso/it::websocket::page::", "the example of a client in a browser"),
    ("sayso/it::prompter::hostile_text::", "hostile texts at the prompter"),
    ("sayso/it::inbox::hostile::", "hostile texts on the full screen"),
    ("sayso/it::mcp::clients::sdk::forms::", "forms as the official SDK shows them"),
    ("server::http::net::tests::load::slow_clients_do_not_block_others", "clients that are slow"),
    ("sayso/it::cli::many_waiters::", "300 programs wait"),
    ("sayso/it::threads::agents::bridge::failures::", "agents that end and begin again"),
    ("sayso/it::desk::database::access::", "a database with roles of its own"),
    (
        "sayso/it::ask_user_question::command::environment_timeout_exits_with_five",
        "a time limit in whole seconds",
    ),
    ("terminal::tui::tests::sending::", "each act in each look and language"),
    ("sayso/it::http::load::hostile::", "bodies that cost much"),
    (
        "sayso/it::desk::database::limits::exhausted_pool_refuses_and_recovers",
        "connections that are waited for",
    ),
    ("sayso/it::http::access::walls::", "each route with each role"),
    ("sayso/it::desk::database::care::", "a database server of its own"),
];

/// Tests whose outcome could depend on the terminal of whoever runs them: with `--all` they run once more without one.
pub(super) const WITHOUT_TERMINAL: &[(&str, &str)] = &[
    ("sayso/it::ask_user_question::command::", "lines on standard input"),
    ("sayso/it::auq::commands::", "prompts"),
    ("sayso/it::cli::asks_without_terminal::", "asks that wait at the desk"),
    ("sayso/it::cli::command_claims::", "help of commands"),
    ("sayso/it::cli::first_steps::", "the first minute"),
    ("sayso/it::docs::languages::", "the language of messages"),
    ("sayso/it::docs::readme::", "README's lines"),
    ("sayso/it::inbox::plain::", "the inbox without a screen"),
    ("sayso/it::inbox::screen_tty::", "the inbox on a terminal"),
    ("sayso/it::prompter::consent::", "consent at the prompter"),
    ("sayso/it::prompter::interruptions::", "interrupted prompts"),
    ("sayso/it::prompter::piped_lines::", "lines on standard input"),
    ("sayso/it::support::program::", "programs of tests"),
];
