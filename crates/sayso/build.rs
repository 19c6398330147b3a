//! How the program is linked, where that decides how soon it is there: agents pay for a start with each command.

#![expect(clippy::print_stdout, reason = "this is how a build script speaks")]

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let of_target = |part: &str| std::env::var(format!("CARGO_CFG_TARGET_{part}")).unwrap_or_default();
    if (of_target("OS").as_str(), of_target("ENV").as_str()) != ("linux", "gnu") {
        return;
    }
    // At a fixed place, as Go's programs are: else 30,000 addresses in its tables are written anew at each start, which
    // takes a third of a millisecond, and half a megabyte of each process. Libraries, heap and stack still lie elsewhere
    // each time.
    link("-no-pie");
    // The unwinder comes along. Its library would be one more to load, and asks the processor at each start what it can;
    // a virtual machine answers that slowly.
    link("-Wl,--whole-archive,-lgcc_eh,--no-whole-archive");
}

fn link(argument: &str) {
    println!("cargo::rustc-link-arg-bins={argument}");
}
