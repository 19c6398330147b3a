//! Nodes that lose their database, their link or their processor for a while: nothing confirmed is lost, nothing late
//! is stored, and the others go on.

use super::load::Load;
use super::{new_token, start_node};
use crate::support::program::signal;
use crate::support::proxy::tcp_proxy::TcpProxy;
use crate::support::test_world::TestWorld;
use sayso_desk::contract::DatabaseServer;
use sayso_desk::{PostgresAddress, StoreDesk};
use std::thread;
use std::time::{Duration, Instant};

/// Time after which the database takes the lock from a node that stands still, with that of its next transaction.
const LOCK_TIME: Duration = Duration::from_secs(20);

/// Returns the name of a new desk at this server.
fn make_desk(server: &DatabaseServer) -> String {
    let address = server.make_database();
    StoreDesk::migrate_database(&PostgresAddress::parse(&address).unwrap()).unwrap();
    address
}

fn open(address: &str) -> StoreDesk {
    StoreDesk::open_database(&PostgresAddress::parse(address).unwrap()).unwrap()
}

#[test]
fn killed_primary_loses_nothing_confirmed() {
    let (world, primary) = (TestWorld::new(), DatabaseServer::start());
    make_desk(&primary);
    let standby = primary.start_synchronous_standby();
    let desk = primary.address_with_standby(&standby, "desk0");
    let token = new_token(&world, &desk, "asker", "ci");
    let nodes = [start_node(&world, &desk), start_node(&world, &desk)];
    let callers = nodes.each_ref().map(|node| node.with_token(&token));
    let load = Load::default();
    thread::scope(|scope| {
        load.start(scope, &callers, 8);
        let begun = Instant::now();
        load.wait_for(0, 100, begun);
        load.wait_for(1, 100, begun);
        let killed = Instant::now();
        primary.kill_9();
        standby.promote();
        for node in [0, 1] {
            let acks = load.wait_for(node, 20, killed);
            let whole = acks.iter().map(|ack| ack.ended).min().unwrap() - killed;
            assert!(whole < Duration::from_secs(20), "node {node}: {whole:?}");
        }
        load.end();
    });
    load.judge(&open(&desk));
}

#[test]
fn frozen_link_holds_no_other_node() {
    let (world, server) = (TestWorld::new(), DatabaseServer::start_at_port());
    let desk = make_desk(&server);
    let proxy = TcpProxy::start(server.port());
    let token = new_token(&world, &desk, "asker", "ci");
    let behind = format!("postgres://sayso@127.0.0.1:{}/desk0", proxy.port);
    let nodes = [start_node(&world, &behind), start_node(&world, &desk)];
    let callers = nodes.each_ref().map(|node| node.with_token(&token));
    let load = Load::default();
    thread::scope(|scope| {
        load.start(scope, &callers, 4);
        let begun = Instant::now();
        load.wait_for(0, 50, begun);
        load.wait_for(1, 50, begun);
        let frozen = Instant::now();
        proxy.freeze();
        load.wait_for(1, 100, frozen);
        let gap = load.longest_gap(1, frozen);
        assert!(gap < LOCK_TIME, "the other node stood still for {gap:?}");
        let thawed = Instant::now();
        proxy.thaw();
        load.wait_for(0, 20, thawed);
        assert_late_writes_refused(&load, gap);
        // A link that breaks costs a repetition.
        let cut = Instant::now();
        proxy.cut();
        load.wait_for(0, 20, cut);
        load.end();
    });
    load.judge(&open(&desk));
}

/// Checks that a node that kept the lock for this time was refused what it wrote then.
fn assert_late_writes_refused(load: &Load, gap: Duration) {
    let had_lock = gap > Duration::from_millis(4_800);
    assert!(
        !had_lock || load.waits_for_refusal(0),
        "the lock was gone after {gap:?}, and nothing was refused"
    );
}

#[test]
fn stopped_node_loses_its_lock() {
    let (world, server) = (TestWorld::new(), DatabaseServer::start());
    let desk = make_desk(&server);
    let token = new_token(&world, &desk, "asker", "ci");
    let nodes = [start_node(&world, &desk), start_node(&world, &desk)];
    let callers = nodes.each_ref().map(|node| node.with_token(&token));
    let load = Load::default();
    thread::scope(|scope| {
        load.start(scope, &callers, 4);
        let begun = Instant::now();
        load.wait_for(0, 50, begun);
        load.wait_for(1, 50, begun);
        let stopped = Instant::now();
        signal(nodes[0].program.pid, "STOP");
        load.wait_for(1, 100, stopped);
        let gap = load.longest_gap(1, stopped);
        assert!(gap < LOCK_TIME, "the other node stood still for {gap:?}");
        let resumed = Instant::now();
        signal(nodes[0].program.pid, "CONT");
        load.wait_for(0, 20, resumed);
        assert_late_writes_refused(&load, gap);
        load.end();
    });
    load.judge(&open(&desk));
}
