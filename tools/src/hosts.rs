//! `cargo xtask hosts`: runs agents' own programs, as their makers publish them on npm, against this build of `sayso`.
//! Only the model is simulated: it listens on this machine, and no request leaves it.
//!
//! A *host* is such a program ([`host`]), a *scene* is one test with it ([`scenes`]). Each scene has a [`sandbox`] with
//! a home, a desk and a person of its own. The programs that speak the Agent Client Protocol are run behind threads of
//! `sayso serve` ([`threads`]).

mod host;
mod http;
mod interfaces;
mod model;
mod model_calls;
mod open_inbox;
mod package;
mod proofs;
mod protocol;
mod recordings;
mod sandbox;
mod scenes;
mod screen;
mod threads;

use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use crate::program;
use xtask::process;
use xtask::usage::Usage;

use host::{HOSTS, Host};
use recordings::Recordings;
use sandbox::Sandbox;
use scenes::Scene;
use threads::{AGENTS, ThreadAgent};

/// Option that leaves out the oldest versions.
const NEWEST: &str = "--newest";
/// Option that stores the inputs and outputs of hooks as test vectors.
const RECORD: &str = "--record";
/// Option that runs only the scenes with these words in their titles.
const SCENE: &str = "--scene=";

/// Runs the command: all hosts or the named ones, each in its newest version and in the oldest one that passes, or in
/// the version after an `@` in its name. Agents behind threads are run in their newest version.
///
/// # Errors
/// Fails for an unknown option or host, or if the build or an installation fails.
pub(crate) fn run(root: &Path, arguments: &[String]) -> anyhow::Result<ExitCode> {
    let (options, names): (Vec<&String>, Vec<&String>) =
        arguments.iter().partition(|argument| argument.starts_with("--"));
    let has_option = |option: &str| options.iter().any(|given| *given == option);
    let words = options.iter().find_map(|option| option.strip_prefix(SCENE)).unwrap_or_default();
    let is_known = |option: &str| [NEWEST, RECORD].contains(&option) || option.starts_with(SCENE);
    if let Some(unknown) = options.iter().find(|option| !is_known(option)) {
        let message = format!("`{unknown}` is no option; there are {NEWEST}, {RECORD} and {SCENE}WORDS");
        return Err(Usage(message).into());
    }
    if has_option(RECORD) && !words.is_empty() {
        let message =
            format!("{RECORD} takes no {SCENE}WORDS: the recordings of the other scenes would be lost");
        return Err(Usage(message).into());
    }
    let selection = Selection::new(&names, has_option(NEWEST))?;
    let stage = Stage { sayso: &program::path("sayso")?, words };
    let cache = process::target(root).join("hosts");
    let mut failed = 0;
    for host in &selection.hosts {
        let packages = host.package.install(&cache)?;
        let mut recordings = Recordings::default();
        let keep = has_option(RECORD).then_some(&mut recordings);
        let passed = stage.run_host(host, &packages, keep, &mut failed);
        // The list has the newest versions.
        if HOSTS.iter().any(|newest| newest.package == host.package) {
            proofs::record(root, host.name, host.package.version, &passed)?;
        }
        recordings.write(root, host)?;
    }
    for agent in &selection.agents {
        let passed = stage.run_agent(agent, &agent.package.install(&cache)?, &mut failed);
        if AGENTS.iter().any(|newest| newest.package == agent.package) {
            proofs::record(root, agent.name, agent.package.version, &passed)?;
        }
    }
    Ok(if failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Hosts and agents to run.
#[derive(Default)]
struct Selection {
    hosts: Vec<Host>,
    agents: Vec<ThreadAgent>,
}

impl Selection {
    /// Selects all, or those with these names: `codex`, or `codex@0.169.0`.
    ///
    /// # Errors
    /// Fails if there is none of a name.
    fn new(names: &[&String], newest_only: bool) -> anyhow::Result<Self> {
        if names.is_empty() {
            let hosts = HOSTS.iter().flat_map(|host| host.versions(newest_only)).collect();
            return Ok(Self { hosts, agents: AGENTS.to_vec() });
        }
        let mut selection = Self::default();
        for argument in names {
            selection.add(argument, newest_only)?;
        }
        Ok(selection)
    }

    fn add(&mut self, argument: &str, newest_only: bool) -> anyhow::Result<()> {
        let (name, version) = match argument.split_once('@') {
            Some((name, version)) => (name, Some(version)),
            None => (argument, None),
        };
        if let Some(host) = HOSTS.iter().find(|host| host.name == name) {
            match version {
                Some(version) => self.hosts.push(host.with_version(version)),
                None => self.hosts.extend(host.versions(newest_only)),
            }
        } else if let Some(agent) = AGENTS.iter().find(|agent| agent.name == name) {
            self.agents.push(version.map_or(*agent, |version| agent.with_version(version)));
        } else {
            let known = HOSTS.iter().map(|host| host.name).chain(AGENTS.iter().map(|agent| agent.name));
            let known = known.collect::<Vec<_>>().join(", ");
            return Err(Usage(format!("`{name}` is no host; there are {known}")).into());
        }
        Ok(())
    }
}

/// Program under test, and the words that the titles of all scenes to run contain.
struct Stage<'a> {
    sayso: &'a Path,
    words: &'a str,
}

impl Stage<'_> {
    /// Runs the scenes of a host, with each of its interfaces, counts the failures, and returns the scenes that passed.
    fn run_host(
        &self,
        host: &Host,
        packages: &Path,
        mut recordings: Option<&mut Recordings>,
        failed: &mut usize,
    ) -> Vec<&'static str> {
        let mut passed = Vec::new();
        for host in host.with_each_interface() {
            for scene in scenes::of_host(&host) {
                let mut recordings = recordings.as_deref_mut();
                let is_recorded = recordings.is_some();
                let run = |sandbox: &Sandbox| {
                    scenes::run(scene, &host, packages, sandbox)?;
                    recordings.as_mut().map_or(Ok(()), |recordings| recordings.take(sandbox, scene.name))
                };
                let title = title(&host, scene);
                if !self.passes(&title, scene.limit, is_recorded, run) {
                    *failed += 1;
                } else if title.contains(self.words) {
                    passed.push(scene.name);
                }
            }
        }
        passed
    }

    /// Runs the scenes of an agent behind a thread, counts the failures, and returns the scenes that passed.
    fn run_agent(&self, agent: &ThreadAgent, packages: &Path, failed: &mut usize) -> Vec<&'static str> {
        let mut passed = Vec::new();
        for scene in threads::of_agent(agent) {
            let title = format!("{} {}: {}", agent.name, agent.package.version, scene.name);
            let run = |sandbox: &Sandbox| threads::run(scene, agent, packages, sandbox);
            if !self.passes(&title, None, false, run) {
                *failed += 1;
            } else if title.contains(self.words) {
                passed.push(scene.name);
            }
        }
        passed
    }

    /// Runs a scene unless its title lacks the words, prints its result, and returns false if it failed.
    fn passes(
        &self,
        title: &str,
        limit: Option<Duration>,
        is_recorded: bool,
        run: impl FnOnce(&Sandbox) -> anyhow::Result<()>,
    ) -> bool {
        if !title.contains(self.words) {
            return true;
        }
        let begun = Instant::now();
        let sandbox = match Sandbox::new(self.sayso, limit, is_recorded) {
            Ok(sandbox) => sandbox,
            Err(error) => {
                println!("{title}: FAILED: {error:#}");
                return false;
            }
        };
        let result = run(&sandbox);
        let seconds = begun.elapsed().as_secs_f64();
        match result {
            Ok(()) => println!("{title}: ok ({seconds:.1} s)"),
            Err(ref error) => {
                let folder = sandbox.keep();
                println!("{title}: FAILED after {seconds:.1} s: {error:#}; see {}", folder.display());
            }
        }
        result.is_ok()
    }
}

/// Returns the title of a scene with a host.
fn title(host: &Host, scene: &Scene) -> String {
    let interface = if host.has_second_interface() { ", on its screen" } else { "" };
    format!("{} {}{interface}: {}", host.name, host.package.version, scene.name)
}

#[cfg(test)]
mod tests {
    use super::run;
    use std::path::Path;

    #[test]
    fn some_scenes_alone_are_not_recorded() {
        let arguments = ["--record", "--scene=kill", "codex"].map(str::to_owned);
        let refusal = run(Path::new("/nowhere"), &arguments).unwrap_err().to_string();
        assert!(refusal.contains("--record takes no --scene="), "{refusal}");
    }
}
