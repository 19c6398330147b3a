//! What people wrote for the page: how to read it, and why a row may miss its target.

/// How the page begins.
pub(crate) const BEGINNING: &str = "\
# Performance

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

";

/// What stands below the machine where it had something else to do.
pub(crate) const BUSY: &str = "
**The machine had other work during this run**, so the first column is not one of a machine at rest. Compare with the \
floors and peers beside it, and take no time for itself.
";

/// The head of each table.
pub(crate) const HEAD: &str = "\
| what | at rest | beside a compiler | target | | floor or peers, same run |
|---|---|---|---|---|---|
";

/// What the page does not tell, at its end.
pub(crate) const NOT_RUN: &str = "
## What was not run

- **PostgreSQL**: a desk lies in SQLite or behind `sayso serve`; there is none in PostgreSQL, so there is nothing to \
  measure.
- **AUQ's own program**: it is in none of the registries that the peers are installed from.
- **gum** and **inquire**: prompts in Go and in Rust, for which this bench would need another toolchain or another \
  dependency. The program that only greets is the floor in their place.
- Peers are measured at rest only.
";

/// Why a row may miss its target, by its name on the command line.
pub(crate) const REASONS: &[(&str, &str)] = &[];

/// Why this row missed its target.
pub(crate) fn why(name: &str) -> &'static str {
    let known = REASONS.iter().find(|(row, _)| *row == name);
    known.map_or("nobody has looked into it yet.", |(_, reason)| reason)
}
