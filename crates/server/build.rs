//! Compresses the files that the server embeds, which it mostly sends compressed.

use brotli::enc::BrotliEncoderParams;
use flate2::Compression;
use flate2::write::GzEncoder;
use std::io::Write as _;
use std::path::Path;
use std::{env, fs, io};

/// Embedded files, by their paths from the root.
const FILES: &[&str] = &[
    "crates/server/src/http/login/page/login.css",
    "crates/server/src/http/login/page/login.js",
    "examples/chat.css",
    "examples/chat.html",
    "examples/chat.js",
    "examples/element.html",
    "examples/element.js",
    "examples/interaction.html",
    "examples/interaction.js",
    "schemas/openapi.json",
    "web/dist/ask.html",
    "web/dist/interaction.js",
    "web/dist/interrupt.js",
    "web/dist/page.css",
    "web/dist/page.js",
    "web/dist/sayso-questionnaire.js",
    "web/dist/session.js",
    "web/dist/worker.js",
];

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed=build.rs");
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let folder = env::var_os("OUT_DIR").unwrap_or_default();
    for file in FILES {
        let source = root.join(file);
        println!("cargo::rerun-if-changed={}", source.display());
        let target = |coding| Path::new(&folder).join(format!("{file}.{coding}"));
        fs::create_dir_all(target("gz").with_file_name(""))?;
        let text = fs::read(source)?;
        let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
        encoder.write_all(&text)?;
        fs::write(target("gz"), encoder.finish()?)?;
        let mut brotli = Vec::new();
        brotli::BrotliCompress(&mut text.as_slice(), &mut brotli, &BrotliEncoderParams::default())?;
        fs::write(target("br"), brotli)?;
    }
    Ok(())
}
