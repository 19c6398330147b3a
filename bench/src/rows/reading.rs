//! Cost of reading a request: in each dialect, from text to the core's questionnaire, next to validators that only
//! report whether it is valid.

use crate::Run;
use crate::figures::Times;
use crate::rows::peers::validators::{Library, Race, Sample};
use crate::table::{Quantity, Table};
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

/// Requests of all dialects: who leads in a single one flips from run to run.
pub(crate) fn requests(run: &Run, table: &mut Table) -> anyhow::Result<()> {
    let samples = Dialect::ALL.into_iter().map(sample).collect::<Result<Vec<_>, _>>()?;
    let mut sum = Duration::ZERO;
    for (dialect, sample) in Dialect::ALL.into_iter().zip(&samples) {
        sum += time(run, dialect, sample)?.median();
    }
    let peers = Race::Requests.run(run, table, &samples, Library::OF_SHAPES)?;
    let names: Vec<_> = samples.iter().map(|sample| sample.name.as_str()).collect();
    table.row("a request of each of six formats from text", Quantity::Time(sum), peers.references(&names));
    Ok(())
}

fn time(run: &Run, dialect: Dialect, sample: &Sample) -> anyhow::Result<Times> {
    let limits = DialectLimits::default();
    let accepted = sample.broken.iter().find(|text| dialect.read(text.as_str(), &limits).is_ok());
    ensure!(accepted.is_none(), "{} accepts {accepted:?}", sample.name);
    let refused =
        |problems: Vec<Problem>| anyhow::anyhow!("{} refuses its sample: {problems:?}", sample.name);
    dialect.read(&sample.valid, &limits).map_err(refused)?;
    Times::batched(run.times(1_000), || {
        ensure!(black_box(dialect.read(black_box(&sample.valid), &limits)).is_ok(), "the request is right");
        Ok(())
    })
}
