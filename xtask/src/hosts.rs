//! `cargo xtask hosts`: runs agents' own programs, as their makers publish them on npm, against this build of `sayso`.
//! Only the model is simulated: it listens on this machine, and no request leaves it.
//!
//! A *host* is such a program ([`host`]), a *scene* is one test with it ([`scenes`]). Each scene has a [`sandbox`] with
//! a home, a desk and a person of its own.

mod host;
mod http;
mod interfaces;
mod model;
mod open_inbox;
mod protocol;
mod recordings;
mod sandbox;
mod scenes;
mod screen;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use anyhow::bail;

use crate::codegen::program;
use crate::{Usage, process};

use host::{HOSTS, Host};
use recordings::Recordings;
use sandbox::Sandbox;
use scenes::Scene;

/// Option that leaves out the oldest versions.
const NEWEST: &str = "--newest";
/// Option that stores the inputs and outputs of hooks as test vectors.
const RECORD: &str = "--record";
/// Option that runs only the scenes with these words in their titles.
const SCENE: &str = "--scene=";

/// Runs the command: all hosts or the named ones, each in its newest version and in the oldest one that passes, or in
/// the version after an `@` in its name.
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
    let newest_only = has_option(NEWEST);
    let hosts: Vec<Host> = if names.is_empty() {
        HOSTS.iter().flat_map(|host| host.versions(newest_only)).collect()
    } else {
        names.iter().map(|name| named_hosts(name, newest_only)).collect::<Result<Vec<_>, _>>()?.concat()
    };
    let sayso = program::build(root)?;
    let target = process::target(root);
    let mut failed = 0;
    for host in &hosts {
        let packages = install(&target.join("hosts"), host)?;
        let mut recordings = Recordings::default();
        let keep = has_option(RECORD).then_some(&mut recordings);
        failed += run_scenes(host, &packages, &sayso, words, keep);
        recordings.write(root, host)?;
    }
    Ok(if failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Returns the versions of a host that an argument names: `codex`, or `codex@0.169.0`.
///
/// # Errors
/// Fails if there is no such host.
fn named_hosts(argument: &str, newest_only: bool) -> anyhow::Result<Vec<Host>> {
    let (name, version) = match argument.split_once('@') {
        Some((name, version)) => (name, Some(version)),
        None => (argument, None),
    };
    let Some(host) = HOSTS.iter().find(|host| host.name == name) else {
        let known: Vec<_> = HOSTS.iter().map(|host| host.name).collect();
        return Err(Usage(format!("`{name}` is no host; there are {}", known.join(", "))).into());
    };
    Ok(match version {
        Some(version) => vec![host.with_version(version)],
        None => host.versions(newest_only),
    })
}

/// Runs the scenes of a host with these words in their titles, with each of its interfaces, and counts the failures.
fn run_scenes(
    host: &Host,
    packages: &Path,
    sayso: &Path,
    words: &str,
    mut recordings: Option<&mut Recordings>,
) -> usize {
    let mut failed = 0;
    for host in host.with_each_interface() {
        for scene in scenes::of_host(&host).filter(|scene| title(&host, scene).contains(words)) {
            failed += usize::from(!passes(scene, &host, packages, sayso, recordings.as_deref_mut()));
        }
    }
    failed
}

/// Installs a host, unless this version is installed, and returns the folder of its packages. It gets its name only
/// once it is complete, so that an interrupted installation is repeated.
fn install(cache: &Path, host: &Host) -> anyhow::Result<PathBuf> {
    let folder = cache.join(format!("{}-{}", host.name, host.version));
    if !folder.exists() {
        let partial = cache.join(format!("{}-{}.partial", host.name, host.version));
        fs::create_dir_all(&partial)?;
        let package = format!("{}@{}", host.package, host.version);
        // Each program is in a package for its platform, which needs no installation scripts.
        let words =
            ["npm", "install", "--ignore-scripts", "--no-audit", "--no-fund", "--prefix", ".", &package];
        process::run(&mut process::command(&partial, &words)?)?;
        if !partial.join("node_modules").join(host.program).exists() {
            bail!("{package} has no {}: the paths are those for Linux on x86-64", host.program);
        }
        fs::rename(&partial, &folder)?;
    }
    Ok(folder.join("node_modules"))
}

/// Returns the title of a scene with a host.
fn title(host: &Host, scene: &Scene) -> String {
    let interface = if host.has_second_interface() { ", on its screen" } else { "" };
    format!("{} {}{interface}: {}", host.name, host.version, scene.name)
}

/// Runs a scene, prints its result, and returns true if it passed.
fn passes(
    scene: &Scene,
    host: &Host,
    packages: &Path,
    sayso: &Path,
    recordings: Option<&mut Recordings>,
) -> bool {
    let begun = Instant::now();
    let head = title(host, scene);
    let sandbox = match Sandbox::new(sayso, scene.limit, recordings.is_some()) {
        Ok(sandbox) => sandbox,
        Err(error) => {
            println!("{head}: FAILED: {error:#}");
            return false;
        }
    };
    let mut result = scenes::run(scene, host, packages, &sandbox);
    if let Some(recordings) = recordings.filter(|_| result.is_ok()) {
        result = recordings.take(&sandbox, scene.name);
    }
    let seconds = begun.elapsed().as_secs_f64();
    match result {
        Ok(()) => println!("{head}: ok ({seconds:.1} s)"),
        Err(ref error) => {
            let folder = sandbox.keep();
            println!("{head}: FAILED after {seconds:.1} s: {error:#}; see {}", folder.display());
        }
    }
    result.is_ok()
}
