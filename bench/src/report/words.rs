//! Texts for the page, written by people: how to read it, and why a row may miss its target.

/// Title of the page.
pub(crate) const TITLE: &str = "# Performance\n\n";

/// Introduction, after the pictures.
pub(crate) const BEGINNING: &str = "\
What people and agents wait for, measured. This page is written by one command, `cargo xtask bench --report`, which \
builds the program as it is shipped, installs the peers by their lock files, and measures every row twice in one go: \
on the machine as it is, and beside a compiler that uses all processors, as one does all day where people develop.

How to read it:

- Times are *median · p99 (n = how often)*. The median is what you get; one in a hundred takes longer than p99.
- A busy machine lets a program that waited for the disk or for another program go on when its turn comes, which takes \
  up to a few milliseconds each time. So a row tells by its two columns how often it waits.
- Targets are for the machine at rest. *Missed, 1.20 ×* says that what was measured is 1.2 times the limit.
- The floor is the least that the machine allows for the same work: a program that only greets, the same rows in raw \
  SQL, bare axum. The peers are programs and libraries that do the same work, from npm and PyPI. Both are measured in \
  the same run, so compare with them rather than with figures from elsewhere; a number with *×* behind a peer says how \
  many times ours it is.
- *Durable* means that the disk has confirmed it before anybody is told.
- Servers run without `--rate` and without quotas of an account (`--asks-per-hour 0 --kept-mib 0`).
- Commands, the prompt and the conversation are measured at a desk that has been there for a minute. In its first minute \
  each commit waits for the disk once more, for the name of its log.

";

/// Text below the machine of a run with fewer repetitions.
pub(crate) const TRIED: &str = "
**This was a try with a twentieth of the repetitions**, so p99 says little.
";

/// Text below the machine if it was busy.
pub(crate) const BUSY: &str = "
**The machine had other work during this run**, so the first column is not one of a machine at rest. Compare with the \
floors and peers beside it, and take no time for itself.
";

/// The head of each table.
pub(crate) const HEAD: &str = "\
| what | at rest | beside a compiler | target | | floor or peers, same run |
|---|---|---|---|---|---|
";

/// Beginning of the list of losses.
pub(crate) const LOSSES_BEGINNING: &str = "
## What lost since the page before, and why

Rows that lost more than 1.3 × of their ratio to the floor or the first peer; a row without one is compared by itself, so \
another machine shows there too.

";

/// The list without a loss.
pub(crate) const NO_LOSSES: &str = "None.\n";

/// Limits of the page, listed at its end.
pub(crate) const NOT_RUN: &str = "
## What was not run

- **AUQ's own program**: it is in none of the registries that the peers are installed from.
- **gum** and **inquire**: prompts in Go and in Rust, for which this bench would need another toolchain or another \
  dependency. The program that only greets is the floor in their place.
- Peers are measured at rest only.
";

/// Reasons for which a row may miss its target, by its name on the command line.
pub(crate) const REASONS: &[(&str, &str)] = &[
    ("visible", ONE_WAIT),
    ("answer", ONE_WAIT),
    (
        "loaded",
        "both processors are taken: each wait, for the disk and for the other process, ends only with a turn of the \
         scheduler.",
    ),
    (
        "http-trip",
        "one wait for the disk and three for threads: the one of the socket, the one that calls the desk, and the \
         reader's.",
    ),
    (
        "prompt",
        "a process starts, opens the desk and waits for the disk before its question shows, so that no crash loses a \
         question that somebody has seen.",
    ),
    ("inbox", "an empty frame comes first; the list is read on a thread of its own, and then drawn."),
    ("inbox-keys", "the median is a tenth of it; what the one frame in a hundred waits for is not known."),
    (
        "lists",
        "a process starts for each list and opens the desk first; the page itself is the row in process.",
    ),
    (
        "commands",
        "two processes start, open the desk and each wait for the disk once, and one wakes the other.",
    ),
    (
        "conversation",
        "two commands are two processes that start and open the desk; the ask and the answer wait for the disk once \
         each.",
    ),
    ("start", "the program is larger than one that only greets, so more of it has to be brought in."),
    (
        "mcp",
        "the reply comes before the desk is opened: what is left is the start of the program and its threads.",
    ),
    ("idle", SHARED),
    ("alone", "a process starts, opens the desk and, to ask, waits for the disk once."),
    (
        "waiters",
        "one wait for the disk and one for the other process; finding the one FIFO among a thousand takes a look into \
         their folder.",
    ),
    (
        "thread-idle",
        "a stream holds its connection, its account's share and the place up to which it has read.",
    ),
    (
        "questionnaire",
        "its reader keeps the place of each value, so that faults and unknown members are told with theirs, and conditions \
         lie in the standard library's maps and vectors, which is simpler than before and 1.3 times as slow; nobody waits \
         for these milliseconds.",
    ),
    (
        "changed",
        "which questions come or go is looked up in the standard library's maps, which are simpler to read.",
    ),
    (
        "growth",
        "words are indexed when somebody searches, so that asking never pays for it: the first search of a desk that \
         grew without any indexes all of it.",
    ),
    (
        "http-questionnaires",
        "each is a blocking request that another process answers: it holds a wait, wakes twice and notes its delivery, \
         which a pair of /v1 does not.",
    ),
    ("mcp-idle", SHARED),
    (
        "http-waits",
        "each wait has a time limit, an account of its caller and, when it is woken, a line in the log and in the meters, \
         which bare axum has not; the target was set where waking so many took the machine itself 46 ms.",
    ),
    (
        "one",
        "one wait for the disk to ask and one to answer, as in raw SQL beside it; the target was set on a disk that \
         confirmed 4 KiB in 0.055 ms, the time for the disk of this run stands above.",
    ),
    (
        "many",
        "each pair is read, judged and written down as JSON beside what raw SQL writes, by threads that share the \
         processors with the one that commits.",
    ),
    (
        "http-many",
        "64 clients and the server share the processors, and each pair is two calls that are read, admitted, written \
         down and answered.",
    ),
    (
        "thousand",
        "finding in the text where each answer begins and ends is a third of the work; the rest is spread over finding \
         the question and the option that it names, judging it, and deciding what is asked.",
    ),
    (
        "requests",
        "what is read becomes the core's questionnaire, its patterns translated and compiled, with words for every \
         fault; the validators say only whether a value is right.",
    ),
];

