//! Table of the dependencies that each crate may have. A new row or entry is a change of the architecture: it belongs in
//! a review of its own, with its reason in `docs/architecture/dependencies.md`.

/// Dependencies that one of our crates may have.
#[derive(Debug)]
pub(crate) struct CrateRules {
    pub(crate) name: &'static str,
    /// Tests of a crate may use every crate of a lower layer.
    pub(crate) layer: u8,
    /// Crates of ours, separated by spaces.
    pub(crate) ours: &'static str,
    /// Crates from elsewhere, separated by spaces; `None` for a crate that is no part of the product.
    pub(crate) third_party: Option<&'static str>,
}

const fn rules(
    name: &'static str,
    layer: u8,
    ours: &'static str,
    third_party: Option<&'static str>,
) -> CrateRules {
    CrateRules { name, layer, ours, third_party }
}

/// Our crates.
pub(crate) const CRATES: &[CrateRules] = &[
    rules(
        "sayso-core",
        0,
        "",
        Some(
            "fancy-regex foldhash jiff memchr pulldown-cmark qrcodegen rust_decimal schemars serde \
             serde_json sha2 smol_str unicode-normalization unicode-security uuid",
        ),
    ),
    rules("sayso-dialects", 1, "sayso-core", Some("serde serde_json")),
    rules(
        "sayso-desk",
        2,
        "sayso-core",
        Some("crc32fast getrandom jiff rusqlite rustix serde serde_json tracing ureq uuid"),
    ),
    rules(
        "sayso-terminal",
        3,
        "sayso-desk sayso-core",
        Some("crossterm jiff ratatui rustix signal-hook textwrap unicode-segmentation unicode-width"),
    ),
    rules(
        "sayso-server",
        3,
        "sayso-desk sayso-dialects sayso-core",
        Some(
            "askama axum base64 flate2 futures-util http http-body-util hyper hyper-util jiff percent-encoding prometheus-client \
             ring rmcp rustls schemars serde serde_json serde_urlencoded socket2 tokio tokio-rustls tokio-tungstenite \
             tokio-util tracing tracing-subscriber uuid",
        ),
    ),
    rules(
        "sayso",
        4,
        "sayso-server sayso-terminal sayso-desk sayso-dialects sayso-core",
        Some(
            "clap clap_complete etcetera jiff jsonc-parser rustix serde serde_json signal-hook similar tempfile \
             toml toml_edit",
        ),
    ),
    rules(
        "bench",
        5,
        "sayso-desk sayso-dialects sayso-core",
        Some("anyhow axum futures-util portable-pty rusqlite serde serde_json tempfile tokio"),
    ),
    rules("interleavings", 4, "sayso-core", Some("jiff serde_json uuid")),
    rules("xtask", 5, "interleavings sayso-core sayso-desk", None),
];

/// Crates from elsewhere that the tests of every crate may use.
pub(crate) const IN_TESTS: &str =
    "base64 jsonschema portable-pty proptest rcgen ring rmcp rqrr rustls serde_json tempfile tokio vt100";
