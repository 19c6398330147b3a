//! Exhaustion of file descriptors.

use super::{TestServer, wide_limits};
use crate::http::net::ACCEPT_RETRY_DELAY;
use std::fs::{self, File};
use std::process::Command;
use std::time::Instant;

/// Returns the process's limit on open files.
fn limit() -> usize {
    let limits = fs::read_to_string("/proc/self/limits").unwrap();
    let line = limits.lines().find_map(|line| line.strip_prefix("Max open files")).unwrap();
    line.split_whitespace().next().unwrap().parse().unwrap()
}

/// Runs in a process of its own, since descriptors are shared by all tests.
#[test]
fn server_survives_descriptor_shortage() {
    const FEW: usize = 64;
    if limit() > FEW {
        let name = "http::net::tests::descriptors::server_survives_descriptor_shortage";
        let run = format!("ulimit -n {FEW} && exec \"$0\" --exact {name}");
        let this = std::env::current_exe().unwrap();
        let ran = Command::new("sh").arg("-c").arg(run).arg(this).output().unwrap();
        assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stdout));
        assert!(String::from_utf8_lossy(&ran.stdout).contains("1 passed"));
        return;
    }
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let server = TestServer::new(wide_limits());
        let mut files: Vec<File> = std::iter::from_fn(|| File::open("/dev/null").ok()).collect();
        files.pop();
        let mut client = server.client().await;
        client.get("/healthz").await;
        let begun = Instant::now();
        while server.metric("accept_failures_total") < 3 {
            tokio::task::yield_now().await;
        }
        assert!(begun.elapsed() >= ACCEPT_RETRY_DELAY, "the loop spins");
        files.clear();
        client.read_until("\r\n\r\nok").await;
    });
}
