//! `cargo xtask storm`: kills programs that ask, answer, wait and serve with -9 at random moments. Afterwards
//! everything that was acknowledged must be at the desk, with one outcome each.
//!
//! With `--nodes` two servers work on a desk in a database, and they and the database's servers are killed.
//!
//! It proves the logic only: what a dead process wrote is still with the system. Another test proves what a disk keeps.

mod commands;
mod host;
mod killable_process;
mod ledger;
mod network;
mod nodes;
mod person;
mod proof;
mod stage;

use std::path::Path;
use std::process::ExitCode;
use std::thread;
use std::time::{Instant, SystemTime};

use anyhow::{Context, bail};

use crate::program;
use xtask::usage::Usage;

use ::interleavings::Dice;
use ledger::{AskRecord, Counters, Ledger};
use stage::Stage;

/// Default number of kills.
const KILLS: u64 = 300;
/// Number of kills at one desk, before a new one begins.
const KILLS_A_DESK: u64 = 300;
/// Number of lanes that act at once, without the one that serves.
const LANES: u64 = 5;

/// Options of the command line.
#[derive(Debug, PartialEq)]
struct Plan {
    /// Number of kills, if it is not the usual one.
    kills: Option<u64>,
    seed: Option<u64>,
    /// True for nodes of a desk in a database.
    has_nodes: bool,
}

/// Runs the command.
pub(crate) fn run(_: &Path, arguments: &[String]) -> anyhow::Result<ExitCode> {
    let plan = plan(arguments)?;
    let seed = plan.seed.map_or_else(fresh_seed, Ok)?;
    if plan.has_nodes {
        nodes::storm(&program::path("sayso")?, plan.kills.unwrap_or(nodes::KILLS), seed)?;
    } else {
        storm(plan.kills.unwrap_or(KILLS), seed)?;
    }
    Ok(ExitCode::SUCCESS)
}

fn plan(arguments: &[String]) -> Result<Plan, Usage> {
    let mut plan = Plan { kills: None, seed: None, has_nodes: false };
    let mut words = arguments.iter();
    while let Some(word) = words.next() {
        if word == "--nodes" {
            plan.has_nodes = true;
            continue;
        }
        let number = words.next().and_then(|number| number.parse().ok());
        match (word.as_str(), number) {
            ("--kills", Some(kills @ 1..)) => plan.kills = Some(kills),
            ("--seed", Some(seed)) => plan.seed = Some(seed),
            ("--kills" | "--seed", _) => return Err(Usage(format!("`{word}` wants a whole number above 0"))),
            _ => return Err(Usage(format!("`{word}` is not understood here"))),
        }
    }
    Ok(plan)
}

#[expect(clippy::disallowed_methods, reason = "each storm is to be another one")]
fn fresh_seed() -> anyhow::Result<u64> {
    Ok(SystemTime::now().duration_since(SystemTime::UNIX_EPOCH)?.as_millis().try_into()?)
}

fn storm(kills: u64, seed: u64) -> anyhow::Result<()> {
    let sayso = program::path("sayso")?;
    let begun = Instant::now();
    println!("storm: {kills} kills, seed {seed}; servers run without --rate and without quotas");
    let mut total = Counters::default();
    for desk in 0..kills.div_ceil(KILLS_A_DESK) {
        let left = kills - desk * KILLS_A_DESK;
        let counters =
            one_desk(&sayso, left.min(KILLS_A_DESK), seed.wrapping_add(desk)).with_context(|| {
                format!("again: cargo xtask storm --kills {left} --seed {}", seed.wrapping_add(desk))
            })?;
        total += counters;
        if kills > KILLS_A_DESK {
            println!("storm: {} killed after {:.0} s", total.kills, begun.elapsed().as_secs_f64());
        }
    }
    let Counters { kills, asks, lines, ends, late, given, delivered } = total;
    println!(
        "storm: {kills} killed in {:.1} s, seed {seed}. Acknowledged, and all there: {asks} asks, {lines} lines typed, \
         {ends} ends, {late} answers too late, {given} outcomes given, {delivered} deliveries. One outcome each.",
        begun.elapsed().as_secs_f64()
    );
    Ok(())
}

