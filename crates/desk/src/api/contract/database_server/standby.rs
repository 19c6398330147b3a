//! Standby of a test's server.

use super::DatabaseServer;
use std::path::Path;

impl DatabaseServer {
    /// Starts a standby that this server waits for at each commit.
    pub fn start_synchronous_standby(&self) -> Self {
        let standby = self.start_standby();
        let client = self.client("postgres");
        client.query("ALTER SYSTEM SET synchronous_standby_names = 'standby'");
        client.query("SELECT pg_reload_conf()");
        self.wait_for_standby("sync");
        standby
    }

    /// Starts a standby, and waits until it follows.
    pub fn start_standby(&self) -> Self {
        self.start_standby_from(&self.socket(), self.port)
    }

    /// Starts a standby that follows by a link at this port of this machine, and waits until it does.
    pub fn start_standby_behind(&self, port: u16) -> Self {
        self.start_standby_from("127.0.0.1", port)
    }

    fn start_standby_from(&self, host: &str, port: u16) -> Self {
        let standby = Self::new(self.port);
        let (data, port) = (standby.data(), port.to_string());
        let from = ["-D", &data, "-h", host, "-p", &port, "-U", "sayso"];
        self.run("pg_basebackup", &[&from[..], &["-R", "-X", "stream", "-c", "fast", "--no-sync"]].concat());
        // A promotion may wait for the end of a retry, whose usual interval is 5 s.
        standby.launch(&["-c cluster_name=standby -c wal_retrieve_retry_interval=200ms"]);
        let count = "SELECT count(*) FROM pg_stat_replication WHERE state = 'streaming'";
        self.client("postgres").wait_for(count, "1");
        standby
    }

    /// Starts a standby that this script makes, with its variables `DATA`, `PRIMARY`, `PORT` and `ROLE`.
    pub fn start_standby_by(&self, script: &Path) -> Self {
        let standby = Self::new(self.port);
        // The user of the server may not read the folder of the script.
        let text = std::fs::read_to_string(script).unwrap();
        let mut command = Self::command_line("/bin/sh");
        command.args(["-c", &text]).env("DATA", standby.data()).env("PRIMARY", self.socket());
        command.env("PORT", self.port.to_string()).env("ROLE", "sayso");
        let path = format!("{}:/usr/bin:/bin", self.programs.display());
        assert!(command.env("PATH", path).status().unwrap().success());
        standby.launch(&[]);
        standby
    }

    /// Adds this file to the settings of the running server.
    pub fn read_settings(&self, file: &Path) {
        self.append("postgresql.conf", &std::fs::read_to_string(file).unwrap());
        self.client("postgres").query("SELECT pg_reload_conf()");
    }

    /// Waits until the standby has this state of synchronization.
    pub fn wait_for_standby(&self, state: &str) {
        self.client("postgres").wait_for("SELECT sync_state FROM pg_stat_replication", state);
    }

    /// Waits until the standby shows all that was committed here.
    pub fn wait_for_replay(&self) {
        let behind = "SELECT count(*) FROM pg_stat_replication WHERE replay_lsn >= pg_current_wal_lsn()";
        self.client("postgres").wait_for(behind, "1");
    }

    /// Makes a standby the server that takes writes.
    pub fn promote(&self) {
        self.run("pg_ctl", &["-D", &self.data(), "-w", "promote"]);
    }

    /// Returns the address of a database at this server alone.
    pub fn address_of(&self, database: &str) -> String {
        format!("postgres://sayso@/{database}?host={}&port={}", self.socket(), self.port)
    }

    /// Returns the address of a database at this server and at its standby: whichever takes writes.
    pub fn address_with_standby(&self, standby: &Self, database: &str) -> String {
        let (first, second) = (self.socket(), standby.socket());
        let port = self.port;
        format!(
            "postgres://sayso@/{database}?host={first}&host={second}&port={port}&target_session_attrs=read-write"
        )
    }
}
