//! The example of `docs/scale.md` as it stands in `examples/scale`: two nodes, a balancer, a server and its standby.

use super::new_token;
use crate::support::http_client::HttpCaller;
use crate::support::program::{signal, start_lock};
use crate::support::served_desk::{ServedDesk, answer_body, ask_path, text};
use crate::support::test_world::TestWorld;
use sayso_desk::contract::DatabaseServer;
use sayso_desk::{PostgresAddress, StoreDesk};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;

fn example(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/scale").join(name)
}

/// Balancer with the example's own file.
struct Balancer(Child);

impl Balancer {
    fn start(port: u16, [first, second]: [&ServedDesk; 2]) -> Self {
        let mut command = Command::new("/usr/sbin/haproxy");
        command.arg("-db").arg("-f").arg(example("haproxy.cfg")).env_clear();
        command.env("BIND", format!("127.0.0.1:{port}")).env("HOST", format!("127.0.0.1:{port}"));
        command.env("NODE_A", &first.address).env("NODE_B", &second.address);
        let starting = start_lock();
        let program = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn();
        drop(starting);
        let mut balancer = Self(program.expect("no haproxy: run `cargo xtask setup`"));
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            assert!(balancer.0.try_wait().unwrap().is_none(), "the balancer does not start");
            thread::yield_now();
        }
        balancer
    }
}

impl Drop for Balancer {
    fn drop(&mut self) {
        _ = self.0.kill().and_then(|()| self.0.wait());
    }
}

/// Repeats a request with its key until a node is there that answers it.
fn post_until(caller: &HttpCaller, path: &str, body: &serde_json::Value, key: &str) -> serde_json::Value {
    let request = caller.request("POST", path).header("idempotency-key", key).json(body);
    let mut last = None;
    for _ in 0..3_000 {
        last = request.try_send();
        match &last {
            Some(reply) if reply.status < 300 => return reply.value(),
            Some(reply) if reply.status < 500 => panic!("{reply:?}"),
            _ => thread::park_timeout(std::time::Duration::from_millis(20)),
        }
    }
    panic!("nobody answers {path}: {last:?}");
}

#[test]
fn example_survives_each_of_its_parts() {
    let (world, primary) = (TestWorld::new(), DatabaseServer::start());
    let address = primary.make_database();
    StoreDesk::migrate_database(&PostgresAddress::parse(&address).unwrap()).unwrap();
    let standby = primary.start_standby_by(&example("standby.sh"));
    primary.read_settings(&example("primary.conf"));
    primary.wait_for_standby("sync");

    let free = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = free.local_addr().unwrap().port();
    drop(free);
    let desk = primary.address_with_standby(&standby, "desk0");
    let public = format!("http://127.0.0.1:{port}");
    let node = || {
        let args = ["serve", "--listen", "127.0.0.1:0", "--public-url", &public];
        ServedDesk::from_program(world.sayso(args).env("SAYSO_DESK", &desk).start())
    };
    let [asker, person] =
        [("asker", "ci"), ("person", "ada")].map(|(role, account)| new_token(&world, &desk, role, account));
    let (first, second) = (node(), node());
    let _balancer = Balancer::start(port, [&first, &second]);
    let caller =
        |token: &str| HttpCaller { address: format!("127.0.0.1:{port}"), token: Some(token.to_owned()) };
    let (asker, person) = (caller(&asker), caller(&person));

    let first_ask = post_until(&asker, "/v1/asks", &text("Which port?"), "one");
    let (waiting, path) = (asker.clone(), ask_path(&first_ask, "/outcome?wait=60"));
    let waits = thread::spawn(move || waiting.get(&path).json(200));
    post_until(&person, &ask_path(&first_ask, "/answer"), &answer_body(&first_ask, "8080"), "two");
    let outcome = waits.join().unwrap();
    assert!(outcome.to_string().contains("8080"), "{outcome}");

    signal(first.program.pid, "KILL");
    let ask = post_until(&asker, "/v1/asks", &text("Without a node?"), "three");
    primary.kill_9();
    standby.promote();
    post_until(&person, &ask_path(&ask, "/answer"), &answer_body(&ask, "yes"), "four");
    let outcome = asker.get(&ask_path(&ask, "/outcome")).json(200);
    assert!(outcome.to_string().contains("yes"), "{outcome}");
    let again = post_until(&asker, "/v1/asks", &text("Which port?"), "one");
    assert_eq!(again["id"], first_ask["id"], "the key still finds its ask");
}
