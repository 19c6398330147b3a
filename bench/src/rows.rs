//! All rows, by the question that each answers.

pub(crate) mod commands;
mod database;
mod forms;
mod hooks;
pub(crate) mod http;
mod inbox;
mod lists;
mod mcp;
mod peers;
mod prompt;
mod reading;
pub(crate) mod threads;
pub(crate) mod throughput;
mod wakes;

use crate::Run;
use crate::table::Table;

/// A row: its name on the command line, and what measures it.
pub(crate) type Row = (&'static str, fn(&Run, &mut Table) -> anyhow::Result<()>);

/// Rows that answer one question of a user.
#[derive(Debug)]
pub(crate) struct Group {
    pub(crate) question: &'static str,
    pub(crate) rows: &'static [Row],
}

pub(crate) const GROUPS: &[Group] = &[
    Group {
        question: "How soon does a person see it?",
        rows: &[
            ("visible", wakes::visible),
            ("prompt", prompt::painted),
            ("inbox", inbox::first_frame),
            ("lists", lists::lists),
        ],
    },
    Group {
        question: "How soon does the agent have the answer?",
        rows: &[
            ("answer", wakes::answer),
            ("waiters", wakes::among_waiters),
            ("conversation", mcp::conversation),
            ("http-whole", http::whole_trip),
            ("thread-chunk", threads::chunk),
            ("thread-acp", threads::acp::chunk),
        ],
    },
    Group {
        question: "How soon does it start?",
        rows: &[("start", commands::start), ("hooks", hooks::hooks), ("mcp", mcp::start)],
    },
    Group {
        question: "What does waiting cost?",
        rows: &[("mcp-idle", mcp::idle), ("http-waits", http::waits), ("thread-idle", threads::idle)],
    },
    Group {
        question: "How many at once?",
        rows: &[
            ("one", throughput::one_after_another),
            ("many", throughput::many_at_once),
            ("http-many", http::many),
            ("database", database::pairs),
        ],
    },
    Group {
        question: "What does it cost to read and check a question?",
        rows: &[
            ("requests", reading::requests),
            ("first", forms::small_form),
            ("thousand", forms::thousand_questions),
        ],
    },
];

/// All rows, in their order.
pub(crate) fn all() -> impl Iterator<Item = &'static Row> {
    GROUPS.iter().flat_map(|group| group.rows)
}