/// Reasons for which a row lost since the page before, by its name on the command line.
const LOSS_REASONS: &[(&str, &str)] = &[
    ("one", MORE_KEPT),
    ("many", MORE_KEPT),
    (
        "lists",
        "each row of a page has its account, its program and three checksums besides, and is shown as it is only if they \
         match: 1.3 times the work, for a page that takes a third of a millisecond.",
    ),
    ("http-million", MORE_KEPT),
    ("http-trip", SLOWER_DISK),
    ("http-whole", SLOWER_DISK),
    ("prompt", SLOWER_DISK),
    ("answer", OWN_FIFO),
    ("loaded", OWN_FIFO),
    ("commands", OWN_FIFO),
    ("conversation", OWN_FIFO),
    (
        "requests",
        "a request that is read now also has its labels of consent compared with our own words, the values that differ \
         from their labels found, and the form of `interaction` kept as it came: `sayso` and `questionnaire` take 1.2 \
         times as long, `interaction` 1.3 times, which are some microseconds.",
    ),
    ("thousand", SIMPLER),
    ("questionnaire", SIMPLER),
    ("changed", SIMPLER),
];

const MORE_KEPT: &str = "each row that is stored now has a checksum, which is verified when it is read, and counters of \
                         the desk and of its accounts are kept in the same transaction.";

const SLOWER_DISK: &str =
    "its floor stores nothing, so a slower disk than on the page before shows here in full.";

const OWN_FIFO: &str = "each waiting program has a FIFO of its own, so that an answer wakes only whoever waits for it: a \
                        thousand programs can wait, and one answer costs one more call of the system.";

const SIMPLER: &str = "conditions and their questions lie in the standard library's maps and vectors, which are simpler \
                       than the sorted arrays before; a key press still takes some microseconds.";

/// Reason for the loss of a row that has neither a reason of its own nor a floor.
const OTHER_MACHINE: &str =
    "it has no floor, so a slower machine than on the page before shows here in full.";

/// Returns the reason for which this row lost since the page before.
pub(crate) fn why_lost(name: &str, has_floor: bool) -> &'static str {
    let known = LOSS_REASONS.iter().find(|(row, _)| *row == name);
    let unknown = if has_floor { "nobody has looked into it yet." } else { OTHER_MACHINE };
    known.map_or(unknown, |(_, reason)| reason)
}

const ONE_WAIT: &str = "one wait for the disk and one for the other process, as in the floor beside it; the target was \
                        set on a disk that confirmed 4 KiB in 0.055 ms, the time for the disk of this run stands above.";

const SHARED: &str = "what is resident counts the program itself, which all of its processes share; what each has for \
                      itself is anonymous.";

/// Returns the reason for which this row missed its target.
pub(crate) fn why(name: &str) -> &'static str {
    let known = REASONS.iter().find(|(row, _)| *row == name);
    known.map_or("nobody has looked into it yet.", |(_, reason)| reason)
}
