//! Cost of reading a request: in each dialect, from text to the core's questionnaire, next to validators that only
//! report whether it is valid.

use crate::Run;
use crate::figures::Times;
use crate::rows::peers::validators::{Library, Race, Sample};
use crate::table::{Table, Target};
use anyhow::ensure;
use sayso_core::Problem;
use sayso_dialects::{Dialect, DialectLimits};
use serde::Deserialize;
use serde_json::value::RawValue;
use std::hint::black_box;
use std::time::Duration;

/// The request of a dialect as text, and replacements that each make it wrong.
fn source(dialect: Dialect) -> (&'static str, &'static [(&'static str, &'static str)]) {
    const SEVERAL: (&str, &str) = (r#""multiSelect":true"#, r#""multiSelect":"yes""#);
    const OPTIONS: (&str, &str) =
        (r#""options":["#, r#""options":[{"label":"One too many","description":"x"},"#);
    match dialect {
        Dialect::Sayso => (
            include_str!("../../../examples/onboard-service.json"),
            &[
                (r#""prompt":"What is it called?""#, r#""prompt":"""#),
                (r#""id":"ts","label""#, r#""id":"ts","lable""#),
                (r#""pattern":"^"#, r#""pattern":"(^"#),
            ],
        ),
        Dialect::Questionnaire => (
            include_str!("../../../crates/dialects/tests/vectors/questionnaire/201-schema-full-example.json"),
            &[(r#""type":"confirm""#, r#""type":"confirmed""#), (r#""value":"svelte","#, "")],
        ),
        Dialect::AskUserQuestion => {
            (include_str!("../../samples/ask_user_question.json"), &[SEVERAL, OPTIONS])
        }
        Dialect::Auq => (include_str!("../../samples/auq.json"), &[SEVERAL, OPTIONS]),
        Dialect::Interaction => (
            include_str!("../../samples/interaction.json"),
            &[
                (r#""type":"radio""#, r#""type":"radios""#),
                (r#""required":true"#, r#""required":"yes""#),
                (r#""pattern":"^"#, r#""pattern":"(^"#),
            ],
        ),
        Dialect::Interrupt => (
            include_str!("../../samples/interrupt.json"),
            &[(r#""allow_custom":true"#, r#""allow_custom":"yes""#), (r#""value":"upsert""#, r#""value":3"#)],
        ),
    }
}

/// The request that a test vector holds.
#[derive(Deserialize)]
struct Vector {
    input: Box<RawValue>,
}

/// Without the white space between its parts, as agents send it.
fn compact(text: &str) -> String {
    let (mut inside, mut escaped) = (false, false);
    let kept = |character: &char| {
        let keep = inside || !character.is_whitespace();
        if *character == '"' && !escaped {
            inside = !inside;
        }
        escaped = *character == '\\' && !escaped;
        keep
    };
    text.chars().filter(kept).collect()
}

fn sample(dialect: Dialect) -> anyhow::Result<Sample> {
    let (text, faults) = source(dialect);
    let text = match dialect {
        Dialect::Questionnaire => compact(serde_json::from_str::<Vector>(text)?.input.get()),
        _ => compact(text),
    };
    let mut broken = Vec::new();
    for (right, wrong) in faults {
        ensure!(text.contains(right), "{}: no {right} to break", dialect.name());
        broken.push(text.replacen(right, wrong, 1));
    }
    Ok(Sample { name: dialect.name().to_owned(), request: String::new(), valid: text, broken })
}

/// Returns whether the sample asks only choices, for which the limit was set. The others are forms with
/// conditions, patterns, and questions within questions.
fn is_plain(dialect: Dialect) -> bool {
    match dialect {
        Dialect::AskUserQuestion | Dialect::Auq | Dialect::Interrupt => true,
        Dialect::Sayso | Dialect::Questionnaire | Dialect::Interaction => false,
    }
}

/// Requests of each dialect.
pub(crate) fn requests(run: &Run, table: &mut Table) -> anyhow::Result<()> {
    let samples = Dialect::ALL.into_iter().map(sample).collect::<Result<Vec<_>, _>>()?;
    let ours: Vec<_> =
        Dialect::ALL.into_iter().zip(&samples).map(|(dialect, sample)| time(run, dialect, sample)).collect();
    let peers = Race::Requests.run(run, table, &samples, Library::OF_SHAPES)?;
    let mut failed = None;
    for ((dialect, times), sample) in Dialect::ALL.into_iter().zip(ours).zip(&samples) {
        let what = format!("{} request of {} bytes from text", sample.name, sample.valid.len());
        match times {
            Ok(times) => {
                let beside = peers.beside(&sample.name, times.median());
                let faster = Target::faster(&times, peers.fastest(&sample.name), 1.0);
                let target = match is_plain(dialect) {
                    true => Target::median(&times, Duration::from_nanos(3_500)).and(faster),
                    false => faster,
                };
                table.row(&what, times.micros(), target, beside);
            }
            Err(error) => failed = failed.or(Some(error)),
        }
    }
    // The results that exist are reported first.
    failed.map_or(Ok(()), Err)
}

fn time(run: &Run, dialect: Dialect, sample: &Sample) -> anyhow::Result<Times> {
    let limits = DialectLimits::default();
    let accepted = sample.broken.iter().find(|text| dialect.read(text, &limits).is_ok());
    ensure!(accepted.is_none(), "{} accepts {accepted:?}", sample.name);
    let refused =
        |problems: Vec<Problem>| anyhow::anyhow!("{} refuses its sample: {problems:?}", sample.name);
    dialect.read(&sample.valid, &limits).map_err(refused)?;
    Times::batched(run.times(1_000), || {
        ensure!(black_box(dialect.read(black_box(&sample.valid), &limits)).is_ok(), "the request is right");
        Ok(())
    })
}
