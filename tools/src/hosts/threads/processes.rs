//! The bridge, and the processes of the agents that it runs: each has a keeper, and leads a process group of its own.

use std::fs;
use std::process::{Child, Command};
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use rustix::process::{Pid, Signal, kill_process};

use crate::hosts::sandbox::poll_until;

/// Longest time in which an agent ends that nothing needs: it has five seconds to cancel its prompt.
const END_LIMIT: Duration = Duration::from_secs(30);

/// Process in the system's table.
struct ProcessEntry {
    id: i32,
    parent: i32,
    group: i32,
}

/// Running bridge, which is killed when this is dropped.
pub(super) struct Bridge(Child);

impl Bridge {
    /// Starts it.
    pub(super) fn start(command: &mut Command) -> anyhow::Result<Self> {
        command.spawn().map(Self).context("the bridge does not start")
    }

    /// Kills the bridge alone.
    pub(super) fn kill(&mut self) {
        // Fails only if it has ended.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Drop for Bridge {
    fn drop(&mut self) {
        self.kill();
    }
}

/// Running agent of a bridge.
#[derive(Debug, Clone, Copy)]
pub(super) struct AgentProcess(Pid);

/// Waits for the only agent of a bridge.
pub(super) fn wait_for_agent(bridge: &Bridge) -> anyhow::Result<AgentProcess> {
    poll_until("process of the agent", || Ok(agents(bridge)?.first().copied()))
}

/// Returns the agents of a bridge.
fn agents(bridge: &Bridge) -> anyhow::Result<Vec<AgentProcess>> {
    let (bridge, entries) = (i32::try_from(bridge.0.id())?, process_entries()?);
    let is_keeper = |id: i32| entries.iter().any(|entry| entry.id == id && entry.parent == bridge);
    let agents = entries.iter().filter(|entry| is_keeper(entry.parent));
    Ok(agents.filter_map(|entry| Pid::from_raw(entry.id).map(AgentProcess)).collect())
}

impl AgentProcess {
    /// Kills the process alone, as the system does when memory is short.
    pub(super) fn kill(self) -> anyhow::Result<()> {
        kill_process(self.0, Signal::KILL).context("the agent has ended before it was killed")
    }

    /// Waits until the process has ended with all that it has started.
    pub(super) fn wait_for_end(self) -> anyhow::Result<()> {
        let group = self.0.as_raw_nonzero().get();
        let end = Instant::now() + END_LIMIT;
        poll_until("end of the agent", || {
            let is_running = process_entries()?.iter().any(|entry| entry.group == group);
            if is_running && Instant::now() > end {
                bail!("the agent still runs after {} s", END_LIMIT.as_secs());
            }
            Ok((!is_running).then_some(()))
        })
    }
}

/// Lists all processes that have not ended.
fn process_entries() -> anyhow::Result<Vec<ProcessEntry>> {
    let folders = fs::read_dir("/proc")?.flatten();
    // A process may end meanwhile.
    let states = folders.filter_map(|folder| fs::read_to_string(folder.path().join("stat")).ok());
    Ok(states.filter_map(|state| parse_entry(&state)).collect())
}

/// Reads a line of `/proc/PID/stat`; `None` for a process that has ended.
fn parse_entry(line: &str) -> Option<ProcessEntry> {
    // The name in parentheses may contain anything.
    let (id, _) = line.split_once(' ')?;
    let (_, rest) = line.rsplit_once(") ")?;
    let mut fields = rest.split(' ');
    if fields.next()? == "Z" {
        return None;
    }
    let mut number = || fields.next()?.parse().ok();
    Some(ProcessEntry { id: id.parse().ok()?, parent: number()?, group: number()? })
}

#[cfg(test)]
mod tests {
    use super::parse_entry;

    #[test]
    fn entry_has_parent_and_group() {
        let entry = parse_entry("12 (a) b) S 3 4 5 0").map(|entry| (entry.id, entry.parent, entry.group));
        assert_eq!(entry, Some((12, 3, 4)));
        assert!(parse_entry("12 (a) Z 3 4 5 0").is_none());
    }
}
