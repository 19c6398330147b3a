//! Texts of the page, written by people.

/// Introduction.
pub(crate) const BEGINNING: &str = "\
# Performance

What people and agents wait for, as ratios. `cargo xtask bench --report` writes this page: it builds the program as it is \
shipped, installs the peers by their lock files, and measures each row twice, at rest and while a compiler uses all \
processors.

- A ratio compares medians of one run. The floor is the same work without Sayso: a program that greets (hello), raw SQL on \
  the same rows, bare axum. A peer is a program or library from npm or PyPI that does the same work. *1.5 × hello* \
  is 1.5 times its time or memory, or two thirds of its rate.
- Machines drift, so compare no times of different runs.
- *Durable* means that the disk has confirmed it before anyone sees it. Times are *median · p99 (number of runs)*.

";

/// Text below the machine of a run with fewer repetitions.
pub(crate) const TRIED: &str = "
**This was a try with a twentieth of the repetitions**, so p99 says little.
";

/// Text below the machine if it was busy.
pub(crate) const BUSY: &str = "
**The machine had other work during this run**, so the first column is not one of a machine at rest.
";

/// The head of each table.
pub(crate) const HEAD: &str = "\
| what | at rest | with a compiler | measured at rest | floor and peers |
|---|---|---|---|---|
";
