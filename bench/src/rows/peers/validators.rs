//! The peers in other languages: validators and a form library, each in a process of its own that takes its time itself
//! and reports as one line of JSON. Every contestant of a race gets the same samples from the same file.

use crate::Run;
use crate::others::{node, python};
use crate::table::{Quantity, Reference, Table};
use anyhow::{Context as _, ensure};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

/// One case of a race, as texts.
#[derive(Debug, Serialize)]
pub(crate) struct Sample {
    pub(crate) name: String,
    /// The canonical questionnaire, where answers are checked.
    pub(crate) request: String,
    /// Text that must be accepted.
    pub(crate) valid: String,
    /// Text that must be refused.
    pub(crate) broken: Vec<String>,
}

/// Validators that are compared.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Race {
    /// A request's text to a verdict, with the schema at hand.
    Requests,
    /// A questionnaire and its answers, both at hand, to a verdict: the schema is built, and used once.
    First,
    /// Both texts to a verdict: the questionnaire is checked too, by those that can.
    Whole,
}

/// A peer.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Library {
    Zod,
    Valibot,
    Ajv,
    Survey,
    Pydantic,
}

impl Library {
    /// Those that check answers to a form.
    pub(crate) const ALL: &[Self] = &[Self::Zod, Self::Valibot, Self::Ajv, Self::Survey, Self::Pydantic];

    /// Those that check a value of any shape.
    pub(crate) const OF_SHAPES: &[Self] = &[Self::Zod, Self::Valibot, Self::Ajv, Self::Pydantic];

    fn command(self) -> Command {
        match self {
            Self::Zod => node(&["run.mjs", "zod"]),
            Self::Valibot => node(&["run.mjs", "valibot"]),
            Self::Ajv => node(&["run.mjs", "ajv"]),
            Self::Survey => node(&["run.mjs", "survey"]),
            Self::Pydantic => python(&["pydantic_peer.py"]),
        }
    }
}

/// Report of a peer.
#[derive(Debug, Deserialize)]
struct Report {
    peer: String,
    runtime: String,
    cases: BTreeMap<String, Case>,
}

#[derive(Debug, Deserialize)]
struct Case {
    median_ns: f64,
}

/// The peers' medians.
#[derive(Debug, Default)]
pub(crate) struct Results {
    reports: Vec<Report>,
}

impl Race {
    const fn name(self) -> &'static str {
        match self {
            Self::Requests => "requests",
            Self::First => "first",
            Self::Whole => "whole",
        }
    }

    /// Lets each of these peers run, one after another; none where the run has no peers. The table notes one that cannot
    /// run, refuses a right sample or accepts a broken one.
    ///
    /// # Errors
    /// When the samples cannot be written down.
    pub(crate) fn run(
        self,
        run: &Run,
        table: &mut Table,
        samples: &[Sample],
        libraries: &[Library],
    ) -> anyhow::Result<Results> {
        let mut results = Results::default();
        if run.alone {
            return Ok(results);
        }
        let file = run.folder.path().join(format!("{}.json", self.name()));
        std::fs::write(&file, serde_json::to_vec(samples)?)?;
        for library in libraries {
            match self.report(run, *library, &file) {
                Ok(report) => {
                    table.version(&report.runtime);
                    table.version(&report.peer);
                    results.reports.push(report);
                }
                Err(error) => table.peer_failed(&format!("{library:?}"), &error),
            }
        }
        Ok(results)
    }

    fn report(self, run: &Run, library: Library, file: &Path) -> anyhow::Result<Report> {
        let mut command = library.command();
        command.arg(self.name()).arg(file);
        if run.quick {
            command.arg("--quick");
        }
        let output = command.output().with_context(|| format!("cannot run {command:?}"))?;
        let printed_text = String::from_utf8_lossy(&output.stderr);
        ensure!(output.status.success(), "{library:?} in the row {}: {printed_text}", self.name());
        serde_json::from_slice(&output.stdout).with_context(|| format!("what {library:?} reports"))
    }
}

impl Results {
    /// Returns the sum of each peer's medians of these cases, the fastest peer first.
    pub(crate) fn references(&self, cases: &[&str]) -> Vec<Reference> {
        let mut sums = Vec::new();
        for report in &self.reports {
            let medians: Option<Vec<_>> =
                cases.iter().map(|name| Some(report.cases.get(*name)?.median_ns)).collect();
            if let Some(medians) = medians {
                let library = report.peer.split(' ').next().unwrap_or_default();
                sums.push((Duration::from_secs_f64(medians.iter().sum::<f64>() / 1e9), library));
            }
        }
        sums.sort_unstable();
        sums.into_iter().map(|(time, library)| Reference::new(library, Quantity::Time(time))).collect()
    }
}
