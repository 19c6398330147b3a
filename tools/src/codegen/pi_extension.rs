//! The extension of pi with the tool `questionnaire`: the tool's schema between the parts that are written by hand.

use anyhow::Context;
use sayso_dialects::{Dialect, SchemaFormat, SchemaPart};

use super::{ASK_AT_DESK, Generated};

/// Path of the extension from the root.
const EXTENSION: &str = "integrations/pi/sayso.ts";
const HEAD: &str = include_str!("pi_extension/head.js");
const TAIL: &str = include_str!("pi_extension/tail.js");

/// The extension.
pub(super) fn extension() -> anyhow::Result<Generated> {
    let tool = Dialect::Questionnaire
        .generate_schema(SchemaPart::Request, SchemaFormat::Tool)
        .context("the questionnaire has a tool")?;
    Ok(Generated {
        path: EXTENSION.to_owned(),
        text: format!("{HEAD}const TOOL = {};\n{ASK_AT_DESK}{TAIL}", tool.trim_end()),
    })
}
