//! Node, with the packages pinned in the repository.

use serde_json::{Value, json};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use tempfile::TempDir;

/// A generated module, its exported schema, and the texts to validate with it.
pub(super) struct ZodJob {
    pub(super) source: String,
    pub(super) schema: String,
    pub(super) texts: Vec<String>,
    /// Files next to the module, by name.
    pub(super) files: Vec<(String, String)>,
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Creates a folder from which modules find the packages.
fn folder() -> TempDir {
    let packages = root().join("node_modules");
    for name in ["typescript", "zod"] {
        assert!(packages.join(name).is_dir(), "there is no npm package {name}: run `cargo xtask setup`");
    }
    let folder = tempfile::tempdir().unwrap();
    let own = folder.path().join("node_modules");
    std::fs::create_dir_all(own.join("@opencode-ai")).unwrap();
    let stand_in = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/node/opencode-plugin");
    let links = [
        (packages.join("typescript"), "typescript"),
        (packages.join("zod"), "zod"),
        (stand_in, "@opencode-ai/plugin"),
    ];
    for (package, name) in links {
        std::os::unix::fs::symlink(package.canonicalize().unwrap(), own.join(name)).unwrap();
    }
    folder
}

fn run(program: &Path, arguments: &[&str], input: &str) -> Output {
    let mut command = Command::new("node");
    command.arg(program).args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("Node runs; `cargo xtask setup` installs it");
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_owned();
    // The program may print before it has read all input.
    let writing = std::thread::spawn(move || stdin.write_all(input.as_bytes()));
    let output = child.wait_with_output().unwrap();
    let _ = writing.join().unwrap();
    output
}

/// Returns for each job the validity of each of its texts, found by one process.
pub(super) fn verdicts(jobs: &[ZodJob]) -> Vec<Vec<bool>> {
    let folder = folder();
    let mut asked = Vec::new();
    for (index, job) in jobs.iter().enumerate() {
        let module = folder.path().join(format!("{index}.zod.mjs"));
        std::fs::write(&module, &job.source).unwrap();
        for (name, text) in &job.files {
            std::fs::write(folder.path().join(name), text).unwrap();
        }
        asked.push(json!({ "module": module, "schema": job.schema, "texts": job.texts }));
    }
    let program = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/node/verdicts.mjs");
    let output = run(&program, &[], &Value::from(asked).to_string());
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let verdicts: Vec<Vec<bool>> = serde_json::from_slice(&output.stdout).unwrap();
    assert!(verdicts.iter().map(Vec::len).eq(jobs.iter().map(|job| job.texts.len())));
    verdicts
}

/// Compiles TypeScript files in strict mode, and returns the compiler's errors.
pub(super) fn compile(files: &[(String, String)]) -> String {
    let folder = folder();
    for (name, text) in files {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    let options = json!({
        "strict": true,
        "exactOptionalPropertyTypes": true,
        "noEmit": true,
        "allowJs": true,
        "checkJs": true,
        "target": "es2022",
        "module": "nodenext",
        "types": [],
    });
    let names: Vec<_> = files.iter().map(|(name, _)| name).collect();
    let project = json!({ "compilerOptions": options, "files": names }).to_string();
    std::fs::write(folder.path().join("tsconfig.json"), project).unwrap();
    let compiler = folder.path().join("node_modules/typescript/bin/tsc");
    let output = run(&compiler, &["-p", folder.path().to_str().unwrap()], "");
    let printed_text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(
        output.status.success(),
        printed_text.is_empty(),
        "{printed_text}{}",
        String::from_utf8_lossy(&output.stderr)
    );
    printed_text
}
