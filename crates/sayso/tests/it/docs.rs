//! Tests of what the program and its pages say of it: help, languages, schemas, READMEs and examples.

mod chinese_help;
pub(crate) mod formats;
mod languages;
mod readme;
mod schemas;
