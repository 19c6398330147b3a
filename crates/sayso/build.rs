//! Linking of the program, as far as it decides the time of a start: agents pay for a start with each command.

#![expect(clippy::disallowed_methods, reason = "cargo tells a build script by variables what it builds")]

use std::path::Path;
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=SAYSO_COMMIT");
    println!("cargo::rustc-env=SAYSO_VERSION={}", version());
    let of_target = |part: &str| std::env::var(format!("CARGO_CFG_TARGET_{part}")).unwrap_or_default();
    if (of_target("OS").as_str(), of_target("ENV").as_str()) != ("linux", "gnu") {
        return;
    }
    // At a fixed place, as Go's programs are: else 30,000 addresses in its tables are written anew at each start, which
    // takes a third of a millisecond, and half a megabyte of each process. Libraries, heap and stack still lie
    // elsewhere each time.
    link("-no-pie");
    if links_with_zig() {
        return;
    }
    // The unwinder comes along. Its library would be one more to load, and asks the processor at each start what it
    // can; a virtual machine answers that slowly.
    link("-Wl,--whole-archive,-lgcc_eh,--no-whole-archive");
    // Code that hardly ever runs is placed apart, so that it does not fill the pages of the rest.
    link("-Wl,-z,keep-text-section-prefix");
    if of_profile("release") && brings_its_linker() {
        // Functions of the same code are one: a few hundred kilobytes less of each process that waits.
        link("-Wl,--icf=all");
    }
}

/// Returns the version, with the commit in an optimised program. The commit of others would link them again each time.
fn version() -> String {
    let version = std::env::var("CARGO_PKG_VERSION").unwrap_or_default();
    match std::env::var("SAYSO_COMMIT").ok().or_else(commit) {
        Some(commit) if of_profile("release") => format!("{version} ({commit})"),
        _ => version,
    }
}

/// Returns the commit of a clone.
fn commit() -> Option<String> {
    if !of_profile("release") {
        return None;
    }
    let git = |arguments: &[&str]| {
        let output =
            Command::new("git").args(arguments).output().ok().filter(|output| output.status.success())?;
        Some(String::from_utf8_lossy(&output.stdout).trim().to_owned())
    };
    println!("cargo::rerun-if-changed={}", git(&["rev-parse", "--git-path", "logs/HEAD"])?);
    git(&["rev-parse", "--short=9", "HEAD"])
}

fn of_profile(name: &str) -> bool {
    std::env::var("PROFILE").is_ok_and(|profile| profile == name)
}

/// Returns whether zig links, as for a package: it brings its own unwinder, and its driver refuses the options below.
fn links_with_zig() -> bool {
    std::env::var("RUSTC_LINKER").is_ok_and(|linker| linker.contains("zigcc"))
}

/// Returns whether Rust uses its own linker, as it does on some systems; other linkers have fewer options.
fn brings_its_linker() -> bool {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let target = std::env::var("TARGET").unwrap_or_default();
    let printed = Command::new(rustc).args(["--print", "target-libdir", "--target", &target]).output();
    let printed = printed.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned());
    target == "x86_64-unknown-linux-gnu"
        && printed.is_ok_and(|libraries| Path::new(&libraries).with_file_name("bin/gcc-ld/ld.lld").exists())
}

fn link(argument: &str) {
    println!("cargo::rustc-link-arg-bins={argument}");
}
