//! Launch of an agent's program in its sandbox, as data for the launcher.

use super::folder::AgentFolder;
use super::program::{AgentSandbox, LocalAgentsConfig};
use serde::{Deserialize, Serialize};
use std::fs;
use std::io::{self, BufRead as _, BufReader, Read as _};
use std::path::{Path, PathBuf};

/// Hidden command of our program that launches an agent.
pub const LAUNCHER_COMMAND: &str = "agent-launcher";

/// Files and folders of the system that every program needs. None of them has a secret that its user may read.
const SYSTEM_READABLE: &[&str] = &[
    "/bin",
    "/etc/alternatives",
    "/etc/ca-certificates",
    "/etc/ca-certificates.conf",
    "/etc/bash.bashrc",
    "/etc/crypto-policies",
    "/etc/gai.conf",
    "/etc/group",
    "/etc/host.conf",
    "/etc/hostname",
    "/etc/hosts",
    "/etc/inputrc",
    "/etc/ld.so.cache",
    "/etc/ld.so.conf",
    "/etc/ld.so.conf.d",
    "/etc/localtime",
    "/etc/mime.types",
    "/etc/nsswitch.conf",
    "/etc/os-release",
    "/etc/passwd",
    "/etc/pki",
    "/etc/profile",
    "/etc/protocols",
    "/etc/resolv.conf",
    "/etc/services",
    "/etc/ssl",
    "/etc/timezone",
    "/lib",
    "/lib32",
    "/lib64",
    "/nix/store",
    "/opt/homebrew",
    "/proc",
    "/sbin",
    "/sys/devices/system/cpu",
    "/sys/fs/cgroup",
    "/usr",
];

/// Devices that every program may read and write.
const DEVICES: &[&str] = &["/dev/full", "/dev/null", "/dev/random", "/dev/urandom", "/dev/zero"];

/// Most files of one program: a chain of interpreters ends.
const MAX_FILES: usize = 16;

/// Longest first line of a script, in bytes.
const SHEBANG_BYTES: u64 = 256;

/// Launch of an agent's program: the launcher applies it to itself, and becomes the program.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct LaunchPlan {
    /// Program and arguments.
    pub command: Vec<String>,
    /// True if only the listed files and folders are shown.
    pub is_sandboxed: bool,
    /// Files and folders to read, and to execute.
    pub readable: Vec<PathBuf>,
    /// Files and folders to read and write, and to execute.
    pub writable: Vec<PathBuf>,
    /// Processes and threads of the user, besides those that run already.
    pub processes: u32,
    /// Memory of each process, in bytes.
    pub memory_bytes: u64,
}

impl LaunchPlan {
    /// Plans the launch of an agent's command in a thread's folder.
    ///
    /// # Errors
    /// Fails if there is no such program.
    pub(crate) fn new(
        config: &LocalAgentsConfig,
        command: &[String],
        folder: &AgentFolder,
    ) -> io::Result<Self> {
        let path = config.environment.iter().find(|(name, _)| name == "PATH").map_or("", |(_, value)| value);
        let program = command.first().and_then(|name| find_program(name, path));
        let program = program.filter(|file| file.is_file()).ok_or(io::ErrorKind::NotFound)?;
        let mut readable: Vec<PathBuf> = SYSTEM_READABLE.iter().map(PathBuf::from).collect();
        readable.extend(files_of_program(&program, path));
        readable.extend(config.readable.iter().cloned());
        let devices = DEVICES.iter().map(PathBuf::from);
        Ok(Self {
            command: command.to_vec(),
            is_sandboxed: config.sandbox == AgentSandbox::Landlock,
            readable,
            writable: devices.chain([folder.visible()]).collect(),
            processes: config.limits.processes,
            memory_bytes: config.limits.memory_bytes,
        })
    }
}

/// Finds a program by its name in the folders of `PATH`.
fn find_program(name: &str, path: &str) -> Option<PathBuf> {
    if name.contains('/') {
        return Some(PathBuf::from(name));
    }
    path.split(':').map(|folder| Path::new(folder).join(name)).find(|file| file.is_file())
}

/// Returns the files of a program: itself, its package if it is one of Node's, and its interpreter.
fn files_of_program(program: &Path, path: &str) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut next = Some(program.to_path_buf());
    // A script's interpreter is a program, which may be a script.
    while let Some(program) = next.take().filter(|_| files.len() < MAX_FILES) {
        let Ok(real) = fs::canonicalize(&program) else { break };
        files.push(package_of(&real).unwrap_or_else(|| real.clone()));
        files.extend(libraries_of(&real));
        next = interpreter_of(&real, path);
    }
    files
}

/// Returns the outermost `node_modules` that a file is in.
fn package_of(file: &Path) -> Option<PathBuf> {
    file.ancestors().filter(|folder| folder.ends_with("node_modules")).last().map(Path::to_path_buf)
}

/// Returns the libraries next to the folder `bin` of a program.
fn libraries_of(file: &Path) -> Option<PathBuf> {
    let folder = file.parent().filter(|folder| folder.ends_with("bin"))?;
    Some(folder.parent()?.join("lib")).filter(|folder| folder.is_dir())
}

/// Returns the interpreter that the first line of a script names.
fn interpreter_of(file: &Path, path: &str) -> Option<PathBuf> {
    let mut line = Vec::new();
    BufReader::new(fs::File::open(file).ok()?.take(SHEBANG_BYTES)).read_until(b'\n', &mut line).ok()?;
    let line = String::from_utf8(line).ok()?;
    let mut words = line.strip_prefix("#!")?.split_whitespace();
    let first = words.next()?;
    if !first.ends_with("/env") {
        return Some(PathBuf::from(first));
    }
    find_program(words.find(|word| !word.starts_with('-') && !word.contains('='))?, path)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tempfile::TempDir;

    #[test]
    fn package_and_interpreter_are_found() {
        let folder = TempDir::new().unwrap();
        let root = folder.path().canonicalize().unwrap();
        let package = root.join("lib/node_modules/agent/node_modules/inner");
        fs::create_dir_all(&package).unwrap();
        fs::create_dir(root.join("bin")).unwrap();
        fs::write(package.join("main.js"), "#!/usr/bin/env -S node --flag\n").unwrap();
        fs::write(root.join("bin/node"), [0x7f, b'E', b'L', b'F']).unwrap();
        let path = root.join("bin").display().to_string();
        let found = files_of_program(&package.join("main.js"), &path);
        assert_eq!(found, [root.join("lib/node_modules"), root.join("bin/node"), root.join("lib")]);
        assert_eq!(find_program("node", &path), Some(root.join("bin/node")));
        assert_eq!(find_program("nothing", &path), None);
    }
}
