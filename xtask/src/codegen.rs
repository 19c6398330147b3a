//! `cargo xtask codegen`: files that are made from the code and committed, so that a reader finds
//! them without building anything. `--check` says which of them are stale.

mod commands;
mod program;
mod schemas;

use std::path::Path;
use std::process::ExitCode;
use std::{fs, io};

use anyhow::{Context, bail};

use crate::switch;

/// A file that is made from the code.
struct Generated {
    /// Where it lies, from the root.
    path: &'static str,
    /// Makes its text, given the root.
    make: fn(&Path) -> anyhow::Result<String>,
}

/// All generated files: one line each.
const GENERATED: &[Generated] = &[
    Generated { path: "docs/commands.md", make: commands::reference },
    Generated { path: "schemas/sayso-request.schema.json", make: schemas::request },
    Generated { path: "schemas/sayso-outcome.schema.json", make: schemas::outcome },
];

/// Runs the command.
pub(crate) fn run(root: &Path, arguments: &[String]) -> anyhow::Result<ExitCode> {
    if switch(arguments, "--check")? {
        check(root)?;
    } else {
        write(root, GENERATED)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Fails when a generated file is not what the code makes today.
pub(crate) fn check(root: &Path) -> anyhow::Result<()> {
    let stale = stale(root, GENERATED)?;
    if !stale.is_empty() {
        bail!("stale: {}; run `cargo xtask codegen` and commit the result", stale.join(", "));
    }
    println!("codegen: {} generated, all fresh", count(GENERATED));
    Ok(())
}

fn count(files: &[Generated]) -> String {
    format!("{} file{}", files.len(), if files.len() == 1 { "" } else { "s" })
}

fn stale(root: &Path, files: &[Generated]) -> anyhow::Result<Vec<&'static str>> {
    let mut stale = Vec::new();
    for file in files {
        let fresh = make(root, file)?;
        match fs::read_to_string(root.join(file.path)) {
            Ok(text) if text == fresh => {}
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                return Err(error).context(file.path);
            }
            Ok(_) | Err(_) => stale.push(file.path),
        }
    }
    Ok(stale)
}

fn write(root: &Path, files: &[Generated]) -> anyhow::Result<()> {
    for file in files {
        let path = root.join(file.path);
        let text = make(root, file)?;
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).context(file.path)?;
        }
        fs::write(&path, text).context(file.path)?;
        println!("codegen: wrote {}", file.path);
    }
    Ok(())
}

fn make(root: &Path, file: &Generated) -> anyhow::Result<String> {
    (file.make)(root).with_context(|| format!("cannot make {}", file.path))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::{Generated, stale, write};

    const FILES: &[Generated] = &[
        Generated { path: "docs/one.md", make: |_| Ok("one\n".to_owned()) },
        Generated { path: "two.md", make: |_| Ok("two\n".to_owned()) },
    ];

    #[test]
    fn a_missing_or_changed_file_is_stale_and_a_written_one_is_fresh() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        assert_eq!(stale(root, FILES).unwrap(), ["docs/one.md", "two.md"]);
        write(root, FILES).unwrap();
        assert!(stale(root, FILES).unwrap().is_empty());
        fs::write(root.join("two.md"), "two, by hand\n").unwrap();
        assert_eq!(stale(root, FILES).unwrap(), ["two.md"]);
    }

    #[test]
    fn a_file_that_cannot_be_made_is_an_error_that_names_it() {
        let files = &[Generated { path: "three.md", make: |_| anyhow::bail!("no binary") }];
        let error = stale(tempfile::tempdir().unwrap().path(), files).unwrap_err();
        assert_eq!(format!("{error:#}"), "cannot make three.md: no binary");
    }
}
