//! `cargo xtask codegen`: files that are made from the code and committed, so that a reader finds
//! them without building anything. `--check` says which of them are stale.

mod commands;
mod element;
mod opencode_plugin;
mod pi_extension;
mod schemas;
mod screens;

use std::path::Path;
use std::process::ExitCode;
use std::{fs, io};

use anyhow::{Context, bail};

use xtask::usage::switch;

/// Function of the tools for other hosts that asks at the desk.
const ASK_AT_DESK: &str = include_str!("codegen/ask_at_desk.js");

/// A file that is made from the code.
struct Generated {
    /// Path from the root.
    path: String,
    text: String,
}

/// All generated files.
fn generated(root: &Path) -> anyhow::Result<Vec<Generated>> {
    let commands = Generated { path: "docs/commands.md".to_owned(), text: commands::reference()? };
    let element = element::all(root)?;
    let plugin = opencode_plugin::plugin()?;
    let extension = pi_extension::extension()?;
    Ok([commands, plugin, extension]
        .into_iter()
        .chain(schemas::all())
        .chain(screens::all()?)
        .chain(element)
        .collect())
}

/// Runs the command.
pub(crate) fn run(root: &Path, arguments: &[String]) -> anyhow::Result<ExitCode> {
    if switch(arguments, "--check")? {
        check(root)?;
    } else {
        write(root, &generated(root)?)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Fails when a generated file is not what the code makes today.
pub(crate) fn check(root: &Path) -> anyhow::Result<()> {
    let files = generated(root)?;
    let stale = stale(root, &files)?;
    if !stale.is_empty() {
        bail!("stale: {}; run `cargo xtask codegen` and commit the result", stale.join(", "));
    }
    println!("codegen: {} generated, all fresh", count(&files));
    Ok(())
}

fn count(files: &[Generated]) -> String {
    format!("{} file{}", files.len(), if files.len() == 1 { "" } else { "s" })
}

/// The files that are missing or other than made today, and those that are made no more.
fn stale(root: &Path, files: &[Generated]) -> anyhow::Result<Vec<String>> {
    let mut stale = Vec::new();
    for file in files {
        match fs::read_to_string(root.join(&file.path)) {
            Ok(text) if text == file.text => {}
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                return Err(error).context(file.path.clone());
            }
            Ok(_) | Err(_) => stale.push(file.path.clone()),
        }
    }
    stale.extend(left_over(root, files)?);
    Ok(stale)
}

/// The files in the folders of schemas, of screens and of the element that nothing makes any more.
fn left_over(root: &Path, files: &[Generated]) -> anyhow::Result<Vec<String>> {
    let mut found = Vec::new();
    let mut open = [schemas::FOLDER, screens::FOLDER, element::FOLDER].map(str::to_owned).to_vec();
    while let Some(folder) = open.pop() {
        let entries = match fs::read_dir(root.join(&folder)) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
            entries => entries.with_context(|| folder.clone())?,
        };
        for entry in entries {
            let entry = entry?;
            let path = format!("{folder}/{}", entry.file_name().to_string_lossy());
            if entry.file_type()?.is_dir() {
                open.push(path);
            } else if files.iter().all(|file| file.path != path) {
                found.push(path);
            }
        }
    }
    found.sort();
    Ok(found)
}

fn write(root: &Path, files: &[Generated]) -> anyhow::Result<()> {
    for file in files {
        let path = root.join(&file.path);
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).with_context(|| file.path.clone())?;
        }
        fs::write(&path, &file.text).with_context(|| file.path.clone())?;
        println!("codegen: wrote {}", file.path);
    }
    for path in left_over(root, files)? {
        fs::remove_file(root.join(&path)).with_context(|| path.clone())?;
        println!("codegen: removed {path}");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::{Generated, stale, write};

    fn files() -> [Generated; 2] {
        [("docs/one.md", "one\n"), ("schemas/a/two.json", "two\n")]
            .map(|(path, text)| Generated { path: path.to_owned(), text: text.to_owned() })
    }

    #[test]
    fn a_missing_or_changed_file_is_stale_and_a_written_one_is_fresh() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        assert_eq!(stale(root, &files()).unwrap(), ["docs/one.md", "schemas/a/two.json"]);
        write(root, &files()).unwrap();
        assert!(stale(root, &files()).unwrap().is_empty());
        fs::write(root.join("schemas/a/two.json"), "two, by hand\n").unwrap();
        assert_eq!(stale(root, &files()).unwrap(), ["schemas/a/two.json"]);
    }

    #[test]
    fn a_schema_that_is_made_no_more_is_stale_until_it_is_removed() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        write(root, &files()).unwrap();
        fs::write(root.join("schemas/old.json"), "").unwrap();
        fs::write(root.join("docs/by-hand.md"), "").unwrap();
        assert_eq!(stale(root, &files()).unwrap(), ["schemas/old.json"]);
        write(root, &files()).unwrap();
        assert!(stale(root, &files()).unwrap().is_empty());
        assert!(root.join("docs/by-hand.md").exists());
    }
}
