//! Files that the program holds compressed, as the build script made them.

use flate2::read::GzDecoder;
use std::io::Read as _;

/// A file in both codings.
#[derive(Clone, Copy)]
pub(crate) struct EmbeddedFile {
    pub(crate) gzip: &'static [u8],
    /// A tenth smaller; browsers decode it from `https` and from this machine.
    pub(crate) brotli: &'static [u8],
}

/// Returns a file that the build script lists, by its path from the root.
macro_rules! embedded_file {
    ($path:literal) => {
        crate::embedded::EmbeddedFile {
            gzip: include_bytes!(concat!(env!("OUT_DIR"), "/", $path, ".gz")),
            brotli: include_bytes!(concat!(env!("OUT_DIR"), "/", $path, ".br")),
        }
    };
}

pub(crate) use embedded_file;

/// Returns a file as it was before it was compressed.
pub(crate) fn inflate(gzip: &[u8]) -> Vec<u8> {
    let mut text = Vec::new();
    // The build script wrote it, so it is whole.
    let _ = GzDecoder::new(gzip).read_to_end(&mut text);
    text
}
