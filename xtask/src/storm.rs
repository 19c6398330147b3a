//! `cargo xtask storm`: who asks, answers, waits and serves is killed with -9 at random moments, and afterwards
//! everything that was acknowledged must be at the desk, with one outcome each.
//!
//! It proves the logic only: a process that dies leaves what it wrote with the system. What a disk forgets is another
//! test's.

mod commands;
mod doomed;
mod host;
mod ledger;
mod network;
mod person;
mod proof;
mod stage;

use std::path::Path;
use std::process::ExitCode;
use std::thread;
use std::time::{Instant, SystemTime};

use anyhow::{Context, bail};

use crate::Usage;
use crate::codegen::program;

use ::interleavings::Dice;
use ledger::{Ledger, Note, Tally};
use stage::Stage;

/// Default number of kills.
const KILLS: u64 = 300;
/// So many are killed at one desk; then there is a new one.
const KILLS_A_DESK: u64 = 300;
/// So many act at once, beside the server.
const LANES: u64 = 5;

/// Options of the command line.
#[derive(Debug, PartialEq)]
struct Plan {
    kills: u64,
    seed: Option<u64>,
}

/// Runs the command.
pub(crate) fn run(root: &Path, arguments: &[String]) -> anyhow::Result<ExitCode> {
    let plan = plan(arguments)?;
    storm(root, plan.kills, plan.seed.map_or_else(fresh_seed, Ok)?)?;
    Ok(ExitCode::SUCCESS)
}

/// As many as fit into a check.
pub(crate) fn check(root: &Path) -> anyhow::Result<()> {
    storm(root, KILLS, fresh_seed()?)
}

fn plan(arguments: &[String]) -> Result<Plan, Usage> {
    let mut plan = Plan { kills: KILLS, seed: None };
    let mut words = arguments.iter();
    while let Some(word) = words.next() {
        let number = words.next().and_then(|number| number.parse().ok());
        match (word.as_str(), number) {
            ("--kills", Some(kills @ 1..)) => plan.kills = kills,
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

fn storm(root: &Path, kills: u64, seed: u64) -> anyhow::Result<()> {
    let sayso = program::build(root)?;
    let begun = Instant::now();
    println!("storm: {kills} kills, seed {seed}; servers run without --rate and without quotas");
    let mut total = Tally::default();
    for desk in 0..kills.div_ceil(KILLS_A_DESK) {
        let left = kills - desk * KILLS_A_DESK;
        let tally = one_desk(&sayso, left.min(KILLS_A_DESK), seed.wrapping_add(desk)).with_context(|| {
            format!("again: cargo xtask storm --kills {left} --seed {}", seed.wrapping_add(desk))
        })?;
        total += tally;
        if kills > KILLS_A_DESK {
            println!("storm: {} killed after {:.0} s", total.kills, begun.elapsed().as_secs_f64());
        }
    }
    let Tally { kills, asks, lines, ends, late, given, delivered } = total;
    println!(
        "storm: {kills} killed in {:.1} s, seed {seed}. Acknowledged, and all there: {asks} asks, {lines} lines typed, \
         {ends} ends, {late} answers too late, {given} outcomes given, {delivered} deliveries. One outcome each.",
        begun.elapsed().as_secs_f64()
    );
    Ok(())
}

/// One desk's storm, and the proof that nothing is lost.
fn one_desk(sayso: &Path, kills: u64, seed: u64) -> anyhow::Result<Tally> {
    let stage = Stage::new(sayso)?;
    let ledger = Ledger::new(kills);
    let fates: Vec<anyhow::Result<()>> = thread::scope(|scope| {
        let lanes: Vec<_> = (0..=LANES)
            .map(|who| {
                let lane = Lane { stage: &stage, ledger: &ledger, dice: Dice::of(seed, who), who, said: 0 };
                scope.spawn(move || lane.live())
            })
            .collect();
        lanes.into_iter().map(|lane| lane.join().unwrap_or_else(|_| bail!("a lane fell over"))).collect()
    });
    let (notes, tally) = ledger.close();
    let proof =
        fates.into_iter().collect::<anyhow::Result<Vec<()>>>().and_then(|_| judged(&stage, &notes, tally));
    match proof {
        Ok(()) => Ok(tally),
        Err(error) => Err(error.context(format!("the desk is kept in {}", stage.keep().display()))),
    }
}

fn judged(stage: &Stage, notes: &[Note], tally: Tally) -> anyhow::Result<()> {
    proof::examine(stage, notes)?;
    let all = [tally.asks, tally.lines, tally.ends, tally.late, tally.given, tally.delivered];
    if all.contains(&0) && tally.kills >= KILLS {
        bail!("there is something that nobody did: {tally:?}");
    }
    Ok(())
}

/// One of those who act at once.
struct Lane<'s> {
    stage: &'s Stage,
    ledger: &'s Ledger,
    dice: Dice,
    who: u64,
    /// Number of its outputs.
    said: u64,
}

impl Lane<'_> {
    /// Acts until enough were killed. The first lane serves, the others do anything.
    fn live(mut self) -> anyhow::Result<()> {
        while !self.ledger.is_over() {
            let done = if self.who == 0 { self.serves() } else { self.acts() };
            if done.is_err() {
                self.ledger.fail();
                return done;
            }
        }
        Ok(())
    }

    fn acts(&mut self) -> anyhow::Result<()> {
        match self.dice.below(16) {
            0 | 1 => self.leaves(),
            2 => self.asks_and_waits(),
            3 => self.waits(),
            4 | 5 => self.ends(),
            6 => self.is_refused(),
            7 | 8 => self.calls(),
            9 | 10 => self.asks_over_network(),
            11 => self.answers_over_network(),
            12 | 13 => self.prompts(),
            _ => self.types_in_inbox(),
        }
    }

    /// One of the last asks that fit.
    fn some(&mut self, fits: impl Fn(&Note) -> bool) -> Option<(usize, Note)> {
        self.ledger.one_where(&mut self.dice, fits)
    }

    /// One of the last asks whose id is known, mostly one that nobody has ended.
    fn known(&mut self) -> Option<(usize, Note, String)> {
        let is_any = self.dice.one_in(4);
        let (place, note) = self.some(|note| note.id.is_some() && (is_any || note.ends.is_empty()))?;
        let id = note.id.clone()?;
        Some((place, note, id))
    }

    /// Words that nobody else says.
    fn words(&mut self) -> String {
        self.said += 1;
        format!("words-{}-{}-{}", self.who, self.said, self.dice.below(10_000))
    }
}

#[cfg(test)]
mod tests {
    use super::{KILLS, Plan, plan};

    fn planned(line: &str) -> Option<Plan> {
        plan(&line.split_whitespace().map(str::to_owned).collect::<Vec<_>>()).ok()
    }

    #[test]
    fn kills_and_a_seed_may_be_told() {
        assert_eq!(planned(""), Some(Plan { kills: KILLS, seed: None }));
        assert_eq!(planned("--seed 7 --kills 20000"), Some(Plan { kills: 20_000, seed: Some(7) }));
        for line in ["--kills", "--kills 0", "--kills many", "--seed", "20000", "--kill 3"] {
            assert_eq!(planned(line), None, "{line}");
        }
    }
}
