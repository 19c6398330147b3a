//! All rows, by the question that each answers.

pub(crate) mod commands;
mod forms;
mod hooks;
pub(crate) mod http;
pub(crate) mod idle;
mod inbox;
mod lists;
mod mcp;
mod nodes;
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
    /// Remark for readers.
    pub(crate) about: &'static str,
    pub(crate) rows: &'static [Row],
}

pub(crate) const GROUPS: &[Group] = &[
    Group {
        question: "How soon does a person see it?",
        about: "From an agent's question to a person's screen, and from a key to what it did. Programs on a terminal, ours \
                and others, are timed from where a process that stands ready there becomes them.",
        rows: &[
            ("visible", wakes::visible),
            ("http-trip", http::round_trip),
            ("prompt", prompt::painted),
            ("inbox", inbox::first_frame),
            ("inbox-keys", inbox::key_to_frame),
            ("hook-ask", hooks::ask),
            ("lists", lists::lists),
            ("http-million", http::million),
            ("growth", lists::growth),
        ],
    },
    Group {
        question: "How soon does the agent have the answer?",
        about: "From a person's Enter to the program that waits, and whole conversations.",
        rows: &[
            ("answer", wakes::answer),
            ("loaded", wakes::beside_busy_loops),
            ("commands", commands::ask_and_answer),
            ("alone", commands::alone),
            ("conversation", mcp::conversation),
            ("http-whole", http::whole_trip),
            ("thread-resume", threads::resume),
            ("thread-chunk", threads::chunk),
            ("thread-acp", threads::acp::chunk),
        ],
    },
    Group {
        question: "How soon is it there?",
        about: "The start of the program, which agents pay for with each call of a command.",
        rows: &[("start", commands::start), ("hooks", hooks::passed_over), ("mcp", mcp::start)],
    },
    Group {
        question: "What does waiting cost?",
        about: "Questions wait for hours. What a waiting program takes of the machine, and what a server takes for each \
                wait that it holds.",
        rows: &[
            ("idle", idle::idle),
            ("mcp-idle", mcp::idle),
            ("inbox-rest", inbox::at_rest),
            ("waiting", idle::thousand_waits),
            ("waiters", idle::waiters),
            ("http-waits", http::waits),
            ("thread-idle", threads::idle),
        ],
    },
    Group {
        question: "How many at once?",
        about: "Each ask and each answer is on the disk before anybody is told that it is.",
        rows: &[
            ("one", throughput::one_after_another),
            ("many", throughput::many_at_once),
            ("http-many", http::many),
            ("http-questionnaires", threads::questionnaires),
            ("http-slow", http::slow_clients),
        ],
    },
    Group {
        question: "What does a desk in a database cost?",
        about: "PostgreSQL on this machine, which waits for the disk at each commit, and servers of one desk in it. They \
                share the machine with the database and the clients, so a second one shows what it costs, not what it gains.",
        rows: &[
            ("database", nodes::pairs_in_process),
            ("database-http", nodes::pairs_over_http),
            ("database-wake", nodes::wakes_across_nodes),
            ("database-million", nodes::million),
        ],
    },
    Group {
        question: "What does it cost to read and check a question?",
        about: "In process, without a disk. The peers take their times in processes of their own; each gets the same \
                samples, and has to refuse the same broken ones. The limit in microseconds is for requests of a few \
                choices; forms with conditions, patterns and questions within questions are held against the peers alone.",
        rows: &[
            ("requests", reading::requests),
            ("first", forms::small_form),
            ("thousand", forms::thousand_answers),
            ("questionnaire", forms::thousand_questions),
            ("changed", forms::one_changed),
            ("display", forms::displayed),
        ],
    },
];

/// All rows, in their order.
pub(crate) fn all() -> impl Iterator<Item = &'static Row> {
    GROUPS.iter().flat_map(|group| group.rows)
}
