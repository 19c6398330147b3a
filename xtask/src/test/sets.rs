//! The long set, and what else is known about single tests. Each row begins the names of its tests.

/// Tests that run with `--all` alone, with the tests that keep their promise in the short set.
pub(super) const LONG: &[(&str, &str)] = &[];

/// Tests of the short set that take more than three seconds, and why they are in it.
pub(super) const SHORT_BUT_SLOW: &[(&str, &str)] = &[];

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
