//! The peers in other languages: validators and a form library, each in a process of its own that takes its time itself
//! and reports as one line of JSON. Every contestant of a race gets the same samples from the same file.

use crate::figures::micros;
use crate::others::{node, python};
use crate::table::Table;
use crate::{Run, missing};
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
    /// The answers' text to a verdict, with the schema at hand.
    Answers,
    /// Both texts to a verdict: the questionnaire is checked too, by those that can.
    Whole,
    /// One answer changes, and questions come or go.
    Changed,
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
    /// Peers that did not run, with the reasons.
    missing: Vec<String>,
}

impl Race {
    const fn name(self) -> &'static str {
        match self {
            Self::Requests => "requests",
            Self::First => "first",
            Self::Answers => "answers",
            Self::Whole => "whole",
            Self::Changed => "changed",
        }
    }

    /// Lets each of these peers run, one after another; none where the run has no peers. One that cannot run, refuses a
    /// right sample or accepts a broken one is told of in its place.
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
                Err(error) => results.missing.push(missing(&format!("{library:?}"), &error)),
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
    /// The medians of a case, the fastest first.
    fn cases(&self, name: &str) -> Vec<(Duration, &str)> {
        let mut cases: Vec<_> = self
            .reports
            .iter()
            .filter_map(|report| {
                Some((Duration::from_secs_f64(report.cases.get(name)?.median_ns / 1e9), report.peer.as_str()))
            })
            .collect();
        cases.sort_unstable();
        cases
    }

    /// The median of the fastest.
    pub(crate) fn fastest(&self, name: &str) -> Option<Duration> {
        self.cases(name).first().map(|(time, _)| *time)
    }

    /// The medians of a case, the fastest first, each with how many times our own it is; and who did not run.
    pub(crate) fn beside(&self, name: &str, ours: Duration) -> String {
        let shown = |(time, peer): &(Duration, &str)| {
            let library = peer.split(' ').next().unwrap_or_default();
            format!("{library} {} ({:.1} ×)", micros(*time), time.as_secs_f64() / ours.as_secs_f64())
        };
        let cases = self.cases(name);
        cases.iter().map(shown).chain(self.missing.iter().cloned()).collect::<Vec<_>>().join(" · ")
    }
}
