//! The peers in other languages: validators and a form library, each in a process of its own that takes its time itself
//! and reports as one line of JSON. Every contestant of a race gets the same samples from the same file.

use crate::Run;
use crate::figures::{Table, micros};
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
    /// What has to be accepted.
    pub(crate) valid: String,
    /// What has to be refused.
    pub(crate) broken: Vec<String>,
}

/// What is raced.
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

    /// The program, and the words that come before the row.
    const fn command(self) -> (&'static str, &'static [&'static str]) {
        match self {
            Self::Zod => ("node", &["run.mjs", "zod"]),
            Self::Valibot => ("node", &["run.mjs", "valibot"]),
            Self::Ajv => ("node", &["run.mjs", "ajv"]),
            Self::Survey => ("node", &["run.mjs", "survey"]),
            Self::Pydantic => (".venv/bin/python", &["pydantic_peer.py"]),
        }
    }
}

/// What a peer reports.
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
pub(crate) struct Results(Vec<Report>);

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

    /// Lets each of these peers run, one after another; none where the run has no peers.
    ///
    /// # Errors
    /// When a peer cannot run, refuses a right sample or accepts a broken one.
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
            let report = self.report(run, *library, &file)?;
            table.version(&report.runtime);
            table.version(&report.peer);
            results.0.push(report);
        }
        Ok(results)
    }

    fn report(self, run: &Run, library: Library, file: &Path) -> anyhow::Result<Report> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("peers");
        let (program, words) = library.command();
        // A program with a path is meant from the folder of the peers.
        let program = if program.contains('/') { folder.join(program) } else { program.into() };
        let mut command = Command::new(&program);
        command.current_dir(&folder).args(words).arg(self.name()).arg(file);
        if run.quick {
            command.arg("--quick");
        }
        let output = command.output().with_context(|| format!("cannot run {}", program.display()))?;
        let said = String::from_utf8_lossy(&output.stderr);
        ensure!(output.status.success(), "{library:?} in the row {}: {said}", self.name());
        serde_json::from_slice(&output.stdout).with_context(|| format!("what {library:?} reports"))
    }
}

impl Results {
    /// The medians of a case, the fastest first, each with how many times our own it is.
    pub(crate) fn beside(&self, name: &str, ours: Duration) -> String {
        let case = |report: &'_ Report| Some((report.cases.get(name)?.median_ns, report.peer.clone()));
        let mut cases: Vec<_> = self.0.iter().filter_map(case).collect();
        cases.sort_by(|(a, _), (b, _)| a.total_cmp(b));
        let shown = |(nanos, peer): &(f64, String)| {
            let library = peer.split(' ').next().unwrap_or_default();
            let time = Duration::from_secs_f64(nanos / 1e9);
            format!("{library} {} ({:.1} ×)", micros(time), time.as_secs_f64() / ours.as_secs_f64())
        };
        cases.iter().map(shown).collect::<Vec<_>>().join(" · ")
    }
}
