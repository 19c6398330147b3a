//! TypeScript types of all dialects.

use super::node;
use super::requests::examples;
use crate::schema::{SchemaFormat, SchemaPart, published, reader, text};
use crate::{Dialect, DialectLimits};
use std::fmt::Write as _;

#[test]
fn typescript_types_fit_the_examples() {
    let limits = DialectLimits::default();
    let mut files = Vec::new();
    for dialect in Dialect::ALL {
        let published = published(dialect);
        for part in SchemaPart::ALL {
            let types = text(dialect, part, SchemaFormat::TypeScript, &limits).unwrap();
            files.push((format!("{}-{}.ts", dialect.name(), part.default_name()), types));
        }
        let name = reader::read(&published.request, "Request").unwrap().name;
        let mut used = format!("import type {{ {name} }} from \"./{}-Request.js\";\n", dialect.name());
        for (index, (_, example)) in examples(dialect).iter().enumerate() {
            writeln!(used, "export const example{index}: {name} = {example};").unwrap();
        }
        files.push((format!("{}-used.ts", dialect.name()), used));
    }
    assert!(files.len() >= 6);
    assert_eq!(node::compile(&files), "");
}
