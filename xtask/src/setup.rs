//! `cargo xtask setup`: installs whatever `check` needs and this machine lacks.
//!
//! What is needed is data ([`crate::requirements::TOOLS`]); what to do about it is a [`Plan`], made before
//! anything is changed, so that `--dry-run` can show it.

use std::path::Path;
use std::process::{Command, ExitCode};

use anyhow::bail;

use crate::requirements::{self, Source, TOOLS, Tool};
use xtask::process;
use xtask::usage::switch;

/// Anew, so that nothing of an older Python or an older lock file stays.
const VENV: &[&str] = &["python3", "-m", "venv", "--clear", ".venv"];
const PIP: &[&str] = &[
    ".venv/bin/python",
    "-m",
    "pip",
    "--disable-pip-version-check",
    "install",
    "--quiet",
    "--only-binary",
    ":all:",
    "--no-deps",
    "--require-hashes",
    "--requirement",
    "requirements.txt",
];

/// Permissions on this machine.
#[derive(Clone, Copy, Debug)]
struct Machine {
    /// We may install system packages.
    root: bool,
    /// It has Debian's package tools.
    apt: bool,
}

/// Steps for the missing tools.
#[derive(Debug, Default, PartialEq)]
struct Plan {
    /// Commands that we run, in this order.
    commands: Vec<Vec<&'static str>>,
    /// Steps for the person, one line each.
    by_hand: Vec<String>,
}

/// Runs the command.
pub(crate) fn run(root: &Path, arguments: &[String]) -> anyhow::Result<ExitCode> {
    let dry_run = switch(arguments, "--dry-run")?;
    let missing = requirements::missing(root, TOOLS);
    report(&missing);
    let plan = plan(&missing, machine(root));
    if dry_run {
        plan.commands.iter().for_each(|words| println!("would run: {}", words.join(" ")));
        plan.by_hand.iter().for_each(|line| println!("to be done by hand: {line}"));
        return Ok(ExitCode::SUCCESS);
    }
    if !plan.by_hand.is_empty() {
        bail!("please do this, then run `cargo xtask setup` again:\n  {}", plan.by_hand.join("\n  "));
    }
    for words in &plan.commands {
        println!("setup: {}", words.join(" "));
        // Tests start what they need: no service begins with its package.
        let mut command = process::command(root, words)?;
        process::run(command.env("DEBIAN_FRONTEND", "noninteractive").env("RUNLEVEL", "1"))?;
    }
    let left = requirements::missing(root, TOOLS);
    if !left.is_empty() {
        bail!("still missing after the installation: {}", names(&left));
    }
    Ok(ExitCode::SUCCESS)
}

fn report(missing: &[&Tool]) {
    if missing.is_empty() {
        println!("setup: all {} tools are there", TOOLS.len());
    }
    for tool in missing {
        println!("setup: missing: {} (needed for {})", tool.name, tool.needed_for);
    }
}

/// The names of tools, for a message.
pub(crate) fn names(tools: &[&Tool]) -> String {
    tools.iter().map(|tool| tool.name).collect::<Vec<_>>().join(", ")
}

fn machine(root: &Path) -> Machine {
    let id = Command::new("id").arg("-u").output();
    Machine {
        root: id.is_ok_and(|output| output.stdout.trim_ascii() == b"0"),
        apt: requirements::succeeds(root, &["apt-get", "--version"]),
    }
}

/// Tests make servers of their own: without this, Debian's package creates one and starts it.
const NO_CLUSTER: &str = "mkdir -p /etc/postgresql-common/createcluster.d && \
                          echo 'create_main_cluster = false' > /etc/postgresql-common/createcluster.d/sayso.conf";

fn plan(missing: &[&Tool], machine: Machine) -> Plan {
    let mut plan = Plan::default();
    let mut packages: Vec<&'static str> = Vec::new();
    let mut components: Vec<&'static str> = Vec::new();
    let (mut npm, mut pip) = (false, false);
    for tool in missing {
        match tool.source {
            Source::Debian(names) => packages.extend(names),
            Source::Rustup(component) => components.push(component),
            Source::Npm => npm = true,
            Source::Pip => pip = true,
            Source::ByHand(advice) => plan.by_hand.push(advice.to_owned()),
        }
    }
    packages.sort_unstable();
    packages.dedup();
    if !packages.is_empty() {
        let install =
            [&["apt-get", "install", "-y", "--no-install-recommends"], packages.as_slice()].concat();
        match machine {
            Machine { apt: false, .. } => {
                plan.by_hand.push(format!("install what Debian calls {}", packages.join(", ")));
            }
            Machine { root: true, .. } => {
                if packages.contains(&"postgresql") {
                    plan.commands.push(vec!["sh", "-c", NO_CLUSTER]);
                }
                plan.commands.extend([vec!["apt-get", "update"], install]);
            }
            Machine { root: false, .. } => {
                plan.by_hand.push(format!("sudo apt-get update && sudo {}", install.join(" ")));
            }
        }
    }
    if !components.is_empty() {
        plan.commands.push([&["rustup", "component", "add"], components.as_slice()].concat());
    }
    if npm {
        // Nothing of what is installed needs a script to run.
        plan.commands.push(vec!["npm", "ci", "--ignore-scripts"]);
    }
    if pip {
        plan.commands.extend([VENV.to_vec(), PIP.to_vec()]);
    }
    plan
}

#[cfg(test)]
mod tests {
    use super::{Machine, PIP, Plan, VENV, plan};
    use crate::requirements::{Source, Tool};

    fn tool(source: Source) -> Tool {
        Tool { name: "sample", needed_for: "this test", probe: &[], source }
    }

    fn sample() -> [Tool; 6] {
        [
            tool(Source::Pip),
            tool(Source::Npm),
            tool(Source::Debian(&["gcc", "libc6-dev"])),
            tool(Source::Debian(&["gcc"])),
            tool(Source::Rustup("rustfmt")),
            tool(Source::Rustup("clippy")),
        ]
    }

    const RUSTUP: &[&str] = &["rustup", "component", "add", "rustfmt", "clippy"];
    const NPM: &[&str] = &["npm", "ci", "--ignore-scripts"];

    #[test]
    fn nothing_is_done_when_nothing_is_missing() {
        assert_eq!(plan(&[], Machine { root: true, apt: true }), Plan::default());
    }

    #[test]
    fn root_updates_once_and_installs_each_package_once() {
        let plan = plan(&sample().each_ref(), Machine { root: true, apt: true });
        let install = vec!["apt-get", "install", "-y", "--no-install-recommends", "gcc", "libc6-dev"];
        assert_eq!(
            plan.commands,
            [vec!["apt-get", "update"], install, RUSTUP.to_vec(), NPM.to_vec(), VENV.to_vec(), PIP.to_vec()]
        );
        assert!(plan.by_hand.is_empty());
    }

    #[test]
    fn anyone_else_is_told_the_exact_command() {
        let plan = plan(&sample().each_ref(), Machine { root: false, apt: true });
        assert_eq!(plan.commands, [RUSTUP.to_vec(), NPM.to_vec(), VENV.to_vec(), PIP.to_vec()]);
        let text = "sudo apt-get update && sudo apt-get install -y --no-install-recommends gcc libc6-dev";
        assert_eq!(plan.by_hand, [text]);
    }

    #[test]
    fn without_debian_tools_the_packages_are_named() {
        let plan = plan(&sample().each_ref(), Machine { root: true, apt: false });
        assert_eq!(plan.by_hand, ["install what Debian calls gcc, libc6-dev"]);
    }
}
