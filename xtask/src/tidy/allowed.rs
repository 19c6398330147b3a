//! The table of who may depend on whom. A new row or entry is a change of the architecture: it
//! belongs in a review of its own, with its reason in `ARCHITECTURE.md`.

/// What one of our crates may use.
#[derive(Debug)]
pub(crate) struct Allowed {
    pub(crate) name: &'static str,
    /// Tests of a crate may use every crate of a lower layer.
    pub(crate) layer: u8,
    /// The crates of ours that it may use.
    pub(crate) ours: &'static [&'static str],
    pub(crate) third_party: ThirdParty,
}

/// Which crates from elsewhere one of ours may use.
#[derive(Debug)]
pub(crate) enum ThirdParty {
    Only(&'static [&'static str]),
    /// It is not part of the product.
    Any,
}

/// Our crates.
pub(crate) const CRATES: &[Allowed] = &[
    Allowed {
        name: "sayso-core",
        layer: 0,
        ours: &[],
        third_party: ThirdParty::Only(&[
            "fancy-regex",
            "jiff",
            "memchr",
            "pulldown-cmark",
            "rust_decimal",
            "schemars",
            "serde",
            "serde_ignored",
            "serde_json",
            "serde_path_to_error",
            "sha2",
            "smol_str",
            "unicode-normalization",
            "unicode-security",
            "uuid",
        ]),
    },
    Allowed {
        name: "sayso-dialects",
        layer: 1,
        ours: &["sayso-core"],
        third_party: ThirdParty::Only(&["serde", "serde_json"]),
    },
    Allowed {
        name: "sayso-desk",
        layer: 2,
        ours: &["sayso-core"],
        third_party: ThirdParty::Only(&[
            "crc32fast",
            "getrandom",
            "jiff",
            "rusqlite",
            "rustix",
            "serde",
            "serde_json",
            "ureq",
            "uuid",
        ]),
    },
    Allowed {
        name: "sayso-terminal",
        layer: 3,
        ours: &["sayso-desk", "sayso-core"],
        third_party: ThirdParty::Only(&[
            "crossterm",
            "jiff",
            "ratatui",
            "rustix",
            "signal-hook",
            "textwrap",
            "unicode-segmentation",
            "unicode-width",
        ]),
    },
    Allowed {
        name: "sayso-server",
        layer: 3,
        ours: &["sayso-desk", "sayso-dialects", "sayso-core"],
        third_party: ThirdParty::Only(&[
            "axum",
            "futures-util",
            "http-body-util",
            "hyper",
            "hyper-util",
            "jiff",
            "percent-encoding",
            "prometheus-client",
            "rmcp",
            "schemars",
            "serde",
            "serde_json",
            "serde_urlencoded",
            "socket2",
            "tokio",
            "tokio-tungstenite",
            "tokio-util",
            "uuid",
        ]),
    },
    Allowed {
        name: "sayso",
        layer: 4,
        ours: &["sayso-server", "sayso-terminal", "sayso-desk", "sayso-dialects", "sayso-core"],
        third_party: ThirdParty::Only(&[
            "clap",
            "clap_complete",
            "etcetera",
            "jiff",
            "rustix",
            "serde",
            "serde_json",
            "tempfile",
            "toml",
        ]),
    },
    Allowed {
        name: "bench",
        layer: 5,
        ours: &["sayso-desk", "sayso-dialects", "sayso-core"],
        third_party: ThirdParty::Only(&[
            "anyhow",
            "axum",
            "futures-util",
            "portable-pty",
            "rusqlite",
            "serde",
            "serde_json",
            "tempfile",
            "tokio",
        ]),
    },
    Allowed {
        name: "interleavings",
        layer: 4,
        ours: &["sayso-core"],
        third_party: ThirdParty::Only(&["jiff", "serde_json", "uuid"]),
    },
    Allowed {
        name: "xtask",
        layer: 5,
        ours: &["interleavings", "sayso-core", "sayso-desk"],
        third_party: ThirdParty::Any,
    },
];

/// Crates from elsewhere that every crate's tests may use.
pub(crate) const IN_TESTS: &[&str] =
    &["jsonschema", "portable-pty", "proptest", "rmcp", "serde_json", "tempfile", "tokio", "vt100"];
