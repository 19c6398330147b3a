//! A desk in a database: its store beside the same statements by `pgbench`, one and two nodes over HTTP, and pages of a
//! million open asks.

use crate::Run;
use crate::figures::{Times, millis, per_second};
use crate::floor::pgbench;
use crate::request::new_ask;
use crate::rows::commands::{home, sayso};
use crate::rows::http::{self, Server};
use crate::rows::throughput::{at_once, pair};
use crate::table::{Table, Target, joined};
use anyhow::Context as _;
use sayso_core::Audience;
use sayso_desk::contract::DatabaseServer;
use sayso_desk::token::TokenRole;
use sayso_desk::{Desk as _, PostgresAddress, StoreDesk, TokenDesk as _};
use std::sync::mpsc::channel;
use std::thread;
use std::time::{Duration, Instant};

/// Open asks in the row of pages.
const MILLION: usize = 1_000_000;

/// Turns that are taken by each in comparisons, because the speed of a machine varies.
const TURNS: u8 = 4;

/// Starts a node of a desk in a database.
fn start_node(run: &Run, address: &PostgresAddress, name: &str) -> anyhow::Result<Server> {
    Server::start_at(run, &home(run, name)?, &StoreDesk::open_database(address)?, &address.to_string())
}

/// Ask and answer through the store, 64 at once, beside the same statements from 64 connections.
pub(crate) fn pairs_in_process(run: &Run, table: &mut Table) -> anyhow::Result<()> {
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
    let (rate, floor) = (per_second(count / turns * turns, took), floor / f64::from(TURNS));
    table.row(
        "ask + answer pairs a second in a database, 64 at once",
        format!("{rate:.0} ({:.0} % of pgbench)", 100.0 * rate / floor),
        Target::at_least("≥ 60 % of pgbench", rate / floor, 0.6),
        format!("the same statements by `pgbench -M prepared -c 64`: {floor:.0}"),
    );
    Ok(())
}

/// Ask and answer over HTTP, 64 clients, at a file, at one node and at two nodes.
pub(crate) fn pairs_over_http(run: &Run, table: &mut Table) -> anyhow::Result<()> {
    let count = run.times(4_000) / usize::from(TURNS);
    let database = DatabaseServer::start_durable();
    let address = database.make_desk();
    let file = Server::start(run, &home(run, "database-file")?)?;
    let nodes = [start_node(run, &address, "node-a")?, start_node(run, &address, "node-b")?];
    let [one, two] = &nodes;
    http::pairs(one, count)?;
    let [mut in_file, mut at_one, mut at_two] = [0.0; 3];
    for turn in 1..=usize::from(TURNS) {
        let first = 2 * turn * count;
        in_file += http::pairs_at(&[&file], first, count)?;
        at_one += http::pairs_at(&[one], first, count)?;
        at_two += http::pairs_at(&[one, two], first + count, count)?;
    }
    let [in_file, at_one, at_two] = [in_file, at_one, at_two].map(|rate| rate / f64::from(TURNS));
    table.row(
        "ask + answer pairs a second over HTTP at a database, 64 clients",
        format!("{at_one:.0} ({:.0} % of a file)", 100.0 * at_one / in_file),
        Target::at_least("≥ 92, LangGraph on PostgreSQL", at_one, 92.0),
        format!("a desk file {in_file:.0}"),
    );
    table.row(
        "the same at two nodes of one desk",
        format!("{at_two:.0} ({:.0} % of one node)", 100.0 * at_two / at_one),
        Target::at_least("≥ 80 % of one node on the same machine", at_two / at_one, 0.8),
        "",
    );
    Ok(())
}

/// An answer at one node reaches the client that waits at the other.
pub(crate) fn wakes_across_nodes(run: &Run, table: &mut Table) -> anyhow::Result<()> {
    let database = DatabaseServer::start_durable();
    let address = database.make_desk();
    let nodes = [start_node(run, &address, "wake-a")?, start_node(run, &address, "wake-b")?];
    let (mut asker, mut waiter, mut person) = (nodes[0].client()?, nodes[0].client()?, nodes[1].client()?);
    let mut times = Times::default();
    let (send, receive) = channel();
    thread::scope(|scope| {
        let (begin, begun) = channel::<String>();
        scope.spawn(move || -> anyhow::Result<()> {
            for path in begun {
                waiter.call("GET", &path, "")?;
                send.send(Instant::now())?;
            }
            Ok(())
        });
        for number in 0..run.times(400) {
            let (id, shown) = http::ask(&mut asker, number)?;
            begin.send(format!("/v1/asks/{id}/outcome?wait=30"))?;
            nodes[0].wait_for_waits(1)?;
            let start = Instant::now();
            http::answer(&mut person, &id, &shown)?;
            times.push(receive.recv_timeout(Duration::from_secs(30))?.saturating_duration_since(start));
        }
        anyhow::Ok(())
    })?;
    table.row(
        "answer at one node → client that waits at another, durable",
        times.shown(),
        Target::median(&times, Duration::from_millis(15)),
        "",
    );
    Ok(())
}

/// Pages of a million open asks, and the start of a node at them.
pub(crate) fn million(run: &Run, table: &mut Table) -> anyhow::Result<()> {
    let count = if run.quick { MILLION / 50 } else { MILLION };
    let database = DatabaseServer::start_durable();
    let address = database.make_desk();
    let desk = StoreDesk::open_database(&address)?;
    // Nearly all are for another person.
    for (number, account) in ["bob", "ada", "ada", "ada"].into_iter().enumerate() {
        let ask = sayso_core::NewAsk {
            audience: Some(Audience::of_account(account.to_owned())),
            ..new_ask(number)?
        };
        desk.open(None, ask)?;
    }
    pgbench::multiply(&database, count)?;
    let (_, secret) = desk.new_token(TokenRole::Person, "ada", None)?;
    let (_, all) = desk.new_token(TokenRole::Person, "bob", None)?;
    let node = start_node(run, &address, "database-million")?;
    for (token, whose) in [(all.reveal(), "whose are nearly all"), (secret.reveal(), "whose are 3")] {
        let mut client = node.client_with(token)?;
        let times = Times::of(run.times(300), || client.call("GET", "/v1/asks?rows=200", "").map(drop))?;
        table.row(
            &format!("a page of {count} open in a database, of a person {whose}, over HTTP"),
            times.shown(),
            Target::median(&times, Duration::from_millis(5)),
            "",
        );
    }
    let folder = home(run, "database-start")?;
    let floor = Times::of(run.times(60), || {
        let status = sayso(run, &folder).arg("--version").status()?;
        status.success().then_some(()).context("no version")
    })?;
    let address = address.to_string();
    let start = || Server::launch(run, &folder, &address, String::new(), &[]).map(drop);
    let times = Times::of(run.times(60), start)?;
    table.row(
        &format!("`sayso serve` until it takes requests, {count} open in a database"),
        times.shown(),
        Target::median(&times, Duration::from_millis(50)),
        joined([format!("`sayso --version` {}", millis(floor.median()))]),
    );
    Ok(())
}
