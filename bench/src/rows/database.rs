//! A desk in a database: its store, next to the same statements by `pgbench`.

use crate::Run;
use crate::figures::per_second;
use crate::floor::pgbench;
use crate::table::{Quantity, Reference, Table};
use crate::workload::{at_once, pair};
use sayso_desk::StoreDesk;
use sayso_desk::contract::DatabaseServer;
use std::time::{Duration, Instant};

/// Turns that are taken by each in comparisons, because the speed of a machine varies.
const TURNS: u8 = 4;

/// Ask and answer through the store, 64 at once, next to the same statements from 64 connections.
pub(crate) fn pairs(run: &Run, table: &mut Table) -> anyhow::Result<()> {
    let server = DatabaseServer::start_durable();
    let desk = StoreDesk::open_database(&server.make_desk())?;
    let floor_desk = server.make_desk();
    let count = run.times(8_000);
    at_once(count / 8, |number| pair(&desk, 10_000_000 + number))?;
    let (mut took, mut floor, turns) = (Duration::ZERO, 0.0, usize::from(TURNS));
    for turn in 0..turns {
        let start = Instant::now();
        at_once(count / turns, |number| pair(&desk, turn * count + number))?;
        took += start.elapsed();
        floor += pgbench::pairs_per_second(run, &server, &floor_desk)?;
    }
    let rate = Quantity::Rate(per_second(count / turns * turns, took));
    let pgbench = Reference::new("pgbench", Quantity::Rate(floor / f64::from(TURNS)));
    table.row("durable ask + answer in a PostgreSQL database, 64 at once", rate, vec![pgbench]);
    Ok(())
}
