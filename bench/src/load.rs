//! A compiler that keeps the machine busy, as one does all day where people develop.

use anyhow::{Context as _, ensure};
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

/// The root of the workspace.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Compilers that run beside us until this is dropped.
pub(crate) struct Compiler {
    child: Child,
    folder: PathBuf,
}

impl Compiler {
    /// Comes back once something is compiled.
    ///
    /// # Errors
    /// When there is no cargo, or nothing to compile.
    pub(crate) fn start() -> anyhow::Result<Self> {
        let folder = root().join("target/busy");
        // One that was killed may have left its own.
        let _ = std::fs::remove_dir_all(&folder);
        let mut child = Command::new(std::env::current_exe()?)
            .args(["peer", "compile"])
            .arg(&folder)
            .process_group(0)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let output = child.stdout.as_mut().context("no stdout")?;
        let started = output.read_exact(&mut [0]).context("the compiler did not start");
        let compiler = Self { child, folder };
        started.map(|()| compiler)
    }

    /// Ends it; an error when it had ended before.
    pub(crate) fn end(mut self) -> anyhow::Result<()> {
        let ended = self.child.try_wait()?;
        ensure!(ended.is_none(), "the compiler ended too early: {ended:?}");
        Ok(())
    }
}

impl Drop for Compiler {
    fn drop(&mut self) {
        drop(self.child.stdin.take());
        let _ = self.child.wait();
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

/// The role: checks this workspace from nothing, again and again. It ends with all its compilers when standard input
/// does, so also when whoever started it was killed.
pub(crate) fn compile(folder: &Path) -> anyhow::Result<()> {
    std::thread::spawn(|| {
        let _ = std::io::stdin().read_to_end(&mut Vec::new());
        // The compilers are in the process group of this program.
        let _ = Command::new("sh").args(["-c", "kill -KILL 0"]).status();
    });
    let mut is_known = false;
    loop {
        let mut cargo = Command::new("cargo")
            .args(["check", "--workspace", "--locked", "--offline", "--target-dir"])
            .arg(folder)
            .current_dir(root())
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()?;
        for line in BufReader::new(cargo.stderr.take().context("no stderr")?).lines() {
            if !is_known && line?.contains("Compiling") {
                is_known = true;
                std::io::stdout().write_all(b".")?;
                std::io::stdout().flush()?;
            }
        }
        ensure!(cargo.wait()?.success(), "cargo check failed");
        std::fs::remove_dir_all(folder)?;
    }
}
