//! `cargo xtask hosts`: agents' own programs, as their makers ship them, ask a person through `sayso mcp`. Only the model is
//! played: it runs on this machine, and nothing leaves it.

mod http;
mod model;
mod person;
mod programs;
mod scenes;
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
use scenes::Scene;
use stage::Stage;

/// Runs the command: all hosts, or those that are named.
pub(crate) fn run(root: &Path, arguments: &[String]) -> anyhow::Result<ExitCode> {
    if let Some(unknown) = arguments.iter().find(|name| HOSTS.iter().all(|host| host.name != name.as_str())) {
        let known: Vec<_> = HOSTS.iter().map(|host| host.name).collect();
        return Err(Usage(format!("`{unknown}` is no host; there are {}", known.join(", "))).into());
    }
    let is_wanted = |host: &&Host| arguments.is_empty() || arguments.iter().any(|name| name == host.name);
    let sayso = program::build(root)?;
    let target = process::target(root);
    let mut failed = 0;
    for host in HOSTS.iter().filter(is_wanted) {
        let packages = install(&target.join("hosts"), host)?;
        failed += scenes::of(host).filter(|scene| !has_gone_well(scene, host, &packages, &sayso)).count();
    }
    Ok(if failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
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

/// Plays a scene and says how it went.
fn has_gone_well(scene: &Scene, host: &Host, packages: &Path, sayso: &Path) -> bool {
    let begun = Instant::now();
    let head = format!("{} {}: {}", host.name, host.version, scene.name);
    let stage = match Stage::new(sayso, scene.limit) {
        Ok(stage) => stage,
        Err(error) => {
            println!("{head}: FAILED: {error:#}");
            return false;
        }
    };
    let result = scenes::play(scene, host, packages, &stage);
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
