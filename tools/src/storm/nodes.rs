//! Storm over two nodes of one desk in a database with a synchronous standby. Nodes, the database's server and its
//! standby are killed; what callers were told is judged as the histories of the interleavings are.

mod callers;
mod cluster;

use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};

use super::killable_process::{KillableProcess, Reads};
use super::stage::Stage;
use callers::Callers;
use cluster::Cluster;
use interleavings::Dice;

/// Usual number of kills.
pub(super) const KILLS: u64 = 60;

/// Shortest lifetime of a node, and the longest time added to it.
const NODE_LIFE: (Duration, Duration) = (Duration::from_millis(700), Duration::from_millis(2_500));

/// Shortest time between two deaths of database servers, and the longest time added to it.
const SERVER_LIFE: (Duration, Duration) = (Duration::from_millis(1_500), Duration::from_millis(4_000));

/// Number of lanes: two nodes, who kills servers, two who ask, and three who end asks.
const LANES: u64 = 8;

/// Interval at which a lane looks whether the storm is over.
const LOOK: Duration = Duration::from_millis(50);

/// Longest time of a storm: for its start, and for each kill. It fails if something stands still.
const LIMIT: (Duration, Duration) = (Duration::from_mins(2), Duration::from_secs(5));

/// Progress of the storm.
struct Progress {
    wanted: u64,
    ends_at: Instant,
    nodes: AtomicU64,
    primaries: AtomicU64,
    standbys: AtomicU64,
    has_failed: AtomicBool,
}

impl Progress {
    fn new(wanted: u64) -> Self {
        let limit = LIMIT.0 + LIMIT.1.saturating_mul(u32::try_from(wanted).unwrap_or(u32::MAX));
        let [nodes, primaries, standbys] = Default::default();
        let (ends_at, has_failed) = (Instant::now() + limit, AtomicBool::new(false));
        Self { wanted, ends_at, nodes, primaries, standbys, has_failed }
    }

    /// Returns the kills of nodes, of servers and of standbys.
    fn kills(&self) -> [u64; 3] {
        [&self.nodes, &self.primaries, &self.standbys].map(|count| count.load(Ordering::Relaxed))
    }

    /// Returns true once enough was killed, and of each kind.
    fn has_killed_enough(&self) -> bool {
        let kills = self.kills();
        !kills.contains(&0) && kills.iter().sum::<u64>() >= self.wanted
    }

    fn is_over(&self) -> bool {
        self.has_failed.load(Ordering::Relaxed) || self.has_killed_enough() || Instant::now() >= self.ends_at
    }

    /// Runs a lane, and ends the others if it fails.
    fn run(&self, lane: impl FnOnce() -> anyhow::Result<()>) -> anyhow::Result<()> {
        /// Sets the mark even if the lane panics.
        struct FailureMark<'p>(&'p AtomicBool, bool);
        impl Drop for FailureMark<'_> {
            fn drop(&mut self) {
                self.0.fetch_or(self.1, Ordering::Relaxed);
            }
        }
        let mut mark = FailureMark(&self.has_failed, true);
        let result = lane();
        mark.1 = result.is_err();
        result
    }
}

/// Work of one thread.
type Lane<'s> = Box<dyn FnOnce() -> anyhow::Result<()> + Send + 's>;

/// Runs the storm, and judges what is at the desk afterwards.
pub(super) fn storm(sayso: &Path, kills: u64, seed: u64) -> anyhow::Result<()> {
    let begun = Instant::now();
    println!("storm over two nodes: {kills} kills, seed {seed}");
    let (stage, cluster) = (Stage::new(sayso)?, Cluster::start()?);
    let callers = Callers::new(&cluster.open_desk()?)?;
    let progress = Progress::new(kills);
    let results: Vec<anyhow::Result<()>> = thread::scope(|scope| {
        let lane = |who| -> Lane<'_> {
            let (stage, cluster, callers, progress) = (&stage, &cluster, &callers, &progress);
            let mut dice = Dice::of(seed, who);
            match who {
                0 | 1 => Box::new(move || run_node(stage, cluster, callers, progress, who, &mut dice)),
                2 => Box::new(move || kill_servers(cluster, progress, &mut dice)),
                3 | 4 => Box::new(move || callers.ask(who, progress, &mut dice)),
                _ => Box::new(move || callers.end_asks(who, progress, &mut dice)),
            }
        };
        let progress = &progress;
        let lanes: Vec<_> =
            (0..LANES).map(lane).map(|lane| scope.spawn(move || progress.run(lane))).collect();
        lanes.into_iter().map(|lane| lane.join().unwrap_or_else(|_| bail!("a lane panicked"))).collect()
    });
    let again = || format!("again: cargo xtask storm --nodes --kills {kills} --seed {seed}");
    results.into_iter().collect::<anyhow::Result<Vec<()>>>().with_context(again)?;
    let [nodes, primaries, standbys] = progress.kills();
    let killed = format!("{nodes} nodes, {primaries} servers and {standbys} standbys killed");
    if !progress.has_killed_enough() {
        bail!("it stands still, {killed}; {}", again());
    }
    let judged = cluster.open_desk().and_then(|desk| callers.judge(&desk)).with_context(again)?;
    println!("storm: {killed} in {:.1} s, seed {seed}. {judged}", begun.elapsed().as_secs_f64());
    Ok(())
}

/// Runs a node until its death, again and again.
fn run_node(
    stage: &Stage,
    cluster: &Cluster,
    callers: &Callers,
    progress: &Progress,
    who: u64,
    dice: &mut Dice,
) -> anyhow::Result<()> {
    let place = usize::try_from(who)?;
    while !progress.is_over() {
        let life = NODE_LIFE.0 + dice.time_within(NODE_LIFE.1);
        let mut command =
            stage.sayso(&["serve", "--listen", "127.0.0.1:0", "--rate", "0", "--asks-per-hour", "0"]);
        command.env("SAYSO_DESK", cluster.address());
        let mut node = KillableProcess::start(&mut command, Reads::Stdout, life)?;
        if node.read_until(|output| output.contains(&b'\n')) {
            let output = String::from_utf8_lossy(node.output()).into_owned();
            let address = output.lines().next().and_then(|line| line.strip_prefix("http://"));
            callers.set_node(place, address.map(str::to_owned));
        }
        while !progress.is_over() && !node.read_for(LOOK) {}
        callers.set_node(place, None);
        // One that finds no database ends by itself.
        let was_killed = node.kill_and_wait()?.exit.is_none();
        progress.nodes.fetch_add(was_killed.into(), Ordering::Relaxed);
    }
    Ok(())
}

/// Kills the database's server or its standby, again and again: of three deaths one is a standby's.
fn kill_servers(cluster: &Cluster, progress: &Progress, dice: &mut Dice) -> anyhow::Result<()> {
    let first = dice.below(3);
    for number in first.. {
        let next = Instant::now() + SERVER_LIFE.0 + dice.time_within(SERVER_LIFE.1);
        while Instant::now() < next {
            if progress.is_over() {
                return Ok(());
            }
            thread::park_timeout(LOOK);
        }
        let count = if number % 3 == 0 {
            cluster.replace_standby();
            &progress.standbys
        } else {
            cluster.fail_over();
            &progress.primaries
        };
        count.fetch_add(1, Ordering::Relaxed);
    }
    Ok(())
}