/// Runs the storm at one desk, and proves that nothing is lost.
fn one_desk(sayso: &Path, kills: u64, seed: u64) -> anyhow::Result<Counters> {
    let stage = Stage::new(sayso)?;
    let ledger = Ledger::new(kills);
    let results: Vec<anyhow::Result<()>> = thread::scope(|scope| {
        let lanes: Vec<_> = (0..=LANES)
            .map(|who| {
                let lane = Lane { stage: &stage, ledger: &ledger, dice: Dice::of(seed, who), who, texts: 0 };
                scope.spawn(move || lane.live())
            })
            .collect();
        lanes.into_iter().map(|lane| lane.join().unwrap_or_else(|_| bail!("a lane panicked"))).collect()
    });
    let (records, counters) = ledger.close();
    let proof = results
        .into_iter()
        .collect::<anyhow::Result<Vec<()>>>()
        .and_then(|_| check_proof(&stage, &records, counters));
    match proof {
        Ok(()) => Ok(counters),
        Err(error) => Err(error.context(format!("the desk is kept in {}", stage.keep().display()))),
    }
}

fn check_proof(stage: &Stage, records: &[AskRecord], counters: Counters) -> anyhow::Result<()> {
    proof::examine(stage, records)?;
    let all =
        [counters.asks, counters.lines, counters.ends, counters.late, counters.given, counters.delivered];
    if all.contains(&0) && counters.kills >= KILLS {
        bail!("an act never happened: {counters:?}");
    }
    Ok(())
}

/// Thread that starts and kills programs.
struct Lane<'s> {
    stage: &'s Stage,
    ledger: &'s Ledger,
    dice: Dice,
    who: u64,
    /// Number of texts that it has typed.
    texts: u64,
}

impl Lane<'_> {
    /// Acts until enough programs were killed. The first lane serves, the others choose at random.
    fn live(mut self) -> anyhow::Result<()> {
        while !self.ledger.is_over() {
            let done = if self.who == 0 { self.serve() } else { self.act() };
            if done.is_err() {
                self.ledger.fail();
                return done;
            }
        }
        Ok(())
    }

    fn act(&mut self) -> anyhow::Result<()> {
        match self.dice.below(16) {
            0 | 1 => self.ask_without_waiting(),
            2 => self.ask_and_wait(),
            3 => self.wait_for_known(),
            4 | 5 => self.end_known(),
            6 => self.send_refused_answer(),
            7 | 8 => self.call_tools(),
            9 | 10 => self.ask_over_network(),
            11 => self.answer_over_network(),
            12 | 13 => self.answer_prompts(),
            _ => self.type_in_inbox(),
        }
    }

    /// Returns one of the last asks that fit.
    fn some(&mut self, fits: impl Fn(&AskRecord) -> bool) -> Option<(usize, AskRecord)> {
        self.ledger.pick_recent(&mut self.dice, fits)
    }

    /// Returns one of the last asks whose id is known, most often one that is open.
    fn known(&mut self) -> Option<(usize, AskRecord, String)> {
        let is_any = self.dice.one_in(4);
        let (place, record) =
            self.some(|record| record.id.is_some() && (is_any || record.ends.is_empty()))?;
        let id = record.id.clone()?;
        Some((place, record, id))
    }

    /// Returns a text that no other lane types.
    fn words(&mut self) -> String {
        self.texts += 1;
        format!("words-{}-{}-{}", self.who, self.texts, self.dice.below(10_000))
    }
}

#[cfg(test)]
mod tests {
    use super::{Plan, plan};

    fn planned(line: &str) -> Option<Plan> {
        plan(&line.split_whitespace().map(str::to_owned).collect::<Vec<_>>()).ok()
    }

    #[test]
    fn kills_and_seed_are_options() {
        assert_eq!(planned(""), Some(Plan { kills: None, seed: None, has_nodes: false }));
        let long = Plan { kills: Some(20_000), seed: Some(7), has_nodes: true };
        assert_eq!(planned("--seed 7 --nodes --kills 20000"), Some(long));
        for line in ["--kills", "--kills 0", "--kills many", "--seed", "20000", "--kill 3"] {
            assert_eq!(planned(line), None, "{line}");
        }
    }
}
