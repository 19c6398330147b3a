//! Nodes that lose their database, their link or their processor for a while: nothing confirmed is lost, nothing late
//! is stored, and the others go on.

use super::load::Load;
use super::{new_token, start_node};
use crate::support::program::signal;
use crate::support::proxy::tcp_proxy::TcpProxy;
use crate::support::test_world::TestWorld;
use sayso_desk::contract::DatabaseServer;
use sayso_desk::{PostgresAddress, StoreDesk};
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// Time after which a write is served again, from the promotion of the standby on.
const WHOLE_WITHIN: Duration = Duration::from_secs(8);

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
            assert!(whole < WHOLE_WITHIN, "node {node}: {whole:?}");
        }
        load.end();
    });
    load.judge(&open(&desk));
}

/// Lets nodes write at a desk whose server goes silent, and its standby take over. Each node must serve a write again soon
/// after that, and say at any time within a second whether it can.
fn leave_silent_server(
    desk: &str,
    token: &str,
    world: &TestWorld,
    silence: impl FnOnce(),
    standby: &DatabaseServer,
) {
    let nodes = [start_node(world, desk), start_node(world, desk)];
    let callers = nodes.each_ref().map(|node| node.with_token(token));
    let (load, is_over) = (Load::default(), AtomicBool::new(false));
    thread::scope(|scope| {
        load.start(scope, &callers, 8);
        let begun = Instant::now();
        load.wait_for(0, 100, begun);
        load.wait_for(1, 100, begun);
        let readiness = callers.each_ref().map(|caller| {
            let is_over = &is_over;
            scope.spawn(move || {
                let (mut longest, mut statuses) = (Duration::ZERO, BTreeSet::new());
                while !is_over.load(Ordering::Relaxed) {
                    let asked = Instant::now();
                    statuses.insert(caller.get("/readyz").status);
                    longest = longest.max(asked.elapsed());
                }
                (longest, statuses)
            })
        });
        silence();
        standby.promote();
        let promoted = Instant::now();
        for node in [0, 1] {
            let acks = load.wait_for(node, 20, promoted);
            let whole = acks.iter().map(|ack| ack.ended).min().unwrap() - promoted;
            assert!(whole < WHOLE_WITHIN, "node {node}: {whole:?}");
        }
        is_over.store(true, Ordering::Relaxed);
        load.end();
        for asked in readiness {
            let (longest, statuses) = asked.join().unwrap();
            assert!(longest < Duration::from_secs(1), "{longest:?}");
            assert_eq!(statuses, BTreeSet::from([200, 503]));
        }
    });
    load.judge(&open(&standby.address_of("desk0")));
}

/// Server that is killed at the end of a test: one that was stopped does not end by itself.
struct FrozenServer<'s>(&'s DatabaseServer);

impl Drop for FrozenServer<'_> {
    fn drop(&mut self) {
        self.0.kill_frozen();
    }
}

#[test]
fn stopped_primary_is_left_within_seconds() {
    let (world, primary) = (TestWorld::new(), DatabaseServer::start());
    make_desk(&primary);
    let standby = primary.start_synchronous_standby();
    let desk = primary.address_with_standby(&standby, "desk0");
    let token = new_token(&world, &desk, "asker", "ci");
    let frozen = FrozenServer(&primary);
    leave_silent_server(&desk, &token, &world, || frozen.0.freeze(), &standby);
}

#[test]
fn primary_behind_a_cut_link_is_left_within_seconds() {
    let (world, primary) = (TestWorld::new(), DatabaseServer::start_at_port());
    make_desk(&primary);
    let standby = primary.start_synchronous_standby();
    let proxy = TcpProxy::start(primary.port());
    let (socket, ports) = (standby.socket(), format!("{},{}", proxy.port, primary.port()));
    let desk = format!(
        "postgres://sayso@/desk0?host=127.0.0.1&host={socket}&port={ports}&target_session_attrs=read-write"
    );
    let token = new_token(&world, &desk, "asker", "ci");
    leave_silent_server(&desk, &token, &world, || proxy.freeze(), &standby);
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
