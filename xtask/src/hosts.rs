//! `cargo xtask hosts`: agents' own programs, as their makers ship them, ask a person through `sayso mcp`. Only the model is
//! played: it runs on this machine, and nothing leaves it.

mod fronts;
mod http;
mod model;
mod person;
mod programs;
mod record;
mod scenes;
mod screen;
mod speech;
mod stage;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use anyhow::bail;

use crate::codegen::program;
use crate::{Usage, process};

use programs::{HOSTS, Host};
use record::Recordings;
use scenes::Scene;
use stage::Stage;

/// Option that leaves out the oldest versions.
const NEWEST: &str = "--newest";
/// Option that keeps what the hooks were given and what they gave back.
const RECORD: &str = "--record";
/// Option that plays only the scenes with these words in their titles.
const SCENE: &str = "--scene=";

/// Runs the command: all hosts, or those that are named, in their newest version and in the oldest one that passes.
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
    if let Some(unknown) = names.iter().find(|name| HOSTS.iter().all(|host| host.name != **name)) {
        let known: Vec<_> = HOSTS.iter().map(|host| host.name).collect();
        return Err(Usage(format!("`{unknown}` is no host; there are {}", known.join(", "))).into());
    }
    let is_wanted = |host: &&Host| names.is_empty() || names.iter().any(|name| *name == host.name);
    let hosts = HOSTS.iter().filter(is_wanted).flat_map(|host| {
        let newest_only = has_option(NEWEST);
        host.versions().take(if newest_only { 1 } else { 2 })
    });
    let sayso = program::build(root)?;
    let target = process::target(root);
    let mut failed = 0;
    for host in &hosts.collect::<Vec<_>>() {
        let packages = install(&target.join("hosts"), host)?;
        let mut recordings = Recordings::default();
        let keep = has_option(RECORD).then_some(&mut recordings);
        failed += play_all(host, &packages, &sayso, words, keep);
        recordings.write(root, host)?;
    }
    Ok(if failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Plays the scenes of a host with these words in their titles, and counts those that failed.
fn play_all(
    host: &Host,
    packages: &Path,
    sayso: &Path,
    words: &str,
    mut recordings: Option<&mut Recordings>,
) -> usize {
    let mut failed = 0;
    for scene in scenes::of(host).filter(|scene| title(host, scene).contains(words)) {
        failed += usize::from(!has_gone_well(scene, host, packages, sayso, recordings.as_deref_mut()));
    }
    failed
}

/// Installs a host, unless just that version is there, and gives the folder of its packages.
fn install(cache: &Path, host: &Host) -> anyhow::Result<PathBuf> {
    let folder = cache.join(format!("{}-{}", host.name, host.version));
    let packages = folder.join("node_modules");
    if !packages.join(host.program).exists() {
        fs::create_dir_all(&folder)?;
        let package = format!("{}@{}", host.package, host.version);
        // Each has its program in a package for the platform; what scripts would do is not needed.
        let words =
            ["npm", "install", "--ignore-scripts", "--no-audit", "--no-fund", "--prefix", ".", &package];
        process::run(&mut process::command(&folder, &words)?)?;
        if !packages.join(host.program).exists() {
            bail!("{package} has no {}: the hosts are known for Linux on x86-64", host.program);
        }
    }
    Ok(packages)
}

/// The title of a scene with a host, as it is printed.
fn title(host: &Host, scene: &Scene) -> String {
    format!("{} {}: {}", host.name, host.version, scene.name)
}

/// Plays a scene and says how it went.
fn has_gone_well(
    scene: &Scene,
    host: &Host,
    packages: &Path,
    sayso: &Path,
    recordings: Option<&mut Recordings>,
) -> bool {
    let begun = Instant::now();
    let head = title(host, scene);
    let stage = match Stage::new(sayso, scene.limit, recordings.is_some()) {
        Ok(stage) => stage,
        Err(error) => {
            println!("{head}: FAILED: {error:#}");
            return false;
        }
    };
    let mut result = scenes::play(scene, host, packages, &stage);
    if let Some(recordings) = recordings.filter(|_| result.is_ok()) {
        result = recordings.take(&stage, scene.name);
    }
    let seconds = begun.elapsed().as_secs_f64();
    match result {
        Ok(()) => println!("{head}: ok ({seconds:.1} s)"),
        Err(ref error) => {
            let folder = stage.keep();
            println!("{head}: FAILED after {seconds:.1} s: {error:#}; see {}", folder.display());
        }
    }
    result.is_ok()
}
